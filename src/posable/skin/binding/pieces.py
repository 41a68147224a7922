"""Figures in many pieces: which bones each piece has around it, and what the loose ones lie on.

A bone is at home in the pieces that surround it: seen from the bone, they are the first walls. A tunic does not follow
the thighs that stand in legs of their own, nor a head the bones in its ears. What surrounds no bone is loose: buckles,
hair, weapons follow the joint that moves the skin they lie on, as a whole; clothing takes the weights of the skin
under it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.skin.binding.binding_bones import Bones
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import ENDS, crossings, ways_out
from posable.skin.mesh import Indices, Mesh
from posable.skin.weights.nearest import nearest_on
from posable.spatial import Array

_RAYS = 24  # from every sample
_SAMPLES = 8  # along a bone, its ends left out
_HOME = 0.25  # of the first walls around a bone: a piece with as much is a home of it
_WHOLE = 0.75
_BENDS = 0.5  # of the joints: where fewer have a piece that bends there, the figure is a machine of stiff parts
_RING = 0.05  # the same for a piece that is no bone's home: it sits on the bone as a ring does


@dataclass(frozen=True, eq=False)
class Homes:
    """allowed `[piece, bone]`: which bones may move a piece. loose: `[piece]` without any; rings: `[piece]` with only one,
    that runs through them."""

    allowed: NDArray[np.bool_]
    loose: NDArray[np.bool_]
    rings: NDArray[np.bool_]
    held: Indices
    machine: bool


def homes_of(surface: Surface, bones: Bones) -> Homes:
    """Where each bone is at home."""
    pieces = int(surface.piece_of.max()) + 1
    holders = bones.reach > 0
    if pieces == 1:
        return Homes(~holders[None], np.zeros(1, bool), np.zeros(1, bool), np.full(1, -1), False)
    share = _walls(surface, bones, pieces)
    share[:, holders] = 0
    held = _held(surface, bones, np.flatnonzero((share >= _WHOLE).any(axis=1)))
    share[held >= 0] = 0
    share /= np.maximum(share.sum(axis=0), 1e-9)
    best = share.max(axis=0)
    allowed = share >= np.maximum(_HOME, np.maximum(best, 1e-9) / 2)
    allowed[held >= 0] = False
    bare = ~allowed.any(axis=1)
    bare &= held < 0
    size = np.array([np.linalg.norm(np.ptp(surface.places[surface.piece_of == p], axis=0)) for p in range(pieces)])
    length = np.zeros(len(bones.joints))
    np.maximum.at(length, bones.bone_of, np.linalg.norm(bones.end - bones.start, axis=1))
    ball = (size[:, None] < length + length[bones.parents]) & (share >= _RING) & (share[:, bones.parents] >= _RING) & (bones.parents >= 0)
    ring = np.where(ball.any(axis=1, keepdims=True), share * ball, np.where(share >= best / 2, share, 0))
    rings = bare & (ring.max(axis=1) >= _RING)
    allowed[rings, ring[rings].argmax(axis=1)] = True
    bare |= held >= 0
    joined = (bones.parents >= 0) & ~holders
    bends = (allowed & allowed[:, bones.parents]).any(axis=0)[joined]
    machine = bool(len(bends) and bends.mean() < _BENDS)
    if machine:
        whole = ~bare
        allowed[whole] = np.eye(len(length), dtype=bool)[(share * length)[whole].argmax(axis=1)]
    return Homes(allowed, bare & ~rings, rings, held, machine)


def _held(surface: Surface, bones: Bones, bodily: Indices) -> Indices:
    """`[piece]`: the bone of the prop joint that holds it, or −1."""
    pieces = int(surface.piece_of.max()) + 1
    held, nearest = np.full(pieces, -1), np.full(pieces, np.inf)
    owner = surface.piece_of[surface.faces[:, 0]]
    holders = np.flatnonzero(bones.reach > 0)
    for piece in np.setdiff1d(np.unique(owner), bodily) if len(holders) else ():
        faces = surface.faces[owner == piece]
        for bone in holders:
            at = bones.start[bones.bone_of == bone][:1]
            corners, shares = nearest_on(Mesh(surface.places, faces), at)
            far = np.linalg.norm(np.einsum("rc,rcx->rx", shares, surface.places[corners]) - at)
            low, high = surface.places[faces].reshape(-1, 3).min(0), surface.places[faces].reshape(-1, 3).max(0)
            if far <= bones.reach[bone] and far < nearest[piece]:
                held[piece], nearest[piece] = bone, far
    return held


def _walls(surface: Surface, bones: Bones, pieces: int) -> Array:
    """`[piece, bone]`: each piece's share of the first walls seen from the bone; the nearest piece's where there are
    none."""
    t = (np.arange(_SAMPLES) + 0.5)[:, None] / _SAMPLES
    points = bones.start[:, None] * (1 - t) + bones.end[:, None] * t
    hits = np.zeros((len(points), _SAMPLES, pieces))
    first_walls(surface.tree, surface.piece_of, points, ways_out(_RAYS), hits)
    outside = hits.sum(axis=2) < _RAYS / 4
    if outside.any():
        from scipy.spatial import KDTree

        used = np.flatnonzero(surface.faced)
        near = surface.piece_of[used[KDTree(surface.places[used]).query(points[outside])[1]]]
        hits[outside] = 0
        hits[outside, near] = _RAYS
    total = np.zeros((len(bones.joints), pieces))
    np.add.at(total, bones.bone_of, hits.sum(axis=1))
    return (total / total.sum(axis=1, keepdims=True)).T


@kernel
def first_walls(tree, piece_of, points, directions, hits):
    """Counts for every point `[segment, sample, 3]` of which piece the first wall is that a ray leaves."""
    at, side, stack = np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(128, np.int64)
    inverse, ray, entered = np.empty(3), np.empty(3), np.empty(ENDS, np.int64)
    for segment in range(points.shape[0]):
        for sample in range(points.shape[1]):
            point = points[segment, sample]
            away = 2 + abs(point[0]) + abs(point[1]) + abs(point[2])
            for direction in range(len(directions)):
                for axis in range(3):
                    ray[axis] = directions[direction, axis] * away
                within = 0
                for k in range(crossings(tree, point, ray, -1, at, side, stack, inverse)):
                    piece = piece_of[tree.faces[abs(side[k]) - 1, 0]]
                    if side[k] > 0:
                        entered[within] = piece
                        within += 1
                        continue
                    known = False
                    for i in range(within):
                        if entered[i] == piece:
                            entered[i] = entered[within - 1]
                            within -= 1
                            known = True
                            break
                    if not known:
                        hits[segment, sample, piece] += 1
                        break


_CLOSE = 0.1  # of a piece's size: clothing is as near to the skin almost everywhere
_ONE = 0.6  # of the weight of the skin under a piece: where one joint has as much, the piece moves as a whole
_TOUCH = 0.004  # of the mesh's size: loose pieces as near to one another hold together
_FEW = 300  # loose pieces, beyond which only those that touch hold together
_REST = 0.05  # of a cluster's size: what is this much farther than its nearest point does not rest on the skin


def follow(surface: Surface, bones: Bones, homes: Homes, weights: Array, bound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Writes the weights of the loose pieces to `weights [place, bone]`; `[place]` whether they were found.

    bound: where there are weights already. props `[bone, 3]`: where joints that hold something are; nan for others.
    """
    from scipy.spatial import KDTree

    loose = homes.loose[surface.piece_of] & surface.faced
    found = np.zeros(len(weights), bool)
    support = surface.faces[(bound & ~homes.loose[surface.piece_of])[surface.faces].all(axis=1)]
    if not loose.any() or not len(support):
        return found
    rows = np.flatnonzero(loose)
    under, far = _under(surface, support, weights, rows)
    for piece in np.unique(surface.piece_of[rows]):
        own = surface.piece_of[rows] == piece
        size = np.linalg.norm(np.ptp(surface.places[rows[own]], axis=0))
        mean = under[own].mean(axis=0)
        if not homes.machine and np.percentile(far[own], 75) < _CLOSE * size:
            weights[rows[own]] = under[own]
            if mean.max() >= _ONE * mean.sum():
                weights[rows[own]] = np.eye(len(mean))[_joint_under(bones, mean)]
            found[rows[own]] = True
    found[rows[homes.held[surface.piece_of[rows]] >= 0]] = False
    left = ~found[rows]
    for group in _clusters(surface, rows[left], far[left]):
        own = np.isin(rows, group)
        size = np.linalg.norm(np.ptp(surface.places[rows[own]], axis=0))
        resting = far[own] <= far[own].min() + _REST * size
        holders = homes.held[surface.piece_of[group]]
        joint = _joint_under(bones, under[own][resting].mean(axis=0))
        if holders.max() >= 0:
            joint = int(holders[holders >= 0][0])
        else:
            joint = _in_hand(bones, joint, size)
        weights[rows[own]] = 0
        weights[rows[own], joint] = 1
        found[rows[own]] = True
    return found


