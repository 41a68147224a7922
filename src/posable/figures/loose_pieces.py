"""Loose pieces of a skeleton: joints that share skin with the body, but are beside it in the file's hierarchy.

Control rigs separate the joints that deform the skin: each limb, and each part of a face, is a child of a handle, and
only the rig's constraints, which no exchange format stores, connect the pieces. In a file written from such a rig, the
skin tears wherever one piece is posed. Here each piece becomes a child of the joint with which it shares its skin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.skeleton.body_roles.shape import shape_of
from posable.skeleton.body_roles.skeleton_facts import Body
from posable.skin import Skin
from posable.spatial import Array

_SAME_POSITION = 0.002  # of the figure's size: distance within which a handle stands for a joint of the skin
_LIMB_EXTENT = 0.15  # of the figure's size: extent of a limb; smaller pieces are parts of a face, a palm, a hip
_TRUNK_EXTENT = 0.25  # of the figure's size: least extent of the piece to which the others are attached
_NEAR_SYMMETRY_PLANE = 0.03  # of the figure's size: largest distance of the trunk's first joint from the plane
_LEAST_SHARED_SKIN = 0.002  # of what a piece's first joint moves, with the joint to which the piece is attached
_NEAR_GROUND = 0.1  # of the figure's size: height below which a root is an armature's origin, not a body's root
_NEAR_HIPS = 0.15  # of the figure's size: largest distance between the first joints of legs and trunk
_LEAST_PIECES = (
    4  # without a handle to show where they belong: fewer may be a game character's legs and belly beside its hips
)
_NEAR_HANDLE = 0.2  # of the figure's size: largest distance of a piece from the handle that shows where it belongs
_GROUPED_SHARE = 0.1  # of what either moves: small pieces that share more skin belong together
_TRUNK_PREFERENCE = 0.25  # of the most shared skin: the trunk takes a small piece that shares at least this with it


def loose_pieces(body: Body, skins: Sequence[Skin], parents: Sequence[int]) -> dict[int, int]:
    """The first joint of each loose piece → its new parent; empty for a body of one piece.

    parents: `[joint]` as hung so far, -1 for roots.
    """
    own = shared_weights(skins, len(parents))
    pieces = _pieces(own.diagonal() > 0, parents)
    if len(pieces) < 2:
        return {}
    trunk = _trunk(body, pieces)
    if trunk is None:
        return {}
    return _Hanging(body, own, list(parents), pieces, trunk).found()


def shared_weights(skins: Iterable[Skin], count: int) -> Array:
    """`[joint, joint]` how much skin two joints move together: the sum of the products of their weights."""
    shared = np.zeros(count * count)
    for skin in skins:
        for k in range(skin.joints.shape[1]):
            pair = skin.joints[:, k, None].astype(np.int64) * count + skin.joints
            products = skin.weights[:, k, None].astype(float) * skin.weights
            shared += np.bincount(pair.ravel(), products.ravel(), count * count)
    return shared.reshape(count, count)


def _pieces(moves: NDArray[np.bool_], parents: Sequence[int]) -> dict[int, list[int]]:
    """First joint → all joints of each piece: those that move the skin, below the first of their branch that does."""
    found: dict[int, list[int]] = {}
    for joint in np.flatnonzero(moves).tolist():
        found.setdefault(next(one for one in _chain(parents, joint)[::-1] if moves[one]), []).append(joint)
    return found


def _chain(parents: Sequence[int], joint: int) -> list[int]:
    """From `joint` up to its root."""
    chain = [joint]
    while parents[chain[-1]] >= 0:
        chain.append(parents[chain[-1]])
    return chain


def _trunk(body: Body, pieces: dict[int, list[int]]) -> int | None:
    """The first joint of the largest piece that begins in the middle."""
    across = body.positions @ shape_of(body).lateral
    middle = [joint for joint in pieces if abs(across[joint] - np.median(across)) < _NEAR_SYMMETRY_PLANE * body.size]
    best = max(middle, key=lambda joint: _extent(body, pieces[joint]), default=None)
    return best if best is not None and _extent(body, pieces[best]) > _TRUNK_EXTENT * body.size else None


def _extent(body: Body, joints: list[int]) -> float:
    return float(np.ptp(body.positions[joints], axis=0).max())


@dataclass(frozen=True, eq=False)
class _Hanging:
    """The search for where pieces belong. shared: `[joint, joint]`; parents: as hung so far; pieces: by first joint."""

    body: Body
    shared: Array
    parents: list[int]
    pieces: dict[int, list[int]]
    trunk: int

    def found(self) -> dict[int, int]:
        """First joint → new parent: by the handle that is its parent, limbs by their skin, then the rest together."""
        found: dict[int, int] = {}
        tops = [top for top in self.pieces if top != self.trunk and self.body.definitions[top].has_quaternion]
        for top in tops:
            self._hang(found, [top], self._double(top))
        loose = [top for top in tops if top not in found and self._is_loose(top)]
        if len(loose) < _LEAST_PIECES or all(
            self.body.distance(top, self.trunk) < _NEAR_HIPS * self.body.size for top in loose
        ):
            loose = []  # the joint that carries the legs and the trunk is the body's root
        limbs = [top for top in loose if _extent(self.body, self.pieces[top]) > _LIMB_EXTENT * self.body.size]
        small = [top for top in loose if top not in limbs]
        rest = [joint for top in (self.trunk, *small) for joint in self.pieces[top]]
        for top in limbs:
            self._hang(found, [top], self._most_shared([top], rest))
        for group in self._groups(small):
            self._hang(found, group, self._on_trunk(group, found))
        return dict(sorted(found.items()))

    def _hang(self, found: dict[int, int], tops: list[int], joint: int | None) -> None:
        for top in tops:
            if joint is not None and top not in _chain(self.parents, joint):
                self.parents[top] = found[top] = joint

    def _is_loose(self, top: int) -> bool:
        """Whether only a joint on the ground carries both the piece and the trunk."""
        above = set(_chain(self.parents, top))
        carrier = next((joint for joint in _chain(self.parents, self.trunk) if joint in above), None)
        heights, low = self.body.heights - self.body.heights.min(), _NEAR_GROUND * self.body.size
        return carrier is None or bool(heights[carrier] < low < heights[self.trunk])

    def _double(self, top: int) -> int | None:
        """The joint at the position of a handle above the piece, but not below that handle; preferably one of the
        trunk.
        """
        others = [joint for key, joints in self.pieces.items() if key != top for joint in joints]
        for handle in _chain(self.parents, top)[1:]:
            if self.body.distance(top, handle) > _NEAR_HANDLE * self.body.size:
                return None
            near = [o for o in others if self.body.distance(o, handle) < _SAME_POSITION * self.body.size]
            near = [joint for joint in near if handle not in _chain(self.parents, joint)]
            if near:
                trunk = [joint for joint in near if joint in self.pieces[self.trunk]]
                return max(trunk or near, key=lambda joint: float(self.shared[joint, joint]))
        return None

    def _most_shared(self, tops: list[int], among: Sequence[int]) -> int | None:
        """The joint of `among` that shares most skin with the pieces, if it is enough."""
        joints = [joint for top in tops for joint in self.pieces[top]]
        others = [joint for joint in among if joint not in {*joints}]
        if not others:
            return None
        shares = self.shared[np.ix_(joints, others)].sum(axis=0)
        if shares.max() < _LEAST_SHARED_SKIN * self.shared[tops].sum():
            return None
        much = [joint for joint, share in zip(others, shares, strict=True) if share > _TRUNK_PREFERENCE * shares.max()]
        return min(much, key=lambda joint: self._off_bone(tops, joint))

    def _off_bone(self, tops: list[int], joint: int) -> float:
        """Distance of the pieces' beginnings from the bones of `joint`, or from `joint` itself; a little more at bone
        ends.
        """
        points, start = self.body.positions[tops], self.body.positions[joint]
        ends = self.body.positions[self.body.children[joint] or [joint]]
        bones = ends - start
        along = np.clip(
            ((points[:, None] - start) * bones).sum(-1) / np.maximum((bones * bones).sum(-1), 1e-12), 0.0, 0.9
        )
        offs = np.linalg.norm(points[:, None] - start - along[..., None] * bones, axis=-1)
        return float(offs.min(axis=1).mean())

    def _on_trunk(self, group: list[int], found: dict[int, int]) -> int | None:
        """The new parent of small pieces that share skin: the trunk, or a joint below it that shares far more."""
        trunk = self.pieces[self.trunk]
        most = self._most_shared(group, [*trunk, *(joint for top in found for joint in self.pieces[top])])
        best = self._most_shared(group, trunk)
        if most is None or best is None:
            return most
        joints = [joint for top in group for joint in self.pieces[top]]
        on_trunk, elsewhere = self.shared[np.ix_(joints, [best, most])].sum(axis=0)
        return best if on_trunk > _TRUNK_PREFERENCE * elsewhere else most

    def _groups(self, tops: list[int]) -> list[list[int]]:
        """The pieces in groups that share much skin with each other, such as those of one face."""
        left, groups = list(tops), []
        while left:
            group = [left.pop()]
            for top in group:
                near = [other for other in left if self._is_one_with(top, other)]
                group += near
                left = [one for one in left if one not in near]
            groups.append(group)
        return groups

    def _is_one_with(self, one: int, other: int) -> bool:
        a, b = self.pieces[one], self.pieces[other]
        own = min(self.shared[np.ix_(a, a)].sum(), self.shared[np.ix_(b, b)].sum())
        return bool(self.shared[np.ix_(a, b)].sum() > _GROUPED_SHARE * own)
