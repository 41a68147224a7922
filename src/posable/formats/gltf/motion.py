"""Poses and clips in glTF: translations and rotations of nodes, and animations of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.files import check_count, free_name
from posable.formats.gltf.animations import Animation, Channel, sampled
from posable.formats.gltf.builder import Builder
from posable.formats.gltf.container import Document
from posable.formats.gltf.nodes import Nodes
from posable.formats.gltf.skeleton import Bones
from posable.skeleton import Skeleton
from posable.skeleton.placements import coordinates_of, note_left_over, placements
from posable.spatial import Array, wxyz_inverse, wxyz_multiply

SAME = 1e-9
"""Motion below this (radians, or shares of the figure's reach) counts as rest."""


def moved(
    skeleton: Skeleton, position: Array, wxyz: Array, rest_position: Array, rest_wxyz: Array
) -> tuple[np.ndarray, np.ndarray]:
    """`[joint]` masks: joints that translate, and joints that rotate, from rest in some frame."""
    shift = np.linalg.norm(position - rest_position, axis=-1).max(axis=0)
    turn = np.abs(wxyz_multiply(wxyz_inverse(rest_wxyz), wxyz)[..., 1:]).max(axis=(0, 2))
    return shift > SAME * skeleton.reach, turn > SAME


class Target:
    """The nodes of the joints: their rest transforms and length scales.

    nodes: `[joint]` indices. position, wxyz: rest in posable's lengths. unfold: `[joint, 3, 3]` from those to the
    node's. parents: `[joint]` the joints of the nodes above, None where they are the skeleton's. flip: `[joint]` wxyz,
    see `Nodes`.
    """

    def __init__(
        self,
        nodes: list[int],
        position: Array,
        wxyz: Array,
        unfold: Array | None = None,
        parents: np.ndarray | None = None,
        flip: Array | None = None,
    ) -> None:
        self.nodes, self.parents = nodes, parents
        self.flip = np.tile(np.eye(4)[0], (len(nodes), 1)) if flip is None else flip
        self.position, self.wxyz = position, wxyz
        self.unfold = np.tile(np.eye(3), (len(nodes), 1, 1)) if unfold is None else unfold

    def translation(self, position: Array) -> Array:
        """Node translations `[..., joint, 3]` of joint positions."""
        return np.einsum("jab,...jb->...ja", self.unfold, position)

    def rotation(self, wxyz: Array) -> Array:
        """Node rotations xyzw `[..., joint, 4]` of joint rotations."""
        return np.roll(wxyz_multiply(wxyz, wxyz_inverse(self.flip)), -1, axis=-1)


def add_animation(builder: Builder, clip: Clip, target: Target, name: str) -> list[int]:
    """Append `clip` as an animation with linear keys for everything that moves; returns the moved nodes."""
    position, wxyz = placements(clip.poses, target.parents)
    shifts, turns = moved(clip.skeleton, position, wxyz, target.position, target.wxyz)
    if not (shifts | turns).any():
        turns = turns.copy()
        turns[0] = True  # an animation needs a channel
    times = builder.accessor((np.arange(len(clip)) / clip.fps).astype("<f4")[:, None], bounds=True)
    translation, xyzw = target.translation(position), target.rotation(continuous(wxyz))
    animation: dict[str, Any] = {"name": name, "channels": [], "samplers": [], "extras": {"posable": {"fps": clip.fps}}}
    for path, mask, values in (("translation", shifts, translation), ("rotation", turns, xyzw)):
        for j in np.flatnonzero(mask):
            sampler = {
                "input": times,
                "interpolation": "LINEAR",
                "output": builder.accessor(values[:, j].astype("<f4")),
            }
            animation["channels"].append(
                {"sampler": len(animation["samplers"]), "target": {"node": target.nodes[j], "path": path}}
            )
            animation["samplers"].append(sampler)
    builder.add("animations", animation)
    return [target.nodes[j] for j in np.flatnonzero(shifts | turns)]


def mark_played(builder: Builder, name: str) -> None:
    """State which animation is the motion of the file, in `extras.posable.played`: glTF states none itself."""
    for i, animation in enumerate(builder.raw.get("animations", ())):
        extras = animation.get("extras") or {}
        own = extras.get("posable", {}) if isinstance(extras, dict) else None
        played = (animation.get("name") or f"clip_{i}") == name
        if isinstance(own, dict) and played != (own.get("played") is True):
            said = {key: value for key, value in own.items() if key != "played"} | ({"played": True} if played else {})
            animation["extras"] = {**extras, "posable": said}


def continuous(wxyz: Array) -> Array:
    """The same rotations `[frame, joint, 4]` with continuous signs over time."""
    flips = np.where(np.sum(wxyz[1:] * wxyz[:-1], axis=-1) < 0, -1.0, 1.0)
    return wxyz * np.concatenate([np.ones((1, wxyz.shape[1])), np.cumprod(flips, axis=0)])[..., None]


def unique_name(builder: Builder, wanted: str) -> str:
    """`wanted`, with a number appended if an animation of the file has that name."""
    taken = {animation.get("name") for animation in builder.raw.get("animations", ())}
    return free_name(wanted, taken)


# Clips of a glTF file: animations sampled at one frame rate and converted to poses.


MAX_CLIP_NUMBERS = 20_000_000
_USUAL_FPS, _MAX_FPS, _LEAST_FPS = 30.0, 120.0, 20.0
_MOST_UNIFORM = 1000.0
_SAME_TIME = 1e-4


def build_clips(
    document: Document, nodes: Nodes, bones: Bones, animations: list[Animation], notes: list[str]
) -> list[Clip]:
    """Every animation as a clip. Raises FileTooLargeError if key times imply too many frames."""
    clips, numbers = [], 0
    for animation in animations:
        fps, count, even = frame_rate(animation)
        if not even:
            notes.append(f"clip {animation.name!r}: its keys are not evenly spaced; it is sampled at {fps:g} fps")
        numbers += count * len(bones.nodes) * 7
        check_count(document.path, numbers, MAX_CLIP_NUMBERS, "numbers in the frames of its animations")
        clips.append(_clip(nodes, bones, animation, fps, count, notes))
    return clips


def frame_rate(animation: Animation) -> tuple[float, int, bool]:
    """Frame rate, number of frames from 0 s to the last key, and whether every key falls on a frame.

    Unevenly spaced keys get 30 fps, more if they are closer, at most 120.
    """
    arrays = {id(channel.times): channel.times for channel in animation.channels}
    times = np.unique(np.concatenate([np.maximum(t, 0.0) for t in arrays.values()]))
    gaps = np.diff(np.concatenate([[0.0], times]))
    gaps = gaps[gaps > _SAME_TIME]
    if not len(gaps):
        return animation.fps or _USUAL_FPS, 1, True
    if animation.fps and _on_grid(times, animation.fps):
        return animation.fps, round(float(times[-1]) * animation.fps) + 1, True
    fps = _uniform(times, 1 / float(gaps[gaps < 1.1 * gaps.min()].mean()))
    even = fps is not None
    if fps is None:
        fps = min(max(_USUAL_FPS, 1 / float(gaps.min())), _MAX_FPS)
    elif fps < _LEAST_FPS:
        fps *= math.ceil(_USUAL_FPS / fps)
    return fps, math.ceil(float(times[-1]) * fps - 1e-3) + 1, even


def _on_grid(times: Array, fps: float) -> bool:
    """Whether every time is a whole number of frames, to single precision."""
    return 0 < fps < math.inf and bool(np.abs(times * fps - np.round(times * fps)).max() < 0.02)


def _uniform(times: Array, guess: float) -> float | None:
    """The frame rate near `guess` at which every time is a whole number of frames, None if no rate fits."""
    if not 0 < guess <= _MOST_UNIFORM:
        return None
    for _ in range(3):  # the gap of one pair of keys is imprecise; all keys together determine it
        frames = np.round(times * guess)
        guess = float(frames @ frames / max(float(frames @ times), 1e-300)) if frames.any() else guess
    for nice in (float(round(guess)), round(guess * 1.001) / 1.001, guess):  # 30, 29.97, …
        if abs(nice - guess) <= 1e-4 * guess and _on_grid(times, nice):
            return nice
    return None


def _clip(nodes: Nodes, bones: Bones, animation: Animation, fps: float, count: int, notes: list[str]) -> Clip:
    times = np.arange(count) / fps
    joints = list(bones.nodes)
    folds = np.array([nodes.parent_fold(n) for n in joints])
    position = np.tile(np.einsum("jab,jb->ja", folds, nodes.translation[joints]), (count, 1, 1))
    wxyz = np.tile(nodes.wxyz[joints], (count, 1, 1))
    for group in _alike([c for c in animation.channels if c.node in bones.joint_of and c.path != "scale"]):
        places = [bones.joint_of[c.node] for c in group]
        values = sampled(group, times)
        if group[0].path == "rotation":
            wxyz[:, places] = wxyz_multiply(values, nodes.flip[[joints[j] for j in places]])
        else:
            position[:, places] = np.einsum("jab,fjb->fja", folds[places], values)
    q = coordinates_of(bones.skeleton, position, wxyz)
    note_left_over(f"clip {animation.name!r}", bones.skeleton, q, (position, wxyz), notes)
    return Clip(bones.skeleton, q, fps, animation.name)


def _alike(channels: list[Channel]) -> list[list[Channel]]:
    """Channels that can be sampled together: same path, mode and key times."""
    groups: dict[tuple[object, ...], list[Channel]] = {}
    for channel in channels:
        groups.setdefault((channel.path, channel.mode, id(channel.times)), []).append(channel)
    return list(groups.values())
