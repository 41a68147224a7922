"""The judge of the benchmarks: its plain NumPy kinematics and posable's, which share nothing, agree."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import posable


@pytest.fixture(autouse=True)
def bench(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The modules of the harness, which is no package that is installed."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    from benchmarks.solver import figures, judge, robots, sampling, trees
    from benchmarks.solver.sets.hopeless import straight
    from benchmarks.solver.sets.mixed import middle, two_arms

    figures_of_its_own = {"straight": straight, "middle": middle, "two_arms": two_arms}
    return SimpleNamespace(
        figures=figures, judge=judge, robots=robots, sampling=sampling, trees=trees, **figures_of_its_own
    )


@pytest.mark.parametrize("name", ["mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7"])
def test_it_places_every_built_in_figure_as_posable_does(bench, name) -> None:
    skeleton = posable.figure(name).skeleton
    poses = skeleton.random_pose(np.random.default_rng(0), (4,))
    tree = bench.figures.tree_of(skeleton, name)
    np.testing.assert_allclose(bench.trees.place(tree, poses.q), poses.world_from_joint, atol=1e-12 * skeleton.reach)
    assert bench.judge.outside(tree, poses.q).max() < 1e-9


def test_a_tree_of_all_kinds_of_joints_becomes_a_skeleton_and_comes_back(bench) -> None:
    tree = bench.two_arms()
    skeleton = bench.figures.skeleton_of(bench.trees.from_plain(bench.trees.to_plain(tree)))
    assert [joint.kind for joint in skeleton.definitions][:4] == ["planar", "slide", "universal", "ball"]
    q = bench.sampling.inside(tree, bench.middle(tree), 5, np.random.default_rng(0))
    np.testing.assert_allclose(posable.Pose(skeleton, q).world_from_joint, bench.trees.place(tree, q), atol=1e-12)
    np.testing.assert_allclose(posable.Pose(skeleton, q).clamped().q, q, atol=1e-12)
    again = bench.figures.tree_of(skeleton, tree.name)
    np.testing.assert_allclose(bench.trees.place(again, q), bench.trees.place(tree, q), atol=1e-12)


def test_a_urdf_that_it_writes_says_the_same_to_both(bench, tmp_path) -> None:
    tree = bench.straight()
    bench.robots.write_urdf(tree, tmp_path / "arm.urdf")
    q = np.random.default_rng(0).uniform(-2, 2, (5, 7))
    skeleton, again = posable.load(tmp_path / "arm.urdf").skeleton, bench.robots.read_urdf(tmp_path / "arm.urdf")
    tip = bench.trees.place(tree, q)[:, tree.index("tip")]
    np.testing.assert_allclose(bench.trees.place(again, q)[:, again.index("tip")], tip, atol=1e-12)
    np.testing.assert_allclose(posable.Pose(skeleton, q).world_from_joint[:, skeleton.index("tip")], tip, atol=1e-12)


def test_it_measures_how_far_a_ball_is_outside_its_cone(bench) -> None:
    limits = bench.trees.Swing((0.0, 1.0, 0.0), 0.5, (-0.3, 0.2))
    swing = bench.trees.quaternion_about(np.array([1.0, 0.0, 1.0]), np.array(0.6))
    twist = bench.trees.quaternion_about(np.array([0.0, 1.0, 0.0]), np.array(0.45))
    both = bench.sampling.product(swing, twist)
    for wxyz, expected in ((swing, 0.1), (twist, 0.25), (both, 0.25), (np.array([1.0, 0, 0, 0]), 0)):
        assert bench.judge.outside_swing(limits, wxyz) == pytest.approx(expected, abs=1e-12)


def test_only_what_is_near_and_inside_is_right(bench) -> None:
    tree, aims = bench.straight(), [bench.judge.Aim("tip")]
    q = np.full((4, 7), 0.1)
    targets = np.tile(bench.trees.place(tree, q[:1])[:, [tree.index("tip")]], (4, 1, 1, 1))
    targets[1, 0, 0, 3] += 2e-6
    targets[2, 0, :3, :3] = bench.trees.rotation((0.0, 0.0, 1.0), np.array(2e-5)) @ targets[2, 0, :3, :3]
    assert bench.judge.judge(tree, aims, q, targets).right().tolist() == [True, False, False, True]
    lost = np.where(np.arange(4)[:, None] == 3, np.nan, q)
    assert bench.judge.judge(tree, aims, lost, targets).right().tolist() == [True, False, False, False]
    far = np.full((1, 7), 2.1)  # beyond its limits of 2
    there = bench.trees.place(tree, far)[:, [tree.index("tip")]]
    assert bench.judge.judge(tree, aims, far, there).right().tolist() == [False]


def test_a_jump_between_frames_is_a_flip(bench) -> None:
    tree = bench.straight()
    smooth = np.linspace(0, 1, 11)[:, None] * np.ones(7)
    jumping = smooth.copy()
    jumping[5:, 2] += 0.15
    assert bench.judge.flips(tree, smooth, smooth) == 0
    assert bench.judge.flips(tree, jumping, smooth) == 1


def test_it_measures_errors_as_the_solver_does(bench) -> None:
    from posable.goals.term_arrays import ANGLE

    assert bench.judge.RADIAN == ANGLE
    verdict = bench.judge.Verdict(np.array([[3.0, 0.0]]), np.array([[0.0, 4.0]]), np.zeros(1))
    assert verdict.error(reach=1.5) == pytest.approx([np.sqrt(4 + ANGLE * 16)])
