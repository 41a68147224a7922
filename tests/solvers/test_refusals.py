"""Numbers that cannot be meant are refused by one error that names the goal, whichever way they come in."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from solvers.chains import panda, rest
from solvers.people import mannequin, standing

from posable import (
    Balance,
    Comfort,
    GoalError,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    PoseError,
    Reach,
    Stay,
    Torsion,
    UnknownJointError,
    prepare,
    solve,
)

GOALS = {
    "Reach('hand_r')": Reach("hand_r", (0, 1, 0.3)),
    "Orient('hand_r')": Orient("hand_r", (1, 0, 0, 0)),
    "Place('hand_r')": Place("hand_r", np.eye(4)),
    "LookAt('head')": LookAt("head", (0, 1, 2)),
    "Pole('hand_r')": Pole("hand_r", (0, 1, 2)),
    "Balance": Balance((0, 1, 0)),
}
BAD = {"nan": math.nan, "inf": math.inf, "minus inf": -math.inf, "huge": 1e16}


def spoiled(name: str, value: float, frames: tuple[int, ...] = ()) -> np.ndarray:
    """The goal's own target, repeated, with one wrong number in the last of them."""
    target = np.array(np.broadcast_to(GOALS[name].given, (*frames, *GOALS[name].SHAPE)))
    target[(-1,) * len(frames) + (0,) * len(GOALS[name].SHAPE)] = value
    return target


@pytest.mark.parametrize("name", GOALS)
@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_numbers_that_are_none_are_refused_where_a_goal_is_made(name: str, value: float) -> None:
    goal = GOALS[name]
    others = {} if name == "Balance" else {"joint": goal.joint}
    with pytest.raises(GoalError, match=re.escape(name)):
        type(goal)(**others, **{goal.TARGET: spoiled(name, value)})


@pytest.mark.parametrize("name", GOALS)
@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_numbers_that_are_none_are_refused_where_targets_are_given(name: str, value: float) -> None:
    prepared = prepare(mannequin(), [Reach("hand_l", (0.3, 1, 0.3)), GOALS[name]])
    start = standing()
    calls: list[Callable[[], object]] = [
        lambda: prepared.solve(start, [None, spoiled(name, value)]),
        lambda: prepared.solve(start, [None, spoiled(name, value, (40,))]),
        lambda: prepared.track(start, [None, spoiled(name, value, (5,))]),
        lambda: prepared.track(start, [None, spoiled(name, value, (3, 5))]),
    ]
    for call in calls:
        with pytest.raises(GoalError, match=re.escape(name)):
            call()


@pytest.mark.parametrize("name", GOALS)
def test_wrong_shapes_are_refused_where_targets_are_given(name: str) -> None:
    goal = GOALS[name]
    prepared = prepare(mannequin(), [Reach("hand_l", (0.3, 1, 0.3)), goal])
    wrong = np.zeros((*goal.SHAPE[:-1], goal.SHAPE[-1] + 1))
    for call in (prepared.solve, prepared.track):
        for target in (wrong, np.zeros(()), "there", [[0.0], [0.0, 1.0]]):
            with pytest.raises(GoalError, match=re.escape(name)):
                call(standing(), [None, target])
        with pytest.raises(GoalError, match="1 targets for 2 goals; give one each, None to keep it"):
            call(standing(), [None])
    with pytest.raises(GoalError, match=re.escape(type(goal).__name__)):
        prepared.solve(standing(), [np.zeros((3, 3)), np.broadcast_to(goal.given, (4, *goal.SHAPE))])


def test_alone_a_goal_is_named_as_well() -> None:
    for name in ("Reach('hand_r')", "Orient('hand_r')", "Place('hand_r')", "LookAt('head')"):
        prepared = prepare(mannequin(), [GOALS[name]])
        for value in BAD.values():
            with pytest.raises(GoalError, match=re.escape(name)):
                prepared.solve(standing(), [spoiled(name, value)])
            with pytest.raises(GoalError, match=re.escape(name)):
                prepared.track(standing(), [spoiled(name, value, (4,))])


