"""The learnt model: the network that proposes poses, and how usual a pose is by it or by a figure's own habits."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from posable.errors import role_in_words
from posable.natural.body import POINTS, SEGMENTS, body_of, common_rotations, in_parents
from posable.natural.habits import habits_of
from posable.natural.told_kernel import Body, Network, Work
from posable.skeleton import Pose
from posable.spatial import Array, rotation_vector_from_wxyz, wxyz_from_matrix

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
        old=np.zeros((segments, 3, 3)),
        new=np.zeros((segments, 3, 3)),
        proposed=np.zeros((segments, 3, 3)),
        x=np.zeros((4, net.first.shape[0]), np.float32),
        hidden=np.zeros((2, 4, net.first.shape[1]), np.float32),
        y=np.zeros((4, net.last.shape[1]), np.float32),
        tangent=np.zeros(dof),
        none=np.zeros(dof, bool),
    )


# How usual a pose is, for a person or for a figure with learnt habits.


_STRANGE = 3.0
"""Distance from the mean, in spreads, from which a part is named."""


def strangeness(pose: Pose, model: Model | None = None) -> tuple[Array, Array, list[str]] | None:
    """Distance of a pose from what the figure, or else a person, usually does; None where nothing is known.

    Args:
        pose: The pose, or a batch.
        model: A model of a person; None for the figure's own habits, or else the built-in model.

    Returns:
        (`[...]` for the whole: the root mean square of its parts, 1 for the median of the recorded poses; `[..., part]`
        for each part: the angle to its mean rotation, in spreads of the recordings; the names of the parts).
    """
    habits = habits_of(pose.skeleton) if model is None else None
    if habits is not None:
        return *habits.strangeness(pose), list(pose.skeleton.joints)
    body, model = body_of(pose.skeleton), model or human()
    if body is None:
        return None
    net = model.network
    away = np.swapaxes(net.mean, -1, -2) @ in_parents(common_rotations(body, pose))
    angles = np.linalg.norm(rotation_vector_from_wxyz(wxyz_from_matrix(away)), axis=-1)
    parts = angles / np.sqrt(3) / net.spread
    there = body.segments >= 0
    names = [role_in_words(segment) for segment in SEGMENTS]
    return np.sqrt((parts[..., there] ** 2).mean(axis=-1)) / model.median, parts * there, names


def strange_parts(pose: Pose, model: Model | None) -> list[str]:
    """The unusual parts of one pose, the strangest first, in plain words: "left shoulder"."""
    found = strangeness(pose, model)
    if found is None:
        return []
    _, parts, names = found
    return [names[part] for part in np.argsort(-parts) if parts[part] > _STRANGE]
