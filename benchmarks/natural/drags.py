"""A hand dragged along smooth curves through its whole reach, with and without `Natural`: is the pose continuous?

    python -m benchmarks.natural.drags [--folder ../shared/data] [--paths 1000]

Each path takes 3 s, at 60 and at 120 poses a second; of a continuous motion the largest step of a joint halves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

import posable
from posable.spatial import Array

SECONDS, KNOTS = 3.0, 5
ROOT = Path(__file__).parents[2]


class Drag(NamedTuple):
    """largest: `[path]` degrees of one joint in one step. met: share of the steps. microseconds: a step."""

    largest: Array
    met: float
    microseconds: float


def paths(figure: posable.Figure, hand: str, count: int, seed: int) -> list[CubicSpline]:
    """Smooth curves through positions that the hand can reach, the floating joints standing still."""
    skeleton, rng, found = figure.skeleton, np.random.default_rng(seed), []
    moves = [j for j in skeleton.chain(hand) if not skeleton.definitions[j].floating]
    columns = np.concatenate([np.arange(*skeleton.tables.first_coordinate[j : j + 2]) for j in moves])
    for _ in range(count):
        q = np.repeat(figure.rest.q[None], KNOTS, axis=0)
        q[:, columns] = skeleton.random_pose(rng, (KNOTS,)).q[:, columns]
        knots = posable.Pose(skeleton, q).origins[:, skeleton.index(hand)]
        found.append(CubicSpline(np.linspace(0, SECONDS, KNOTS), knots, bc_type="natural"))
    return found


def dragged(
    figure: posable.Figure,
    hand: str,
    curves: Sequence[CubicSpline],
    fps: float,
    more: Sequence[posable.Goal],
    frozen: Sequence[str],
) -> Drag:
    """The hand along each curve, each pose solved from the one before."""
    prepared = posable.prepare(figure.skeleton, [posable.Reach(hand, (0, 0, 0)), *more], frozen=frozen)
    rest = [None] * len(more)
    largest, met, spent = np.zeros(len(curves)), [], 0.0
    for n, curve in enumerate(curves):
        targets = curve(np.arange(0, SECONDS, 1 / fps))
        pose = prepared.solve(figure.rest, [targets[0], *rest]).pose
        for before, target in pairwise(targets):
            began = time.perf_counter()
            solution = prepared.solve(pose, [target, *rest], since=[before, *rest] if more else None)
            spent += time.perf_counter() - began
            met.append(int(solution.status) == 0)
            turned = np.abs(solution.pose.minus(pose))[~figure.skeleton.slides]
            largest[n] = max(largest[n], float(np.degrees(turned.max())))
            pose = solution.pose
    return Drag(largest, float(np.mean(met)), 1e6 * spent / len(met))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.natural.drags", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--paths", type=int, default=1000)
    options = parser.parse_args()
    print(
        "| figure | | largest step at 60 Hz | over 15° | at 120 Hz ≤ 0.75 of it | met | µs |",
        "|---" * 7 + "|",
        sep="\n",
    )
    knight = posable.load(options.folder / "characters/Knight.glb")
    for name, figure in (("mannequin", posable.figure("mannequin")), ("Knight", knight)):
        hand, frozen = posable.roles(figure)["hand_r"], [j.name for j in figure.skeleton.definitions if j.floating]
        curves = paths(figure, hand, options.paths, 1)
        for said, more in (("plain", []), ("`Natural()`", [posable.Natural(keep=True)])):
            slow, fast = (dragged(figure, hand, curves, fps, more, frozen) for fps in (60.0, 120.0))
            halves = (fast.largest <= 0.75 * slow.largest).mean()
            typical = f"median {np.median(slow.largest):.1f}°, largest {slow.largest.max():.0f}°"
            print(
                f"| {name} | {said} | {typical} | {(slow.largest > 15).sum()} | {100 * halves:.1f} % | "
                f"{100 * slow.met:.2f} % | {slow.microseconds:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