def _joint_under(bones: Bones, weights: Array) -> int:
    """The joint farthest from the root on which, with all that hangs on it, half of the weight lies."""
    total = weights.copy()
    for bone in range(len(total) - 1, -1, -1):
        if bones.parents[bone] >= 0:
            total[bones.parents[bone]] += total[bone]
    return int(np.flatnonzero(total > 0.5 * weights.sum()).max())


def _in_hand(bones: Bones, joint: int, size: float) -> int:
    """The bone of a prop joint for what lies on the hand that holds it, or on the forearm and reaches out beyond it."""
    heads = bones.start[np.unique(bones.bone_of, return_index=True)[1]]
    for holder in np.flatnonzero(bones.reach > 0):
        above = [bones.parents[holder]]
        while len(above) < 3 and above[-1] >= 0:
            above.append(bones.parents[above[-1]])
        if joint in above and (joint == above[0] or size > np.linalg.norm(heads[holder] - heads[joint])):
            return int(holder)
    return joint


def _under(surface: Surface, support: Indices, weights: Array, rows: Indices) -> tuple[Array, Array]:
    """(weights `[row, bone]`, distance `[row]`) of the nearest skin."""
    corners, shares = nearest_on(Mesh(surface.places, support), surface.places[rows])
    sums = weights.sum(axis=1, keepdims=True)
    whole = weights / np.where(sums > 0, sums, 1)
    under = np.einsum("rc,rcb->rb", shares, whole[corners])
    near = np.einsum("rc,rcx->rx", shares, surface.places[corners])
    return under, np.linalg.norm(near - surface.places[rows], axis=1)


