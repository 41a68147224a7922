"""The doorbell arm, the telescope and the robot arms against their formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

import posable
from posable.spatial import matrix_from_wxyz, wxyz_about


def test_the_doorbell_arms_coordinates_are_absolute_angles() -> None:
    figure = posable.figure("doorbell_arm")
    assert figure.skeleton.joints == ("shoulder", "elbow", "wrist", "hand")
    assert figure.rest.q.tolist() == [1.2, 0.7, 0.0]
    angles = np.random.default_rng(0).uniform(-7, 7, (200, 3))
    bones = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=-1) * np.array([50, 45, 3])[:, None]
    wanted = np.concatenate([np.zeros((200, 1, 3)), np.cumsum(bones, axis=1)], axis=1)
    assert np.abs(posable.Pose(figure.skeleton, angles).origins - wanted).max() < 1e-12


def test_one_step_of_the_doorbell_arm_is_the_articles() -> None:
    """A tenth of the way to (30, −40) through the pseudo-inverse of the Jacobian of the absolute angles."""
    figure = posable.figure("doorbell_arm")
    away = np.array([30.0, -40.0]) - figure.rest.origins[-1, :2]
    step = np.linalg.pinv(figure.rest.jacobian("hand")[:2]) @ (0.1 * away)
    assert figure.rest.plus(step).q == pytest.approx(
        (1.5840957636756376, 0.17064012974854315, -0.09957489927067237), abs=1e-12
    )


def test_the_telescope_slides_between_0_and_30() -> None:
    figure = posable.figure("telescope")
    skeleton = figure.skeleton
    assert skeleton.joints == ("bottom", "middle", "top", "tip")
    assert [d.kind for d in skeleton.definitions] == ["fixed", "slide", "slide", "fixed"]
    assert skeleton.lower.tolist() == [0, 0]
    assert skeleton.upper.tolist() == [30, 30]
    assert figure.rest.origins.tolist() == [[0, 0, 0], [0, 30, 0], [0, 60, 0], [0, 90, 0]]
    slides = np.random.default_rng(0).uniform(0, 30, (50, 2))
    tips = posable.Pose(skeleton, slides).origins[:, -1]
    assert np.allclose(tips, np.outer(30 + slides.sum(axis=1), (0, 1, 0)), atol=1e-12)
    radii = [shape.size[0] for shape in figure.shapes]
    assert [shape.size[1] for shape in figure.shapes] == [30, 30, 30]
    assert radii == sorted(radii, reverse=True) and len(set(radii)) == 3, "each sinks into the one below"


def _by_hand(figure: posable.Figure, q: np.ndarray) -> np.ndarray:
    """The tool's place: the product of a step and a turn per joint, applied to the origin."""
    place, turn, angles = np.zeros(3), np.eye(3), iter(q)
    for joint in figure.skeleton.definitions:
        place = place + turn @ np.array(joint.position)
        for axis in joint.axes:
            turn = turn @ matrix_from_wxyz(wxyz_about(axis.direction, next(angles)))
    return place


@pytest.mark.parametrize(("name", "letters"), [("arm6", "zyyxyx"), ("arm7", "zyzyzyz")])
def test_the_robot_arms_are_chains_of_hinges_with_limits(name: str, letters: str) -> None:
    figure = posable.figure(name)
    skeleton = figure.skeleton
    assert skeleton.joints == ("base", *(f"joint_{k + 1}" for k in range(len(letters))), "tool")
    assert "".join(axis.name for joint in skeleton.definitions for axis in joint.axes) == letters
    assert np.isfinite([skeleton.lower, skeleton.upper]).all()
    q = skeleton.random_coordinates(np.random.default_rng(0), (50,))
    assert np.abs(posable.Pose(skeleton, q).origins[:, -1] - [_by_hand(figure, row) for row in q]).max() < 1e-12
    singular_values = np.linalg.svd(figure.rest.jacobian("tool"), compute_uv=False)
    assert singular_values[5] > 0.02, "at rest the arm can move every way"


def test_the_last_three_axes_of_arm6_and_the_shoulder_and_wrist_of_arm7_meet_in_a_point() -> None:
    for name, groups in (("arm6", ((4, 5, 6),)), ("arm7", ((1, 2, 3), (5, 6, 7)))):
        figure = posable.figure(name)
        pose = posable.Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(2), (30,)))
        for group in groups:
            for matrices in pose.world_from_joint:
                assert _distance_from_a_common_point(figure, matrices, group) < 1e-12


def _distance_from_a_common_point(figure: posable.Figure, matrices: np.ndarray, group: tuple[int, ...]) -> float:
    rows, rights = [], []
    for j in group:
        axis = matrices[j, :3, :3] @ np.array(figure.skeleton.definitions[j].axes[0].direction)
        across = np.eye(3) - np.outer(axis, axis)
        rows.append(across)
        rights.append(across @ matrices[j, :3, 3])
    system, right = np.concatenate(rows), np.concatenate(rights)
    point = np.linalg.lstsq(system, right, rcond=None)[0]
    return float(np.abs(system @ point - right).max())


def test_the_arms_stand_on_the_ground_and_are_of_a_tables_size() -> None:
    for name in ("arm6", "arm7"):
        figure = posable.figure(name)
        assert figure.rest.origins[:, 2].min() >= 0
        assert 0.8 < figure.skeleton.reach < 1.4
    assert math.isclose(posable.figure("telescope").height, 90)
