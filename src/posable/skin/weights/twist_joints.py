"""Joints along forearms, upper arms, thighs and shins that share their twist, so that skin does not collapse there.

Where a hand rotates by 180° against the forearm, linear blending draws the wrist together to a point, as a candy's
wrapper. Joints between that rotate by a part of it spread the twist over the whole bone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from posable.errors import SkinError
from posable.skeleton import Axis, Follow, Joint, Skeleton
from posable.skin.mesh import strongest, whole
from posable.skin.skin import Skin
from posable.skin.weights.editing import weight_table
from posable.spatial import Array, normalized, rigid_inverse

_MOST = 8  # joints along a bone
_BONES = (("upper_arm", "lower_arm", True), ("lower_arm", "hand", False), ("upper_leg", "lower_leg", True),
          ("lower_leg", "foot", False))  # fmt: skip
"""(role of the bone, role of its end, whether it is the bone's own twist against what is above, or its end's)."""


@dataclass(frozen=True, eq=False)
class _Bone:
    """A bone along which twist is shared. along: `[3]` its direction in its own frame; own: see `_BONES`."""

    joint: int
    ball: int
    along: Array
    length: float
    own: bool


def with_twist_joints(skin: Skin, count: int = 3, influences: int = 4) -> Skin:
    """Add joints that share the twist of forearms, upper arms, thighs and shins, and divide the weights among them.

    Without twist the skin stays as it is. The joints have no coordinates: they follow what the hand, the foot, the
    upper arm or the thigh does, in every pose and clip, and exported clips have keys for them. Bones are left out whose
    end is another kind of joint than a ball, so that it has no twist to share, or that have twist joints already.

    Args:
        skin: The skin.
        count: Joints along each bone, 1 to 8; between neighbours the twist differs by 1 / count of the whole.
        influences: Maximum number of joints per vertex.

    Returns:
        The skin on a skeleton with more joints, after those it had; poses and clips of the old one fit it.

    Raises:
        SkinError: For another count, or where no bone can share a twist.

    Example:
        >>> mesh = posable.load_mesh(posable.sample("person.obj"))
        >>> skin = posable.bind(mesh, posable.fit_skeleton(mesh))
        >>> skin = posable.skin.weights.with_twist_joints(skin)
    """
    count = whole(count, f"twist joints along a bone are a number from 1 to {_MOST}", 1, _MOST)
    old = skin.skeleton
    bones = [] if skin.scales is not None else _bones(old)
    if not bones:
        raise SkinError(
            f"skin {skin.name!r}: no arm or leg has a twist to share that no twist joint shares yet; leave it out"
        )
    joints = [joint for bone in bones for joint in _joints(old, bone, count)]
    skeleton = Skeleton([*old.definitions, *joints], old.up)
    table = np.concatenate([weight_table(skin), np.zeros((len(skin.vertices), len(joints)))], axis=1)
    inverse_bind = list(skin.inverse_bind)
    for n, bone in enumerate(bones):
        first = len(old.joints) + n * count
        _divide(table, skin, bone, range(first, first + count))
        own = joints[n * count : (n + 1) * count]
        inverse_bind += [_shifted(skin.inverse_bind[bone.joint], joint.position) for joint in own]
    columns, weights = strongest(table, influences)
    names = ", ".join(old.joints[bone.joint] for bone in bones)
    return replace(
        skin,
        skeleton=skeleton,
        joints=columns.astype(np.int32),
        weights=weights,
        inverse_bind=np.array(inverse_bind),
        notes=(*skin.notes, f"{count} joints each along {names} share their twist"),
    )


def _bones(skeleton: Skeleton) -> list[_Bone]:
    roles, body = skeleton.parts.joints, skeleton.parts.body
    found: list[_Bone] = []
    for role, end_role, own in _BONES:
        for side in "lr":
            bone, end = (roles.get(f"{name}_{side}") for name in (role, end_role))
            if bone is None or end is None or skeleton.parents[end] != bone:
                continue
            shared = any(body.uses[child][0] == "twist" for child in skeleton.children(bone))
            ball, step = bone if own else end, np.array(skeleton.definitions[end].position)
            turns = skeleton.definitions[ball].has_quaternion and not skeleton.definitions[ball].floating
            if turns and not shared and np.linalg.norm(step) > 0:
                found.append(_Bone(bone, ball, normalized(step), float(np.linalg.norm(step)), own))
    return found


def _joints(skeleton: Skeleton, bone: _Bone, count: int) -> list[Joint]:
    """The joints along a bone: of its own twist they take back what the joint above does not do; of its end's they do
    a part.
    """
    taken, joints = set(skeleton.joints), []
    for k, part in enumerate(_stations(bone, count).tolist()):
        name = _named(skeleton.joints[bone.joint], k + 1, taken)
        taken.add(name)
        follow = Follow(skeleton.joints[bone.ball], gain=part - 1 if bone.own else part)
        x, y, z = (float(c) for c in part * bone.length * bone.along)
        axis = Axis((float(bone.along[0]), float(bone.along[1]), float(bone.along[2])), follow=follow)
        joints.append(Joint(name, "twist", skeleton.joints[bone.joint], (x, y, z), axes=(axis,)))
    return joints


def _stations(bone: _Bone, count: int) -> Array:
    """Where along the bone its joints stand, 0 … 1; the bone itself stands at the end with which it rotates."""
    return np.arange(count) / count if bone.own else np.arange(1, count + 1) / count


def _named(bone: str, number: int, taken: set[str]) -> str:
    """`forearm_l` → `forearm_twist_1_l`: sides stay where they are."""
    stem, side = bone, ""
    for mark in ("_l", "_r", ".l", ".r", "_left", "_right", ".left", ".right"):
        if bone.lower().endswith(mark):
            stem, side = bone[: -len(mark)], bone[-len(mark) :]
    name = f"{stem}_twist_{number}{side}"
    while name in taken:
        name += "_"
    return name


def _divide(table: Array, skin: Skin, bone: _Bone, joints: Sequence[int]) -> None:
    """Give each vertex's weight on the bone to the two stations between which it stands, in proportion."""
    places = skin.vertices @ skin.inverse_bind[bone.joint][:3, :3].T + skin.inverse_bind[bone.joint][:3, 3]
    along = np.clip(places @ bone.along / bone.length, 0, 1) * len(joints)
    own = table[:, bone.joint].copy()
    stations = [*joints, bone.joint] if bone.own else [bone.joint, *joints]
    table[:, bone.joint] = 0
    for k, joint in enumerate(stations):
        table[:, joint] += own * np.clip(1 - np.abs(along - k), 0, 1)


def _shifted(inverse_bind: Array, position: Sequence[float]) -> Array:
    """The inverse bind matrix of a joint at `position` in the frame of another, parallel to it."""
    step = np.eye(4)
    step[:3, 3] = position
    return rigid_inverse(step) @ inverse_bind
