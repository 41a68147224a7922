"""Triangles of display shapes."""

from __future__ import annotations

import numpy as np
import pytest

from posable.figures import Shape
from posable.figures.shapes import solid_of

SHAPES = {
    "box": (0.2, 0.3, 0.4),
    "sphere": (0.3,),
    "cylinder": (0.05, 0.44),
    "capsule": (0.05, 0.44),
    "ellipsoid": (0.1, 0.2, 0.3),
}
VOLUMES = {
    "box": 0.2 * 0.3 * 0.4,
    "sphere": 4 / 3 * np.pi * 0.3**3,
    "cylinder": np.pi * 0.05**2 * 0.44,
    "capsule": np.pi * 0.05**2 * 0.44 + 4 / 3 * np.pi * 0.05**3,
    "ellipsoid": 4 / 3 * np.pi * 0.1 * 0.2 * 0.3,
}


@pytest.mark.parametrize("kind", SHAPES)
def test_a_solid_has_its_volume_with_faces_outwards(kind: str) -> None:
    vertices, faces = solid_of(Shape("j", kind, SHAPES[kind]))  # pyright: ignore[reportArgumentType]
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(VOLUMES[kind], rel=0.04)


@pytest.mark.parametrize("kind", ["cylinder", "capsule"])
def test_long_sides_are_cut_across(kind: str) -> None:
    """So that the shade at an end, hidden in another solid, does not run along the whole side."""
    vertices, faces = solid_of(Shape("j", kind, (0.05, 0.3)))  # pyright: ignore[reportArgumentType]
    z = vertices[faces][..., 2]
    assert (z.max(axis=1) - z.min(axis=1)).max() <= 0.5 * 0.05 + 1e-6
