"""Rotations of joints as the coordinates of a figure, for all kinds of joints, within limits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posable.errors import SkeletonError
from posable.motion.gait.anatomy import Body
from posable.motion.gait.batch_rotations import about_axis, cross, inverse, multiply, rotate
from posable.skeleton import Joint
from posable.spatial import Array

_TAKEN = ("ball", "free", "hinge", "twist", "universal", "fixed")


def can_set(joint: Joint) -> bool:
    """Whether a rotation of `joint` alone determines its coordinates."""
    return joint.kind in _TAKEN and not any(axis.follow for axis in joint.axes)


class Coordinates:
    """Fills in the `q [frame, coordinates]` of a figure, joint by joint, parents first.

    Rotations are since rest, in the figure's own axes; a joint without one keeps its rest pose on its parent, and so
    does one of an animal's leg whose rotation does not determine its coordinates: the leg is then solved as a whole.
    """

    def __init__(self, body: Body, frames: int) -> None:
        self.body, self.skeleton = body, body.skeleton
        self.q = np.tile(self.skeleton.rest_coordinates, (frames, 1))
        self.q.setflags(write=True)
        self.rotations: dict[int, Array] = {}
        self.identity = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, 4))
        legs = () if body.biped else ((*leg.joints, leg.foot, leg.toes) for leg in body.legs)
        self.solved = {j for leg in legs for j in leg if j >= 0 and not can_set(body.skeleton.definitions[j])}

    def fill(self, rotations: Mapping[int, Array], positions: Mapping[int, Array]) -> Array:
        """rotations: joint → `[frame, 4]`. positions: free joint → `[frame, 3]`, in the file's unit and own axes."""
        for joint, definition in enumerate(self.skeleton.definitions):
            above = self._above(joint)
            desired = rotations.get(joint)
            if joint in self.solved and desired is not None:
                self.rotations[joint] = desired  # as it will be: those below bend as planned
                continue
            if desired is None and joint not in positions:
                if above is not None:
                    self.rotations[joint] = above
                continue
            desired = self.identity if desired is None else desired
            relative = desired if above is None else multiply(inverse(above), desired)
            columns = self._columns(joint)
            self.q[:, columns], kept = self._own(joint, definition, relative, self.q[:, columns])
            if joint in positions:
                self.q[:, columns.start : columns.start + 3] = self._placed(joint, positions[joint])
            self.rotations[joint] = desired if kept else self._result(joint, definition, above)
        return self.q

    def _above(self, joint: int) -> Array | None:
        return self.rotations.get(int(self.skeleton.parents[joint]))

    def _columns(self, joint: int) -> slice:
        first = self.skeleton.tables.first_coordinate
        return slice(int(first[joint]), int(first[joint + 1]))

    def _own(self, joint: int, definition: Joint, relative: Array, rest: Array) -> tuple[Array, bool]:
        """(coordinates, whether they give the desired rotation exactly)."""
        if not can_set(definition):
            raise SkeletonError(
                f"joint {definition.name!r} is a {definition.kind} joint with axes that a walk cannot set; "
                "give it a ball joint, or single hinges one after the other"
            )
        rotation = self.body.rest_rotations[joint]
        local = multiply(multiply(inverse(rotation), relative), rotation)
        if definition.floating:
            return np.concatenate([rest[:, :3], multiply(rest[:, 3:], local)], axis=1), True
        if definition.has_quaternion:
            return multiply(rest, local), True
        if definition.kind == "fixed":
            return rest, False
        lower, upper = zip(*((axis.lower, axis.upper) for axis in definition.axes), strict=True)
        return np.clip(axis_angles(definition, local, rest), lower, upper), False

    def _result(self, joint: int, definition: Joint, above: Array | None) -> Array:
        """The resulting rotation of a joint with axes."""
        rotation = self.body.rest_rotations[joint]
        rest, now = self.skeleton.rest_coordinates[self._columns(joint)], self.q[:, self._columns(joint)]
        local = multiply(inverse(_axes_rotation(definition, rest[None])), _axes_rotation(definition, now))
        own = multiply(multiply(rotation, local), inverse(rotation))
        return own if above is None else multiply(above, own)

    def _placed(self, joint: int, position: Array) -> Array:
        """A free joint's position in its parent's frame; its parents must be at rest."""
        world = self.body.world(position)
        parent = int(self.skeleton.parents[joint])
        if parent < 0:
            return world
        if parent in self.rotations:
            raise SkeletonError(f"a parent of {self.skeleton.joints[joint]!r} is moved by the walk as well")
        rest = self.body.world_rest[parent]
        return (world - rest[:3, 3]) @ rest[:3, :3]


def _axes_rotation(definition: Joint, coordinates: Array) -> Array:
    rotation = np.array([[1.0, 0.0, 0.0, 0.0]])
    for k, axis in enumerate(definition.axes):
        angle = coordinates[:, k] - axis.reference
        rotation = multiply(rotation, about_axis(np.array(axis.direction), angle))
    return rotation


def axis_angles(definition: Joint, local: Array, rest: Array) -> Array:
    """`[frame, 1 or 2]` angles closest to the rotation `local [frame, 4]` since rest, without limits."""
    total = multiply(_axes_rotation(definition, rest), local)
    first = np.array(definition.axes[0].direction)
    if len(definition.axes) == 1:
        angles = _about(first, total)[:, None]
    else:
        second = np.array(definition.axes[1].direction)
        angles = np.stack(_two_angles(first, second, total), axis=1)
    angles = angles + [axis.reference for axis in definition.axes]
    return _nearest_round(angles, rest)


def _nearest_round(angles: Array, rest: Array) -> Array:
    """The same angles within π of rest."""
    return rest + np.remainder(angles - rest + np.pi, 2 * np.pi) - np.pi


def _about(axis: Array, rotation: Array) -> Array:
    """The twist of `rotation` about the axis, radians."""
    return 2 * np.arctan2(rotation[:, 1:] @ axis, rotation[:, 0])


def _two_angles(first: Array, second: Array, total: Array) -> tuple[Array, Array]:
    """Angles about `first`, then `second` in the moved frame; the rotated second axis determines the first angle."""
    moved = rotate(total, np.broadcast_to(second, (len(total), 3)))
    plane = second - (second @ first) * first
    side = cross(first, plane)
    one = np.arctan2(moved @ side, moved @ plane)
    rest = multiply(inverse(about_axis(first, one)), total)
    return one, _about(second, rest)
