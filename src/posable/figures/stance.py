"""Whether the rest pose of a figure is a stance, and a stance taken from a motion if it is not.

Recordings may have any rest pose: all bones along one axis, legs folded, lying. The facing of a figure, the posture of
its trunk, the twist of its limbs and the positions of its soles are all measured at rest, which therefore has to be a
stance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.clips.root_motion import moved
from posable.figures.biped import ARM, LEG, UPRIGHT, Biped, Joints, axis_of, unit
from posable.figures.model import Clips, Figure
from posable.skeleton import Pose, Skeleton, joints_below
from posable.skeleton.body_roles import MOST_JOINTS
from posable.skeleton.body_roles.search import search
from posable.skeleton.body_roles.skeleton_facts import Body, body_of
from posable.spatial import Array, matrix_from_wxyz, mean_rotation, wxyz_between, wxyz_from_matrix

_LEGS = tuple(f"{part}_{side}" for part in LEG for side in "lr")
_ANIMAL = "front_foot_l"  # a part that only figures with four legs and more have
_CLEARLY_BELOW = 0.5  # of a figure's height: the feet of an animal are so far below its root
_UP_COSINE = 0.9  # to another axis, from which that axis may be up
_UP_FRAMES = 0.9  # share of the frames in which that holds, from which it is up
_ON_ONE_LINE = 0.03  # of the figure's length: joints closer to one line than this have no recognisable shape
_LEAST_BONES, _PARALLEL_SHARE = 8, 0.7  # from this share on, parallel bones are not a body: legs are less than half
_SAMPLED_FRAMES = 600
_TRIED_FRAMES = 25  # in which the parts of a body without telling names are searched
_MAX_LEAN = 0.26  # rad by which the trunk of a stance may lean, as in the motion
_STRAIGHT_COSINE = 0.95  # of a straight arm
_BENT_SINE = 0.3  # of a bent limb
_CONSISTENT_BENDS = 0.8  # length of the mean bend axis, above which a limb bends about one axis
_LEAST_FOOT_REACH = 0.3  # of a foot's length: a foot that reaches less far ahead has no direction
_FLAT_PERCENTILE = 5  # of a foot's heights, below which it is assumed to be flat on the ground

_LEFT, _UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])  # in a figure's axes: left, up, forward


def stance_fault(skeleton: Skeleton, joints: Joints) -> str:
    """Why the rest pose of a biped is not a stance; "" if it is one, for animals, and if the legs are unknown.

    joints: role → joint.
    """
    if not all(role in joints for role in _LEGS) or "front_foot_l" in skeleton.parts.joints:
        return ""
    rest = Pose(skeleton, skeleton.rest_coordinates)
    return Biped(rest.origins[None], joints, axis_of(skeleton.up)).fault()


def with_up(figure: Figure, up: Literal["y", "z"]) -> Figure:
    """The same figure with another of its axes up; its coordinates stay. Raises SkeletonError for another axis."""
    if figure.skeleton.up == up:
        return figure
    skeleton = Skeleton(figure.skeleton.definitions, up)
    clips = Clips(replace(clip, skeleton=skeleton) for clip in figure.clips)
    return replace(figure.on(skeleton), clips=clips)


def stood_up(figure: Figure) -> Figure:
    """The figure; with y up and a note, if it is a biped or an animal whose rest pose is a stance only along y.

    This is used for robots, whose formats have z up and cannot state anything else. A lying robot cannot be
    distinguished from a standing one; files of lying robots are rare.
    """
    skeleton = figure.skeleton
    width, height, depth = np.ptp(Pose(skeleton, skeleton.rest_coordinates).origins, axis=0)
    if skeleton.up == "y" or len(skeleton.joints) > MOST_JOINTS:
        return figure
    turned = with_up(figure, "y")
    if not _stands_along_y(skeleton, turned.skeleton, tall=height >= max(depth, 0.5 * width)):
        return figure
    note = 'it stands along y, so y is taken for up; load it with up="z" (--up z) if it lies'
    return replace(turned, notes=(*figure.notes, note))


def _stands_along_y(skeleton: Skeleton, turned: Skeleton, *, tall: bool) -> bool:
    """Whether a skeleton whose format has z up is a stance only as `turned`, with y up."""
    if tall:
        joints = turned.parts.joints
        if all(role in joints for role in _LEGS):
            return bool(stance_fault(skeleton, joints)) and not stance_fault(turned, joints)
    joints = skeleton.parts.joints
    if _ANIMAL in joints or (all(role in joints for role in _LEGS) and not stance_fault(skeleton, joints)):
        return False
    return _ANIMAL in turned.parts.joints and not _lying(turned)


def _lying(skeleton: Skeleton) -> bool:
    """Whether the feet of an animal are not clearly below its hips."""
    joints, heights = skeleton.parts.joints, Pose(skeleton, skeleton.rest_coordinates).origins @ axis_of(skeleton.up)
    feet = [joint for role, joint in joints.items() if role.endswith(("_foot_l", "_foot_r"))]
    return heights[joints["root"]] - heights[feet].max() < _CLEARLY_BELOW * np.ptp(heights)


def turned_up(clip: Clip) -> tuple[Clip, str]:
    """The clip rotated so that y is up, with a note, if it is a biped's whose y axis points down, as in images; any
    other clip unchanged, and "".
    """
    skeleton = clip.skeleton
    if len(skeleton.joints) > MOST_JOINTS or not any(joint.floating for joint in skeleton.definitions):
        return clip, ""
    pose = _sample(clip)
    joints, fault = _roles(pose)
    biped = Biped(pose.origins, joints, _UP)
    if not joints or not (fault or biped.on_its_head()):
        return clip, ""
    along = unit(biped.top - biped.ankles.mean(axis=1))
    if np.mean(along @ _UP < -_UP_COSINE) < _UP_FRAMES:
        return clip, ""
    turned = Skeleton(skeleton.definitions, "y")
    over = np.diag([1.0, -1.0, -1.0, 1.0])
    note = "y points down in its motion, which was turned so that y is up"
    return replace(clip, skeleton=turned, q=moved(Pose.trusted(turned, clip.q), over).q), note


def _sample(clip: Clip) -> Pose:
    """Poses sampled over the whole clip."""
    frames = np.unique(np.linspace(0, len(clip) - 1, _SAMPLED_FRAMES).astype(int))
    return Pose.trusted(clip.skeleton, clip.q[frames])


def standing(clip: Clip) -> tuple[Skeleton, str]:
    """The clip's skeleton with a stance as its rest pose, and a note.

    If the rest pose is already a stance, or the motion shows no biped, the skeleton is unchanged and the note is
    "". If the motion contains no stance either, only the note says so.
    """
    skeleton = clip.skeleton
    if len(skeleton.joints) > MOST_JOINTS:
        return skeleton, ""
    pose = _sample(clip)
    joints, fault = _roles(pose)
    if not joints:
        return skeleton, ""
    up = _up_shown(Biped(pose.origins, joints, axis_of(skeleton.up)), skeleton.up, doubted=bool(fault))
    if not fault and up == skeleton.up:
        return skeleton, ""
    fault = fault or f"{up} is up in its motion, {skeleton.up} at rest"
    turned = Skeleton(skeleton.definitions, up)
    rest = Pose(turned, turned.rest_coordinates)
    if up != skeleton.up and not Biped(rest.origins[None], joints, axis_of(up)).fault():
        return turned, f"its rest pose stands along {up}, as its motion does, so {up} is taken for up"
    stance = _stance(Pose.trusted(turned, pose.q), joints)
    if stance is None or Biped(stance.origins[None], joints, axis_of(up)).fault():
        return skeleton, f"its rest pose is not a stance ({fault}), and its motion shows none"
    note = f"its rest pose is not a stance ({fault}); a neutral stance was taken from the motion"
    return at_rest(stance), note + (f", in which {up} is up" if up != skeleton.up else "")


def at_rest(pose: Pose) -> Skeleton:
    """The skeleton with this pose as its rest pose."""
    skeleton, ends = pose.skeleton, pose.skeleton.tables.first_coordinate
    definitions = [
        replace(joint, rest=tuple(pose.q[ends[i] : ends[i + 1]].tolist()) if joint.coordinates else None)
        for i, joint in enumerate(skeleton.definitions)
    ]
    return Skeleton(definitions, skeleton.up)


def _roles(pose: Pose) -> tuple[Joints, str]:
    """(role → joint, the fault of the rest pose); no joints without evidence of a biped's legs."""
    skeleton = pose.skeleton
    parts = skeleton.parts
    if "front_foot_l" in parts.joints:  # an animal's
        return {}, ""
    if all(role in parts.found.joints for role in _LEGS):
        rest = Biped(parts.body.positions[None], parts.found.joints, axis_of(skeleton.up))
        return parts.found.joints, stance_fault(skeleton, parts.found.joints) or rest.hangs()
    places = parts.body.positions
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    line = len(spread) < 2 or spread[1] <= _ON_ONE_LINE * spread[0]
    if not line and not _are_parallel(parts.body):
        return {}, ""  # it has a shape, which is not a biped's
    found = [_roles_in(pose, up) for up in ("y", "z")]
    return max(found, key=len), "all its joints are on one line" if line else "its bones are parallel"


