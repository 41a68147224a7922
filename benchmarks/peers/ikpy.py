"""ikpy: `Chain.inverse_kinematics_frame`, SciPy's bounded least squares with JAX's derivatives (its faster backend)."""

from __future__ import annotations

import numpy as np
from ikpy.chain import Chain

from benchmarks.peers.protocol import NEAR, TURNED, Problem, serve

TOLERANCE = 1e-8


class IKPy:
    """Further starts where one attempt is not near enough."""

    packages = ("ikpy", "jax", "scipy")

    def __init__(self, problem: Problem) -> None:
        chain = Chain.from_urdf_file(problem.urdf, base_elements=[problem.base], symbolic=False)
        moving = [link.joint_type != "fixed" for link in chain.links]
        chain.active_links_mask = np.array(moving)
        self.chain, self.moving = chain, np.flatnonzero(moving)
        self.again = [self.native(q) for q in problem.again]
        starts = 1 + len(self.again)
        self.settings = f"JAX backend, all axes, tol {TOLERANCE:g}, × {starts} starts"

    def read(self, target: np.ndarray) -> np.ndarray:
        return target[0]

    def native(self, q: np.ndarray) -> np.ndarray:
        found = np.zeros(len(self.chain.links))
        found[self.moving] = q
        return found

    def plain(self, answer: np.ndarray) -> np.ndarray:
        return np.asarray(answer)[self.moving]

    def solve(self, start: np.ndarray, target: np.ndarray) -> np.ndarray:
        answer = start
        for begin in (start, *self.again):
            answer = self.chain.inverse_kinematics_frame(
                target, initial_position=begin, orientation_mode="all", tol=TOLERANCE, backend="jax"
            )
            found = self.chain.forward_kinematics(answer)
            near = np.linalg.norm(found[:3, 3] - target[:3, 3]) <= NEAR
            if near and np.linalg.norm(found[:3, :3] - target[:3, :3]) <= TURNED:
                break
        return answer


if __name__ == "__main__":
    serve(IKPy)
