"""The solid of a figure set upright: x to its left, y up, z ahead, with the plane between left and right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError
from posable.skin.mesh import Mesh
from posable.skin.solid import NEIGHBOURS, Solid, joined, solid_of
from posable.spatial import Array

Voxels = NDArray[np.bool_]
_LEAST_PIECE = 0.002  # of the volume: what smaller pieces there are is left out
_SYMMETRIC = 0.6  # of the volume that has a mirror image, from which on what has none may be left out
_SKIN = 2.0  # voxels by which two sides may well differ
_WHOLLY = 0.97  # from which on there is nothing else to try


@dataclass(frozen=True, eq=False)
class Stage:
    """filled: `[across, up, ahead]` voxels, from the floor on. basis: rows left, up and ahead in the mesh's frame.

    origin: of voxel (0, 0, 0) in the mesh's frame. size: a voxel's edge. middle: where the mirror plane cuts the first
    axis, in voxels. symmetry: the part of the volume that has a mirror image, 0 … 1. is_symmetric: whether left and
    right are taken for mirror images, and what has none (something held, a bag) left out. aside: how far what was left
    out reaches from the rest, in voxels. uneven: the part of the volume that was left out on both sides: limbs that
    are posed otherwise. rival: the symmetry across the other upright plane of the same solid, by which it would face
    sideways.
    """

    filled: Voxels
    basis: Array
    origin: Array
    size: float
    middle: float
    symmetry: float
    is_symmetric: bool
    aside: float = 0.0
    uneven: float = 0.0
    rival: float = 0.0

    def __post_init__(self) -> None:
        self.filled.setflags(write=False)

    @property
    def height(self) -> int:
        """How many voxels the figure is high."""
        return self.filled.shape[1]

    def places(self, points: Array) -> Array:
        """Points `[..., 3]`, in voxels with x counted from the mirror plane, in the mesh's frame."""
        return self.origin + self.size * (points + self.middle * np.eye(3)[0]) @ self.basis

    def points(self, places: Array) -> Array:
        """The inverse: the mesh's frame to voxels counted from the mirror plane."""
        return (places - self.origin) @ self.basis.T / self.size - self.middle * np.eye(3)[0]

    @cached_property
    def turned_round(self) -> Stage:
        """The same, facing the opposite direction."""
        count = np.array(self.filled.shape) - 1
        origin = self.origin + self.size * (count * (1, 0, 1)) @ self.basis
        basis = self.basis * [[-1], [1], [-1]]
        filled = self.filled[::-1, :, ::-1]
        return replace(self, filled=filled, origin=origin, basis=basis, middle=count[0] - self.middle)

    @cached_property
    def half(self) -> Voxels:
        """The left half, `[across, up, ahead]` from the mirror plane on, its pieces joined."""
        half = joined(self.filled[int(np.ceil(self.middle)) :], int(_LEAST_PIECE / 2 * self.filled.sum()))
        half.setflags(write=False)
        return half

    @cached_property
    def depths(self) -> Array:
        """How far each of the `filled` voxels is from the nearest one outside, in voxels; 0 outside."""
        from scipy.ndimage import distance_transform_edt

        depths = np.asarray(distance_transform_edt(np.pad(self.filled, 1)))[1:-1, 1:-1, 1:-1]
        depths.setflags(write=False)
        return depths

    @property
    def half_offset(self) -> float:
        """Where voxel 0 of `half` stands, in voxels from the mirror plane."""
        return float(np.ceil(self.middle) - self.middle)

    def turned_by(self, turn: Array) -> Stage:
        """The stage of a mesh whose vertices are those of this one times `turn [3, 3]`."""
        return replace(self, basis=self.basis @ turn, origin=self.origin @ turn)

    @cached_property
    def mirrored(self) -> Stage:
        """Left and right exchanged: its left half is the right half."""
        return replace(self, filled=self.filled[::-1], middle=self.filled.shape[0] - 1 - self.middle)


