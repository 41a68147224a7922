"""The proportions that retargeting needs: roles, a figure's own axes, lengths of limbs, joints at rest, the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from posable.clips import Clip
from posable.figures import Roles
from posable.motion.feet.contact_detection import Contacts, runs
from posable.motion.feet.sole_shapes import Sole
from posable.skeleton import Pose, Skeleton
from posable.spatial import IDENTITY_WXYZ, Array, matrix_from_wxyz, normalized, wxyz_between, wxyz_multiply

SIDES = ("l", "r")
_ALIKE = 1e-4  # leg lengths by which legs that count as the same may differ
_BENDS = 0.5  # share of the trunk above the spine's lowest joint: with less the spine cannot lean by itself
_ALONG, _NO_LENGTH = 0.8, 0.01  # cosine between a forearm and an axis along it; reaches: shorter than any forearm
LEG, ARM = ("upper_leg", "lower_leg", "foot"), ("upper_arm", "lower_arm", "hand")


@dataclass(frozen=True, eq=False)
class Body:
    """Skeleton, roles and soles, with the quantities that follow from them at rest."""

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

    @property
    def shoulders(self) -> int:
        """The joint that carries the arms."""
        return next(self.joints[role] for role in ("upper_chest", "chest", "spine", "hips") if role in self.joints)

    @cached_property
    def made_of_hinges(self) -> bool:
        """Whether the figure has no ball joint, as robots: only the joint that travels has a quaternion."""
        with_quaternions = [j for j, one in enumerate(self.skeleton.definitions) if one.has_quaternion]
        chain = self.skeleton.chain(self.joints["hips"])
        free = [joint for joint in chain if self.skeleton.definitions[joint].floating]
        return with_quaternions == free[-1:]

    def position(self, role: str) -> Array:
        """`[3]` the position at which the segment of `role` begins at rest."""
        return self._roots[role][1] if role in self._roots else self.rest[self.joints[role], :3, 3]

    def forearm(self, side: str) -> Array | None:
        """`[3]` the direction at rest of a forearm without a hand, by its tips, else by its centre of mass; else None.

        It is in the plane in which the elbow bends; where the last joint rotates the forearm about itself, it is that
        axis.
        """
        joint = self.joints.get(f"{ARM[1]}_{side}")
        if joint is None or f"{ARM[2]}_{side}" in self.joints:
            return None
        own = self.skeleton.definitions[joint]
        along = np.mean(own.tips, axis=0) if own.tips else np.array(own.mass_center)
        axes = [np.array(axis.direction) for axis in own.axes if not axis.slide]
        if len(axes) == 1:
            part = float(axes[0] @ along)
            turns = abs(part) > _ALONG * np.linalg.norm(along)
            along = part * axes[0] if turns else along - part * axes[0]
        if np.linalg.norm(along) < _NO_LENGTH * self.skeleton.reach:
            return None
        return self.rest[joint, :3, :3] @ normalized(along)

    def positions(self, pose: Pose, role: str) -> Array:
        """`[frame, 3]` the positions at which the segment of `role` begins; hips and shoulders move with the trunk."""
        if role not in self._roots:
            return pose.origins[:, self.joints[role]]
        above, point = self._roots[role]
        frames, rest = pose.world_from_joint[:, above], self.rest[above]
        return frames[:, :3, :3] @ (rest[:3, :3].T @ (point - rest[:3, 3])) + frames[:, :3, 3]

    def trunk_segments(self) -> list[tuple[int, Array]]:
        """The line from between the hips to between the shoulders at rest, as (joint, `[3]` segment in its frame).

        Empty without shoulders, or where little of the line can bend. A lone shoulder tells by its height and depth.
        """
        shoulders = [f"{ARM[0]}_{side}" for side in SIDES if f"{ARM[0]}_{side}" in self.joints]
        if not (self.trunk and shoulders and all(f"{LEG[0]}_{side}" in self.joints for side in SIDES)):
            return []
        joints = [self.joints["hips"], *self.trunk]
        hips = np.mean([self.position(f"{LEG[0]}_{side}") for side in SIDES], axis=0)
        top = np.mean([self.position(role) for role in shoulders], axis=0)
        if len(shoulders) == 1:
            top -= (top - hips) @ self.axes[:, 0] * self.axes[:, 0]
        positions = [hips, *self.rest[self.trunk, :3, 3], top]
        if np.linalg.norm(top - positions[1]) < _BENDS * np.linalg.norm(top - hips):
            return []
        return [(j, self.rest[j, :3, :3].T @ (b - a)) for j, (a, b) in zip(joints, pairwise(positions), strict=True)]

    def hip_middle(self, pose: Pose) -> Array:
        """`[frame, 3]` the midpoint between the hips."""
        return np.mean([self.positions(pose, f"{LEG[0]}_{side}") for side in SIDES], axis=0)

    @cached_property
    def _roots(self) -> dict[str, tuple[int, Array]]:
        """Role of a thigh or upper arm → (parent joint of the limb, `[3]` position of hip or shoulder at rest).

        The axes of a robot's hip may miss each other by centimetres. Its position is then the point that comes nearest
        to all of them, on the line through the last hinge: the vertical for a leg, the upper arm's line for an arm.
        """
        found = {}
        for limbs, parts in ((self.roles.legs, LEG), (self.roles.arms, ARM)):
            for limb in limbs:
                first, (role, below) = limb.joints[0], (f"{part}_{limb.side}" for part in parts[:2])
                above = int(self.skeleton.parents[self.skeleton.index(first)])
                if above >= 0 and below in self.joints and self.roles.get(role) in limb.joints:
                    origins = self.rest[[self.joints[role], self.skeleton.index(first)], :3, 3]
                    arm, whole = origins - self.rest[self.joints[below], :3, 3]
                    if np.linalg.norm(arm) < 0.01 * self.skeleton.reach:  # the last hinge is at the elbow itself
                        arm = whole
                    found[role] = (
                        above,
                        self._root(limb.joints, role, self.roles.up if parts is LEG else normalized(arm)),
                    )
        return found

    def _root(self, joints: Sequence[str], role: str, direction: Array) -> Array:
        """`[3]` the point on the line along `direction` through the last hinge that is nearest to all hinges' axes."""
        last, pull, weight = self.rest[self.joints[role], :3, 3], 0.0, 0.0
        for name in joints[: joints.index(self.roles[role]) + 1]:
            joint = self.skeleton.index(name)
            for axis in self.skeleton.definitions[joint].axes:
                along = self.rest[joint, :3, :3] @ np.array(axis.direction)
                across = np.eye(3) - np.outer(along, along)
                pull += direction @ across @ (self.rest[joint, :3, 3] - last)
                weight += direction @ across @ direction
        return last + pull / weight * direction if weight > 1e-6 else last

    def limb_length(self, limb: tuple[str, str, str]) -> float | None:
        """The mean length of both limbs, hip to knee to ankle (or shoulder to hand); None where joints are missing."""
        lengths = []
        for side in SIDES:
            roles = [f"{part}_{side}" for part in limb if f"{part}_{side}" in self.joints]
            if len(roles) == 3 or (limb is ARM and len(roles) == 2):
                positions = [self.position(role) for role in roles]
                lengths.append(float(np.sum(np.linalg.norm(np.diff(positions, axis=0), axis=1))))
        return float(np.mean(lengths)) if lengths else None

    def bone_length(self, start: str, end: str) -> float:
        """The mean of both sides' distances at rest between the joints of two roles of one side."""
        pairs = [(f"{start[:-1]}{side}", f"{end[:-1]}{side}") for side in SIDES]
        known = [pair for pair in pairs if all(role in self.joints for role in pair)]
        return float(np.mean([np.linalg.norm(self.position(b) - self.position(a)) for a, b in known]))

    def walks_like(self, other: Body) -> bool:
        """Whether the legs equal those of `other` up to scale, so that the steps do as well."""
        roles = [f"{part}_{side}" for part in (*LEG, "toes") for side in SIDES]
        if [role in self.joints for role in roles] != [role in other.joints for role in roles]:
            return False
        roles = [role for role in roles if role in self.joints]
        mine, others = (
            np.array([body.position(role) - body.position(roles[0]) for role in roles]) @ body.axes / body.leg_length
            for body in (self, other)
        )
        return bool(np.abs(mine - others).max() < _ALIKE)

    @cached_property
    def leg_length(self) -> float:
        """Hip to knee to ankle."""
        return self.limb_length(LEG) or self.skeleton.reach

    @cached_property
    def trunk(self) -> list[int]:
        """The joints of the spine from bottom to top, without the hips."""
        return self._line([role for role in ("spine", "chest", "upper_chest") if role in self.joints], "hips")

    @cached_property
    def neck(self) -> list[int]:
        """From the first neck joint to the head."""
        above = next((r for r in ("upper_chest", "chest", "spine", "hips") if r in self.joints), "hips")
        return self._line([role for role in ("neck", "head") if role in self.joints], above)

    def _line(self, roles: list[str], start: str) -> list[int]:
        """The joints of `roles` and those between them, if all lie on one chain; hinges only if they have roles."""
        own = [self.joints[role] for role in roles]
        if not own or start not in self.joints:
            return own
        chain = list(self.skeleton.chain(own[-1]))
        begin = self.joints[start]
        if begin not in chain or not set(own) <= set(chain):
            return own
        between = chain[chain.index(begin) + 1 :]
        return [j for j in between if j in own or self.skeleton.definitions[j].has_quaternion]

    @cached_property
    def ankle_height(self) -> float:
        """Mean height of the ankles above the ground at rest."""
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


