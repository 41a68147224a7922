"""The scheme of GMR (general motion retargeting), built with mink: parts scaled from the hips, two passes a frame.

The first pass turns all parts and places hips and feet, the second places all parts. A pass steps until a step brings
less than `ENOUGH`, at most `STEPS` times more. Weights, damping and stopping are those that GMR publishes for a G1.
"""

from __future__ import annotations

import sys
import time
from importlib.metadata import version

import mink
import mujoco
import numpy as np

from benchmarks.peers.protocol import keep, stay_on_one_core

STEPS, ENOUGH, DAMPING, LM_DAMPING = 10, 1e-3, 0.5, 1.0
FASTEST = 3 * np.pi  # rad/s in a step of the model's own time step
SETTLING = 20  # times that the first frame is solved before the clock starts
FIRST = {"hips": (100.0, 10.0), "foot": (100.0, 10.0), "": (0.0, 10.0)}
SECOND = {"hips": (100.0, 5.0), "foot": (100.0, 50.0), "chest": (0.0, 10.0), "": (10.0, 5.0)}
"""Part → weights of position and rotation."""


class Gmr:
    """One robot. parts: role of each part, with the joint whose body follows it. slowly: hinges have a speed limit."""

    def __init__(self, robot: str, joints: list[str], parts: dict[str, str], slowly: bool) -> None:
        spec = mujoco.MjSpec.from_file(robot)
        spec.compiler.fusestatic = False
        spec.worldbody.bodies[0].add_freejoint()
        self.model = spec.compile()
        self.configuration = mink.Configuration(self.model)
        self.slots = [*range(7), *(int(self.model.joint(name).qposadr[0]) for name in joints)]
        bodies = [self._body(joint) for joint in parts.values()]
        self.passes = [
            [self._task(body, *_weights(table, role)) for body, role in zip(bodies, parts, strict=True)]
            for table in (FIRST, SECOND)
        ]
        self.limits = [mink.ConfigurationLimit(self.model)]
        if slowly:
            self.limits.append(mink.VelocityLimit(self.model, dict.fromkeys(joints, FASTEST)))

    def _body(self, joint: str) -> str:
        names = [self.model.joint(j).name for j in range(self.model.njnt)]
        return self.model.body(int(self.model.joint(joint).bodyid[0])).name if joint in names else joint

    @staticmethod
    def _task(body: str, position: float, rotation: float) -> mink.FrameTask:
        return mink.FrameTask(body, "body", position, rotation, lm_damping=LM_DAMPING)

    def begin(self, root: np.ndarray) -> None:
        """Stand at a place `[7]`, with hinges in the middle of their ranges where they cannot be straight."""
        q = np.clip(np.zeros(self.model.nq), *self._ranges())
        q[:7] = root
        self.configuration.update(q)

    def _ranges(self) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.full(self.model.nq, -np.inf), np.full(self.model.nq, np.inf)
        for joint in range(1, self.model.njnt):
            low[self.model.jnt_qposadr[joint]], high[self.model.jnt_qposadr[joint]] = self.model.jnt_range[joint]
        return low, high

    def frame(self, targets: np.ndarray) -> np.ndarray:
        """`[coordinate]` for the targets `[part, 7]` of a frame: position and wxyz."""
        for tasks in self.passes:
            for task, target in zip(tasks, targets, strict=True):
                task.set_target(mink.SE3(np.concatenate([target[3:], target[:3]])))
            before, steps = np.inf, 0
            now = self._error(tasks)
            while steps == 0 or (before - now > ENOUGH and steps <= STEPS):
                velocity = mink.solve_ik(
                    self.configuration, tasks, self.model.opt.timestep, "daqp", DAMPING, limits=self.limits
                )
                self.configuration.integrate_inplace(velocity, self.model.opt.timestep)
                before, now, steps = now, self._error(tasks), steps + 1
        return self.configuration.q[self.slots]

    def _error(self, tasks: list[mink.FrameTask]) -> float:
        return float(np.linalg.norm([task.compute_error(self.configuration) for task in tasks]))


def _weights(table: dict[str, tuple[float, float]], role: str) -> tuple[float, float]:
    return table.get(role.removesuffix("_l").removesuffix("_r"), table[""])


def targets_of(human: np.ndarray, turned: np.ndarray, scales: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """`[frame, part, 7]`: parts scaled about the first, the hips; offsets `[part, 3]` are in the parts' own frames."""
    root = human[:, :1]
    placed = scales[0] * root + scales[:, None] * (human - root)
    w, vector = turned[..., :1], turned[..., 1:]
    moved = np.broadcast_to(offsets, vector.shape)
    across = 2 * np.cross(vector, moved)
    return np.concatenate([placed + moved + w * across + np.cross(vector, across), turned], axis=-1)


def main() -> None:
    """Answer the question that the command line names."""
    stay_on_one_core()
    with np.load(sys.argv[1]) as asked:
        names, parts = asked["joints"].tolist(), dict(zip(asked["parts"], asked["follows"], strict=True))
        gmr = Gmr(str(asked["robot"]), names, parts, bool(asked["slowly"]))
        answers, taken = [], []
        for k in range(int(asked["count"])):
            told = [asked[f"{name}_{k}"] for name in ("human", "turned", "scales", "offsets")]
            first = targets_of(told[0][:1], told[1][:1], *told[2:])[0]
            gmr.begin(first[0])
            for _ in range(SETTLING):
                gmr.frame(first)
            began = time.process_time_ns()
            targets = targets_of(*told)
            answers.append(np.array([gmr.frame(one) for one in targets]))
            taken.append(time.process_time_ns() - began)
    versions = ", ".join(f"{name} {version(name)}" for name in ("mink", "mujoco", "daqp"))
    keep(np.concatenate(answers), np.array(taken), f"FrameTask, damping {DAMPING:g}, daqp", versions)


if __name__ == "__main__":
    main()
