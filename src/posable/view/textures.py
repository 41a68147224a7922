"""Images on surfaces: what a face shows at a point, sampled as finely as it is seen, so that nothing shimmers.

Every image is kept with its halves (Williams, Pyramidal Parametrics, 1983); a pixel takes several samples along the
longer side of what it covers (Heckbert, Fundamentals of Texture Mapping, 1989).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.skin.look import LIGHT, Look, Material
from posable.view.raster import row_span

_TAPS = 8  # samples along the longer side of a pixel's patch at most
_WRAPS = ("repeat", "clamp", "mirror")
_ALPHAS = ("opaque", "mask", "blend")
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32)
_THRESHOLDS = ((_BAYER + 0.5) / 16).astype(np.float32)  # evenly over every 2 × 2 samples, too (Bayer 1973)
_SPOTS = np.array([(a, b, 8 - a - b) for a in range(9) for b in range(9 - a)]) / 8


class Looks(NamedTuple):
    """The materials of a mesh as kernels read them."""

    row: NDArray[np.int32]  # [face] of what follows; -1 where colours at the vertices say all
    corners: NDArray[np.float32]  # [row, 9] u, v and alpha of each corner
    material: NDArray[np.int32]  # [row]
    kinds: NDArray[np.int32]  # [material, 7] first level, levels, wrap of columns and rows, smooth, unlit, alpha
    factors: NDArray[np.float32]  # [material, 5] linear red, green, blue; alpha; cut-off
    levels: NDArray[np.int64]  # [level, 3] first texel, rows, columns
    texels: NDArray[np.uint8]  # [texel, 4] sRGB and alpha


class Cover(NamedTuple):
    """The look of a part's faces. of_face: `[face]` into the materials. corners: `[face, 9]` u, v and alpha of each."""

    materials: tuple[Material, ...]
    of_face: NDArray[np.int32]
    corners: NDArray[np.float32]

    @classmethod
    def of(cls, look: Look, faces: NDArray[np.int32]) -> Cover:
        """Of a skin's look and its faces; what repeats is shifted by whole images, so that numbers stay small."""
        small = look.uvs - 2 * np.floor(look.uvs.min(axis=1, keepdims=True) / 2)  # pairs: a mirrored one stays itself
        clamped = np.array(["clamp" in material.wrap for material in look.materials])[look.of_face]
        uvs = np.where(clamped[:, None, None], look.uvs, small)
        corners = np.concatenate([uvs, look.tints[faces][..., 3:]], axis=2)
        return cls(look.materials, look.of_face, corners.reshape(-1, 9).astype(np.float32))


def packed(
    row: NDArray[np.int32], corners: NDArray[np.float32], material: NDArray[np.int32], materials: Sequence[Material]
) -> Looks:
    """The images and numbers of all `materials` in a few arrays."""
    kinds, factors, sizes, texels = [], [], [], [np.zeros((0, 4), np.uint8)]
    first, known = 0, dict[int, tuple[int, int]]()
    for one in materials:
        key = id(one.image)
        if key not in known:
            known[key] = (len(sizes), len(one.levels))
            for level in one.levels:
                sizes.append((first, *level.shape[:2]))
                texels.append(level.reshape(-1, 4))
                first += level.shape[0] * level.shape[1]
        wraps = [_WRAPS.index(own) for own in one.wrap]
        kinds.append((*known[key], *wraps, one.smooth, one.unlit, _ALPHAS.index(one.alpha)))
        factors.append((*one.factor, one.cutoff))
    return Looks(
        row, corners, material,
        np.array(kinds, np.int32).reshape(-1, 7), np.array(factors, np.float32).reshape(-1, 5),
        np.array(sizes, np.int64).reshape(-1, 3), np.concatenate(texels),
    )  # fmt: skip


@inner_kernel
def _place(at, size, wrap):
    """The texel of a whole coordinate, inside the image."""
    if wrap == 0:
        at = at % size
    elif wrap == 2:
        at = at % (2 * size)
        at = at if at < size else 2 * size - 1 - at
    return min(max(at, 0), size - 1)


