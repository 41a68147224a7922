"""Binary messages, little-endian: dragged goals, poses, and whole clips.

    GOAL  u8 = 1, goal u8, flags u16, seq u32, position 3f, rotation wxyz 4f                                  36 bytes
    POSE  u8 = 2, status u8, joints u16, seq u32, root 3f, wxyz 4f × joints, goals 7f × g, residuals 2f × g
    CLIP  u8 = 3, flags u8, pad u16, fps f, frames u32, joints u32, frames × (root 3f, wxyz 4f × joints)

Rotations are those of the nodes in their parents. The high bit of a pose's status, and bit 0 of a clip's flags, mean
that the translations of all joints follow, 3f × joints (of a clip, frame by frame after all rotations). The bit below
it means that the pose's coordinates end the message, f × n, and then n u32. A goal is its position and rotation; a
residual is a distance and an angle.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from posable.studio.records import MessageError

GOAL, POSE, CLIP = 1, 2, 3
ROTATION_GIVEN, GESTURE_BEGINS, GESTURE_ENDS, ROTATION_FREE = 1, 2, 4, 8
WITH_TRANSLATIONS, WITH_COORDINATES = 0x80, 0x40

_FARTHEST = 1e9
_GOAL = struct.Struct("<BBHI7f")
_POSE = struct.Struct("<BBHI")
_COUNT = struct.Struct("<I")
_CLIP = struct.Struct("<BBHfII")


class GoalMessage(NamedTuple):
    """A dragged goal. goal: its index in the document. seq: returned with the pose that answers."""

    goal: int
    flags: int
    seq: int
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]


class PoseMessage(NamedTuple):
    """A pose. rotations `[joint, 4]`, goals `[goal, 7]`, residuals `[goal, 2]`, translations `[joint, 3]` or None.

    coordinates: `pose.q`, from which a page that solves goes on; or None.
    """

    status: int
    seq: int
    root: np.ndarray
    rotations: np.ndarray
    goals: np.ndarray
    residuals: np.ndarray
    translations: np.ndarray | None = None
    coordinates: np.ndarray | None = None


class ClipMessage(NamedTuple):
    """A clip. roots `[frame, 3]`, rotations `[frame, joint, 4]`, translations `[frame, joint, 3]` or None."""

    fps: float
    roots: np.ndarray
    rotations: np.ndarray
    translations: np.ndarray | None = None


def pack_goal(message: GoalMessage) -> bytes:
    """36 bytes."""
    return _GOAL.pack(GOAL, message.goal, message.flags, message.seq, *message.position, *message.rotation)


def unpack_goal(message: bytes) -> GoalMessage:
    """Raises MessageError for any other message, and for numbers that are not finite."""
    if len(message) != _GOAL.size or message[0] != GOAL:
        raise MessageError(f"a goal message has {_GOAL.size} bytes and starts with {GOAL}")
    _, goal, flags, seq, *numbers = _GOAL.unpack(message)
    if not all(abs(number) <= _FARTHEST for number in numbers):  # NaN fails the comparison
        raise MessageError("a dragged goal has numbers that are not finite")
    x, y, z, *rotation = numbers
    if flags & ROTATION_GIVEN and not any(rotation):
        raise MessageError("a dragged goal has a rotation of length 0; the neutral one is (1, 0, 0, 0)")
    w, i, j, k = rotation
    return GoalMessage(goal, flags, seq, (x, y, z), (w, i, j, k))


def pack_pose(message: PoseMessage) -> bytes:
    """One buffer, written once."""
    joints, moved, own = len(message.rotations), message.translations, message.coordinates
    parts = [message.root, message.rotations, message.goals, message.residuals]
    if moved is not None:
        parts.append(moved)
    if own is not None:
        parts.append(own)
    flags = WITH_TRANSLATIONS * (moved is not None) | WITH_COORDINATES * (own is not None)
    head = _POSE.pack(POSE, message.status | flags, joints, message.seq)
    end = b"" if own is None else _COUNT.pack(len(own))
    return head + np.concatenate([part.ravel() for part in parts]).astype("<f4").tobytes() + end


def unpack_pose(message: bytes) -> PoseMessage:
    """A pose from its bytes; for tests and for programs that observe a session. Raises MessageError."""
    if len(message) < _POSE.size or message[0] != POSE:
        raise MessageError(f"a pose message starts with {POSE}")
    _, status, joints, seq = _POSE.unpack_from(message)
    moved = bool(status & WITH_TRANSLATIONS)
    goes_on = bool(status & WITH_COORDINATES)
    count = _COUNT.unpack(message[-4:])[0] if goes_on else 0
    end = len(message) - 4 * goes_on
    goals, rest = divmod(end - _POSE.size - 12 - (28 if moved else 16) * joints - 4 * count, 36)
    if rest or goals < 0:
        raise MessageError("a pose message has a wrong length")
    numbers = np.frombuffer(message[:end], "<f4", offset=_POSE.size)
    ends = np.cumsum([3, 4 * joints, 7 * goals, 2 * goals, 3 * joints * moved])
    root, rotations, places, residuals, shifts, own = np.split(numbers, ends)
    return PoseMessage(
        status & ~(WITH_TRANSLATIONS | WITH_COORDINATES),
        seq,
        root,
        rotations.reshape(-1, 4),
        places.reshape(-1, 7),
        residuals.reshape(-1, 2),
        shifts.reshape(-1, 3) if moved else None,
        own if goes_on else None,
    )


def pack_clip(message: ClipMessage) -> bytes:
    """One buffer."""
    frames, joints = message.rotations.shape[:2]
    moved = message.translations
    head = _CLIP.pack(CLIP, int(moved is not None), 0, message.fps, frames, joints)
    rows = (
        np.concatenate([message.roots, message.rotations.reshape(frames, 4 * joints)], axis=1).astype("<f4").tobytes()
    )
    return head + rows + (b"" if moved is None else moved.astype("<f4").tobytes())


def unpack_clip(message: bytes) -> ClipMessage:
    """A clip from its bytes. Raises MessageError."""
    if len(message) < _CLIP.size or message[0] != CLIP:
        raise MessageError(f"a clip message starts with {CLIP}")
    _, flags, _, fps, frames, joints = _CLIP.unpack_from(message)
    numbers = np.frombuffer(message, "<f4", offset=_CLIP.size)
    own, moved = frames * (3 + 4 * joints), flags & 1
    if len(numbers) != own + moved * frames * joints * 3:
        raise MessageError("a clip message has a wrong length")
    rows = numbers[:own].reshape(frames, 3 + 4 * joints)
    shifts = numbers[own:].reshape(frames, joints, 3) if moved else None
    return ClipMessage(fps, rows[:, :3], rows[:, 3:].reshape(frames, joints, 4), shifts)
