"""The roles of joints in the body, with a confidence each, and their table as an editable TOML file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from posable.errors import RoleError, UnknownJointError, check_kind, near_names
from posable.figures.bind_stance import stance_as_bound
from posable.figures.model import Figure
from posable.files import read_tables, write_atomically
from posable.skeleton import Skeleton
from posable.skeleton.body_roles.limbs import Limb, forward_of, limbs_of
from posable.skeleton.body_roles.shape import shape_of
from posable.skeleton.body_roles.skeleton_facts import ROLE_NAMES
from posable.spatial import Array, normalized

_TOML_HEADER = """# Which joint is which part of the body: edit, add or take away lines.
# _l and _r are the figure's own left and right.
"""
_SURE = 0.8  # roles surer than this are taken as found; others are worth a look


@dataclass(frozen=True, eq=False)
class Roles(Mapping[str, str]):
    """The joints of the parts of a body, by role: `roles["foot_l"]` is the name of the left foot's joint.

    Args:
        skeleton: The skeleton.
        joints: {role: joint name}.
        confidence: {role: 0 … 1}. 1 is stated by a file or a person, or confirmed by names, hierarchy and shape; check
            roles below `Roles.SURE`.
        legs: Limbs that stand on the ground, from front to back, left before right.
        arms: Limbs that do not.
        forward: Unit vector in the world: the direction the figure faces at rest.

    Raises:
        RoleError: For an unknown role.
        UnknownJointError: For a joint that the skeleton does not have.

    Example:
        >>> posable.roles(figure)["upper_leg_l"]
        'thigh_l'
    """

    SURE: ClassVar[float] = _SURE
    """The confidence below which a role should be checked."""

    skeleton: Skeleton
    joints: Mapping[str, str]
    confidence: Mapping[str, float] = field(default_factory=dict)
    legs: tuple[Limb, ...] = ()
    arms: tuple[Limb, ...] = ()
    forward: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    def __post_init__(self) -> None:
        known = set(ROLE_NAMES)
        for role, joint in self.joints.items():
            if role not in known:
                raise RoleError(role, ROLE_NAMES)
            self.skeleton.index(joint)
        names = {role: self.skeleton.joints[self.skeleton.index(joint)] for role, joint in self.joints.items()}
        ordered = {role: names[role] for role in ROLE_NAMES if role in names}
        object.__setattr__(self, "joints", MappingProxyType(ordered))
        sure = {role: float(self.confidence.get(role, 1.0)) for role in ordered}
        object.__setattr__(self, "confidence", MappingProxyType(sure))
        self.forward.setflags(write=False)

    def __reduce__(self) -> tuple[type[Roles], tuple[object, ...]]:
        """Without the views of its dictionaries, which do not pickle."""
        return Roles, (self.skeleton, {**self.joints}, {**self.confidence}, self.legs, self.arms, self.forward)

    def __getitem__(self, role: str) -> str:
        """The joint of `role`. Raises RoleError, which is a KeyError, naming what to do."""
        if role in self.joints:
            return self.joints[role]
        raise RoleError(role, ROLE_NAMES, self.joints)

    def __contains__(self, role: object) -> bool:
        return role in self.joints  # an error with the nearest names takes a millisecond

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def __len__(self) -> int:
        return len(self.joints)

    def __repr__(self) -> str:
        return f"Roles({len(self)} roles, {len(self.legs)} legs, {len(self.arms)} arms)"

    def index(self, role: str) -> int:
        """The index of the joint of `role`."""
        return self.skeleton.index(self[role])

    @cached_property
    def up(self) -> Array:
        """Unit vector in the world."""
        return np.array([0.0, 1.0, 0.0]) if self.skeleton.up == "y" else np.array([0.0, 0.0, 1.0])

    @cached_property
    def left(self) -> Array:
        """Unit vector in the world, to the figure's left at rest."""
        return np.cross(self.up, self.forward)

    def replace(self, **joints: str | None) -> Roles:
        """The same with other joints for some roles, with confidence 1; None removes a role.

        Limbs and facing follow. Raises RoleError or UnknownJointError.
        """
        stated = {role: joint for role, joint in {**self.joints, **joints}.items() if joint is not None}
        sure = {role: 1.0 if role in joints else self.confidence[role] for role in stated}
        return _with_limbs(replace(self, joints=stated, confidence=sure))

    def on(self, other: Skeleton | Figure) -> Roles:
        """The same of a skeleton with the same joints, such as one with another rest pose; as they are on any other."""
        skeleton = _skeleton_of(other)
        return replace(self, skeleton=skeleton) if skeleton.joints == self.skeleton.joints else self

    def text(self) -> str:
        """The table as editable TOML: role = "joint", uncertain ones with a comment."""
        return _written(self.joints, self.confidence, self.forward)

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the table as TOML. Raises FileError where the file exists, unless `overwrite`."""
        write_atomically(path, self.text(), overwrite=overwrite)

    @staticmethod
    def load(path: str | Path, skeleton: Skeleton | Figure) -> Roles:
        """Read the roles of `skeleton` from a TOML file, all with confidence 1; omitted roles are missing.

        Raises FileError with the line for an unknown role or joint.
        """
        skeleton = skeleton.skeleton if isinstance(skeleton, Figure) else skeleton
        joints, forward = _read(path, skeleton)
        found = _with_limbs(Roles(skeleton, joints))
        return found if forward is None else replace(found, forward=forward)


@dataclass(frozen=True, eq=False)
class JointUses(Mapping[str, str]):
    """The use of each joint, by its name: "deforming", "twist", "end", "prop", "control" or "helper".

    Args:
        skeleton: The skeleton.
        uses: {joint name: use}.
        why: {joint name: the reason, a few words}.

    Example:
        >>> posable.joint_uses(figure)["hand_l"]
        'deforming'
    """

    skeleton: Skeleton
    uses: Mapping[str, str]
    why: Mapping[str, str]

    def __repr__(self) -> str:
        counts = Counter(self.uses.values())
        return f"JointUses({', '.join(f'{count} {use}' for use, count in counts.most_common())})"

    def __getitem__(self, joint: str) -> str:
        """The use of a joint, by any name that finds it. Raises UnknownJointError."""
        return self.uses[self.skeleton.joints[self.skeleton.index(joint)]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.uses)

    def __len__(self) -> int:
        return len(self.uses)

    def having(self, *uses: str) -> tuple[str, ...]:
        """The joints with one of these uses, in the order of the skeleton: `having("deforming", "twist")`."""
        return tuple(joint for joint, use in self.uses.items() if use in uses)


def _skeleton_of(given: Skeleton | Figure) -> Skeleton:
    check_kind(given, (Skeleton, Figure), "joints are those of a Figure or Skeleton", "posable.load opens a file")
    return given.skeleton if isinstance(given, Figure) else given


def joint_uses(of: Skeleton | Figure) -> JointUses:
    """Distinguish the joints of a body from twist bones, ends, props, controls and helpers.

    The file's own skin weights and clips decide first (which joints move skin, which never move), then hierarchy, names
    and positions. Roles, ends of chains and pictures use the result.

    Args:
        of: A figure or a skeleton.

    Returns:
        The use of every joint, with the reason.

    Example:
        >>> posable.joint_uses(figure).having("control")
        ()
    """
    skeleton = _skeleton_of(of)
    found = dict(zip(skeleton.joints, skeleton.parts.body.uses, strict=True))
    return JointUses(
        skeleton,
        MappingProxyType({joint: use for joint, (use, _) in found.items()}),
        MappingProxyType({joint: why for joint, (_, why) in found.items()}),
    )


def roles(of: Skeleton | Figure) -> Roles:
    """Find the joint of each part of the body, for people, animals and robots.

    A VRM's own table has priority; then names (in all common spellings and 13 languages), checked against hierarchy and
    shape; then the shape: mirrored limbs, which of them reach the ground, where they bend, and how far limits let
    them. The confidence states how well these agree. Roles that cannot be found are omitted.

    Args:
        of: A figure or a skeleton.

    Returns:
        The roles.

    Example:
        >>> posable.roles(figure)["foot_l"]
        'foot_l'
    """
    skeleton = _skeleton_of(of)
    found = stance_as_bound(skeleton).parts.found
    names = {role: skeleton.joints[joint] for role, joint in found.joints.items()}
    return _with_limbs(Roles(skeleton, names, found.confidence), found.sides_known)


def _with_limbs(found: Roles, sides_known: bool = True) -> Roles:
    """The same with limbs and facing to match. sides_known: left and right were not guessed from the facing."""
    joints = {role: found.skeleton.index(joint) for role, joint in found.joints.items()}
    body = stance_as_bound(found.skeleton).parts.body
    shape = shape_of(body)
    forward = forward_of(body, shape, joints, sides_known=sides_known)
    legs, arms = limbs_of(body, shape, joints, forward)
    return replace(found, legs=legs, arms=arms, forward=forward)


def _written(joints: Mapping[str, str], confidence: Mapping[str, float], forward: Array) -> str:
    """The table as text; uncertain roles have a remark."""
    lines = [_TOML_HEADER, f"forward = [{', '.join(f'{x:.6g}' for x in forward)}]  # the direction it faces at rest"]
    for role in ROLE_NAMES:
        if role in joints:
            remark = f"  # unsure ({confidence[role]:.0%}): please check" if confidence[role] < _SURE else ""
            lines.append(f"{role} = {json.dumps(joints[role], ensure_ascii=False)}{remark}")
    return "\n".join(lines) + "\n"


def _read(path: str | Path, skeleton: Skeleton) -> tuple[dict[str, str], Array | None]:
    """Role → joint, and the facing if it is stated. Raises FileError with the line."""
    top, _ = read_tables(path, ())
    top.refuse_unknown([*ROLE_NAMES, "forward"])
    joints = {}
    for role in top.content:
        if role == "forward":
            continue
        name = top.text(role)
        try:
            joints[role] = skeleton.joints[skeleton.index(name)]
        except UnknownJointError as problem:
            near = ", ".join(near_names(name, skeleton.joints)) or ", ".join(skeleton.joints[:8])
            raise top.error(f"{role}: no joint is called {name!r}; similar names: {near}", role) from problem
    forward = top.numbers("forward", 3, None)
    if forward is None:
        return joints, None
    up = np.array([0.0, 1.0, 0.0]) if skeleton.up == "y" else np.array([0.0, 0.0, 1.0])
    level = np.array(forward) - (np.array(forward) @ up) * up
    if not np.linalg.norm(level) > 1e-6:
        raise top.error("forward must be a horizontal direction of some length", "forward")
    return joints, normalized(level)
