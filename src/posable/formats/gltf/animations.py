"""Animations of a glTF file: channels of keys, and their interpolated values.

Source: glTF 2.0 specification, section 3.11 and appendix C (interpolation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable.formats.gltf.accessors import read_accessor
from posable.formats.gltf.container import Document, Item
from posable.formats.gltf.nodes import posable_extras
from posable.spatial import Array, normalized, slerp

_SIZES = {"translation": 3, "rotation": 4, "scale": 3}
_MODES = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class Channel:
    """The keys of one node's translation, rotation (wxyz) or scale.

    times: `[key]` seconds, ascending. values: `[key, size]`. tangents: (in, out) `[key, size]` each, for CUBICSPLINE.
    """

    node: int
    path: str
    mode: str
    times: Array
    values: Array
    tangents: tuple[Array, Array] | None = None


@dataclass(frozen=True, eq=False)
class Animation:
    """A named set of channels. fps: the frame rate stored by posable, else None. played: see `Figure`."""

    name: str
    channels: tuple[Channel, ...]
    fps: float | None
    played: bool = False


def read_animations(document: Document, notes: list[str]) -> list[Animation]:
    """Every animation's channels that move nodes. Raises FileError for invalid keys."""
    times: dict[int, Array] = {}
    found = []
    for i, item in enumerate(document.root.entries("animations")):
        samplers = item.entries("samplers")
        channels = [_channel(document, c, samplers, times) for c in item.entries("channels")]
        own = posable_extras(item)
        fps = own.at("fps").number() if own is not None and own.find("fps") else None
        name = item.text_at("name") or f"clip_{i}"
        kept = tuple(c for c in channels if c is not None)
        if not kept:
            notes.append(f"animation {name!r} does not move any node and is left out")
            continue
        found.append(Animation(name, kept, fps, own is not None and own.flag_at("played")))
    return found


def _channel(document: Document, item: Item, samplers: list[Item], times: dict[int, Array]) -> Channel | None:
    target = item.at("target")
    path = target.at("path").text()
    if path not in _SIZES or target.find("node") is None:
        return None
    node = target.at("node").index(len(document.nodes), "nodes")
    sampler = samplers[item.at("sampler").index(len(samplers), "samplers in this animation")]
    mode = sampler.text_at("interpolation", "LINEAR")
    if mode not in _MODES:
        raise sampler.problem(f"interpolation is {mode[:20]!r}; it may be {', '.join(_MODES)}; export the file again")
    keys = _times(document, sampler.at("input"), times)
    values = read_accessor(document, sampler.at("output"), "VEC3" if _SIZES[path] == 3 else "VEC4")
    wanted = len(keys) * (3 if mode == "CUBICSPLINE" else 1)
    if len(values) != wanted:
        raise sampler.problem(
            f"has {len(values)} values for {len(keys)} keys, and needs {wanted}; export the file again"
        )
    if path == "rotation":
        values = np.roll(values, 1, axis=1)
    if mode == "CUBICSPLINE":
        triples = values.reshape(len(keys), 3, -1)
        return _checked(sampler, Channel(node, path, mode, keys, triples[:, 1], (triples[:, 0], triples[:, 2])))
    return _checked(sampler, Channel(node, path, mode, keys, values))


def _checked(sampler: Item, channel: Channel) -> Channel:
    if channel.path == "rotation" and not (np.abs(channel.values).max(axis=1) > 1e-9).all():
        raise sampler.problem("a rotation key has length 0; export the file again")
    return channel


def _times(document: Document, reference: Item, known: dict[int, Array]) -> Array:
    index = reference.index(len(document.accessors), "accessors")
    if index not in known:
        times = read_accessor(document, reference, "SCALAR")[:, 0].astype(float)
        if not len(times):
            raise reference.problem("has no keys; export the file again")
        if (np.diff(times) < 0).any():
            raise reference.problem("its key times do not ascend; export the file again")
        known[index] = times
    return known[index]


def sampled(channels: list[Channel], times: Array) -> Array:
    """Values `[time, channel, size]` of channels that share path, mode and key times; quaternions at length 1.

    Before the first key and after the last, the value is constant. A STEP key takes effect a thousandth of a frame
    early, so that rounding does not miss it.
    """
    keys = channels[0].times
    mode, turning = channels[0].mode, channels[0].path == "rotation"
    values = np.stack([c.values for c in channels], axis=1)
    early = 1e-3 * float(np.diff(times).min(initial=1e-2)) if mode == "STEP" else 0.0
    below = np.clip(np.searchsorted(keys, times + early, side="right") - 1, 0, len(keys) - 1)
    above = np.minimum(below + 1, len(keys) - 1)
    span = keys[above] - keys[below]
    share = np.clip((times - keys[below]) / np.where(span > 0, span, 1.0), 0.0, 1.0)[:, None, None]
    if mode == "STEP":
        result = values[below]
    elif mode == "CUBICSPLINE":
        result = _hermite(channels, below, above, share, span[:, None, None])
    elif turning:
        values = normalized(values)
        result = slerp(values[below], values[above], share[..., 0])
    else:
        result = (1 - share) * values[below] + share * values[above]
    return normalized(result) if turning else result


def _hermite(channels: list[Channel], below: np.ndarray, above: np.ndarray, s: Array, span: Array) -> Array:
    values = np.stack([c.values for c in channels], axis=1)
    arriving, leaving = (np.stack([c.tangents[k] for c in channels if c.tangents], axis=1) for k in (0, 1))
    start, end = values[below], values[above]
    return (
        (2 * s**3 - 3 * s**2 + 1) * start
        + span * (s**3 - 2 * s**2 + s) * leaving[below]
        + (3 * s**2 - 2 * s**3) * end
        + span * (s**3 - s**2) * arriving[above]
    )
