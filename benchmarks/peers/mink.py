"""mink: differential kinematics on MuJoCo, a QP a step."""

from __future__ import annotations

from typing import Any

import mink
import mujoco
import numpy as np

from benchmarks.peers.protocol import Problem, descend, serve

ITERATIONS, DAMPING = 60, 1e-2
SECONDS = 1.0  # a full step


class Mink:
    """Steps until near enough; further starts where that fails."""

    packages = ("mink", "mujoco", "daqp")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        spec = mujoco.MjSpec.from_file(problem.urdf)
        spec.compiler.fusestatic = False
        spec.compiler.discardvisual = False
        if problem.floats:
            spec.worldbody.bodies[0].add_freejoint()
        self.model = spec.compile()
        self.configuration = mink.Configuration(self.model)
        slots = [int(self.model.joint(name).qposadr[0]) for name in problem.joints]
        self.slots = [*range(7), *slots] if problem.floats else slots
        self.tasks = [
            mink.FrameTask(aim["body"], "body", aim["position"], aim["rotation"], lm_damping=DAMPING)
            for aim in problem.aims
        ]
        self.limits = [mink.ConfigurationLimit(self.model, gain=1.0)]
        self.again = [self.native(q) for q in problem.again]
        self.settings = f"FrameTask, lm_damping {DAMPING:g}, daqp, {ITERATIONS} steps × {1 + len(self.again)} starts"

    def read(self, target: np.ndarray) -> list[mink.SE3]:
        return [mink.SE3.from_matrix(one) for one in target]

    def native(self, q: np.ndarray) -> np.ndarray:
        found = np.empty(self.model.nq)
        found[self.slots] = q
        return found

    def plain(self, answer: np.ndarray) -> np.ndarray:
        return answer[self.slots]

    def solve(self, start: np.ndarray, target: list[mink.SE3]) -> np.ndarray:
        for task, wanted in zip(self.tasks, target, strict=True):
            task.set_target(wanted)
        descend(self.problem, [start, *self.again], self.configuration.update, self._step, self._errors, ITERATIONS)
        return self.configuration.q.copy()

    def _step(self) -> None:
        velocity = mink.solve_ik(self.configuration, self.tasks, SECONDS, "daqp", limits=self.limits)
        self.configuration.integrate_inplace(velocity, SECONDS)

    def _errors(self) -> tuple[float, float]:
        distance = angle = 0.0
        for task, aim in zip(self.tasks, self.problem.aims, strict=True):
            error: Any = task.compute_error(self.configuration)
            distance = max(distance, aim["position"] * float(np.linalg.norm(error[:3])))
            angle = max(angle, aim["rotation"] * float(np.linalg.norm(error[3:])))
        return distance, angle


if __name__ == "__main__":
    serve(Mink)
