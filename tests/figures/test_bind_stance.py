"""Figures whose file was saved in the middle of a movement: the pose in which the skin was bound is their stance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.clips import trim
from posable.figures.bind_stance import standing_as_bound
from posable.figures.stance import turned
from posable.skeleton import Skeleton, joints_below
from posable.spatial import matrix_from_wxyz, wxyz_from_rotation_vector

STRIDE = {"upper_leg_l": -0.5, "upper_leg_r": 0.45, "lower_leg_r": 0.6}
SITTING = {"upper_leg_l": -1.4, "upper_leg_r": -1.4}  # on the floor


def left_in(figure: posable.Figure, bends: dict[str, float]) -> posable.Figure:
    """A figure as a file that was saved with parts rotated at rest, by radians about the axis to its left."""
    pose, skeleton, found = figure.rest, figure.skeleton, posable.roles(figure)
    wanted = np.array(pose.world_from_joint[:, :3, :3])
    for role, angle in bends.items():
        below = joints_below(skeleton, found.index(role))
        wanted[below] = matrix_from_wxyz(wxyz_from_rotation_vector(angle * np.asarray(found.left))) @ wanted[below]
    q, ends = turned(pose, wanted).q, skeleton.tables.first_coordinate
    joints = [
        replace(joint, rest=tuple(q[ends[i] : ends[i + 1]].tolist()) if joint.coordinates else None)
        for i, joint in enumerate(skeleton.definitions)
    ]
    return figure.on(Skeleton(joints, skeleton.up))


@pytest.mark.parametrize("bends", [STRIDE, SITTING])
def test_a_stride_or_a_seat_at_rest_yields_to_the_pose_of_binding(shared: Path, bends: dict[str, float]) -> None:
    figure = posable.load(shared / "characters/MH_game_engine.glb")
    assert standing_as_bound(figure) is figure
    again = standing_as_bound(left_in(figure, bends))
    np.testing.assert_allclose(again.rest.origins, figure.rest.origins, atol=0.02)


def test_arms_at_rest_may_be_anywhere(shared: Path) -> None:
    figure = left_in(posable.load(shared / "characters/MH_game_engine.glb"), {"upper_arm_l": 1.0})
    assert standing_as_bound(figure) is figure


def test_feet_of_a_figure_saved_in_a_stride_stand_as_its_own(shared: Path) -> None:
    """Its right foot stood on its toes, 16 cm high, and the legs were 11 degrees off the person's."""
    figure = posable.load(shared / "characters/MH_game_engine.glb")
    clip = trim(posable.load(posable.sample("walk.bvh"), unit="cm").clips[0], 0.0, 0.3)
    strides = posable.retarget(clip, to=left_in(figure, STRIDE))
    plain = posable.retarget(clip, to=figure)
    legs = [posable.roles(figure).index(role) for role in ("upper_leg_r", "lower_leg_r", "foot_r", "foot_l")]
    np.testing.assert_allclose(strides.poses.origins[:, legs], plain.poses.origins[:, legs], atol=0.02)
