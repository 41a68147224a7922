"""Bone heat: Blender's answers, and the laws that every binding keeps."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import KDTree
from skin.binding.bodies import Blender, apart, body, skeleton, table

import posable
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import matrix_from_wxyz, random_wxyz

METHODS = ("heat", "voxel")
TURN = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])  # another axis up


@cache
def bound(method: str) -> Skin:
    return posable.bind(body(), skeleton(), method)


@pytest.mark.parametrize("name", ["wolf", "cesiumman", "mh_game_engine"])
def test_heat_is_blenders_automatic_weights(shared: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blender = Blender(shared, name)
    found = blender.table(blender.bound(monkeypatch))
    assert np.maximum(apart(found, blender.weights) - blender.spread, 0).mean() < 5e-4
    assert (found.argmax(axis=1) == blender.weights.argmax(axis=1)).mean() > 0.998
    assert apart(found, blender.artist).mean() < apart(blender.weights, blender.artist).mean() + 1e-4


@pytest.mark.parametrize(("influences", "most"), [(4, 0.04), (5, 0.02)])
def test_fewer_influences_take_little_away(
    shared: Path, influences: int, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    blender = Blender(shared, "wolf")
    skin = blender.bound(monkeypatch, influences=influences)
    assert skin.joints.shape[1] == influences
    assert apart(blender.table(skin), blender.weights).mean() < most


@pytest.mark.parametrize("scale", [0.001, 3.7, 1000.0])
@pytest.mark.parametrize(("method", "most"), [("heat", 1e-5), ("voxel", 5e-4)])
def test_the_same_weights_at_any_scale(method: str, most: float, scale: float) -> None:
    """But for rounding, which decides where two bones are as near to a cube."""
    mesh = body()
    skin = posable.bind((mesh.vertices * scale, mesh.faces), skeleton(scale), method)
    assert apart(table(skin), table(bound(method))).max() < most


def test_heat_does_not_know_which_axis_is_up() -> None:
    mesh, plain = body(), skeleton()
    turned = skeleton(**{joint.replace(".", "_"): tuple(TURN @ place) for joint, place in _places(plain).items()})
    turned = posable.Skeleton(turned.definitions, "z")
    assert apart(table(posable.bind((mesh.vertices @ TURN.T, mesh.faces), turned)), table(bound("heat"))).max() < 1e-5


def _places(plain: posable.Skeleton) -> dict[str, np.ndarray]:
    return dict(zip(plain.joints, Pose(plain, plain.rest_coordinates).origins, strict=True))


@pytest.mark.parametrize("influences", [1, 2, 4, 8])
@pytest.mark.parametrize("method", METHODS)
def test_weights_are_positive_few_and_sum_to_one(method: str, influences: int) -> None:
    skin = posable.bind(body(), skeleton(), method, influences=influences)
    assert skin.weights.shape[1] <= influences
    assert (skin.weights >= 0).all() and np.abs(skin.weights.sum(axis=1) - 1).max() < 1e-6
    assert (np.diff(skin.weights, axis=1) <= 0).all(), "the strongest first"


@pytest.mark.parametrize(("method", "most"), [("heat", 1e-5), ("voxel", 0.02)])
def test_a_mirrored_body_has_mirrored_weights(method: str, most: float) -> None:
    names, weights = skeleton().joints, table(bound(method))
    other = KDTree(body().vertices).query(body().vertices * (-1, 1, 1))[1]
    sides = {".l": ".r", ".r": ".l"}
    swapped = [names.index(name[:-2] + sides.get(name[-2:], name[-2:])) for name in names]
    assert apart(weights[other][:, swapped], weights).max() < most


@pytest.mark.parametrize("method", METHODS)
def test_the_same_input_the_same_answer(method: str) -> None:
    again = posable.bind(body(), skeleton(), method)
    assert (again.joints == bound(method).joints).all() and (again.weights == bound(method).weights).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_moved_skeleton_moves_the_skin_as_a_whole(method: str) -> None:
    plain, rng = skeleton(), np.random.default_rng(0)
    q = np.array(plain.rest_coordinates)
    q[:3], q[3:7] = (5, -3, 2), random_wxyz(rng, ())
    at_rest = bound(method).deform(Pose(plain, plain.rest_coordinates))
    np.testing.assert_allclose(at_rest, body().vertices, rtol=0, atol=1e-4)
    root = np.array(plain.definitions[0].position)
    expected = (body().vertices - root) @ matrix_from_wxyz(q[3:7]).T + q[:3]
    np.testing.assert_allclose(bound(method).deform(Pose(plain, q)), expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_no_vertex_follows_the_wrong_limb(method: str) -> None:
    names, weights = np.array(skeleton().joints), table(bound(method))
    x, y, _ = body().vertices.T
    limbs = {"arm.l": x > 4.5, "arm.r": x < -4.5, "hip.l": (y < 6.5) & (x > 0), "hip.r": (y < 6.5) & (x < 0)}
    own = {"arm.l": ("arm.l", "elbow.l", "hand.l"), "hip.l": ("hip.l", "knee.l", "foot.l")}
    own |= {limb.replace(".l", ".r"): tuple(n.replace(".l", ".r") for n in joints) for limb, joints in own.items()}
    for limb, rows in limbs.items():
        assert rows.sum() > 50
        assert np.isin(names[weights[rows].argmax(axis=1)], own[limb]).all(), limb
        assert weights[rows][:, ~np.isin(names, own[limb])].sum(axis=1).max() < 0.5, limb


def test_the_pose_is_where_the_skeleton_stands_in_the_mesh() -> None:
    plain, mesh = skeleton(), body()
    q = np.array(plain.rest_coordinates)
    q[:3] += (30, 0, 0)
    there = Pose(plain, q)
    skin = posable.bind((mesh.vertices + np.array([30, 0, 0]), mesh.faces), plain, pose=there)
    assert apart(table(skin), table(bound("heat"))).max() < 1e-5
    np.testing.assert_allclose(skin.deform(there), skin.vertices, rtol=0, atol=1e-4)


def test_smoothing_spreads_weights_and_keeps_their_sum() -> None:
    mesh, hard = body(), bound("heat")
    soft = posable.bind(mesh, skeleton(), smoothing=5)
    ends = mesh.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    steps = [np.abs(np.diff(table(skin)[ends], axis=1)).sum() for skin in (hard, soft)]
    assert steps[1] < 0.9 * steps[0]
    assert 0 < apart(table(hard), table(soft)).mean() < 0.3
