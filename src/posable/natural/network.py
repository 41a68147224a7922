"""What was learnt from recordings: the network that proposes poses, and how people usually hold their joints."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.natural.body import POINTS, SEGMENTS, Body
from posable.spatial import Array

Weights = NDArray[np.float32]
_WEIGHTS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


class Network(NamedTuple):
    """Two hidden layers. It is told what is known, as `told_kernel._describe` says it, and answers with the first two
    columns of each segment's rotation in its parent's, and where the hips are from the middle of what is known.
    """

    first: Weights  # [input, hidden]
    first_bias: Weights
    second: Weights  # [hidden, hidden]
    second_bias: Weights
    last: Weights  # [hidden, output]
    last_bias: Weights
    measures: Array  # [2, 9] the mean and the spread of the bodies' measures that it has seen
    mean: Array  # [segment, 3, 3] how they are usually turned in their parents; of the hips without their facing
    spread: Array  # [segment] radians
    relaxed: Array  # [segment, 3, 3] the same as `mean` of people whose arms hang


class Work(NamedTuple):
    """Memory for one start."""

    turns: Array  # [joint, 3, 3]
    origins: Array  # [joint, 3]
    turned: Array  # [joint, 3, 3]
    wanted: Array  # [term, 12] the targets of the goals, place and turn
    before: Array  # [term, 12] those before, in a drag
    place: Array  # [point, 3]
    turn: Array  # [point, 3, 3]
    said: NDArray[np.int64]  # [point, 2] whether position and rotation are known
    middle: Array  # [3]
    old: Array  # [segment, 3, 3]
    new: Array
    proposed: Array  # for what is known at the start
    x: Weights
    hidden: Weights  # [2, hidden]
    y: Weights
    tangent: Array  # [dof]
    none: NDArray[np.bool_]  # [dof]


@dataclass(frozen=True, eq=False)
class Model:
    """What was learnt from recordings.

    Args:
        network: What proposes poses.
        median: How unusual half of the recorded poses are by it, before that is made the unit.
    """

    network: Network
    median: float

    @classmethod
    def load(cls, path: Path) -> Model:
        """A model that `benchmarks/natural/train.py` wrote."""
        return cls.from_bytes(path.read_bytes())

    @classmethod
    def from_bytes(cls, kept: bytes) -> Model:
        """The same from the content of its file."""
        with np.load(io.BytesIO(kept), allow_pickle=False) as read:
            arrays = {name: read[name] for name in read.files}
        weights = {name: np.ascontiguousarray(arrays.pop(name), np.float32) for name in _WEIGHTS}
        median = float(arrays.pop("median"))
        return cls(Network(**weights, **{name: np.asarray(own, float) for name, own in arrays.items()}), median)


@cache
def human() -> Model:
    """The model that comes with posable, learnt from recordings of the CMU database."""
    return Model.from_bytes(resources.files("posable.natural").joinpath("human.npz").read_bytes())


def make_work(net: Network, body: Body, dof: int, terms: int) -> Work:
    """Fresh memory."""
    joints, points, segments = len(body.share), len(POINTS), len(SEGMENTS)
    return Work(
        turns=np.zeros((joints, 3, 3)),
        origins=np.zeros((joints, 3)),
        turned=np.zeros((joints, 3, 3)),
        wanted=np.zeros((terms, 12)),
        before=np.zeros((terms, 12)),
        place=np.zeros((points, 3)),
        turn=np.zeros((points, 3, 3)),
        said=np.zeros((points, 2), np.int64),
        middle=np.zeros(3),
        old=np.zeros((segments, 3, 3)),
        new=np.zeros((segments, 3, 3)),
        proposed=np.zeros((segments, 3, 3)),
        x=np.zeros(net.first.shape[0], np.float32),
        hidden=np.zeros((2, net.first.shape[1]), np.float32),
        y=np.zeros(net.last.shape[1], np.float32),
        tangent=np.zeros(dof),
        none=np.zeros(dof, bool),
    )
