"""Kinds of targets: what is done to a target is done to its position and rotation; a pose meets what it meets."""

from __future__ import annotations

import numpy as np
import pytest
from goals.test_goals import CASES, POSES

from posable.goals import Goal
from posable.goals.target_kinds import FRAMES, POINTS, ROTATIONS, Capsules, TargetKind
from posable.spatial import Array, normalized, random_wxyz, slerp, transform

RNG = np.random.default_rng(1)
ONE, OTHER = (transform(RNG.normal(size=(4, 3)), random_wxyz(RNG, (4,))) for _ in range(2))
TARGETS = {
    "points": (POINTS, RNG.normal(size=(4, 3))),
    "rotations": (ROTATIONS, random_wxyz(RNG, (4,))),
    "frames": (FRAMES, transform(RNG.normal(size=(4, 3)), random_wxyz(RNG, (4,)))),
}
each_kind = pytest.mark.parametrize(("kind", "target"), TARGETS.values(), ids=TARGETS)


def _same(kind: TargetKind, one: Array, other: Array) -> None:
    """Equal, where a rotation is its own opposite."""
    if kind is ROTATIONS:
        np.testing.assert_allclose(np.abs(np.sum(one * other, axis=-1)), 1.0, atol=1e-12)
    else:
        np.testing.assert_allclose(one, other, atol=1e-12)


@each_kind
def test_a_target_moves_into_a_frame_of_a_frame_as_into_both(kind: TargetKind, target: Array) -> None:
    _same(kind, kind.moved(ONE, kind.moved(OTHER, target)), kind.moved(ONE @ OTHER, target))


def test_capsules_move_with_their_ends_and_keep_their_radius() -> None:
    capsules = np.concatenate([RNG.normal(size=(4, 2, 6)), np.full((4, 2, 1), 0.3)], axis=-1)
    moved = Capsules(2).moved(ONE, capsules)
    for k in (0, 3):
        expected = (ONE[:, None, :3, :3] @ capsules[..., k : k + 3, None])[..., 0] + ONE[:, None, :3, 3]
        np.testing.assert_allclose(moved[..., k : k + 3], expected, atol=1e-12)
    np.testing.assert_array_equal(moved[..., 6], 0.3)


@each_kind
def test_a_blend_ends_where_its_targets_are(kind: TargetKind, target: Array) -> None:
    end = kind.moved(ONE, target)
    for share, expected in ((0.0, target), (1.0, end)):
        found = kind.blended(
            lambda a, b, s=share: a + s * (b - a), lambda a, b, s=share: slerp(a, b, np.full(4, s)), target, end
        )
        _same(kind, found, expected)


EXACT = {
    "Balance", "Balance with height", "Pole", "Reach relative", "Orient relative", "Place relative", "Reach a segment",
    "Reach a box", "Reach a cone", "Reach a relative box", "Reach", "Orient", "Place", "LookAt",
}  # fmt: skip
"""Cases in which nothing but the target keeps a pose from meeting it."""


@pytest.mark.parametrize("name", sorted(EXACT))
def test_the_target_that_a_pose_meets_leaves_no_residual(name: str) -> None:
    goal = CASES[name]
    assert isinstance(goal, Goal)
    met = goal.with_target(goal.met_by(POSES, normalized(goal.given) if goal.KIND is ROTATIONS else goal.given))
    np.testing.assert_allclose(met.residual(POSES), 0.0, atol=1e-8)
