"""What every goal works with: the files, and the rows of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

import posable


class Skipped(Exception):  # noqa: N818
    """A goal that cannot be measured here; its words are the reason."""


@dataclass(frozen=True)
class Row:
    """One line of the table. raw: the same of the recording as it is; naive: of rotations copied. All in the unit that
    the aim names.
    """

    what: str
    aim: str
    reached: str
    met: bool
    raw: str = ""
    naive: str = ""


@dataclass(frozen=True)
class Files:
    """The folder of real files."""

    folder: Path

    def path(self, name: str) -> Path:
        """A file of the folder. Raises Skipped where it is not there."""
        path = self.folder / name
        if not path.exists():
            raise Skipped(f"{name} is not in the folder")
        return path

    def figure(self, name: str) -> posable.Figure:
        """The figure of a file, free to travel."""
        return _figure(self.path(name))

    def clip(self, name: str, fps: float | None = None, start: int = 1) -> posable.Clip:
        """The first clip of a file; its first frame is left out, which in recordings often is a T-pose."""
        clip = self.figure(name).clips[0]
        clip = replace(clip, q=clip.q[start:])
        return clip if fps is None else clip.resample(fps)


@cache
def _figure(path: Path) -> posable.Figure:
    figure = posable.load(path)
    return figure.with_root("free") if figure.skeleton.definitions[0].kind == "fixed" else figure


@cache
def mannequin() -> posable.Figure:
    """The built-in person."""
    return posable.figure("mannequin")


@cache
def loop(gait: str | posable.Gait = "human", steps: int = 8, fps: float = 120.0) -> posable.Clip:
    """A steady walk of the mannequin, which begins and ends in mid-walk."""
    return posable.walk(mannequin(), gait, steps, starts=False, stops=False, fps=fps)


Goal = Callable[[Files], Iterable[Row]]

RECORDED = ("mocap/cmu_12_01_walk.bvh", "mocap/cmu_02_01.bvh")
"""Natural walks on level ground."""
UNEVEN = "mocap/cmu_03_02.bvh"
"""A walk over uneven ground."""


def degrees_rms(values: np.ndarray) -> float:
    """Root mean square, in degrees, of radians."""
    return float(np.degrees(np.sqrt(np.mean(np.square(values)))))


def short(name: str) -> str:
    """A file's name without folder and ending."""
    return Path(name).stem
