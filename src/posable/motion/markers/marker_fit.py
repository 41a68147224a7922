"""What came of fitting markers: the clip, the sized figure, and how well each marker is followed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.figures import Figure
from posable.motion.markers.attachments import Attachments
from posable.spatial import Array


class Residual(NamedTuple):
    """How far one marker is from its place on the figure: rms and largest, in the markers' unit, over the `frames` that
    count; `strays` is in how many more it was seen, but far off.
    """

    rms: float
    largest: float
    frames: int
    strays: int


@dataclass(frozen=True, eq=False)
class MarkerFit:
    """A motion found from markers.

    clip: on the skeleton of `figure`. figure: the one given, with lengths to fit. attachments: where the markers sit on
        it, as found; give them to the next recording of the same person.
    labels: of the markers used. misses: `[frame, marker]` their distances, in the markers' unit, NaN where they do not
        count: in gaps, and where they stray. strays: `[frame, marker]` where they were seen, but far off their place.
    unused: label → why it was left out. unit: the figure's length units in one of the markers'.
    notes: what was assumed, and what deserves a look, one sentence each.
    """

    clip: Clip
    figure: Figure
    attachments: Attachments
    labels: tuple[str, ...]
    misses: Array
    strays: NDArray[np.bool_]
    unused: Mapping[str, str]
    unit: float
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"MarkerFit({len(self.labels)} markers, {len(self.clip)} frames, {1000 * self.rms:.1f} mm rms)"

    @cached_property
    def residuals(self) -> Mapping[str, Residual]:
        """Label → its residual, for the markers used."""
        return {label: _residual(self.misses[:, m], self.strays[:, m]) for m, label in enumerate(self.labels)}

    @property
    def rms(self) -> float:
        """Of all used markers in all frames, in the markers' unit."""
        return _residual(self.misses, self.strays).rms

    @property
    def largest(self) -> float:
        """The largest distance of a used marker in any frame, in the markers' unit."""
        return _residual(self.misses, self.strays).largest

    def text(self) -> str:
        """A table for a person: each marker, the joint that carries it, rms and largest miss in mm, frames seen."""
        wide = max(map(len, self.labels))
        joints = max(len(self.attachments[label].joint) for label in self.labels)
        rows = [f"{'marker':{wide}}  {'joint':{joints}}  rms mm  max mm  frames  strays"]
        every = [(label, self.attachments[label].joint, one) for label, one in self.residuals.items()]
        for label, joint, one in [*every, ("all", "", _residual(self.misses, self.strays))]:
            numbers = f"{1000 * one.rms:6.1f}  {1000 * one.largest:6.1f}  {one.frames:6}  {one.strays:6}"
            rows.append(f"{label:{wide}}  {joint:{joints}}  {numbers}")
        by_reason: dict[str, list[str]] = {}
        for label, why in self.unused.items():
            by_reason.setdefault(why, []).append(label)
        rows += [f"left out ({why}): {_listed(labels)}" for why, labels in by_reason.items()]
        return "\n".join([*rows, *self.notes])


def _listed(labels: list[str], most: int = 12) -> str:
    more = f" and {len(labels) - most} more" if len(labels) > most else ""
    return ", ".join(labels[:most]) + more


def _residual(misses: Array, strays: NDArray[np.bool_]) -> Residual:
    seen = misses[np.isfinite(misses)]
    return Residual(float(np.sqrt(np.mean(seen**2))), float(seen.max()), len(seen), int(strays.sum()))
