"""Kernels that many test modules need: at the start of a whole run every worker compiles a share of them.

Without this, all workers compile the same kernels at the same time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from solvers.methods.cases import CASES

import posable

TARGET = (-0.3, 1.2, 0.4)


def compile_share(worker: int, workers: int) -> None:
    """Compile the kernels of every `workers`-th task, from number `worker` on."""
    for task in TASKS[worker::workers]:
        task()


def _solve() -> None:
    posable.solve(posable.figure("mannequin").rest, [posable.Reach("hand_r", TARGET)])


def _use_methods() -> None:
    for case in CASES.values():
        goals = case.goals(case.end, case.targets(2))
        posable.solve(case.start(), goals, method=case.method, max_iterations=3)


def _solve_many() -> None:
    rest, path = posable.figure("mannequin").rest, np.linspace(TARGET, (-0.1, 1.3, 0.4), 20)
    posable.solve(rest, [posable.Reach("hand_r", path)])
    posable.track(rest, [posable.Reach("hand_r", path)])


def _draw() -> None:
    figure = posable.figure("mannequin")
    figure.skins[0].deform(figure.rest, blend="dual_quaternion")
    posable.picture(figure, figure.rest, size=(64, 64))


def _solve_naturally() -> None:
    posable.solve(posable.figure("mannequin").rest, [posable.Reach("hand_r", TARGET), posable.Natural()])


TASKS: tuple[Callable[[], None], ...] = (_solve, _use_methods, _solve_many, _draw, _solve_naturally)
"""With two workers, both take about as long."""
