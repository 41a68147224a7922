"""The table of the motion goals: every goal has a row, what breaks or is missing says so, and it measures rightly."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import replace
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
        f"{letter}{n}" for letter, count in (("G", 13), ("F", 5), ("R", 7), ("M", 3)) for n in range(1, count + 1)
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


def test_results_of_retargeting_are_measured_rightly(bench: ModuleType) -> None:
    """Of a walk that slides sideways, stands higher, turns a joint at once, and is itself otherwise."""
    del bench
    from benchmarks.motion import humanoids
    from posable.motion import retargeting

    mannequin = posable.figure("mannequin")
    clip = posable.walk(mannequin, "human", 3, fps=30.0)
    found = retargeting(clip, mannequin.skeleton)
    plain = humanoids.measured(clip, mannequin, found)
    assert max(plain.trunk, plain.arms, plain.legs) < 1e-4
    assert (plain.pops, plain.broken) == (0, 0)
    q = np.array(found.clip.q)
    q[:, 0] += 0.03 * np.arange(len(q)) / clip.fps  # 3 cm/s
    q[:, 1] += 0.02
    elbow = mannequin.skeleton.tables.first_coordinate[mannequin.skeleton.index("forearm_l")]
    q[20:, elbow] += 1.5
    spoilt = humanoids.measured(clip, mannequin, replace(found, clip=replace(found.clip, q=q)))
    scale = found.target.leg_length / 0.88
    assert spoilt.pops == 1
    assert spoilt.slide == pytest.approx(3.0 / scale, abs=0.3)
    np.testing.assert_allclose(spoilt.heights - plain.heights, 2.0 / scale, atol=1e-9)
    assert spoilt.arms > 1
    points = humanoids.foot_points(mannequin, clip.poses[:1], mannequin.skeleton.index("foot_l"))[0]
    skin = mannequin.skins[0].deform(clip.poses[0])
    for place in points[::40]:
        assert np.linalg.norm(skin - place, axis=1).min() < 1e-4


def test_the_lowest_vertex_of_a_fine_rigid_sole_is_among_those_that_are_measured(bench: ModuleType) -> None:
    del bench
    from benchmarks.motion import humanoids

    rng = np.random.default_rng(0)
    plate = rng.uniform(-1, 1, (20_000, 3)) * (0.1, 0.05, 0.01)
    weights = np.ones((len(plate), 1), np.float32)
    skin = posable.Skin.__new__(posable.Skin)
    skin.__dict__.update(vertices=plate, weights=weights)
    kept = humanoids._lowest_of(skin, np.arange(len(plate)), np.zeros(len(plate), np.intp))
    assert len(kept) < 3000
    for down in rng.normal(size=(50, 3)):
        assert (plate @ down).argmin() in kept
