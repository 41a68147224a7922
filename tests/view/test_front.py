"""The front view of a figure shows its face, whatever the axes of its file and wherever it has walked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.spatial import matrix_from_wxyz, wxyz_about
from posable.view.front import front_of
from posable.view.pictures import Shot
from posable.view.renderer import STILL
from posable.view.scene import Scene


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def heading(degrees: float) -> np.ndarray:
    return wxyz_about(np.array([0.0, 1, 0]), np.radians(degrees))


def about_y(degrees: float) -> np.ndarray:
    return matrix_from_wxyz(heading(degrees))


def resting_at(figure: posable.Figure, degrees: float) -> posable.Figure:
    """The bare figure that faces so far to the left of +z at rest."""
    root, *others = figure.skeleton.definitions
    return posable.Figure(posable.Skeleton([replace(root, wxyz=tuple(heading(degrees).tolist())), *others], up="y"))


def standing_at(figure: posable.Figure, degrees: float) -> posable.Pose:
    """The figure at rest, but for its heading, so far to its left."""
    return with_root(figure, heading(degrees))


def with_root(figure: posable.Figure, wxyz: np.ndarray) -> posable.Pose:
    return figure.rest.with_joint("root", np.concatenate([figure.rest.origins[0], wxyz]))


def seen_from(figure: posable.Figure, poses: list[posable.Pose], view: str) -> np.ndarray:
    """The horizontal direction from the figure to the camera."""
    shot = Shot.of(Scene(figure), poses, (64, 48), (), view, STILL, skeleton=False)  # pyright: ignore[reportArgumentType]
    depth = shot.renderer.pixels(np.concatenate([np.zeros((1, 3)), np.eye(3)]))[:, 2]
    backward = (depth[0] - depth[1:]) * (1, 0, 1)
    return backward / np.linalg.norm(backward)


@pytest.mark.parametrize("degrees", [0.0, 90, 180, -90, 170, 20])
def test_a_figure_is_seen_from_where_it_faces_at_rest(mannequin: posable.Figure, degrees: float) -> None:
    figure = resting_at(mannequin, degrees)
    front = about_y(round(degrees / 90) * 90) @ (0, 0, 1)
    assert seen_from(figure, [figure.rest], "front") == pytest.approx(front, abs=1e-6)
    left = np.cross((0, 1, 0), front)
    assert seen_from(figure, [figure.rest], "side") == pytest.approx(left, abs=1e-6)


def test_a_person_that_has_turned_away_is_seen_from_where_it_faces_now(mannequin: posable.Figure) -> None:
    for degrees, seen in ((50, 0), (-50, 0), (70, 90), (-100, -90), (180, 180)):
        front = front_of(mannequin, [standing_at(mannequin, degrees)])
        assert front == pytest.approx(about_y(seen) @ (0, 0, 1), abs=1e-12), degrees


def test_a_film_is_seen_from_where_most_of_it_faces(mannequin: posable.Figure) -> None:
    away = [standing_at(mannequin, degrees) for degrees in (0, 170, 180, 190)]
    assert front_of(mannequin, away) == pytest.approx((0, 0, -1))
    round_about = [standing_at(mannequin, degrees) for degrees in range(0, 360, 30)]
    assert front_of(mannequin, round_about) == pytest.approx((0, 0, 1)), "of all directions none: as at rest"
    lying = with_root(mannequin, wxyz_about(np.array([1.0, 0, 0]), np.pi / 2))
    assert front_of(mannequin, [lying]) == pytest.approx((0, 0, 1))


def test_what_has_no_body_is_seen_as_ever() -> None:
    arm = posable.figure("arm6")
    assert front_of(arm, [arm.rest]) is None