@shared_kernel
def _bilinear(looks, level, u, v, kind, smooth):
    """Linear red, green, blue and alpha of one level of an image at (u, v)."""
    first, rows, columns = looks.levels[level, 0], looks.levels[level, 1], looks.levels[level, 2]
    half = np.float32(0.5) if smooth else np.float32(0.0)
    x, y = u * np.float32(columns) - half, v * np.float32(rows) - half
    left, top = math.floor(x), math.floor(y)
    fx, fy = (np.float32(x - left), np.float32(y - top)) if smooth else (np.float32(0.0), np.float32(0.0))
    red = green = blue = alpha = np.float32(0.0)
    for n in range(4 if smooth else 1):
        across, down = n & 1, n >> 1
        share = (fx if across else np.float32(1.0) - fx) * (fy if down else np.float32(1.0) - fy)
        row = _place(int(top) + down, rows, kind[3])
        texel = looks.texels[first + row * columns + _place(int(left) + across, columns, kind[2])]
        red += share * LIGHT[texel[0]]
        green += share * LIGHT[texel[1]]
        blue += share * LIGHT[texel[2]]
        alpha += share * np.float32(texel[3])
    return red, green, blue, alpha * np.float32(1.0 / 255.0)


@inner_kernel
def _between(looks, edges, t, row, x, y):
    """u, v and alpha of triangle `t`'s plane at sample (x, y), also beyond its edges."""
    a = edges[t, 0] * x + edges[t, 1] * y + edges[t, 2]
    b = edges[t, 3] * x + edges[t, 4] * y + edges[t, 5]
    c = edges[t, 6] * x + edges[t, 7] * y + edges[t, 8]
    depth = 1.0 / (max(a, 0.0) + max(b, 0.0) + max(c, 0.0) + 1e-12)
    a, b, c = max(a, 0.0) * depth, max(b, 0.0) * depth, max(c, 0.0) * depth
    own = looks.corners[row]
    return (
        a * own[0] + b * own[3] + c * own[6],
        a * own[1] + b * own[4] + c * own[7],
        a * own[2] + b * own[5] + c * own[8],
    )


@inner_kernel
def _slopes(looks, edges, t, row, x, y, u, v):
    """How far u and v go per sample to the right and down, in texels of the finest level."""
    a = edges[t, 0] * x + edges[t, 1] * y + edges[t, 2]
    b = edges[t, 3] * x + edges[t, 4] * y + edges[t, 5]
    c = edges[t, 6] * x + edges[t, 7] * y + edges[t, 8]
    depth = 1.0 / max(a + b + c, 1e-12)
    level = looks.kinds[looks.material[row], 0]
    rows, columns, own = float(looks.levels[level, 1]), float(looks.levels[level, 2]), looks.corners[row]
    right = edges[t, 0] * (own[0] - u) + edges[t, 3] * (own[3] - u) + edges[t, 6] * (own[6] - u)
    rise = edges[t, 0] * (own[1] - v) + edges[t, 3] * (own[4] - v) + edges[t, 6] * (own[7] - v)
    below = edges[t, 1] * (own[0] - u) + edges[t, 4] * (own[3] - u) + edges[t, 7] * (own[6] - u)
    fall = edges[t, 1] * (own[1] - v) + edges[t, 4] * (own[4] - v) + edges[t, 7] * (own[7] - v)
    return right * depth * columns, rise * depth * rows, below * depth * columns, fall * depth * rows


@shared_kernel
def seen(looks, edges, t, x, y, width):
    """Linear red, green, blue and alpha of face `t` over `width` samples about (x, y): its image times its factor."""
    row = looks.row[t]
    m = looks.material[row]
    kind, factor = looks.kinds[m], looks.factors[m]
    u, v, opacity = _between(looks, edges, t, row, x, y)
    if kind[1] == 1:
        texel = looks.texels[looks.levels[kind[0], 0]]
        red, green, blue, alpha = LIGHT[texel[0]], LIGHT[texel[1]], LIGHT[texel[2]], np.float32(texel[3] / 255.0)
    else:
        red, green, blue, alpha = _patch(looks, edges, t, row, x, y, u, v, width)
    alpha *= factor[3] * np.float32(opacity)
    return red * factor[0], green * factor[1], blue * factor[2], alpha


