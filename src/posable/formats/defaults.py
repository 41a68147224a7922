"""Defaults shared by formats that leave something unstated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.clips import Clip
from posable.errors import FileTooLargeError, PosableError
from posable.figures import Figure
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import Array, rigid_inverse

LARGEST_NUMBER = 1e15
"""Numbers from here on are treated as damage: no measurement is so large, and their sums would overflow."""
_CLEARLY_LONGER = 3.0
_MAX_SHAPES = 4_000  # each becomes up to a thousand vertices


def up_axis(points: ArrayLike) -> Literal["y", "z"]:
    """The up axis: z if the rest points `[point, 3]` extend over three times as far along z as along y, else y.

    A person with the arms out is wide (x), tall and thin: the taller of y and z is the height. The factor keeps
    animals, which are longer than tall, at the usual y.
    """
    _, height, depth = np.ptp(np.asarray(points, float), axis=0)
    return "z" if depth > _CLEARLY_LONGER * height else "y"


# Which nodes of a tree are joints, for formats whose figures are trees of nodes.


def with_ancestors(parents: Sequence[int] | NDArray[np.int64], wanted: Iterable[int]) -> set[int]:
    """The nodes and all above them. parents: `[node]`, -1 for a root."""
    found: set[int] = set()
    for node in wanted:
        while node >= 0 and node not in found:
            found.add(node)
            node = int(parents[node])
    return found


def free_roots(parents: Sequence[int] | NDArray[np.int64], chosen: Sequence[int], core: Container[int]) -> set[int]:
    """In each tree of the chosen nodes, parents first, the lowest common ancestor of those in `core`."""
    below: Counter[int] = Counter()
    children: dict[int, list[int]] = {}
    for node in reversed(chosen):
        below[node] += node in core
        below[int(parents[node])] += below[node]
        children.setdefault(int(parents[node]), []).append(node)
    free, inside = set(), set(chosen)
    for node in chosen:
        if int(parents[node]) in inside or not below[node]:
            continue
        while node not in core and len(heavy := [c for c in children.get(node, ()) if below[c]]) == 1:
            node = heavy[0]
        free.add(node)
    return free


def bound_too(world: Array, parents: NDArray[np.int64], inverse_bind: Array, named: Sequence[int]) -> Array:
    """Bind the joints that a file's skin does not name, relative to those that it does: they have no weights yet.

    world: `[joint, 4, 4]` rigid frames at rest. Changes `inverse_bind [joint, 4, 4]` and returns it.
    """
    known = set(named)
    for j in sorted(set(range(len(parents))) - known):
        near = j
        while near >= 0 and near not in known:
            near = int(parents[near])
        near = near if near >= 0 else named[0]
        inverse_bind[j] = rigid_inverse(world[j]) @ world[near] @ inverse_bind[near]
    return inverse_bind


def bound_rigidly(skin: Skin, inverse_bind: Array, rest: Pose) -> Array:
    """The vertices `[vertex, 3]` that look the same at rest with other bind matrices `[joint, 4, 4]`."""
    weights = skin.weights.astype(float)
    blend = np.einsum("vk,vkab->vab", weights, (rest.world_from_joint @ inverse_bind)[skin.joints])
    matrices = np.einsum("vk,vkab->vab", weights, skin.matrices(rest)[skin.joints])
    places = (matrices[:, :3, :3] @ skin.vertices.astype(float)[..., None])[..., 0] + matrices[:, :3, 3]
    return (np.linalg.pinv(blend[:, :3, :3]) @ (places - blend[:, :3, 3])[..., None])[..., 0]


def rigid_parts(matrices: Array) -> Array:
    """The rotation closest to each matrix `[..., 4, 4]` (polar decomposition), with its translation."""
    u, _, vt = np.linalg.svd(matrices[..., :3, :3])
    u[..., :, 2] *= np.where(np.linalg.det(u @ vt) < 0, -1.0, 1.0)[..., None]
    result = np.zeros_like(matrices)
    result[..., :3, :3] = u @ vt
    result[..., :3, 3] = matrices[..., :3, 3]
    result[..., 3, 3] = 1.0
    return result


# Mimic relations, with cycles detected immediately for chains of any length.


class Mimics:
    """Relations of followers to leaders, without cycles."""

    def __init__(self) -> None:
        self._ahead: dict[Hashable, Hashable] = {}

    def tie(self, follower: Hashable, leader: Hashable) -> bool:
        """Make `follower` follow `leader`; False without effect if it already follows something, or would follow
        itself.
        """
        if follower in self._ahead or self._last(leader) == follower:
            return False
        self._ahead[follower] = leader
        return True

    def _last(self, one: Hashable) -> Hashable:
        """The end of the chain, with path halving for later queries."""
        while one in self._ahead:
            after = self._ahead[one]
            self._ahead[one] = self._ahead.get(after, after)
            one = self._ahead[one]
        return one


# What a new file is to hold.


def refuse_batch(pose: Pose) -> None:
    """Raise PosableError for more than one pose where a file stores one."""
    if pose.shape:
        raise PosableError(
            f"a file stores one pose, not a batch of shape {pose.shape}; give one of them, or a clip: "
            "posable.Clip(skeleton, pose.q, fps)"
        )


def content_of(path: Path, figure: Figure, motion: Pose | Clip | None) -> tuple[Pose, list[Clip]]:
    """(the rest pose, the clips) of a new file: a motion that is a pose becomes the rest pose, a clip one of the clips.

    Raises FileTooLargeError for more shapes than are written, PosableError for a batch of poses.
    """
    if len(figure.shapes) > _MAX_SHAPES:
        raise FileTooLargeError(
            path, f"would hold {len(figure.shapes):,} shapes; posable writes at most {_MAX_SHAPES:,}"
        )
    rest = motion if isinstance(motion, Pose) else figure.rest
    refuse_batch(rest)
    clips = list(figure.clips)
    if isinstance(motion, Clip) and not any(clip is motion for clip in clips):
        clips.append(motion)
    return rest, clips


def played_of(figure: Figure, motion: Pose | Clip | None) -> Clip | None:
    """The clip that a new file states to be its motion: the given one, else the one that the figure's file stated."""
    if isinstance(motion, Clip):
        return motion
    return figure.main_clip if figure.played else None
