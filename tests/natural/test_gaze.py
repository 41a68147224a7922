"""How far aside a person looks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.natural.gaze import FURTHEST, gazes_in_range

BEHIND = ((0.0, 1.6, -3.0), (1.0, 1.6, -3.0), (-2.0, 1.2, -1.0), (-0.01, 1.8, -2.0))


def _figure(name: str) -> posable.Figure:
    return posable.figure(name) if name == "mannequin" else posable.load(posable.sample(name))


@pytest.mark.parametrize("name", ["mannequin", "knight.glb"])
@pytest.mark.parametrize("point", BEHIND)
def test_a_gaze_behind_turns_the_trunk_about_itself_and_stops(name: str, point: tuple[float, ...]) -> None:
    """Looking straight behind, the knight's trunk bent back by 67° and the mannequin's by 77."""
    figure = _figure(name)
    (gaze,) = gazes_in_range([posable.LookAt("head", point)], figure.rest)
    solution = posable.solve(figure.rest, [gaze, posable.Natural()], frozen=["root"])
    assert solution.status == posable.Status.REACHED
    rotations = solution.pose.world_from_joint[:, :3, :3] @ np.swapaxes(figure.rest.world_from_joint[:, :3, :3], -1, -2)
    chest, head = (rotations[figure.skeleton.index(part)] for part in ("chest", "head"))
    assert math.degrees(math.acos(chest[1, 1])) < 20  # it stays upright
    ahead = head @ (0.0, 0.0, 1.0)
    assert math.acos(ahead[2]) == pytest.approx(FURTHEST, abs=1e-3)
    assert ahead[0] * point[0] >= 0  # over the nearer shoulder
    trunk = math.degrees(math.atan2(chest[0, 2], chest[2, 2]))
    assert 25 < abs(trunk) < 50


@pytest.mark.parametrize("point", [(2.0, 1.6, 0.2), (0.0, 5.0, -0.5), (0.3, 1.0, 1.0)])
def test_gazes_within_the_range_stay_as_they_are(point: tuple[float, ...]) -> None:
    figure = posable.figure("mannequin")
    goals = [posable.LookAt("head", point), posable.Reach("hand_r", (0.0, 1.0, 0.3))]
    assert all(one is other for one, other in zip(gazes_in_range(goals, figure.rest), goals, strict=True))


def test_other_joints_own_limits_and_robots_stay_as_they_are() -> None:
    person, robot = posable.figure("mannequin"), posable.load(posable.sample("g1.urdf"))
    goals = [
        posable.LookAt("hand_r", BEHIND[0]),
        posable.LookAt("head", BEHIND[0], limit=1.0),
        posable.LookAt("head", np.array(BEHIND[:2])),
    ]
    assert all(one is other for one, other in zip(gazes_in_range(goals, person.rest), goals, strict=True))
    gaze = posable.LookAt("torso_link", (-3.0, 0.0, 1.0))
    assert gazes_in_range([gaze], robot.rest) == [gaze]
    arm = posable.figure("arm7")
    assert gazes_in_range([gaze], arm.rest) == [gaze]


def test_what_is_behind_goes_with_the_hips(tmp_path: Path) -> None:
    """Of a person who has turned round, and of one who lies, whose gaze is left alone."""
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "one.glb", figure)
    free = figure.with_root("free")
    around = free.rest.with_joint("root", (*free.rest.of("root")[:3], 0.0, 0.0, 1.0, 0.0))
    behind = posable.LookAt("head", BEHIND[0])
    assert gazes_in_range([behind], around) == [behind]
    lying = free.rest.with_joint("root", (*free.rest.of("root")[:3], math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))
    assert gazes_in_range([behind], lying) == [behind]
    assert gazes_in_range([behind], free.rest) != [behind]
