"""The geometry of a foot: its heel, its ball and the corners of its sole, from the skin or from the joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure, Limb, Roles, Shape
from posable.figures import roles as find_roles
from posable.figures.bind_stance import stance_as_bound, standing_as_bound
from posable.skeleton import Pose, Skeleton, joints_below
from posable.spatial import Array, matrix_from_wxyz, normalized

HUMAN_LEG = 0.88
"""Metres from hip to sole of the people on whom speeds and heights were measured; others are scaled by theirs."""

_BAND = 0.025  # of the leg: skin within this of the lowest point is sole
_HEEL_BEHIND = 0.3  # of the distance from ankle to ball, without a skin
_HUMAN_FOOT = (0.17, 0.46, 0.16, 0.11)  # of the shin: heel behind the ankle, toes before, sole below, half the width
"""A foot of 0.152 of the stature, a sole 0.039 below the ankle, over a shin of 0.246 (Drillis and Contini 1966)."""
_TOO_DEEP = 2.5  # times as far below the ankle as a person's sole
_LONGER = 1.2  # than wide: such a sole tells where it points
_SIGNS = np.stack(np.meshgrid(*[(-1.0, 1.0)] * 3), axis=-1).reshape(8, 3)


@dataclass(frozen=True, eq=False)
class Sole:
    """The geometry of one foot.

    Args:
        name: Name of the leg.
        joints: Joints of the leg, from hip to ankle.
        foot: Joint of the ankle.
        toes: Joint of the toes, or None.
        length: Length of the leg from hip to sole.
        heel: Point `[3]` fixed to `foot`; None if the leg ends in a point.
        ball: Point `[3]` fixed to `foot`, at the joint of the toes if there is one; it rests while the heel rises.
        heel_height: Height of the heel point above the ground when standing.
        ball_height: Height of the ball point above the ground when standing.
        flat: Direction `[3]` in the frame of `foot` that points up when standing.
        toes_flat: The same in the frame of `toes`.
        corners: Corners of the sole, back then front, left then right, `[4, 3]`, fixed to `corner_joints`.
        corner_joints: The joints of the corners.
        front: Extent of the flat sole ahead of the ball.
        half_width: Half of the sole's width.

    Example:
        >>> [sole.name for sole in posable.motion.soles(figure)]
        ['leg_l', 'leg_r']
    """

    name: str
    joints: tuple[str, ...]
    foot: str
    toes: str | None
    length: float
    heel: Array | None
    ball: Array
    heel_height: float
    ball_height: float
    flat: Array
    toes_flat: Array
    corners: Array
    corner_joints: tuple[str, ...]
    front: float
    half_width: float

    @property
    def back(self) -> Array:
        """The heel, or the ball without one."""
        return self.ball if self.heel is None else self.heel

    def ball_places(self, pose: Pose) -> Array:
        """`[..., 3]` the ball in the world."""
        return _placed(pose, self.foot, self.ball)

    def heel_places(self, pose: Pose) -> Array:
        """`[..., 3]` the heel in the world; the ball without one."""
        return _placed(pose, self.foot, self.back)

    def toe_places(self, pose: Pose) -> Array:
        """`[..., 3]` the middle of the sole's front edge in the world."""
        return self.corner_places(pose)[..., 2:, :].mean(axis=-2)

    @property
    def scale(self) -> float:
        """The leg's length relative to that of the measured people: about the length of a metre in the
        figure's unit.
        """
        return self.length / HUMAN_LEG

    def corner_places(self, pose: Pose) -> Array:
        """`[..., corner, 3]` the corners of the sole in the world."""
        index = [pose.skeleton.index(joint) for joint in self.corner_joints]
        frames = pose.world_from_joint[..., index, :, :]
        return (frames[..., :3, :3] @ self.corners[..., None])[..., 0] + frames[..., :3, 3]


