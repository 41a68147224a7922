"""Grips of a hand, by curls of its fingers."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.figures.fingers import GRIPS


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def test_a_fist_closes_and_one_who_points_keeps_the_index_finger_out(mannequin: posable.Figure) -> None:
    skeleton, roles = mannequin.skeleton, posable.roles(mannequin)
    bases, tips = (
        [skeleton.index(roles[f"{finger}_{k}_r"]) for finger in ("index", "middle", "ring", "little")] for k in (1, 3)
    )

    def long(pose: posable.Pose) -> np.ndarray:
        return np.linalg.norm(pose.origins[tips] - pose.origins[bases], axis=1)

    rest, fist, point = (long(posable.grip(mannequin, name, "r")) for name in ("open", "fist", "point"))
    assert (fist < 0.8 * rest).all()
    assert point[0] > 0.99 * rest[0] and (point[1:] < 0.8 * rest[1:]).all()


def test_nothing_but_the_hand_moves(mannequin: posable.Figure) -> None:
    skeleton = mannequin.skeleton
    bowed = mannequin.rest.with_joint("forearm_l", 0.5)
    for name in GRIPS:
        moved = np.abs(posable.grip(mannequin, name, "l", bowed).minus(bowed)) > 1e-9
        hand = skeleton.index("hand_l")
        own = {d for j in range(len(skeleton.joints)) if hand in skeleton.chain(j) for d in skeleton.freedom_range(j)}
        assert set(np.flatnonzero(moved)) <= own


def test_arms_of_who_begins_with_a_grip_hang_as_without(mannequin: posable.Figure) -> None:
    """Fingers are no part of the pose by which a figure is at rest, with arms held out for the skin's sake."""
    goals = [posable.Reach("hand_r", (-0.3, 1.2, 0.4)), posable.Natural()]
    rest, gripped = (
        posable.solve(start, goals, frozen=["root"]).pose
        for start in (mannequin.rest, posable.grip(mannequin, "fist", "l"))
    )
    hands = [mannequin.skeleton.index(hand) for hand in ("hand_l", "hand_r", "chest")]
    np.testing.assert_allclose(gripped.origins[hands], rest.origins[hands], atol=1e-6)


def test_what_is_no_grip_or_has_no_fingers_is_said(mannequin: posable.Figure) -> None:
    with pytest.raises(posable.PoseError, match="no grip is named 'claw'; choose from open, relaxed, fist"):
        posable.grip(mannequin, "claw", "r")
    with pytest.raises(posable.PoseError, match='side is "l" or "r", not \'right\''):
        posable.grip(mannequin, "fist", "right")  # type: ignore[arg-type]
    with pytest.raises(posable.PoseError, match="left hand has no fingers that move"):
        posable.grip(posable.load(posable.sample("knight.glb")), "fist", "l")
