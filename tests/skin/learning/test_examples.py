"""Weights from example poses: real sequences whose truth is known, made-up ones, laws, and what is refused."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skin.learning.tubes import Tube, blended, edges, rms, tube

import posable
from benchmarks import skin_examples as bench
from posable.errors import SkinError
from posable.skin import LearntSkin
from posable.spatial import matrix_from_wxyz, random_wxyz

MADE = tube()


@cache
def learnt_of_tube() -> LearntSkin:
    return posable.weights_from_examples(MADE.rest, MADE.frames, 4)


def check_laws(learnt: LearntSkin, influences: int = 4, rigid: float = 1e-9) -> None:
    """What holds of every answer."""
    assert (learnt.weights >= 0).all() and np.abs(learnt.weights.sum(axis=1) - 1).max() < 1e-12
    assert (learnt.weights > 0).sum(axis=1).max() <= influences
    turn = learnt.transforms[..., :3, :3] / learnt.scale
    np.testing.assert_allclose(turn @ turn.swapaxes(-1, -2), np.broadcast_to(np.eye(3), turn.shape), atol=rigid)
    assert (np.linalg.det(turn) > 0).all()
    assert (learnt.parents == -1).sum() == 1 and len(learnt.skeleton.joints) == learnt.weights.shape[1]


def upwards(learnt: LearntSkin) -> np.ndarray:
    """The joints of the learnt tube from its foot on."""
    return np.argsort(learnt.weights.T @ MADE.rest[:, 1] / learnt.weights.sum(axis=0))


def play(learnt: LearntSkin) -> np.ndarray:
    return learnt.skin.deform(posable.Pose(learnt.skeleton, learnt.q))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "error", "played", "alone"),
    [
        ("cesiumman_walk", 1.5e-4, 5e-4, 1.0),
        ("wolf_gallop", 2.5e-4, 1e-3, 0.5),
        ("mh_game_engine_randposes", 1.5e-4, 4e-4, 0.8),
    ],
)
def test_real_sequences_are_learnt_to_well_under_a_thousandth(
    shared: Path, name: str, error: float, played: float, alone: float
) -> None:
    """The plain sum judges. `alone`: what share is found within 1 % of the joints that some vertex follows alone."""
    truth = bench.read(shared / "weights_from_samples", name)
    learnt = posable.weights_from_examples((truth.rest, truth.faces), truth.frames, truth.weights.shape[1])
    check_laws(learnt)
    judged = rms(blended(truth.rest, learnt.weights, learnt.transforms), truth.frames) / truth.diagonal
    assert judged < error
    assert learnt.error == pytest.approx(judged, rel=1e-3)
    assert learnt.distance == pytest.approx(judged * truth.diagonal, rel=1e-3)
    on_skeleton = rms(play(learnt), truth.frames) / truth.diagonal
    assert on_skeleton < played
    assert learnt.played_error == pytest.approx(on_skeleton, rel=1e-2)
    near = bench.joint_errors(truth, learnt.transforms)[bench.told(truth)] < 0.01
    assert near.mean() >= alone
    assert learnt.parents[0] == -1 and (learnt.parents[1:] < np.arange(1, len(learnt.parents))).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "weights_left", "motion_left", "bones"),
    [
        ("cesiumman_walk", 1e-7, 1e-7, 1.0),
        ("wolf_gallop", 5e-5, 3e-6, 0.6),
        ("mh_game_engine_randposes", 1e-7, 1e-7, 1.0),
    ],
)
def test_the_easier_problems_are_solved(
    shared: Path, name: str, weights_left: float, motion_left: float, bones: float
) -> None:
    """The files keep single precision. `bones`: the share of the true tree's recovered from weights and motion."""
    truth = bench.read(shared / "weights_from_samples", name)
    by_motion = posable.weights_from_examples((truth.rest, truth.faces), truth.frames, transforms=truth.transforms)
    check_laws(by_motion, rigid=1e-5)
    assert rms(blended(truth.rest, by_motion.weights, truth.transforms), truth.frames) < weights_left * truth.diagonal
    by_weights = posable.weights_from_examples((truth.rest, truth.faces), truth.frames, weights=truth.weights)
    np.testing.assert_allclose(by_weights.weights, truth.weights, atol=1e-6)
    assert rms(blended(truth.rest, truth.weights, by_weights.transforms), truth.frames) < motion_left * truth.diagonal
    wanted = edges(truth.parents)
    assert len(wanted & edges(by_weights.parents)) >= bones * len(wanted)


def test_a_chain_is_found_whole() -> None:
    learnt = learnt_of_tube()
    check_laws(learnt)
    assert learnt.error < 1e-5
    assert learnt.played_error < 1e-4
    order = upwards(learnt)
    np.testing.assert_allclose(learnt.weights[:, order], MADE.weights, atol=1e-3)
    np.testing.assert_allclose(learnt.transforms[:, order], MADE.transforms, atol=1e-2)
    assert edges(learnt.parents) == {frozenset(map(int, pair)) for pair in pairwise(order)}


