"""Figures in many pieces: which bones each piece follows, and what the loose ones lie on.

A bone is at home in the pieces that are the first walls around it. A tunic does not follow the thighs that stand in
legs of their own, nor a head the bones in its ears. What is not the home of any bone is loose: buckles, hair and
backpacks move as a whole with the joint whose skin they rest on, what a hand holds with the joint for it; clothing
that lies on the skin takes the weights under it.
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
from posable.spatial import Array, normalized

_RAYS, _SAMPLES = 24, 8  # rays from each of the samples along a bone, its ends left out
_HOME = 0.25  # of the walls around a bone, and half of what its best home has: a piece with as much is a home
_SEEN, _BRANCH = 0.05, 0.3  # of the walls around a bone; of its length, that it begins off the end of its parent
_MAIN = 0.75  # of the walls around a bone: a piece with as much is a part of the body, not a thing in its hand
_RING = 0.05  # of the walls around a bone: a piece without bones of its own that is as much sits on it as a ring does
_BENDS = 0.5  # of the joints, and of their bones' length: where less has a piece that bends there, it is a machine

_MIDDLE, _BALL = 0.1, 1.5  # of a piece's size; what it counts for a machine's bone to begin so near the piece's middle


@dataclass(frozen=True, eq=False)
class Homes:
    """Which bones may move which pieces.

    allowed: `[piece, bone]`. loose: `[piece]` whether no bone is at home in it. stiff: `[piece]` whether it moves as a
    whole all the same. held: `[piece]` the bone of the joint that holds it in a hand, or −1. machine: every piece is
    stiff.
    """

    allowed: NDArray[np.bool_]
    loose: NDArray[np.bool_]
    stiff: NDArray[np.bool_]
    held: Indices
    machine: bool


def homes_of(surface: Surface, bones: Bones) -> Homes:
    """Where each bone is at home; all are in a mesh of one piece, or of pieces around which there is no bone."""
    count = int(surface.piece_of.max()) + 1
    bodily, none = bones.grip == 0, np.zeros(count, bool)
    everywhere = Homes(np.tile(bodily, (count, 1)), none, none, np.full(count, -1), False)
    if count == 1:
        return everywhere
    share = _walls(surface, bones, count) * bodily
    held = _held(surface, bones, (share >= _MAIN).any(axis=1))
    share[held >= 0] = 0
    share /= np.maximum(share.sum(axis=0), 1e-9)
    best = share.max(axis=0)
    allowed = (share >= _HOME) & (share >= best / 2) & (held < 0)[:, None]
    if not allowed.any():
        return everywhere
    _move_out(bones, share, allowed)
    length = bones.lengths
    ring = _rings(surface, bones, share, length) * (~allowed.any(axis=1) & (held < 0))[:, None]
    rings = ring.max(axis=1) >= _RING
    allowed[rings, ring[rings].argmax(axis=1)] = True
    below = bodily & (bones.parents >= 0)
    bends = (allowed & allowed[:, bones.parents]).any(axis=0)[below]
    shares = [np.average(bends, weights=of[below]) for of in (np.ones_like(length), length)] if below.any() else [1.0]
    machine = float(max(shares)) < _BENDS
    if machine:
        stiff = allowed.any(axis=1) & ~rings
        inside = share * length * np.where(_balls(surface, bones, len(share)), _BALL, 1)
        allowed[stiff] = np.eye(len(length), dtype=bool)[inside[stiff].argmax(axis=1)]
    return Homes(allowed, ~allowed.any(axis=1), allowed.sum(axis=1) < 2, held, machine)


def _move_out(bones: Bones, share: Array, allowed: NDArray[np.bool_]) -> None:
    """Takes the first bone of an ear, a horn or an arm that is a piece of its own out of the piece it stands in.

    Such a bone branches off its parent, begins in the parent's piece, and sees the one in which alone the bones below
    it are at home.
    """
    for bone in np.flatnonzero(bones.parents >= 0):
        above, below = bones.parents[bone], np.flatnonzero(bones.parents == bone)
        if not len(below):
            continue
        away = np.linalg.norm(bones.end[bones.bone_of == above].mean(axis=0) - bones.heads[bone])
        chain = allowed[:, below].all(axis=1) & ~allowed[:, above] & (share[:, bone] >= _SEEN)
        leaves = allowed[:, bone] & allowed[:, above] & ~allowed[:, below].any(axis=1)
        if away > _BRANCH * bones.lengths[bone] and chain.any() and leaves.any():
            allowed[:, bone] = chain


def _balls(surface: Surface, bones: Bones, count: int) -> NDArray[np.bool_]:
    """`[piece, bone]`: whether one bone alone begins in the middle of the piece, as in the ball of a joint."""
    boxes = [surface.places[surface.piece_of == piece] for piece in range(count)]
    middles = np.array([(box.min(axis=0) + box.max(axis=0)) / 2 for box in boxes])
    sizes = np.array([np.linalg.norm(np.ptp(box, axis=0)) for box in boxes])
    there = np.linalg.norm(middles[:, None] - bones.heads, axis=2) < _MIDDLE * sizes[:, None]
    return there & (there.sum(axis=1) == 1)[:, None]


def _rings(surface: Surface, bones: Bones, share: Array, length: Array) -> Array:
    """`[piece, bone]`: the share of the walls, for bones that a piece sits on: the lower of two that meet in it, unless
    it is larger than both; or the one that has no better home.
    """
    size = np.array([surface.extent(surface.piece_of == piece) for piece in range(len(share))])
    meets = (share >= _RING) & (share[:, bones.parents] >= _RING) & (bones.parents >= 0)
    meets &= size[:, None] < length + length[bones.parents]
    alone = share >= share.max(axis=0) / 2
    return np.where(np.where(meets.any(axis=1, keepdims=True), meets, alone), share, 0)


def _held(surface: Surface, bones: Bones, bodily: NDArray[np.bool_]) -> Indices:
    """`[piece]`: the bone of the nearest joint that holds things within its grip of the piece, or −1."""
    held, nearest = np.full(len(bodily), -1), np.full(len(bodily), np.inf)
    owner = surface.piece_of[surface.faces[:, 0]]
    for bone in np.flatnonzero(bones.grip):
        at = bones.start[bones.bone_of == bone][:1]
        for piece in np.setdiff1d(np.unique(owner), np.flatnonzero(bodily)):
            far = float(_nearest(surface, surface.faces[owner == piece], at)[2][0])
            if far <= bones.grip[bone] and far < nearest[piece]:
                held[piece], nearest[piece] = bone, far
    return held


def _nearest(surface: Surface, faces: NDArray[np.int32], points: Array) -> tuple[Indices, Array, Array]:
    """(corners `[point, 3]`, shares `[point, 3]`, distance `[point]`) of the nearest point on some faces."""
    corners, shares = nearest_on(Mesh(surface.places, faces), points)
    near = np.einsum("pc,pcx->px", shares, surface.places[corners])
    return corners, shares, np.linalg.norm(near - points, axis=1)


def _walls(surface: Surface, bones: Bones, count: int) -> Array:
    """`[piece, bone]`: each piece's share of the first walls seen from the bone; where that stands in the air, of the
    nearest.
    """
    from scipy.spatial import KDTree

    t = (np.arange(_SAMPLES) + 0.5)[:, None] / _SAMPLES
    points = bones.start[:, None] * (1 - t) + bones.end[:, None] * t
    total, outside = np.zeros((len(bones.joints), count)), np.zeros(points.shape[:2], np.bool_)
    count_walls(surface.tree, surface.piece_of, points, bones.bone_of, ways_out(_RAYS), total, outside)
    if outside.any():
        used = np.flatnonzero(surface.faced)
        near = surface.piece_of[used[KDTree(surface.places[used]).query(points[outside])[1]]]
        np.add.at(total, (np.broadcast_to(bones.bone_of[:, None], outside.shape)[outside], near), _RAYS)
    return (total / total.sum(axis=1, keepdims=True)).T


@kernel
def count_walls(tree, piece_of, points, bone_of, directions, total, outside):
    """Adds to `total [bone, piece]`, for every point `[segment, sample]`, of which piece the first wall is that a ray
    leaves without having entered it; where few rays meet any, the point is `outside`, and adds none.
    """
    at, side, stack = np.empty(ENDS), np.empty(ENDS, np.int64), np.empty(128, np.int64)
    inverse, ray, entered = np.empty(3), np.empty(3), np.empty(ENDS, np.int64)
    walls = np.empty(len(directions), np.int64)
    for segment in range(points.shape[0]):
        for sample in range(points.shape[1]):
            point = points[segment, sample]
            away = 2 + abs(point[0]) + abs(point[1]) + abs(point[2])
            count = 0
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
                    known = 0
                    while known < within and entered[known] != piece:
                        known += 1
                    if known == within:
                        walls[count] = piece
                        count += 1
                        break
                    within -= 1
                    entered[known] = entered[within]
            outside[segment, sample] = 4 * count < len(directions)
            if not outside[segment, sample]:
                for k in range(count):
                    total[bone_of[segment], walls[k]] += 1


# What loose pieces follow.


_CLOSE = 0.1  # of a piece's size: three quarters of what lies on the skin are as near to it
_ALONE, _PART = 0.9, 0.1  # of the weight, of a piece: it reaches across a joint where two bones have as much alone
_TOUCH = 0.004  # of the mesh's size: things as near to one another hold together
_BEHIND = 0.04  # of a part's size
_REST = 0.05  # of a thing's size: what is this much farther from the skin than its nearest point does not rest on it
_MOST = 2_000_000  # things times faces, beyond which each thing stands for itself
_LIMB = 3  # joints: a hand, a wrist, a forearm


def follow(surface: Surface, bones: Bones, homes: Homes, weights: Array, bound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Writes the weights of the loose pieces to `weights [place, bone]`; `[place]` where it did.

    bound: where there are weights already, those of the skin that loose pieces lie on.
    """
    rows = np.flatnonzero(homes.loose[surface.piece_of] & surface.faced)
    skin = surface.faces[bound[surface.faces].all(axis=1)]
    done = np.zeros(len(weights), bool)
    if not len(rows) or not len(skin):
        return done
    corners, shares, far = _nearest(surface, skin, surface.places[rows])
    under = np.einsum("rc,rcb->rb", shares, to_one(weights)[corners])
    left = np.ones(len(rows), bool)
    for piece in np.unique(surface.piece_of[rows]):
        own = surface.piece_of[rows] == piece
        near = np.percentile(far[own], 75) < _CLOSE * surface.extent(rows[own])
        if near and not homes.machine and homes.held[piece] < 0:
            mean, left[own] = under[own].mean(axis=0), False
            alone = (to_one(under[own]) >= _ALONE).mean(axis=0)
            bent = min(alone.max(), alone.sum() - alone.max()) >= _PART
            weights[rows[own]] = under[own] if bent else _only(bones, _joint_under(bones, mean))
    for own in _things(surface, rows, far, left):
        size, holders = surface.extent(rows[own]), homes.held[surface.piece_of[rows[own]]]
        resting = far[own] <= far[own].min() + _REST * size
        joint = _in_hand(bones, _joint_under(bones, under[own][resting].mean(axis=0)), size)
        joint = int(holders.max()) if holders.max() >= 0 else joint
        for piece in np.unique(surface.piece_of[rows[own]]):
            part = rows[own][surface.piece_of[rows[own]] == piece]
            beside = homes.machine and not bones.grip[joint]
            weights[part] = _only(bones, _before(bones, joint, surface.places[part]) if beside else joint)
    done[rows] = True
    return done