def soles(
    of: Figure | Skeleton | Clip, feet: Sequence[str] | None = None, roles: Roles | None = None
) -> tuple[Sole, ...]:
    """Measure the soles of the feet in the rest pose.

    The skin gives the sole, and so do the display shapes of a one-piece foot, as robots have, or the solids that stand
    for it. Without these a robot's foot has human proportions; of other figures the ball is assumed at ground
    level and the heel slightly behind the ankle.

    Args:
        of: A figure, skeleton or clip.
        feet: Roles ("foot_l") or joints of the feet; None is all.
        roles: Roles of the joints; None finds them.

    Returns:
        The soles.

    Raises:
        SkeletonError: For a figure without legs, or a joint that is not a foot.
        UnknownJointError: For an unknown joint.
    """
    of = standing_as_bound(of) if isinstance(of, Figure) else of
    skeleton = of if isinstance(of, Skeleton) else of.skeleton
    skeleton = stance_as_bound(skeleton)
    if feet is None and roles is None and not isinstance(of, Figure):
        return _bare_soles(skeleton)
    roles = find_roles(of if isinstance(of, Figure) else skeleton) if roles is None else roles
    legs = _chosen(skeleton, roles, feet)
    seen = isinstance(of, Figure) and (of.skins or of.shapes or _is_robot(skeleton))
    surface = _SurfaceAtRest(of) if isinstance(of, Figure) and seen else None
    return tuple(_sole(skeleton, roles, leg, surface) for leg in legs)


@lru_cache(maxsize=8)  # many recordings are of one person
def _bare_soles(skeleton: Skeleton) -> tuple[Sole, ...]:
    return soles(skeleton, roles=find_roles(skeleton))


def _chosen(skeleton: Skeleton, roles: Roles, feet: Sequence[str] | None) -> list[Limb]:
    if not roles.legs:
        raise SkeletonError(
            "this figure has no legs that posable can find; name their joints in a table of roles (posable roles "
            "FILE -o TOML writes it, --roles TOML gives it), or in Python with roles.replace(...)"
        )
    if feet is None:
        return list(roles.legs)
    chosen = []
    for foot in feet:
        joint = skeleton.joints[skeleton.index(roles.get(foot, foot))]
        legs = [leg for leg in roles.legs if joint in leg.joints]
        if not legs:
            ends = ", ".join(leg.joints[-1] for leg in roles.legs)
            raise SkeletonError(f"{joint!r} belongs to no leg; the legs end in {ends}")
        chosen.append(legs[0])
    return chosen


class _SurfaceAtRest:
    """The skin's vertices in the rest pose and the corners of boxes about the display shapes, and the joint that moves
    each most: of some feet the mesh is drawn, and of the block below it that stands the shape.
    """

    def __init__(self, figure: Figure) -> None:
        rest, self.is_skin = figure.rest, bool(figure.skins)
        corners, joints = _corners(figure, figure.shapes)
        places = [*(skin.deform(rest).astype(float) for skin in figure.skins), corners]
        owners = [np.take_along_axis(s.joints, s.weights.argmax(axis=1)[:, None], 1)[:, 0] for s in figure.skins]
        self._drawn = np.concatenate(places), np.concatenate([*owners, joints])
        self._solid = _corners(figure, figure.solids)

    def under(self, joints: Sequence[int]) -> Array:
        """`[vertex, 3]` the vertices that the joints move."""
        return self._drawn[0][np.isin(self._drawn[1], joints)]

    def solid(self, joints: Sequence[int]) -> Array:
        """`[corner, 3]` of the solids that are not drawn and that the joints move."""
        return self._solid[0][np.isin(self._solid[1], joints)]


def _corners(figure: Figure, shapes: Sequence[Shape]) -> tuple[Array, NDArray[np.int64]]:
    """(the corners `[corner, 3]` of the boxes about shapes at rest, `[corner]` the joint that each follows)."""
    world, joints = figure.rest.world_from_joint, [figure.skeleton.index(shape.joint) for shape in shapes]
    places = [_world(world[joint], _box(shape)) for joint, shape in zip(joints, shapes, strict=True)]
    return np.array(places).reshape(-1, 3), np.repeat(np.array(joints, np.int64), len(_SIGNS))


def _box(shape: Shape) -> Array:
    """`[8, 3]` the corners of the box about a display shape, in its joint's frame."""
    if shape.kind in ("box", "ellipsoid"):
        half = np.array(shape.size) * (0.5 if shape.kind == "box" else 1.0)
    else:
        radius, length = (*shape.size, 0.0)[:2]
        half = np.array([radius, radius, length / 2 + (radius if shape.kind != "cylinder" else 0.0)])
    return shape.position + _SIGNS * half @ matrix_from_wxyz(np.array(shape.wxyz)).T


