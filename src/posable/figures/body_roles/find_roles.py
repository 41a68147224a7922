"""Finds the roles of joints in the body by names, hierarchy and shape, with a confidence each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from posable.errors import RoleError
from posable.figures.body_roles.limbs import Limb, forward_of, limbs_of
from posable.figures.body_roles.search import search
from posable.figures.body_roles.shape import shape_of
from posable.figures.body_roles.skeleton_facts import FINGERS, body_of
from posable.figures.body_roles.table import UNSURE, read_table, written_table
from posable.figures.model import Figure
from posable.files import write_atomically
from posable.skeleton import Skeleton
from posable.spatial import Array

_SIDED = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
BODY_ROLES = (
    "hips", "spine", "chest", "upper_chest", "neck", "head", *(f"{role}_{side}" for side in "lr" for role in _SIDED),
)  # fmt: skip
"""The roles of trunk and limbs."""
ROLE_NAMES = (
    *BODY_ROLES, "jaw", "eye_l", "eye_r",
    *(f"{finger}_{k}_{side}" for side in "lr" for finger in FINGERS for k in (1, 2, 3)),
)  # fmt: skip
"""All roles: those of the body, of the face, and of the fingers, thumb_1_l … little_3_r."""


@dataclass(frozen=True, eq=False)
class Roles(Mapping[str, str]):
    """The joints of the parts of a body, by role: `roles["foot_l"]` is the name of the left foot's joint.

    Args:
        skeleton: The skeleton.
        joints: {role: joint name}.
        confidence: {role: 0 … 1}. 1 is stated by a file or a person, or confirmed by names and hierarchy; check roles
            below `Roles.SURE`.
        legs: Limbs that stand on the ground, from front to back, left before right.
        arms: Limbs that do not.
        forward: Unit vector in the world: the direction the figure faces at rest.

    Raises:
        RoleError: For an unknown role.
        UnknownJointError: For a joint that the skeleton does not have.
    """

    SURE: ClassVar[float] = UNSURE
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

    def text(self) -> str:
        """The table as editable TOML: role = "joint", uncertain ones with a comment."""
        return written_table(ROLE_NAMES, self.joints, self.confidence, self.forward)

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the table as TOML. Raises FileError where the file exists, unless `overwrite`."""
        write_atomically(path, self.text(), overwrite=overwrite)

    @staticmethod
    def load(path: str | Path, skeleton: Skeleton | Figure) -> Roles:
        """Read the roles of `skeleton` from a TOML file, all with confidence 1; omitted roles are missing.

        Raises FileError with the line for an unknown role or joint.
        """
        skeleton = skeleton.skeleton if isinstance(skeleton, Figure) else skeleton
        joints, forward = read_table(path, skeleton, ROLE_NAMES)
        found = _with_limbs(Roles(skeleton, joints))
        return found if forward is None else replace(found, forward=forward)


def roles(of: Skeleton | Figure) -> Roles:
    """Find the joint of each part of the body, for people, animals and robots.

    A VRM's own table has priority; then names (in all common spellings), checked against the hierarchy; then the shape:
    mirrored limbs, which of them reach the ground, and where they bend. Roles that cannot be found are omitted.

    Args:
        of: A figure or a skeleton.

    Returns:
        The roles.
    """
    skeleton = of.skeleton if isinstance(of, Figure) else of
    found = search(body_of(skeleton))
    names = {role: skeleton.joints[joint] for role, joint in found.joints.items()}
    return _with_limbs(Roles(skeleton, names, found.confidence), found.sides_known)


def _with_limbs(found: Roles, sides_known: bool = True) -> Roles:
    """The same with limbs and facing to match. sides_known: left and right were not guessed from the facing."""
    joints = {role: found.skeleton.index(joint) for role, joint in found.joints.items()}
    body = body_of(found.skeleton)
    shape = shape_of(body)
    forward = forward_of(body, shape, joints, sides_known=sides_known)
    legs, arms = limbs_of(body, shape, joints, forward)
    return replace(found, legs=legs, arms=arms, forward=forward)
