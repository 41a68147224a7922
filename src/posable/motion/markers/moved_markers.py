"""Markers that came off in the middle of a recording and were put back elsewhere on the same part of the body."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posable.motion.markers.marker_model import MarkerModel
from posable.skeleton import Pose
from posable.spatial import Array

_STEP = 0.012  # of the reach: the least change of a marker's position on its body
_STEADY = 3.0  # times how much it moves on its body besides
_BESIDE = 0.25  # s before and after that are compared
_LEAST = 6  # frames of either


class Move(NamedTuple):
    """A marker that is elsewhere on its body from a frame on.

    label: of the marker. frame: the first one. distance: in the markers' unit.
    """

    label: str
    frame: int
    distance: float

    @property
    def later(self) -> str:
        """The label of the marker from that frame on."""
        return f"{self.label} from frame {self.frame}"

    def text(self) -> str:
        """A sentence about it."""
        far = f"{1000 * self.distance:.0f} mm from its earlier position on the body"
        return f"{self.label} sits {far} from frame {self.frame} on: fitted as a second marker, {self.later!r}"


def moved_markers(model: MarkerModel, pose: Pose, seen: np.ndarray, fps: float) -> list[tuple[int, int, float]]:
    """(marker, the first frame, the distance) of those that change their position on the body in one step, which is
    more than they move on it before and after. Several of one body at once are the body's motion.

    pose: of all frames. seen: `[frame, marker]`, strays among them.
    """
    beside, found = max(round(_BESIDE * fps), _LEAST), []
    for m, joint in enumerate(model.carriers):
        known = np.flatnonzero(seen[:, m])
        if len(known) < 2 * _LEAST:
            continue
        frames = pose.world_from_joint[known, joint]
        here = np.einsum("fji,fj->fi", frames[:, :3, :3], model.targets[known, m] - frames[:, :3, 3])
        step = _clearest_step(here, known, beside, _STEP * model.skeleton.reach)
        if step is not None:
            found.append((m, *step))
    return found


def _clearest_step(here: Array, known: np.ndarray, beside: int, least: float) -> tuple[int, float] | None:
    """(frame, distance) of the largest step of positions `[frame, 3]` that is one; None without one."""
    jumps = np.linalg.norm(np.diff(here, axis=0), axis=1)
    best: tuple[int, float] | None = None
    for k in np.flatnonzero(jumps > least) + 1:
        before, after = here[max(k - beside, 0) : k], here[k : k + beside]
        if min(len(before), len(after)) < _LEAST:
            continue
        middles = np.median(before, axis=0), np.median(after, axis=0)
        distance = float(np.linalg.norm(middles[1] - middles[0]))
        parts = zip((before, after), middles, strict=True)
        restless = max(float(np.quantile(np.linalg.norm(part - middle, axis=1), 0.9)) for part, middle in parts)
        if distance > max(least, _STEADY * restless) and (best is None or distance > best[1]):
            best = (int(known[k]), distance)
    return best
