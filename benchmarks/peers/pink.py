"""pink: differential kinematics on Pinocchio, a QP a step."""

from __future__ import annotations

import numpy as np
import pink
import pinocchio as pin
from pink.limits import ConfigurationLimit

from benchmarks.peers.protocol import Problem, descend, serve

ITERATIONS, DAMPING = 60, 1e-2
SECONDS = 1.0  # a full step


class Pink:
    """Steps until near enough; further starts where that fails."""

    packages = ("pin-pink", "pin", "daqp")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        root = [pin.JointModelFreeFlyer()] if problem.floats else []
        self.model = pin.buildModelFromUrdf(problem.urdf, *root)
        slots = [self.model.joints[self.model.getJointId(name)].idx_q for name in problem.joints]
        self.slots = [*range(7), *slots] if problem.floats else slots
        self.configuration = pink.Configuration(self.model, self.model.createData(), pin.neutral(self.model))
        self.tasks = [
            pink.tasks.FrameTask(aim["body"], float(aim["position"]), float(aim["rotation"]), lm_damping=DAMPING)
            for aim in problem.aims
        ]
        self.limits = [ConfigurationLimit(self.model, config_limit_gain=0.999)]
        self.again = [self.native(q) for q in problem.again]
        self.settings = f"FrameTask, lm_damping {DAMPING:g}, daqp, {ITERATIONS} steps × {1 + len(self.again)} starts"

    def read(self, target: np.ndarray) -> list[pin.SE3]:
        return [pin.SE3(one) for one in target]

    def native(self, q: np.ndarray) -> np.ndarray:
        found = pin.neutral(self.model)
        found[self.slots] = np.r_[q[:3], q[4:7], q[3], q[7:]] if self.problem.floats else q
        return found

    def plain(self, answer: np.ndarray) -> np.ndarray:
        q = answer[self.slots]
        return np.r_[q[:3], q[6], q[3:6], q[7:]] if self.problem.floats else q

    def solve(self, start: np.ndarray, target: list[pin.SE3]) -> np.ndarray:
        for task, wanted in zip(self.tasks, target, strict=True):
            task.set_target(wanted)
        descend(self.problem, [start, *self.again], self.configuration.update, self._step, self._errors, ITERATIONS)
        return self.configuration.q.copy()

    def _step(self) -> None:
        velocity = pink.solve_ik(
            self.configuration, self.tasks, SECONDS, "daqp", limits=self.limits, safety_break=False
        )
        self.configuration.integrate_inplace(velocity, SECONDS)

    def _errors(self) -> tuple[float, float]:
        distance = angle = 0.0
        for task, aim in zip(self.tasks, self.problem.aims, strict=True):
            error = task.compute_error(self.configuration)
            distance = max(distance, aim["position"] * float(np.linalg.norm(error[:3])))
            angle = max(angle, aim["rotation"] * float(np.linalg.norm(error[3:])))
        return distance, angle


if __name__ == "__main__":
    serve(Pink)
