"""Weights, joint motion and a skeleton from example poses of a mesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import SkinError
from posable.skeleton import Skeleton
from posable.skin.learning import sequence as checking
from posable.skin.learning.alternating import Blend, in_order, in_unit, learn, learn_within, rigid_fit
from posable.skin.learning.assemble_rig import as_figure, on_skeleton, recover_tree, rest_places
from posable.skin.learning.motion_solve import EachFree, minimised, normal_sums, sweep
from posable.skin.learning.sequence import Sequence, normalized_sequence, unit_or_one
from posable.skin.learning.weight_solve import Indices, share, squared_blend_errors
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin
from posable.spatial import Array

# The two easier problems: weights where the motion is given, motion where the weights are.


_TRIES, _WIDE, _PASSES = 6, 14, 2
_ROUNDS, _SWEEPS, _STEPS = 6, 3, 10


def weights_for(sequence: Sequence, transforms: Array, influences: int) -> Blend:
    """The best weights for joints that move by `transforms [frame, joint, 4, 4]` world_from_rest, rigid or not."""
    here = np.linalg.inv(sequence.world_from_here)[:, None] @ transforms @ np.linalg.inv(sequence.here_from_rest)
    motion = np.ascontiguousarray(here[..., :3, :].swapaxes(-1, -2))
    joints = np.zeros((len(sequence.points), influences), np.int64)
    weights = np.zeros(joints.shape)
    left = np.empty(0)
    for _ in range(_PASSES):
        left = share(sequence, motion, joints, weights, _TRIES, _WIDE)
    return Blend(motion, joints, weights, left)


def unit_of(transforms: Array) -> float | None:
    """The scale that `transforms [frame, joint, 4, 4]` have in common; None, to be seen, where they have none."""
    volumes = np.abs(np.linalg.det(transforms[..., :3, :3]))
    middle = float(np.cbrt(np.median(volumes)))
    return unit_or_one(middle) if middle > 0 else None


def motion_for(sequence: Sequence, dense: Array) -> tuple[Sequence, Blend]:
    """The best rigid motion of joints with weights `dense [vertex, joint]`; the sequence, its unit corrected.

    It begins with every joint fitted to the vertices that follow it most.
    """
    count = dense.shape[1]
    vertex, joint = np.nonzero((dense > 0) & (dense >= 0.5 * dense.max(axis=0)))
    motion = rigid_fit(sequence.of(vertex), joint, count)
    width = int((dense > 0).sum(axis=1).max())
    joints = np.argsort(-dense, axis=1, kind="stable")[:, :width]
    weights = np.take_along_axis(dense, joints, axis=1)
    blend = Blend(motion, joints, weights, squared_blend_errors(sequence, motion, joints, weights))
    for _ in range(_ROUNDS if sequence.other_unit else 1):
        sequence, blend = in_unit(sequence, blend)
        motion = blend.motion.copy()
        sums = normal_sums(sequence, joints, weights, count)
        sweep(motion, *sums, _SWEEPS)
        motion = minimised(motion, *sums, EachFree(), _STEPS)
        blend = Blend(motion, joints, weights, squared_blend_errors(sequence, motion, joints, weights))
    return sequence, blend


@dataclass(frozen=True, eq=False)
class LearntSkin:
    """Weights and joint motion learnt from example poses, and a figure that reproduces them.

    Args:
        weights: `[vertex, joint]`, ≥ 0, each row summing to 1.
        transforms: `[frame, joint, 4, 4]` world_from_rest.
        error: Root mean square distance of the blended vertices from the frames, as a share of the bounding box
            diagonal.
        distance: The same as a length, in the frames' unit.
        parents: `[joint]`, -1 for the root.
        centers: `[joint, 3]` centre of rotation of each joint in the rest pose.
        scale: The frames' unit in units of the rest pose; 1 if they are the same.
        skeleton: Ball joints on a free root.
        skin: The mesh bound to `skeleton`, with weights optimised for the motion of the skeleton.
        q: Coordinates of the example poses, `[frame, coordinates]`.
        played_error: The error of `skin` in the poses `q`, as a share of the bounding box diagonal.

    Example:
        >>> rest = np.random.default_rng(0).uniform(-1, 1, (60, 3))
        >>> frames = np.stack([rest, rest + (rest[:, :1] > 0) * (0.0, 0.3, 0.0)])
        >>> learnt = posable.weights_from_examples(rest, frames, joints=2)
        >>> learnt.weights.shape, learnt.error < 0.01
        ((60, 2), True)
    """

    weights: Array
    transforms: Array
    error: float
    distance: float
    parents: NDArray[np.int64]
    centers: Array
    scale: float
    skeleton: Skeleton
    skin: Skin
    q: Array
    played_error: float

    def __repr__(self) -> str:
        count = f"{self.weights.shape[1]} joints, {len(self.weights)} vertices, {len(self.q)} frames"
        return f"LearntSkin({count}, error {100 * self.error:.3g} %, played {100 * self.played_error:.3g} %)"


def weights_from_examples(
    rest: Any,
    frames: ArrayLike,
    joints: int | None = 20,
    *,
    influences: int = 4,
    transforms: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    parents: ArrayLike | None = None,
    target: float = 1e-3,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> LearntSkin:
    """Learn blend weights and joint motion from poses of one mesh: scans, simulations or sculpts.

    Joints move rigidly; the frames may differ from the rest pose by one factor of unit. The result is deterministic and
    invariant to a rigid motion and the unit of the frames. The method alternates between weights and motion (Le & Deng
    2012), from more joints than wanted down to those that matter most.

    Args:
        rest: A Mesh, a pair (vertices, faces), or vertices `[vertex, 3]`.
        frames: The examples, `[frame, vertex, 3]`, in any unit.
        joints: Maximum number of joints; fewer if fewer suffice. None finds the fewest that reach `target`.
        influences: Maximum number of joints per vertex.
        transforms: `[frame, joint, 3 or 4, 4]` world_from_rest, if the motion is known: only weights are learnt.
        weights: `[vertex, joint]`, if the weights are known: only motion is learnt.
        parents: `[joint]` parents, together with `transforms` or `weights`.
        target: With `joints=None`, the error to reach, as a share of the bounding box diagonal.
        seed: Random seed for sampling vertices of large meshes.
        progress: Called with the share done, 0 … 1.

    Returns:
        The weights, the motion and a figure that reproduces it.

    Raises:
        SkinError: For arrays that do not match, are not finite or are too large.

    Example:
        >>> rest = np.random.default_rng(0).uniform(-1, 1, (60, 3))
        >>> frames = np.stack([rest, rest + (rest[:, :1] > 0) * (0.0, 0.3, 0.0)])
        >>> learnt = posable.weights_from_examples(rest, frames, joints=2)
    """
    mesh = checking.checked_mesh(rest)
    shown = checking.checked_frames(frames, len(mesh.vertices))
    most = checking.checked_influences(influences)
    known = None if transforms is None else checking.checked_transforms(transforms, len(shown))
    sequence = normalized_sequence(mesh.vertices, shown, None if known is None else unit_of(known))
    report = progress or (lambda _: None)
    if known is not None and weights is not None:
        raise SkinError("weights and transforms are both given; leave out what is to be learnt")
    if known is not None:
        blend = weights_for(sequence, known, most)
    elif weights is not None:
        sequence, blend = motion_for(sequence, checking.checked_weights(weights, len(mesh.vertices)))
    elif parents is not None:
        raise SkinError("parents say nothing about joints yet to be found; give weights or transforms with them")
    elif joints is None:
        sequence, blend = learn_within(sequence, _positive(target), most, seed, report)
    else:
        sequence, blend = learn(sequence, checking.checked_count(joints, len(mesh.vertices)), most, seed, report)
    above = None if parents is None else checking.checked_parents(parents, blend.motion.shape[1])
    learnt = _result(sequence, blend, mesh, above, given=known is not None, fixed=weights is not None)
    report(1.0)
    return learnt


def _positive(target: float) -> float:
    if not 0 < target < np.inf:
        raise SkinError(f"target is a share of the box diagonal above 0, such as 0.001, not {target!r}")
    return target


def _result(
    sequence: Sequence, blend: Blend, mesh: Mesh, parents: Indices | None, *, given: bool, fixed: bool
) -> LearntSkin:
    tree = recover_tree(sequence, blend.motion, _dense(blend), parents)
    if not (given or fixed):
        blend, tree = in_order(blend, tree.order), tree.in_order()
    played = on_skeleton(sequence, blend, tree, learn_weights=not fixed)
    skeleton, skin, q = as_figure(sequence, played, tree, mesh)
    error = _error(sequence, blend)
    transforms = np.zeros((*blend.motion.shape[:2], 4, 4))
    transforms[..., :3, :], transforms[..., 3, 3] = blend.motion.swapaxes(-1, -2), 1.0
    return LearntSkin(
        weights=_dense(blend),
        transforms=sequence.world_from_here[:, None] @ transforms @ sequence.here_from_rest,
        error=error,
        distance=error * sequence.diagonal,
        parents=tree.parents,
        centers=rest_places(sequence, tree.centers),
        scale=sequence.scale,
        skeleton=skeleton,
        skin=skin,
        q=q,
        played_error=_error(sequence, played),
    )


def _dense(blend: Blend) -> Array:
    """`[vertex, joint]`, the rows summing to 1."""
    dense = np.zeros((len(blend.weights), blend.motion.shape[1]))
    for k in range(blend.weights.shape[1]):
        np.add.at(dense, (np.arange(len(dense)), blend.joints[:, k]), blend.weights[:, k])
    return dense / dense.sum(axis=1, keepdims=True)


def _error(sequence: Sequence, blend: Blend) -> float:
    """The root of the mean squared distance, as a share of the box diagonal, from the blended vertices themselves."""
    return float(
        np.sqrt(squared_blend_errors(sequence, blend.motion, blend.joints, blend.weights).mean() / len(blend.motion))
    )
