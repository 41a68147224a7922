"""Robots that are to keep their balance: the hull of the feet on the ground, and the centre of mass over it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure, GoalError
from posable.motion import retargeting
from posable.motion.transfer.over_the_feet import convex_hull, out_of_hulls
from tests.motion.retargeting.test_apart import check_jacobian


def _leg(side: str, y: float) -> str:
    """Hip with three hinges, knee, ankle with two, a foot that is a plate."""
    hinges = (
        ("hip_yaw", "pelvis", (0, y, 0), (0, 0, 1), 1.0), ("hip_roll", "hip_yaw", (0, 0, 0), (1, 0, 0), 1.0),
        ("hip_pitch", "hip_roll", (0, 0, 0), (0, 1, 0), 4.0), ("knee", "hip_pitch", (0, 0, -0.4), (0, 1, 0), 2.0),
        ("ankle_pitch", "knee", (0, 0, -0.4), (0, 1, 0), 0.2), ("ankle_roll", "ankle_pitch", (0, 0, 0), (1, 0, 0), 0.5),
    )  # fmt: skip
    text = ""
    for name, parent, place, axis, mass in hinges:
        above = parent if parent == "pelvis" else f"{side}_{parent}_link"
        low, high = (-0.05, 2.4) if name == "knee" else (-1.5, 1.5)
        plate = (
            '<visual><origin xyz="0.04 0 -0.05"/><geometry><box size="0.24 0.1 0.02"/></geometry></visual>'
            if name == "ankle_roll"
            else ""
        )
        text += (
            f'<link name="{side}_{name}_link"><inertial><mass value="{mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
            f'ixz="0" iyz="0"/></inertial>{plate}</link><joint name="{side}_{name}_joint" type="revolute">'
            f'<parent link="{above}"/><child link="{side}_{name}_link"/><origin xyz="{" ".join(map(str, place))}"/>'
            f'<axis xyz="{" ".join(map(str, axis))}"/><limit lower="{low}" upper="{high}" effort="1" velocity="1"/>'
            "</joint>"
        )
    return text


@cache
def _robot(folder: Path) -> Figure:
    body = '<link name="pelvis"><inertial><origin xyz="0 0 0.2"/><mass value="20"/><inertia ixx="1" iyy="1" izz="1" '
    body += 'ixy="0" ixz="0" iyz="0"/></inertial></link>'
    legs = _leg("left", 0.1) + _leg("right", -0.1)
    (folder / "robot.urdf").write_text(f'<robot name="small">{body}{legs}</robot>', encoding="utf-8")
    return posable.load(folder / "robot.urdf").with_root("free")


def _slow_walk() -> Clip:
    """Three steps of the mannequin, each in some two seconds, at 15 frames a second."""
    clip = posable.walk(posable.figure("mannequin"), "human", steps=3, fps=60.0)
    return replace(clip, fps=15.0).resample(15.0)


def test_hulls_and_what_is_out_of_them() -> None:
    rng = np.random.default_rng(0)
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    hull = convex_hull(np.concatenate([square, rng.uniform(0.0, 1.0, (30, 2)), [[0.5, 0.0]]]))
    np.testing.assert_array_equal(hull, square)
    points = np.array([[0.5, 0.9], [1.5, 0.5], [1.3, 1.4], [0.2, 0.5]])
    far, ways = out_of_hulls(points, np.repeat(hull[None], 4, axis=0))
    np.testing.assert_allclose(far, [-0.1, 0.5, 0.5, -0.2], atol=1e-12)
    np.testing.assert_allclose(ways, [[0, 1], [1, 0], [0.6, 0.8], [-1, 0]], atol=1e-12)
    line = convex_hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]]))
    np.testing.assert_array_equal(line, [[0, 0], [2, 0]])
    far, ways = out_of_hulls(np.array([[1.0, -0.5]]), line[None])
    assert (far, ways.tolist()) == (0.5, [[0.0, -1.0]])
    spot = convex_hull(np.array([[1.0, 1.0], [1.0, 1.0]]))
    assert out_of_hulls(np.array([[1.0, 3.0]]), spot[None])[0] == 2.0


def test_a_robot_keeps_its_balance_where_it_is_wished(tmp_path: Path) -> None:
    robot, walk = _robot(tmp_path), _slow_walk()
    fallen, kept = retargeting(walk, robot), retargeting(walk, robot, balance=1.0)
    assert fallen.balanced < 0.95
    assert kept.balanced > 0.97
    np.testing.assert_array_equal(kept.clip.poses.clamped().q, kept.clip.q)
    for foot in kept.feet:  # the feet stand where they stood
        for stand in foot.stands:
            if stand.ball:
                places = foot.sole.ball_places(kept.clip.poses)[slice(*stand.ball)]
                assert np.linalg.norm(places - stand.ball_position, axis=1).max() < 0.005


def test_its_slopes_are_the_derivative_of_what_is_over(tmp_path: Path) -> None:
    found = retargeting(_slow_walk(), _robot(tmp_path), balance=0.5)
    assert found.support is not None
    rng = np.random.default_rng(2)
    poses = found.copy.poses
    check_jacobian(found.support, poses.plus(0.05 * rng.normal(size=(len(poses), poses.skeleton.dof))))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("robots/g1_29dof.xml", 0.9), ("robots/h1.urdf", 0.5)])
def test_real_robots_keep_it_better(shared: Path, name: str, least: float) -> None:
    robot = posable.load(shared / name)
    robot = robot if robot.skeleton.definitions[0].kind == "free" else robot.with_root("free")
    walk = _slow_walk()
    fallen, kept = retargeting(walk, robot), retargeting(walk, robot, balance=1.0)
    assert kept.balanced > max(least, fallen.balanced + 0.1)


@pytest.mark.slow
def test_balance_that_cannot_be_is_refused(shared: Path) -> None:
    walk, man = _slow_walk(), posable.load(shared / "characters/CesiumMan.glb")
    with pytest.raises(GoalError, match="no joint of this figure has a mass"):
        posable.retarget(walk, to=man, balance=1.0)
    with pytest.raises(GoalError, match="balance is a number of at least 0, not -1"):
        posable.retarget(walk, to=man, balance=-1)
    assert np.isnan(retargeting(walk, man).balanced)
