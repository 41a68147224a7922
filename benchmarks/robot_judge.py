"""What a motion of a humanoid robot is like, whoever made it.

Contacts are those of the recording. The ground is the one that the method states. Bodies in one another are MuJoCo's
contacts between the collision solids of the robot's file, but of those pairs that meet at rest.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import posable
from benchmarks.motion.humanoids import foot_points, steps
from posable.motion.feet.contact_detection import contacts, runs
from posable.motion.feet.sole_shapes import soles
from posable.motion.gait_metrics import limits_broken
from posable.motion.transfer.measured import ARM, LEG, Body, believable
from posable.spatial import Array

AIMS = {
    "speed": "frames a second",
    "broken": "frames outside limits, %",
    "skate": "skate in contacts, cm/s",
    "sunk": "into the ground, mean mm",
    "deepest": "into the ground, most mm",
    "inside": "into itself, mean mm",
    "insides": "frames in itself over 5 mm, %",
    "jerk": "jerk, rad/s³",
    "step": "largest step, rad",
    "ends": "hands and feet off, % of the limb",
}
_MIDDLE, _DEEP = 0.8, 5.0


@dataclass(frozen=True)
class Measures:
    """One motion, or the mean of several: the columns of `AIMS`; the largest step and depth are the largest of all.

    versions: of the packages that made it.
    """

    broken: float
    skate: float
    sunk: float
    deepest: float
    inside: float
    insides: float
    jerk: float
    step: float
    ends: float
    speed: float = 0.0
    versions: str = ""


def mean_of(several: Sequence[Measures]) -> Measures:
    """The mean over recordings; steps and depths at their largest."""
    worst = {"deepest", "step"}
    rows = {name: [getattr(one, name) for one in several] for name in AIMS}
    means: dict[str, Any] = {name: float((np.max if name in worst else np.nanmean)(row)) for name, row in rows.items()}
    return Measures(**means)


class Judge:
    """Judges motions of one robot."""

    def __init__(self, robot: Path, figure: posable.Figure) -> None:
        self._figure, self._skeleton = figure, figure.skeleton
        self._body = Body(self._skeleton, posable.roles(figure), soles(figure))
        self._collisions = Collisions(robot, [joint.name for joint in self._skeleton.definitions if joint.dof == 1])

    def measure(self, source: posable.Clip, clip: posable.Clip, floor: float) -> Measures:
        """What a motion is like. floor: the height of the ground on which it was made."""
        touching = believable(source, contacts(source))
        skate, sunk = self._feet(touching, clip, floor)
        inside = 1000 * self._collisions.depths(clip.q)
        hinges = np.array([k for k in range(self._skeleton.dof) if k >= 6])
        moved = np.diff(clip.poses.q[:, 7:], axis=0)
        jerk = np.diff(moved, n=2, axis=0) * clip.fps**3
        assert jerk.shape[1] == len(hinges)
        return Measures(
            broken=100 * float(limits_broken(clip)[0].mean()), skate=skate, sunk=1000 * float(sunk.mean()),
            deepest=1000 * float(sunk.max()), inside=float(inside.mean()), insides=100 * float((inside > _DEEP).mean()),
            jerk=float(np.sqrt(np.mean(jerk**2))), step=float(steps(clip).max()), ends=self._ends(source, clip),
        )  # fmt: skip

    def _feet(self, touching: posable.motion.Contacts, clip: posable.Clip, floor: float) -> tuple[float, Array]:
        """(the mean cm/s of the lowest points of soles in contacts, `[frame]` how deep the lowest is in the ground)."""
        up = "xyz".index(self._skeleton.up)
        slides, lowest = [], []
        for foot, touches in zip(touching.soles, touching.any, strict=True):
            points = foot_points(self._figure, clip.poses, self._body.joints[f"foot_{foot.name[-1]}"])
            lowest.append(points[..., up].min(axis=1))
            at, under = np.arange(len(points) - 1), points[..., up].argmin(axis=1)[:-1]
            moved = np.delete(points[at + 1, under] - points[at, under], up, axis=1)
            speed = np.linalg.norm(moved, axis=1) * clip.fps
            for start, end in runs(touches):
                cut = round(0.5 * (1 - _MIDDLE) * (end - start))
                slides.append(speed[start + cut : max(end - cut - 1, start + cut)])
        every = np.concatenate(slides) if slides else np.zeros(0)
        skate = 100 * float(every.mean()) if len(every) else float("nan")
        return skate, np.maximum(floor - np.min(lowest, axis=0), 0.0)

    def _ends(self, source: posable.Clip, clip: posable.Clip) -> float:
        """Percent of the limb's length that hands and feet are off, from shoulders and hips on, as the source's are."""
        own = Body(source.skeleton, posable.roles(source.skeleton), soles(source))
        off = []
        for limb in (LEG, ARM):
            for side in "lr":
                roles = [f"{part}_{side}" for part in limb]
                roles = [role for role in roles if role in own.joints and role in self._body.joints]
                if len(roles) < 2:
                    continue
                ways = []
                for body, poses in ((own, source.poses), (self._body, clip.poses)):
                    places = [body.position(role) for role in roles]
                    length = float(np.sum(np.linalg.norm(np.diff(places, axis=0), axis=1)))
                    ways.append(
                        (body.positions(poses, roles[-1]) - body.positions(poses, roles[0])) @ body.axes / length
                    )
                off.append(np.linalg.norm(ways[0] - ways[1], axis=1).mean())
        return 100 * float(np.mean(off))


class Collisions:
    """MuJoCo's contacts of a robot with itself."""

    def __init__(self, robot: Path, joints: Sequence[str]) -> None:
        mujoco = importlib.import_module("mujoco")
        spec = mujoco.MjSpec.from_file(str(robot))
        spec.worldbody.bodies[0].add_freejoint()
        self._mujoco, self._model = mujoco, spec.compile()
        self._data = mujoco.MjData(self._model)
        self._slots = [*range(7), *(int(self._model.joint(name).qposadr[0]) for name in joints)]
        self._known: set[tuple[int, int]] = set()
        rest = np.clip(0.0, *self._model.jnt_range[1:].T)
        q = np.zeros(self._model.nq)
        q[3], q[self._model.jnt_qposadr[1:]] = 1.0, rest
        self._known = {pair for pair, _ in self._contacts(q)}

    def depths(self, q: Array) -> Array:
        """`[frame]` metres by which the deepest pair of bodies is in one another."""
        native, found = np.zeros(self._model.nq), []
        for one in q:
            native[self._slots] = one
            found.append(max((depth for pair, depth in self._contacts(native) if pair not in self._known), default=0.0))
        return np.array(found)

    def _contacts(self, q: Array) -> list[tuple[tuple[int, int], float]]:
        self._data.qpos[:] = q
        self._mujoco.mj_fwdPosition(self._model, self._data)
        contact, bodies = self._data.contact, self._model.geom_bodyid
        pairs = bodies[contact.geom]
        return [((int(a), int(b)), max(-float(d), 0.0)) for (a, b), d in zip(pairs, contact.dist, strict=True)]