def test_what_is_no_rotation_is_refused() -> None:
    prepared = prepare(mannequin(), [GOALS["Place('hand_r')"]])
    for matrix in (np.diag([2.0, 1, 1, 1]), np.diag([-1.0, 1, 1, 1]), np.zeros((4, 4))):
        with pytest.raises(GoalError, match=r"Place\('hand_r'\): world_from_joint is not a rotation"):
            prepared.solve(standing(), [matrix])
    with pytest.raises(GoalError, match=r"Orient\('hand_r'\): wxyz is not a rotation"):
        prepare(mannequin(), [GOALS["Orient('hand_r')"]]).solve(standing(), [np.zeros(4)])


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, -math.inf, "heavy", None])
def test_weights_that_are_none_are_refused(weight: object) -> None:
    makers: dict[str, Callable[[], object]] = {
        "Reach('hand_r')": lambda: Reach("hand_r", (0, 0, 0), weight=weight),  # pyright: ignore
        "Orient('hand_r')": lambda: Orient("hand_r", (1, 0, 0, 0), weight=weight),  # pyright: ignore
        "Place('hand_r'): position_weight": lambda: Place("hand_r", np.eye(4), position_weight=weight),  # pyright: ignore
        "Place('hand_r'): rotation_weight": lambda: Place("hand_r", np.eye(4), rotation_weight=weight),  # pyright: ignore
        "LookAt('head')": lambda: LookAt("head", (0, 0, 0), weight=weight),  # pyright: ignore
        "Pole('hand_r')": lambda: Pole("hand_r", (0, 0, 0), weight=weight),  # pyright: ignore
        "Balance": lambda: Balance((0, 0, 0), weight=weight),  # pyright: ignore
        "Stay": lambda: Stay(standing(), weight=weight),  # pyright: ignore
        "Comfort": lambda: Comfort(weight=weight),  # pyright: ignore
        "Torsion": lambda: Torsion(weight=weight),  # pyright: ignore
    }
    for name, make in makers.items():
        with pytest.raises(GoalError, match=re.escape(name)):
            make()


def test_priorities_shares_and_regions_that_are_none_are_refused() -> None:
    for priority in (-1, 8, 0.5, math.nan, "first"):
        with pytest.raises(GoalError, match=r"Reach\('hand_r'\): priority must be a whole number"):
            Reach("hand_r", (0, 0, 0), priority=priority)  # pyright: ignore
    for share in ({"neck": 0.7, "chest": 0.7}, {"neck": -0.1}, {"neck": math.nan}, {"neck": "half"}):
        with pytest.raises(GoalError, match=r"LookAt\('head'\): shares are numbers above 0"):
            LookAt("head", (0, 0, 1), share=share)  # pyright: ignore
    with pytest.raises(GoalError, match=r"Reach\('hand_r'\): within must be one of Segment, Box, Cone"):
        Reach("hand_r", (0, 0, 0), within="near")  # pyright: ignore
    with pytest.raises(GoalError, match=r"Orient\('hand_r'\): within must be one of Cone"):
        Orient("hand_r", (1, 0, 0, 0), within=3.0)  # pyright: ignore


def test_unknown_joints_are_refused_wherever_they_stand() -> None:
    goals = [
        Reach("hnd_r", (0, 0, 0)),
        Reach("hand_r", (0, 0, 0), relative_to="hnd_l"),
        LookAt("head", (0, 0, 1), share={"nek": 0.5}),
        Pole("hand_r", (0, 0, 0), middle="forarm_r"),
        Comfort({"forarm_r": 0.3}),
    ]
    for goal in goals:
        with pytest.raises(UnknownJointError, match="did you mean"):
            solve(standing(), [goal])
    with pytest.raises(GoalError, match=r"Pole\('root'\): no limb of three joints ends here"):
        solve(standing(), [Pole("root", (0, 0, 0))])


def test_a_start_that_is_none_is_refused() -> None:
    with pytest.raises(PoseError, match="not a finite number"):
        solve(Pose(mannequin(), np.full(mannequin().coordinates, math.nan)), [GOALS["Reach('hand_r')"]])
    with pytest.raises(GoalError, match="Stay: its pose belongs to another skeleton"):
        solve(standing(), [Stay(rest(panda()))])
    with pytest.raises(GoalError, match="the start pose belongs to another skeleton"):
        prepare(mannequin(), [GOALS["Reach('hand_r')"]]).solve(rest(panda()))


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan, "fast", [1.0, 2.0]])
def test_speeds_that_are_none_are_refused(limit: object) -> None:
    prepared = prepare(mannequin(), [GOALS["Reach('hand_r')"]])
    for what in ("speed", "acceleration"):
        with pytest.raises(GoalError, match=f"{what} must be"):
            prepared.track(standing(), [np.zeros((3, 3))], **{what: limit})  # pyright: ignore
    with pytest.raises(GoalError, match="fps must be a number above 0"):
        prepared.track(standing(), [np.zeros((3, 3))], fps=0)
