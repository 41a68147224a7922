"""The snake and the tentacle: axes, formulas, skins."""

from __future__ import annotations

import numpy as np
import pytest
from figures.builtin.meshes import assert_closed

import posable
from posable.spatial import matrix_from_wxyz, wxyz_about


def _by_hand(figure: posable.Figure, q: np.ndarray) -> np.ndarray:
    place, turn, angles, found = np.zeros(3), np.eye(3), iter(q), []
    for joint in figure.skeleton.definitions:
        place = place + turn @ np.array(joint.position)
        for axis in joint.axes:
            turn = turn @ matrix_from_wxyz(wxyz_about(axis.direction, next(angles)))
        found.append(place)
    return np.array(found)


@pytest.mark.parametrize("name", ["snake", "tentacle"])
def test_every_joint_is_where_the_formula_puts_it(name: str) -> None:
    figure = posable.figure(name)
    q = figure.skeleton.random_coordinates(np.random.default_rng(0), (20,))
    assert np.abs(posable.Pose(figure.skeleton, q).origins - [_by_hand(figure, row) for row in q]).max() < 1e-12


@pytest.mark.parametrize(("name", "cycle"), [("snake", "yx"), ("tentacle", "xyz")])
def test_the_axes_go_round(name: str, cycle: str) -> None:
    skeleton = posable.figure(name).skeleton
    axes = [axis.name for joint in skeleton.definitions for axis in joint.axes]
    assert len(axes) == skeleton.dof == 24
    assert "".join(axes) == (cycle * 24)[:24]
    assert (skeleton.lower < 0).all() and (skeleton.upper > 0).all() and np.isfinite(skeleton.upper).all()


@pytest.mark.parametrize("name", ["snake", "tentacle"])
def test_elasticity_falls_towards_the_free_end(name: str) -> None:
    moving = [joint for joint in posable.figure(name).skeleton.definitions if joint.dof]
    elasticity = [joint.elasticity for joint in moving]
    assert elasticity == sorted(elasticity, reverse=True) and elasticity[0] > 3 * elasticity[-1] > 0
    for joint in moving:
        assert joint.rest and joint.comfort and joint.comfort[0][0] < joint.rest[0] < joint.comfort[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["snake", "tentacle"])
def test_the_skin_is_closed_at_rest_and_bent(name: str) -> None:
    figure = posable.figure(name)
    (skin,) = figure.skins
    assert_closed(skin.vertices, skin.faces)
    bent = posable.Pose(figure.skeleton, np.clip(np.full(24, 0.2), figure.skeleton.lower, figure.skeleton.upper))
    assert_closed(skin.deform(bent), skin.faces)


@pytest.mark.parametrize("name", ["snake", "tentacle"])
def test_a_vertex_follows_two_neighbouring_segments_at_most(name: str) -> None:
    figure = posable.figure(name)
    (skin,) = figure.skins
    assert skin.joints.shape[1] == 2
    assert (np.abs(skin.joints[:, 0] - skin.joints[:, 1]) <= 1).all()
    used = set(skin.used_joints.tolist())
    assert used >= {figure.skeleton.index(joint.name) for joint in figure.skeleton.definitions if joint.dof}


def test_the_snake_lies_on_the_ground_along_z_and_ends_in_a_head() -> None:
    figure = posable.figure("snake")
    vertices = figure.skins[0].vertices
    assert 0 <= vertices[:, 1].min() < 0.003
    assert np.ptp(vertices[:, 2]) > 3 * np.ptp(vertices[:, 0]) > 3 * np.ptp(vertices[:, 1])
    head = figure.rest.world_from_joint[figure.skeleton.index("head")]
    snout = head[:3, :3] @ np.array(figure.skeleton.definitions[-1].tips[0]) + head[:3, 3]
    assert np.linalg.norm(vertices - snout, axis=1).min() < 1e-3
    assert np.abs(figure.rest.origins[:, 1] - figure.rest.origins[0, 1]).max() < 1e-12


def test_the_tentacle_stands_on_the_ground_and_thins_out() -> None:
    figure = posable.figure("tentacle")
    vertices = figure.skins[0].vertices
    assert abs(vertices[:, 1].min()) < 1e-3 and vertices[:, 1].max() - vertices[1, 1] < 0.01
    assert 0.9 < figure.height < 1.15
    tip = figure.rest.origins[figure.skeleton.index("tip")]
    assert np.linalg.norm(vertices[1] - tip) < 0.002
