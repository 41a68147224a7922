"""Walks of figures whose legs are not set joint by joint: robots, and people of compound joints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Terrain, walk
from posable.motion import foot_metrics
from posable.motion.gait.anatomy import measure
from posable.motion.gait.stand_in import sets_legs


@pytest.fixture(scope="module")
def robot() -> posable.Figure:
    return posable.load(posable.sample("g1.urdf"), root="free")


def pelvis(figure: posable.Figure, clip: posable.Clip) -> np.ndarray:
    """`[frame, 3]` left, up and forward of where the figure's pelvis was at rest."""
    body = measure(figure)
    return (clip.poses.origins[:, body.pelvis] - body.origin) @ body.to_body.T


def test_people_and_animals_set_their_own_legs(robot: posable.Figure, shared: Path) -> None:
    assert sets_legs(measure(posable.figure("mannequin")))
    assert not sets_legs(measure(robot))
    assert not sets_legs(measure(posable.load(shared / "robots/dmc_humanoid.xml", root="free")))
    assert sets_legs(measure(posable.load(shared / "robots/solo12.urdf", root="free")))  # four legs, each solved for


def test_a_robot_walks_within_its_limits_on_feet_that_stand(robot: posable.Figure) -> None:
    clip = walk(robot, "human", 4)
    assert clip.skeleton == robot.skeleton
    assert np.abs(clip.q - clip.poses.clamped().q).max() < 1e-9
    found = foot_metrics(clip, figure=robot)
    assert found.contacts >= 4
    assert found.skate < 0.005 and found.drift < 0.005
    gone = pelvis(robot, clip)
    assert gone[-1, 2] - gone[0, 2] > 1.5 and np.abs(gone[:, 0]).max() < 0.1


def test_its_soles_are_on_the_ground(robot: posable.Figure) -> None:
    """And not as far over it as the mannequin's skin is below the soles that its bare skeleton has (24 mm)."""
    poses = walk(robot, steps=2).poses
    lowest = [sole.corner_places(poses)[..., 2].min() for sole in posable.motion.soles(robot)]
    assert np.abs(lowest).max() < 3e-3


def test_a_robot_without_feet_is_refused_as_one_that_walks(robot: posable.Figure) -> None:
    """The message was that of retargeting."""
    found = posable.roles(robot)
    without = replace(found, joints={role: joint for role, joint in found.joints.items() if "foot" not in role})
    with pytest.raises(
        posable.SkeletonError, match=r"a walk on two legs .* needs a joint for foot_l, foot_r; correct the"
    ):
        walk(robot, roles=without)


def test_its_steps_are_those_of_its_own_size(robot: posable.Figure) -> None:
    """A leg that is a quarter shorter steps as much less far, and by the root of that more often."""
    person = posable.figure("mannequin")
    own, other = walk(robot, steps=6), walk(person, steps=6)
    ratio = measure(robot).length / measure(person).length
    assert len(own) / len(other) == pytest.approx(np.sqrt(ratio), abs=0.05)
    ways = [np.ptp(pelvis(figure, clip)[:, 2]) for figure, clip in ((robot, own), (person, other))]
    assert ways[0] / ways[1] == pytest.approx(ratio, abs=0.06)


@pytest.mark.parametrize("path", [[(0, 0), (2, 0)], [(0.5, 0.2), (1.5, 1.0), (2.0, 2.0)]])
def test_it_follows_a_path_in_its_own_world(robot: posable.Figure, path: list[tuple[float, float]]) -> None:
    clip = walk(robot, path=path)
    ends = clip.poses.origins[[0, -1], measure(robot).pelvis][:, :2]
    assert np.linalg.norm(ends - np.array(path)[[0, -1]], axis=1).max() < 0.08


@pytest.mark.slow
def test_it_climbs_stairs(robot: posable.Figure) -> None:
    stairs = Terrain.stairs(rise=0.1, run=0.25, count=4, up="z")
    clip = walk(robot, terrain=stairs, path=[(-0.5, 0), (2, 0)])
    height = clip.poses.origins[:, measure(robot).pelvis, 2]
    assert height[-1] - height[0] == pytest.approx(0.4, abs=0.05)
    soles = [sole.corner_places(clip.poses) for sole in posable.motion.soles(robot)]
    under = np.concatenate(soles, axis=1).reshape(-1, 3)
    assert (under[:, 2] - stairs.height(under)).min() > -0.003
    assert np.abs(clip.q - clip.poses.clamped().q).max() < 1e-9