def _before(bones: Bones, bone: int, points: Array) -> int:
    """The bone that a machine's loose part follows: the nearest beside `bone`, but the one above that where the middle
    of the part lies behind where it begins, as what covers a shoulder lies on the chest; its ball does not.
    """
    found = _nearest_beside(bones, bone, points)
    above = int(bones.parents[found])
    along = normalized((bones.end[bones.bone_of == found] - bones.heads[found]).mean(axis=0))
    low, high = points.min(axis=0), points.max(axis=0)
    behind = (bones.heads[found] - (low + high) / 2) @ along
    return above if above >= 0 and behind > _BEHIND * np.linalg.norm(high - low) else found


def _nearest_beside(bones: Bones, bone: int, points: Array) -> int:
    """Of a bone, the one above and those below, the one that is nearest to points."""
    beside = bones.parents == bone
    beside[[bone, bones.parents[bone] if bones.parents[bone] >= 0 else bone]] = True
    return int(np.where(beside & (bones.grip == 0), bones.apart(points), np.inf).argmin())


def to_one(weights: Array) -> Array:
    """Every row brought to sum 1; one of zeros stays."""
    total = weights.sum(axis=1, keepdims=True)
    return weights / np.where(total > 0, total, 1)


def _only(bones: Bones, bone: int) -> Array:
    return np.eye(1, len(bones.joints), bone)[0]


