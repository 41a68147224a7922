"""A mesh prepared for binding: merged vertices, outward faces with an area, a bounding box of diagonal 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import kernel
from posable.skin.binding.tree import BoxTree, box_tree
from posable.skin.mesh import Indices, Mesh, connected
from posable.spatial import Array, normalized

_NO_AREA = 1e-14  # twice a face's area over the box's diagonal squared: what is less has no direction
_FLAT = 1e-3  # a patch's volume over its area to the power 3/2: what is less has no inside of its own


@dataclass(frozen=True, eq=False)
class Surface:
    """The merged vertices of a mesh, scaled so that the diagonal of the box around the faces is 1, and its valid faces.

    `places`: `[place, 3]`; place_of: `[vertex]`. faces: `[face, 3]`, counter-clockwise from outside.
    piece_of: `[place]`, the mesh's piece. center, size: mesh = center + size · point. notes: repairs.
    """

    places: Array
    place_of: Indices
    faces: NDArray[np.int32]
    piece_of: Indices
    center: Array
    size: float
    notes: tuple[str, ...]

    @classmethod
    def of(cls, mesh: Mesh) -> Surface:
        """The surface of `mesh`, whatever state its faces are in."""
        corners = mesh.vertices[np.unique(mesh.faces)]
        center, size = (corners.min(axis=0) + corners.max(axis=0)) / 2, mesh.diagonal
        first = np.unique(mesh.sewn, return_index=True)[1]
        places = np.ascontiguousarray((mesh.vertices[first] - center) / size)
        faces, notes = usable(places, mesh.sewn[mesh.faces])
        faces, turned = _outward(places, faces)
        if turned:
            notes.append(f"{turned:,} of {len(faces):,} faces looked inward: bound as if they were turned")
        whole = faces.astype(np.int32)
        return cls(places, mesh.sewn, whole, mesh.pieces[first], center, size, tuple(notes))

    def extent(self, rows: NDArray[Any]) -> float:
        """The diagonal of the box around some positions."""
        return float(np.linalg.norm(np.ptp(self.places[rows], axis=0)))

    def gap(self, points: Array) -> Array:
        """`[point]`: the distance to the nearest position that faces use."""
        from scipy.spatial import KDTree

        return np.asarray(KDTree(self.places[self.faced]).query(points)[0])

    def from_mesh(self, points: Array) -> Array:
        """Points of the mesh's frame in the scaled frame."""
        return (points - self.center) / self.size

    @cached_property
    def normals(self) -> Array:
        """`[place, 3]` unit normals, every face weighing alike as in Blender's binding; 0 where no face is."""
        a, b, c = (self.places[self.faces[:, k]] for k in range(3))
        face_normals = normalized(np.cross(b - a, c - a))
        total = np.zeros_like(self.places)
        for k in range(3):
            np.add.at(total, self.faces[:, k], face_normals)
        return normalized(total)

    @cached_property
    def faced(self) -> NDArray[np.bool_]:
        """`[place]`: whether any usable face is there."""
        found = np.zeros(len(self.places), bool)
        found[self.faces] = True
        return found

    @cached_property
    def part_of(self) -> Indices:
        """`[place]`: the number of the connected part; a point without faces is a part of its own."""
        rows, columns = self.faces[:, [0, 1]].reshape(-1), self.faces[:, [1, 2]].reshape(-1)
        return connected(len(self.places), rows, columns)

    @cached_property
    def tree(self) -> BoxTree:
        """The tree of boxes over the faces."""
        return box_tree(self.places, self.faces)


def usable(places: Array, faces: Indices) -> tuple[Indices, list[str]]:
    """The faces that have an area, each once, and a note of those left out."""
    a, b, c = (places[faces[:, k]] for k in range(3))
    kept = faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) > _NO_AREA]
    corners = np.sort(kept, axis=1)
    order = np.lexsort(corners.T)
    corners = corners[order]
    again = np.zeros(len(kept), bool)
    again[order[1:]] = (corners[1:] == corners[:-1]).all(axis=1)
    notes = []
    if len(kept) < len(faces):
        notes.append(f"{len(faces) - len(kept):,} of {len(faces):,} faces have no area: left out")
    if again.any():
        notes.append(f"{int(again.sum()):,} of {len(faces):,} faces lie on others: left out")
    return kept[~again], notes


def _outward(places: Array, faces: Indices) -> tuple[Indices, int]:
    """The faces, each patch of them of one mind and looking outward; and how many had to be turned.

    A patch is what edges of exactly two faces join.
    """
    patch, sign = np.full(len(faces), -1), np.ones(len(faces), np.int64)
    spread_sides(*_neighbours(faces), patch, sign)
    sign *= _patch_signs(places, faces, patch, sign)[patch]
    return np.where(sign[:, None] > 0, faces, faces[:, ::-1]), int((sign < 0).sum())


def _neighbours(faces: Indices) -> tuple[Indices, NDArray[np.bool_]]:
    """`[face, edge]`: the other face at an edge that no third one shares, or −1; and whether the two look to the same
    side of it.
    """
    count = len(faces)
    start, end = faces.T.reshape(-1), np.roll(faces, -1, axis=1).T.reshape(-1)
    forward = start < end
    key = np.where(forward, start, end) * (faces.max(initial=0) + 1) + np.where(forward, end, start)
    order = np.argsort(key, kind="stable")
    key = key[order]
    new = np.concatenate([[True], key[1:] != key[:-1], [True]])
    one = order[:-1][new[:-2] & ~new[1:-1] & new[2:]]
    two = order[1:][new[:-2] & ~new[1:-1] & new[2:]]
    other, agree = np.full(3 * count, -1), np.zeros(3 * count, bool)
    other[one], other[two] = two % count, one % count
    agree[one] = agree[two] = forward[one] != forward[two]
    return other.reshape(3, count).T, agree.reshape(3, count).T


@kernel
def spread_sides(other, agree, patch, sign):
    """Numbers the patches, and gives every face the sign with which it is of one mind with the first of its patch.

    On a one-sided patch, a Möbius band, what is reached first decides.
    """
    waiting = np.empty(len(other), np.int64)
    count = 0
    for seed in range(len(other)):
        if patch[seed] >= 0:
            continue
        patch[seed], waiting[0], depth = count, seed, 1
        while depth > 0:
            depth -= 1
            face = waiting[depth]
            for edge in range(3):
                near = other[face, edge]
                if near >= 0 and patch[near] < 0:
                    patch[near], sign[near] = count, sign[face] if agree[face, edge] else -sign[face]
                    waiting[depth] = near
                    depth += 1
        count += 1


def _patch_signs(places: Array, faces: Indices, patch: Indices, sign: Indices) -> Indices:
    """`[patch]`: −1 where the patch, its faces taken with `sign`, looks inward.

    By the volume under it, seen from the middle of the patch; a flat patch without volume, by most of its faces.
    """
    a, b, c = (places[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a) / 2
    area, face_middle = np.linalg.norm(normal, axis=1), (a + b + c) / 3
    total = np.bincount(patch, area)
    middle = np.stack([np.bincount(patch, area * face_middle[:, k]) for k in range(3)], axis=1) / total[:, None]
    volume = np.bincount(patch, sign * (normal * (face_middle - middle[patch])).sum(axis=1)) / 3
    most = np.bincount(patch, sign * area)
    solid = np.abs(volume) > _FLAT * total**1.5
    return np.where(np.where(solid, volume, most) < 0, -1, 1)
