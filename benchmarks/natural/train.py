"""Trains the network of natural poses: makes src/posable/natural/human.npz.

    python -m benchmarks.natural.train [--folder ../shared/data/mocap_cmu] [--without 06,09] [--out FILE] [--steps N]

NumPy alone, seeded, one thread; some twelve minutes. It prints the SHA-256 of what it wrote. Nobody sits in the
recordings: a second part goes on from the rounded weights of the first with some poses that sit and kneel
(`benchmarks.natural.seats`); `--first FILE` keeps the first part, or goes on from it where it is there.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")  # sums in one order

import numpy as np  # noqa: E402
from scipy.spatial.transform import Rotation  # noqa: E402

from benchmarks.natural import recordings  # noqa: E402
from benchmarks.natural.recordings import Numbers, P, Recorded, S  # noqa: E402
from benchmarks.natural.seats import Seats  # noqa: E402
from posable.natural.body import POINTS, SEGMENTS, TURNS, about_up, facing, in_parents  # noqa: E402

ROOT = Path(__file__).parents[2]
HIDDEN, BATCH, STEPS, RATE = 320, 512, 24_000, 2e-3
MORE_STEPS, MORE_RATE = 2_000, 6e-4  # with those who sit
_BACK = 30  # poses before it, at most, from which a pose is to be proposed
_COUNTS = {
    "hips": 2.0, "chest": 2.0, "head": 1.0, "shoulder": 1.2, "upper_arm": 1.5, "lower_arm": 1.2, "hand": 0.6,
    "upper_leg": 1.5, "lower_leg": 1.2, "foot": 0.8, "toes": 0.2,
}  # fmt: skip
"""How much a segment counts: what carries more counts more."""
_HANGING = 0.9  # how far down the arms of relaxed people point
_LEAST_SPREAD = {"shoulder": 10.0}  # degrees: collar bones hardly move in these recordings, and do in people
_FEET, _HANDS = ("foot_l", "foot_r"), ("hand_l", "hand_r")
_ASKED = (
    (0.12, (*_HANDS, "head", "hips", *_FEET), ("hips", *_FEET)), (0.08, (*_HANDS, "head", "hips"), ("hips",)),
    (0.07, ("hand_l", "hips", *_FEET), ("hips", *_FEET)), (0.07, ("hand_r", "hips", *_FEET), ("hips", *_FEET)),
    (0.12, ("chest", *_HANDS, *_FEET), ()), (0.06, ("hand_r", *_FEET), _FEET), (0.06, ("hand_l", *_FEET), _FEET),
    (0.04, (*_HANDS, *_FEET), _FEET), (0.03, ("hips", *_FEET), _FEET),
)  # fmt: skip
"""Share of the poses, what is known of them: positions and rotations. Of the others it is anything."""
_NAMES = ("first", "second", "last", "first_bias", "second_bias", "last_bias")


def draw_known(count: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """(`[pose, point]`, `[pose, turn]`) what is known."""
    share = 0.9 * rng.random((count, 1))
    known = rng.random((count, len(POINTS))) < share
    known[:, 7:] &= rng.random((count, 1)) < 0.3
    turned = rng.random((count, len(TURNS))) < share * rng.random((count, 1))
    kind, begin = rng.random(count), 0.0
    for part, points, turns in _ASKED:
        chosen = (begin <= kind) & (kind < begin + part)
        known[chosen], turned[chosen] = False, False
        for point in points:
            known[chosen, P[point]] = True
        for turn in turns:
            turned[chosen, P[turn]] = True
        begin += part
    known[~known.any(axis=1), P["hips"]] = True
    return known, turned


def draw_batch(
    recorded: Recorded, scale: Numbers, rng: np.random.Generator, sit: bool = False
) -> tuple[Numbers, Numbers]:
    """(what the network is told, what it is to answer). sit: whether some sit or kneel."""
    at = rng.integers(0, len(recorded.turns), BATCH)
    back = np.minimum(at - recorded.first[at], rng.integers(0, _BACK, BATCH))
    turns, before = recorded.turns[at], recorded.turns[at - back]
    moved = recorded.hips[at] - recorded.hips[at - back]
    flip = rng.random(BATCH) < 0.5
    turns = np.where(flip[:, None, None, None], recordings.mirrored(turns), turns)
    before = np.where(flip[:, None, None, None], recordings.mirrored(before), before)
    moved = np.where(flip[:, None], moved * np.array([-1, 1, 1], np.float32), moved)
    known, turned = draw_known(BATCH, rng)
    hinted = rng.random(BATCH) < 0.5
    doubt = rng.normal(0.0, 0.2, BATCH) * (rng.random(BATCH) < 0.5)
    measures = recordings.draw_measures(BATCH, rng)
    if sit:
        seats = Seats(BATCH, rng)
        for poses in (turns, before):
            seats.seated(poses, measures)
        moved[seats.chosen] = 0.0
        seats.say(known, turned)
    free = ~turned[:, P["hips"]]
    angle = np.where(free & hinted, facing(before), facing(turns) + free * doubt)
    face = about_up(-angle)
    turns, before = face[:, None] @ turns, face[:, None] @ before
    places = recordings.positions(turns, measures)
    was = recordings.positions(before, measures) - np.einsum("nij,nj->ni", face, moved)[:, None]
    was[:, 11:] *= rng.random((BATCH, 1, 1)) < 0.7  # figures without toes
    told, middle = recordings.described(
        places, turns[:, [S[turn] for turn in TURNS]], known, turned, (measures - scale[0]) / scale[1], was, hinted
    )
    own = in_parents(turns)
    own[:, 0] = turns[:, 0]
    columns = np.swapaxes(own[..., :2], -1, -2).reshape(BATCH, -1)
    return told, np.concatenate([columns, -middle], axis=1).astype(np.float32)


class Trained:
    """Two hidden layers, and Adam (Kingma & Ba 2015)."""

    def __init__(self, inputs: int, mean: Numbers, rng: np.random.Generator) -> None:
        sizes = [inputs, HIDDEN, HIDDEN, len(mean)]
        self.weights = [rng.normal(0.0, np.sqrt(2.0 / a), (a, b)).astype(np.float32) for a, b in pairwise(sizes)]
        self.weights[-1] *= 0.1
        self.weights += [np.zeros(size, np.float32) for size in sizes[1:]]
        self.weights[-1][:] = mean
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]

    def begin_anew(self, weights: Sequence[Numbers]) -> None:
        """Go on from these weights, as if from nothing."""
        self.weights = [one.astype(np.float32) for one in weights]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]

    def answers(self, told: Numbers) -> list[Numbers]:
        """What each layer says, the last one last."""
        layers = [told]
        for k in range(3):
            said = layers[-1] @ self.weights[k] + self.weights[3 + k]
            layers.append(said if k == 2 else np.where(said > 0, said, 0.1 * said))
        return layers

    def learn(self, layers: list[Numbers], pull: Numbers, rate: float) -> None:
        """One step against `pull`, the gradient by the answer."""
        for k in (2, 1, 0):
            own = layers[k].T @ pull, pull.sum(axis=0)
            before = pull @ self.weights[k].T
            pull = np.where(layers[k] > 0, before, 0.1 * before)
            for which, slope in zip((k, 3 + k), own, strict=True):
                first, second = self._moments[which]
                first += 0.1 * (slope - first)
                second += 0.01 * (slope * slope - second)
                self.weights[which] -= (rate * first / (np.sqrt(second) + 1e-7)).astype(np.float32)


def begin(recorded: Recorded) -> tuple[Trained, Numbers, Numbers, np.random.Generator]:
    """(An untrained network, the mean and the spread of the measures, how much each answer counts, what draws)."""
    rng = np.random.default_rng(0)
    sample = recordings.draw_measures(5000, rng)
    scale = np.stack([sample.mean(axis=0), sample.std(axis=0)])
    counts = np.repeat([_COUNTS[segment.removesuffix("_l").removesuffix("_r")] for segment in SEGMENTS], 6)
    counts = np.concatenate([counts, [4.0] * 3]).astype(np.float32)
    told, wanted = draw_batch(recorded, scale, rng)
    return Trained(told.shape[1], wanted.mean(axis=0), rng), scale, counts, rng


def train(
    net: Trained, recorded: Recorded, scale: Numbers, counts: Numbers, rng: np.random.Generator, steps: int, sit: bool
) -> None:
    """Let the network learn. sit: whether from some who sit or kneel too."""
    most, began = MORE_RATE if sit else RATE, time.perf_counter()
    for step in range(steps):
        told, wanted = draw_batch(recorded, scale, rng, sit)
        layers = net.answers(told)
        off = (layers[-1] - wanted) * counts
        rate = most * 0.5 * (1 + np.cos(np.pi * step / steps)) * min(1.0, (step + 1) / 200)
        net.learn(layers, off / BATCH, rate)
        if step % 1000 == 0:
            print(
                f"{step:6} {(off * off / counts).sum(axis=1).mean():.4f} {time.perf_counter() - began:.0f} s",
                flush=True,
            )


def usual(turns: Numbers) -> tuple[Numbers, Numbers, float]:
    """(mean, spread, median distance) of the segments' rotations in their parents."""
    turns = np.concatenate([turns, recordings.mirrored(turns)])
    own = in_parents(turns)
    means, spreads, squares = [], [], 0.0
    for segment, name in enumerate(SEGMENTS):
        turned = Rotation.from_matrix(own[:, segment])
        mean = turned.mean()
        away = ((mean.inv() * turned).as_rotvec() ** 2).sum(axis=1) / 3
        least = _LEAST_SPREAD.get(name.removesuffix("_l").removesuffix("_r"), 4.0)
        spread = max(float(np.sqrt(away.mean())), np.radians(least))
        squares = squares + away / spread**2
        means.append(mean.as_matrix())
        spreads.append(spread)
    return np.array(means), np.array(spreads), float(np.median(np.sqrt(squares / len(SEGMENTS))))


