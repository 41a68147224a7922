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
    return saved_in(figure, turned(pose, wanted))


def saved_in(figure: posable.Figure, pose: posable.Pose) -> posable.Figure:
    """A figure as a file that was saved in this pose."""
    skeleton = figure.skeleton
    q, ends = pose.q, skeleton.tables.first_coordinate
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


@pytest.mark.parametrize("bends", [STRIDE, SITTING])
def test_a_walk_begins_from_the_pose_of_binding(shared: Path, bends: dict[str, float]) -> None:
    """From a file saved on a seat or in a stride people walked with knees bent by up to 80 degrees."""
    figure = posable.load(shared / "characters/MH_game_engine.glb")
    strides = left_in(figure, bends)
    plain = posable.walk(figure, steps=2)
    for roles in (None, posable.roles(strides)):
        found = posable.walk(strides, steps=2, roles=roles)
        assert found.skeleton is strides.skeleton
        legs = [plain.skeleton.index(joint) for leg in posable.roles(figure).legs for joint in leg.joints]
        np.testing.assert_allclose(found.poses.origins[:, legs], plain.poses.origins[:, legs], atol=0.02)


@pytest.mark.slow
def test_a_recording_on_a_figure_saved_in_a_stride_is_understood(shared: Path) -> None:
    """Also with roles given, as the command gives them."""
    figure, other = posable.load(shared / "characters/MH_game_engine.glb"), posable.figure("mannequin")
    walk = posable.walk(figure, steps=2)
    strides = left_in(figure, STRIDE)
    moved = replace(walk, skeleton=strides.skeleton)
    plain, found = (posable.retarget(one, to=other) for one in (walk, moved))
    np.testing.assert_allclose(found.poses.origins, plain.poses.origins, atol=0.02)
    back = posable.retarget(plain, to=strides, roles=posable.roles(strides))
    again = posable.retarget(plain, to=figure, roles=posable.roles(figure))
    legs = [posable.roles(figure).index(f"foot_{side}") for side in "lr"]
    np.testing.assert_allclose(back.poses.origins[:, legs], again.poses.origins[:, legs], atol=0.02)


@pytest.mark.parametrize(
    ("file", "clip"), [("characters/Q_Wolf.glb", "Gallop"), ("rigs/dinosaurs_pack_Velociraptor.glb", "Run")]
)
def test_animals_saved_in_a_run_have_their_parts_and_stand(shared: Path, file: str, clip: str) -> None:
    """A raptor whose thighs were taken for arms could not walk; a wolf walked on bent legs."""
    figure = posable.load(shared / file)
    run = next(one for one in figure.clips if clip in one.name)
    stands = posable.roles(figure)
    for share in (0.25, 0.5, 0.75):
        runs = saved_in(figure, run.poses[round(share * (len(run) - 1))])
        assert dict(posable.roles(runs)) == dict(stands)
        again = standing_as_bound(runs)
        assert again is not runs
        up = 1 if figure.skeleton.up == "y" else 2
        feet = [figure.skeleton.index(leg.joints[-1]) for leg in stands.legs]
        assert np.ptp(again.rest.origins[feet, up]) < 0.02 * figure.skeleton.reach


@pytest.mark.slow
def test_a_lying_person_stands_as_bound(shared: Path) -> None:
    figure = posable.load(shared / "characters/Knight.glb")
    lies = next(one for one in figure.clips if one.name == "Lie_Idle")
    assert standing_as_bound(figure) is figure
    again = standing_as_bound(saved_in(figure, lies.poses[0]))
    own = [posable.roles(figure).index(role) for role in ("upper_leg_l", "foot_l", "foot_r", "head")]
    heights = again.rest.origins[own, 1] - figure.rest.origins[own, 1]
    np.testing.assert_allclose(heights - heights[1], 0.0, atol=0.03)
