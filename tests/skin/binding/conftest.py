"""Binding tests fill bodies with fewer cubes than users get, so that they are quick."""

from __future__ import annotations

import pytest

from posable.skin.binding import voxels


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test module that wants the real number of cubes has a fixture of this name that does nothing."""
    monkeypatch.setattr(voxels, "_FLESH", 10_000)
