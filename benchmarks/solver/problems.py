"""One problem as a peer gets it: a robot to read, a start, targets, and how it is to be solved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.solver.judge import Aim
from benchmarks.solver.robots import fits_urdf, joint_name, write_urdf
from benchmarks.solver.trees import Array, Tree, place, to_plain

RESTARTS = 20


@dataclass(frozen=True)
class Problem:
    """`truth` is what made the targets: an answer each peer could give. warm: each frame starts from the last answer.

    mode: how posable is called (the peers have one way only). up: "y" or "z".
    """

    name: str
    tree: Tree
    aims: Sequence[Aim]
    start: Array  # [coordinate]
    truth: Array  # [problem, coordinate]
    targets: Array  # [problem, aim, 4, 4]
    warm: bool = False
    mode: str = "prepared"
    restarts: int = RESTARTS
    more: dict[str, object] = field(default_factory=dict)

    def write(self, folder: Path, seconds: float) -> Path:
        """The robot as robot.urdf and everything else as problem.npz; gives the latter."""
        folder.mkdir(parents=True, exist_ok=True)
        urdf = folder / "robot.urdf"
        if fits_urdf(self.tree):
            write_urdf(self.tree, urdf)
        path = folder / "problem.npz"
        arrays = {"start": self.start, "targets": self.targets, "roots": self.truth[:, :7]}
        about = {
            "name": self.name,
            "urdf": str(urdf),
            "tree": to_plain(self.tree),
            "base": self.tree.nodes[0].name,
            "tip": self.aims[0].body,
            "aims": [vars(aim) for aim in self.aims],
            "joints": [joint_name(node) for node in self.tree.nodes if node.axes],
            "floats": self.tree.nodes[0].kind == "free",
            "warm": self.warm,
            "mode": self.mode,
            "restarts": self.restarts,
            "seconds": seconds,
            **self._at_zero(),
            **self.more,
        }
        lower, upper = self.tree.scalar_limits()
        again = np.zeros((0, len(lower))) if self.warm else self._more_starts(lower, upper)
        np.savez(path, **arrays, lower=lower, upper=upper, again=again, about=json.dumps(about))
        return path

    def _at_zero(self) -> dict[str, object]:
        """World axes of the hinges, a point on each and the tip at angles 0: the geometry that closed forms want."""
        if any(node.kind not in ("fixed", "axes") for node in self.tree.nodes):
            return {}
        world = place(self.tree, np.zeros(len(self.start)))
        moving = [i for i, node in enumerate(self.tree.nodes) if node.axes]
        axes = [(world[i, :3, :3] @ self.tree.nodes[i].axes[0].direction).tolist() for i in moving]
        tip = world[self.tree.index(self.aims[0].body)]
        points = [world[i, :3, 3].tolist() for i in moving] + [tip[:3, 3].tolist()]
        return {"axes_at_zero": axes, "points_at_zero": points, "tip_at_zero": tip.tolist()}

    def _more_starts(self, lower: Array, upper: Array) -> Array:
        """`[restart, coordinate]`: uniform in the limits (what has none stays), for peers that cannot restart."""
        rng = np.random.default_rng(1)
        bounded = np.isfinite(lower) & np.isfinite(upper)
        low, high = np.where(bounded, lower, self.start), np.where(bounded, upper, self.start)
        return rng.uniform(low, high, (self.restarts, len(low)))
