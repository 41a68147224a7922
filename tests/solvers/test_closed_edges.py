"""Six-hinge arms where it gets tight: singular poses, limits, the edge of the reach, unusual joints, bad input."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from solvers.closed_arms import (
    PUMA,
    SCARA_WITH_WRIST,
    SHOULDER_MEETS,
    SKEW,
    SLANTED_WRIST,
    THREE_FIRST,
    Array,
    Link,
    arm,
    place_by_hand,
    with_limits,
    wrapped,
)
from solvers.closed_arms import mirrored as mirrored

import posable
from posable import Axis, Joint, Pose, Skeleton
from posable.errors import GoalError, PoseError, UnknownJointError
from posable.goals.term_arrays import FINE, NOT_FINITE, NOT_RIGID
from posable.skeleton import Follow
from posable.solvers.closed import ClosedForm
from posable.solvers.closed.branches import branch_rows

RNG = np.random.default_rng(11)
UR5E: list[Link] = [
    ((0, 0, 1), (0, 0, 0.1625)),
    ((0, 1, 0), (0, 0.138, 0)),
    ((0, 1, 0), (0.425, -0.131, 0)),
    ((0, 1, 0), (0.392, 0, 0)),
    ((0, 0, -1), (0, 0.127, 0)),
    ((0, 1, 0), (0, 0, -0.1)),
]
STRAIGHT: list[Link] = [  # no offsets at all: the shoulder can be singular, the elbow folded
    ((0, 0, 1), (0, 0, 0.3)),
    ((0, 1, 0), (0, 0, 0)),
    ((0, 1, 0), (0, 0, 0.4)),
    ((0, 0, 1), (0, 0, 0)),
    ((0, 1, 0), (0, 0, 0.4)),
    ((0, 0, 1), (0, 0, 0)),
]


def form_of(skeleton: Skeleton) -> ClosedForm:
    form = ClosedForm.of(skeleton, skeleton.joints[-1])
    assert form is not None
    return form


def right_branches(skeleton: Skeleton, target: Array, start: Array, exact: float) -> Array:
    """The branches for one target, each checked by hand."""
    q, count = form_of(skeleton).branches(target, Pose(skeleton, start))
    assert np.abs(place_by_hand(skeleton, q[:count]) - target).max(initial=0.0) < exact
    return q[:count]


SINGULAR = [
    ("wrist of a puma", PUMA, {4: 0.0}),
    ("wrist of a puma turned over", PUMA, {4: math.pi}),
    ("wrist of a UR", UR5E, {4: 0.0}),
    ("shoulder", STRAIGHT, {1: 0.7, 2: math.pi - 1.4}),
    ("stretched elbow", STRAIGHT, {2: 0.0}),
    ("folded elbow", STRAIGHT, {2: math.pi}),
    ("elbow and wrist", STRAIGHT, {2: 0.0, 4: 0.0}),
    ("upright", STRAIGHT, {1: 0.0, 2: 0.0, 4: 0.0}),
    ("stretched elbow of a UR", UR5E, {2: 0.0}),
    ("elbow and wrist of a UR", UR5E, {2: 0.0, 4: 0.0}),
    ("three first, stretched", THREE_FIRST, {1: math.atan2(-0.05, 0.3)}),
]


@pytest.mark.parametrize(
    "near", [0.0, pytest.param(1e-13, marks=pytest.mark.slow), pytest.param(1e-9, marks=pytest.mark.slow), 1e-6]
)
@pytest.mark.parametrize(("links", "angles"), [case[1:] for case in SINGULAR], ids=[case[0] for case in SINGULAR])
@pytest.mark.parametrize("way", ["from the base", "from the end"])
def test_singular_poses(links: list[Link], angles: dict[int, float], way: str, near: float) -> None:
    skeleton = arm(links if way == "from the base" else mirrored(links))
    for _ in range(20):
        truth = RNG.uniform(-2, 2, 6)
        for k, angle in angles.items():
            truth[k] = angle + near * RNG.choice([-1, 1])
        if way == "from the end":
            truth = truth[::-1].copy()
        target = place_by_hand(skeleton, truth)
        branches = right_branches(skeleton, target, truth, 2e-9)
        assert len(branches) >= 1 and np.isfinite(branches).all()
        # free angles are the start's, so the pose itself is the nearest; a double root has half the digits, and a
        # wrist that hangs on one in turn a quarter
        assert np.abs(branches[0] - truth).max() < (3e-5 if len(angles) == 1 else 1e-3)
        other = right_branches(skeleton, target, truth + RNG.uniform(-1, 1, 6), 2e-9)
        assert len(other) >= 1


def test_a_free_angle_is_the_one_of_the_start() -> None:
    joints = list(arm(PUMA).definitions)
    joints[1:2] = [Joint("turn", "fixed", "stand", wxyz=(0.9, 0.1, -0.2, 0.3)), replace(joints[1], parent="turn")]
    skeleton = Skeleton(joints)  # turned, so that nothing comes out exact by luck
    target = place_by_hand(skeleton, np.array([0.3, -0.4, 0.5, 0.2, 0.0, 0.7]))
    start = np.array([0.3, -0.4, 0.5, 1.4, 0.0, 0.0])
    branches = right_branches(skeleton, target, start, 1e-12)
    np.testing.assert_allclose(branches[0], [0.3, -0.4, 0.5, 1.4, 0.0, -0.5], atol=1e-9)
    for _ in range(50):
        truth = RNG.uniform(-1, 1, 6) * (2, 2, 1, 2, 0, 2)  # the elbow well bent
        branches = right_branches(skeleton, place_by_hand(skeleton, truth), start, 1e-12)
        same_arm = np.abs(branches[:, :3] - truth[:3]).max(axis=1) < 1e-6
        assert same_arm.sum() == 1, "the others of the whole circle of poses are no branches"


@pytest.mark.parametrize("links", [PUMA, SKEW, UR5E, mirrored(PUMA)])
def test_limits_drop_branches_and_no_others(links: list[Link]) -> None:
    loose, tight = arm(links), with_limits(arm(links), -2.2, 1.9)
    truth = tight.random_pose(RNG, (300,))
    target, start = place_by_hand(loose, truth.q), tight.random_pose(RNG, (300,))
    every, _ = form_of(loose).branches(target, Pose(loose, start.q))
    kept, count = form_of(tight).branches(target, start)
    turned = wrapped(every)
    inside = ((turned >= -2.2) & (turned <= 1.9)).all(axis=-1)
    assert (count == inside.sum(axis=1)).all()
    assert ((kept >= -2.2) & (kept <= 1.9))[np.arange(8) < count[:, None]].all()
    for k in range(300):
        left = np.abs(wrapped(turned[k, inside[k]][:, None] - kept[k, : count[k]])).max(axis=-1)
        assert left.min(axis=1).max() < 1e-9


def test_whole_turns_are_those_nearest_to_the_start_within_the_limits() -> None:
    lower, upper = -2 * math.pi, 3.5 * math.pi
    skeleton = with_limits(arm(UR5E), lower, upper)
    start = skeleton.random_pose(RNG, (500,))
    target = place_by_hand(skeleton, RNG.uniform(-3, 3, (500, 6)))
    q, count = form_of(skeleton).branches(target, start)
    there = np.arange(8) < count[:, None]
    turns = q[..., None] + 2 * math.pi * np.arange(-4, 5)
    allowed = (turns >= lower) & (turns <= upper)
    distance = np.where(allowed, np.abs(turns - start.q[:, None, :, None]), np.inf).min(axis=-1)
    assert np.abs(np.abs(q - start.q[:, None]) - distance)[there].max() < 1e-12


def test_at_its_limit_a_pose_is_inside() -> None:
    skeleton = with_limits(arm(PUMA), -1.3, 1.1)
    for truth in ([1.1, -1.3, 1.1, 1.1, -1.3, 1.1], [-1.3, 0.4, 0.2, -1.3, 1.1, -1.3]):
        branches = right_branches(skeleton, place_by_hand(skeleton, np.array(truth)), np.zeros(6), 1e-9)
        assert np.abs(branches - truth).max(axis=1).min() < 1e-9
        assert branches.max() <= 1.1 and branches.min() >= -1.3


@pytest.mark.parametrize(("beyond", "number"), [(1e-11, True), (1e-6, False), (0.1, False), (1e6, False)])
def test_out_of_reach(beyond: float, number: bool) -> None:
    skeleton = arm(STRAIGHT)
    truth = np.array([0.4, 0.9, 0.0, 0.3, 0.8, -0.2])
    target = place_by_hand(skeleton, truth)
    upper_arm = place_by_hand(skeleton, truth, -5)[:3, 3] - place_by_hand(skeleton, truth, -7)[:3, 3]
    target[:3, 3] += beyond * upper_arm / np.linalg.norm(upper_arm)
    form = form_of(skeleton)
    q, count = form.branches(target, Pose(skeleton, truth))
    assert (count > 0) == number
    if number:
        assert np.abs(place_by_hand(skeleton, q[0]) - target).max() < 1e-9


def test_an_arm_of_compound_joints_with_anchors_and_references() -> None:
    axes = (
        Axis((0, 0, 1), anchor=(0.1, 0.2, 0), reference=0.3, lower=-3, upper=3),
        Axis((0, 1, 0), anchor=(0.15, 0, 0.3), reference=-0.2, lower=-3, upper=3),
        Axis((0, -1, 0), anchor=(0.5, 0, 0.35), lower=-3, upper=3),
    )
    wrist = (
        Axis((1, 0, 0), anchor=(0.1, 0, 0.1), reference=1.0),
        Axis((0, 1, 0), anchor=(0.2, 0, 0.1)),
        Axis((1, 0, 0), anchor=(0.3, 0, 0.1)),
    )
    joints = [
        Joint("lower", "compound", None, axes=axes),
        Joint("upper", "compound", "lower", (0.6, 0.1, 0.2), (0.8, 0.6, 0, 0), axes=wrist),
    ]
    skeleton = Skeleton(joints, "z")
    truth = skeleton.random_pose(RNG, (200,))
    q, count = form_of(skeleton).branches(place_by_hand(skeleton, truth.q), truth)
    assert np.abs(q[:, 0] - truth.q).max() < 1e-9 and count.min() >= 2


def test_an_arm_on_a_body_that_moves() -> None:
    own = arm(UR5E)
    joints = [
        Joint("body", "free", None),
        Joint("waist", "hinge", "body", (0, 0, 0.5), axes=(Axis((0, 0, 1)),)),
        Joint("tail", "ball", "body"),
        *[Joint(j.name, j.kind, j.parent or "waist", j.position, j.wxyz, j.axes) for j in own.definitions],
    ]
    skeleton = Skeleton(joints, "z")
    assert ClosedForm.of(skeleton, "tool") is None
    assert ClosedForm.of(skeleton, "tool", base="tail") is None
    form = ClosedForm.of(skeleton, "tool", base="waist")
    assert form is not None and form.base == "waist"
    start, truth = skeleton.random_pose(RNG, (100,)), RNG.uniform(-3, 3, (100, 6))
    q = np.array(start.q)
    q[:, -6:] = truth
    target = Pose(skeleton, q).world_from_joint[:, -1]
    branches, count = form.branches(target, start)
    there = np.arange(8) < count[:, None]
    assert np.nanmin(np.abs(wrapped(branches[..., -6:] - truth[:, None])).max(axis=-1), axis=1).max() < 1e-9
    full = np.where(there[..., None], branches, start.q[:, None])
    assert np.abs(Pose(skeleton, full).world_from_joint[:, :, -1] - target[:, None])[there].max() < 1e-12
    assert (full[..., :-6] == start.q[:, None, :-6]).all()


def test_nearly_the_right_geometry_is_polished_to_the_real_one() -> None:
    links = [(tuple(np.array(axis) + 3e-8 * RNG.normal(size=3)), place) for axis, place in UR5E]
    skeleton = arm(links)  # type: ignore[arg-type]
    for _ in range(50):
        truth = RNG.uniform(-3, 3, 6)
        branches = right_branches(skeleton, place_by_hand(skeleton, truth), truth, 1e-12)
        assert np.abs(branches[0] - truth).max() < 1e-9


def test_what_moves_in_other_ways_has_no_closed_form() -> None:
    joints = list(arm(PUMA).definitions)
    slide = [*joints]
    slide[3] = Joint("h3", "slide", "h2", slide[3].position, axes=(Axis((1, 0, 0), slide=True),))
    follows = [*joints]
    follows[2] = Joint("h2", "hinge", "h1", axes=(Axis((0, 1, 0), follow=Follow("h1", 2.0)),))
    held = [*joints]
    held[2] = Joint("h2", "hinge", "h1", held[2].position, axes=held[2].axes, active=(False,))
    on_one_line = arm([*PUMA[:4], ((0, 0, 1), (0, 0, 0)), ((0, 1, 0), (0, 0, 0))])
    flat = arm([((0, 0, 1), (0.1, 0, 0))] * 3 + PUMA[3:])
    for skeleton in (Skeleton(slide), Skeleton(follows), Skeleton(held), on_one_line, flat):
        assert ClosedForm.of(skeleton, "tool") is None


@pytest.mark.parametrize("links", [PUMA, SKEW, UR5E, THREE_FIRST, SHOULDER_MEETS, SCARA_WITH_WRIST])
@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e200])
def test_the_kernel_refuses_what_is_no_place_and_finds_nothing_far_away(links: list[Link], bad: float) -> None:
    form = form_of(arm(links))
    for place in ((0, 3), (2, 3), (0, 0), (2, 2)):
        target, out, count = np.eye(4)[None].copy(), np.empty((1, 8, 6)), np.ones(1, np.int64)
        target[0][place] = bad
        code = branch_rows(form.arm, target, np.zeros((1, 6)), out, count)
        if math.isfinite(bad) and place[1] == 3:
            assert code == FINE and count[0] == 0 and np.isnan(out).all()
        else:
            assert code == (NOT_RIGID if math.isfinite(bad) else NOT_FINITE)


def test_two_ways_of_asking_agree_and_shapes_broadcast() -> None:
    skeleton = arm(SLANTED_WRIST)
    form = form_of(skeleton)
    truth, start = skeleton.random_pose(RNG, (3, 1)), skeleton.random_pose(RNG, (4,))
    target = truth.world_from_joint[..., -1, :, :]
    q, count = form.branches(target, start)
    assert q.shape == (3, 4, 8, 6) and count.shape == (3, 4)
    alone, number = form.branches(target[2, 0], start[1])
    assert number == count[2, 1] and number.shape == ()
    np.testing.assert_array_equal(alone, q[2, 1])
    single = np.array(target[2, 0], np.float32)
    blurred, number = form.branches(single, start[1])
    assert number == count[2, 1]
    np.testing.assert_allclose(blurred[:number], alone[:number], atol=1e-4)
    assert form.branches(np.empty((0, 4, 4)), start[1])[0].shape == (0, 8, 6)


def test_what_cannot_be_meant_is_refused() -> None:
    skeleton = arm(PUMA)
    form, start = form_of(skeleton), Pose(skeleton, np.zeros(6))
    with pytest.raises(
        GoalError, match=r"target frame of the joint is an array \[..., 4, 4\], not one of shape \(3,\)"
    ):
        form.branches((1, 2, 3), start)
    with pytest.raises(GoalError, match="the target frame of the joint is not a regular array of numbers"):
        form.branches("here", start)
    bad = np.eye(4)
    bad[0, 3] = math.nan
    with pytest.raises(GoalError, match="the target frame of the joint has a number that is not finite"):
        form.branches(bad, start)
    for off in (np.diag([1.0, 1.0, -1.0, 1.0]), np.diag([2.0, 2.0, 2.0, 1.0])):
        with pytest.raises(GoalError, match="is not a rigid transform: its 3×3 part must be a rotation"):
            form.branches(off, start)
    with pytest.raises(GoalError, match=r"targets of shape \(2,\) and starts of \(3,\) do not match"):
        form.branches([np.eye(4)] * 2, skeleton.random_pose(RNG, (3,)))
    with pytest.raises(PoseError, match="the start pose belongs to another skeleton than the closed form"):
        form.branches(np.eye(4), posable.figure("mannequin").rest)
    with pytest.raises(UnknownJointError, match="no joint is called 'tol'; did you mean tool"):
        ClosedForm.of(skeleton, "tol")
