"""The second stage: hands and feet at the source's positions to scale, feet planted where the source's are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.goals import Goal, Orient, Reach
from posable.motion.feet.contact_detection import Contacts
from posable.motion.feet.planting import Ground as SoleGround
from posable.motion.feet.planting import OverGround
from posable.motion.feet.sole_shapes import Sole
from posable.motion.transfer.foot_stands import Stand, held_parts, shared_span, stands_of, unslid
from posable.motion.transfer.measured import ARM, LEG, SIDES, Body, Ground, heights
from posable.skeleton import Pose, Skeleton
from posable.spatial import (
    Array,
    apply_transform,
    normalized,
    rigid_inverse,
    wxyz_between,
    wxyz_from_matrix,
    wxyz_multiply,
)
from posable.spatial.curves import smoothstep

_PLANTED, _OVER, _FOOT, _HAND, _FOREARM, _FLAT = 400.0, 400.0, 1.0, 0.05, 0.03, 1.0
_SOFTLY = 2.0  # weight of a foot's position for a moment before and after a stand
_MOMENT = 1 / 30  # s
_SETTLES = 0.2  # s after which a foot in the air is back on its scaled path
_SWINGING = 0.05  # weight of a foot in the air for the pelvis; a standing foot has 1
_FOLLOWS = 0.2  # s of smoothing of the pelvis shift
_HARMLESS = 0.05  # legs: tolerated error of a foot's position, or depth in the ground, before it is set rolling
CLEAR = 0.002  # legs: smaller moves are skipped


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot of the target.

    ankle: `[frame, 3]` target position of its ankle. stands: its contacts. under: `[frame]` height of its ground; None
    for a foot that only follows the source's scaled path.
    """

    sole: Sole
    ankle: Array
    stands: tuple[Stand, ...] = ()
    under: Array | None = None

    @property
    def planted(self) -> NDArray[np.bool_]:
        """`[frame]` whether it stands."""
        mask = np.zeros(len(self.ankle), bool)
        for stand in self.stands:
            mask[stand.start : stand.end] = True
        return mask


def settled(foot: Foot, pose: Pose) -> Foot:
    """The foot with each stand moved to where its ball really is; collision avoidance may have moved it aside."""
    balls = foot.sole.ball_places(pose)
    moved = [balls[stand.flat].mean(axis=0) - stand.ball_position for stand in foot.stands]
    every = zip(foot.stands, moved, strict=True)
    return replace(foot, stands=tuple(replace(stand, positions=stand.positions + one) for stand, one in every))


def stepped_aside(feet: Sequence[Foot], pushes: Array, up: str, fps: float) -> list[Foot] | None:
    """The feet with stands moved along the ground so that standing legs do not collide; None if nothing moves.

    pushes: `[foot, frame, 3]` displacement of each that would clear the other, used while all stand.
    """
    both = np.logical_and.reduce([foot.planted for foot in feet])
    level = np.delete(np.eye(3), "xyz".index(up), axis=0)
    moved = []
    for foot, push in zip(feet, (pushes * both[:, None]) @ level.T @ level, strict=True):
        moves = []
        for stand in foot.stands:
            own = push[stand.start : stand.end]
            direction = normalized(own.sum(axis=0)) if own.any() else np.zeros(3)
            move = float((own @ direction).max(initial=0.0)) * direction
            moves.append(move * (float(np.linalg.norm(move)) > CLEAR * foot.sole.length))
        if not np.any(moves):
            moved.append(foot)
            continue
        stands = tuple(replace(s, positions=s.positions + move) for s, move in zip(foot.stands, moves, strict=True))
        shifts = [np.broadcast_to(move, (s.end - s.start, 3)) for s, move in zip(stands, moves, strict=True)]
        moved.append(replace(foot, ankle=foot.ankle + _carried(stands, shifts, fps, len(foot.ankle)), stands=stands))
    return None if all(one is foot for one, foot in zip(moved, feet, strict=True)) else moved


def limb_ends(clip: Clip, copy: Clip, source: Body, target: Body, limb: tuple[str, str, str]) -> dict[str, Array]:
    """Role of each limb's end → `[frame, 3]` its target: from hip or shoulder as in the source, bone by bone to scale.

    A limb that another build divides otherwise at knee or elbow could not both point as the source's and end where the
    scaled whole does. A robot's legs are scaled as a whole: its feet stood less still for the other.
    """
    found: dict[str, Array] = {}
    whole = [body.limb_length(limb) for body in (source, target)] if limb == LEG and target.made_of_hinges else None
    for side in SIDES:
        parts = [f"{part}_{side}" for part in limb]
        parts = [role for role in parts if all(role in body.joints for body in (source, target))]
        if not {f"{limb[0]}_{side}", f"{limb[2]}_{side}"} <= set(parts):
            continue
        place = target.positions(copy.poses, parts[0])
        for start, end in pairwise(parts):
            before, now = whole or [body.bone_length(start, end) for body in (source, target)]
            if not before or not now:
                break
            way = source.positions(clip.poses, end) - source.positions(clip.poses, start)
            place = place + now / before * way @ source.axes @ target.axes.T
        else:
            found[parts[-1]] = place
    return found