def stages(solid: Solid, up: str) -> Iterator[Stage]:
    """Stages for both directions across the upright axis "y" or "z": of the symmetric part, and of everything."""
    filled = solid.inside | (solid.surface & ~_beside(solid.inside))
    upright = "xyz".index(up)
    sides = [k for k in range(3) if k != upright]
    views = [filled.transpose(across, upright, 3 - upright - across) for across in sides]
    planes = [_mirror(view) for view in views]
    for across, turned, (twice, symmetry), (_, rival) in zip(sides, views, planes, planes[::-1], strict=True):
        basis, origin = np.eye(3)[[across, upright, 3 - upright - across]], solid.origin.copy()
        if np.linalg.det(basis) < 0:
            turned = turned[:, :, ::-1]
            origin = origin + solid.size * (turned.shape[2] - 1) * basis[2]
            basis = basis * [[1], [1], [-1]]
        whole = Stage(turned, basis, origin, solid.size, twice / 2, symmetry, False, rival=rival)
        if symmetry >= _SYMMETRIC:
            image = _with_image(turned, twice)
            aside, uneven = _left_out(turned, image, twice)
            yield _cropped(replace(whole, filled=image, is_symmetric=True, aside=aside, uneven=uneven))
        if symmetry < _WHOLLY:
            yield _cropped(whole)


def _cropped(stage: Stage) -> Stage:
    """Without small pieces, and with nothing empty around the rest."""
    filled = _large_pieces(stage.filled)
    lows, highs = _box(filled)
    return replace(
        stage,
        filled=filled[tuple(slice(low, high) for low, high in zip(lows, highs, strict=True))],
        origin=stage.origin + stage.size * lows @ stage.basis,
        middle=stage.middle - float(lows[0]),
    )


def _mirror(filled: Voxels) -> tuple[int, float]:
    """(twice the position of the best mirror plane on the first axis, the part of the volume with an image there)."""
    count, total = len(filled), max(int(filled.sum()), 1)
    used = np.flatnonzero(filled.any(axis=(1, 2)))
    if not len(used):
        return count - 1, 0.0
    best, middle = (-1, 0), int(used[0] + used[-1])
    reach = int(0.2 * (used[-1] - used[0])) + 1
    for twice in sorted(range(middle - reach, middle + reach + 1), key=lambda k: abs(k - middle)):
        first, last = max(0, twice - count + 1), min(count - 1, twice)
        part = filled[first : last + 1]
        shared = int((part & part[::-1]).sum())
        if shared > best[0]:
            best = (shared, twice)
    return best[1], best[0] / total


def _with_image(filled: Voxels, twice: int) -> Voxels:
    """What has a mirror image within a voxel: a sword in one hand, a bag on one shoulder go."""
    first, last = max(0, twice - len(filled) + 1), min(len(filled) - 1, twice)
    out = np.zeros_like(filled)
    part = filled[first : last + 1]
    near = part & _widened(part[::-1])
    out[first : last + 1] = near | near[::-1]
    return out


def _left_out(filled: Voxels, image: Voxels, twice: int) -> tuple[float, float]:
    """(how far the voxels without an image reach from the others, the part of the volume that has none on both sides);
    small pieces do not count, nor a skin of two voxels, for the second.
    """
    from scipy.ndimage import distance_transform_edt

    out = _large_pieces(filled) & ~image
    if not out.any() or not image.any():
        return 0.0, 0.0
    away: Any = distance_transform_edt(~image)
    far = np.flatnonzero(out & (away > _SKIN)) // out[0].size
    both = min(int((2 * far < twice).sum()), int((2 * far > twice).sum()))
    return float(away[out].max()), both / int(filled.sum())


def _large_pieces(filled: Voxels) -> Voxels:
    from scipy.ndimage import label

    found: Any = label(filled, NEIGHBOURS)
    sizes = np.bincount(found[0].ravel())
    sizes[0] = 0
    return (sizes >= _LEAST_PIECE * sizes.sum())[found[0]] & filled


def _widened(filled: Voxels) -> Voxels:
    from scipy.ndimage import binary_dilation

    return np.asarray(binary_dilation(filled, NEIGHBOURS), np.bool_)


