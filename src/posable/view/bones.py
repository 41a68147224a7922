"""The lines of a skeleton, and the solids drawn along them where a figure has nothing else to show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.figures.solids import bone_solid, ellipsoid, solid_of
from posable.skeleton import Pose
from posable.spatial import Array, matrix_from_wxyz, wxyz_between
from posable.view.parts import Part, painted, repeated, rigid_part

BONE_COLOR = (0.87, 0.81, 0.71)
BALL_COLOR = (0.33, 0.40, 0.50)
_TORN = 0.4  # of the length of all bones
_HIDES = 0.6  # of a bone's length, that a shape is long


@dataclass(frozen=True, eq=False)
class Bones:
    """From the origin of joint `start [bone]` to the point `tip [bone, 3]` in the frame of joint `end [bone]`."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    tip: Array

    @classmethod
    def of(cls, figure: Figure) -> Bones:
        """From every joint to its children and tips; with skins, only where the skin is moved, not to far helpers."""
        shown = _shown_joints(figure)
        parents = figure.skeleton.parents
        rows = [(p, j, (0.0, 0.0, 0.0)) for j, p in enumerate(parents) if p >= 0 and shown[p] and shown[j]]
        joints = enumerate(figure.skeleton.definitions)
        rows += [(j, j, tip) for j, joint in joints if shown[j] for tip in joint.tips]
        start, end, tips = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(start, int), np.array(end, int), np.array(tips, float).reshape(-1, 3))

    def ends(self, pose: Pose) -> tuple[Array, Array]:
        """Where the bones begin and end in the world, `[bone, 3]` each."""
        matrices = pose.world_from_joint
        ends = np.einsum("bij,bj->bi", matrices[self.end, :3, :3], self.tip) + matrices[self.end, :3, 3]
        return matrices[self.start, :3, 3], ends

    def longer_than(self, length: float, pose: Pose) -> tuple[Bones, Array]:
        """Those bones that are, and their lengths."""
        starts, ends = self.ends(pose)
        lengths = np.linalg.norm(ends - starts, axis=1)
        kept = lengths > length
        return Bones(self.start[kept], self.end[kept], self.tip[kept]), lengths[kept]


def uncovered(figure: Figure, bones: Bones) -> Bones | None:
    """The bones without skin about them, or a shape of their size, if they are so much of the figure that it would look
    torn.
    """
    covered = np.zeros(len(figure.skeleton.joints))
    for shape in figure.shapes:
        joint = figure.skeleton.index(shape.joint)
        covered[joint] = max(covered[joint], float(np.ptp(solid_of(shape)[0], axis=0).max()))
    for skin in figure.skins:
        covered[skin.used_joints] = np.inf
    starts, ends = bones.ends(figure.rest)
    lengths = np.linalg.norm(ends - starts, axis=1)
    bare = covered[bones.start] < _HIDES * lengths
    if lengths[bare].sum() <= _TORN * lengths.sum():
        return None
    return Bones(bones.start[bare], bones.end[bare], bones.tip[bare])


def bone_parts(figure: Figure, bones: Bones) -> list[Part]:
    """Bones, as thick as their lengths ask, and the balls between them."""
    points = np.concatenate(bones.ends(figure.rest))
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    kept, lengths = bones.longer_than(1e-4 * size, figure.rest)
    radii = np.clip(0.13 * lengths, 0.005 * size, 0.03 * size)
    ball_radii = np.full(len(figure.skeleton.joints), 0.008 * size or 1.0)
    np.maximum.at(ball_radii, kept.start, 0.8 * radii)
    jointed = np.unique(np.concatenate([kept.start, kept.end]))
    parts = [_balls(ball_radii, jointed if len(jointed) else np.arange(len(ball_radii)))]
    return [*parts, _sticks(kept, radii)] if len(radii) else parts


def _balls(radii: Array, joints: NDArray[np.int64]) -> Part:
    vertices, faces = ellipsoid((1.0, 1.0, 1.0), 16)
    local = (vertices[None] * radii[joints, None, None]).reshape(-1, 3).astype(np.float32)
    owners = np.repeat(joints, len(vertices)).astype(np.int32)
    return rigid_part(local, owners, repeated((vertices, faces), len(joints)), BALL_COLOR)


def _sticks(bones: Bones, radii: Array) -> Part:
    """One solid per bone, stretched from its joint to where it ends, also where a slide changes its length."""
    solid = bone_solid()

    def placed(pose: Pose) -> NDArray[np.float32]:
        starts, ends = bones.ends(pose)
        way = ends - starts
        size = np.stack([radii, radii, np.linalg.norm(way, axis=1)], axis=1)
        turns = matrix_from_wxyz(wxyz_between((0.0, 0.0, 1.0), way)) * size[:, None, :]
        return (np.einsum("bij,vj->bvi", turns, solid[0]) + starts[:, None]).reshape(-1, 3).astype(np.float32)

    return Part(repeated(solid, len(radii)), painted(len(radii) * len(solid[0]), BONE_COLOR), placed)


def _shown_joints(figure: Figure) -> NDArray[np.bool_]:
    """Joints that move a skin, or stand between two that do; all of them for a figure without skins."""
    parents = figure.skeleton.parents
    used = np.zeros(len(parents), bool)
    for skin in figure.skins:
        used[skin.used_joints] = True
    if not used.any():
        return np.ones(len(parents), bool)
    above, below = used.copy(), used.copy()
    for j, parent in enumerate(parents):
        above[j] |= parent >= 0 and above[parent]
    for j in range(len(parents) - 1, 0, -1):
        if parents[j] >= 0:
            below[parents[j]] |= below[j]
    return used | (above & below)