# Matched rest poses: the rotation of each part of the target that makes its bones parallel to the source's at rest.


FINGERS = ("thumb", "index", "middle", "ring", "little")
_CHAINS = (("upper_leg", "lower_leg", "foot"), ("upper_arm", "lower_arm", "hand"))


@lru_cache(maxsize=8)
def matching_rotations(source: Body, target: Body) -> dict[str, Array]:
    """Role → rotation `[3, 3]` in the figures' own axes (left, up, forward); the identity where a role is missing.

    Limbs are rotated bone by bone, each by the smallest rotation after its parents', so that a T-pose and an A-pose,
    or a bent and a straight arm, match. Feet rotate about the vertical only: both stand flat at rest.
    """
    rotations: dict[str, Array] = {}
    for side in SIDES:
        for chain in _CHAINS:
            _match_chain(source, target, [f"{part}_{side}" for part in chain], rotations)
        _match_foot(source, target, side, rotations)
        _match_hand(source, target, side, rotations)
    return {role: matrix_from_wxyz(rotation) for role, rotation in rotations.items()}


def _direction(body: Body, start: str, end: str) -> Array:
    """The vector from one role to another at rest, in the figure's own axes."""
    return body.axes.T @ (body.position(end) - body.position(start))


def _match_chain(source: Body, target: Body, chain: list[str], rotations: dict[str, Array]) -> None:
    above = IDENTITY_WXYZ
    for role, after in pairwise(chain):
        if not all(one in body.joints for one in (role, after) for body in (source, target)):
            continue
        above = _aligned(above, _direction(target, role, after), _direction(source, role, after))
        rotations[role] = above
    _match_forearm(source, target, chain, rotations)
    for role in chain:  # the last one, or one whose child is missing, rotates with its parent
        if role in target.joints:
            above = rotations.setdefault(role, above)


