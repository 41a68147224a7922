"""A skeleton, its skin and its motion from what was learnt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree, shortest_path

from posable.skeleton import Joint, Skeleton
from posable.skin.bound_frames import nearest_rotation
from posable.skin.learning.alternating import Blend
from posable.skin.learning.motion_solve import minimised, normal_sums
from posable.skin.learning.sequence import Sequence
from posable.skin.learning.weight_solve import share
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.spatial import Array, apply_transform, matrix_from_wxyz, wxyz_from_matrix, wxyz_from_rotation_vector

# The joint hierarchy and centres of rotation, from the joints' motion and shared vertices.


_PULL = 1e-3  # how firmly a centre of rotation keeps to the vertices that its two joints share
_APART, _STRANGE = 0.05, 0.03  # box diagonals of gap that count as much as being so far apart, as sharing no vertex


@dataclass(frozen=True)
class Tree:
    """`parents [joint]`, −1 for the root; `centers [joint, 3]`, about which each rotates relative to its parent, at
    rest (a root's: the middle of its vertices), in the sequence's coordinates."""

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
    """For all pairs: the point `[joint, joint, 3]` that both carry to the same positions, by least squares; the
    residual distance, root mean square; and what share of the lighter one's vertices follow both, 0…1.
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


def as_figure(sequence: Sequence, played: Blend, tree: Tree, mesh: Mesh) -> tuple[Skeleton, Skin, Array]:
    """(skeleton, skin, `q [frame, coordinates]`): ball joints, named by their number, on a free root, parents first.

    The skeleton rests as the mesh does, in the frames' unit, every joint's axes along the world's.
    """
    places = sequence.scale * rest_places(sequence, tree.centers)
    skeleton = _skeleton(tree, places, "z" if mesh.up == "z" else "y")
    inverse_bind = np.tile(np.eye(4), (len(places), 1, 1))
    inverse_bind[:, :3, :3] *= sequence.scale
    inverse_bind[:, :3, 3] = -places[tree.order]
    number = np.argsort(tree.order)
    skin = Skin(
        skeleton=skeleton,
        vertices=mesh.vertices.astype(np.float32),
        faces=mesh.faces,
        joints=number[played.joints].astype(np.int32),
        weights=played.weights.astype(np.float32),
        inverse_bind=inverse_bind,
        colors=mesh.colors,
        name=mesh.name,
    )
    return skeleton, skin, _coordinates(sequence, played.motion, tree)


def rest_places(sequence: Sequence, centers: Array) -> Array:
    """Points `[..., 3]` of the sequence's coordinates in the rest pose's."""
    return apply_transform(np.linalg.inv(sequence.here_from_rest), centers)


def _skeleton(tree: Tree, places: Array, up: str) -> Skeleton:
    joints = []
    for joint in tree.order:
        parent = int(tree.parents[joint])
        at = tuple(places[joint] - (places[parent] if parent >= 0 else 0.0))
        kind, above = ("free", None) if parent < 0 else ("ball", joint_name(parent))
        joints.append(Joint(joint_name(joint), kind, above, at))
    return Skeleton(joints, "z" if up == "z" else "y")


def joint_name(joint: int) -> str:
    """What joint number `joint` is called."""
    return f"joint_{joint}"


def _coordinates(sequence: Sequence, motion: Array, tree: Tree) -> Array:
    world = sequence.world_from_here
    turn = world[:, None, :3, :3] / np.cbrt(np.linalg.det(world[:, :3, :3]))[:, None, None, None]
    rotation = turn @ motion[:, :, :3].swapaxes(-1, -2)
    root = tree.order[0]
    place = tree.centers[root] @ motion[:, root, :3] + motion[:, root, 3]
    parts = [np.einsum("fab,fb->fa", world[:, :3, :3], place) + world[:, :3, 3]]
    for joint in tree.order:
        parent = int(tree.parents[joint])
        local = rotation[:, joint] if parent < 0 else rotation[:, parent].swapaxes(-1, -2) @ rotation[:, joint]
        parts.append(_steady(wxyz_from_matrix(local)))
    return np.concatenate(parts, axis=1)


def _steady(wxyz: Array) -> Array:
    """The same rotations `[frame, 4]`, each with the sign that is nearer to the one before."""
    dots = np.sum(wxyz[1:] * wxyz[:-1], axis=1)
    return wxyz * np.concatenate([[1.0], np.cumprod(np.where(dots < 0, -1.0, 1.0))])[:, None]


# The learnt motion on a skeleton: every joint a ball on its parent, the root free.


_TURNS = 4
_STEPS = 7


@dataclass(frozen=True)
class Chained:
    """Joints that rotate about their centres, connected; the root moves freely (a Freedom of motion_solve.py)."""

    tree: Tree

    def slope(self, motion: Array) -> Array:
        """`[frame, 6·joint, 3 + 3·joint]`: the root's shift, then each joint's rotation, which all its descendants
        follow.
        """
        frames, count = motion.shape[:2]
        slope = np.zeros((frames, count, 6, 3 + 3 * count))
        slope[:, :, 3:, :3] = np.eye(3)
        about = np.einsum("fjpc,jp->fjc", motion[:, :, :3], self.tree.centers) + motion[:, :, 3]
        for joint in range(count):
            for above in self._above[joint]:
                x, y, z = about[:, above].T
                zero = np.zeros_like(x)
                turning = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(-1, 3, 3)
                slope[:, joint, :3, 3 + 3 * above : 6 + 3 * above] = np.eye(3)
                slope[:, joint, 3:, 3 + 3 * above : 6 + 3 * above] = turning
        return slope.reshape(frames, 6 * count, -1)

    @cached_property
    def _above(self) -> list[list[int]]:
        """Each joint with all that it hangs on."""
        found: dict[int, list[int]] = {-1: []}
        for joint in self.tree.order:
            found[joint] = [*found[int(self.tree.parents[joint])], joint]
        return [found[joint] for joint in range(len(self.tree.parents))]

    def moved(self, motion: Array, step: Array) -> Array:
        """The motion after every joint's rotation and the root's shift, connected."""
        turns = step[:, 3:].reshape(len(step), -1, 3)
        summed = np.stack([turns[:, above].sum(axis=1) for above in self._above], axis=1)
        turn = matrix_from_wxyz(wxyz_from_rotation_vector(summed))
        rotation = np.einsum("fjpa,fjba->fjpb", motion[:, :, :3], turn)
        root = self.tree.order[0]
        about = self.tree.centers[root] @ motion[:, root, :3] + motion[:, root, 3]
        return self.hung(rotation, about + step[:, :3])

    def hung(self, rotation: Array, root_place: Array) -> Array:
        """The motion of joints rotated by `rotation [frame, joint, 3, 3]` (of rows), the root at its position."""
        motion = np.zeros((*rotation.shape[:2], 4, 3))
        motion[:, :, :3] = rotation
        for joint in self.tree.order:
            parent, center = int(self.tree.parents[joint]), self.tree.centers[joint]
            place = root_place if parent < 0 else center @ motion[:, parent, :3] + motion[:, parent, 3]
            motion[:, joint, 3] = place - center @ rotation[:, joint]
        return motion


def on_skeleton(sequence: Sequence, blend: Blend, tree: Tree, learn_weights: bool) -> Blend:
    """What was learnt, brought onto the tree: its motion, and weights for it unless they are given."""
    chained = Chained(tree)
    root = tree.order[0]
    place = tree.centers[root] @ blend.motion[:, root, :3] + blend.motion[:, root, 3]
    motion = chained.hung(nearest_rotation(blend.motion[:, :, :3]), place)
    joints, weights = blend.joints.copy(), blend.weights.copy()
    left = blend.left
    for _ in range(_TURNS if learn_weights else 1):
        sums = normal_sums(sequence, joints, weights, motion.shape[1])
        motion = minimised(motion, *sums, chained, _STEPS)
        left = share(sequence, motion, joints, weights, 3 if learn_weights else 0)
    return Blend(motion, joints, weights, left)
