"""Smooth solids: distances, soft unions, culling, and the surface drawn from them."""

from __future__ import annotations

import numpy as np
import pytest
from figures.builtin.meshes import assert_closed, directed_edges, volume

from posable.figures.builtin.implicit_surface import Blob, Union, gradient, onto_surface, polygonised, soft_minimum
from posable.spatial import Array, matrix_from_wxyz, random_wxyz


def _sphere(center: Array, radius: float) -> Blob:
    return Blob(np.asarray(center, float), np.asarray(center, float), (radius, radius))


def test_a_capsule_is_measured_exactly() -> None:
    blob = Blob(np.zeros(3), np.array([2.0, 0, 0]), (0.5, 0.5))
    points = np.array([[1, 2, 0], [-1, 0, 0], [3, 0, 4], [1, 0.2, 0]], float)
    assert blob.distance(points) == pytest.approx([1.5, 0.5, np.sqrt(17) - 0.5, -0.3], abs=1e-9)


def test_an_ellipsoid_has_its_surface_where_it_should_and_distances_near_it() -> None:
    turn = matrix_from_wxyz(random_wxyz(np.random.default_rng(3)))
    blob = Blob(np.ones(3), np.ones(3), (0.1, 0.1), (1.0, 2.0, 3.0), turn)
    for row, radius in zip(turn, (0.1, 0.2, 0.3), strict=True):
        surface = 1 + radius * row
        assert blob.distance(np.array([surface, surface + 0.001 * row])) == pytest.approx([0, 0.001], abs=2e-5)


def test_a_soft_minimum_rounds_only_where_the_two_are_near() -> None:
    a, b = np.array([0.0, 1.0, 0.0, 0.3]), np.array([1.0, 0.0, 0.0, 0.2])
    assert soft_minimum(a, b, 0.4) == pytest.approx([0, 0, -0.1, 0.2 - 0.09 / 1.6])
    assert soft_minimum(a, b, 0.0).tolist() == [0, 0, 0, 0.2]


def test_a_box_holds_the_solid() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        turn = matrix_from_wxyz(random_wxyz(rng))
        blob = Blob(*rng.uniform(-1, 1, (2, 3)), (0.2, 0.1), (1.0, 1.5, 2.0), turn)
        low, high = blob.box()
        points = onto_surface(blob.distance, rng.uniform(-1, 1, (400, 3)), steps=40, longest=0.1)
        assert (points > low - 1e-3).all() and (points < high + 1e-3).all()


def test_points_are_moved_onto_the_surface_along_the_gradient() -> None:
    sphere = _sphere(np.array([0.1, 0.2, 0.3]), 0.5)
    start = np.random.default_rng(0).normal(0, 0.4, (100, 3))
    ended = onto_surface(sphere.distance, start, steps=4, longest=2.0)
    assert np.abs(sphere.distance(ended)).max() < 1e-9
    assert np.abs(np.cross(ended - sphere.start, start - sphere.start)).max() < 1e-3
    assert np.linalg.norm(gradient(sphere.distance, ended), axis=1) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_the_surface_of_a_solid_is_closed_and_lies_on_it(seed: int) -> None:
    ends = np.random.default_rng(seed).uniform(-0.1, 0.1, (2, 3)) + np.array([[-0.4, 0, 0], [0.4, 0, 0]])
    bone = Blob(ends[0], ends[1], (0.27, 0.27))
    vertices, faces = polygonised(bone.distance, *bone.box() + np.array([[-0.1], [0.1]]), 0.05)
    assert_closed(vertices, faces)
    assert np.abs(bone.distance(vertices)).max() < 1e-6
    edges = directed_edges(faces)
    length = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    assert length.min() > 0.015 and length.max() < 0.1


@pytest.mark.parametrize("seed", [1, 3, 11, 13, 17, 27])
def test_saddles_do_not_put_four_faces_on_one_edge(seed: int) -> None:
    ends = np.random.default_rng(seed).uniform(-0.5, 0.5, (9, 2, 3))
    union = Union([Blob(start, end, (0.16, 0.13)) for start, end in ends], 0.12)
    box = np.full(3, 0.8)
    _, faces = polygonised(union.distance, -box, box, 0.07, relaxations=0)
    edges = directed_edges(faces)
    forward, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all()
    assert np.array_equal(forward, np.unique(edges[:, ::-1], axis=0))


def test_the_volume_of_a_sphere_comes_out() -> None:
    vertices, faces = polygonised(_sphere(np.zeros(3), 0.5).distance, np.full(3, -0.8), np.full(3, 0.8), 0.05)
    assert volume(vertices, faces) == pytest.approx(4 / 3 * np.pi / 8, rel=0.01)
