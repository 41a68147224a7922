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
from posable.spatial.compile import kernel
from posable.spatial.threads import cores, in_threads

_WARMTH = 3.0  # c: what comes nearest to the surface's heat
_EXACT = 1e-4  # of the heat put in: what may be left over


def voxel_weights(surface: Surface, bones: Bones) -> tuple[Array, NDArray[np.bool_]]:
    """(weights `[place, bone]`, bound `[place]`): weights before they are limited or brought to 1, and where there are
    any; what no bone can be reached from through the flesh has none.
    """
    flesh = Flesh.of(surface)
    far, share = nearest_bones(flesh, bones)
    hold = _WARMTH * (flesh.side / np.maximum(far, flesh.side / 2)) ** 2  # 0 where no way leads
    corners = flesh.corners(surface.places)
    weights = np.zeros((len(bones.joints), len(surface.places)))

    def warm(own: slice) -> None:
        for bone in range(own.start, own.stop):
            heat, source = np.zeros(len(hold)), np.zeros(len(hold))
            some = slice(share.indptr[bone], share.indptr[bone + 1])
            source[share.indices[some]] = share.data[some] * hold[share.indices[some]]
            conduct(flesh.beside, hold, source, _EXACT, heat)
            average(heat, *corners, weights[bone])

    in_threads(warm, len(weights), len(weights), cores())
    return weights.T, weights.max(axis=0) > 0


@kernel
def conduct(beside, hold, source, exact, heat):
    """Solves Σ over faces (heat − heat beside) + hold · heat = source, by conjugate gradients with Jacobi's
    preconditioner, to a residual of `exact` times the source.
    """
    count = len(heat)
    residual, along, image = source.copy(), np.empty(count), np.empty(count)
    inverse = np.empty(count)
    product = wanted = 0.0
    for cube in range(count):
        faces = 0
        for k in range(6):
            faces += beside[cube, k] >= 0
        inverse[cube] = 1 / (faces + hold[cube]) if faces + hold[cube] > 0 else 0.0
        along[cube] = inverse[cube] * source[cube]
        product += source[cube] * along[cube]
        wanted += (exact * source[cube]) ** 2
    while product > 0:
        curvature = 0.0
        for cube in range(count):
            total = along[cube] / inverse[cube] if inverse[cube] > 0 else 0.0
            for k in range(6):
                if beside[cube, k] >= 0:
                    total -= along[beside[cube, k]]
            image[cube] = total
            curvature += total * along[cube]
        step, left, before = product / curvature, 0.0, product
        product = 0.0
        for cube in range(count):
            heat[cube] += step * along[cube]
            residual[cube] -= step * image[cube]
            left += residual[cube] ** 2
            product += residual[cube] ** 2 * inverse[cube]
        if left <= wanted:
            return
        for cube in range(count):
            along[cube] = inverse[cube] * residual[cube] + product / before * along[cube]
