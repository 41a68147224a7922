"""A mesh that stands in a movement is bound in the pose in which the skeleton's own skin was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.skeleton import Skeleton
from posable.skin.binding.as_bound import brought, stance_of
from posable.skin.binding.surface import Surface
from posable.skin.bound_frames import bound_frames
from posable.skin.weights import weight_table
from tests.figures.test_bind_stance import SITTING, STRIDE, left_in


def mesh_of(figure: posable.Figure) -> posable.Mesh:
    """Its skin as it stands at rest."""
    (skin,) = figure.skins
    return posable.Mesh(skin.deform(figure.rest).astype(float), skin.faces)


@pytest.fixture(scope="module")
def upright(shared: Path) -> posable.Figure:
    return posable.load(shared / "characters/MH_game_engine.glb")


@pytest.mark.parametrize("name", ["Apatosaurus", "Triceratops", "Velociraptor"])
def test_a_mesh_left_in_a_stride_comes_nearer_to_its_artists_weights(shared: Path, name: str) -> None:
    path = shared / f"rigs/dinosaurs_pack_{name}.glb"
    figure, mesh = posable.load(path), posable.load_mesh(path)
    artist, seen = weight_table(figure.skins[0]), figure.skeleton.seen
    there = posable.bind(mesh, figure.skeleton)
    figure.skeleton.notice(replace(seen, bound=None))
    here = posable.bind(mesh, figure.skeleton)
    off, before = (np.abs(weight_table(skin) - artist).sum(axis=1).mean() for skin in (there, here))
    assert off < 0.8 * before
    assert [sum("own skin was bound" in note for note in skin.notes) for skin in (there, here)] == [1, 0]
    np.testing.assert_allclose(there.deform(figure.rest), mesh.vertices, atol=1e-5 * mesh.diagonal)


@pytest.mark.parametrize("bends", [STRIDE, SITTING])
def test_a_mesh_in_a_stride_or_a_seat_gets_the_weights_of_the_upright_one(
    upright: posable.Figure, bends: dict[str, float]
) -> None:
    bent = left_in(upright, bends)
    skins = [posable.bind(mesh_of(figure), figure.skeleton) for figure in (upright, bent)]
    assert np.abs(np.subtract(*map(weight_table, skins))).sum(axis=1).mean() < 0.05


def test_a_machine_is_bound_where_it_stands(shared: Path) -> None:
    """Its pieces do not bend."""
    path = shared / "rigs/mech_pack_George.glb"
    figure, mesh = posable.load(path), posable.load_mesh(path)
    assert stance_of(figure.rest, figure.skins[0].used_joints) is not None
    there = posable.bind(mesh, figure.skeleton)
    figure.skeleton.notice(replace(figure.skeleton.seen, bound=None))
    np.testing.assert_array_equal(weight_table(there), weight_table(posable.bind(mesh, figure.skeleton)))


def test_the_stance_is_the_pose_of_binding_in_the_unit_of_the_rest_pose(upright: posable.Figure) -> None:
    bent = left_in(upright, STRIDE)
    (skin,) = bent.skins
    to = np.diag([0.01, 0.01, 0.01, 1.0])  # a skin in metres on a skeleton in centimetres, and lying on its back
    to[:3, :3] = to[:3, :3] @ [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    moved = replace(skin, inverse_bind=skin.inverse_bind @ np.linalg.inv(to))
    skeleton = Skeleton(bent.skeleton.definitions, bent.skeleton.up)
    figure = posable.Figure(skeleton, "bent", (moved.on(skeleton),))
    stance = stance_of(figure.rest, skin.used_joints)
    assert stance is not None

    def apart(places: np.ndarray) -> np.ndarray:
        return np.linalg.norm(places[:, None] - places, axis=2)

    used = skin.used_joints
    np.testing.assert_allclose(apart(stance.origins[used]), apart(upright.rest.origins[used]), atol=1e-4)


def test_no_stance_where_the_rest_pose_is_that_or_nothing_tells_one(upright: posable.Figure) -> None:
    used = upright.skins[0].used_joints
    assert stance_of(upright.rest, used) is None
    bent = left_in(upright, STRIDE)
    assert stance_of(bent.rest, used) is not None
    assert stance_of(upright.rest.plus(np.full(upright.skeleton.dof, 0.1)), used) is None
    unknown = np.setdiff1d(np.arange(len(bent.skeleton.joints)), used)[:1]
    assert stance_of(bent.rest, np.append(used, unknown)) is None
    unseen = Skeleton(bent.skeleton.definitions, bent.skeleton.up)
    assert stance_of(posable.Pose(unseen, unseen.rest_coordinates), used) is None


def test_a_piece_bound_in_a_space_of_its_own_says_nothing(upright: posable.Figure) -> None:
    (skin,) = upright.skins
    hat = int(skin.used_joints[-1])
    space = np.diag([3.0, 3.0, 3.0, 1.0])
    inverse = np.tile(np.eye(4), (len(skin.inverse_bind), 1, 1))
    inverse[hat] = skin.inverse_bind[hat] @ space
    one = np.ones((len(skin.vertices), 1))
    piece = replace(skin, joints=hat * one.astype(np.int32), weights=one.astype(np.float32), inverse_bind=inverse)
    alone = bound_frames([skin], len(inverse))
    np.testing.assert_array_equal(bound_frames([piece, skin], len(inverse)), alone)
    assert np.isfinite(alone[skin.used_joints]).all() and np.isnan(alone).any()
    np.testing.assert_allclose(alone[hat], upright.rest.world_from_joint[hat], atol=1e-5)


def test_a_surface_is_brought_back_to_where_it_was_bent_from(upright: posable.Figure) -> None:
    bent = left_in(upright, SITTING)
    mesh, table = mesh_of(bent), weight_table(upright.skins[0])
    surface, plain = Surface.of(mesh), Surface.of(mesh_of(upright))
    of_place = np.zeros((len(surface.places), table.shape[1]))
    of_place[surface.place_of] = table
    frames = (figure.rest.world_from_joint for figure in (bent, upright))
    there = brought(surface, of_place / of_place.sum(axis=1, keepdims=True), *frames)
    found = there.center + there.size * there.places[there.place_of]
    np.testing.assert_allclose(found, mesh_of(upright).vertices, atol=2e-4)
    assert abs(there.size - plain.size) < 1e-3 * plain.size
