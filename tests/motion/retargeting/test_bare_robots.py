"""Robots whose meshes are missing: their bodies, their soles, and that they keep out of themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.figures import Figure, Shape
from posable.figures.close_capsules import close_capsules
from posable.goals.capsules import gaps
from posable.motion.transfer.collision_pairs import bodies, pairs_of
from posable.motion.transfer.human_capsules import completed
from posable.skeleton import Axis, Joint, Skeleton
from posable.spatial import Array


@pytest.fixture(scope="module")
def g1(shared: Path) -> Figure:
    return posable.load(shared / "robots/g1_29dof_rev_1_0.urdf", root="free")


def test_every_large_body_of_a_g1_without_meshes_has_a_capsule(g1: Figure) -> None:
    capsuled = bodies(g1)
    assert not g1.skins
    for name in ("pelvis", "waist_pitch_joint", "left_hip_yaw_joint", "right_knee_joint", "left_elbow_joint"):
        assert capsuled.definitions[capsuled.index(name)].capsules, name
    joints = {tuple(sorted(pair)) for pair in pairs_of(capsuled)[0].tolist()}
    for one, other in (("waist_pitch_joint", "left_wrist_pitch_joint"), ("left_knee_joint", "right_knee_joint")):
        assert tuple(sorted((capsuled.index(one), capsuled.index(other)))) in joints


@pytest.mark.slow
def test_a_g1_without_meshes_keeps_its_arms_out_of_its_trunk(g1: Figure, shared: Path) -> None:
    clip = posable.load(shared / "mocap_cmu/martial_06.bvh").clips[0].resample(30.0)
    middle = len(clip) // 2
    clip = replace(clip, q=clip.q[middle - 60 : middle + 60], events=())
    deep = [_into_the_trunk(posable.retarget(clip, one)) for one in (replace(g1, solids=()), g1)]
    assert deep[1] < 0.2 * deep[0]


def _into_the_trunk(clip: posable.Clip) -> float:
    """The mean over frames of how deep a wrist is in the trunk: a box of the G1's measures, rounded by 5 cm."""
    world, index = clip.poses.world_from_joint, clip.skeleton.index
    trunk = world[:, index("waist_pitch_joint")]
    depth = np.zeros(len(clip))
    for side in ("left", "right"):
        wrist = world[:, index(f"{side}_wrist_pitch_joint"), :3, 3]
        local = np.einsum("fji,fj->fi", trunk[:, :3, :3], wrist - trunk[:, :3, 3])
        off = np.abs(local - (0.0, 0.0, 0.17)) - (0.03, 0.06, 0.11)
        depth = np.maximum(depth, 0.05 + 0.03 - np.linalg.norm(np.maximum(off, 0.0), axis=1))
    return float(np.maximum(depth, 0.0).mean())


def _hinge(name: str, parent: str, position: tuple[float, float, float]) -> Joint:
    return Joint(name, parent=parent, position=position, axes=(Axis((0.0, 1.0, 0.0), lower=-2.0, upper=2.0),))


def robot(*more: Joint) -> Figure:
    """A robot of hinges of which the file states nothing but joints."""
    joints = [Joint("pelvis", "free"), _hinge("waist", "pelvis", (0.0, 0.0, 0.1)), _hinge("head", "waist", (0, 0, 0.5))]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        joints += [
            _hinge(f"{side}_hip", "pelvis", (0.0, 0.1 * sign, 0.0)),
            _hinge(f"{side}_knee", f"{side}_hip", (0.0, 0.0, -0.4)),
            _hinge(f"{side}_ankle", f"{side}_knee", (0.0, 0.0, -0.4)),
            _hinge(f"{side}_shoulder", "waist", (0.0, 0.2 * sign, 0.4)),
            _hinge(f"{side}_elbow", f"{side}_shoulder", (0.0, 0.0, -0.3)),
            _hinge(f"{side}_wrist", f"{side}_elbow", (0.0, 0.0, -0.25)),
        ]
    return Figure(Skeleton([*joints, *more], up="z"))


def test_a_robot_of_which_nothing_is_stated_gets_human_proportions() -> None:
    figure = robot()
    found = bodies(figure)
    forearm = np.array(found.definitions[found.index("left_elbow")].capsules[0])
    np.testing.assert_allclose(forearm, (0, 0, 0, 0, 0, -0.25, 0.12 * 0.25), atol=1e-12)
    chest = np.array(found.definitions[found.index("waist")].capsules)
    assert chest.shape == (2, 7)
    assert gaps(chest[:1], chest[1:]) < 0
    assert found.definitions[found.index("head")].capsules
    assert not found.definitions[found.index("left_wrist")].capsules


def test_what_a_file_states_is_kept() -> None:
    figure, stated = robot(), (0.0, 0.0, 0.0, 0.0, 0.0, -0.4, 0.03)
    own = close_capsules(figure)
    own[figure.skeleton.index("left_hip")] = (stated,)
    found = completed(figure.skeleton, posable.roles(figure), own)
    assert found[figure.skeleton.index("left_hip")] == (stated,)
    assert found[figure.skeleton.index("right_hip")] != ()


def test_a_foot_of_which_nothing_is_stated_has_human_proportions() -> None:
    sole = posable.motion.soles(robot())[0]
    np.testing.assert_allclose(sole.corners[:, 2], -0.16 * 0.4)
    assert np.ptp(sole.corners[:, 0]) == pytest.approx(0.63 * 0.4)


def test_a_frame_called_sole_says_where_the_ground_is() -> None:
    frames = [Joint(f"{s}_sole", "fixed", f"{s}_ankle", (0.02, 0.0, -0.11)) for s in ("left", "right")]
    np.testing.assert_allclose(_depths(robot(*frames)), -0.11)


@pytest.mark.parametrize(("deep", "expected"), [(0.1, -0.5 * (0.064 + 0.1)), (0.3, -0.064)])
def test_solids_and_human_proportion_meet_halfway_if_they_are_plausible(deep: float, expected: float) -> None:
    solids = [Shape(f"{s}_ankle", "box", (0.24, 0.1, 2 * deep)) for s in ("left", "right")]
    np.testing.assert_allclose(_depths(replace(robot(), solids=tuple(solids))), expected)


def test_a_robot_whose_file_lets_it_begin_in_the_air_comes_down_to_the_ground() -> None:
    """0.05 m over the ground of its simulator; a figure of balls may stand on what is there."""
    figure = robot()
    low = posable.motion.retargeting(_steps(), figure).target.floor
    raised = replace(figure.skeleton.definitions[0], rest=(0.0, 0.0, 0.05 - low, 1.0, 0.0, 0.0, 0.0))
    figure = Figure(Skeleton([raised, *figure.skeleton.definitions[1:]], up="z"))
    found = posable.motion.retargeting(_steps(), figure)
    assert found.target.floor == pytest.approx(0.05)
    assert found.floor == 0.0


def _steps() -> posable.Clip:
    clip = posable.load(posable.sample("walk.bvh")).clips[0].resample(30.0)
    return replace(clip, q=clip.q[:20], events=())


def _depths(figure: Figure) -> Array:
    """`[corner]` the heights of the corners of both soles in the frames of their feet."""
    return np.concatenate([sole.corners[:, 2] for sole in posable.motion.soles(figure)])
