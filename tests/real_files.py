"""Where the real files of the tests are: in `tests/data`, among posable's samples, and in `../shared/data`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import posable

DATA = Path(__file__).parent / "data"
SHARED = Path(os.path.normpath(Path(__file__).parents[1] / "../shared/data"))
SAMPLES = {
    "characters/Q_Wolf.glb": "wolf.glb",
    "meshes/mh_female1605.obj": "person.obj",
    "robots/g1_29dof_rev_1_0.urdf": "g1.urdf",
    "robots/panda.urdf": "panda.urdf",
}
"""Samples that are unchanged copies of files in `../shared/data`."""
STAND_INS = {"characters/Knight.glb": "knight.glb"}
"""Samples that are cut from files in `../shared/data`, and serve where those are not beside the checkout."""


class RealFiles(type(Path())):
    """The folder `../shared/data`, or one in it: `folder / name` is that file wherever it is, else the test is skipped.

    A folder in it is a `RealFiles` again, so that `shared / "robots" / "panda.urdf"` finds what
    `shared / "robots/panda.urdf"` finds.
    """

    def __truediv__(self, name: Any) -> Any:
        inside = Path(os.path.relpath(Path(self, name), SHARED))
        if (DATA / inside).is_dir() or (SHARED / inside).is_dir():
            return RealFiles(SHARED / inside)
        for path in _places(inside):
            if path.exists():
                return path
        return pytest.skip(f"{inside.as_posix()} is not here (../shared/data beside the checkout)")

    def glob(self, pattern: str) -> Iterator[Path]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The files of this name here or there, those of `tests/data` first."""
        inside = os.path.relpath(self, SHARED)
        found = [path for folder in (DATA, SHARED) for path in Path(folder, inside).glob(pattern)]
        yield from {path.name: path for path in reversed(found)}.values()


def _places(inside: Path) -> Iterator[Path]:
    yield DATA / inside
    if inside.as_posix() in SAMPLES:
        yield posable.sample(SAMPLES[inside.as_posix()])
    yield SHARED / inside
    if inside.as_posix() in STAND_INS:
        yield posable.sample(STAND_INS[inside.as_posix()])
