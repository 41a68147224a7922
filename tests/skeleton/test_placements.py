"""A joint's coordinates from where its frame is: the inverse of every kind's motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from formats.test_gltf_fresh import every_kind

from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.skeleton.placements import coordinates_of, note_left_over, placements
from posable.spatial.marquardt import minimise_each


def test_frames_and_coordinates_are_inverse_for_every_kind_in_any_pose() -> None:
    skeleton = every_kind().without_limits()
    poses = Pose(skeleton, skeleton.random_coordinates(np.random.default_rng(0), (300,)))
    position, wxyz = placements(poses)
    found = Pose(skeleton, coordinates_of(skeleton, position, wxyz))
    assert np.abs(found.world_from_joint - poses.world_from_joint).max() < 1e-6


@pytest.mark.slow
def test_any_axes_in_a_row_are_found() -> None:
    rng = np.random.default_rng(3)
    for trial in range(60):
        some = [tuple(rng.standard_normal(3)) for _ in range(4)]
        axes = [Axis(some[0], slide=trial % 3 == 0), Axis(some[1], anchor=some[3]), Axis(some[2])][: 2 + trial % 2]
        skeleton = Skeleton([Joint("oblique", "compound", axes=tuple(axes))])
        poses = Pose(skeleton, rng.uniform(-np.pi, np.pi, (60, len(axes))))
        found = Pose(skeleton, coordinates_of(skeleton, *placements(poses)))
        assert np.abs(found.world_from_joint - poses.world_from_joint).max() < 1e-6


def test_three_axes_that_nearly_lock_are_found_all_the_same() -> None:
    axes = tuple(Axis(direction) for direction in ((0, 0, 1), (0, 1, 0), (1, 0, 0)))
    skeleton = Skeleton([Joint("gimbal", "compound", axes=axes)])
    rng = np.random.default_rng(1)
    q = rng.uniform(-np.pi, np.pi, (500, 3))
    q[:, 1] = np.pi / 2 + rng.normal(0, 0.02, 500)
    poses = Pose(skeleton, q)
    found = Pose(skeleton, coordinates_of(skeleton, *placements(poses)))
    assert np.abs(found.world_from_joint - poses.world_from_joint).max() < 1e-5


def test_many_joints_are_found_together_and_each_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand universal joints took a thousand descents, 40 s; two turns need none but to see they are right."""
    rng = np.random.default_rng(5)
    axes = [tuple(Axis(tuple(rng.normal(size=3))) for _ in range(2)) for _ in range(200)]
    names = ["root", *(f"j{k}" for k in range(200))]
    joints = [Joint(b, "universal", a, (0, 1, 0), axes=own) for a, b, own in zip(names, names[1:], axes, strict=False)]
    skeleton = Skeleton([Joint("root", "free"), *joints])
    poses = skeleton.random_pose(rng, (3,))
    descents: list[int] = []

    def counted(problem: Any, values: np.ndarray, **more: Any) -> np.ndarray:
        descents.append(len(values))
        return minimise_each(problem, values, **more)

    monkeypatch.setattr("posable.skeleton.placements.minimise_each", counted)
    position, wxyz = placements(poses)
    q = coordinates_of(skeleton, position, wxyz)
    assert descents == [600]
    assert np.abs(Pose(skeleton, q).world_from_joint - poses.world_from_joint).max() < 1e-9
    alone = coordinates_of(Skeleton([replace(joints[7], parent=None)]), position[:, 8:9], wxyz[:, 8:9])
    np.testing.assert_allclose(alone, q[:, 7 + 14 : 7 + 16], atol=1e-12)


def test_frames_out_of_reach_are_said() -> None:
    skeleton = Skeleton([Joint("root", "fixed"), Joint("knee", "hinge", "root", (0, 1, 0), axes=(Axis((1, 0, 0)),))])
    position, wxyz = placements(Pose(skeleton, [[0.5], [1.0]]))
    notes: list[str] = []
    note_left_over("here", skeleton, coordinates_of(skeleton, position, wxyz), (position, wxyz), notes)
    assert notes == []
    position = position + np.array([0, 0.1, 0])
    note_left_over("here", skeleton, coordinates_of(skeleton, position, wxyz), (position, wxyz), notes)
    assert notes == ["here: root, knee cannot go where the file puts them; what their kind cannot do is left out"]
