"""Which corners shade as one."""

from __future__ import annotations

import numpy as np
from view.drawables import FACES, ball

from posable.figures.shapes import box
from posable.view.shading_normals import split_at_creases


def test_a_box_has_six_flat_sides() -> None:
    vertices, faces = box((1.0, 2.0, 3.0))
    origins, groups, drawn = split_at_creases(vertices, faces)
    assert len(origins) == 24 and len(set(groups)) == 24
    assert (origins[drawn] == faces).all()


def test_a_ball_is_smooth_all_over_and_its_poles_are_one_point() -> None:
    vertices, faces = ball()
    origins, groups, drawn = split_at_creases(vertices.astype(np.float32), faces.astype(np.int32))
    assert len(origins) == len(vertices)
    assert len(set(groups)) == len(np.unique(np.round(vertices, 6), axis=0))
    assert (origins[drawn] == faces).all()


def test_a_seam_does_not_show() -> None:
    """Two quads side by side that share no vertex numbers are one surface; bent by 90° they are two."""
    for lift, expected in ((0.0, 6), (1.0, 8)):
        left = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], np.float32)
        right = np.array([(1, 0, 0), (2 - lift, 0, lift), (2 - lift, 1, lift), (1, 1, 0)], np.float32)
        vertices, faces = np.concatenate([left, right]), np.concatenate([FACES, FACES + 4]).astype(np.int32)
        origins, groups, _ = split_at_creases(vertices, faces)
        assert len(origins) == 8 and len(set(groups)) == expected


def test_normals_that_came_with_the_mesh_decide() -> None:
    vertices, faces = box((1.0, 1.0, 1.0))
    outwards = vertices / np.linalg.norm(vertices, axis=1, keepdims=True)
    _, groups, _ = split_at_creases(vertices, faces, outwards.astype(np.float32))
    assert len(set(groups)) == 8, "a box whose maker smoothed it is smooth"
    flat = vertices[faces].reshape(-1, 3)
    sides = np.repeat(np.cross(flat[1::3] - flat[::3], flat[2::3] - flat[::3]), 3, axis=0).astype(np.float32)
    _, groups, _ = split_at_creases(flat, np.arange(36, dtype=np.int32).reshape(-1, 3), sides)
    assert len(set(groups)) == 24, "a box whose maker left it sharp is sharp"


def test_no_faces_and_faces_without_area() -> None:
    assert [len(a) for a in split_at_creases(np.zeros((4, 3), np.float32), np.zeros((0, 3), np.int32))] == [0, 0, 0]
    origins, groups, drawn = split_at_creases(np.zeros((3, 3), np.float32), np.array([[0, 1, 2], [0, 0, 0]], np.int32))
    assert drawn.shape == (2, 3) and len(origins) == len(groups) == drawn.max() + 1