def test_the_same_frames_give_the_same_answer_and_are_left_alone() -> None:
    frames = MADE.frames.copy()
    again = posable.weights_from_examples(MADE.rest, frames, 4)
    np.testing.assert_array_equal(frames, MADE.frames)
    for name in ("weights", "transforms", "parents", "centers", "q"):
        np.testing.assert_array_equal(getattr(again, name), getattr(learnt_of_tube(), name))


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e4])
def test_another_place_size_or_rigid_motion_changes_nothing(size: float) -> None:
    rng = np.random.default_rng(0)
    turns, shifts = matrix_from_wxyz(random_wxyz(rng, (len(MADE.frames),))), size * rng.normal(size=(12, 1, 3))
    frames = size * np.einsum("fab,fvb->fva", turns, MADE.frames) + shifts
    learnt = posable.weights_from_examples(size * MADE.rest + 3 * size, frames, 4)
    order = upwards(learnt)
    np.testing.assert_allclose(learnt.weights[:, order], MADE.weights, atol=1e-3)
    assert rms(play(learnt), frames) < 1e-4 * size * MADE.diagonal


def test_frames_may_be_in_another_unit() -> None:
    learnt = posable.weights_from_examples(MADE.rest, 100 * MADE.frames, 4)
    check_laws(learnt)
    assert learnt.scale == pytest.approx(100, rel=1e-3)
    assert rms(blended(MADE.rest, learnt.weights, learnt.transforms), 100 * MADE.frames) < 0.1 * MADE.diagonal
    assert rms(play(learnt), 100 * MADE.frames) < 0.2 * MADE.diagonal


@pytest.mark.slow
def test_more_joints_leave_less() -> None:
    made = tube(joints=8, frames=10, vertices=500)
    errors = [posable.weights_from_examples(made.rest, made.frames, joints).error for joints in (1, 2, 4, 6, 8)]
    assert errors == sorted(errors, reverse=True) and errors[-1] < 1e-3 < 0.1 * errors[0]


def test_as_few_joints_as_reach_the_target() -> None:
    for target in (0.05, 1e-3):
        learnt = posable.weights_from_examples(MADE.rest, MADE.frames, None, target=target)
        assert learnt.error <= target and learnt.weights.shape[1] <= 4
    assert learnt.weights.shape[1] == 4


def test_noise_is_not_learnt() -> None:
    """The best fit to noisy frames is no farther from the frames without noise than the noise is."""
    noise = 2e-3 * MADE.diagonal * np.random.default_rng(0).normal(size=MADE.frames.shape)
    learnt = posable.weights_from_examples(MADE.rest, MADE.frames + noise, 4)
    clean = rms(blended(MADE.rest, learnt.weights, learnt.transforms), MADE.frames)
    assert learnt.distance < rms(noise, np.zeros_like(noise))
    assert clean < 0.5 * rms(noise, np.zeros_like(noise))


@pytest.mark.slow
def test_shells_doubled_and_still_vertices() -> None:
    """Two tubes and a still one; every vertex twice: the doubles follow the same joints."""
    other, still = tube(seed=1), MADE.rest + np.array([5, 0, 0])
    rest = np.concatenate([MADE.rest, other.rest - [5, 0, 0], still])
    frames = np.concatenate([MADE.frames, other.frames - [5, 0, 0], np.tile(still, (12, 1, 1))], axis=1)
    learnt = posable.weights_from_examples(np.tile(rest, (2, 1)), np.tile(frames, (1, 2, 1)), 9)
    check_laws(learnt)
    assert learnt.error < 3e-4
    np.testing.assert_allclose(learnt.weights[:900], learnt.weights[900:], atol=1e-6)
    moved = blended(still, learnt.weights[600:900], learnt.transforms)
    assert rms(moved, np.broadcast_to(still, moved.shape)) < 1e-3 * MADE.diagonal


@pytest.mark.parametrize("vertices", [1, 2, 3, 5])
def test_a_handful_of_vertices(vertices: int) -> None:
    learnt = posable.weights_from_examples(MADE.rest[:vertices], MADE.frames[:, :vertices], vertices)
    check_laws(learnt)
    assert np.isfinite(learnt.transforms).all() and np.isfinite(learnt.error)


def test_what_never_moves_needs_one_joint() -> None:
    learnt = posable.weights_from_examples(MADE.rest, np.tile(MADE.rest, (3, 1, 1)), 10)
    assert learnt.weights.shape == (300, 1) and learnt.error < 1e-12
    alike = posable.weights_from_examples(np.ones((5, 3)), np.ones((2, 5, 3)), 2)
    assert alike.weights.shape == (5, 1) and alike.distance == 0


@pytest.mark.parametrize("influences", [1, 2])
def test_no_vertex_follows_more_joints_than_asked(influences: int) -> None:
    check_laws(posable.weights_from_examples(MADE.rest, MADE.frames, 4, influences=influences), influences)


def test_a_known_tree_is_kept() -> None:
    parents = [1, 2, -1, 2]
    learnt = posable.weights_from_examples(MADE.rest, MADE.frames, weights=MADE.weights, parents=parents)
    np.testing.assert_array_equal(learnt.parents, parents)
    assert learnt.skeleton.joints == ("joint_2", "joint_1", "joint_3", "joint_0")
    assert learnt.played_error < 1e-4 and rms(play(learnt), MADE.frames) < 1e-4 * MADE.diagonal


