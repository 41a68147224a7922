"""Weights and joint motion learnt from example poses whose truth is known.

    python benchmarks/skin_examples.py [--data FOLDER]

Prints a Markdown table. The judge is a plain NumPy linear blend of what came back; seconds are processor time of one
thread with compiled kernels. "Joints within 1 %" counts, of the true joints that some vertex follows with a weight
above 0.9 (the others' motion is not told by the frames), those whose vertices a learnt joint carries to within 1 % of
the box diagonal, root mean square over the frames.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

import posable
from posable.skin import LearntSkin

Array = NDArray[np.float64]
NAMES = ("cesiumman_walk", "wolf_gallop", "mh_game_engine_randposes")
_ALONE, _NEAR = 0.9, 0.01


class Truth(NamedTuple):
    """A mesh, its frames and what made them: joints that some vertex follows."""

    rest: Array
    faces: NDArray[np.int32]
    frames: Array
    weights: Array
    transforms: Array
    parents: NDArray[np.int64]

    @property
    def diagonal(self) -> float:
        """The box diagonal of the rest pose, in the frames' unit."""
        unit = np.cbrt(np.median(np.linalg.det(self.transforms[..., :3, :3])))
        return float(unit * np.linalg.norm(np.ptp(self.rest, axis=0)))


def read(folder: Path, name: str) -> Truth:
    """One of the shared sequences, with the joints that no vertex follows left out."""
    with np.load(folder / f"{name}_samples.npz") as seen, np.load(folder / f"{name}_truth.npz") as made:
        used = np.flatnonzero(made["weights"].sum(axis=0) > 0)
        above = made["joint_parents"]
        parents = []
        for joint in used:
            parent = above[joint]
            while parent >= 0 and parent not in used:
                parent = above[parent]
            parents.append(int(np.searchsorted(used, parent)) if parent >= 0 else -1)
        return Truth(
            np.array(seen["bind_vertices"], float),
            seen["faces"],
            np.array(seen["frames"], float),
            np.array(made["weights"][:, used], float),
            np.array(made["skin_matrices"][:, used], float),
            np.array(parents),
        )


def blended(rest: Array, weights: Array, transforms: Array) -> Array:
    """`[frame, vertex, 3]`: v' = Σ w T v, in plain NumPy."""
    points = np.concatenate([rest, np.ones((len(rest), 1))], axis=1)
    return np.stack([np.einsum("vj,jab,vb->va", weights, one[:, :3], points, optimize=True) for one in transforms])


def rms(found: Array, wanted: Array) -> float:
    """The root of the mean squared distance between points."""
    return float(np.sqrt(np.sum((found - wanted) ** 2, axis=-1).mean()))


def joint_errors(truth: Truth, transforms: Array) -> Array:
    """`[true joint]`: how far the learnt joint that stands for it carries its vertices from where it does, root mean
    square over frames and vertices (by squared weight), as a share of the box diagonal. Each learnt joint stands once;
    a true joint for which none is left is infinitely far.
    """
    points = np.concatenate([truth.rest, np.ones((len(truth.rest), 1))], axis=1)
    cost = np.zeros((truth.weights.shape[1], transforms.shape[1]))
    for joint, weights in enumerate(truth.weights.T):
        square = np.einsum("v,va,vb->ab", weights**2, points, points) / np.sum(weights**2)
        apart = (transforms - truth.transforms[:, joint, None])[:, :, :3]
        cost[joint] = np.sqrt(np.einsum("fjca,ab,fjcb->j", apart, square, apart) / len(apart)) / truth.diagonal
    found = np.full(len(cost), np.inf)
    stood, by = linear_sum_assignment(cost)
    found[stood] = cost[stood, by]
    return found


def told(truth: Truth) -> NDArray[np.bool_]:
    """`[true joint]`: whether some vertex follows it nearly alone."""
    return truth.weights.max(axis=0) > _ALONE


def _row(name: str, truth: Truth, what: str, learn: Callable[[], LearntSkin]) -> str:
    learn()
    start = time.process_time()
    learnt = learn()
    seconds = time.process_time() - start
    error = rms(blended(truth.rest, learnt.weights, learnt.transforms), truth.frames) / truth.diagonal
    played = rms(learnt.skin.deform(posable.Pose(learnt.skeleton, learnt.q)), truth.frames) / truth.diagonal
    near, joints = joint_errors(truth, learnt.transforms)[told(truth)] < _NEAR, learnt.weights.shape[1]
    cells = [name, what, joints, f"{100 * error:.2g} %", f"{near.sum()} of {len(near)}", f"{100 * played:.2g} %"]
    return "| " + " | ".join(map(str, [*cells, f"{seconds:.1f}"])) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).parents[2] / "shared/data/weights_from_samples"
    parser.add_argument("--data", type=Path, default=beside, help="the folder of *_samples.npz and *_truth.npz")
    folder = parser.parse_args().data
    print("| sequence | given | joints | error | joints within 1 % | on the skeleton | seconds |\n" + "|---" * 7 + "|")
    with threadpool_limits(1):
        for name in NAMES:
            truth = read(folder, name)
            mesh, count = (truth.rest, truth.faces), truth.weights.shape[1]
            for what, given in (
                ("nothing", {"joints": count}),
                ("nothing, half the joints", {"joints": count // 2}),
                ("motion", {"transforms": truth.transforms}),
                ("weights", {"weights": truth.weights}),
            ):
                print(
                    _row(
                        name,
                        truth,
                        what,
                        lambda mesh=mesh, frames=truth.frames, given=given: posable.weights_from_examples(
                            mesh, frames, **given
                        ),
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main()
