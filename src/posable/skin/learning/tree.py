"""Which joint hangs on which, and where they turn: from their motion and the vertices that they share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree, shortest_path

from posable.skin.learning.sequence import Sequence
from posable.spatial import Array

_PULL = 1e-3  # how firmly a centre of rotation keeps to the vertices that its two joints share
_APART, _STRANGE = 0.05, 0.03  # box diagonals of gap that count as much as being so far apart, as sharing no vertex


@dataclass(frozen=True)
class Tree:
    """`parents [joint]`, −1 for the root; `centers [joint, 3]`, about which each turns against its parent, at rest (a
    root's: the middle of its vertices), in the sequence's coordinates."""

    parents: np.ndarray
    centers: Array

    @cached_property
    def order(self) -> list[int]:
        """The joints, parents first."""
        found = [int(np.flatnonzero(self.parents < 0)[0])]
        for joint in found:
            found += np.flatnonzero(self.parents == joint).tolist()
        return found

    def in_order(self) -> Tree:
        """The same tree, its joints numbered parents first."""
        number = np.argsort(self.order)
        parents = self.parents[self.order]
        return Tree(np.where(parents < 0, -1, number[parents]), self.centers[self.order])


def recover_tree(sequence: Sequence, motion: Array, dense: Array, parents: np.ndarray | None = None) -> Tree:
    """The tree whose joints' centres stay together best, preferring pairs that share vertices and are near.

    dense: `[vertex, joint]` weights. parents: the tree, where it is known.
    """
    places = sequence.points[:, :3]
    mass = dense.sum(axis=0)
    middles = dense.T @ places / np.maximum(mass, 1e-300)[:, None]
    centers, gap, shared = _pair_centers(motion, dense, places, middles)
    if parents is None:
        far = np.linalg.norm(centers - middles[:, None], axis=-1) + np.linalg.norm(centers - middles[None], axis=-1)
        cost = gap + _APART * far + _STRANGE * (1 - shared) + 1e-9
        parents = _spanning_tree(cost, mass, middles)
    each = np.arange(len(mass))
    own = np.where((parents >= 0)[:, None], centers[each, parents], middles)
    return Tree(parents, own)


def _pair_centers(motion: Array, dense: Array, places: Array, middles: Array) -> tuple[Array, Array, Array]:
    """For all pairs: the point `[joint, joint, 3]` that both carry to the same places, by least squares; the distance
    that is left, root mean square; and what share of the lighter one's vertices follow both, 0…1.
    """
    frames, count = motion.shape[:2]
    both = dense.T @ dense
    joined = np.stack([dense.T @ (dense * along[:, None]) for along in places.T], axis=-1)
    halfway = (middles[:, None] + middles[None]) / 2
    sharing = both[..., None] > 1e-6 * len(places)
    anchor = np.where(sharing, joined / np.maximum(both, 1e-300)[..., None], halfway)
    normal, right, flat = np.zeros((count, count, 3, 3)), np.zeros((count, count, 3)), np.zeros((count, count))
    for one in motion:
        apart = one[:, None] - one[None]
        turn, shift = apart[:, :, :3], apart[:, :, 3]
        normal += turn @ turn.swapaxes(-1, -2)
        right -= np.einsum("ijac,ijc->ija", turn, shift)
        flat += np.einsum("ijc,ijc->ij", shift, shift)
    pulled = normal + frames * _PULL * np.eye(3)
    centers = np.linalg.solve(pulled, (right + frames * _PULL * anchor)[..., None])[..., 0]
    left = np.einsum("ija,ijab,ijb->ij", centers, normal, centers) - 2 * np.einsum("ija,ija->ij", centers, right) + flat
    most = np.minimum(np.diag(both)[:, None], np.diag(both)[None])
    return centers, np.sqrt(np.maximum(left, 0.0) / frames), np.clip(both / np.maximum(most, 1e-300), 0.0, 1.0)


def _spanning_tree(cost: Array, mass: Array, middles: Array) -> np.ndarray:
    """Parents by the cheapest tree, hung up at the joint from which the vertices are nearest along it."""
    count = len(cost)
    if count == 1:
        return np.array([-1])
    tree = minimum_spanning_tree(np.triu(cost, 1)).tocoo()
    length = np.zeros((count, count))
    length[tree.row, tree.col] = np.linalg.norm(middles[tree.row] - middles[tree.col], axis=1) + 1e-9
    root = int(np.argmin(shortest_path(length, directed=False) @ mass))
    parents = breadth_first_order(length, root, directed=False)[1]
    parents[root] = -1
    return parents.astype(np.int64)