def test_progress_is_told_in_order() -> None:
    told: list[float] = []
    posable.weights_from_examples(MADE.rest, MADE.frames, 4, progress=told.append)
    assert told == sorted(told) and told[0] > 0 and told[-1] == 1


def test_a_learnt_figure_is_saved_and_plays(tmp_path: Path) -> None:
    faces = np.arange(300).reshape(100, 3)
    learnt = posable.weights_from_examples((MADE.rest, faces), MADE.frames, 4)
    figure = posable.figure_from_examples(learnt, fps=24)
    posable.save(tmp_path / "learnt.glb", figure, figure.clips[0])
    again = posable.load(tmp_path / "learnt.glb")
    assert again.clips[0].fps == 24 and again.skeleton.joints == learnt.skeleton.joints
    found = again.skins[0].deform(again.clips[0].poses)
    assert rms(found.astype(float), MADE.frames) < 1e-4 * MADE.diagonal


def _with(what: str, made: Tube = MADE) -> dict[str, Any]:
    broken = made.frames.copy()
    broken[2, 5, 0] = np.nan
    given: dict[str, dict[str, Any]] = {
        "frames of another mesh": {"frames": made.frames[:, :-1]},
        "one frame": {"frames": made.frames[:1]},
        "flat frames": {"frames": made.frames[0]},
        "a frame that is not finite": {"frames": broken},
        "frames of words": {"frames": np.full(made.frames.shape, "far")},
        "frames too large": {"frames": np.broadcast_to(np.float32(1), (2_000_000, 300, 3))},
        "no joints": {"joints": 0},
        "more joints than vertices": {"joints": 301},
        "half a joint": {"joints": 2.5},
        "no influences": {"influences": 0},
        "a rest that is not finite": {"rest": np.full((300, 3), np.inf)},
        "no rest": {"rest": np.zeros((0, 3)), "frames": np.zeros((2, 0, 3))},
        "a rest that is none": {"rest": "mesh.obj"},
        "both": {"weights": made.weights, "transforms": made.transforms},
        "transforms of other frames": {"transforms": made.transforms[:3]},
        "transforms not finite": {"transforms": np.full((12, 4, 4, 4), np.nan)},
        "weights of another mesh": {"weights": made.weights[:5]},
        "weights that do not sum to 1": {"weights": 2 * made.weights},
        "negative weights": {"weights": np.tile([2.0, -1.0], (300, 1))},
        "parents alone": {"parents": [-1, 0, 1, 2]},
        "parents in a circle": {"weights": made.weights, "parents": [-1, 2, 3, 1]},
        "parents of other joints": {"weights": made.weights, "parents": [-1, 0]},
        "a target of nothing": {"joints": None, "target": 0.0},
    }
    return {"rest": made.rest, "frames": made.frames, "joints": 4, **given[what]}


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("frames of another mesh", "the frames have 299 vertices and the rest pose has 300; give the same mesh"),
        ("one frame", "1 frame shows no motion to learn from; give at least 2"),
        ("flat frames", r"frames have shape \(300, 3\), not \(frames, vertices, 3\)"),
        ("a frame that is not finite", "frames: a number of frame 2, vertex 5 is not finite"),
        ("frames of words", "frames: no array of numbers"),
        ("frames too large", "1,800,000,000 coordinates; posable learns from at most 100,000,000: leave frames out"),
        ("no joints", "joints must be 1 … 300 for 300 vertices, not 0"),
        ("more joints than vertices", "joints must be 1 … 300 for 300 vertices, not 301"),
        ("half a joint", "joints is a whole number, or None for as many as it takes, not 2.5"),
        ("no influences", "influences is a whole number, 1 … 16, not 0"),
        ("a rest that is not finite", "a vertex is not three finite numbers"),
        ("no rest", "has no vertices; there is nothing to learn"),
        ("a rest that is none", "'str' is not a mesh"),
        ("both", "weights and transforms are both given; leave out what is to be learnt"),
        ("transforms of other frames", r"transforms have shape \(3, 4, 4, 4\), not \(12 frames, joints, 4, 4\)"),
        ("transforms not finite", "transforms: a number of frame 0, joint 0 is not finite"),
        ("weights of another mesh", r"weights have shape \(5, 4\), not \(300 vertices, joints\)"),
        ("weights that do not sum to 1", "the weights of vertex 0 must be ≥ 0 and sum to 1, not 2"),
        ("negative weights", "the weights of vertex 0 must be ≥ 0 and sum to 1, not 1; see mend_weights"),
        ("parents alone", "parents say nothing about joints yet to be found"),
        ("parents in a circle", "parents must be one tree"),
        ("parents of other joints", "parents are 4 joints' numbers, -1 for the root"),
        ("a target of nothing", "target is a share of the box diagonal above 0"),
    ],
)
def test_what_is_refused(what: str, message: str) -> None:
    with pytest.raises(SkinError, match=message):
        posable.weights_from_examples(**_with(what))
