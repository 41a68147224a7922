"""What the positions of joints below the roots mean: they replace its OFFSET, or are displacements from it.

The format leaves it open. Each joint says by its values which it is; one that does not (it travels) follows the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.formats.bvh.hierarchy import Declared
from posable.spatial import Array

_NEAR_VALUE = 0.25  # of a bone's length: positions this close to a value keep it; others travel
_SAME_VALUE = 1e-3  # of a bone's length: positions that differ by less are the same
_CLEARLY_NEARER = 0.5  # ratio: distances that differ by less count as equal
_NAMES_IN_NOTE = 3  # names in a note


@dataclass(frozen=True)
class Positions:
    """The position channels below the roots.

    joints, axes: `[channel]` whose they are, and along which axis. values: `[frame, channel]`. offsets: `[channel]` of
    the OFFSET. bone: the usual length of a bone.
    """

    joints: NDArray[np.int64]
    axes: NDArray[np.int64]
    values: Array
    offsets: Array
    bone: float

    def displaced(self) -> frozenset[int]:
        """The joints whose positions are displacements.

        Those near 0 along axes where the OFFSET is not; what is near neither does as most others do, else, without
        others, it is a displacement where that leaves it nearer to its OFFSET along every axis.
        """
        weights = np.minimum(np.abs(self.offsets), self.bone)
        there, here = (np.median(np.abs(self.values - start), axis=0) for start in (self.offsets, 0.0))
        says = weights * ((there < here) & (there <= _NEAR_VALUE * weights))
        says -= weights * ((here < there) & (here <= _NEAR_VALUE * weights))
        own = {joint: float(says[self.joints == joint].sum()) for joint in self.each}
        most = sum(own.values())
        return frozenset(
            joint for joint, said in own.items() if (said or most) < 0 or (said == most == 0 and self._is_nearer(joint))
        )

    @property
    def each(self) -> list[int]:
        """The joints that have positions."""
        return np.unique(self.joints).tolist()

    def _is_nearer(self, joint: int) -> bool:
        """Whether it is nearer to its OFFSET as a displacement, along every axis in which that makes a difference."""
        told = (self.joints == joint) & (np.abs(self.offsets) > _NEAR_VALUE * self.bone)
        values, offsets = self.values[:, told], self.offsets[told]
        return bool(
            told.any() and (np.abs(values).mean(axis=0) < _CLEARLY_NEARER * np.abs(values - offsets).mean(axis=0)).all()
        )

    def travelling(self) -> frozenset[int]:
        """The joints that do not stay where they are in their parent's frame."""
        low, high = np.percentile(self.values, (2, 98), axis=0)
        return frozenset(self.joints[high - low > _NEAR_VALUE * self.bone].tolist())

    def places(self, joint: int) -> dict[int, float] | None:
        """Axis → constant position of a joint whose positions replace its OFFSET; None if it equals the OFFSET."""
        own = self.joints == joint
        middle = np.median(self.values[:, own], axis=0)
        if np.abs(middle - self.offsets[own]).max() <= _SAME_VALUE * self.bone:
            return None
        return dict(zip(self.axes[own].tolist(), middle.tolist(), strict=True))


def _notes(
    names: Sequence[str],
    each: Sequence[int],
    displaced: frozenset[int],
    travelling: frozenset[int],
    moved: Sequence[int],
) -> tuple[str, ...]:
    """The decision, for `posable info`. moved: the joints whose constant position differs from their OFFSET."""
    found = []
    for joints, reading in (
        ([joint for joint in each if joint not in displaced], "replacing their OFFSET"),
        ([joint for joint in each if joint in displaced], "displacements from their OFFSET"),
    ):
        travels = [joint for joint in joints if joint in travelling]
        stays = [joint for joint in joints if joint in moved]
        equal = len(joints) - len(travels) - len(stays)
        what = [f"{equal} {'are about 0' if joints[0] in displaced else 'equal it'}"] if equal else []
        what += [f"{len(stays)} stay elsewhere, which is taken as their OFFSET ({_few(names, stays)})"] if stays else []
        what += [f"{len(travels)} travel ({_few(names, travels)})"] if travels else []
        if joints:
            found.append(f"positions of joints below the root were read as {reading}: {', '.join(what)}")
    return tuple(found)


def _few(names: Sequence[str], joints: Sequence[int]) -> str:
    return ", ".join(names[joint] for joint in joints[:_NAMES_IN_NOTE]) + (" …" if len(joints) > _NAMES_IN_NOTE else "")


def usual_bone(offsets: Array, parents: Sequence[int], tips: Sequence[Array]) -> float:
    """The median length of `offsets [joint, 3]` and of the tips of each joint, those of length 0 left out.

    What hangs on a root may be anywhere in the world: it counts only where there is nothing else. 1 without any length.
    """
    depth = np.array([0 if above < 0 else 1 if parents[above] < 0 else 2 for above in parents])
    lengths = np.linalg.norm(offsets, axis=-1)
    ends = np.linalg.norm(np.concatenate([np.zeros((0, 3)), *tips]), axis=-1)
    for some in (np.concatenate([lengths[depth == 2], ends]), lengths[depth == 1]):
        if some.any():
            return float(np.median(some[some > 0]))
    return 1.0


def _positions_of(joints: Sequence[Declared], values: Array, *, roots: bool = False) -> Positions:
    """Those of a file with frames `values [frame, channel]`, below its roots or of them."""
    owners = [(i, channel) for i, joint in enumerate(joints) for channel in joint.channels]
    columns = [k for k, (i, name) in enumerate(owners) if (joints[i].parent < 0) == roots and name[1:] == "pos"]
    own = np.array([owners[k][0] for k in columns], np.int64)
    axes = np.array(["xyz".index(owners[k][1][0]) for k in columns], np.int64)
    offsets = np.array([joint.offset or (0.0, 0.0, 0.0) for joint in joints])
    parents = [joint.parent for joint in joints]
    bones = offsets
    if not roots and not offsets[np.array(parents) >= 0].any():  # all lengths are in the positions
        bones = np.zeros_like(offsets)
        bones[own, axes] = np.median(values[:, columns], axis=0)
    bone = usual_bone(bones, parents, [np.reshape(joint.tips, (-1, 3)) for joint in joints])
    return Positions(own, axes, values[:, columns], offsets[own, axes], bone)


def settle(joints: Sequence[Declared], values: Array) -> tuple[frozenset[int], frozenset[int], tuple[str, ...]]:
    """(joints whose positions are displacements, joints that travel, notes); sets OFFSETs to the constant positions.

    joints: with unique names, used in the notes. values: `[frame, channel]`. Roots travel unless another does below.
    """
    positions = _positions_of(joints, values)
    displaced, travelling = positions.displaced(), positions.travelling()
    moved = []
    for i in positions.each:
        places = None if i in displaced or i in travelling else positions.places(i)
        if places is not None:
            x, y, z = (places.get(axis, old) for axis, old in enumerate(joints[i].offset or (0.0, 0.0, 0.0)))
            joints[i].offset = x, y, z
            moved.append(i)
    notes = _notes([joint.name for joint in joints], positions.each, displaced, travelling, moved)
    roots = {i for i, joint in enumerate(joints) if joint.parent < 0}
    still = {_root_of(joints, i) for i in travelling} - _positions_of(joints, values, roots=True).travelling()
    return displaced, travelling | (roots - still), notes


def _root_of(joints: Sequence[Declared], i: int) -> int:
    while joints[i].parent >= 0:
        i = joints[i].parent
    return i
