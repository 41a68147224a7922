"""`posable bench`."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.cli import bench as timing
from posable.cli.bench import Test, Timing, _percent

Test.__test__ = False  # no test of pytest's


@pytest.fixture
def two_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """An arm and a figure with a floating root, a few poses each."""
    hands = Test("mannequin", ("hand_l", "hand_r"), False)
    monkeypatch.setattr("posable.cli.bench.TESTS", (Test("arm7", ("tool",), True), hands))


@pytest.mark.slow
@pytest.mark.usefixtures("two_tests")
def test_quick_times_each_kind_of_call_and_all_is_solved(run) -> None:
    rows = run("bench", "--quick", "--json").json["rows"]
    assert [row["call"] for row in rows] == 2 * ["10 one by one", "10 at once", "10 frames"]
    assert [row["goals"] for row in rows] == 3 * ["tool frame"] + 3 * ["2 positions"]
    assert all(row["solved"] == 1 and row["mean"] > 0 and row["poses"] == 10 for row in rows)
    single, batch, motion = rows[:3]
    assert 0 < single["median"] <= single["p95"]
    assert batch["median"] is batch["p95"] is motion["median"] is None


@pytest.mark.slow
@pytest.mark.usefixtures("two_tests")
def test_the_table_fits_a_narrow_terminal(run) -> None:
    ran = run("bench", "--quick")
    assert ran.status == 0
    assert "arm7, tool frame" in ran.out
    assert "median µs" in ran.out
    assert f"posable {posable.__version__}" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    assert "…" not in ran.out


def test_every_test_names_joints_that_are_there() -> None:
    for test in timing.TESTS:
        skeleton = posable.figure(test.figure).skeleton
        assert [skeleton.joints[skeleton.index(joint)] for joint in test.joints] == list(test.joints)


def test_solved_counts_only_what_is_within_both_tolerances() -> None:
    bench = Timing(Test("arm7", ("tool",), True))
    start = bench.start
    (target,) = bench._targets(start)
    wanted = np.tile(target, (4, 1, 1))
    wanted[1, 0, 3] += 0.9e-6
    wanted[2, 0, 3] += 1.1e-6
    turn = 1.1e-5
    wanted[3, :3, :3] = [[1, -turn, 0], [turn, 1, 0], [0, 0, 1]] @ wanted[3, :3, :3]
    same = posable.Pose(bench.skeleton, np.tile(start.q, (4, 1)))
    assert [bench._solved(posable.Pose(bench.skeleton, same.q[[k]]), [wanted[[k]]]) for k in range(4)] == [1, 1, 0, 0]
    assert bench._solved(same, [wanted]) == 0.5


def test_targets_stay_where_the_figure_can_reach_them() -> None:
    bench = Timing(Test("mannequin", ("hand_r",), False))
    for poses in (bench._random(5), bench._motion(5)):
        np.testing.assert_array_equal(poses.q, poses.clamped().q)
    np.testing.assert_array_equal(bench._random(5).q[:, :7], np.tile(bench.start.q[:7], (5, 1)))


def test_nearly_all_is_not_all() -> None:
    assert (_percent(1.0), _percent(0.9999), _percent(0.5)) == ("100 %", "99.9 %", "50.0 %")
