"""The joint elements of MJCF bodies as joints of a skeleton, and the equality constraints that couple them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from posable.formats.defaults import Mimics
from posable.formats.mjcf.document import Body, Compiler, Defaults
from posable.formats.xml import HERE, Element, Frame, moved, turned
from posable.skeleton import Axis, Cone, Follow, Joint
from posable.skeleton.joint import Kind, Point

_KINDS = ("free", "ball", "slide", "hinge")
_Z: Point = (0.0, 0.0, 1.0)
_STRAIGHT = (0.0, 1.0, 0.0, 0.0, 0.0)  # default polynomial of an equality constraint


@dataclass
class Joints:
    """The skeleton's joints, body after body. axes_by_name: name of an MJCF hinge or slide → (skeleton joint, axis)."""

    compiler: Compiler
    built: list[Joint] = field(default_factory=list)
    axes_by_name: dict[str, tuple[int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _elements: dict[str, Element] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _mimics: Mimics = field(default_factory=Mimics)

    def add(self, bodies: Sequence[Body]) -> None:
        """Convert each body to a joint of its name.

        A body with a ball joint and others needs several, the upper ones called "body.joint". Raises FileError.
        """
        self._names = {body.name for body in bodies}
        for body in bodies:
            self._check(body)
            groups = _groups(body)
            parent, frame = body.parent, body.frame
            for group in groups[:-1]:
                name = self._upper_name(body, group[0][0])
                self.built.append(self._joint(name, parent, frame, group))
                parent, frame = name, HERE
            self.built.append(_with_mass(self._joint(body.name, parent, frame, groups[-1]), body))

    def _upper_name(self, body: Body, joint: Element) -> str:
        name = f"{body.name}.{joint.attributes.get('name', 'joint')}"
        while name in self._names:
            name += "_"
        self._names.add(name)
        return name

    def _check(self, body: Body) -> None:
        for joint, _ in body.joints:
            name, kind = joint.attributes.get("name", ""), _kind_of(joint)
            if name in self._elements:
                first = self._elements[name].line
                raise joint.error(f"a second joint is called {name!r} (the first is in line {first}); rename one")
            if name:
                self._elements[name] = joint
            if kind == "free" and (body.parent is not None or len(body.joints) > 1):
                raise joint.error(
                    f"body {body.name!r}: a free joint must be alone in a child body of the world; move it there"
                )

    def _joint(self, name: str, parent: str | None, frame: Frame, group: Sequence[tuple[Element, Frame]]) -> Joint:
        elements = [joint for joint, _ in group]
        names = tuple(n for one in elements if (n := one.attributes.get("name", "")) and n != name)
        kind = _kind_of(elements[0]) if elements else "fixed"
        if kind == "ball":
            anchor = moved(group[0][1], elements[0].point("pos"))
            return Joint(name, "ball", parent, *frame, anchor=anchor, cone=self._cone(elements[0]), aliases=names)
        if kind in ("free", "fixed"):
            return Joint(name, "free" if kind == "free" else "fixed", parent, *frame, aliases=names)
        axes = tuple(self._axis(joint, around) for joint, around in group)
        for k, joint in enumerate(elements):
            if "name" in joint.attributes:
                self.axes_by_name[joint.attributes["name"]] = (len(self.built), k)
        single: Kind = "slide" if kind == "slide" else "hinge"
        return Joint(name, single if len(axes) == 1 else "compound", parent, *frame, axes=axes, aliases=names)

    def _axis(self, joint: Element, around: Frame) -> Axis:
        slide = _kind_of(joint) == "slide"
        direction = joint.point("axis", _Z)
        if not math.hypot(*direction) > 1e-14:
            raise joint.error("the joint has a zero axis")
        unit = 1.0 if slide else self.compiler.unit
        lower, upper = self._range(joint, unit)
        return Axis(
            turned(around[1], direction),
            slide,
            moved(around, joint.point("pos")),
            lower,
            upper,
            joint.attributes.get("name", ""),
            reference=joint.number("ref", 0.0) * unit,
        )

    def _range(self, joint: Element, unit: float) -> tuple[float, float]:
        """The limits, infinite if the joint has none."""
        found = joint.numbers("range", 2, infinite=True)
        limited = joint.attributes.get("limited", "auto")
        if limited not in ("true", "false", "auto"):
            raise joint.error(f"limited must be 'true', 'false' or 'auto', not {limited[:40]!r}")
        if limited == "true" and found is None:
            raise joint.error('the joint is limited and has no range="lower upper"; add it')
        if found is None or limited == "false" or (limited == "auto" and not self.compiler.auto_limits):
            return -math.inf, math.inf
        return joint.limits(found[0] * unit, found[1] * unit)

    def _cone(self, joint: Element) -> Cone | None:
        """MuJoCo limits the total angle of a ball; swing and twist limits of that size allow slightly more."""
        _, upper = self._range(joint, self.compiler.unit)
        if not 0 <= upper < math.pi:
            return None
        self.notes.append(
            f"ball joint {joint.attributes.get('name', '')!r}: its range limits swing and twist separately"
        )
        return Cone(_Z, upper, (-upper, upper))

    def couple(self, root: Element, defaults: Defaults) -> None:
        """Convert linear joint couplings of <equality> to mimics; everything else becomes a note."""
        others: list[str] = []
        followers: list[str] = []
        for element in [one for section in root.all("equality") for one in section.children]:
            constraint = defaults.applied(element, "main", "equality")
            if constraint.attributes.get("active", "true") == "false":
                continue
            if constraint.tag == "joint" and self._follows(constraint):
                followers.append(constraint.text("joint1"))
            else:
                others.append(constraint.tag)
        if followers:
            many = ", ".join(followers[:6])
            self.notes.append(f"joints coupled to another one by an equality constraint have no coordinate: {many}")
        if others:
            kinds = ", ".join(sorted(set(others))[:6])
            self.notes.append(
                f"without {len(others)} equality constraints ({kinds}) that are not a linear coupling of two joints"
            )

    def _follows(self, constraint: Element) -> bool:
        """Make joint1 − ref1 = c0 + c1 (joint2 − ref2) a mimic; False if it is not linear, or a cycle."""
        follower = self.axes_by_name.get(constraint.text("joint1"))
        leader = self.axes_by_name.get(constraint.attributes.get("joint2", ""))
        stated = constraint.numbers("polycoef", 1, 5) or ()
        curve = (*stated, *_STRAIGHT[len(stated) :])
        if follower is None or leader is None or any(curve[2:]):
            return False
        if not self._mimics.tie(follower, leader):
            return False
        offset = self._axis_at(follower).reference + curve[0] - curve[1] * self._axis_at(leader).reference
        joint = self.built[follower[0]]
        followed = Follow(self.built[leader[0]].name, curve[1], offset, leader[1])
        axes = [replace(a, follow=followed) if k == follower[1] else a for k, a in enumerate(joint.axes)]
        self.built[follower[0]] = replace(joint, axes=tuple(axes))
        return True

    def _axis_at(self, at: tuple[int, int]) -> Axis:
        return self.built[at[0]].axes[at[1]]


def _kind_of(joint: Element) -> str:
    kind = "free" if joint.tag == "freejoint" else joint.attributes.get("type", "hinge")
    if kind not in _KINDS:
        raise joint.error(f"a joint must be {', '.join(_KINDS)}, not {kind[:40]!r}")
    return kind


def _groups(body: Body) -> list[list[tuple[Element, Frame]]]:
    """The joints of a body, consecutive hinges and slides grouped; one empty group if it has none."""
    number = 0
    keyed: list[tuple[int, tuple[Element, Frame]]] = []
    before = ""
    for one in body.joints:
        kind = "axis" if _kind_of(one[0]) in ("hinge", "slide") else "whole"
        number += kind == "whole" or kind != before
        before = kind
        keyed.append((number, one))
    groups = [[one for _, one in group] for _, group in groupby(keyed, key=lambda pair: pair[0])]
    return groups or [[]]


def _with_mass(joint: Joint, body: Body) -> Joint:
    inertial = body.element.child("inertial")
    mass = inertial.numbers("mass", 1) if inertial else None
    if inertial is None or mass is None:
        return joint
    if mass[0] < 0:
        raise inertial.error(f"body {body.name!r} has a mass of {mass[0]:g} kg; it must be at least 0")
    return replace(joint, mass=mass[0], mass_center=inertial.point("pos"))