def _are_parallel(body: Body) -> bool:
    """Whether nearly all bones between consecutive joints are parallel, which no body has."""
    steps = [body.positions[k[0]] - body.positions[j] for j, k in enumerate(body.children) if len(k) == 1]
    bones = unit(np.array([step for step in steps if np.linalg.norm(step) > 1e-3 * body.size]).reshape(-1, 3))
    return len(bones) >= _LEAST_BONES and bool(
        np.mean(bones @ unit(np.median(bones, axis=0)) > _UP_COSINE) >= _PARALLEL_SHARE
    )


def _roles_in(pose: Pose, up: str) -> Joints:
    """Role → joint by the shape of the figure, in the tallest and most informative of the poses `[frame]`."""
    skeleton = pose.skeleton
    order = np.argsort(-np.ptp(pose.origins[..., "xyz".index(up)], axis=1), kind="stable")
    best: Joints = {}
    for frame in order[: len(order) // 2 + 1 : max(len(order) // (2 * _TRIED_FRAMES), 1)]:
        frames = np.array(pose[int(frame)].world_from_joint)
        found = search(body_of(skeleton.definitions, skeleton.parents.tolist(), frames, up)).joints
        stands = all(role in found for role in _LEGS)
        if stands and len(found) > len(best) and not Biped(frames[None, :, :3, 3], found, axis_of(up)).fault():
            best = found
    return best


def _up_shown(biped: Biped, up: Literal["y", "z"], *, doubted: bool) -> Literal["y", "z"]:
    """Which axis is up in the motion. doubted: whether nothing supports `up`."""
    along = unit(biped.top - biped.ankles.mean(axis=1))
    if doubted:
        upright = along.mean(axis=0)
        return "z" if upright[2] > max(upright[1], UPRIGHT) else "y" if upright[1] > UPRIGHT else up
    other: Literal["y", "z"] = "z" if up == "y" else "y"
    return other if np.mean(along @ axis_of(other) > _UP_COSINE) >= _UP_FRAMES else up


def _stance(pose: Pose, joints: Joints) -> Pose | None:
    """A stance made of the poses `[frame]`: facing ahead, upright and on the ground, its feet flat.

    It is made from the frame nearest to a stance, with limbs hanging so that knees bend back and elbows ahead. None if
    no frame is upright, and for a figure that cannot rotate.
    """
    skeleton = pose.skeleton
    if not any(joint.floating for joint in skeleton.definitions):
        return None
    biped = Biped(pose.origins, joints, axis_of(skeleton.up))
    best = int(np.argmin(biped.score()))
    if biped.trunk[best] @ biped.up < UPRIGHT:
        return None
    turns = np.swapaxes(biped.axes, 1, 2)[:, None] @ pose.world_from_joint[..., :3, :3]
    seen = _Seen(skeleton, turns, np.einsum("fji,fkj->fki", biped.axes, pose.origins), best)
    wanted = np.array(turns[best])
    for side, out in (("l", _LEFT), ("r", -_LEFT)):
        arm = [joints[f"{part}_{side}"] for part in ARM if f"{part}_{side}" in joints]
        if len(arm) == len(ARM) and not _is_out(seen.places[best, arm], out):
            seen.hang(wanted, arm, -_LEFT)
        leg = [joints[f"{part}_{side}"] for part in LEG]
        seen.hang(wanted, leg, _LEFT, seen.ahead(leg[-1]))
        seen.lay_flat(wanted, leg[-1])
    trunk = biped.axes[best].T @ biped.trunk[best]
    if np.arccos(trunk[1]) > _MAX_LEAN:
        wanted = matrix_from_wxyz(wxyz_between(trunk, _UP)) @ wanted
    facing = np.eye(3) if skeleton.up == "y" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    return _placed(turned(pose[best], facing @ wanted), joints)


def _is_out(arm: Array, out: Array) -> bool:
    """Whether an arm `[joint, 3]` is straight and held out sideways: a recording may begin with its rest pose."""
    upper, lower, hand = arm
    return bool(unit(lower - upper) @ unit(hand - lower) > _STRAIGHT_COSINE and unit(hand - upper) @ out > UPRIGHT)


@dataclass(frozen=True)
class _Seen:
    """A motion in the figure's own axes: `turns [frame, joint, 3, 3]`, `places [frame, joint, 3]`; its best frame."""

    skeleton: Skeleton
    turns: Array
    places: Array
    best: int

    def hang(self, wanted: Array, limb: Sequence[int], axis: Array, otherwise: Array | None = None) -> None:
        """Let a limb hang straight down in `wanted [joint, 3, 3]`, its bones twisted so that they bend about `axis`.

        A limb that hardly bends, or not about one axis, keeps its twist, or is rotated by `otherwise`.
        """
        bones = [unit(self.places[:, lower] - self.places[:, upper]) for upper, lower in pairwise(limb)]
        normals = np.cross(bones[0], bones[1])
        bends = np.percentile(np.linalg.norm(normals, axis=1), 95) > _BENT_SINE
        for joint, bone in zip(limb, bones, strict=False):
            into = np.swapaxes(self.turns[:, joint], 1, 2)
            own, along = ((into @ vectors[..., None])[..., 0] for vectors in (normals, bone))
            down = matrix_from_wxyz(wxyz_between(bone[self.best], -_UP)) @ self.turns[self.best, joint]
            turn = down if otherwise is None else otherwise @ down
            about, along = own.sum(axis=0), unit(along.mean(axis=0))
            if bends and np.linalg.norm(about) > _CONSISTENT_BENDS * np.linalg.norm(own, axis=1).sum():
                found = _frame(-_UP, axis) @ _frame(along, unit(about - about @ along * along)).T
                if np.trace(found @ down.T) > 1.0:  # else by over 90 degrees: it is recorded as bending backwards
                    turn = found
            below = joints_below(self.skeleton, joint)
            wanted[below] = turn @ self.turns[self.best, joint].T @ self.turns[self.best, below]

    def lay_flat(self, wanted: Array, foot: int) -> None:
        """Set a foot, and all below it, as it lies on the ground, but pointing straight ahead."""
        flat = self._lies(foot)
        below = joints_below(self.skeleton, foot)
        wanted[below] = [mean_rotation(self.turns[flat, joint]) for joint in below]
        ahead = self.ahead(foot, flat)
        if ahead is not None:
            wanted[below] = ahead @ wanted[below]

    def _lies(self, foot: int) -> NDArray[np.bool_]:
        """`[frame]` where a foot is at its lowest."""
        heights = self.places[:, foot, 1]
        return heights <= np.percentile(heights, _FLAT_PERCENTILE)

    def ahead(self, foot: int, frames: NDArray[np.bool_] | None = None) -> Array | None:
        """The rotation about the vertical by which a foot points ahead in `frames`, or the best one; None if unseen."""
        chosen = [self.best] if frames is None else np.flatnonzero(frames)
        first = joints_below(self.skeleton, foot)[1:2]
        ends = [self.places[chosen, joint] - self.places[chosen, foot] for joint in first]
        ends += [self.turns[chosen, foot] @ tip for tip in self.skeleton.definitions[foot].tips[:1]]
        level = ends[0].mean(axis=0) * (1.0, 0.0, 1.0) if ends else np.zeros(3)
        if not ends or level[2] < _LEAST_FOOT_REACH * np.linalg.norm(ends[0][0]):
            return None
        return matrix_from_wxyz(wxyz_between(unit(level), [0.0, 0.0, 1.0]))


def _frame(first: Array, second: Array) -> Array:
    """Columns: two unit vectors at right angles, and the one at right angles to both."""
    return np.stack([first, second, np.cross(first, second)], axis=1)


def turned(pose: Pose, wanted: Array) -> Pose:
    """The pose with joints turned in the world as `wanted [joint, 3, 3]`, those about single axes as they are."""
    skeleton, tables = pose.skeleton, pose.skeleton.tables
    q = np.array(pose.q)
    world: list[Array] = []
    before = pose.world_from_joint[:, :3, :3]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = world[parent] if parent >= 0 else np.eye(3)
        if skeleton.definitions[joint].has_quaternion:
            end = int(tables.first_coordinate[joint + 1])
            q[end - 4 : end] = wxyz_from_matrix((above @ tables.turn[joint]).T @ wanted[joint])
            world.append(wanted[joint])
        else:
            held = before[parent].T @ before[joint] if parent >= 0 else before[joint]
            world.append(above @ held)
    return Pose(skeleton, q)


def _placed(pose: Pose, joints: Joints) -> Pose:
    """The pose on the ground, its hips over the origin."""
    up = axis_of(pose.skeleton.up)
    origins = pose.origins
    middle = origins[[joints[role] for role in _LEGS[:2]]].mean(axis=0)
    to = np.eye(4)
    to[:3, 3] = -middle + (middle - origins.min(axis=0)) * up
    return moved(pose, to)
