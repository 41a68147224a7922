"""Capsules close around the rigid bodies of robots, and the pairs of them that are to stay apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import posable
from posable import Figure
from posable.figures.close_capsules import close_capsules, is_rigid
from posable.motion.transfer.collision_pairs import bodies, pairs_of
from posable.skeleton import Axis, Joint, Skeleton
from posable.skin import Skin
from posable.spatial import Array

TORSO = (0.2, 0.3, 0.5)


def _robot(size: tuple[float, float, float], *, soft: bool = False) -> Figure:
    """One box on a hinge; of a soft one, vertices follow the root a little."""
    skeleton = Skeleton(
        [Joint("root", "fixed"), Joint("torso", parent="root", axes=(Axis((0.0, 0.0, 1.0), name="z"),))]
    )
    grid = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, 7)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    corners = grid[np.abs(grid).max(axis=1) == 0.5] * size
    own = np.tile([1, 0], (len(corners), 1))
    weights = np.tile([0.8, 0.2] if soft else [1.0, 0.0], (len(corners), 1))
    faces = ConvexHull(corners).simplices
    return Figure(skeleton, skins=(Skin(skeleton, corners, faces, own, weights, np.tile(np.eye(4), (2, 1, 1))),))  # type: ignore[arg-type]


def _off(points: Array, capsules: Array) -> Array:
    """`[point]` the distance from the nearest capsule, below 0 inside."""
    found = []
    for capsule in capsules:
        way = capsule[3:6] - capsule[:3]
        share = np.clip((points - capsule[:3]) @ way / max(way @ way, 1e-12), 0, 1)
        found.append(np.linalg.norm(points - capsule[:3] - share[:, None] * way, axis=1) - capsule[6])
    return np.min(found, axis=0)


def test_a_box_gets_capsules_that_leave_less_of_it_out() -> None:
    robot = _robot(TORSO)
    vertices = robot.skins[0].vertices.astype(float)
    single = posable.with_capsules(robot).skeleton.definitions[1].capsules
    close = close_capsules(robot)
    assert close[0] == ()
    assert 1 < len(close[1]) <= 4
    one, several = (_off(vertices, np.array(own)) for own in (single, close[1]))
    assert several.max() < 0.75 * one.max()
    assert np.sqrt(np.mean(several**2)) < 0.75 * np.sqrt(np.mean(one**2))
    assert bodies(robot).definitions[1].capsules == close[1]


def test_a_rod_needs_one_and_a_thread_none() -> None:
    rod = close_capsules(_robot((0.04, 0.04, 0.5)))[1]
    assert len(rod) == 1
    assert rod[0][6] == pytest.approx(0.025, abs=0.004)
    assert close_capsules(_robot((1e-3, 1e-3, 0.5)))[1] == ()


def test_soft_skins_keep_the_capsules_of_their_bones() -> None:
    soft = _robot(TORSO, soft=True)
    assert not is_rigid(soft)
    assert bodies(soft) == posable.with_capsules(soft).skeleton


def _chain(*, ball: bool = False) -> Skeleton:
    """A torso, a shoulder without a body, and an upper arm beside the torso that its capsule overlaps by 1 cm."""
    axes = (Axis((1.0, 0.0, 0.0), name="x"),)
    shoulder = Joint("shoulder", "ball", parent="torso", position=(0.2, 0.0, 0.0))
    shoulder = shoulder if ball else replace(shoulder, kind="hinge", axes=axes)
    return Skeleton(
        [
            Joint("torso", "free", capsules=((0.0, 0.0, -0.3, 0.0, 0.0, 0.0, 0.16),)),
            shoulder,
            Joint("arm", "hinge", parent="shoulder", capsules=((0.0, 0.0, -0.3, 0.0, 0.0, 0.0, 0.05),), axes=axes),
        ]
    )


def test_bodies_of_a_robot_that_overlap_a_little_at_rest_come_no_nearer() -> None:
    joints, _, _, least = pairs_of(_chain())
    assert joints.tolist() == [[0, 2]]
    assert least == pytest.approx([-0.01])


def test_an_arm_grows_out_of_a_soft_chest() -> None:
    assert len(pairs_of(_chain(ball=True))[0]) == 0
