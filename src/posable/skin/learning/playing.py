"""The learnt motion on a skeleton: every joint a ball on its parent, the root free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from posable.skin.learning.alternating import Blend
from posable.skin.learning.moving import normal_sums
from posable.skin.learning.newton import minimised
from posable.skin.learning.sequence import Sequence, nearest_rotation
from posable.skin.learning.sharing import share
from posable.skin.learning.tree import Tree
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector

_TURNS = 4
_STEPS = 6


@dataclass(frozen=True)
class Chained:
    """Joints that turn about their centres and hang together; the root moves freely (a Freedom of newton.py)."""

    tree: Tree

    def slope(self, motion: Array) -> Array:
        """`[frame, 6·joint, 3 + 3·joint]`: the root's shift, then each joint's turn, which all below it follow."""
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
        """The motion after every joint's turn and the root's shift, hanging together."""
        turns = step[:, 3:].reshape(len(step), -1, 3)
        summed = np.stack([turns[:, above].sum(axis=1) for above in self._above], axis=1)
        turn = matrix_from_wxyz(wxyz_from_rotation_vector(summed))
        rotation = np.einsum("fjpa,fjba->fjpb", motion[:, :, :3], turn)
        root = self.tree.order[0]
        about = self.tree.centers[root] @ motion[:, root, :3] + motion[:, root, 3]
        return self.hung(rotation, about + step[:, :3])

    def hung(self, rotation: Array, root_place: Array) -> Array:
        """The motion of joints so turned, `rotation [frame, joint, 3, 3]` (of rows), the root at its place."""
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
