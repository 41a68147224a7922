"""Markers: labelled points over time, with gaps, as an optical system records them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import PosableError, near_names
from posable.figures import Figure
from posable.motion.markers.exchanged_labels import Exchange
from posable.motion.markers.landmarks import Attachments, listed
from posable.spatial import Array

_FAR_BEYOND = 50.0  # of the usual distance of a marker from the middle of all


@dataclass(frozen=True, eq=False)
class Markers:
    """Recorded markers.

    Args:
        labels: Unique labels, `[marker]`.
        positions: `[frame, marker, 3]` in metres (or in the file's unit, if it does not name one); NaN in gaps.
        fps: Frames per second.
        up: The up axis of the laboratory, "y" or "z".
        name: Name of the recording.

    Raises:
        PosableError: For shapes that do not match, or repeated labels.

    Example:
        >>> markers = posable.Markers(("LTOE", "RTOE"), np.zeros((60, 2, 3)), fps=60.0)
        >>> len(markers)
        60
    """

    labels: tuple[str, ...]
    positions: Array
    fps: float
    up: Literal["y", "z"] = "z"
    name: str = ""

    def __post_init__(self) -> None:
        positions = np.array(np.ma.filled(np.ma.asarray(self.positions, float), np.nan))
        labels = tuple(self.labels)
        if positions.ndim != 3 or positions.shape[1:] != (len(labels), 3) or not len(positions):
            raise PosableError(
                f"markers {self.name!r}: positions are frames × {len(labels)} markers × 3, not {positions.shape}"
            )
        if not (0 < self.fps < np.inf):
            raise PosableError(f"markers {self.name!r}: fps must be above 0, not {self.fps}")
        twice = [label for label in labels if labels.count(label) > 1]
        if twice:
            raise PosableError(f"markers {self.name!r}: the label {twice[0]!r} comes twice; rename one of the two")
        positions[~np.isfinite(positions).all(axis=-1)] = np.nan
        positions.setflags(write=False)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "labels", labels)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"Markers({self.name!r}, {len(self.labels)} labels, {len(self)} frames at {self.fps:g} fps)"

    @property
    def seen(self) -> NDArray[np.bool_]:
        """`[frame, marker]`: where there is no gap."""
        return np.isfinite(self.positions[..., 0])

    def of(self, label: str) -> Array:
        """`[frame, 3]` of one marker. Raises PosableError for an unknown label, with the closest ones."""
        if label not in self.labels:
            near = near_names(label, self.labels)
            hint = f"did you mean {' or '.join(near)}?" if near else f"choose from {', '.join(self.labels[:12])}"
            raise PosableError(f"no marker is called {label!r}; {hint}")
        return self.positions[:, self.labels.index(label)]

    def only(self, labels: Sequence[str]) -> Markers:
        """These markers alone, in this order."""
        return replace(self, labels=tuple(labels), positions=np.stack([self.of(label) for label in labels], axis=1))

    def renamed(self, names: Mapping[str, str]) -> Markers:
        """The same with other labels: {old: new}."""
        for old in names:
            self.of(old)
        return replace(self, labels=tuple(names.get(label, label) for label in self.labels))

    def divided(self, label: str, frame: int, later: str) -> Markers:
        """The same with the marker under the label `later` from `frame` on."""
        own, after = np.array(self.of(label)), np.array(self.of(label))
        own[frame:], after[:frame] = np.nan, np.nan
        positions = np.array(self.positions)
        positions[:, self.labels.index(label)] = own
        positions = np.concatenate([positions, after[:, None]], axis=1)
        return replace(self, labels=(*self.labels, later), positions=positions)

    def trim(self, start: float = 0.0, end: float | None = None) -> Markers:
        """The frames from `start` to `end` seconds."""
        last = len(self) - 1 if end is None else round(end * self.fps)
        first = round(start * self.fps)
        if not 0 <= first <= last < len(self):
            raise PosableError(f"markers {self.name!r} last {(len(self) - 1) / self.fps:g} s, not {start} to {end} s")
        return replace(self, positions=self.positions[first : last + 1])

    def without_strays(self) -> Markers:
        """The same with gaps where a marker is exactly at the origin, as some programs write gaps, and where it is far
        beyond all others: by 50 times their usual distance from the middle one.
        """
        lost = self.seen & (self.positions == 0).all(axis=-1)
        seen = self.seen & ~lost
        frames = seen.any(axis=1)
        if not frames.any():
            return self
        kept = np.where(seen[..., None], self.positions, np.nan)[frames]
        away = np.linalg.norm(kept - np.nanmedian(kept, axis=1, keepdims=True), axis=-1)
        usual = float(np.median(away[np.isfinite(away)]))
        lost[frames] |= np.isfinite(away) & (away > _FAR_BEYOND * usual) & (usual > 0)
        return replace(self, positions=np.where(lost[..., None], np.nan, self.positions)) if lost.any() else self

    def filled(self, longest: float = 0.2) -> Markers:
        """Gaps of up to `longest` seconds filled along a cubic spline; longer ones stay."""
        from scipy.interpolate import CubicSpline

        positions, frames = np.array(self.positions), np.arange(len(self))
        for m, seen in enumerate(self.seen.T):
            if seen.sum() < 4 or seen.all():
                continue
            known = np.flatnonzero(seen)
            before = np.searchsorted(known, frames, side="right") - 1
            inside = (before >= 0) & (before < len(known) - 1) & ~seen
            spans = known[np.clip(before + 1, 0, len(known) - 1)] - known[np.clip(before, 0, None)] - 1
            short = inside & (spans <= longest * self.fps + 1e-9)
            positions[short, m] = CubicSpline(known, self.positions[known, m])(frames[short])
        return replace(self, positions=positions)


# What came of fitting markers: the clip, the sized figure, and how well each marker is followed.


class Residual(NamedTuple):
    """The distance of a marker from its position on the figure.

    rms, largest: in the markers' unit, over the `frames` that count. strays: the number of frames in which it was far
    off.
    """

    rms: float
    largest: float
    frames: int
    strays: int


@dataclass(frozen=True, eq=False)
class MarkerFit:
    """A motion fitted to markers.

    Args:
        clip: The motion, on the skeleton of `figure`.
        figure: The given figure, with fitted segment lengths.
        attachments: Fitted attachments of the markers; reuse them for the next recording of the same person.
        labels: Labels of the markers that were used.
        misses: Residual distances `[frame, marker]` in the markers' unit; NaN in gaps and for outliers.
        strays: `[frame, marker]`, whether the marker is an outlier.
        unused: {label: reason} of the markers that were not used.
        unit: Length units of the figure per unit of the markers.
        notes: Assumptions, and what to check, one sentence each.
        unsupported: Parts of the body that no marker supports ("chest", "left arm"); they are as at rest.
        exchanged: Labels that were on one another's marker and were put right, and in which frames.

    Example:
        >>> attachments = {f"at {name}": posable.Attachment(name) for name in figure.skeleton.joints}
        >>> markers = posable.Markers(tuple(attachments), clip.poses.origins, clip.fps, "y")
        >>> fit = posable.fit_markers(figure, markers, attachments, lengths=False)
        >>> fit.clip.fps == clip.fps
        True
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
    unsupported: tuple[str, ...] = ()
    exchanged: tuple[Exchange, ...] = ()

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
        rows += [f"left out ({why}): {listed(labels)}" for why, labels in by_reason.items()]
        return "\n".join([*rows, *self.notes])


def _residual(misses: Array, strays: NDArray[np.bool_]) -> Residual:
    seen = misses[np.isfinite(misses)]
    return Residual(float(np.sqrt(np.mean(seen**2))), float(seen.max()), len(seen), int(strays.sum()))
