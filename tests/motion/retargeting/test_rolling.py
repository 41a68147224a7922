"""Feet that roll: what of them touches the ground, and how they step aside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Joint, Skeleton
from posable.figures.shapes import Shape, solid_of
from posable.motion import retargeting
from posable.motion.feet.sole_shapes import Sole, soles
from posable.motion.gait_metrics import self_penetration
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.hands_feet import Foot
from posable.motion.transfer.rolling import Rolling, Underside, underside
from posable.spatial import matrix_from_wxyz, wxyz_from_matrix

_SENSORS = ((0.05, -0.06, 0.15), (-0.05, -0.06, 0.15), (0.05, -0.06, -0.05), (-0.05, -0.06, -0.05))


def _with_sensors(count: int) -> tuple[Skeleton, Sole]:
    """The mannequin's bare skeleton with fixed joints below its left foot, and that foot's sole."""
    figure = posable.figure("mannequin")
    sole = next(one for one in soles(figure) if one.name == "leg_l")
    foot = figure.skeleton.joints[figure.skeleton.index(sole.foot)]
    definitions = [replace(one, capsules=()) for one in figure.skeleton.definitions]
    definitions += [Joint(f"sensor_{k}", "fixed", foot, at) for k, at in enumerate(_SENSORS[:count])]
    return Skeleton(definitions, "y"), sole


def test_a_foot_without_shapes_stands_on_the_links_of_its_sole() -> None:
    skeleton, sole = _with_sensors(4)
    under = underside(skeleton, sole)
    assert under is not None
    rest = posable.Pose(skeleton, skeleton.rest_coordinates[None])
    own = [skeleton.index(f"sensor_{k}") for k in range(4)]
    assert np.isclose(under.heights(rest).min(), rest.origins[0, own, 1].min(), atol=1e-12)
    assert set(own) <= set(under.parts)


def test_fewer_links_tell_no_sole() -> None:
    skeleton, sole = _with_sensors(3)
    assert underside(skeleton, sole) is None


def test_a_foot_goes_aside_by_the_largest_push_all_through_a_contact() -> None:
    figure = posable.figure("mannequin")
    sole = next(one for one in soles(figure) if one.name == "leg_l")
    rest = np.repeat(figure.skeleton.rest_coordinates[None], 12, axis=0)
    clip = Clip(figure.skeleton, rest, 30.0)
    touches = np.zeros(12, bool)
    touches[:4] = touches[6:9] = True
    under = underside(figure, sole)
    assert isinstance(under, Underside)
    foot = Foot(sole, clip.poses.origins[:, figure.skeleton.index(sole.foot)], (), np.zeros(12))
    rolling = Rolling(foot, touches, under, guessed=False)
    pushes = np.zeros((12, 3))
    pushes[1], pushes[2], pushes[7] = (0.02, 0.5, 0.0), (0.05, 0.0, 0.0), (1e-4, 0.0, 0.0)
    aside = rolling.aside(pushes, "y")
    assert np.allclose(aside[:4], (0.05, 0.0, 0.0)) and not aside[4:].any()  # over the ground; not for a hair
    moved = rolling.off(clip, aside) - rolling.off(clip)
    assert np.allclose(moved[:4], (0.05, 0.0, 0.0), atol=1e-6) and np.allclose(moved[6:9], 0.0, atol=1e-6)


def test_a_contact_is_moved_so_that_a_foot_stays_where_bodies_are_clear() -> None:
    """It stands as still as before, and elsewhere: where the foot was in those frames."""
    figure = posable.figure("mannequin")
    sole = next(one for one in soles(figure) if one.name == "leg_l")
    q = np.repeat(figure.skeleton.rest_coordinates[None], 12, axis=0)
    q[:, 0] += 0.03 * np.arange(12.0)  # it slides to its left
    clip = Clip(figure.skeleton, q, 30.0)
    touches, clear = np.zeros(12, bool), np.zeros(12, bool)
    touches[:8], clear[1:3] = True, True
    under = underside(figure, sole)
    assert isinstance(under, Underside)
    foot = Foot(sole, clip.poses.origins[:, figure.skeleton.index(sole.foot)], (), np.zeros(12))
    rolling = Rolling(foot, touches, under, guessed=False)
    off, moved = rolling.off(clip), replace(rolling, clear=clear).off(clip)
    assert np.allclose(moved[1:3].mean(axis=0)[[0, 2]], 0.0, atol=1e-6)
    assert np.allclose(np.diff(moved[:8], axis=0), np.diff(off[:8], axis=0), atol=1e-6)
    assert np.linalg.norm((moved - off)[:8, 0], axis=0) > 0.1


@pytest.mark.parametrize(
    ("recording", "start", "end", "most"),
    [
        ("mocap_cmu/05_02", 150, 185, 0.03),  # 0.14 with the pairs alone that come near in the copied clip
        ("mocap_cmu/salsa_29", 110, 140, 0.008),  # 0.014 with the weight of before feet roll
        ("mocap/zombie", 140, 225, 0.15),  # 0.36 with feet that go all of their distance at once
    ],
)
def test_feet_do_not_roll_into_bodies(shared: Path, recording: str, start: int, end: int, most: float) -> None:
    """Legs of a third of the trunk: before their feet roll, nothing is deep in anything."""
    figure = posable.load(shared / "characters/Q_PlatformerHumanoid.glb")
    clip = posable.load(shared / f"{recording}.bvh").clips[0]
    clip = replace(clip, q=clip.q[1:]).resample(30.0)
    found = retargeting(replace(clip, q=clip.q[start:end], events=()), figure)
    own = Clip(bodies(figure), found.clip.q, found.clip.fps)
    assert self_penetration(own).max() < most * found.target.leg_length


@pytest.mark.slow
def test_long_feet_that_pivot_do_not_roll_into_one_another(shared: Path) -> None:
    """A sole as long as a leg went aside by a third of it, into the other foot."""
    figure = posable.load(shared / "characters/Knight.glb")
    clip = posable.load(shared / "mocap_cmu/salsa_29.bvh").clips[0]
    clip = replace(clip, q=clip.q[1:]).resample(30.0)
    found = retargeting(replace(clip, q=clip.q[:240], events=()), figure)
    own = Clip(bodies(figure), found.clip.q, found.clip.fps)
    assert self_penetration(own).max() < 0.05 * found.target.leg_length  # 0.47 without


def test_a_robots_foot_has_one_hull_of_all_its_shapes(shared: Path) -> None:
    """Points inside the hull are never the lowest: heights of the lowest point are those of all points."""
    robot = posable.load(shared / "robots/g1_29dof.xml", root="free")
    sole = next(one for one in soles(robot) if one.name == "leg_l")
    under = underside(robot, sole)
    assert under is not None
    own = [shape for shape in robot.shapes if shape.joint == sole.foot]
    every = [solid_of(s)[0] @ matrix_from_wxyz(np.array(s.wxyz)).T + s.position for s in own]
    assert len(own) > 1 and len(under.joints) < sum(map(len, every)) / 2
    pose = robot.skeleton.random_pose(np.random.default_rng(0), (20,))
    frames = pose.world_from_joint[:, robot.skeleton.index(sole.foot)]
    lowest = np.min([(p @ frames[:, 2, :3].T).min(axis=0) for p in every], axis=0) + frames[:, 2, 3]
    np.testing.assert_allclose(under.heights(pose).min(axis=1), lowest, atol=1e-9)


def test_the_block_under_a_drawn_foot_is_part_of_its_sole() -> None:
    """GR1's feet are meshes with a box below them, which was in the ground by its height."""
    figure = posable.figure("mannequin")
    skeleton = figure.skeleton
    foot = posable.roles(figure)["foot_l"]
    own = skeleton.index(foot)
    bare = next(one for one in soles(figure) if one.name == "leg_l")
    frame = figure.rest.world_from_joint[own]
    lower = bare.corner_places(figure.rest)[:, 1].min() - 0.05
    at = frame[:3, :3].T @ (np.array([frame[0, 3], lower + 0.02, frame[2, 3]]) - frame[:3, 3])
    wxyz = tuple(wxyz_from_matrix(frame[:3, :3].T).tolist())
    block = Shape(foot, "box", (0.08, 0.04, 0.2), tuple(at.tolist()), wxyz)
    shod = replace(figure, shapes=(block,))
    sole = next(one for one in soles(shod) if one.name == "leg_l")
    assert np.isclose(sole.corner_places(shod.rest)[:, 1].min(), lower, atol=1e-9)
    under = underside(shod, sole)
    assert isinstance(under, Underside)
    rest = posable.Pose(skeleton, skeleton.rest_coordinates[None])
    assert np.isclose(under.heights(rest).min(), lower, atol=1e-6)
