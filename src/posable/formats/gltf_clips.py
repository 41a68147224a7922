"""Clips of a glTF file: animations sampled at one frame rate and turned into poses."""

from __future__ import annotations

import math

import numpy as np

from posable.clips import Clip
from posable.files import check_count
from posable.formats.gltf_animations import Animation, Channel, sampled
from posable.formats.gltf_container import Document
from posable.formats.gltf_nodes import Nodes
from posable.formats.gltf_skeleton import Bones
from posable.skeleton.placements import coordinates_of, note_left_over
from posable.spatial import Array

MAX_CLIP_NUMBERS = 20_000_000
_USUAL, _FASTEST, _SLOWEST = 30.0, 120.0, 20.0
_MOST_UNIFORM = 1000.0
_TWIN = 1e-4


def build_clips(
    document: Document, nodes: Nodes, bones: Bones, animations: list[Animation], notes: list[str]
) -> list[Clip]:
    """Every animation as a clip. Raises FileTooLargeError where key times claim more frames than posable takes."""
    clips, numbers = [], 0
    for animation in animations:
        fps, count, even = frame_rate(animation)
        if not even:
            notes.append(f"clip {animation.name!r}: its keys lie on no even grid; it is sampled {fps:g} times a second")
        numbers += count * len(bones.nodes) * 7
        check_count(document.path, numbers, MAX_CLIP_NUMBERS, "numbers in the frames of its animations")
        clips.append(_clip(nodes, bones, animation, fps, count, notes))
    return clips


def frame_rate(animation: Animation) -> tuple[float, int, bool]:
    """Frames a second, how many from 0 s to the last key, and whether every key falls on a frame.

    Keys that lie on no grid get 30 a second, more where they are closer, 120 at most.
    """
    arrays = {id(channel.times): channel.times for channel in animation.channels}
    times = np.unique(np.concatenate([np.maximum(t, 0.0) for t in arrays.values()]))
    gaps = np.diff(np.concatenate([[0.0], times]))
    gaps = gaps[gaps > _TWIN]
    if not len(gaps):
        return animation.fps or _USUAL, 1, True
    if animation.fps and _on_grid(times, animation.fps):
        return animation.fps, round(float(times[-1]) * animation.fps) + 1, True
    fps = _uniform(times, 1 / float(gaps[gaps < 1.1 * gaps.min()].mean()))
    even = fps is not None
    if fps is None:
        fps = min(max(_USUAL, 1 / float(gaps.min())), _FASTEST)
    elif fps < _SLOWEST:
        fps *= math.ceil(_USUAL / fps)
    return fps, math.ceil(float(times[-1]) * fps - 1e-3) + 1, even


def _on_grid(times: Array, fps: float) -> bool:
    """Whether every time is a whole number of frames, as nearly as single precision says."""
    return 0 < fps < math.inf and bool(np.abs(times * fps - np.round(times * fps)).max() < 0.02)


def _uniform(times: Array, guess: float) -> float | None:
    """The frame rate near `guess` at which every time is a whole number of frames, None if there is none."""
    if not 0 < guess <= _MOST_UNIFORM:
        return None
    for _ in range(3):  # the gap of one pair of keys is rough; all keys together say it exactly
        frames = np.round(times * guess)
        guess = float(frames @ frames / max(float(frames @ times), 1e-300)) if frames.any() else guess
    for nice in (float(round(guess)), round(guess * 1.001) / 1.001, guess):  # 30, 29.97, whatever it is
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
            wxyz[:, places] = values
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