def _joint_under(bones: Bones, weights: Array) -> int:
    """The bone farthest from the root on which, with all that hangs on it, half of the weight lies."""
    total = weights.copy()
    for bone in range(len(total) - 1, -1, -1):
        if bones.parents[bone] >= 0:
            total[bones.parents[bone]] += total[bone]
    return int(np.flatnonzero(total >= min(0.5 * weights.sum(), total.max())).max())  # several roots may share it


def _in_hand(bones: Bones, bone: int, size: float) -> int:
    """The bone of the joint that holds things in a hand, for a thing on that hand, or on the wrist or forearm if it
    reaches beyond the hand; else `bone`.
    """
    for holder in np.flatnonzero(bones.grip):
        above = [int(bones.parents[holder])]
        while len(above) < _LIMB and above[-1] >= 0:
            above.append(int(bones.parents[above[-1]]))
        if bone in above and (bone == above[0] or size > np.linalg.norm(bones.heads[holder] - bones.heads[bone])):
            return int(holder)
    return bone


def _things(surface: Surface, rows: Indices, far: Array, left: NDArray[np.bool_]) -> list[Indices]:
    """The loose pieces among `rows[left]` as things, each as indices of `rows`: those together of which one is nearer
    to the other than to the skin.
    """
    chosen = np.flatnonzero(left)
    group = np.unique(surface.piece_of[rows[chosen]], return_inverse=True)[1].reshape(-1)
    loose = surface.faces[np.isin(surface.faces[:, 0], rows[chosen])]
    while (count := int(group.max(initial=-1)) + 1) > 1 and count * len(loose) <= _MOST:
        joined = np.arange(count)
        for one in range(count):
            own = group == one
            others = loose[np.isin(loose[:, 0], rows[chosen[~own]])]
            corners, _, gap = _nearest(surface, others, surface.places[rows[chosen[own]]])
            if gap.min() < max(far[chosen[own]].min(), _TOUCH):
                other = group[np.searchsorted(rows[chosen], corners[gap.argmin(), 0])]
                joined[joined == joined[one]] = joined[other]
        if (joined == np.arange(count)).all():
            break
        group = np.unique(joined[group], return_inverse=True)[1].reshape(-1)
    return [chosen[group == one] for one in range(int(group.max(initial=-1)) + 1)]


