"""The kernel that turns a filled depth buffer into pixels: per pixel light, anti-aliased by samples, in linear light."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial.compile import kernel
from posable.view.raster import fill

Floats = NDArray[np.float32]
_TAPS = 12
_SHOULDER = 0.72  # linear brightness from which highlights are rolled off


class Surface(NamedTuple):
    """The mesh on the stage."""

    vertices: Floats  # [vertex, 3]
    normals: Floats  # [vertex, 3]
    colors: Floats  # [vertex, 3] linear
    sky: Floats  # [vertex, 3] light from all around
    faces: NDArray[np.int32]


class Lens(NamedTuple):
    """The camera on the stage. The ray of sample (x, y) is corner + x across + y down, of depth 1."""

    eye: Floats
    corner: Floats
    across: Floats
    down: Floats


class Lamps(NamedTuple):
    """Far lamps: key (with shadows), fill and rim."""

    towards: Floats  # [lamp, 3]
    colors: Floats  # [lamp, 3] linear
    map_from_stage: Floats  # of the key's shadow map
    nearness: Floats
    ground_shadow: Floats  # half the size of `nearness`
    ground_darkness: Floats  # [row, column]
    ground_place: Floats  # [4] first x, first y, columns and rows per length


@kernel
def _lookup(image, column, row):
    """Bilinear; 0 outside."""
    x, y = int(math.floor(column)), int(math.floor(row))
    if x < 0 or y < 0 or x >= image.shape[1] - 1 or y >= image.shape[0] - 1:
        return np.float32(0.0)
    fx, fy = np.float32(column - x), np.float32(row - y)
    upper = image[y, x] + fx * (image[y, x + 1] - image[y, x])
    lower = image[y + 1, x] + fx * (image[y + 1, x + 1] - image[y + 1, x])
    return upper + fy * (lower - upper)


@kernel
def _lit(nearness, column, row, near):
    """The part of the key lamp seen from a place of its map: the mean over a small disc of taps, each between four texels."""
    total = np.float32(0.0)
    limit = nearness.shape[0] - 1
    for k in range(_TAPS):
        reach = np.float32(2.4) * math.sqrt(np.float32(k + 0.5) / np.float32(_TAPS))
        angle = np.float32(2.3999632) * np.float32(k)
        cx, cy = column + reach * math.cos(angle), row + reach * math.sin(angle)
        x, y = int(math.floor(cx)), int(math.floor(cy))
        if x < 0 or y < 0 or x >= limit or y >= limit:
            total += np.float32(1.0)
            continue
        fx, fy = np.float32(cx - x), np.float32(cy - y)
        a = np.float32(nearness[y, x] <= near)
        b = np.float32(nearness[y, x + 1] <= near)
        c = np.float32(nearness[y + 1, x] <= near)
        d = np.float32(nearness[y + 1, x + 1] <= near)
        upper, lower = a + fx * (b - a), c + fx * (d - c)
        total += upper + fy * (lower - upper)
    return total / np.float32(_TAPS)


@kernel
def _unit(x, y, z):
    length = math.sqrt(x * x + y * y + z * z) + np.float32(1e-12)
    return x / length, y / length, z / length


@kernel
def _roll_off(x):
    """Brightness above the shoulder bends towards 1 and never reaches it."""
    shoulder, rest = np.float32(_SHOULDER), np.float32(1.0 - _SHOULDER)
    return x if x < shoulder else np.float32(1.0) - rest * math.exp((shoulder - x) / rest)


@kernel
def _fragment(t, x, y, triangles, surface, lens, lamps):
    """Linear color of triangle `t` at sample (x, y)."""
    e = triangles.edges[t]
    wa, wb, wc = max(e[0] * x + e[1] * y + e[2], 0.0), max(e[3] * x + e[4] * y + e[5], 0.0), max(e[6] * x + e[7] * y + e[8], 0.0)
    depth = 1.0 / max(wa + wb + wc, 1e-12)
    a, b, c = np.float32(wa * depth), np.float32(wb * depth), np.float32(wc * depth)
    i, j, k = surface.faces[t, 0], surface.faces[t, 1], surface.faces[t, 2]
    side = np.float32(1.0) if triangles.front[t] else np.float32(-1.0)
    m, p, s, q = surface.normals, surface.vertices, surface.sky, surface.colors
    nx, ny, nz = _unit(
        side * (a * m[i, 0] + b * m[j, 0] + c * m[k, 0]),
        side * (a * m[i, 1] + b * m[j, 1] + c * m[k, 1]),
        side * (a * m[i, 2] + b * m[j, 2] + c * m[k, 2]),
    )
    px, py, pz = (
        a * p[i, 0] + b * p[j, 0] + c * p[k, 0],
        a * p[i, 1] + b * p[j, 1] + c * p[k, 1],
        a * p[i, 2] + b * p[j, 2] + c * p[k, 2],
    )
    vx, vy, vz = _unit(lens.eye[0] - px, lens.eye[1] - py, lens.eye[2] - pz)
    facing = max(nx * vx + ny * vy + nz * vz, np.float32(0.0))
    lx, ly, lz = lamps.towards[0]
    cosine = nx * lx + ny * ly + nz * lz
    key = np.float32(0.0)
    if cosine > 0.0:
        g = lamps.map_from_stage
        texel = np.float32(1.0) / math.sqrt(g[0, 0] ** 2 + g[0, 1] ** 2 + g[0, 2] ** 2)
        off = texel * (np.float32(1.0) + np.float32(2.0) * (np.float32(1.0) - cosine))
        ox, oy, oz = px + off * nx, py + off * ny, pz + off * nz
        key = _lit(
            lamps.nearness,
            g[0, 0] * ox + g[0, 1] * oy + g[0, 2] * oz + g[0, 3],
            g[1, 0] * ox + g[1, 1] * oy + g[1, 2] * oz + g[1, 3],
            g[2, 0] * ox + g[2, 1] * oy + g[2, 2] * oz + g[2, 3] + np.float32(1.5) * texel,
        )
    hx, hy, hz = _unit(lx + vx, ly + vy, lz + vz)
    glint = max(nx * hx + ny * hy + nz * hz, np.float32(0.0)) ** 48 * np.float32(0.32) * key
    fillx, filly, fillz = lamps.towards[1]
    soft = max(np.float32(0.5) + np.float32(0.5) * (nx * fillx + ny * filly + nz * fillz), np.float32(0.0)) ** 2
    rimx, rimy, rimz = lamps.towards[2]
    edge = (np.float32(1.0) - facing) ** 3 * max(nx * rimx + ny * rimy + nz * rimz + np.float32(0.25), np.float32(0.0))
    key *= max(cosine, np.float32(0.0))
    color = (np.float32(0.0), np.float32(0.0), np.float32(0.0))
    for n in range(3):
        own = a * q[i, n] + b * q[j, n] + c * q[k, n]
        around = a * s[i, n] + b * s[j, n] + c * s[k, n]
        light = own * (around * (np.float32(1.0) + soft * lamps.colors[1, n]) + key * lamps.colors[0, n])
        light += glint * lamps.colors[0, n] + edge * lamps.colors[2, n] * around
        color = (color[1], color[2], _roll_off(light))
    return color


@kernel
def _ground_light(x, y, lens, lamps, fade):
    """How bright the ground is behind sample (x, y), 1 in full light: (for red, green, blue)."""
    dx = lens.corner[0] + x * lens.across[0] + y * lens.down[0]
    dy = lens.corner[1] + x * lens.across[1] + y * lens.down[1]
    dz = lens.corner[2] + x * lens.across[2] + y * lens.down[2]
    way = -lens.eye[2] / dz
    gx, gy = lens.eye[0] + way * dx, lens.eye[1] + way * dy
    g, place = lamps.map_from_stage, lamps.ground_place
    column, row = g[0, 0] * gx + g[0, 1] * gy + g[0, 3], g[1, 0] * gx + g[1, 1] * gy + g[1, 3]
    shadow = _lookup(lamps.ground_shadow, (column - np.float32(0.5)) / np.float32(2.0), (row - np.float32(0.5)) / np.float32(2.0))
    dark = _lookup(lamps.ground_darkness, (gx - place[0]) * place[2], (gy - place[1]) * place[3])
    shadow, dark = shadow * fade, dark * fade
    rest = np.float32(1.0) - np.float32(0.7) * dark
    return (
        rest * (np.float32(1.0) - np.float32(0.50) * shadow),
        rest * (np.float32(1.0) - np.float32(0.47) * shadow),
        rest * (np.float32(1.0) - np.float32(0.41) * shadow),
    )


@kernel
def _store(pixel, red, green, blue, x, y, code):
    """sRGB bytes, the rounding broken up by a fixed fine pattern so that soft gradients show no bands."""
    pattern = np.float32(0.06711056) * np.float32(x) + np.float32(0.00583715) * np.float32(y)
    pattern = np.float32(52.9829189) * (pattern - math.floor(pattern))
    pattern -= math.floor(pattern)
    top = np.float32(code.shape[0] - 1)
    for n, value in enumerate((red, green, blue)):
        level = code[int(min(max(value, np.float32(0.0)), np.float32(1.0)) * top + np.float32(0.5))] + pattern
        pixel[n] = np.uint8(min(level, np.float32(255.0)))


@kernel
def draw_rows(first, last, samples, triangles, surface, lens, lamps, backdrop, fades, code, image):
    """Fill and shade the pixel rows first … last - 1 of `image`, with samples × samples per pixel.

    backdrop [row, column, 3]: linear light of the empty stage; fades [row, column]: how much of it is ground that takes shadows.
    """
    width = image.shape[1]
    depth = np.zeros(((last - first) * samples, width * samples), np.float32)
    ids = np.full(depth.shape, -1, np.int32)
    fill(triangles, first * samples, np.float32(1e3), depth, ids)
    share = np.float32(1.0) / np.float32(samples * samples)
    for y in range(first, last):
        for x in range(width):
            corner_x, corner_y = x * samples, y * samples
            red, green, blue, free = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
            for n in range(samples * samples):
                sx, sy = n % samples, n // samples
                own = ids[corner_y - first * samples + sy, corner_x + sx]
                if own == -1:
                    free += share
                if own < 0:
                    continue
                count, mean_x, mean_y = 0, 0, 0  # all samples of one triangle are shaded once, in their middle
                for other in range(n, samples * samples):
                    ox, oy = other % samples, other // samples
                    if ids[corner_y - first * samples + oy, corner_x + ox] == own:
                        count, mean_x, mean_y = count + 1, mean_x + ox, mean_y + oy
                        ids[corner_y - first * samples + oy, corner_x + ox] = -2 if other > n else own
                px, py = corner_x + mean_x / count, corner_y + mean_y / count
                r, g, b = _fragment(own, px, py, triangles, surface, lens, lamps)
                weight = share * np.float32(count)
                red, green, blue = red + weight * r, green + weight * g, blue + weight * b
            if free > 0.0:
                r, g, b = np.float32(1.0), np.float32(1.0), np.float32(1.0)
                if fades[y, x] > 0.0:
                    middle = 0.5 * (samples - 1)
                    r, g, b = _ground_light(np.float32(corner_x + middle), np.float32(corner_y + middle), lens, lamps, fades[y, x])
                red += free * r * backdrop[y, x, 0]
                green += free * g * backdrop[y, x, 1]
                blue += free * b * backdrop[y, x, 2]
            _store(image[y, x], red, green, blue, x, y, code)
