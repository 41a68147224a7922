"""The table of joint manifolds: everything else about the kinds of joints follows from it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from skeleton.samples import KINDS, random_joint, random_skeleton

import posable
from posable.skeleton import Pose, Skeleton
from posable.skeleton.joint import MANIFOLDS, Kind
from posable.spatial import (
    Array,
    rotation_vector_from_wxyz,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)

RNG = np.random.default_rng(0)
SKELETONS = [random_skeleton(RNG) for _ in range(3)]
SOURCE = Path(posable.__file__).parent


def stated_plus(skeleton: Skeleton, q: Array, v: Array) -> Array:
    """q ⊕ v as the table says it, in NumPy."""
    parts, c, d = [], 0, 0
    for joint in skeleton.definitions:
        if joint.manifold.position:
            parts.append(q[..., c : c + 3] + v[..., d : d + 3])
            c, d = c + 3, d + 3
        if joint.manifold.rotation:
            parts.append(wxyz_multiply(q[..., c : c + 4], wxyz_from_rotation_vector(v[..., d : d + 3])))
            c, d = c + 4, d + 3
        own = len(joint.own_axes)
        parts.append(q[..., c : c + own] + v[..., d : d + own])
        c, d = c + own, d + own
    return np.concatenate(parts, axis=-1)


def test_every_kind_is_in_the_table() -> None:
    assert set(MANIFOLDS) == set(get_args(Kind)) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_counts_as_the_table_says(kind: str) -> None:
    manifold, joint = MANIFOLDS[kind], random_joint(RNG, "a", kind, None)
    axes = tuple(axis.slide for axis in joint.axes)
    assert manifold.axes in (None, axes)
    assert joint.dof == 3 * manifold.position + 3 * manifold.rotation + len(axes)
    assert joint.coordinates == 3 * manifold.position + 4 * manifold.rotation + len(axes)
    assert joint.slides == (True,) * 3 * manifold.position + (False,) * 3 * manifold.rotation + axes
    assert len(joint.freedom_names) == len(joint.slides) == joint.dof


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_compiled_plus_is_the_one_of_the_table(skeleton: Skeleton) -> None:
    pose, v = skeleton.random_pose(RNG, (20,)), RNG.normal(size=(20, skeleton.dof))
    np.testing.assert_allclose(pose.plus(v).q, stated_plus(skeleton, pose.q, v), rtol=0, atol=5e-15)


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_compiled_minus_is_a_difference_of_numbers_and_the_logarithm_of_rotations(skeleton: Skeleton) -> None:
    start, end = skeleton.random_pose(RNG, (20,)), skeleton.random_pose(RNG, (20,))
    v = end.minus(start)
    columns, axes = skeleton.tables.axis_columns, skeleton.tables.axis_columns >= 0
    np.testing.assert_array_equal(v[:, axes], end.q[:, columns[axes]] - start.q[:, columns[axes]])
    for freedoms, four in zip(skeleton.tables.rotation_freedoms, skeleton.quaternion_columns, strict=True):
        between = wxyz_multiply(wxyz_inverse(start.q[:, four]), end.q[:, four])
        np.testing.assert_allclose(v[:, freedoms], rotation_vector_from_wxyz(between), rtol=0, atol=5e-14)


@pytest.mark.parametrize("skeleton", SKELETONS)
def test_every_freedom_is_of_an_axis_a_rotation_or_a_position(skeleton: Skeleton) -> None:
    rotations = skeleton.tables.rotation_freedoms.ravel()
    axes = np.flatnonzero(skeleton.tables.axis_columns >= 0)
    positions = [d for j in skeleton.definitions if j.floating for d in skeleton.freedom_range(j.name)[:3]]
    assert sorted([*rotations, *axes, *positions]) == list(range(skeleton.dof))
    rest = Pose(skeleton, skeleton.rest_coordinates)
    moved = np.abs(rest.plus(np.eye(skeleton.dof)).q - rest.q) > 1e-12
    assert all(np.flatnonzero(moved[d]).tolist() == [skeleton.tables.axis_columns[d]] for d in axes)


def test_only_the_skeleton_compares_kinds_with_balls_and_free_joints() -> None:
    compared = re.compile(r"\.kind (==|!=|in|not in) [(\[{]?\"(ball|free)\"(?!, \"fixed\")")
    files = [file for file in SOURCE.rglob("*.py") if file.relative_to(SOURCE).parts[0] != "skeleton"]
    assert [str(file) for file in files if compared.search(file.read_text(encoding="utf-8"))] == []
