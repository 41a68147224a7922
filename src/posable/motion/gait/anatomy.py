"""The parts of a figure that a walk needs: legs, feet and soles, measured once in the rest pose.

Everything is in the figure's own axes: x to its left, y up, z forward, with the origin on the ground under its pelvis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from posable.clips.root_motion import is_planar, why_it_stays
from posable.errors import SkeletonError
from posable.figures import Figure, Limb, Roles
from posable.figures import roles as find_roles
from posable.figures.shapes import solid_of
from posable.figures.stance import stance_fault
from posable.figures.wheels import wheels_on_legs
from posable.motion.gait.batch_rotations import about_up, rotate
from posable.skeleton import Skeleton, joints_below
from posable.spatial import Array, apply_transform, matrix_from_wxyz, wxyz_from_matrix

_HEEL_SHARE, _TIP_SHARE = 0.45, 0.5  # of ankle to ball, without skin or tips
_LEAST_ROLL = 0.3  # of ankle to tip: least distance of the toes' joint in front of the ankle
_SHIN = 0.5  # of a leg's longest bone: a longer part below the last hinge is a shin, and that hinge the knee
_FOLDED, _STANDS = 0.15, 0.8  # of the bones of an animal's leg: lower hips at rest, and their height as it walks
_AT_END = 0.02  # of a leg's length: largest distance of a foot from the end of the leg in its file

_LONG_FOOT = 0.3, 0.35  # leg lengths from ankle to pivot, and from heel to ball: longer feet tip less
_PARALLEL = 0.9  # least cosine between the axes of a planar leg
_SCALED = ("points", "heel", "ball", "tip", "breadth")

Ends = dict[int, list[Array]]

_MEASURED: WeakKeyDictionary[Figure, Body] = WeakKeyDictionary()
"""Figures are immutable: each is measured once during its lifetime."""


@dataclass(frozen=True)
class Leg:
    """One leg at rest, in the figure's own axes and length unit.

    side: +1 left, -1 right. row: 0 in front. joints: from the hip down to the last one above the foot. foot: the joint
    of the foot, -1 for a leg that ends in a point. toes: the joint of the toes, or -1. points: `[joint + 1, 3]`, the
    joints and then the ankle. heel, ball, tip: of the sole; the ball is the joint of the toes, if any. hinge: the axis
    of toes with a single one, pointing left. breadth: of the foot, 0 without a skin.
    """

    side: int
    row: int
    joints: tuple[int, ...]
    foot: int
    toes: int
    points: Array
    heel: Array
    ball: Array
    tip: Array
    hinge: Array | None = None
    breadth: float = 0.0

    @property
    def hip(self) -> Array:
        return self.points[0]

    @property
    def ankle(self) -> Array:
        return self.points[-1]


@dataclass(frozen=True)
class Sole:
    """A foot's points from the ground under its ball, in its own axes (z from heel to toes), and its yaw at rest."""

    heel: Array
    ball: Array
    tip: Array
    ankle: Array
    yaw: float
    toes: bool
    half: float  # of its breadth

    @property
    def rolls(self) -> float:
        """Share of the gait's roll that raises the heel of a long foot as high as a person's."""
        pivot = self.ball if self.toes else self.tip
        return min(1.0, _LONG_FOOT[0] / max(float(pivot[2] - self.ankle[2]), 1e-9))

    @property
    def strikes(self) -> float:
        """The same for its strike."""
        return min(1.0, _LONG_FOOT[1] / max(float(self.ball[2] - self.heel[2]), 1e-9))

    @classmethod
    def of(cls, leg: Leg) -> Sole:
        ahead = leg.ball - leg.ankle
        yaw = float(np.arctan2(ahead[0], ahead[2])) if leg.toes >= 0 else 0.0
        if leg.hinge is not None:
            yaw = float(np.arctan2(-leg.hinge[2], leg.hinge[0]))
        under = np.array([leg.ball[0], min(leg.heel[1], leg.tip[1]), leg.ball[2]])
        back = about_up(np.array(-yaw))
        heel, ball, tip, ankle = (rotate(back, point - under) for point in (leg.heel, leg.ball, leg.tip, leg.ankle))
        middle = np.array([0.0, 1.0, 1.0])
        return cls(heel * middle, ball, tip * middle, ankle, yaw, leg.toes >= 0, leg.breadth / 2)


