"""roboticstoolbox-python: `ETS.ik_LM`, its compiled Levenberg–Marquardt."""

from __future__ import annotations

from typing import Any

import numpy as np
import roboticstoolbox as rtb
from roboticstoolbox.models.URDF.URDFRobot import URDF_file

from benchmarks.peers.protocol import NEAR, Problem, serve


class RoboticsToolbox:
    """Its own restarts; `tol` is half the square of the error. k: the best of 1, 0.1, 0.01 and of the other methods."""

    packages = ("roboticstoolbox-python",)

    def __init__(self, problem: Problem) -> None:
        links, name, _ = URDF_file(problem.urdf)
        self.ets = rtb.Robot(links, name=name).ets(end=problem.tip)
        self.ets.qlim = np.array([problem.lower, problem.upper])
        self.searches = 1 if problem.warm else 100
        self.settings = f"ik_LM, chan, k 0.1, 30 iterations × {self.searches} searches, tol 4e-13"
        self.tolerance = NEAR**2 / 2

    def read(self, target: np.ndarray) -> np.ndarray:
        return np.asfortranarray(target[0])

    def native(self, q: np.ndarray) -> np.ndarray:
        return q

    def solve(self, start: np.ndarray, target: np.ndarray) -> Any:
        return self.ets.ik_LM(target, q0=start, ilimit=30, slimit=self.searches, tol=self.tolerance, k=0.1).q

    def plain(self, answer: Any) -> np.ndarray:
        return answer


if __name__ == "__main__":
    serve(RoboticsToolbox)
