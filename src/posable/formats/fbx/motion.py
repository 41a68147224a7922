"""What the nodes of an FBX scene do in its animations: rigid frames at one frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posable.errors import FileError
from posable.files import check_count
from posable.formats.defaults import LARGEST_NUMBER
from posable.formats.fbx.animation import Stack, frame_rate, values_at
from posable.formats.fbx.nodes import Nodes
from posable.formats.fbx.objects import Scene, shown
from posable.formats.fbx.transforms import DEFAULTS, Local, worlds
from posable.formats.fbx.tree import PARSED
from posable.progress import tell_progress
from posable.spatial import IDENTITY_WXYZ, Array, matrix_from_wxyz, wxyz_from_matrix, wxyz_multiply

MAX_PLACES = 10_000_000
"""Frames × joints of all clips."""
FEW_PLACES = 500_000
"""That any file may have; a range of time is only a claim, so more of them need keys, and bytes of the file."""
_KEY_BYTES = 4
"""Of the file, for each one beyond those."""
_POSITIONS_AT_ONCE = 200_000
_EVEN = 5e-7


class Motion(NamedTuple):
    """What nodes do in one animation: rigid frames in the nodes above, position `[frame, node, 3]` in metres, wxyz
    `[frame, node, 4]`; resized: whether a scale changes.
    """

    stack: Stack
    fps: float
    position: Array
    wxyz: Array
    resized: bool


def animated(nodes: Nodes, stack: Stack) -> set[int]:
    """The nodes whose local transform has curves or another value than at rest, or is taken from another object."""
    tied = {link.target for link in nodes.scene.links if link.taken and link.prop in DEFAULTS}
    found = {nodes.place[key] for key in tied if key in nodes.place}
    for layer in stack.layers:
        for (key, name), own in layer.channels.items():
            node = nodes.place.get(key)
            if node is not None and name in DEFAULTS:
                usual = nodes.rest[node].get(name, DEFAULTS[name])
                if any(own.curves) or (own.usual != usual).any():
                    found.add(node)
    return found


def sample(nodes: Nodes, stacks: Sequence[Stack], chosen: list[int], notes: list[str]) -> list[Motion]:
    """What the chosen nodes do in each animation that has curves for nodes. Raises FileTooLargeError for too many
    frames.
    """
    motions, places, path = [], 0, nodes.scene.tree.path
    for k, stack in enumerate(stacks):
        if not animated(nodes, stack):
            continue
        fps, times, keys = _frames(nodes.scene, stack, notes)
        allowed = min(MAX_PLACES, FEW_PLACES + min(4 * keys, nodes.scene.tree.size // _KEY_BYTES))
        most = (allowed - places) // len(chosen)
        if times > most > 1:
            fps, times = fps * (most - 1) / times, most
            notes.append(f"animation {shown(stack.name)!r} claims a very long time; it is sampled at {fps:g} fps")
        check_count(path, int(times), most, "frames")
        places += int(times) * len(chosen)
        ticks = _span_of(stack)[0] + np.round(np.arange(int(times)) * (nodes.scene.ticks / fps))
        share = (1 - PARSED) / (len(stacks) + 1)
        shares = PARSED + share * k, PARSED + share * (k + 1)
        motions.append(_sampled(nodes, stack, chosen, fps, np.asarray(ticks, float), shares))
    return motions


def _span_of(stack: Stack) -> tuple[float, float]:
    if stack.span is not None:
        return stack.span
    curves = [one for one in stack.curves() if len(one.times)]
    return min((one.times[0] for one in curves), default=0.0), max((one.times[-1] for one in curves), default=0.0)


_FASTEST = 1000.0
_NEAR = 0.02
"""Of a frame: a key or an end so near one lies on it."""


def _frames(scene: Scene, stack: Stack, notes: list[str]) -> tuple[float, float, int]:
    """(frame rate, number of frames, number of keys); the rate is the file's, or a multiple on which all keys lie."""
    start, end = _span_of(stack)
    fps, keys, seen = frame_rate(scene), 0, list[Array]()
    for curve in stack.curves():
        keys += len(curve.times)
        if not any(one is curve.times or np.array_equal(one, curve.times) for one in seen[-4:]):
            seen.append(curve.times)
    times = np.concatenate([one[:100_000] for one in seen]) if seen else np.zeros(1)
    times = (times[(times >= start) & (times <= end)] - start) / scene.ticks
    if stack.fps and on_grid(times, stack.fps):
        fps = stack.fps
    elif len(times) > 1 and not on_grid(times, fps):
        gap = float(np.diff(np.unique(times)).min(initial=np.inf))
        more = round(1 / (fps * max(gap, 1 / _FASTEST)))
        if more > 1 and on_grid(times, more * fps):
            fps *= more
        else:
            said = shown(stack.name)
            notes.append(f"animation {said!r}: some keys lie between its frames; it is sampled at {fps:g} fps")
    return fps, np.floor((end - start) / scene.ticks * fps + _NEAR) + 1, keys