@dataclass(frozen=True)
class Body:
    """The measured parts of a figure.

    to_body: `[3, 3]`, from world axes to the figure's own. origin: the point on the ground, in the world, at which the
    figure's own axes begin. mover: the free joint that moves the whole figure. pelvis: the parent joint of the legs.
    length: L, hip to sole.
    """

    skeleton: Skeleton
    roles: Roles
    to_body: Array
    origin: Array
    mover: int
    pelvis: int
    legs: tuple[Leg, ...]
    length: float
    rest_rotations: Array  # [joint, 4], joint frames to the figure's own axes
    rest_positions: Array  # [joint, 3]
    world_rest: Array  # [joint, 4, 4]
    width: float  # half the width of hips and thighs, which the hands avoid

    @property
    def biped(self) -> bool:
        return len(self.legs) == 2

    def world(self, positions: Array) -> Array:
        """World positions of `positions [..., 3]` in the figure's own axes and the file's unit."""
        return (positions + self.to_body @ self.origin) @ self.to_body

    def legs_scaled(self) -> tuple[Leg, ...]:
        """The legs in leg lengths."""
        return tuple(replace(leg, **{name: getattr(leg, name) / self.length for name in _SCALED}) for leg in self.legs)


def measure(figure: Figure, roles: Roles | None = None) -> Body:
    """Measure a figure. Raises SkeletonError for a figure without pairs of legs or without a free joint above them."""
    if roles is not None:
        return _measured(figure, roles)
    if figure not in _MEASURED:
        _MEASURED[figure] = _measured(figure, find_roles(figure))
    return _MEASURED[figure]


def _measured(figure: Figure, roles: Roles) -> Body:
    skeleton = figure.skeleton
    world = figure.rest.world_from_joint
    to_body = np.stack([roles.left, roles.up, roles.forward])
    if is_planar(skeleton):  # its legs are in one plane, too
        raise SkeletonError(why_it_stays(skeleton))
    limbs = _checked_limbs(roles)
    pelvis = _common(skeleton, [skeleton.index(limb.joints[0]) for limb in limbs])
    positions = world[:, :3, 3] @ to_body.T
    skin = _skin_points(figure, to_body)
    ends = {
        i: [apply_transform(world[i], tip) @ to_body.T for tip in joint.tips]
        for i, joint in enumerate(skeleton.definitions)
    }
    for chain in ([skeleton.index(name) for name in limb.joints] for limb in limbs):
        ends[chain[-1]] += _shin_end(figure, chain, positions, skin, to_body)
    raw = [_leg(skeleton, limb, roles, positions, skin, ends) for limb in limbs]
    _check_knees(raw, limbs)
    ground = min(min(leg.heel[1], leg.tip[1]) for leg in raw)
    origin = np.array([positions[pelvis, 0], ground, positions[pelvis, 2]])
    rotations = wxyz_from_matrix(to_body @ world[:, :3, :3])
    legs = tuple(replace(_moved(leg, origin), hinge=_hinge(skeleton, leg.toes, rotations)) for leg in raw)
    mover = _mover(skeleton, pelvis)
    length = _leg_length(legs)
    half = _half_width(skeleton, legs, skin, origin)
    return Body(
        skeleton,
        roles,
        to_body,
        to_body.T @ origin,
        mover,
        pelvis,
        legs,
        length,
        rotations,
        positions - origin,
        world,
        half,
    )


def hinges_apart(skeleton: Skeleton, leg: Leg, rotations: Array) -> list[str]:
    """The names of a leg's hinges if their axes differ, else an empty list. rotations: `[joint, 4]` at rest."""
    hinges = [joint for joint in leg.joints if skeleton.definitions[joint].manifold.axes == (False,)]
    axes = [np.array(skeleton.definitions[joint].axes[0].direction) for joint in hinges]
    directions = np.array([rotate(rotations[joint], axis) for joint, axis in zip(hinges, axes, strict=True)])
    apart = len(directions) and np.abs(directions @ directions[0]).min() < _PARALLEL
    return [skeleton.joints[joint] for joint in hinges] if apart else []


def _checked_limbs(roles: Roles) -> list[Limb]:
    if len(roles.legs) < 2:
        raise SkeletonError(
            f"a walk needs a figure with at least two legs; {len(roles.legs)} were found among "
            f"{', '.join(roles.skeleton.joints[:6])} … (see `posable roles`, and --roles)"
        )
    if len(roles.legs) == 2 and (fault := stance_fault(roles.skeleton, {role: roles.index(role) for role in roles})):
        raise SkeletonError(
            f"a walk needs a standing rest pose, and this one is not a stance: {fault}; export it with "
            "a T-pose or A-pose as its rest pose"
        )
    if wheels := wheels_on_legs(roles):
        raise SkeletonError(f"a walk needs legs that step, and these end in wheels: {', '.join(wheels)}")
    return list(roles.legs)


def _check_knees(legs: Sequence[Leg], limbs: Sequence[Limb]) -> None:
    for leg, limb in zip(legs, limbs, strict=True):
        if not leg.joints:
            raise SkeletonError(
                f"a walk needs legs that bend, and {limb.name} is {limb.joints[0]} alone; take a figure with thighs "
                "and shins, or correct its roles (see `posable roles`, and --roles)"
            )
        if len(legs) == 2 and len(leg.points) < 3:
            raise SkeletonError(
                f"a walk needs legs with knees, and {', '.join(limb.joints)} has none; name the joint of its knee as "
                f"lower_leg_{limb.side} (see `posable roles`, and --roles)"
            )


