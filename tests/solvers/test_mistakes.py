"""Mistakes of a first day are told in words, whichever call they are made in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from solvers.chains import ball_chain, rest

from posable import (
    Comfort,
    Custom,
    Figure,
    GoalError,
    Joint,
    KeepApart,
    LookAt,
    Mesh,
    Natural,
    Orient,
    Place,
    Pole,
    PosableError,
    Pose,
    PoseError,
    Reach,
    Skeleton,
    SkeletonError,
    SkinError,
    Status,
    figure,
    forward_kinematics,
    prepare,
    solve,
    track,
    walk,
)
from posable.solvers import DampedLeastSquares

CHAIN = ball_chain(1.0, 0.8)
TARGET = (0.5, 1.0, 0.2)
ANY: Any = 3


@pytest.mark.parametrize(
    "make",
    [
        lambda: Reach(ANY, TARGET),
        lambda: Orient(ANY, (1, 0, 0, 0)),
        lambda: Place(ANY, np.eye(4)),
        lambda: Pole(ANY, TARGET),
        lambda: Pole("tip", TARGET, middle=ANY),
        lambda: LookAt(ANY, TARGET),
        lambda: LookAt("tip", TARGET, share={ANY: 0.2}),
        lambda: KeepApart(joints=[ANY]),
    ],
)
def test_a_joint_is_a_name(make: Callable[[], object]) -> None:
    with pytest.raises(GoalError, match=r"^\w+: a joint is a name, as in skeleton.joints, not 3$"):
        make()


def test_a_skeleton_finds_joints_by_name() -> None:
    with pytest.raises(SkeletonError, match=r"a joint is named, as in 'b0', not 3; skeleton.joints lists the names"):
        CHAIN.index(ANY)
    for frozen in ([3], [None]):
        with pytest.raises(SkeletonError, match=r"joints and axes are named, as in 'root' or 'spine.x', not (3|None)"):
            solve(rest(CHAIN), [Reach("tip", TARGET)], frozen=frozen)
    with pytest.raises(SkeletonError, match="joints and axes are named"):
        solve(rest(CHAIN), [Reach("tip", TARGET), Comfort({ANY: 0.5})])


@pytest.mark.parametrize("frozen", [3, None, [["b0"]]])
def test_what_is_frozen_is_a_list_of_names(frozen: Any) -> None:
    with pytest.raises(GoalError, match=r'frozen takes a list of names, \["root", "spine.x"\], not'):
        solve(rest(CHAIN), [Reach("tip", TARGET)], frozen=frozen)


@pytest.mark.parametrize("targets", [{"tip": TARGET}, 3, "tip", {0: TARGET}, np.array(1.0), (x for x in [TARGET])])
def test_targets_are_a_list_of_one_per_goal(targets: Any) -> None:
    prepared = prepare(CHAIN, [Reach("tip", TARGET)])
    for call in (prepared.solve, prepared.track):
        with pytest.raises(GoalError, match="targets are a list of one per goal, in their order, not"):
            call(rest(CHAIN), targets)


def test_an_array_of_targets_is_a_list_of_them() -> None:
    prepared = prepare(CHAIN, [Reach("tip", TARGET)])
    one, other = prepared.solve(rest(CHAIN), np.array([TARGET])), prepared.solve(rest(CHAIN), [TARGET])
    np.testing.assert_array_equal(one.pose.q, other.pose.q)


@pytest.mark.parametrize(
    "target", [(1j, 0, 0), np.array([1j, 0, 0]), [np.complex128(1j), 0, 0], ("1", "2", "3"), (10**400, 0, 0)]
)
def test_targets_are_real_numbers(target: Any) -> None:
    with pytest.raises(GoalError, match=r"Reach\('tip'\): target must be numbers, not"):
        Reach("tip", target)
    with pytest.raises(GoalError, match=r"Reach\('tip'\): target must be numbers, not"):
        prepare(CHAIN, [Reach("tip", TARGET)]).solve(rest(CHAIN), [target])


@pytest.mark.parametrize("method", [None, DampedLeastSquares()])
def test_a_custom_function_gives_equally_many_numbers_each_time(method: Any) -> None:
    def growing(pose: Pose) -> list[float]:
        return [1.0] * (1 + (abs(pose.q[0] - 1) > 1e-7 or abs(pose.q[1]) > 1e-9))

    with pytest.raises(GoalError, match=r"Custom\(growing\) gave 1 numbers for one pose and 2 for another"):
        solve(rest(CHAIN), [Custom(growing)], method=method)


@pytest.mark.parametrize("shape", [(3, CHAIN.dof), (2, 3)])
def test_a_custom_jacobian_has_a_row_for_each_number_and_a_column_for_each_freedom(shape: tuple[int, int]) -> None:
    goal = Custom(lambda pose: pose.q[:2], lambda _: np.ones(shape))
    with pytest.raises(GoalError, match=rf"its jacobian must have the shape \(2, {CHAIN.dof}\), not \({shape[0]}, "):
        solve(rest(CHAIN), [goal])


@pytest.mark.parametrize("index", [(3,), (0,), 3, ("a",), (slice(2),)])
def test_a_single_solve_has_no_index(index: Any) -> None:
    solution = solve(rest(CHAIN), [Reach("tip", TARGET)])
    with pytest.raises(PoseError, match="is the index of no solution in a single solve, which takes no index"):
        solution.describe(index)


def test_an_index_is_one_of_the_batch() -> None:
    solution = solve(rest(CHAIN), [Reach("tip", [TARGET, (0, 5, 0)])])
    assert solution.describe((0,)) == solution.describe((-2,)) == solution.describe()
    assert "out of reach" in solution.describe((np.int64(1),))
    for index in ((2,), (-3,), (0, 0), 1):
        with pytest.raises(PoseError, match=r"is the index of no solution in a batch of shape \(2,\)"):
            solution.describe(index)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("size", [1e-300, 1e-60, 1e60])
def test_bones_that_cannot_be_computed_with_are_named(size: float) -> None:
    skeleton = Skeleton([Joint("a", "ball"), Joint("b", "ball", "a", (size, 0, 0)), Joint("tip", "fixed", "b")])
    message = f"joint 'b' is {size:g} from its parent, too short or too long to compute with: choose another unit"
    with pytest.raises(SkeletonError, match=message.replace("+", r"\+")):
        solve(rest(skeleton), [Reach("tip", (0, 0, 0))])


def test_a_short_bone_beside_a_long_one_is_none() -> None:
    joints = [Joint("a", "ball"), Joint("b", "ball", "a", (1e-300, 0, 0)), Joint("tip", "fixed", "b", (1, 0, 0))]
    assert solve(rest(Skeleton(joints)), [Reach("tip", (0, 1, 0))]).status is Status.REACHED


def test_who_takes_a_share_in_a_look_is_above_it_or_an_eye() -> None:
    person = figure("mannequin")
    goal = LookAt("head", (0, 1, 3), share={"hand_r": 0.3})
    with pytest.raises(GoalError, match=r"LookAt\('head'\): share names 'hand_r', which is neither above it nor an"):
        solve(person.rest, [goal])


def test_a_trajectory_has_a_frame() -> None:
    with pytest.raises(GoalError, match="a trajectory has at least one frame, and the axis of time of these targets"):
        track(rest(CHAIN), [Reach("tip", np.zeros((0, 3)))])


def test_what_is_switched_off_is_not_called_met() -> None:
    on, off = Reach("tip", TARGET), Reach("b1", (9.0, 9.0, 9.0), weight=0.0)
    assert solve(rest(CHAIN), [on]).describe() == "reached: every goal is met"
    both = solve(rest(CHAIN), [on, off]).describe()
    assert both == "reached: every other goal is met; b1 is switched off (weight 0)"
    assert solve(rest(CHAIN), [off]).describe() == "reached: no goal asks for anything; b1 is switched off (weight 0)"
    far = solve(rest(CHAIN), [Reach("tip", (0, 2.8, 0)), off]).describe()
    assert far == (
        "out of reach, whatever the limits: tip is 1 off, and this is as near as was found; "
        "b1 is switched off (weight 0)"
    )
    frame = np.eye(4)
    frame[:3, 3], frame[:3, :3] = (0, 2.8, 0), np.diag((-1.0, 1.0, -1.0))
    turned = solve(rest(CHAIN), [Place("tip", frame, rotation_weight=0)]).describe()
    assert "tip is 1 off" in turned and "°" not in turned


PREPARED = prepare(CHAIN, [Reach("tip", TARGET)])
MASKED = np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False])


@pytest.mark.parametrize(
    ("wrong", "error", "what"),
    [
        (lambda: Reach("tip", MASKED), GoalError, r"Reach\('tip'\): target"),
        (
            lambda: prepare(CHAIN, [Reach("tip", TARGET)]).solve(rest(CHAIN), [MASKED]),
            GoalError,
            r"Reach\('tip'\): target",
        ),
        (lambda: solve(rest(CHAIN), [LookAt("tip", TARGET, MASKED)]), GoalError, r"LookAt\('tip'\): forward"),
        (lambda: PREPARED.solve(rest(CHAIN), weights=[MASKED]), GoalError, r"Reach\('tip'\): weights"),
        (lambda: Pose(CHAIN, np.ma.asarray(CHAIN.rest_coordinates)), PoseError, "what a pose is made of"),
        (lambda: rest(CHAIN).plus(np.ma.zeros(CHAIN.dof)), PoseError, "what a pose is made of"),
        (lambda: forward_kinematics(CHAIN, np.ma.asarray(CHAIN.rest_coordinates)), PoseError, "what a pose is made of"),
        (lambda: Mesh(np.ma.zeros((3, 3)), np.array([[0, 1, 2]])), SkinError, "mesh '': vertices"),
    ],
)
def test_masked_arrays_are_refused(wrong: Any, error: type[Exception], what: str) -> None:
    """Their masked numbers counted like the others."""
    with pytest.raises(error, match=rf"{what} cannot be a masked array; fill it first"):
        wrong()


@pytest.mark.parametrize("call", [solve, track, PREPARED.track, PREPARED.solve])
def test_a_figure_is_no_start(call: Any) -> None:
    """What follows targets asked the figure for a shape."""
    of_goals = () if call in (PREPARED.track, PREPARED.solve) else ([Reach("tip", np.array([TARGET] * 2))],)
    with pytest.raises(GoalError, match=r"the start is a Pose, not Figure; a figure's is figure\.rest"):
        call(Figure(CHAIN), *of_goals)


def test_comfort_takes_lists() -> None:
    """As a JSON file has them; the list could not be hashed."""
    wxyz: Any = [0.9, 0.1, 0.3, 0.2]
    listed, expected = (Comfort({CHAIN.joints[0]: value}) for value in (wxyz, tuple(wxyz)))
    solved = [solve(rest(CHAIN), [Reach("tip", TARGET), one]).pose.q for one in (listed, expected)]
    np.testing.assert_array_equal(solved[0], solved[1])


def test_a_huge_whole_number_is_told_in_words() -> None:
    with pytest.raises(PosableError, match=r"fps must be from 0\.1 to 10,000 for a walk, not 1000"):
        walk(figure("mannequin"), fps=10**400)


@pytest.mark.parametrize("goals", [[], [Natural()]])
def test_a_number_that_is_not_finite_is_told_with_its_frame(goals: list[Any]) -> None:
    """A path with one bad frame was refused without a word of which, or as a problem of some batch."""
    person = figure("mannequin")
    path = person.rest.origins[person.skeleton.index("hand_r")] + np.linspace(0, 0.2, 20)[:, None]
    bad = path.copy()
    bad[7, 1] = np.nan
    prepared = prepare(person.skeleton, [Reach("hand_r", path), *goals], restarts=0)
    own = [None] * len(goals)
    with pytest.raises(GoalError, match=r"Reach\('hand_r'\): target .*not finite.*\(frame 7\)"):
        prepared.track(person.rest, [bad, *own])
    with pytest.raises(GoalError, match=r"not finite.*\(frame 7 of trajectory 1\)"):
        prepared.track(person.rest, [np.stack([path, bad]), *own])
    with pytest.raises(GoalError, match=r"Reach\('hand_r'\): target .*not finite \(the first at \[7, 1\]\)"):
        Reach("hand_r", bad)
