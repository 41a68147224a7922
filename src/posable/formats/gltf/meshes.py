"""Meshes of a glTF file: triangles merged into one with influences, colours and looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.files import check_count
from posable.formats.gltf.accessors import read_accessor
from posable.formats.gltf.container import Document, Item
from posable.formats.gltf.draco import unpack
from posable.formats.gltf.materials import Materials
from posable.skin.look import Look

MAX_VERTICES = 5_000_000
MAX_MORPHED = 20_000_000  # vertices × morph targets of one primitive
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_MODE_NAMES = {0: "points", 1: "lines", 2: "lines", 3: "lines"}


@dataclass(frozen=True, eq=False)
class Mesh:
    """One mesh. joints (indices into a skin's) and weights `[vertex, influence]`: None if a primitive has none.

    morphs: `[target, vertex, 3]`.
    """

    name: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    normals: NDArray[np.float32] | None
    colors: NDArray[np.float32] | None
    joints: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    look: Look | None = None
    morphs: NDArray[np.float32] | None = None
    morph_names: tuple[str, ...] = ()


def read_mesh(document: Document, item: Item, materials: Materials, notes: list[str]) -> Mesh | None:
    """The triangles of a mesh, None if it has none. Raises FileError, or FileTooLargeError before allocation."""
    name = item.text_at("name") or item.place
    parts = []
    for primitive in item.entries("primitives"):
        mode = primitive.whole_at("mode", _TRIANGLES)
        if mode in (_TRIANGLES, _STRIP, _FAN):
            parts.append(_part(document, primitive, mode, materials))
        else:
            notes.append(
                f"mesh {name!r}: {_MODE_NAMES.get(mode, f'mode {mode}')} are left out; posable reads triangles"
            )
    parts = [part for part in parts if len(part.vertices)]
    return replace(_merged(name, parts), **_morphs(item, parts)) if parts else None


def _morphs(item: Item, parts: list[Mesh]) -> dict[str, Any]:
    """The morph targets of all primitives together; none if the primitives differ in their number."""
    counts = {0 if part.morphs is None else len(part.morphs) for part in parts}
    if len(counts) > 1 or counts == {0}:
        return {}
    count = counts.pop()
    extras = item.find("extras")
    named = extras.find("targetNames") if extras is not None and isinstance(extras.value, dict) else None
    told = named.value if named is not None and isinstance(named.value, list) else []
    names = [str(told[k]) if k < len(told) else f"target_{k}" for k in range(count)]
    unique = [name if names.index(name) == k else f"{name}_{k}" for k, name in enumerate(names)]
    return {"morphs": np.concatenate([part.morphs for part in parts], axis=1), "morph_names": tuple(unique)}  # type: ignore[arg-type]


def _part(document: Document, primitive: Item, mode: int, materials: Materials) -> Mesh:
    unpack(document, primitive)
    attributes = primitive.at("attributes")
    vertices = read_accessor(document, attributes.at("POSITION"), "VEC3").astype(np.float32)
    check_count(document.path, len(vertices), MAX_VERTICES, f"vertices in {primitive.place}")
    if not np.isfinite(vertices).all():
        raise primitive.problem("a vertex is not finite; export the file again")
    joints, weights = _influences(document, attributes, len(vertices))
    targets = primitive.entries("targets")
    check_count(document.path, len(targets) * len(vertices), MAX_MORPHED, f"morphed vertices in {primitive.place}")
    normals = attributes.find("NORMAL")
    faces = _faces(document, primitive, mode, len(vertices))
    paint = materials.of(primitive, len(vertices))
    return Mesh(
        "",
        vertices,
        faces,
        None if normals is None else _normals(document, normals, len(vertices)),
        paint.colors,
        joints,
        weights,
        paint.look(faces),
        np.stack([_offsets(document, target, len(vertices)) for target in targets]) if targets else None,
    )


def _offsets(document: Document, target: Item, count: int) -> NDArray[np.float32]:
    """Displacements of a primitive's vertices by one morph target."""
    reference = target.find("POSITION")
    if reference is None:
        return np.zeros((count, 3), np.float32)
    return np.nan_to_num(per_vertex(document, reference, count, "VEC3"), posinf=0, neginf=0).astype(np.float32)


def per_vertex(document: Document, reference: Item, count: int, *types: str) -> NDArray:
    """An attribute `[vertex, components]`, NaN allowed. Raises FileError unless it has one element per vertex."""
    values = read_accessor(document, reference, *types, finite=False)
    if len(values) != count:
        raise reference.problem(f"has {len(values)} elements for {count} vertices; export the file again")
    return values


def _normals(document: Document, reference: Item, count: int) -> NDArray[np.float32]:
    return np.nan_to_num(per_vertex(document, reference, count, "VEC3"), posinf=0, neginf=0).astype(np.float32)


def _influences(
    document: Document, attributes: Item, count: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.float64] | None]:
    joints, weights, k = [], [], 0
    while (indices := attributes.find(f"JOINTS_{k}")) is not None:
        joints.append(per_vertex(document, indices, count, "VEC4"))
        weights.append(per_vertex(document, attributes.at(f"WEIGHTS_{k}"), count, "VEC4"))
        k += 1
    if not joints:
        return None, None
    return np.concatenate(joints, axis=1).astype(np.int64), np.concatenate(weights, axis=1).astype(np.float64)


def _faces(document: Document, primitive: Item, mode: int, count: int) -> NDArray[np.int32]:
    indices = primitive.find("indices")
    order = np.arange(count) if indices is None else read_accessor(document, indices, "SCALAR")[:, 0]
    if order.dtype.kind == "f" or (len(order) and not (order.min() >= 0 and order.max() < count)):
        raise primitive.problem(f"its indices must lie in 0 … {count - 1}; export the file again")
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3).astype(np.int32)
    k = np.arange(max(len(order) - 2, 0))
    corners = [k, k + 1 + k % 2, k + 2 - k % 2] if mode == _STRIP else [k + 1, k + 2, 0 * k]
    return order[np.stack(corners, axis=1)].astype(np.int32)


def _merged(name: str, parts: list[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    colors = None
    if any(part.colors is not None for part in parts):
        colors = np.concatenate([np.ones_like(p.vertices) if p.colors is None else p.colors for p in parts])
    return Mesh(
        name,
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]).astype(np.int32),
        _together([part.normals for part in parts]),
        colors,
        _together(_widened([part.joints for part in parts])),
        _together(_widened([part.weights for part in parts])),
        Look.joined([part.look for part in parts if part.look is not None]),
    )


def _together(arrays: list[NDArray | None]) -> NDArray | None:
    present = [array for array in arrays if array is not None]
    return np.concatenate(present) if len(present) == len(arrays) else None


def _widened(arrays: list[NDArray | None]) -> list[NDArray | None]:
    widest = max((array.shape[1] for array in arrays if array is not None), default=0)
    return [None if a is None else np.pad(a, ((0, 0), (0, widest - a.shape[1]))) for a in arrays]
