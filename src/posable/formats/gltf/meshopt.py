"""Buffer views compressed by meshoptimizer: EXT_meshopt_compression and KHR_meshopt_compression.

Source: the extensions' specifications, appendices A (bitstreams) and B (filters). A kernel finds the bytes of each
difference; NumPy sums them up. Filters round as meshoptimizer does to within one unit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, lean_kernel
from posable.formats.gltf.container import Item

_BLOCK_BYTES, _BLOCK, _GROUP = 8192, 256, 16
_TAIL = (32, 24)
"""The fewest bytes at the end of a view of attributes, by version."""
_CODES = 16
"""Bytes at the end of a view of triangles."""


def unpacked(item: Item, source: memoryview) -> bytes:
    """The bytes of a buffer view. item: its extension. Raises FileError where they do not decode."""
    count, stride = item.at("count").whole(), item.at("byteStride").whole()
    mode, filter_name = item.at("mode").text(), item.text_at("filter", "NONE")
    if mode not in _MODES or filter_name not in ("NONE", *_FILTERS):
        wrong = mode if mode not in _MODES else filter_name
        raise item.problem(f"{wrong[:20]!r} is not a mode or filter of meshopt; export the file again")
    decode, strides = _MODES[mode]
    if stride not in strides or (mode == "TRIANGLES" and count % 3):
        raise item.problem(f"has {count:,} elements of {stride} bytes, which {mode} cannot hold; export the file again")
    found = decode(np.frombuffer(source, np.uint8), count, stride)
    if found is None:
        raise item.problem("its compressed bytes are damaged; export or copy the file again")
    if filter_name == "NONE":
        return found.tobytes()
    keep, strides = _FILTERS[filter_name]
    if mode != "ATTRIBUTES" or stride not in strides:
        raise item.problem(f"has elements of {stride} bytes, which {filter_name} cannot hold; export the file again")
    return keep(found).tobytes()


def _attributes(source: NDArray[np.uint8], count: int, stride: int) -> NDArray[np.uint8] | None:
    """`[element, byte]`, None if damaged."""
    version = int(source[0]) & 15 if len(source) else 15
    tail = stride + (stride // 4 if version else 0)
    if version > 1 or source[0] >> 4 != 10 or len(source) < 1 + max(tail, _TAIL[version]):
        return None
    deltas = np.zeros((count, stride), np.uint8)
    end = len(source) - max(tail, _TAIL[version])
    if attribute_bytes(source, end, version, deltas) != end:
        return None
    last = source[len(source) - tail :]
    channels = last[stride:] if version else np.zeros(stride // 4, np.uint8)
    return _summed(deltas, last[:stride], channels)


def _summed(deltas: NDArray[np.uint8], first: NDArray[np.uint8], channels: NDArray[np.uint8]) -> NDArray | None:
    """What the differences `[element, byte]` lead to, four bytes at a time: as bytes, as pairs, or by exclusive or."""
    result = np.empty_like(deltas)
    for k, channel in enumerate(channels.tolist()):
        own = np.ascontiguousarray(deltas[:, 4 * k : 4 * k + 4])
        start = np.ascontiguousarray(first[4 * k : 4 * k + 4])
        if channel & 3 == 3:
            return None
        if channel & 3 == 2:
            words, turn = own.view("<u4"), np.uint32(channel >> 4)
            words = (words >> turn) | (words << (np.uint32(32) - turn)) if turn else words
            found = np.bitwise_xor.accumulate(words, axis=0) ^ start.view("<u4")
        else:
            kind = "<u2" if channel & 3 else "u1"
            words = own.view(kind)
            steps = (words >> 1) ^ (np.zeros_like(words) - (words & 1))
            found = np.cumsum(steps, axis=0, dtype=kind) + start.view(kind)
        result[:, 4 * k : 4 * k + 4] = np.ascontiguousarray(found).view(np.uint8)
    return result


@inner_kernel
def group_bytes(source, start, end, bits, out, first, last, byte):
    """Sixteen bytes of `bits` each, the largest of which stands for a whole byte that follows → `out[first …, byte]`
    before row `last`; returns where they end, or -1.
    """
    place = start + 2 * bits
    if place > end:
        return -1
    for k in range(_GROUP if bits else 0):
        bit = k * bits
        shift = bit & 7 if bits == 1 else 8 - bits - (bit & 7)
        value = (source[start + (bit >> 3)] >> shift) & ((1 << bits) - 1)
        if bits < 8 and value == (1 << bits) - 1:
            if place >= end:
                return -1
            value = source[place]
            place += 1
        if first + k < last:
            out[first + k, byte] = value
    return place


@lean_kernel
def attribute_bytes(source, end, version, out):
    """The stored bytes of all differences → `out [element, byte]`, which is zeros; returns where they end, or -1."""
    count, stride = out.shape
    block = min((_BLOCK_BYTES // stride) & ~15, _BLOCK)
    place = 1
    for base in range(0, count, block):
        n = min(count - base, block)
        control = place
        place += 0 if version == 0 else stride >> 2
        if place > end:
            return -1
        for byte in range(stride):
            mode = 0 if version == 0 else (source[control + (byte >> 2)] >> ((byte & 3) << 1)) & 3
            if mode == 2:
                continue
            heads = place
            place += n if mode == 3 else (((n + 15) >> 4) + 3) >> 2
            if place > end:
                return -1
            if mode == 3:
                for k in range(n):
                    out[base + k, byte] = source[heads + k]
                continue
            for group in range((n + 15) >> 4):
                level = (source[heads + (group >> 2)] >> ((group & 3) << 1)) & 3
                level = (level + 1 if level > 0 else 0) if version == 0 else level + mode
                bits = (1 << level) >> 1  # 0, 1, 2, 4 or 8
                place = group_bytes(source, place, end, bits, out, base + _GROUP * group, base + n, byte)
                if place < 0:
                    return -1
    return place


def _triangles(source: NDArray[np.uint8], count: int, stride: int) -> NDArray | None:
    if len(source) < 1 + count // 3 + _CODES or source[0] != 0xE1:
        return None
    out, edges, vertices, state = (np.zeros(size, np.int64) for size in (count, 33, 17, 3))
    state[0] = 1 + count // 3
    return out.astype(f"<u{stride}") if triangle_corners(source, edges, vertices, state, out) else None


def _indices(source: NDArray[np.uint8], count: int, stride: int) -> NDArray | None:
    if len(source) < 1 + count or source[0] != 0xD1:
        return None
    out, state = np.zeros(count, np.int64), np.array([1, 0, 0])
    return out.astype(f"<u{stride}") if index_sequence(source, state, out) else None


@inner_kernel
def varint(source, state):
    """The number at `state[0]`, seven bits a byte; `state[0]` goes behind it, or to -1 where it does not end."""
    value = 0
    for k in range(5):
        place = state[0]
        if place < 0 or place >= source.shape[0]:
            break
        state[0] = place + 1
        value |= (int(source[place]) & 127) << (7 * k)
        if source[place] < 128:
            return value & 0xFFFFFFFF
    state[0] = -1
    return 0


@inner_kernel
def corner(source, state, vertices, code, apart):
    """A corner by its code: 0 is the next vertex, `apart` one at a distance from the last such one, else one of the
    last vertices. state: the offset in the source, the next vertex, the last one at a distance.
    """
    if code == 0:
        state[1] += 1
        return state[1] - 1
    if code != apart:
        return vertices[(vertices[16] - code) & 15]
    value = varint(source, state)
    state[2] = (state[2] + ((value >> 1) ^ -(value & 1))) & 0xFFFFFFFF
    return state[2]


@inner_kernel
def push(queue, value):
    """Put a value into a ring; its last entry is the offset."""
    size = queue.shape[0] - 1
    queue[queue[size]] = value
    queue[size] = (queue[size] + 1) & (size - 1)


@inner_kernel
def push_edges(edges, a, b, c, new):
    """Put the edges of a triangle into their ring; the first only where no edge led to it."""
    if new:
        push(edges, a)
        push(edges, b)
    push(edges, b)
    push(edges, c)
    push(edges, c)
    push(edges, a)


@lean_kernel
def triangle_corners(source, edges, vertices, state, out):
    """The corners of triangles → `out [3 × triangle]`; False where the bytes end too early.

    edges, vertices: rings `[33]`, `[17]` of the last ones, empty. state: see `corner`.
    """
    triangles = out.shape[0] // 3
    for t in range(triangles):
        high, low = int(source[1 + t]) >> 4, int(source[1 + t]) & 15
        if high < 15:
            a, b = edges[(edges[32] - 1 - 2 * high) & 31], edges[(edges[32] - 2 - 2 * high) & 31]
            if low == 13 or low == 14:
                state[2] = (state[2] + (1 if low == 14 else -1)) & 0xFFFFFFFF
                c = state[2]
            else:
                c = corner(source, state, vertices, low + 1 if 0 < low < 13 else low, 15)
            if low == 0 or low > 12:
                push(vertices, c)
        else:
            if low < 14:
                code, apart = int(source[source.shape[0] - 16 + low]), -1
            elif 0 <= state[0] < source.shape[0]:
                code, apart = int(source[state[0]]), 15
                state[0] += 1
            else:
                return False
            if low >= 14 and code == 0:
                state[1] = 0
            second, third = code >> 4, code & 15
            a = corner(source, state, vertices, 15 if low == 15 else 0, 15)
            b = corner(source, state, vertices, second, apart)
            c = corner(source, state, vertices, third, apart)
            push(vertices, a)
            if second == 0 or second == apart:
                push(vertices, b)
            if third == 0 or third == apart:
                push(vertices, c)
        push_edges(edges, a, b, c, high == 15)
        if state[0] < 0:
            return False
        out[3 * t], out[3 * t + 1], out[3 * t + 2] = a, b, c
    return True


@lean_kernel
def index_sequence(source, state, out):
    """Indices by their differences from the last of two → `out`; False where the bytes end too early.

    state: the offset in the source, and the last of both.
    """
    for k in range(out.shape[0]):
        value = varint(source, state)
        if state[0] < 0:
            return False
        which = 1 + (value & 1)
        value >>= 1
        state[which] = (state[which] + ((value >> 1) ^ -(value & 1))) & 0xFFFFFFFF
        out[k] = state[which]
    return True


_MODES: dict[str, tuple[Callable[[NDArray[np.uint8], int, int], NDArray | None], range | tuple[int, ...]]] = {
    "ATTRIBUTES": (_attributes, range(4, 257, 4)),
    "TRIANGLES": (_triangles, (2, 4)),
    "INDICES": (_indices, (2, 4)),
}


# Filters: what the elements `[element, byte]` of a view stand for.


def _octahedral(raw: NDArray[np.uint8]) -> NDArray:
    """Unit vectors from points of an octahedron; the fourth number stays."""
    signed = raw.view("<i1" if raw.shape[1] == 4 else "<i2")
    x, y, one, last = signed.astype(np.float32).T
    z = one - np.abs(x) - np.abs(y)
    inside = np.minimum(z, np.float32(0))
    x, y = (part + np.where(part >= 0, inside, -inside) for part in (x, y))
    length = np.sqrt(x * x + y * y + z * z)
    scale = np.float32(np.iinfo(signed.dtype).max) / np.where(length > 0, length, np.float32(1))
    return np.stack([_rounded(x * scale), _rounded(y * scale), _rounded(z * scale), last], axis=1).astype(signed.dtype)


def _quaternion(raw: NDArray[np.uint8]) -> NDArray:
    """Unit quaternions from three of their parts; the lowest bits of the fourth say which is the largest."""
    signed, one = raw.view("<i2"), np.float32(32767)
    largest = signed[:, 3] & 3
    parts = (
        signed[:, :3].astype(np.float32)
        * (one / np.sqrt(np.float32(2)) / (signed[:, 3] | 3).astype(np.float32))[:, None]
    )
    x, y, z = np.clip(parts, -one, one).T
    fourth = np.sqrt(np.maximum(one * one - x * x - y * y - z * z, np.float32(0)))
    result, rows = np.empty(signed.shape, np.float32), np.arange(len(signed))
    for k, part in enumerate((fourth, x, y, z)):
        result[rows, (largest + k) & 3] = _rounded(part)
    return result.astype("<i2")


def _exponential(raw: NDArray[np.uint8]) -> NDArray:
    """Single numbers from 24 bits, and 8 bits of an exponent."""
    words = raw.view("<i4")
    exponent, mantissa = words >> 24, (words << 8) >> 8
    with np.errstate(over="ignore"):
        return np.ldexp(mantissa.astype(np.float64), exponent).astype("<f4")


def _color(raw: NDArray[np.uint8]) -> NDArray:
    """Red, green and blue from luma and two differences; the highest bit of the fourth says in how many bits."""
    bits = 2 * raw.shape[1]
    plain, signed = (raw.view(f"<{kind}{bits // 8}").astype(np.int64) for kind in "ui")
    y, orange, green, alpha = plain[:, 0], signed[:, 1], signed[:, 2], plain[:, 3]
    most = (1 << np.frexp(np.maximum(alpha, 1).astype(float))[1].astype(np.int64)) - 1
    alpha = (alpha & (most >> 1)) << 1 | (alpha & 1)
    parts = np.stack([y + orange - green, y + green, y - orange - green, alpha], axis=1)
    scale = np.float32((1 << bits) - 1) / most.astype(np.float32)
    scaled = _rounded(parts.astype(np.float32) * scale[:, None])
    return np.clip(scaled, 0, (1 << bits) - 1).astype(f"<u{bits // 8}")


def _rounded(values: NDArray) -> NDArray:
    """The nearest whole numbers, halves away from 0."""
    return np.trunc(values + np.copysign(np.float32(0.5), values))


_FILTERS: dict[str, tuple[Callable[[NDArray[np.uint8]], NDArray], range | tuple[int, ...]]] = {
    "OCTAHEDRAL": (_octahedral, (4, 8)),
    "QUATERNION": (_quaternion, (8,)),
    "EXPONENTIAL": (_exponential, range(4, 257, 4)),
    "COLOR": (_color, (4, 8)),
}
