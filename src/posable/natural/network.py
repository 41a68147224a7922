"""The learnt model: the network that proposes poses, and the usual rotations of people's joints."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from posable.natural.body import POINTS, SEGMENTS
from posable.natural.told_kernel import Body, Network, Work

_WEIGHTS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


@dataclass(frozen=True, eq=False)
class Model:
    """A model of people's poses, learnt from recordings.

    Args:
        network: The network that proposes poses.
        median: Median strangeness of the recorded poses, used as the unit.
    """

    network: Network
    median: float

    @classmethod
    def load(cls, path: Path) -> Model:
        """Load a model written by `benchmarks/natural/train.py`."""
        return cls.from_bytes(path.read_bytes())

    @classmethod
    def from_bytes(cls, kept: bytes) -> Model:
        """Load a model from the content of its file."""
        with np.load(io.BytesIO(kept), allow_pickle=False) as read:
            arrays = {name: read[name] for name in read.files}
        weights = {name: np.ascontiguousarray(arrays.pop(name), np.float32) for name in _WEIGHTS}
        median = float(arrays.pop("median"))
        return cls(Network(**weights, **{name: np.asarray(own, float) for name, own in arrays.items()}), median)


@cache
def human() -> Model:
    """The built-in model, learnt from recordings of the CMU database."""
    return Model.from_bytes(resources.files("posable.natural").joinpath("human.npz").read_bytes())


def make_work(net: Network, body: Body, dof: int, terms: int) -> Work:
    """Allocate the workspace of one start."""
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
