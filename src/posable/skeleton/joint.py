"""Joints, their freedoms and limits. The table `MANIFOLDS` states the coordinates of each kind.

A joint's coordinates are a position, a rotation and a number for each axis, in this order; most kinds have but one:

| part | coordinates | freedoms | q ⊕ v |
|---|---|---|---|
| position | x, y, z in the parent's frame | 3 | q + v |
| rotation | a unit quaternion wxyz | 3, a rotation vector in the joint's own frame | q · exp(v) |
| axis | an angle (rad) or a length | 1 | q + v |

Plus, minus and clamping are compiled: `step_joint` and `difference` in `forward`, `clamp_joint` in `limits`.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from posable.errors import SkeletonError
from posable.spatial import Array


def packed_habits(tangents: Array) -> str:
    """Tangents `[pose, dof]` of one joint as text, for `Joint.habits`: base64 of little-endian 32-bit numbers."""
    return base64.b64encode(np.ascontiguousarray(tangents, "<f4").tobytes()).decode()


class Manifold(NamedTuple):
    """The parts of a joint's coordinates.

    axes: for each axis, whether it slides; None for any axes. position, rotation: whether it has one, in front of the
    axes. names: those of the freedoms of position and rotation.
    """

    axes: tuple[bool, ...] | None = ()
    position: bool = False
    rotation: bool = False
    names: tuple[str, ...] = ()

    @property
    def slides(self) -> tuple[bool, ...]:
        """For each freedom of position and rotation, whether it is a length."""
        return (True,) * 3 * self.position + (False,) * 3 * self.rotation


MANIFOLDS: dict[str, Manifold] = {
    "fixed": Manifold(),
    "hinge": Manifold((False,)),
    "twist": Manifold((False,)),
    "slide": Manifold((True,)),
    "universal": Manifold((False, False)),
    "planar": Manifold((True, True, False)),
    "ball": Manifold(rotation=True, names=("x", "y", "z")),
    "free": Manifold(position=True, rotation=True, names=("x", "y", "z", "rx", "ry", "rz")),
    "compound": Manifold(None),
}
SINGLE_AXIS_KINDS = tuple(kind for kind, manifold in MANIFOLDS.items() if manifold.axes and len(manifold.axes) == 1)


Kind = Literal["fixed", "hinge", "slide", "twist", "universal", "ball", "planar", "free", "compound"]
Point = tuple[float, float, float]

_PLANAR_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Follow:
    """A mimic: its axis has no freedom of its own and stands at gain · (the followed axis) + offset.

    Of a ball the twist about the mimic's own axis is followed, -π … π: so joints along a forearm share the hand's
    twist. Such a joint has no children, and goals do not see its rotation.

    Args:
        joint: The joint whose axis is followed.
        gain: Factor, a ratio of radians or lengths.
        offset: Value where the followed axis is at 0, in radians or the unit of length.
        axis: Which of that joint's axes, counted from 0.

    Raises:
        SkeletonError: If gain or offset is not finite.

    Example:
        >>> mimic = posable.skeleton.Follow("finger_1", gain=0.8)  # bends with finger_1, four fifths as far
    """

    joint: str
    gain: float = 1.0
    offset: float = 0.0
    axis: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.gain) and math.isfinite(self.offset)):
            raise SkeletonError(
                f"what mimics {self.joint!r} needs a finite gain and offset, not {self.gain}, {self.offset}"
            )


@dataclass(frozen=True)
class Axis:
    """One scalar motion of a joint: a rotation about `direction`, or a translation along it.

    Args:
        direction: `(x, y, z)` in the joint's frame, of any length but 0; kept at length 1.
        slide: True for a translation (in the file's unit of length), False for a rotation (in radians).
        anchor: A point on the axis, in the joint's frame.
        lower: Lower limit in radians or lengths, -inf for none.
        upper: Upper limit, inf for none.
        name: Name in "joint.name"; by default x, y or z, whichever `direction` is nearest to.
        follow: The axis that this one mimics; None if it moves by itself.
        reference: The coordinate at which the axis has not moved: it rotates or slides by coordinate − reference.

    Raises:
        SkeletonError: If a number is not finite, `direction` has length 0 or the limits are in the wrong order.

    Example:
        >>> bend = posable.Axis((0, 0, 1), lower=0, upper=2.5)
        >>> elbow = posable.Joint("elbow", "hinge", "shoulder", (0.3, 0, 0), axes=(bend,))
    """

    direction: Point
    slide: bool = False
    anchor: Point = (0.0, 0.0, 0.0)
    lower: float = -math.inf
    upper: float = math.inf
    name: str = ""
    follow: Follow | None = None
    reference: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "direction", _unit(self.direction, 3, "an axis needs a finite direction of some length")
        )
        object.__setattr__(self, "anchor", _finite(self.anchor, 3, "the anchor of an axis is 3 finite numbers"))
        if not (self.lower <= self.upper and self.lower < math.inf and self.upper > -math.inf):
            raise SkeletonError(f"limits must be numbers, the lower first, not {self.lower} … {self.upper}")
        if not math.isfinite(self.reference):
            raise SkeletonError(f"an axis needs a finite reference, not {self.reference}")
        if not self.name:
            object.__setattr__(self, "name", "xyz"[int(np.argmax(np.abs(self.direction)))])


@dataclass(frozen=True)
class Cone:
    """Swing and twist limits of a ball joint.

    With rotation = center · swing · twist, the swing rotates the joint's `axis` by at most `swing` away from its
    direction in `center`, along the shortest path, and the twist rotates about the axis itself.

    Args:
        axis: `(x, y, z)` in the joint's frame, usually along the bone, of any length but 0.
        swing: Largest angle of the swing in radians, 0…π.
        twist: (lower, upper) angle of the twist in radians, each -π…π.
        center: wxyz, the rotation in the middle of the cone, relative to rest.

    Raises:
        SkeletonError: If a number is not finite, an angle outside these ranges or a length 0.

    Example:
        >>> cone = posable.Cone((1, 0, 0), swing=1.2, twist=(-0.5, 0.5))
        >>> shoulder = posable.Joint("shoulder", "ball", cone=cone)
    """

    axis: Point
    swing: float = math.pi
    twist: tuple[float, float] = (-math.pi, math.pi)
    center: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _unit(self.axis, 3, "a cone needs a finite axis of some length"))
        object.__setattr__(self, "center", _unit(self.center, 4, "the center of a cone is a rotation wxyz"))
        object.__setattr__(self, "twist", _finite(self.twist, 2, "twist limits are 2 finite numbers"))
        if not 0 <= self.swing <= math.pi + 1e-9:
            raise SkeletonError(f"a swing limit lies between 0 and π, not {self.swing}")
        if not -math.pi - 1e-9 <= self.twist[0] <= self.twist[1] <= math.pi + 1e-9:
            raise SkeletonError(f"twist limits lie between -π and π, the lower first, not {self.twist}")


@dataclass(frozen=True)
class Joint:
    """A joint and the rigid body that it moves.

    Args:
        name: Name, unique in its skeleton.
        kind: fixed, hinge, slide, twist (a hinge along its bone), universal (two hinges), ball, planar (two slides and
            a hinge), free (position and rotation) or compound (any axes in a row, as in an MJCF body).
        parent: Name of the parent joint, None for a root.
        position: `(x, y, z)` of the joint's frame in its parent's at rest. For a free joint its rest coordinates.
        wxyz: Rotation of the joint's frame in its parent's at rest. For a free joint its rest coordinates.
        axes: Axes of the kinds that have them, applied in order, each in the frame that those before it have moved.
        anchor: Point about which a ball joint rotates, in the joint's frame.
        cone: Limits of a ball joint.
        rest: Rest coordinates; by default zeros and the identity, moved to the nearest limit.
        active: Per freedom, False where a file moves it but solvers must not; None for all True.
        absolute: Whether the angle of a hinge counts from the root's frame instead of the parent's.
        ease: How far before a limit resistance begins, in radians or lengths.
        stiffness: Resistance to motion, 0 for none; larger moves less.
        elasticity: Resistance in proportion to the distance from rest.
        comfort: (lower, upper) per freedom between which `Comfort` does not pull.
        mass: Mass of the body in kg, None if unknown.
        mass_center: Centre of mass in the joint's frame.
        tips: Ends of the body (BVH end sites), in the joint's frame.
        capsules: Volume of the body for `KeepApart`: (start x y z, end x y z, radius) each, in the joint's frame.
        aliases: Other names that find the joint (URDF: the link).
        habits: How it stands in poses that `Natural.learn` has learnt, as `packed_habits` writes them; "" for none.

    Raises:
        SkeletonError: If the kind is unknown, a number is not finite, or an option does not fit the kind.

    Example:
        >>> bend = posable.Axis((1, 0, 0), lower=0, upper=2.4)
        >>> knee = posable.Joint("knee", "hinge", "hip", position=(0, -0.4, 0), axes=(bend,))
        >>> knee.dof
        1
    """

    name: str
    kind: Kind = "hinge"
    parent: str | None = None
    position: Point = (0.0, 0.0, 0.0)
    wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    axes: tuple[Axis, ...] = ()
    anchor: Point = (0.0, 0.0, 0.0)
    cone: Cone | None = None
    rest: tuple[float, ...] | None = None
    active: tuple[bool, ...] | None = None
    absolute: bool = False
    ease: float = 0.0
    stiffness: float = 0.0
    elasticity: float = 0.0
    comfort: tuple[tuple[float, float], ...] | None = None
    mass: float | None = None
    mass_center: Point = (0.0, 0.0, 0.0)
    tips: tuple[Point, ...] = ()
    capsules: tuple[tuple[float, ...], ...] = ()
    aliases: tuple[str, ...] = ()
    habits: str = ""

    def __post_init__(self) -> None:
        self._check_kind()
        for what, size in (("position", 3), ("wxyz", 4), ("anchor", 3), ("mass_center", 3)):
            self._set(what, self._numbers(what, getattr(self, what), size))
        if not math.hypot(*self.wxyz) > 0:
            raise SkeletonError(f"joint {self.name!r}: its rotation wxyz has length 0")
        self._set("tips", tuple(self._numbers("tips", tip, 3) for tip in self.tips))
        self._set("capsules", tuple(self._numbers("capsules", capsule, 7) for capsule in self.capsules))
        if not all(capsule[6] > 0 for capsule in self.capsules):
            raise SkeletonError(f"joint {self.name!r}: the radius of a capsule, its last number, must be above 0")
        self._set("aliases", tuple(self.aliases))
        self._check_rest()
        self._check_per_freedom()
        self._check_options()

    def _set(self, what: str, value: object) -> None:
        object.__setattr__(self, what, value)

    def _numbers(self, what: str, value: Sequence[float], size: int) -> tuple[float, ...]:
        return _finite(value, size, f"joint {self.name!r}: {what} must be {size} finite numbers")

    def _check_kind(self) -> None:
        if self.kind not in MANIFOLDS:
            choices = ", ".join(MANIFOLDS)
            raise SkeletonError(f"joint {self.name!r}: unknown kind {self.kind!r}; choose from {choices}")
        if self.kind == "planar" and not self.axes:
            names = ("x", "y", "angle")
            self._set("axes", [Axis(d, slide=k < 2, name=names[k]) for k, d in enumerate(_PLANAR_AXES)])
        self._set("axes", tuple(self.axes))
        wanted = self.manifold.axes
        if wanted is not None and tuple(axis.slide for axis in self.axes) != wanted:
            turns, slides = wanted.count(False), wanted.count(True)
            raise SkeletonError(
                f"joint {self.name!r}: a {self.kind} joint has {turns} turning and {slides} sliding axes"
            )

    def _check_rest(self) -> None:
        if self.rest is None:
            return
        if len(self.rest) != self.coordinates:
            raise SkeletonError(f"joint {self.name!r}: rest needs {self.coordinates} coordinates, not {len(self.rest)}")
        rest = self._numbers("rest", self.rest, self.coordinates)
        if self.has_quaternion:
            rest = (*rest[:-4], *_unit(rest[-4:], 4, f"joint {self.name!r}: the rotation in rest has length 0"))
        self._set("rest", rest)

    def _check_per_freedom(self) -> None:
        for what, value in (("active", self.active), ("comfort", self.comfort)):
            if value is not None and len(value) != self.dof:
                wanted = f"{self.dof} entries, one per freedom"
                raise SkeletonError(f"joint {self.name!r}: {what} needs {wanted}, not {len(value)}")
        if self.active is not None:
            self._set("active", tuple(bool(one) for one in self.active))
        if self.comfort is not None:
            self._set("comfort", tuple(tuple(pair) for pair in self.comfort))
            if not all(len(pair) == 2 and pair[0] <= pair[1] for pair in self.comfort):
                wanted = "a pair per freedom, the lower first"
                raise SkeletonError(f"joint {self.name!r}: comfort is {wanted}, not {self.comfort}")

    def _check_options(self) -> None:
        if self.cone is not None and self.kind != "ball":
            raise SkeletonError(f"joint {self.name!r}: only ball joints have cones")
        if any(self.anchor) and self.kind != "ball":
            raise SkeletonError(f"joint {self.name!r}: only ball joints have an anchor; other kinds have one per axis")
        if self.absolute and self.kind != "hinge":
            raise SkeletonError(f"joint {self.name!r}: only hinges can have absolute angles")
        for what in ("ease", "stiffness", "elasticity", "mass"):
            value = getattr(self, what) or 0.0
            if not 0 <= value < math.inf:
                raise SkeletonError(f"joint {self.name!r}: {what} must be a number of at least 0, not {value}")
        if self.habits and not np.isfinite(self.usual).all():
            raise SkeletonError(f"joint {self.name!r}: a number in its habits is not finite")

    @property
    def manifold(self) -> Manifold:
        """The parts of its coordinates."""
        return MANIFOLDS[self.kind]

    @property
    def has_quaternion(self) -> bool:
        """Whether a whole rotation is among its coordinates, its last four: a ball or a free joint."""
        return self.manifold.rotation

    @property
    def floating(self) -> bool:
        """Whether it can stand anywhere in its parent's frame, its coordinates a position and a rotation: free."""
        return self.manifold.position

    @property
    def travels(self) -> bool:
        """Whether it floats and its position is active."""
        return self.floating and (self.active is None or any(self.active[:3]))

    @property
    def own_axes(self) -> tuple[Axis, ...]:
        """Its axes without those that mimic another."""
        return tuple(axis for axis in self.axes if axis.follow is None)

    @property
    def dof(self) -> int:
        """The number of its own freedoms."""
        return len(self.slides)

    @property
    def coordinates(self) -> int:
        """The number of its own coordinates in `pose.q`."""
        return self.dof + self.has_quaternion

    @cached_property
    def slides(self) -> tuple[bool, ...]:
        """Per freedom, whether it is measured in lengths and not in radians."""
        return self.manifold.slides + tuple(axis.slide for axis in self.own_axes)

    @cached_property
    def usual(self) -> Array:
        """`[pose, dof]` its habits: tangents from its rest coordinates."""
        try:
            numbers = np.frombuffer(base64.b64decode(self.habits, validate=True), "<f4").astype(float)
            return numbers.reshape(-1, self.dof) if self.dof else numbers.reshape(0, 0)
        except ValueError as problem:
            raise SkeletonError(f"joint {self.name!r}: its habits are not base64 of numbers per freedom") from problem

    @property
    def freedom_names(self) -> tuple[str, ...]:
        """The names of its freedoms, in order, as in "spine.x"."""
        return self.manifold.names + tuple(axis.name for axis in self.own_axes)


def _finite(value: Sequence[float], size: int, complaint: str) -> tuple[float, ...]:
    """`value` as `size` finite floats, or a SkeletonError that says `complaint`."""
    try:
        numbers = tuple(float(one) for one in value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise SkeletonError(f"{complaint}, not {value!r}") from problem
    if len(numbers) != size or not all(map(math.isfinite, numbers)):
        raise SkeletonError(f"{complaint}, not {value!r}")
    return numbers


def _unit(value: Sequence[float], size: int, complaint: str) -> tuple[float, ...]:
    """As `_finite`, brought to length 1; a length that rounding alone keeps from 1 stays as it is."""
    numbers = _finite(value, size, complaint)
    length = math.hypot(*numbers)
    if not 0 < length < math.inf:
        raise SkeletonError(f"{complaint}, not {value!r}")
    return numbers if abs(length - 1) <= 1e-15 else tuple(one / length for one in numbers)
