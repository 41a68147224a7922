"""Turns of joints as coordinates of a figure's own joints, whatever their kinds and limits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posable.errors import SkeletonError
from posable.motion.gait.body import Body
from posable.motion.gait.joint_turns import about_axis, cross, inverse, multiply, rotate
from posable.skeleton import Joint
from posable.spatial import Array

_TAKEN = ("ball", "free", "hinge", "twist", "universal", "fixed")


def can_set(joint: Joint) -> bool:
    """Whether a rotation of `joint` as a whole can be written as its coordinates."""
    return joint.kind in _TAKEN and not any(axis.follow for axis in joint.axes)


class Coordinates:
    """Fills `q [frame, coordinates]` of a figure, joint by joint, parents first.

    Turns are away from rest, in the figure's own directions; what is given none keeps its rest pose on its parent.
    """

    def __init__(self, body: Body, frames: int) -> None:
        self.body, self.skeleton = body, body.skeleton
        self.q = np.tile(self.skeleton.rest_coordinates, (frames, 1))
        self.q.setflags(write=True)
        self.turns: dict[int, Array] = {}
        self.identity = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, 4))

    def fill(self, turns: Mapping[int, Array], places: Mapping[int, Array]) -> Array:
        """turns: joint → `[frame, 4]`. places: free joint → `[frame, 3]`, in the file's unit and own directions."""
        for joint, definition in enumerate(self.skeleton.definitions):
            above = self._above(joint)
            wanted = turns.get(joint)
            if wanted is None and joint not in places:
                if above is not None:
                    self.turns[joint] = above
                continue
            wanted = self.identity if wanted is None else wanted
            relative = wanted if above is None else multiply(inverse(above), wanted)
            columns = self._columns(joint)
            self.q[:, columns], kept = self._own(joint, definition, relative, self.q[:, columns])
            if joint in places:
                self.q[:, columns.start : columns.start + 3] = self._placed(joint, places[joint])
            self.turns[joint] = wanted if kept else self._result(joint, definition, above)
        return self.q

    def _above(self, joint: int) -> Array | None:
        return self.turns.get(int(self.skeleton.parents[joint]))

    def _columns(self, joint: int) -> slice:
        first = self.skeleton.tables.first_coordinate
        return slice(int(first[joint]), int(first[joint + 1]))

    def _own(self, joint: int, definition: Joint, relative: Array, rest: Array) -> tuple[Array, bool]:
        """(coordinates, whether they are all of the turn that was wanted)."""
        if not can_set(definition):
            raise SkeletonError(
                f"joint {definition.name!r} is a {definition.kind} joint with axes that a walk cannot set; "
                "walk another figure and retarget the clip"
            )
        turn = self.body.rest_turns[joint]
        local = multiply(multiply(inverse(turn), relative), turn)
        if definition.floating:
            return np.concatenate([rest[:, :3], multiply(rest[:, 3:], local)], axis=1), True
        if definition.has_quaternion:
            return multiply(rest, local), True
        if definition.kind == "fixed":
            return rest, False
        lower, upper = zip(*((axis.lower, axis.upper) for axis in definition.axes), strict=True)
        return np.clip(axis_angles(definition, local, rest), lower, upper), False

    def _result(self, joint: int, definition: Joint, above: Array | None) -> Array:
        """The turn that a joint with axes comes to."""
        turn = self.body.rest_turns[joint]
        rest, now = self.skeleton.rest_coordinates[self._columns(joint)], self.q[:, self._columns(joint)]
        local = multiply(inverse(_axes_turn(definition, rest[None])), _axes_turn(definition, now))
        own = multiply(multiply(turn, local), inverse(turn))
        return own if above is None else multiply(above, own)

    def _placed(self, joint: int, place: Array) -> Array:
        """A free joint's place in its parent's frame. Its parents are at rest, or move as they were told to."""
        world = self.body.world(place)
        parent = int(self.skeleton.parents[joint])
        if parent < 0:
            return world
        if parent in self.turns:
            raise SkeletonError(f"{self.skeleton.joints[joint]!r} hangs on a joint that the walk moves as well")
        rest = self.body.world_rest[parent]
        return (world - rest[:3, 3]) @ rest[:3, :3]


def _axes_turn(definition: Joint, coordinates: Array) -> Array:
    turn = np.array([[1.0, 0.0, 0.0, 0.0]])
    for k, axis in enumerate(definition.axes):
        angle = coordinates[:, k] - axis.reference
        turn = multiply(turn, about_axis(np.array(axis.direction), angle))
    return turn


def axis_angles(definition: Joint, local: Array, rest: Array) -> Array:
    """The one or two angles `[frame, 1 or 2]` nearest to the turn `local [frame, 4]` away from rest, limits aside."""
    total = multiply(_axes_turn(definition, rest), local)
    first = np.array(definition.axes[0].direction)
    if len(definition.axes) == 1:
        angles = _about(first, total)[:, None]
    else:
        second = np.array(definition.axes[1].direction)
        angles = np.stack(_two_angles(first, second, total), axis=1)
    angles = angles + [axis.reference for axis in definition.axes]
    return _nearest_round(angles, rest)


def _nearest_round(angles: Array, rest: Array) -> Array:
    """The same angles within half a turn of rest."""
    return rest + np.remainder(angles - rest + np.pi, 2 * np.pi) - np.pi


def _about(axis: Array, turn: Array) -> Array:
    """The turn about the axis that is in `turn`, radians."""
    return 2 * np.arctan2(turn[:, 1:] @ axis, turn[:, 0])


def _two_angles(first: Array, second: Array, total: Array) -> tuple[Array, Array]:
    """Angles about `first`, then `second` in the moved frame: what the second axis is turned to tells the first."""
    moved = rotate(total, np.broadcast_to(second, (len(total), 3)))
    plane = second - (second @ first) * first
    side = cross(first, plane)
    one = np.arctan2(moved @ side, moved @ plane)
    rest = multiply(inverse(about_axis(first, one)), total)
    return one, _about(second, rest)