def _sole(skeleton: Skeleton, roles: Roles, leg: Limb, surface: _SurfaceAtRest | None) -> Sole:
    foot, toes = _ends(roles, leg)
    rest = Pose(skeleton, skeleton.rest_coordinates)
    up, k = roles.up, "xyz".index(skeleton.up)
    ankle, ball = rest.origins[foot], rest.origins[foot if toes is None else toes]
    seen = surface is not None and (surface.is_skin or toes is None)
    points = surface.under(joints_below(skeleton, foot)) if surface and seen else np.array([ball])
    if len(points) < 3 and surface and toes is None and _is_robot(skeleton):
        points = _assumed(rest, leg, foot, roles, surface.solid(joints_below(skeleton, foot)))
    points = _tips(rest, foot, ball) if len(points) < 3 else points
    ground = float(points[:, k].min())
    length = _length(rest, leg, foot, ground)
    band = points[points[:, k] <= ground + _BAND * length]
    forward = _ahead(roles, ankle, band, None if toes is None else ball)
    heel, box = _outline(band if seen else points, ankle, ball, forward, up, ground)
    if toes is None:  # a point, or a one-piece foot: the ball is on the sole
        ball = box[2:].mean(axis=0)
    pointed = toes is None and float(np.ptp(box @ forward)) < 0.03 * length
    front = foot if toes is None else toes
    back = rest.world_from_joint[foot]
    corner_joints = [foot, foot, front, front]
    ankle_at = leg.joints.index(skeleton.joints[foot])
    return Sole(
        name=leg.name,
        joints=leg.joints[: ankle_at + 1],
        foot=skeleton.joints[foot],
        toes=None if toes is None else skeleton.joints[toes],
        length=length,
        heel=None if pointed else _local(back, heel),
        ball=_local(back, ball),
        heel_height=0.0,
        ball_height=float(ball[k] - ground),
        flat=back[:3, :3].T @ up,
        toes_flat=rest.world_from_joint[front][:3, :3].T @ up,
        corners=np.array([_local(rest.world_from_joint[j], p) for j, p in zip(corner_joints, box, strict=True)]),
        corner_joints=tuple(skeleton.joints[j] for j in corner_joints),
        front=float((box[2] - ball) @ forward),
        half_width=0.5 * float(np.linalg.norm(box[0] - box[1])),
    )


def _ends(roles: Roles, leg: Limb) -> tuple[int, int | None]:
    """The joints of ankle and ball of a leg; a leg without such roles stands on its last joint."""
    for side in "lr":
        foot, toes = roles.get(f"foot_{side}"), roles.get(f"toes_{side}")
        if foot in leg.joints:
            return roles.skeleton.index(foot), None if toes is None else roles.skeleton.index(toes)
    return roles.skeleton.index(leg.joints[-1]), None


def _length(rest: Pose, leg: Limb, foot: int, ground: float) -> float:
    """From the hip along the bones to the ankle, and down to the sole."""
    places = rest.origins[[rest.skeleton.index(joint) for joint in leg.joints]]
    ankle = leg.joints.index(rest.skeleton.joints[foot])
    steps = np.linalg.norm(np.diff(places[: ankle + 1], axis=0), axis=1).sum()
    return float(steps + max(places[ankle]["xyz".index(rest.skeleton.up)] - ground, 0.0)) or rest.skeleton.reach


def _ahead(roles: Roles, ankle: Array, band: Array, ball: Array | None) -> Array:
    """The horizontal direction in which a foot points. ball: of a foot with toes."""
    if ball is None and _is_robot(roles.skeleton):  # whose ankle may be anywhere over the sole
        return _along(band, roles.forward, roles.up)
    level = (band.mean(axis=0) if ball is None else ball) - ankle
    level = level - level @ roles.up * roles.up
    return normalized(level) if np.linalg.norm(level) > 1e-6 * roles.skeleton.reach else roles.forward


def _along(band: Array, forward: Array, up: Array) -> Array:
    """The horizontal direction, of those within 45° of `forward`, along which a sole is narrowest; `forward` for one
    that is about as long as wide.
    """
    angles = np.radians(sorted(range(-45, 46), key=abs))[:, None]
    left = np.cross(up, forward)
    along, across = np.cos(angles) * forward + np.sin(angles) * left, np.cos(angles) * left - np.sin(angles) * forward
    lengths, widths = np.ptp(band @ along.T, axis=0), np.ptp(band @ across.T, axis=0)
    best = int(np.argmax(widths <= 1.02 * widths.min()))  # of equally narrow ones, the nearest to `forward`
    return along[best] if lengths[best] > _LONGER * widths[best] else forward


