"""Joints: what may move, and how far. Plain frozen records; `Skeleton` checks how they fit together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from posable.errors import SkeletonError

Kind = Literal["fixed", "hinge", "slide", "twist", "universal", "ball", "planar", "free", "compound"]
Point = tuple[float, float, float]

AXES_OF_KIND: dict[str, tuple[bool, ...] | None] = {  # for each axis: does it slide?
    "fixed": (),
    "hinge": (False,),
    "twist": (False,),
    "slide": (True,),
    "universal": (False, False),
    "planar": (True, True, False),
    "ball": (),
    "free": (),
    "compound": None,
}
_PLANAR_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Follow:
    """A mimic: this axis has no freedom of its own but stands at gain × (the axis of `joint`) + offset."""

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
    """One scalar motion of a joint: a turn about, or a slide along, `direction` in the joint's frame.

    direction: any length but zero; kept at length 1.
    slide: True for a slide (the file's length unit), False for a turn (radians).
    anchor: a point on the axis, in the joint's frame.
    lower, upper: the limits; infinite where there is none.
    name: for "joint.name" where one axis is meant; x, y or z from the direction if not given.
    follow: what it mimics, if it has no freedom of its own.
    reference: the coordinate at which nothing has moved yet: the axis turns or slides by coordinate − reference.
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
    """Swing–twist limits of a ball joint.

    The joint's `axis` (usually along the bone) may lean from its place in the `center` rotation by up to `swing`; the
    turn about the axis itself, after the smallest swing is taken out, stays within `twist`.

    axis: direction in the joint's frame. swing: radians, 0…π. twist: (lower, upper), radians.
    center: wxyz, the joint's rotation in the middle of the cone; the rest rotation unless given.
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

    name: unique in its skeleton.
    kind: fixed, hinge, slide, twist (a hinge along its bone), universal (two hinges), ball, planar (two slides, one
        hinge), free (six freedoms), or compound (any axes in a row, as MJCF bodies may have).
    parent: the name of the joint above, None for the root.
    position, wxyz: the joint's frame in its parent's frame at rest. For a free joint these are its rest coordinates.
    axes: for the kinds that have them, applied in order, each in the frame that the ones before have moved.
    anchor: the point about which a ball joint turns, in the joint's frame.
    cone: limits of a ball joint.
    rest: rest coordinates where they are not the neutral ones; neutral ones outside the limits are moved to the limit.
    active: per freedom, False where a file moves it but solvers must not; all True if None.
    absolute: the (single) hinge angle counts from the root's frame and not from the parent's.
    ease: how far before a limit resistance begins (radians or length). stiffness: resistance to being moved, 0 none.
    elasticity: resistance in proportion to the bend. comfort: (lower, upper) per freedom inside which nothing pulls.
    mass: of the body, kg (None: not stated); mass_center: in the joint's frame.
    tips: where the body ends (BVH end sites), in the joint's frame.
    capsules: what room the body takes, for KeepApart: (start x y z, end x y z, radius) each, in the joint's frame.
    aliases: other names that also find it (URDF: the link).
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
        if self.kind not in AXES_OF_KIND:
            choices = ", ".join(AXES_OF_KIND)
            raise SkeletonError(f"joint {self.name!r}: {self.kind!r} is no kind of joint; choose from {choices}")
        if self.kind == "planar" and not self.axes:
            names = ("x", "y", "angle")
            self._set("axes", [Axis(d, slide=k < 2, name=names[k]) for k, d in enumerate(_PLANAR_AXES)])
        self._set("axes", tuple(self.axes))
        wanted = AXES_OF_KIND[self.kind]
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
        if self.kind in ("ball", "free"):
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

    @property
    def dof(self) -> int:
        """The number of its own freedoms."""
        fixed_count = {"ball": 3, "free": 6}.get(self.kind)
        return fixed_count if fixed_count is not None else sum(axis.follow is None for axis in self.axes)

    @property
    def coordinates(self) -> int:
        """The number of its own coordinates in `pose.q`."""
        return self.dof + (self.kind in ("ball", "free"))

    @property
    def slides(self) -> tuple[bool, ...]:
        """Per freedom, whether it is measured in lengths and not in radians."""
        if self.kind in ("ball", "free"):
            return (True,) * (self.dof - 3) + (False,) * 3
        return tuple(axis.slide for axis in self.axes if axis.follow is None)

    @property
    def freedom_names(self) -> tuple[str, ...]:
        """The names of its freedoms, in order, as in "spine.x"."""
        if self.kind == "ball":
            return ("x", "y", "z")
        if self.kind == "free":
            return ("x", "y", "z", "rx", "ry", "rz")
        return tuple(axis.name for axis in self.axes if axis.follow is None)


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
