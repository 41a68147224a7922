"""Light on surfaces: each fragment under a key lamp with shadows, a fill lamp, a rim lamp and the light of the room."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.view.raster import Fragments, collect, fill
from posable.view.shadows import BELOW
from posable.view.textures import fill_sheer, seen

Floats = NDArray[np.float32]
_TAPS = 12
_LAMP = 0.006  # how far about a point the key lamp's map is looked up, stage lengths; no less than two texels
# A small sunflower (Vogel 1979), the outer ones first: even over a disc.
_RING, _TURN = np.sqrt((_TAPS - 0.5 - np.arange(_TAPS)) / _TAPS), np.arange(_TAPS) * 2.3999632
_DISC = np.stack([_RING * np.cos(_TURN), _RING * np.sin(_TURN)], axis=1).astype(np.float32)
DULLEST, BRIGHTEST = np.float32(0.012), np.float32(0.80)
"""Linear light that black and white throw back: no paint is quite white or quite pure, so all of them show shading."""
_GLOSS = 0.32  # of the key lamp's mirror image
_SHOULDER = 0.72  # linear brightness from which highlights are rolled off


class Surface(NamedTuple):
    """The mesh on the stage."""

    vertices: Floats  # [vertex, 3]
    normals: Floats  # [vertex, 3]
    colors: Floats  # [vertex, 3] linear: paint; of faces with a material what that is multiplied with
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


@inner_kernel
def _lit(nearness, column, row, near, reach):
    """The visible part of the key lamp at a position of its map: the mean over a disc of interpolated taps."""
    total = np.float32(0.0)
    limit = np.float32(nearness.shape[0] - 1)
    for k in range(_TAPS):
        cx = min(max(column + reach * _DISC[k, 0], np.float32(0.0)), limit - np.float32(1.0))
        cy = min(max(row + reach * _DISC[k, 1], np.float32(0.0)), limit - np.float32(1.0))
        x, y = int(cx), int(cy)
        fx, fy = cx - np.float32(x), cy - np.float32(y)
        a = np.float32(nearness[y, x] <= near)
        b = np.float32(nearness[y, x + 1] <= near)
        c = np.float32(nearness[y + 1, x] <= near)
        d = np.float32(nearness[y + 1, x + 1] <= near)
        upper, lower = a + fx * (b - a), c + fx * (d - c)
        total += upper + fy * (lower - upper)
        if k == 3 and (total < np.float32(0.001) or total > np.float32(3.999)):
            return total / np.float32(4.0)  # the outermost four agree
    return total / np.float32(_TAPS)


@inner_kernel
def _unit(x, y, z):
    length = math.sqrt(x * x + y * y + z * z) + np.float32(1e-12)
    return x / length, y / length, z / length


@inner_kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner_kernel
def _row(matrix, k):
    return matrix[k, 0], matrix[k, 1], matrix[k, 2]


@inner_kernel
def _between(values, i, j, k, a, b, c):
    """What a point of triangle (i, j, k) has of three numbers per vertex."""
    return (
        a * values[i, 0] + b * values[j, 0] + c * values[k, 0],
        a * values[i, 1] + b * values[j, 1] + c * values[k, 1],
        a * values[i, 2] + b * values[j, 2] + c * values[k, 2],
    )


@inner_kernel
def _painted(x):
    return np.float32(DULLEST) + np.float32(BRIGHTEST - DULLEST) * x


@inner_kernel
def _roll_off(x):
    """Brightness above the shoulder bends towards 1 and never reaches it."""
    shoulder, rest = np.float32(_SHOULDER), np.float32(1.0 - _SHOULDER)
    return x if x < shoulder else np.float32(1.0) - rest * math.exp((shoulder - x) / rest)


@inner_kernel
def _weights(edges, t, x, y):
    """How much each corner of triangle `t` counts at sample (x, y): its barycentric coordinates in space."""
    a = max(edges[t, 0] * x + edges[t, 1] * y + edges[t, 2], 0.0)
    b = max(edges[t, 3] * x + edges[t, 4] * y + edges[t, 5], 0.0)
    c = max(edges[t, 6] * x + edges[t, 7] * y + edges[t, 8], 0.0)
    depth = 1.0 / max(a + b + c, 1e-12)
    return np.float32(a * depth), np.float32(b * depth), np.float32(c * depth)


@inner_kernel
def _key_seen(nearness, g, texel, place, normal, cosine):
    """The part of the key lamp that a surface sees; looked up a little before it, so that it does not shade itself."""
    reach = max(np.float32(_LAMP), np.float32(2.0) * texel)
    off = reach * (np.float32(1.5) - cosine)
    place = place[0] + off * normal[0], place[1] + off * normal[1], place[2] + off * normal[2]
    column, row = _dot(_row(g, 0), place) + g[0, 3], _dot(_row(g, 1), place) + g[1, 3]
    return _lit(nearness, column, row, _dot(_row(g, 2), place) + np.float32(0.6) * reach, reach / texel)


@shared_kernel
def light_up(fragments, count, triangles, surface, looks, samples, lens, lamps, color):
    """Add the linear light of the fragments to `color [pixel, 3]`."""
    # Arrays are taken out of their tuples first: taken out in the loop, each costs two locked counts of its users.
    at, mean_x, mean_y, share, pixel = fragments.triangle, fragments.x, fragments.y, fragments.share, fragments.pixel
    edges, front, rows, materials, kinds = triangles.edges, triangles.front, looks.row, looks.material, looks.kinds
    vertices, normals, colors, sky = surface.vertices, surface.normals, surface.colors, surface.sky
    faces, nearness, lamp, eye, g = surface.faces, lamps.nearness, lamps.colors, lens.eye, lamps.map_from_stage
    to_key, to_fill, to_rim = _row(lamps.towards, 0), _row(lamps.towards, 1), _row(lamps.towards, 2)
    texel = np.float32(1.0) / math.sqrt(_dot(_row(g, 0), _row(g, 0)))
    zero, half, one = np.float32(0.0), np.float32(0.5), np.float32(1.0)
    for f in range(count):
        t = at[f]
        i, j, k = faces[t, 0], faces[t, 1], faces[t, 2]
        a, b, c = _weights(edges, t, float(mean_x[f]), float(mean_y[f]))
        own = _between(colors, i, j, k, a, b, c)
        if rows[t] >= 0:
            red, green, blue, _ = seen(looks, edges, t, float(mean_x[f]), float(mean_y[f]), float(samples))
            own = own[0] * red, own[1] * green, own[2] * blue
            if kinds[materials[rows[t]], 5]:
                for n in range(3):
                    color[pixel[f], n] += share[f] * own[n]
                continue
            own = _painted(own[0]), _painted(own[1]), _painted(own[2])
        place = _between(vertices, i, j, k, a, b, c)
        side = one if front[t] else -one
        nx, ny, nz = _between(normals, i, j, k, side * a, side * b, side * c)
        normal = _unit(nx, ny, nz)
        view = _unit(eye[0] - place[0], eye[1] - place[1], eye[2] - place[2])
        cosine = max(_dot(normal, to_key), zero)
        key = _key_seen(nearness, g, texel, place, normal, cosine) if cosine > zero else zero
        middle = _unit(to_key[0] + view[0], to_key[1] + view[1], to_key[2] + view[2])
        glint = key * np.float32(_GLOSS) * max(_dot(normal, middle), zero) ** 48
        soft = (half + half * _dot(normal, to_fill)) ** 2
        rim = (one - min(max(_dot(normal, view), zero), one)) ** 3 * max(_dot(normal, to_rim) + np.float32(0.25), zero)
        around = _between(sky, i, j, k, a, b, c)
        for n in range(3):
            light = own[n] * (around[n] * (one + soft * lamp[1, n]) + key * cosine * lamp[0, n])
            light += glint * lamp[0, n] + rim * lamp[2, n] * around[n]
            color[pixel[f], n] += share[f] * _roll_off(light)


# The rasterization kernel, one band of rows at a time: anti-aliased by multisampling, in linear light.


_DARKEST = 0.9  # what the floor loses where it sees nothing of the room
_DEEPEST = np.array([0.58, 0.54, 0.47], np.float32)  # what it loses, red to blue, in the key lamp's full shadow


@inner_kernel
def _lookup(image, column, row):
    """Bilinear; 0 outside."""
    if not (column >= 0 and row >= 0 and column < image.shape[1] - 1 and row < image.shape[0] - 1):
        return np.float32(0.0)
    x, y = int(column), int(row)
    fx, fy = np.float32(column - x), np.float32(row - y)
    upper = image[y, x] + fx * (image[y, x + 1] - image[y, x])
    lower = image[y + 1, x] + fx * (image[y + 1, x + 1] - image[y + 1, x])
    return upper + fy * (lower - upper)


@inner_kernel
def _floor_nearness(first_row, samples, lens, fades, depth):
    """The depth buffer of the floor alone, a little below it: what is under the ground is not seen."""
    eye, corner, across, down = lens.eye, lens.corner, lens.across, lens.down
    height = eye[2] + np.float32(BELOW)
    for y in range(depth.shape[0]):
        for x in range(depth.shape[1]):
            fall = -(corner[2] + np.float32(x) * across[2] + np.float32(first_row * samples + y) * down[2])
            is_floor = fades[first_row + y // samples, x // samples] > 0.0 and fall > 0.0
            depth[y, x] = fall / height if is_floor and eye[2] > 0.0 else np.float32(0.0)


@shared_kernel
def _add_stage(first, last, samples, free, lens, lamps, backdrop, fades, color):
    """Add the empty stage to `color [pixel, 3]` where it is free, with the shadows that fall on its floor."""
    g, place, ground_shadow, ground_darkness = (
        lamps.map_from_stage, lamps.ground_place, lamps.ground_shadow, lamps.ground_darkness,
    )  # fmt: skip
    eye, corner, across, down = lens.eye, lens.corner, lens.across, lens.down
    one, half, quarter = np.float32(1.0), np.float32(0.5), np.float32(0.25)
    middle = half * np.float32(samples - 1)
    pixel = -1
    for row in range(first, last):
        for column in range(backdrop.shape[1]):
            pixel += 1
            if free[pixel] == 0.0:
                continue
            fade = fades[row, column]
            shadow = dark = np.float32(0.0)
            if fade > 0.0:
                x, y = np.float32(column * samples) + middle, np.float32(row * samples) + middle
                way = -eye[2] / (corner[2] + x * across[2] + y * down[2])
                gx = eye[0] + way * (corner[0] + x * across[0] + y * down[0])
                gy = eye[1] + way * (corner[1] + x * across[1] + y * down[1])
                u, v = g[0, 0] * gx + g[0, 1] * gy + g[0, 3], g[1, 0] * gx + g[1, 1] * gy + g[1, 3]
                shadow = fade * _lookup(ground_shadow, half * u - quarter, half * v - quarter)
                dark = fade * _lookup(ground_darkness, (gx - place[0]) * place[2], (gy - place[1]) * place[3])
            rest = free[pixel] * (one - np.float32(_DARKEST) * dark)
            for n in range(3):
                color[pixel, n] += rest * (one - _DEEPEST[n] * shadow) * backdrop[row, column, n]


@shared_kernel
def _store(color, first, last, code, image):
    """sRGB bytes, the rounding broken up by a fixed fine pattern so that soft gradients show no bands."""
    top = np.float32(code.shape[0] - 1)
    pixel = -1
    for y in range(first, last):
        for x in range(image.shape[1]):
            pixel += 1
            pattern = np.float32(0.06711056) * np.float32(x) + np.float32(0.00583715) * np.float32(y)
            pattern = np.float32(52.9829189) * (pattern - np.float32(int(pattern)))
            pattern -= np.float32(int(pattern))
            for n in range(3):
                value = min(max(color[pixel, n], np.float32(0.0)), np.float32(1.0))
                level = code[int(value * top + np.float32(0.5))] + pattern
                image[y, x, n] = np.uint8(min(level, np.float32(255.0)))


class Scratch(NamedTuple):
    """What one thread needs to draw a band of rows, made once: fresh memory costs more than the drawing."""

    depth: NDArray[np.float32]  # [row × samples, column × samples]
    ids: NDArray[np.int32]
    fragments: Fragments
    free: NDArray[np.float32]  # [pixel]
    color: NDArray[np.float32]  # [pixel, 3]


def scratch(rows: int, width: int, samples: int) -> Scratch:
    """Room for a band of so many pixel rows."""
    shape, most, pixels = (rows * samples, width * samples), rows * width * samples**2, rows * width
    floats, whole = [np.empty(most, np.float32) for _ in range(3)], [np.empty(most, np.int32) for _ in range(2)]
    fragments = Fragments(whole[0], floats[0], floats[1], floats[2], whole[1])
    return Scratch(
        np.empty(shape, np.float32), np.empty(shape, np.int32), fragments,
        np.empty(pixels, np.float32), np.empty((pixels, 3), np.float32),
    )  # fmt: skip


@kernel
def draw_rows(first, last, samples, faces, surface, looks, lens, lamps, backdrop, fades, code, image, room):
    """Fill and shade the pixel rows first … last - 1 of `image`, with samples × samples per pixel, in scratch `room`.

    faces: all triangles, those without the sheer ones, and `[k]` the sheer ones. backdrop [row, column, 3]: linear
    light of the empty stage. fades [row, column]: how much of it takes shadows, and hides what is below the ground
    where it takes any.
    """
    triangles, solid, sheer = faces
    pixels = (last - first) * image.shape[1]
    depth, ids = room.depth[: (last - first) * samples], room.ids[: (last - first) * samples]
    free, color = room.free[:pixels], room.color[:pixels]
    ids[:], color[:] = -1, 0.0
    _floor_nearness(first, samples, lens, fades, depth)
    fill(solid, first * samples, np.float32(1e3), depth, ids)
    if sheer.shape[0]:
        fill_sheer(triangles, sheer, looks, first * samples, np.float32(1e3), depth, ids)
    count = collect(ids, first * samples, samples, surface.faces, free, room.fragments)
    light_up(room.fragments, count, triangles, surface, looks, samples, lens, lamps, color)
    _add_stage(first, last, samples, free, lens, lamps, backdrop, fades, color)
    _store(color, first, last, code, image)
