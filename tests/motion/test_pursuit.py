"""Pursuit: a few steps a frame, on from the last one."""

from __future__ import annotations

import numpy as np
import pytest

from posable.errors import GoalError
from posable.figures import figure
from posable.goals import Comfort, Reach
from posable.motion.tracking import chase
from posable.solvers import solve
from posable.solvers.methods import CyclicDescent

ARM = figure("arm6")
WAY = np.linspace((0.45, 0.0, 0.5), (0.4, 0.25, 0.35), 6)


def test_every_frame_is_so_many_steps_on_from_the_last() -> None:
    method = CyclicDescent()
    clip = chase(ARM.rest, [Reach("tool", WAY), Reach("joint_3", (0.1, 0.0, 0.6), weight=0.1)], method, steps=3)
    pose = ARM.rest
    for place, q in zip(WAY, clip.q, strict=True):
        goals = [Reach("tool", place), Reach("joint_3", (0.1, 0.0, 0.6), weight=0.1)]
        pose = solve(pose, goals, method=method, max_iterations=3, restarts=0).pose
        np.testing.assert_array_equal(q, pose.q)


def test_it_lags_behind_with_few_steps_and_keeps_up_with_many() -> None:
    tool = ARM.skeleton.index("tool")

    def off(steps: int) -> np.ndarray:
        clip = chase(ARM.rest, [Reach("tool", WAY)], CyclicDescent(), steps=steps)
        return np.linalg.norm(clip.poses.origins[:, tool] - WAY, axis=1)

    assert off(400)[-1] < 1e-4 < off(1)[-1]


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ([Comfort()], "nothing to chase: give a goal a target with a leading axis of frames"),
        ([Reach("tool", WAY[0])], "nothing to chase"),
        ([Reach("tool", WAY), Reach("joint_3", WAY[:4])], "has targets for 4 and 6 frames; give all the same"),
    ],
)
def test_targets_without_frames_or_of_two_lengths_are_refused(goals, message) -> None:
    with pytest.raises(GoalError, match=message):
        chase(ARM.rest, goals)