@shared_kernel
def _patch(looks, edges, t, row, x, y, u, v, width):
    """The mean of an image over the patch that a pixel covers."""
    kind = looks.kinds[looks.material[row]]
    ux, vx, uy, vy = _slopes(looks, edges, t, row, x, y, u, v)
    along, across = width * math.hypot(ux, vx), width * math.hypot(uy, vy)
    if across > along:
        along, across, ux, vx = across, along, uy, vy
    taps = int(min(max(math.ceil(along / max(across, 1.0)), 1.0), _TAPS))
    fine = math.log2(max(along / taps, across, 1.0))
    fine = min(fine, float(kind[1] - 1))
    level, share = int(fine), np.float32(fine - int(fine))
    smooth = kind[4] != 0 or along > 1.0
    red = green = blue = alpha = np.float32(0.0)
    first = kind[0]
    size_u, size_v = float(looks.levels[first, 2]), float(looks.levels[first, 1])
    for k in range(taps):
        off = width * ((k + 0.5) / taps - 0.5)
        pu, pv = np.float32(u + off * ux / size_u), np.float32(v + off * vx / size_v)
        near = _bilinear(looks, first + level, pu, pv, kind, smooth)
        if share > 0.0:
            far = _bilinear(looks, first + level + 1, pu, pv, kind, smooth)
            rest = np.float32(1.0) - share
            near = (
                rest * near[0] + share * far[0], rest * near[1] + share * far[1],
                rest * near[2] + share * far[2], rest * near[3] + share * far[3],
            )  # fmt: skip
        red, green, blue, alpha = red + near[0], green + near[1], blue + near[2], alpha + near[3]
    part = np.float32(1.0 / taps)
    return red * part, green * part, blue * part, alpha * part


@kernel
def mostly_there(looks, faces):
    """`[k]`: whether the mean of what a face shows, at `_SPOTS` of it, is there rather than not."""
    there = np.empty(faces.shape[0], np.bool_)
    for k in range(faces.shape[0]):
        row = looks.row[faces[k]]
        m, own, total = looks.material[row], looks.corners[row], 0.0
        finest = looks.kinds[m, 0]
        rows, columns = looks.levels[finest, 1], looks.levels[finest, 2]
        for n in range(_SPOTS.shape[0]):
            a, b, c = _SPOTS[n, 0], _SPOTS[n, 1], _SPOTS[n, 2]
            x = math.floor((a * own[0] + b * own[3] + c * own[6]) * columns)
            y = math.floor((a * own[1] + b * own[4] + c * own[7]) * rows)
            place = _place(y, rows, looks.kinds[m, 3]) * columns + _place(x, columns, looks.kinds[m, 2])
            alpha = looks.texels[looks.levels[finest, 0] + place, 3] / 255.0
            alpha *= looks.factors[m, 3] * (a * own[2] + b * own[5] + c * own[8])
            if looks.kinds[m, 6] == 1:
                alpha = 1.0 if alpha >= looks.factors[m, 4] else 0.0
            total += alpha
        there[k] = 2.0 * total >= _SPOTS.shape[0]
    return there


@shared_kernel
def fill_sheer(triangles, faces, looks, first_row, limit, depth, ids):
    """As `fill`, for faces whose material lets through: each sample of them is there or not, by its alpha. `triangles`
    are all of the mesh; `faces [k]` those that are drawn here.
    """
    rows = depth.shape[0]
    for k in range(faces.shape[0]):
        t = faces[k]
        box, spans = triangles.boxes[t], triangles.spans[t]
        if box[1] < box[0]:
            continue
        m = looks.material[looks.row[t]]
        cut = looks.kinds[m, 6] == 1
        for y in range(max(box[2], first_row), min(box[3], first_row + rows - 1) + 1):
            low, high = row_span(box, spans, y)
            for x in range(math.ceil(low), math.floor(high) + 1):
                value = np.float32(
                    triangles.nearness[t, 0] * x + triangles.nearness[t, 1] * y + triangles.nearness[t, 2]
                )
                if not (value > depth[y - first_row, x] and value <= limit):
                    continue
                wanted = looks.factors[m, 4] if cut else _THRESHOLDS[y & 3, x & 3]
                if seen(looks, triangles.edges, t, float(x), float(y), 1.0)[3] >= wanted:
                    depth[y - first_row, x] = value
                    ids[y - first_row, x] = t
