"""A figure as retargeting sees it: its roles, its own axes, how long its limbs are, how its joints stand at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from posable.figures import Roles
from posable.motion.feet.soles import Sole
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, normalized

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

    def place(self, role: str) -> Array:
        """`[3]` where the segment of `role` begins at rest."""
        return self._roots[role][1] if role in self._roots else self.rest[self.joints[role], :3, 3]

    def places(self, pose: Pose, role: str) -> Array:
        """`[frame, 3]` where the segment of `role` begins: hips and shoulders on what carries their limb."""
        if role not in self._roots:
            return pose.origins[:, self.joints[role]]
        above, point = self._roots[role]
        frames, rest = pose.world_from_joint[:, above], self.rest[above]
        return frames[:, :3, :3] @ (rest[:3, :3].T @ (point - rest[:3, 3])) + frames[:, :3, 3]

    def hip_middle(self, pose: Pose) -> Array:
        """`[frame, 3]` half way between the hips."""
        return np.mean([self.places(pose, f"{LEG[0]}_{side}") for side in SIDES], axis=0)

    @cached_property
    def _roots(self) -> dict[str, tuple[int, Array]]:
        """Role of a thigh or upper arm → (the joint that carries the limb, `[3]` where it hangs at rest).

        One of several hinges hangs where the line through the last of them, upright or along an upper arm, comes
        nearest to all their axes, which robots have some centimetres apart.
        """
        found = {}
        for limbs, parts in ((self.roles.legs, LEG), (self.roles.arms, ARM)):
            for limb in limbs:
                first, (role, below) = limb.joints[0], (f"{part}_{limb.side}" for part in parts[:2])
                above = int(self.skeleton.parents[self.skeleton.index(first)])
                if above >= 0 and below in self.joints and self.roles.get(role) in limb.joints:
                    arm = self.rest[self.joints[role], :3, 3] - self.rest[self.joints[below], :3, 3]
                    found[role] = (
                        above,
                        self._root(limb.joints, role, self.roles.up if parts is LEG else normalized(arm)),
                    )
        return found

    def _root(self, joints: Sequence[str], role: str, way: Array) -> Array:
        """`[3]` on the line along `way` through the last hinge, by least squares nearest to the axes of all of them."""
        last, pull, weight = self.rest[self.joints[role], :3, 3], 0.0, 0.0
        for name in joints[: joints.index(self.roles[role]) + 1]:
            joint = self.skeleton.index(name)
            for axis in self.skeleton.definitions[joint].axes:
                turn = self.rest[joint, :3, :3] @ np.array(axis.direction)
                across = np.eye(3) - np.outer(turn, turn)
                pull += way @ across @ (self.rest[joint, :3, 3] - last)
                weight += way @ across @ way
        return last + pull / weight * way if weight > 1e-6 else last

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