def _common(skeleton: Skeleton, joints: list[int]) -> int:
    """The lowest common parent of the joints."""
    chains = [skeleton.chain(joint)[:-1] for joint in joints]
    shared = set(chains[0]).intersection(*chains[1:])
    if not shared:
        raise SkeletonError("the legs have different roots; a walk needs one body above all of them")
    return max(shared)


def _mover(skeleton: Skeleton, pelvis: int) -> int:
    """The free joint that moves the whole figure."""
    for joint in reversed(skeleton.chain(pelvis)):
        if skeleton.definitions[joint].floating:
            return joint
    raise SkeletonError(why_it_stays(skeleton))


@dataclass(frozen=True)
class _SkinPoints:
    """Vertices in the figure's own axes, and the joint with the largest weight of each."""

    positions: Array
    joints: np.ndarray

    def of(self, joints: Sequence[int]) -> Array:
        return self.positions[np.isin(self.joints, joints)]


def _skin_points(figure: Figure, to_body: Array) -> _SkinPoints:
    positions, joints = [np.zeros((0, 3))], [np.zeros(0, int)]
    for skin in figure.skins:
        positions.append(np.asarray(skin.deform(figure.rest), float) @ to_body.T)
        strongest = np.argmax(skin.weights, axis=1)[:, None]
        joints.append(np.take_along_axis(skin.joints, strongest, axis=1)[:, 0])
    return _SkinPoints(np.concatenate(positions), np.concatenate(joints))


def lowest_at_rest(figure: Figure, body: Body) -> float:
    """The height in the world of the lowest point of the legs at rest: of skin, shapes and feet."""
    skeleton, up = body.skeleton, body.to_body[1]
    below = sorted({joint for leg in body.legs for joint in joints_below(skeleton, leg.joints[0])})
    heights = [_skin_points(figure, body.to_body).of(below)[:, 1], np.array([body.origin @ up])]
    for shape in figure.shapes:
        joint = skeleton.index(shape.joint)
        if joint in below:
            solid = solid_of(shape)[0] @ matrix_from_wxyz(np.array(shape.wxyz)).T + shape.position
            heights.append(apply_transform(body.world_rest[joint], solid) @ up)
    return float(np.concatenate(heights).min())


def _leg(skeleton: Skeleton, limb: Limb, roles: Roles, positions: Array, skin: _SkinPoints, ends: Ends) -> Leg:
    chain = [skeleton.index(name) for name in limb.joints]
    side = 1 if limb.side == "l" else -1
    foot, toes = _foot_joints(skeleton, chain, roles, limb.side, biped=len(roles.legs) == 2)
    if (
        foot == chain[-1] and ends[foot] and not skeleton.definitions[foot].tips
    ):  # a knee with the end of the shin below it
        foot = -1
    if len(roles.legs) > 2:
        foot = _foot_at_end(chain, positions, ends, foot)
    upper = chain[: chain.index(foot)] if foot in chain else chain
    ankle = positions[foot] if foot >= 0 else ends[chain[-1]][0]
    hanging = joints_below(skeleton, foot) if foot >= 0 else chain[-1:]
    sole = skin.of(hanging) if foot >= 0 else np.zeros((0, 3))
    tips = np.array([ankle, *(point for joint in hanging for point in (positions[joint], *ends[joint]))])
    tips = tips if foot >= 0 else ankle[None]
    toes = toes if toes >= 0 and _far_enough(positions[toes], ankle, sole, tips) else -1
    ball, heel, tip = _sole_points(ankle, positions[toes] if toes >= 0 else None, sole, tips)
    points = np.array([*positions[upper], ankle])
    breadth = float(np.ptp(sole[:, 0])) if len(sole) else 0.0
    return Leg(side, limb.row, tuple(upper), foot, toes, points, heel, ball, tip, breadth=breadth)


def _foot_joints(skeleton: Skeleton, chain: list[int], roles: Roles, letter: str, *, biped: bool) -> tuple[int, int]:
    """The joints of foot and toes, each -1 if missing."""
    if biped and f"foot_{letter}" in roles:
        foot = skeleton.index(roles[f"foot_{letter}"])
        if foot in chain:
            return foot, skeleton.index(roles[f"toes_{letter}"]) if f"toes_{letter}" in roles else -1
    return (-1, -1) if skeleton.definitions[chain[-1]].tips else (chain[-1], -1)