def _beside(filled: Voxels) -> Voxels:
    """The voxels and those that share a face with them."""
    from scipy.ndimage import binary_dilation

    return np.asarray(binary_dilation(filled), np.bool_)


def _box(filled: Voxels) -> tuple[Array, Array]:
    used = [np.flatnonzero(filled.any(axis=tuple(o for o in range(3) if o != k))) for k in range(3)]
    lows = np.array([one[0] if len(one) else 0 for one in used])
    return lows, np.array([one[-1] + 1 if len(one) else 1 for one in used])


# What of a mesh may be the body.


_LEAST_VOXELS, _MOST_VOXELS = 60, 150_000  # inside the mesh: fewer are not a volume, more cost time without benefit
_VOXELS = 1_000_000  # in the mesh's box
_IMAGE = 0.02  # of the height: as near to the image of a piece there is something on the other side
_STANDS = 0.04  # of the height: what is lower stands on the floor
_SAMPLES, _LARGEST = 400, 12  # points and pieces by which the plane is sought
_BODY = 0.7  # of the mesh's extent along each axis that its main piece needs to be taken for the body alone


def rooms_of_body(mesh: Mesh) -> list[Solid]:
    """The rooms of what may be the body: the main piece alone, if the other pieces may be clothes or helpers; and all
    but the pieces that only one side has, as what is held in a hand.
    """
    piece, rooms = mesh.pieces[mesh.faces[:, 0]], []
    if (piece == 0).all():
        return []
    whole, main = (np.ptp(mesh.vertices[np.unique(mesh.faces[own])], axis=0) for own in (piece >= 0, piece == 0))
    for own in ((piece == 0) & (main >= _BODY * whole).all(), *(~one[piece] for one in _one_sided(mesh))):
        if own.any() and not own.all():
            with suppress(SkinError):  # it is a cloth
                rooms.append(room_in(Mesh(mesh.vertices, mesh.faces[own], mesh.name)))
    return rooms


def _one_sided(mesh: Mesh) -> Iterator[NDArray[np.bool_]]:
    """`[piece]`: whether it lies on one side and nothing on the other is its image; for either upright axis across, by
    the plane that gives most of the surface an image. Each candidate is the middle of a large piece, or of two. None is
    where one of them stands on the floor: legs mid-stride have no image either.
    """
    from scipy.spatial import KDTree

    used = np.unique(mesh.faces)
    places, piece, up = mesh.vertices[used], mesh.pieces[used], "xyz".index(mesh.up)
    height = float(np.ptp(places[:, up]))
    count, tree, near = np.bincount(piece), KDTree(places), _IMAGE * height
    few = places[np.random.default_rng(0).permutation(len(places))[:_SAMPLES]]

    def imaged(points: Array, axis: int, middle: float) -> NDArray[np.bool_]:
        return tree.query(points + np.eye(3)[axis] * 2 * (middle - points[:, axis])[:, None])[0] < near

    for axis in {0, 1, 2} - {up}:
        ends = [places[piece == one, axis] for one in range(min(len(count), _LARGEST))]
        middles = np.array([own.min() + own.max() for own in ends]) / 2
        planes = np.unique(np.round((middles[:, None] + middles) / near)) * near / 2
        middle = max(planes, key=lambda plane: int(imaged(few, axis, plane).sum()))
        beside = np.abs(np.bincount(piece, np.sign(places[:, axis] - middle))) == count
        alone = beside & (np.bincount(piece, imaged(places, axis, middle)) < 0.5 * count)
        yield alone & (places[alone[piece], up].min(initial=np.inf) > _STANDS * height + places[:, up].min())


def room_in(mesh: Mesh) -> Solid:
    """The voxels inside a mesh."""
    solid = solid_of(mesh, _VOXELS)
    count = int(solid.inside.sum())
    if count > _MOST_VOXELS:
        solid = solid_of(mesh, round(_VOXELS * _MOST_VOXELS / count))
    if solid.inside.sum() < _LEAST_VOXELS:
        raise SkinError(f"mesh {mesh.name!r} encloses no room, so no skeleton fits in; give it thickness or close it")
    return solid
