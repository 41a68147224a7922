"""The table of the motion goals: every goal has a row, what breaks or is missing says so, and it measures rightly."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import posable


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The package of the harness, which is not installed."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    return importlib.import_module("benchmarks.motion.__main__")


def test_every_goal_is_there(bench: ModuleType) -> None:
    wanted = [
        f"{letter}{n}" for letter, count in (("G", 10), ("F", 5), ("R", 7), ("M", 3)) for n in range(1, count + 1)
    ]
    assert [*wanted, "C", "S1", "S2", "S3", "S4"] == list(bench.GOALS)


def test_a_goal_that_breaks_or_has_no_files_says_why(bench: ModuleType, tmp_path: Path) -> None:
    from benchmarks.motion.goal import Files, Row
    from benchmarks.motion.table import table

    def met(files: Files) -> Iterable[Row]:
        del files
        yield Row("a | b", "1", "0.5", met=True, raw="2")

    def broken(files: Files) -> Iterable[Row]:
        raise ValueError(f"no luck with {files.folder.name}")

    text = table({"A": met, "B": broken, "R7": bench.GOALS["R7"]}, Files(tmp_path))
    lines = text.splitlines()[2:]
    assert lines[0] == "| A | a ∣ b | 1 | 0.5 | 2 |  | ✓ |"
    assert lines[1] == f"| B | broke | | ValueError: no luck with {tmp_path.name} | | | ✗ |"
    assert lines[2] == "| R7 | skipped | | reference/joint_names.json is not in the folder | | | – |"


def test_reasons_are_given_for_what_is_missed_alone(bench: ModuleType) -> None:
    assert set(bench.told.__globals__["WHY"]) <= set(bench.GOALS)
    told = bench.told("| C | a |  |  |  |  | ✗ |\n| R1 | b |  |  |  |  | ✓ |\n")
    assert "**C**" in told
    assert "**R1**" not in told
    assert bench.told("| R1 | b |  |  |  |  | ✓ |\n") == ""


def test_the_quick_goals_are_met(bench: ModuleType, tmp_path: Path) -> None:
    from benchmarks.motion.goal import Files

    for name in ("G1", "G9"):
        rows = list(bench.GOALS[name](Files(tmp_path)))
        assert [row.reached for row in rows if not row.met] == []


def test_markers_on_the_skin_are_where_their_joints_carry_them(bench: ModuleType) -> None:
    del bench
    from benchmarks.motion import markers
    from benchmarks.motion.goal import mannequin

    table = markers._on_the_skin()
    assert len(table) == 41
    figure = mannequin()
    still = posable.Clip(figure.skeleton, np.tile(figure.rest.q, (2, 1)), 30.0)
    places = markers._positions(still, table)
    skin = figure.skins[0].deform(figure.rest)
    for place in places[0]:
        assert np.linalg.norm(skin - place, axis=1).min() < 1e-6
    assert markers._errors(still, still, table) == (0.0, pytest.approx(0.0, abs=1e-9))
