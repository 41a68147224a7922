"""What a skeleton fitted into a bare mesh and bound to it is worth when it bends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from figures.builtin.meshes import directed_edges, volume
from skin.fitting.test_fit_template import fitted, human
from smooth_body import smooth_body

import posable
from posable.skin import Mesh, Skin, fit_skeleton
from posable.spatial import Array, normalized


def with_elbow_at_90(skeleton: posable.Skeleton, side: str) -> posable.Pose:
    """At rest but for the elbow, a hinge, whose bones are square to one another."""
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)

    def bend(pose: posable.Pose) -> float:
        upper, lower, hand = (
            pose.origins[skeleton.index(f"{name}_{side}")] for name in ("upper_arm", "forearm", "hand")
        )
        return float(np.arccos(normalized(lower - upper) @ normalized(hand - lower)))

    turn = np.zeros(skeleton.dof)
    turn[skeleton.freedom_range(f"forearm_{side}")] = np.pi / 2 - bend(rest)
    pose = rest.plus(turn)
    np.testing.assert_allclose(bend(pose), np.pi / 2, atol=1e-9)
    return pose


def elbow_volume(skin: Skin, places: Array, side: str) -> float:
    """Of the flesh that moves neither with the upper arm alone nor with the forearm alone, cut off flat."""
    skeleton = skin.skeleton
    forearm = skeleton.index(f"forearm_{side}")
    below = [joint for joint in range(len(skeleton.joints)) if forearm in skeleton.chain(joint)]
    share = np.where(np.isin(skin.joints, below), skin.weights, 0).sum(axis=1)
    elbow = skin.faces[((share > 0.01) & (share < 0.99))[skin.faces].any(axis=1)]
    there = set(map(tuple, directed_edges(elbow).tolist()))
    rim = np.array([(b, a) for a, b in there if (b, a) not in there])
    for half in (share[rim[:, 0]] < 0.5, share[rim[:, 0]] >= 0.5):
        own = rim[half]
        elbow = np.concatenate([elbow, np.column_stack([own, np.full(len(own), len(places))])])
        places = np.concatenate([places, [places[own[:, 0]].mean(axis=0)]])
    return volume(places, elbow)


def change_of_elbow(skin: Skin, side: str, blend: str) -> float:
    """By which share of its volume an elbow grows when it bends to 90°.

    The mesh is closed and what is not of the elbow moves rigidly, so that the whole mesh grows by as much.
    """
    rest = posable.Pose(skin.skeleton, skin.skeleton.rest_coordinates)
    before, after = (skin.deform(pose, blend) for pose in (rest, with_elbow_at_90(skin.skeleton, side)))
    grown = volume(after, skin.faces) - volume(before, skin.faces)
    return grown / elbow_volume(skin, before.astype(float), side)


@pytest.mark.slow
def test_an_elbow_bent_by_dual_quaternions_keeps_its_volume() -> None:
    for skin in (smooth_body().skins[0], posable.bind(human(), fitted().skeleton)):
        for side in "lr":
            assert abs(change_of_elbow(skin, side, "dual_quaternion")) < 0.02
            assert change_of_elbow(skin, side, "linear") < -0.05


def test_a_fitted_and_bound_human_keeps_its_elbows_volume(shared: Path) -> None:
    figure = posable.load(shared / "characters/MH_game_engine.glb")
    mesh = Mesh(figure.skins[0].deform(figure.rest).astype(float), figure.skins[0].faces)
    skin = posable.bind(mesh, fit_skeleton(mesh))
    for side in "lr":
        assert abs(change_of_elbow(skin, side, "dual_quaternion")) < 0.05
