"""However arrays lie in memory, the large kernels are compiled for one layout: another costs half a minute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from solvers.chains import panda, rest

import posable
from posable import Pose, Reach, Skeleton, Stay
from posable.natural import start_kernel
from posable.solvers.default.kernels import restarts, simd_solve, trajectory
from posable.solvers.default.least_squares import solve_one

KERNELS: tuple[Any, ...] = (
    restarts.solve_all, trajectory.track_all, trajectory.solve_or_track, simd_solve.solve_lanes,
    start_kernel.natural_starts, solve_one,
)  # fmt: skip
Floats = NDArray[np.float64]
LAYOUTS: dict[str, Callable[[Floats], Floats]] = {
    "by columns": np.asfortranarray,
    "with gaps": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "read-only": lambda array: np.broadcast_to(array, array.shape),
    "one row for all": lambda array: np.broadcast_to(array[:1], array.shape),
}


@pytest.fixture(scope="module")
def arm() -> Skeleton:
    return panda()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_share_one_compiled_kernel(arm: Skeleton, layout: str) -> None:
    lie = LAYOUTS[layout]
    poses = arm.random_pose(np.random.default_rng(5), (64,))
    targets = lie(np.array(poses.world_from_joint[:, arm.index("hand"), :3, 3]))
    starts = Pose(arm, lie(np.repeat(rest(arm).q[None], 64, axis=0)))
    goals = [Reach("hand", targets)]
    for some in (goals, [*goals, Stay(rest(arm), 0.01)]):
        solved = posable.solve(starts, some)
        assert np.array_equal(solved.pose.q, posable.solve(Pose(arm, starts.q.copy()), some).pose.q)
        posable.track(rest(arm), some)
    _all_plain()


def test_a_persons_starts_share_one_as_well() -> None:
    figure = posable.figure("mannequin")
    at = np.array(figure.rest.world_from_joint[figure.skeleton.index("hand_r"), :3, 3])
    targets = np.broadcast_to(np.add(at, (0.0, 0.1, 0.2)), (4, 3))
    for wanted in (targets, targets[0]):
        solved = posable.solve(figure.rest, [Reach("hand_r", wanted), posable.Natural()])
        assert np.all(solved.status == posable.Status.REACHED)
    _all_plain()


def _all_plain() -> None:
    arrays = [
        (kernel.__name__, argument)
        for kernel in KERNELS
        for signature in kernel.signatures
        for argument in signature
        if hasattr(argument, "layout")
    ]
    assert [one for one in arrays if one[1].layout != "C" or not one[1].mutable] == []