def _match_forearm(source: Body, target: Body, chain: list[str], rotations: dict[str, Array]) -> None:
    """Match a forearm of which one figure or both lack the hand."""
    upper, lower, hand = chain
    if lower in rotations or upper not in rotations or hand[:-2] != ARM[2]:
        return
    ways = [
        _direction(body, lower, hand) if hand in body.joints else None if own is None else body.axes.T @ own
        for body, own in ((one, one.forearm(hand[-1])) for one in (target, source))
    ]
    if ways[0] is not None and ways[1] is not None:
        rotations[lower] = _aligned(rotations[upper], ways[0], ways[1])


def _aligned(above: Array, mine: Array, desired: Array) -> Array:
    """The rotation `above` followed by the smallest one that takes direction `mine` to `desired`."""
    rotated = matrix_from_wxyz(above) @ mine
    if min(np.linalg.norm(rotated), np.linalg.norm(desired)) < 1e-9:
        return above
    return wxyz_multiply(wxyz_between(rotated, desired), above)


def _match_foot(source: Body, target: Body, side: str, rotations: dict[str, Array]) -> None:
    foot, toes = f"foot_{side}", f"toes_{side}"
    rotation = IDENTITY_WXYZ
    if all(role in body.joints for role in (foot, toes) for body in (source, target)):
        level = np.array([1.0, 0.0, 1.0])
        rotation = _aligned(rotation, _direction(target, foot, toes) * level, _direction(source, foot, toes) * level)
    rotations[foot] = rotations[toes] = rotation


