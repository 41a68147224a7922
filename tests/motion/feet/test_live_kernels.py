"""Live feet's compiled numbers beside their plain statement in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from posable.motion.feet import live as kernels
from posable.spatial import Array

UP, SECONDS, KEPT, LEVEL = 1, 0.02, 0.7, 0.1
LOCK = (0.3, 1.0, 0.05, 0.2)  # speeds of locking and letting go, height, distance
FEET = 40


def _some(seed: int) -> tuple[Array, Array, Array, Array]:
    """(frames of ankles and then hips, feet, state, ground) of forty legs: resting, moving, locked, too short."""
    some = np.random.default_rng(seed)
    frames = np.tile(np.eye(4), (2 * FEET, 1, 1))
    frames[:, :3, :3] = Rotation.random(2 * FEET, random_state=seed).as_matrix()
    frames[:FEET, :3, 3] = some.uniform(-0.2, 0.2, (FEET, 3)) + np.array([0.0, 0.2, 0.0])
    frames[FEET:, :3, 3] = some.uniform(-0.3, 0.3, (FEET, 3)) + np.array([0.0, 0.9, 0.0])
    feet = np.empty((FEET, kernels.CONSTANTS))
    feet[:, kernels.BALL : kernels.REST] = some.uniform(-0.15, 0.15, (FEET, 3))
    feet[:, kernels.REST], feet[:, kernels.SCALE] = 0.02, 0.9
    feet[:, kernels.LONGEST] = some.uniform(0.5, 0.9, FEET)
    feet[:, kernels.STRETCHED] = feet[:, kernels.LONGEST] + 0.1
    state = some.uniform(-0.02, 0.02, (FEET, kernels.STATES))
    balls = _balls(frames, feet)
    state[:, kernels.LAST : kernels.MADE_UP] = balls + some.uniform(-0.01, 0.01, (FEET, 3))
    state[:, kernels.LOCK : kernels.OFFSET] = balls + some.uniform(-0.12, 0.12, (FEET, 3))
    state[:, [kernels.LOCKED, kernels.SEEN]] = some.integers(0, 2, (FEET, 2))
    return frames, feet, state, np.where(some.random(FEET) < 0.2, np.nan, some.uniform(0.04, 0.16, FEET))


def _balls(frames: Array, feet: Array) -> Array:
    ankles = frames[:FEET]
    return ankles[:, :3, 3] + np.einsum("nab,nb->na", ankles[:, :3, :3], feet[:, kernels.BALL : kernels.REST])


def _stepped(feet: Array, balls: Array, state: Array) -> tuple[Array, Array, Array]:
    """(locked, locks, offsets) after a frame."""
    lock, offset = state[:, kernels.LOCK : kernels.OFFSET], state[:, kernels.OFFSET : kernels.LAST]
    last, was, unit = state[:, kernels.LAST : kernels.MADE_UP], state[:, kernels.LOCKED] > 0, feet[:, kernels.SCALE]
    speed = np.linalg.norm(balls - last, axis=1) / (SECONDS * unit)
    speed[state[:, kernels.SEEN] == 0] = np.inf
    stays = (speed <= LOCK[1]) & (np.linalg.norm(balls - lock, axis=1) <= LOCK[3] * unit)
    comes = (speed < LOCK[0]) & (balls[:, UP] - LEVEL - feet[:, kernels.REST] < LOCK[2] * unit)
    locked = np.where(was, stays, comes)
    locks = np.where((locked & ~was)[:, None], balls + offset, lock)
    locks[:, UP] += (1 - KEPT) * (LEVEL + feet[:, kernels.REST] - locks[:, UP])
    return locked, locks, np.where(locked[:, None], locks - balls, KEPT * offset)


def _placed(frames: Array, feet: Array, state: Array, ground: Array, pelvis: int) -> tuple[float, Array, Array]:
    """(the pelvis's way up, where the balls are to be, the offsets that are remembered)."""
    balls = _balls(frames, feet)
    offset = _stepped(feet, balls, state)[2]
    own = np.where(np.isnan(ground), 0.0, ground - LEVEL)
    rise = own + np.where(state[:, kernels.SEEN] > 0, KEPT * (state[:, kernels.RISE] - own), 0.0)
    places = balls + offset
    places[:, UP] += rise
    hips = frames[FEET:, :3, 3] - (places + frames[:FEET, :3, 3] - balls)  # from ankles that are where they belong
    across = np.linalg.norm(np.delete(hips, UP, axis=1), axis=1)
    room = np.sqrt(np.maximum(feet[:, kernels.STRETCHED] ** 2 - across**2, 0.0)) - hips[:, UP]
    return min([(rise.min(), rise.mean(), 0.0)[pelvis], room.min()]), places, offset


@pytest.mark.parametrize("pelvis", [0, 1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_a_frame_of_live_feet_is_its_plain_statement(seed: int, pelvis: int) -> None:
    """Locks, pelvis and balls to rounding; a foot turns only where the leg is too short, and no more than needed."""
    frames, feet, state, ground = _some(seed)
    expected_drop, expected_places, offset = _placed(frames, feet, state, ground, pelvis)
    locked, locks, _ = _stepped(feet, _balls(frames, feet), state)
    made_up = state[:, kernels.MADE_UP : kernels.RISE].copy()
    balls, at, places = np.zeros((3, FEET, 3))
    targets, joints = np.tile(np.eye(4), (FEET, 1, 1)), np.arange(FEET)
    kernels.balls_of(frames, joints, feet, state, balls, at)
    assert np.allclose(at, np.where(state[:, [kernels.LOCKED]] > 0, state[:, kernels.LOCK : kernels.OFFSET], balls))
    drop = kernels.place_feet(
        frames, joints, joints + FEET, feet, balls, ground, state, LOCK, LEVEL, UP, SECONDS, KEPT, pelvis, places,
        targets,
    )  # fmt: skip
    assert 3 < locked.sum() < FEET - 3 and 3 < (~np.isnan(ground)).sum() < FEET
    assert np.array_equal(state[:, kernels.LOCKED] > 0, locked)
    assert np.allclose(state[:, kernels.LOCK : kernels.OFFSET][locked], locks[locked], atol=1e-14)
    assert np.allclose(state[:, kernels.OFFSET : kernels.LAST], offset, atol=1e-14)
    assert np.allclose(balls, _balls(frames, feet), atol=1e-15) and np.isclose(drop, expected_drop, atol=1e-14)
    assert np.allclose(places, expected_places, atol=1e-14)

    carried = targets[:, :3, 3] - made_up + np.einsum("nab,nb->na", targets[:, :3, :3], feet[:, :3])
    assert np.allclose(carried, places, atol=1e-14)  # the ball is where it is to be, however the foot is turned
    hips = frames[FEET:, :3, 3] + drop * np.eye(3)[UP]
    flat = np.linalg.norm(places + frames[:FEET, :3, 3] - balls - hips, axis=1)
    far = np.linalg.norm(targets[:, :3, 3] - made_up - hips, axis=1)
    turned = np.array(
        [Rotation.from_matrix(t[:3, :3] @ f[:3, :3].T).magnitude() for t, f in zip(targets, frames[:FEET], strict=True)]
    )
    short = flat > feet[:, kernels.LONGEST]
    assert 3 < short.sum() < FEET and np.all(turned[~short] == 0.0)
    reached = short & (np.abs(far - feet[:, kernels.LONGEST]) < 1e-9)
    assert reached.any() and np.all(far[short] <= flat[short] + 1e-12)
    arm, way = frames[:FEET, :3, 3] - balls, hips - places
    between = np.arccos(np.einsum("na,na->n", arm, way) / np.linalg.norm(arm, axis=1) / np.linalg.norm(way, axis=1))
    assert np.allclose(turned[short & ~reached], np.minimum(between, 1.2)[short & ~reached], atol=1e-7)


def test_what_an_ankle_cannot_do_is_made_up_for() -> None:
    """Where a ball is a little off, its target goes as much the other way, which is remembered; more is forgotten."""
    frames, feet, state, _ = _some(0)
    off = np.random.default_rng(1).normal(size=(FEET, 3))
    size = np.linspace(0.0, 0.02, FEET)  # m for a leg of 0.88 m
    off *= (size * feet[:, kernels.SCALE] / np.linalg.norm(off, axis=1))[:, None]
    before, targets, scratch = state.copy(), np.tile(np.eye(4), (FEET, 1, 1)), np.zeros((FEET, 3))
    assert kernels.make_up(frames, np.arange(FEET), feet, _balls(frames, feet) + off, state, targets, scratch)
    little, some = size < 0.015, (size > 0.001) & (size < 0.015)
    remembered = slice(kernels.MADE_UP, kernels.RISE)
    assert np.allclose(state[:, remembered], np.where(little[:, None], before[:, remembered] + off, 0.0), atol=1e-14)
    assert np.allclose(targets[:, :3, 3], np.where(some[:, None], off, 0.0), atol=1e-14)