def _nearest(surface: Surface, faces: Indices, rows: Indices) -> tuple[Indices, Array]:
    """(place, distance) `[row]` of the nearest of these faces."""
    corners, shares = nearest_on(Mesh(surface.places, faces), surface.places[rows])
    near = np.einsum("rc,rcx->rx", shares, surface.places[corners])
    return corners[:, 0], np.linalg.norm(near - surface.places[rows], axis=1)


def _clusters(surface: Surface, rows: Indices, far: Array) -> list[Indices]:
    """The loose pieces among `rows`, those together of which one is nearer to the other than to the skin."""
    group = np.unique(surface.piece_of[rows], return_inverse=True)[1].reshape(-1)
    while 1 < (count := int(group.max(initial=-1)) + 1) <= _FEW:
        joined = np.arange(count)
        for one in range(count):
            own = group == one
            rest = surface.faces[np.isin(surface.faces[:, 0], rows[~own])]
            near, gap = _nearest(surface, rest, rows[own])
            if gap.min() < max(far[own].min(), _TOUCH):
                other = group[np.searchsorted(rows, near[gap.argmin()])]
                joined[joined == joined[one]] = joined[other]
        if (joined == np.arange(count)).all():
            break
        group = np.unique(joined[group], return_inverse=True)[1].reshape(-1)
    return [rows[group == one] for one in range(int(group.max(initial=-1)) + 1)]


_SEAM = 0.002  # of the mesh's size: a border as near to another piece is sewn to it
_FADE = 0.04  # of the mesh's size: as far into the pieces the weights of a seam fade out


def sew(surface: Surface, homes: Homes, weights: Array) -> None:
    """Brings the weights on both sides of a seam together: where the border of a piece lies on another one."""
    from scipy.spatial import KDTree

    stiff = homes.rings | homes.loose
    plate = homes.allowed.sum(axis=1) == 1
    rows = np.flatnonzero(surface.faced)
    rows = rows[~stiff[surface.piece_of[rows]]]
    if homes.allowed.shape[0] == 1 or not len(rows):
        return
    used = np.flatnonzero(surface.faced & ~stiff[surface.piece_of])
    sums = weights.sum(axis=1, keepdims=True)
    whole = weights / np.where(sums > 0, sums, 1)
    shift: list[Array] = []
    where: list[Indices] = []
    for piece in np.unique(surface.piece_of[rows]):
        own, others = rows[surface.piece_of[rows] == piece], used[surface.piece_of[used] != piece]
        if not len(others):
            return
        near, to = KDTree(surface.places[others]).query(surface.places[own], distance_upper_bound=_SEAM)
        own, to = own[near <= _SEAM], others[to[near <= _SEAM]]
        soft = ~(plate[surface.piece_of[own]] & plate[surface.piece_of[to]])
        own, to = own[soft], to[soft]
        half = (whole[to] - whole[own]) / 2
        where += [own, to]
        shift += [half, -half]
    at, change = np.concatenate(where), np.concatenate(shift)
    if not len(at):
        return
    sums = np.where(sums > 0, sums, 1)
    new = whole.copy()
    for piece in np.unique(surface.piece_of[at]):
        own, seam = used[surface.piece_of[used] == piece], surface.piece_of[at] == piece
        near, to = KDTree(surface.places[at[seam]]).query(surface.places[own], distance_upper_bound=_FADE)
        reached = near < _FADE
        fade = (1 - near[reached] / _FADE)[:, None] ** 2
        new[own[reached]] += fade * change[seam][to[reached]]
    weights[:] = np.maximum(new, 0)


def _border(surface: Surface) -> Indices:
    """The places on edges of only one face."""
    ends = np.sort(np.concatenate([surface.faces[:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64), axis=1)
    key, count = np.unique(ends[:, 0] * len(surface.places) + ends[:, 1], return_counts=True)
    key = key[count == 1]
    return np.unique(np.concatenate([key // len(surface.places), key % len(surface.places)]))
