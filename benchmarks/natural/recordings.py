"""Recorded poses in the common form of a body, and its positions on bodies of other measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import posable
from posable.natural.body import POINTS, SEGMENTS, TURNS, body_of, common_rotations

Numbers = NDArray[Any]
RATE = 15.0  # poses a second that are kept
S = {segment: k for k, segment in enumerate(SEGMENTS)}
P = {point: k for k, point in enumerate(POINTS)}
_SIDED = 3 + np.arange(16)
_MIRRORED = np.concatenate([[0, 1, 2], _SIDED[8:], _SIDED[:8]])
_FLIP = np.diag([-1.0, 1.0, 1.0])


class Recorded(NamedTuple):
    """Poses of one or several recordings, one behind the other."""

    turns: Numbers  # [pose, segment, 3, 3] in the figure's axes, 1 in the common T-pose
    hips: Numbers  # [pose, 3] in legs and the figure's axes
    first: NDArray[np.int64]  # [pose] where its recording begins


def person_of(path: Path) -> str:
    """Who was recorded."""
    return path.stem.split("_")[0]


def read(paths: list[Path]) -> Recorded:
    """The poses of recordings."""
    turns, hips, first, count = [], [], [], 0
    for path in paths:
        figure = posable.load(path)
        clip = figure.clips[0]
        body = body_of(figure.skeleton)
        assert body is not None, path
        poses = clip.poses[:: max(1, round(clip.fps / RATE))]
        turns.append(common_rotations(body, poses).astype(np.float32))
        frames = poses.world_from_joint
        hips.append((frames[:, body.segments[0], :3, 3] @ body.axes[0] / body.leg[0]).astype(np.float32))
        first.append(np.full(len(poses), count))
        count += len(poses)
    return Recorded(np.concatenate(turns), np.concatenate(hips), np.concatenate(first))


def mirrored(turns: Numbers) -> Numbers:
    """Left and right exchanged."""
    return (_FLIP @ turns @ _FLIP)[:, _MIRRORED].astype(turns.dtype)


# Bodies: thigh, upper arm, forearm, hips to chest, chest to head; hip from hips and arm from chest, x and y.


_PERSON = np.array([0.47, 0.36, 0.30, 0.33, 0.42, 0.11, -0.02, 0.17, 0.22])
_LEAST = np.array([0.38, 0.22, 0.20, 0.20, 0.20, 0.06, -0.18, 0.10, -0.08])
_MOST = np.array([0.63, 0.70, 0.90, 1.50, 0.80, 0.45, 0.32, 0.60, 0.45])
_TRUNK_LEAN, _ARM_BACK = -0.015, -0.04  # of the leg, for all


def draw_measures(count: int, rng: np.random.Generator) -> Numbers:
    """`[body, 9]`: half of them near those of people, half anything that characters have."""
    people = _PERSON * np.exp(rng.normal(0.0, 0.12, (count, 9)))
    people[:, 6] = _PERSON[6] + rng.normal(0.0, 0.05, count)
    person = rng.random((count, 1)) < 0.6
    other = _LEAST + (_MOST - _LEAST) * rng.random((count, 9)) ** 1.5
    return np.where(person, people, other).astype(np.float32)


def positions(turns: Numbers, measures: Numbers) -> Numbers:
    """`[pose, point, 3]` in legs, the hips at the origin: forward kinematics of the common body."""
    count = len(turns)
    out = np.zeros((count, len(POINTS), 3), np.float32)
    thigh, upper, fore, trunk, neck, hip_x, hip_y, arm_x, arm_y = measures.T
    zero = np.zeros(count, np.float32)

    def along(segment: str, x: Numbers, y: Numbers, z: Numbers) -> Numbers:
        return np.einsum("nij,nj->ni", turns[:, S[segment]], np.stack([x, y, z], axis=1))

    def rise(lower: str, upper: str, length: Numbers, share: float, lean: float) -> Numbers:
        """From one segment to the next, of which the joint between turns half way."""
        a, b = along(lower, zero, length, lean + zero), along(upper, zero, length, lean + zero)
        return (1 - share / 2) * a + share / 2 * b

    out[:, P["chest"]] = rise("hips", "chest", trunk, 0.4, _TRUNK_LEAN)
    out[:, P["head"]] = out[:, P["chest"]] + rise("chest", "head", neck, 0.3, 0.0)
    for side, out_x in (("l", 1.0), ("r", -1.0)):
        hip = along("hips", out_x * hip_x, hip_y, zero)
        knee = out[:, P[f"lower_leg_{side}"]] = hip + along(f"upper_leg_{side}", zero, -thigh, zero)
        ankle = out[:, P[f"foot_{side}"]] = knee + along(f"lower_leg_{side}", zero, thigh - 1.0, zero)
        out[:, P[f"toes_{side}"]] = ankle + along(f"foot_{side}", zero, zero - 0.08, zero + 0.16)
        inner = out[:, P["chest"]] + along("chest", 0.2 * out_x * arm_x, arm_y, zero + _ARM_BACK)
        shoulder = inner + along(f"shoulder_{side}", 0.8 * out_x * arm_x, zero, zero)
        elbow = out[:, P[f"lower_arm_{side}"]] = shoulder + along(f"upper_arm_{side}", out_x * upper, zero, zero)
        out[:, P[f"hand_{side}"]] = elbow + along(f"lower_arm_{side}", out_x * fore, zero, zero)
    return out


def described(
    places: Numbers,
    turns: Numbers,
    known: Numbers,
    turned: Numbers,
    measures: Numbers,
    before: Numbers,
    hinted: Numbers,
) -> tuple[Numbers, Numbers]:
    """(what the network is told, `[pose, 3]` the middle of the known positions), as `told_kernel._describe`.

    places, turns: of all points and segments that may be known, in the frame of the facing. known `[pose, point]`,
    turned `[pose, turn]`: which are. measures: scaled. before: positions as they were; hinted `[pose]`: whether told.
    """
    count, said = len(places), known[..., None].astype(np.float32)
    middle = (places * said).sum(axis=1) / np.maximum(said.sum(axis=1), 1)
    near = np.where(hinted[:, None, None], before - middle[:, None], 0.0)
    columns = np.swapaxes(turns[..., :2], -1, -2).reshape(count, len(TURNS), 6)
    parts = [
        ((places - middle[:, None]) * said).reshape(count, -1),
        0.5 * known,
        (0.7 * columns * turned[..., None]).reshape(count, -1),
        0.5 * turned,
        measures,
        near.reshape(count, -1),
        0.5 * hinted[:, None],
    ]
    return np.concatenate(parts, axis=1).astype(np.float32), middle
