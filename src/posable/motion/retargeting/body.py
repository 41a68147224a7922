"""A figure as retargeting sees it: its roles, its own axes, how long its limbs are, how its joints stand at rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from posable.figures import Roles
from posable.motion.feet.soles import Sole
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

SIDES = ("l", "r")
_ALIKE = 1e-4  # leg lengths by which legs that count as the same may differ
LEG, ARM = ("upper_leg", "lower_leg", "foot"), ("upper_arm", "lower_arm", "hand")


@dataclass(frozen=True, eq=False)
class Body:
    """Skeleton, roles and soles, and what follows from them at rest."""

    skeleton: Skeleton
    roles: Roles
    soles: tuple[Sole, ...]

    @cached_property
    def axes(self) -> Array:
        """`[3, 3]`, columns: left, up and forward of the figure in its world."""
        return np.stack([self.roles.left, self.roles.up, self.roles.forward], axis=1)

    @cached_property
    def rest(self) -> Array:
        """`[joint, 4, 4]` the joints' frames at rest."""
        return np.array(Pose(self.skeleton, self.skeleton.rest_coordinates).world_from_joint)

    @cached_property
    def joints(self) -> dict[str, int]:
        """Role → joint."""
        return {role: self.skeleton.index(name) for role, name in self.roles.items()}

    @cached_property
    def begins(self) -> dict[str, int]:
        """Role → the joint where its segment begins: for a hip of several hinges the first of them."""
        found = dict(self.joints)
        for limb in (*self.roles.legs, *self.roles.arms):
            for part in (LEG[0], ARM[0]):
                role = f"{part}_{limb.side}"
                if self.roles.get(role) in limb.joints:
                    found[role] = self.skeleton.index(limb.joints[0])
        return found

    def place(self, role: str) -> Array:
        """Where the segment of `role` begins at rest."""
        return self.rest[self.begins[role], :3, 3]

    def limb_length(self, limb: tuple[str, str, str]) -> float | None:
        """The mean length of both limbs from hip (or shoulder) over knee to ankle; None where it is not whole."""
        lengths = []
        for side in SIDES:
            roles = [f"{part}_{side}" for part in limb if f"{part}_{side}" in self.joints]
            if len(roles) == 3 or (limb is ARM and len(roles) == 2):
                places = [self.place(role) for role in roles]
                lengths.append(float(np.sum(np.linalg.norm(np.diff(places, axis=0), axis=1))))
        return float(np.mean(lengths)) if lengths else None

    def walks_like(self, other: Body) -> bool:
        """Whether the legs are those of `other` but for their size: so are then its steps."""
        roles = [f"{part}_{side}" for part in (*LEG, "toes") for side in SIDES]
        if [role in self.joints for role in roles] != [role in other.joints for role in roles]:
            return False
        roles = [role for role in roles if role in self.joints]
        mine, others = (
            np.array([body.place(role) - body.place(roles[0]) for role in roles]) @ body.axes / body.leg_length
            for body in (self, other)
        )
        return bool(np.abs(mine - others).max() < _ALIKE)

    @cached_property
    def leg_length(self) -> float:
        """From hip over knee to ankle."""
        return self.limb_length(LEG) or self.skeleton.reach

    @cached_property
    def trunk(self) -> list[int]:
        """The joints of the spine from bottom to top, the hips left out."""
        return self._line([role for role in ("spine", "chest", "upper_chest") if role in self.joints], "hips")

    @cached_property
    def neck(self) -> list[int]:
        """From the first neck joint to the head."""
        above = next((r for r in ("upper_chest", "chest", "spine", "hips") if r in self.joints), "hips")
        return self._line([role for role in ("neck", "head") if role in self.joints], above)

    def _line(self, roles: list[str], start: str) -> list[int]:
        """The joints of `roles`, and what lies between them where they follow each other down the tree.

        Of hinges only those that have roles.
        """
        own = [self.joints[role] for role in roles]
        if not own or start not in self.joints:
            return own
        chain = list(self.skeleton.chain(own[-1]))
        begin = self.joints[start]
        if begin not in chain or not set(own) <= set(chain):
            return own
        between = chain[chain.index(begin) + 1 :]
        return [j for j in between if j in own or self.skeleton.definitions[j].kind in ("ball", "free")]

    @cached_property
    def ankle_height(self) -> float:
        """How far the ankles stand over the ground at rest, on average."""
        rest = Pose(self.skeleton, self.skeleton.rest_coordinates)
        heights = [
            float(
                rest.origins[self.skeleton.index(sole.foot)] @ self.roles.up
                - (sole.corner_places(rest) @ self.roles.up).min()
            )
            for sole in self.soles
        ]
        return float(np.mean(heights))

    @cached_property
    def floor(self) -> float:
        """The height of the ground at rest."""
        rest = Pose(self.skeleton, self.skeleton.rest_coordinates)
        return min(float((sole.corner_places(rest) @ self.roles.up).min()) for sole in self.soles)