def relaxed(turns: Numbers) -> Numbers:
    """`[segment, 3, 3]` the mean rotations in their parents of the segments of people whose arms hang."""
    turns = np.concatenate([turns, recordings.mirrored(turns)])
    parts = [S[f"{part}_arm_{side}"] for part in ("upper", "lower") for side in "lr"]
    own = in_parents(turns[(turns[:, parts, 1, 0] * (-1, 1, -1, 1) > _HANGING).all(axis=1)])
    return np.array([Rotation.from_matrix(own[:, segment]).mean().as_matrix() for segment in range(len(SEGMENTS))])


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description="Trains the network of natural poses.")
    parser.add_argument("--folder", type=Path, default=ROOT / "../shared/data/mocap_cmu")
    parser.add_argument("--without", default="", help="persons left out, as in 06,09")
    parser.add_argument("--out", type=Path, default=ROOT / "src/posable/natural/human.npz")
    parser.add_argument("--first", type=Path, help="the first part: kept there, or read from there")
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    paths = [
        p for p in sorted(options.folder.glob("*.bvh")) if recordings.person_of(p) not in options.without.split(",")
    ]
    recorded = recordings.read(paths)
    print(f"{len(paths)} recordings, {len(recorded.turns):,} poses")
    net, scale, counts, rng = begin(recorded)
    if options.first and options.first.exists():
        with np.load(options.first, allow_pickle=False) as read:
            rounded = [read[name] for name in _NAMES]
    else:
        train(net, recorded, scale, counts, rng, options.steps, sit=False)
        rounded = [one.astype(np.float16) for one in net.weights]
        if options.first:
            np.savez_compressed(options.first, **dict(zip(_NAMES, rounded, strict=True)))
    net.begin_anew(rounded)
    train(net, recorded, scale, counts, np.random.default_rng(1), MORE_STEPS, sit=True)
    weights = {name: one.astype(np.float16) for name, one in zip(_NAMES, net.weights, strict=True)}
    mean, spread, median = usual(recorded.turns)
    kept = io.BytesIO()
    usually = {"mean": mean, "spread": spread, "median": median, "relaxed": relaxed(recorded.turns)}
    np.savez_compressed(kept, **weights, measures=scale, **usually)
    options.out.write_bytes(kept.getvalue())
    print(f"{options.out}: {len(kept.getvalue()):,} bytes, SHA-256 {hashlib.sha256(kept.getvalue()).hexdigest()}")


if __name__ == "__main__":
    main()