def on_grid(times: Array, fps: float) -> bool:
    """Whether every time in seconds is a whole number of frames."""
    return bool(np.abs(times * fps - np.round(times * fps)).max(initial=0.0) < _NEAR)


def _sampled(
    nodes: Nodes, stack: Stack, chosen: list[int], fps: float, ticks: Array, shares: tuple[float, float]
) -> Motion:
    position, wxyz = (np.empty((len(chosen), k, len(ticks))).transpose(2, 0, 1) for k in (3, 4))  # by node: 3 × as fast
    resized = False
    at_once = max(_POSITIONS_AT_ONCE // len(chosen), 100)
    for begin in range(0, len(ticks), at_once):
        span = slice(begin, begin + at_once)
        tell_progress(nodes.scene.tree.path, float(np.interp(begin / len(ticks), (0, 1), shares)))
        locals_ = list(nodes.still)
        for n in chosen:
            values = values_at(nodes.scene, stack, nodes.items[n], nodes.rest[n], ticks[span])
            locals_[n] = nodes.local(n, {name: _still(name, own) for name, own in values.items()})
        resized |= any(one.scale.ndim > 1 for one in locals_)
        fill = _fill_plain if _is_plain(nodes, chosen, locals_) else _fill
        fill(nodes, chosen, locals_, position[span], wxyz[span])
    if not (np.abs(position) < LARGEST_NUMBER).all():
        raise FileError(
            nodes.scene.tree.path, f"animation {shown(stack.name)!r} moves nodes to positions that are not finite"
        )
    return Motion(stack, fps, position, wxyz, resized)


def _still(name: str, values: Array) -> Array:
    """`[3]` of values `[frame, 3]` that never change; of scales, that change no more than single precision rounds."""
    if values.ndim < 2 or not len(values):
        return values
    slack = _EVEN * np.abs(values[0]) if name == "Lcl Scaling" else 0.0
    if (np.abs(values[[len(values) // 2, -1]] - values[0]) > slack).any():  # most that moves is known by two frames
        return values
    return values[0] if (np.abs(values - values[0]) <= slack).all() else values


def _is_plain(nodes: Nodes, chosen: list[int], locals_: Sequence[Local]) -> bool:
    """Whether all scales are constant and uniform, so that they commute with rotations."""
    if nodes.space.mirror[0, 0] < 0:
        return False
    scales = [locals_[n].scale for n in chosen]
    return all(s.ndim == 1 and np.ptp(s) <= _EVEN * abs(s[0]) and s[0] > 0 for s in scales)


def _fill_plain(nodes: Nodes, chosen: list[int], locals_: Sequence[Local], position: Array, wxyz: Array) -> None:
    """Frames in the nodes above where the scales above are numbers."""
    turn, _, meters, _ = nodes.space
    scaled = any((one.scale != 1).any() for one in locals_)
    ahead = worlds(nodes.tree, [Local(np.ones(3), IDENTITY_WXYZ, one.scale) for one in locals_]) if scaled else []
    for column, n in enumerate(chosen):
        parent = nodes.tree.parents[n]
        if parent < 0:
            position[:, column] = meters * locals_[n].translation @ turn.T
            wxyz[:, column] = wxyz_multiply(wxyz_from_matrix(turn), locals_[n].wxyz)
        else:  # a node shifted by (1, 1, 1) moves by the scales above it
            factor = (ahead[n].place - ahead[parent].place)[0] if scaled else 1.0
            position[:, column] = meters * factor * locals_[n].translation
            wxyz[:, column] = locals_[n].wxyz


def _fill(nodes: Nodes, chosen: list[int], locals_: Sequence[Local], position: Array, wxyz: Array) -> None:
    """Frames in the nodes above, through the world."""
    turn, mirror, meters, _ = nodes.space
    found = worlds(nodes.tree, locals_)
    for column, n in enumerate(chosen):
        parent = nodes.tree.parents[n]
        own = found[n]
        if parent < 0:
            position[:, column] = meters * own.place @ turn.T
            wxyz[:, column] = wxyz_from_matrix(turn @ own.rotation @ mirror)
        else:
            above = found[parent]
            shift = np.swapaxes(above.rotation, -1, -2) @ (own.place - above.place)[..., None]
            position[:, column] = meters * (mirror @ shift)[..., 0]
            local = matrix_from_wxyz(locals_[n].wxyz)
            wxyz[:, column] = wxyz_from_matrix(mirror @ local @ mirror)