def feet_of(
    clip: Clip, copy: Clip, ends: dict[str, Array], touching: Contacts, target: Body, ground: Ground, onto: Array
) -> list[Foot]:
    """The feet of the target, with stands that follow from the source's contacts, on `ground`.

    onto: `[3, 3]` from displacements of the source to displacements of the target, to scale.
    """
    rows = {sole.name: k for k, sole in enumerate(touching.soles)}
    feet = []
    for sole in target.soles:
        role = f"foot_{sole.name[-1]}"
        if role in ends and sole.name in rows:
            row = rows[sole.name]
            shoe = touching.soles[row]
            own = ground.under(heights(clip, touching, row))
            paths = [points(clip.poses) for points in (shoe.heel_places, shoe.ball_places, shoe.toe_places)]
            masks = [mask[row] for mask in (touching.heel, touching.ball, touching.toe)]
            held = held_parts(sole, shoe, masks, paths, clip.fps)
            stands = tuple(stands_of(copy, sole, ends[role], held, own, whirls=not target.made_of_hinges))
            shifts = [unslid(stand, ends[role], sole, [path @ onto.T for path in paths]) for stand in stands]
            carried = _carried(stands, shifts, clip.fps, len(clip))
            under = np.full(len(clip), ground.floor)
            if stands:
                under = np.interp(np.arange(len(clip)), [s.middle for s in stands], [s.floor for s in stands])
            feet.append(Foot(sole, ends[role] + carried, stands, under))
    return feet


def pelvis_shift(feet: Sequence[Foot], ends: Mapping[str, Array], fps: float) -> Array:
    """`[frame, 3]` shift of the pelvis with the standing feet, so that legs stay as stretched as they are.

    ends: role → `[frame, 3]` the scaled paths of the ankles.
    """
    from scipy.ndimage import gaussian_filter1d

    shifts = np.array([foot.ankle - ends[f"foot_{foot.sole.name[-1]}"] for foot in feet])
    shares = np.array([np.where(foot.planted, 1.0, _SWINGING) for foot in feet])[..., None]
    return gaussian_filter1d((shares * shifts).sum(axis=0) / shares.sum(axis=0), _FOLLOWS * fps, axis=0, mode="nearest")


def hand_goals(copy: Clip, target: Body, hands: Mapping[str, Array]) -> list[tuple[Goal, Array]]:
    """Goals of hands over all frames, relative to the trunk, and of the forearms' rotations, with weights `[frame]`.

    An upper arm that a stout body pushes away would take the forearm along, while it can still point as it did.
    """
    skeleton = target.skeleton
    base = skeleton.joints[target.shoulders]
    frames = copy.poses.world_from_joint[:, skeleton.index(base)]
    found: list[tuple[Goal, Array]] = []
    for role, positions in hands.items():
        local = apply_transform(rigid_inverse(frames), positions)
        found.append((Reach(target.roles[role], local, relative_to=base), np.full(len(copy), _HAND)))
        forearm = target.joints.get(f"{ARM[1]}_{role[-1]}")
        if forearm is not None and skeleton.definitions[forearm].has_quaternion:
            rotations = wxyz_from_matrix(copy.poses.world_from_joint[:, forearm, :3, :3])
            found.append((Orient(skeleton.joints[forearm], rotations), np.full(len(copy), _FOREARM)))
    return found


def foot_goals(copy: Clip, feet: Sequence[Foot]) -> list[tuple[Goal, Array]]:
    """Goals of feet over all frames, with their weights `[frame]`."""
    found: list[tuple[Goal, Array]] = []
    for foot in feet:
        found.append((Reach(foot.sole.foot, foot.ankle), np.full(len(copy), _FOOT)))
        if foot.stands:
            found += _plants(foot, max(round(_MOMENT * copy.fps), 1))
            found += _flat(copy, foot)
    return found


def _carried(stands: Sequence[Stand], shifts: Sequence[Array], fps: float, frames: int) -> Array:
    """`[frame, 3]` displacement of the ankle from its scaled path: given during stands, smoothly blended in between."""
    at, known = np.arange(frames), np.zeros((frames, 3))
    if not stands:
        return known
    middles = [stand.middle for stand in stands]
    levels = np.array([shift.mean(axis=0) for shift in shifts])
    for axis in range(3):
        known[:, axis] = np.interp(at, middles, levels[:, axis])
    found = known.copy()
    for stand, shift in zip(stands, shifts, strict=True):
        own = shift - known[stand.start : stand.end]
        found[: stand.start] += smoothstep(1 - (stand.start - at[: stand.start]) / (_SETTLES * fps))[:, None] * own[0]
        found[stand.end :] += smoothstep(1 - (at[stand.end :] - stand.end + 1) / (_SETTLES * fps))[:, None] * own[-1]
        found[stand.start : stand.end] = shift
    return found


