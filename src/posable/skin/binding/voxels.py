"""Weights by the way through the flesh, for what is open, tangled, or made of many pieces.

As in Dionne & de Lasa 2013 the mesh is filled with cubes, and the way to a bone does not leave them. They weigh a bone
by a power of the way's length; that leaves joints soft where a body is wide and hard where it is thin. Here every bone
in turn is warm and the flesh conducts, as the surface does in Baran & Popović 2007: −∆ w_b + H w_b = H p_b, where
H = c / d², d the way to the nearest bone. That is nearer by a third and more to artists' and to Blender's weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posable.skin.binding.bones import Bones
from posable.skin.binding.flesh import Flesh, average
from posable.skin.binding.marching import nearest_bones
from posable.skin.binding.surface import Surface
from posable.spatial import Array
from posable.spatial.compile import inner_kernel, kernel
from posable.spatial.threads import cores, in_threads

_WARMTH = 3.0  # c: what comes nearest to the surface's heat
_EXACT = 3e-4  # of the heat put in: what may be left over
_AT_ONCE = 8  # bones solved together


def voxel_weights(surface: Surface, bones: Bones) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; what no bone can be reached from through the flesh has none.
    """
    flesh = Flesh.of(surface)
    far, share = nearest_bones(flesh, bones)
    hold = _WARMTH * (flesh.side / np.maximum(far, flesh.side / 2)) ** 2  # 0 where no way leads
    corners = flesh.corners(surface.places)
    weights = np.zeros((len(surface.places), len(bones.joints)))

    def warm(own: slice) -> None:
        block = slice(own.start * _AT_ONCE, own.stop * _AT_ONCE)
        heat = np.ascontiguousarray(share[:, block].toarray())
        conduct(flesh.beside, hold, hold[:, None] * heat, _EXACT, heat)
        average(heat, *corners, weights[:, block])

    blocks = -(-len(bones.joints) // _AT_ONCE)
    in_threads(warm, blocks, blocks, cores())
    return weights, weights.max(axis=1) > 0


@kernel
def conduct(beside, hold, source, exact, heat):
    """Solves Σ over faces (heat − heat beside) + hold · heat = source, `[cube, bone]`, from what `heat` holds until the
    residual is `exact` times the source: conjugate gradients with Jacobi's preconditioner, all bones at once.
    """
    count, width = heat.shape
    diagonal, image = np.ones(count), np.empty(width)
    residual, along, mapped = np.empty((count, width)), np.zeros((count, width)), np.empty((count, width))
    product, wanted, left = np.zeros(width), np.zeros(width), np.zeros(width)
    curvature, turn = np.empty(width), np.zeros(width)
    for cube in range(count):
        apply(beside, hold, heat, cube, image)
        faces = 0
        for k in range(6):
            faces += beside[cube, k] >= 0
        if faces + hold[cube] > 0:
            diagonal[cube] = faces + hold[cube]
        for b in range(width):
            residual[cube, b] = source[cube, b] - image[b]
            product[b] += residual[cube, b] ** 2 / diagonal[cube]
            left[b] += residual[cube, b] ** 2
            wanted[b] += (exact * source[cube, b]) ** 2
    while (left > wanted).any():
        curvature[:] = 0
        for cube in range(count):
            for b in range(width):
                along[cube, b] = residual[cube, b] / diagonal[cube] + turn[b] * along[cube, b]
        for cube in range(count):
            apply(beside, hold, along, cube, image)
            for b in range(width):
                mapped[cube, b] = image[b]
                curvature[b] += image[b] * along[cube, b]
        turn[:] = product
        for b in range(width):
            curvature[b] = product[b] / curvature[b] if left[b] > wanted[b] else 0.0
        product[:] = 0
        left[:] = 0
        for cube in range(count):
            for b in range(width):
                heat[cube, b] += curvature[b] * along[cube, b]
                residual[cube, b] -= curvature[b] * mapped[cube, b]
                left[b] += residual[cube, b] ** 2
                product[b] += residual[cube, b] ** 2 / diagonal[cube]
        for b in range(width):
            turn[b] = product[b] / turn[b] if turn[b] > 0 else 0.0


@inner_kernel
def apply(beside, hold, heat, cube, image):
    """`image [bone]`: Σ over faces (heat − heat beside) + hold · heat at a cube."""
    for b in range(len(image)):
        image[b] = hold[cube] * heat[cube, b]
    for k in range(6):
        near = beside[cube, k]
        if near >= 0:
            for b in range(len(image)):
                image[b] += heat[cube, b] - heat[near, b]