def _outline(band: Array, ankle: Array, ball: Array, forward: Array, up: Array, ground: float) -> tuple[Array, Array]:
    """(the heel, the corners `[4, 3]` back left, back right, front left, front right) on the ground at rest."""
    left = np.cross(up, forward)
    along, across = band @ forward, band @ left
    back, front = float(along.min()), float(along.max())
    ankle_along, ball_along = float(ankle @ forward), float(ball @ forward)
    back = min(back, ankle_along - _HEEL_BEHIND * (ball_along - ankle_along))
    front = max(front, ball_along)
    sides = [float(across.min()), float(across.max())]
    middle = 0.5 * (sides[0] + sides[1])
    heel = back * forward + middle * left + ground * up
    return heel, np.array([a * forward + b * left + ground * up for a in (back, front) for b in (sides[1], sides[0])])


def _tips(rest: Pose, foot: int, ball: Array) -> Array:
    """`[point, 3]` of a foot without a skin: the ball's joint, those below and their tips."""
    skeleton, found = rest.skeleton, [ball]
    for joint in joints_below(skeleton, foot)[1:]:
        found.append(rest.origins[joint])
        found += [_world(rest.world_from_joint[joint], np.array(tip)) for tip in skeleton.definitions[joint].tips]
    if len(found) == 1:
        found += [_world(rest.world_from_joint[foot], np.array(tip)) for tip in skeleton.definitions[foot].tips]
    k = "xyz".index(skeleton.up)
    points = np.array(found)
    points[:, k] = ball[k] if len(found) > 1 and ball[k] < rest.origins[foot, k] else points[:, k].min()
    return points


def _is_robot(skeleton: Skeleton) -> bool:
    """Whether the figure is made of hinges: no joint but one that travels has a whole rotation."""
    return all(joint.floating or not joint.has_quaternion for joint in skeleton.definitions)


def _sole_frames(skeleton: Skeleton, foot: int) -> list[int]:
    """The fixed frames below a foot that are called soles: robots have them where they touch the ground."""
    below = joints_below(skeleton, foot)[1:]
    names = [(skeleton.definitions[j].name, *skeleton.definitions[j].aliases) for j in below]
    return [j for j, own in zip(below, names, strict=True) if any("sole" in name.lower() for name in own)]


def _human_foot(rest: Pose, leg: Limb, foot: int, roles: Roles) -> Array:
    """`[corner, 3]` the corners of a sole of human proportion about an ankle, at rest."""
    skeleton, at = rest.skeleton, rest.origins[foot]
    above = [joint for joint in skeleton.chain(foot) if skeleton.joints[joint] in leg.joints]
    shin = max((float(np.linalg.norm(b - a)) for a, b in pairwise(rest.origins[above[-4:]])), default=0.0)
    back, front, below, half = (share * shin for share in _HUMAN_FOOT)
    left = np.cross(roles.up, roles.forward)
    return np.array(
        [at - below * roles.up + a * roles.forward + b * left for a in (-back, front) for b in (half, -half)]
    )


def _assumed(rest: Pose, leg: Limb, foot: int, roles: Roles, solid: Array) -> Array:
    """`[corner, 3]` the corners of a robot's sole of which nothing is drawn: at the frame called a sole, or else
    halfway between two guesses, human proportion and the underside of the solids that stand for the foot. Those are too
    thick for a plate, and do not count if they are implausibly so.
    """
    human, k = _human_foot(rest, leg, foot, roles), "xyz".index(rest.skeleton.up)
    ankle = float(rest.origins[foot, k])
    deep, deepest = (ankle - float(points[:, k].min(initial=np.inf)) for points in (human, solid))
    plausible = 0 < deepest < _TOO_DEEP * deep
    found = solid.copy() if plausible else human
    guess = ankle - (0.5 * (deep + deepest) if plausible else deep)
    found[:, k] = min((rest.origins[j, k] for j in _sole_frames(rest.skeleton, foot)), default=guess)
    return found


def _local(frame: Array, point: Array) -> Array:
    return frame[:3, :3].T @ (point - frame[:3, 3])


def _world(frame: Array, point: Array) -> Array:
    return point @ frame[:3, :3].T + frame[:3, 3]


def _placed(pose: Pose, joint: str, point: Array) -> Array:
    frame = pose.world_from_joint[..., pose.skeleton.index(joint), :, :]
    return frame[..., :3, :3] @ point + frame[..., :3, 3]