def _plants(foot: Foot, moment: int) -> Iterator[tuple[Goal, Array]]:
    """Goals that plant heel, ball and tip; the first to land and the last to leave are eased over `moment` frames."""
    sole = foot.sole
    tip = sole.corners[2:].mean(axis=0)
    for part, (joint, point) in enumerate(
        ((sole.foot, sole.heel), (sole.foot, sole.ball), (sole.corner_joints[2], tip))
    ):
        position, weight = np.zeros(foot.ankle.shape), np.zeros(len(foot.ankle))
        for stand in foot.stands:
            span = stand.spans[part]
            if span:
                early = max(span[0] - moment * (span[0] == stand.start), 0)
                late = min(span[1] + moment * (span[1] == stand.end), len(weight))
                position[early:late] = stand.path(part, early, late)
                weight[early:late] = np.fmax(weight[early:late], _SOFTLY)
                weight[slice(*span)] = _PLANTED * stand.rests(part, *span)
        if point is not None and weight.any():
            yield Reach(joint, position, tip=point), weight


def _flat(copy: Clip, foot: Foot) -> Iterator[tuple[Goal, Array]]:
    """Goals that keep the foot flat while heel and ball are down, and its toes while the ball is."""
    sole, up = foot.sole, np.eye(3)["xyz".index(copy.skeleton.up)]
    on_both, on_ball = np.zeros(len(copy)), np.zeros(len(copy))
    for stand in foot.stands:
        if both := shared_span(stand.spans[0], stand.ball):
            on_both[slice(*both)] = _FLAT * stand.rests(0, *both)
        on_ball[slice(*(stand.ball or (0, 0)))] = _FLAT
    for joint, flat, weight in ((sole.foot, sole.flat, on_both), (sole.toes, sole.toes_flat, on_ball)):
        if joint is not None:
            rotations = copy.poses.world_from_joint[:, copy.skeleton.index(joint), :3, :3]
            level = wxyz_multiply(wxyz_between(rotations @ flat, up), wxyz_from_matrix(rotations))
            yield Orient(joint, level), weight


def over_ground(skeleton: Skeleton, feet: Sequence[Foot]) -> list[OverGround]:
    """Inequalities that keep the corners of soles above their ground, where it is known (NaN where it is not)."""
    known = [(foot.sole, _level(foot.under, skeleton.up)) for foot in feet if foot.under is not None]
    return [OverGround(skeleton, [sole for sole, _ in known], [one for _, one in known], _OVER)] if known else []


def missed(feet: Sequence[Foot], pose: Pose) -> dict[int, Array]:
    """First joint of the leg → `[frame]` error of its foot beyond the tolerated one, in legs.

    The error is the depth of the sole in the ground, or the distance of ball or heel from their stand.
    """
    found: dict[int, Array] = {}
    for foot in feet:
        sole, k = foot.sole, "xyz".index(pose.skeleton.up)
        off = np.zeros(len(pose))
        if foot.under is not None:
            off = foot.under - sole.corner_places(pose)[..., k].min(axis=1)
        for part, positions in enumerate((sole.heel_places(pose), sole.ball_places(pose))):
            for stand in foot.stands:
                span = stand.spans[part]
                if span:
                    away = np.linalg.norm(positions[slice(*span)] - stand.path(part, *span), axis=1)
                    off[slice(*span)] = np.maximum(off[slice(*span)], away * stand.rests(part, *span))
        found[pose.skeleton.index(sole.joints[0])] = off / sole.length - _HARMLESS
    return found


def _level(under: Array, up: str) -> SoleGround:
    """Level ground at heights `[frame]`."""
    normal = np.eye(3)["xyz".index(up)]
    return lambda positions: (
        np.broadcast_to(under[:, None], positions.shape[:2]),
        np.broadcast_to(normal, positions.shape),
    )


def moving_joints(target: Body, root: int) -> list[str]:
    """The joints that the second stage may move: the travelling joint and those of legs and arms."""
    names = {target.skeleton.joints[root]}
    for limb in (*target.roles.legs, *target.roles.arms):
        for name in limb.joints:
            joint = target.skeleton.index(name)
            hinges = not target.skeleton.definitions[joint].has_quaternion
            if (hinges or name in target.roles.values()) and target.skeleton.definitions[joint].dof:
                names.add(name)
    return [name for name in target.skeleton.joints if name in names]