# Seams between pieces.


_NEAR = 0.5  # of the shorter bone: a seam as near to where one of two bones begins is at their joint
_SEAM = 0.002  # of the mesh's size: points of two pieces as near to one another are sewn together
_FADE = 0.04  # of the mesh's size: as far into the pieces the change at a seam fades out


def sew(surface: Surface, bones: Bones, homes: Homes, weights: Array, bound: NDArray[np.bool_]) -> Array:
    """`weights [place, bone]` with those on both sides of a seam brought together, where pieces touch that bend."""
    from scipy.spatial import KDTree

    used = np.flatnonzero(bound & surface.faced)
    piece, places, whole = surface.piece_of[used], surface.places[used], to_one(weights)
    if homes.machine or not len(used) or (piece == piece[0]).all():
        return weights
    pairs = np.asarray(KDTree(places).query_pairs(_SEAM, output_type="ndarray"))
    pairs = np.concatenate([pairs, pairs[:, ::-1]])
    one, other = piece[pairs].T
    pairs = pairs[(one != other) & ~(homes.stiff[one] & homes.stiff[other])]
    pairs = pairs[_meet(bones, whole[used].argmax(axis=1)[pairs], places[pairs[:, 0]])]
    gap = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    order = np.lexsort((gap, pairs[:, 0]))
    seam, first = np.unique(pairs[order, 0], return_index=True)
    far = pairs[order[first], 1]
    share = np.where(homes.stiff[piece[seam]], 0, np.where(homes.stiff[piece[far]], 1, 0.5))
    shift, out = (whole[used[far]] - whole[used[seam]]) * share[:, None], whole.copy()
    for one in np.unique(piece[seam]):
        own, here = np.flatnonzero(piece == one), np.flatnonzero(piece[seam] == one)
        near, to = (np.asarray(found) for found in KDTree(places[seam[here]]).query(places[own]))
        own, fade = own[near < _FADE], (1 - near[near < _FADE] / _FADE) ** 2
        out[used[own]] += fade[:, None] * shift[here[to[near < _FADE]]]
    return np.maximum(out, 0)


def _meet(bones: Bones, pairs: Indices, places: Array) -> NDArray[np.bool_]:
    """`[pair]`: whether two bones `[pair, 2]` are one, parent and child, or two joints apart and begin near the
    position: shirt and trousers at the hip, but not a foot and the other.
    """
    one, other = pairs.T
    up, over = bones.parents[one], bones.parents[other]
    beside = (one == other) | (up == other) | (over == one)
    two = (up >= 0) & (over >= 0) & ((up == over) | (bones.parents[up] == other) | (bones.parents[over] == one))
    least = np.minimum(bones.lengths[one], bones.lengths[other])
    gap = [np.linalg.norm(places - bones.heads[bone], axis=1) for bone in (one, other)]
    return beside | (two & (np.minimum(*gap) < _NEAR * least))