def _shin_end(figure: Figure, chain: list[int], positions: Array, skin: _SkinPoints, to_body: Array) -> list[Array]:
    """The lowest point of a robot's shin whose foot has no joint of its own; empty for other legs."""
    last, skeleton = chain[-1], figure.skeleton
    joint, frame = skeleton.definitions[last], figure.rest.world_from_joint[last]
    if joint.tips or joint.manifold.axes != (False,) or len(joints_below(skeleton, last)) > 1:
        return []
    solids = [
        apply_transform(frame, shape.position + solid_of(shape)[0] @ matrix_from_wxyz(np.array(shape.wxyz)).T)
        for shape in figure.shapes
        if shape.joint == joint.name
    ]
    points = np.concatenate([skin.of([last]), *(solid @ to_body.T for solid in solids)])
    longest = np.linalg.norm(np.diff(positions[chain], axis=0), axis=1).max(initial=0.0)
    if not len(points):
        return []
    lowest = points[np.argmin(points[:, 1])]
    return [lowest] if np.linalg.norm(lowest - positions[last]) > _SHIN * longest else []


def _far_enough(toes: Array, ankle: Array, sole: Array, tips: Array) -> bool:
    """Whether a foot can roll over the joint of its toes, which must not be right under the ankle."""
    front = float(max(sole[:, 2].max(initial=-np.inf), tips[:, 2].max()))
    return toes[2] - ankle[2] > _LEAST_ROLL * (front - ankle[2])


def _foot_at_end(chain: list[int], positions: Array, ends: Ends, other: int) -> int:
    """The first joint of the leg at which its parent's bone ends in the file; `other` if no joint qualifies."""
    size = np.linalg.norm(np.diff(positions[chain], axis=0), axis=1).sum()
    for above, joint in pairwise(chain):
        gaps = [float(np.linalg.norm(positions[joint] - end)) for end in ends[above]]
        if min(gaps, default=np.inf) < _AT_END * size:
            return joint
    return other


def _sole_points(ankle: Array, toes: Array | None, sole: Array, joints: Array) -> tuple[Array, Array, Array]:
    """Ball, heel and tip of a sole, from the skin if there is any, else from the joints."""
    ground = float(min(sole[:, 1].min() if len(sole) else np.inf, joints[:, 1].min()))
    height = max(ankle[1] - ground, 1e-9)
    front = joints[np.argmax(joints[:, 2])]
    if len(sole):
        low = sole[sole[:, 1] < ground + 0.6 * height]
        heel_z, tip_z = low[:, 2].min(), low[:, 2].max()
    else:
        reach = max((front if toes is None else toes)[2] - ankle[2], 1.2 * height)
        heel_z = ankle[2] - _HEEL_SHARE * reach
        tip_z = max(front[2], ankle[2] + reach * (1 + _TIP_SHARE * (toes is not None and front[2] <= toes[2])))
    heel_z = min(heel_z, ankle[2])
    if toes is None:
        toes = np.array([ankle[0], ground, heel_z + 0.75 * (tip_z - heel_z)])
    heel = np.array([ankle[0], ground, heel_z])
    return toes, heel, np.array([toes[0], ground, max(tip_z, toes[2])])


def _hinge(skeleton: Skeleton, toes: int, rotations: Array) -> Array | None:
    """The axis of toes with a single one, pointing left, in the figure's own axes."""
    axes = skeleton.definitions[toes].axes if toes >= 0 else ()
    if len(axes) != 1:
        return None
    axis = matrix_from_wxyz(rotations[toes]) @ np.array(axes[0].direction)
    return axis if axis[0] >= 0 else -axis


def _moved(leg: Leg, origin: Array) -> Leg:
    return replace(leg, **{name: getattr(leg, name) - origin for name in ("points", "heel", "ball", "tip")})


def _leg_length(legs: tuple[Leg, ...]) -> float:
    """Hip to sole: stretched for two legs, at rest for more, or as they stand where they are folded at rest."""
    bones = [np.linalg.norm(np.diff(leg.points, axis=0), axis=1).sum() for leg in legs]
    if len(legs) == 2:
        return float(np.mean([bone + leg.ankle[1] for bone, leg in zip(bones, legs, strict=True)]))
    height = float(np.mean([leg.hip[1] for leg in legs]))
    return height if height > _FOLDED * np.mean(bones) else _STANDS * float(np.mean(bones))


def _half_width(skeleton: Skeleton, legs: tuple[Leg, ...], skin: _SkinPoints, origin: Array) -> float:
    """Half the width of pelvis and thighs, beside which the hands hang."""
    joints = {leg.joints[0] for leg in legs} | {int(skeleton.parents[leg.joints[0]]) for leg in legs}
    hips = max(abs(leg.hip[0]) for leg in legs)
    points = skin.of(sorted(joints))
    return float(max(np.abs(points[:, 0] - origin[0]).max(initial=0.0), 1.4 * hips))
