"""placo: `KinematicsSolver`, a QP a step, in C++."""

from __future__ import annotations

from typing import Any

import numpy as np
import placo

from benchmarks.peers.protocol import Problem, descend, serve

ITERATIONS = 60


class Placo:
    """Steps until near enough; further starts where that fails. Every aim has a rotation."""

    packages = ("placo",)

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.robot = placo.RobotWrapper(problem.urdf, placo.Flags.ignore_collisions)
        self.solver = self.robot.make_solver()
        self.solver.enable_velocity_limits(False)
        if not problem.floats:
            self.solver.mask_fbase(True)
        self.tasks = [self._task(aim) for aim in problem.aims]
        self.solver.add_regularization_task(1e-4)
        self.slots = [self.robot.get_joint_offset(name) for name in problem.joints]
        self.again = [self.native(q) for q in problem.again]
        self.settings = f"KinematicsSolver, regularisation 1e-4, {ITERATIONS} steps × {1 + len(self.again)} starts"

    def _task(self, aim: dict[str, Any]) -> Any:
        if aim["position"]:
            task = self.solver.add_frame_task(aim["body"], np.eye(4))
        else:
            task = self.solver.add_orientation_task(aim["body"], np.eye(3))
        task.configure(aim["body"], "soft", *([1.0, 1.0] if aim["position"] else [1.0]))
        return task

    def read(self, target: np.ndarray) -> list[np.ndarray]:
        return [np.asfortranarray(one) for one in target]

    def native(self, q: np.ndarray) -> np.ndarray:
        state = self.robot.state.q.copy()
        if self.problem.floats:
            state[:3], state[3:6], state[6] = q[:3], q[4:7], q[3]
        state[self.slots] = q[7 * self.problem.floats :]
        return state

    def plain(self, answer: np.ndarray) -> np.ndarray:
        base = np.r_[answer[:3], answer[6], answer[3:6]] if self.problem.floats else []
        return np.r_[base, answer[self.slots]]

    def solve(self, start: np.ndarray, target: list[np.ndarray]) -> np.ndarray:
        for task, aim, wanted in zip(self.tasks, self.problem.aims, target, strict=True):
            if aim["position"]:
                task.T_world_frame = wanted
            else:
                task.R_world_frame = wanted[:3, :3]
        descend(self.problem, [start, *self.again], self._begin, self._step, self._errors, ITERATIONS)
        return self.robot.state.q.copy()

    def _begin(self, q: np.ndarray) -> None:
        self.robot.state.q = q
        self.robot.update_kinematics()

    def _step(self) -> None:
        self.solver.solve(True)
        self.robot.update_kinematics()

    def _errors(self) -> tuple[float, float]:
        distance = angle = 0.0
        for task, aim in zip(self.tasks, self.problem.aims, strict=True):
            if aim["position"]:
                distance = max(distance, _error(task.position()))
            angle = max(angle, _error(task.orientation() if aim["position"] else task))
        return distance, angle


def _error(task: Any) -> float:
    """Now, and not before the last step."""
    task.update()
    return task.error_norm()


if __name__ == "__main__":
    serve(Placo)