def _match_hand(source: Body, target: Body, side: str, rotations: dict[str, Array]) -> None:
    """Match the hand by its knuckles, then the fingers joint by joint."""
    hand = f"hand_{side}"
    if not all(hand in body.joints for body in (source, target)):
        return
    knuckles = [
        f"{finger}_1_{side}"
        for finger in FINGERS[1:]
        if all(f"{finger}_1_{side}" in body.joints for body in (source, target))
    ]
    if knuckles:
        mine, desired = (
            np.mean([_direction(body, hand, one) for one in knuckles], axis=0) for body in (target, source)
        )
        rotations[hand] = _aligned(rotations.get(hand, IDENTITY_WXYZ), mine, desired)
    for finger in FINGERS:
        chain = [f"{finger}_{k}_{side}" for k in (1, 2, 3)]
        above = rotations.get(hand, IDENTITY_WXYZ)
        for role, after in zip(chain, [*chain[1:], ""], strict=True):
            if all(one in body.joints for one in (role, after) for body in (source, target)):
                above = _aligned(above, _direction(target, role, after), _direction(source, role, after))
            rotations[role] = above


# The ground: the source's, from its contacts, and the one on which the target walks.


_UNEVEN = 0.12  # of the leg: contacts whose heights differ by less are on level ground, recorded with some error
_RAISED = 0.5  # of the leg: a foot so far above the other one is held up in the air
_OVER = 0.25  # s over which the figure follows the ground from one stand to the next
_NEAR = 0.2  # of the leg: within this height of the world's zero, a figure's soles at rest define its ground
_ON = 0.005  # the same for robots, which cannot stand beside their ground


@dataclass(frozen=True, eq=False)
class Ground:
    """The target's ground: whether it is level, its height (`floor`), and its rise over the source's scaled ground.

    scale: of lengths. lifts: `[frame]` offset of the target's height over the source's scaled one.
    """

    level: bool
    floor: float
    rise: float
    scale: float
    lifts: Array

    def under(self, heights: Array) -> Array:
        """`[frame]` height of the target's ground where the source's is at `heights`."""
        return np.full(len(heights), self.floor) if self.level else self.scale * heights + self.rise


def ground_of(clip: Clip, touching: Contacts, target: Body, scale: float) -> Ground:
    """The ground of the target, the same for all clips: see `standing_height`."""
    own = np.array([heights(clip, touching, row) for row in range(len(touching.soles))])
    every = own[touching.ball]
    if not len(every):  # no contact at all
        every = own.min(keepdims=True)[0]
    low, middle, high = (scale * float(one) for one in np.percentile(every, (5, 50, 95)))
    leg = target.leg_length
    level = high - low < _UNEVEN * leg
    walked = middle if level else low
    rise = standing_height(target) - walked
    lifts = np.full(len(clip), rise)
    if level:
        lifts += middle - scale * _walked_on(own, touching)
    return Ground(level, middle + rise, rise, scale, lifts)


def standing_height(body: Body) -> float:
    """Height of a figure's ground: its soles at rest, or zero where these are far off (origin in the pelvis).

    Files let robots begin some centimetres over the ground of the simulator, which is at zero.
    """
    near = _ON if body.made_of_hinges else _NEAR
    return body.floor if abs(body.floor) < near * body.leg_length else 0.0


def _walked_on(own: Array, touching: Contacts) -> Array:
    """`[frame]` smoothed height of the ground from stand to stand; own: `[foot, frame]` the height under each ball."""
    from scipy.ndimage import gaussian_filter1d

    stands = [(foot, run) for foot in range(len(own)) for run in runs(touching.ball[foot])]
    if not stands:
        return np.full(own.shape[1], own.min())
    stands.sort(key=lambda one: sum(one[1]))
    middles = [0.5 * (start + end - 1) for _, (start, end) in stands]
    levels = [float(own[foot, start:end].mean()) for foot, (start, end) in stands]
    return gaussian_filter1d(np.interp(np.arange(own.shape[1]), middles, levels), _OVER * touching.fps, mode="nearest")


def believable(clip: Clip, touching: Contacts) -> Contacts:
    """The contacts without those of a foot held still in the air beside a standing one."""
    positions = np.array([heights(clip, touching, row) for row in range(len(touching.soles))])
    raised = positions - positions.min(axis=0) > np.array([[_RAISED * sole.length] for sole in touching.soles])
    return replace(touching, heel=touching.heel & ~raised, ball=touching.ball & ~raised, toe=touching.toe & ~raised)


def heights(clip: Clip, touching: Contacts, row: int) -> Array:
    """`[frame]` height of the source's ground under the ball of that foot."""
    sole = touching.soles[row]
    return sole.ball_places(clip.poses)[:, "xyz".index(clip.skeleton.up)] - sole.ball_height
