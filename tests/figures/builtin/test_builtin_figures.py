"""Finding the built-in figures by name, and what all of them have."""

from __future__ import annotations

import re

import numpy as np
import pytest

import posable
from posable.errors import UnknownFigureError
from posable.figures.builtin import FIGURES

NAMES = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")


def test_the_names_are_those_of_the_interface() -> None:
    assert tuple(FIGURES) == NAMES
    assert all(make.__doc__ for make in FIGURES.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_made_once_and_shows_something(name: str) -> None:
    figure = posable.figure(name)
    assert figure is posable.figure(name)
    assert figure.name == name
    assert figure.skins or figure.shapes
    assert figure.skeleton.up == ("z" if name.startswith("arm") else "y")


@pytest.mark.parametrize("name", NAMES)
def test_the_rest_pose_is_within_the_limits(name: str) -> None:
    rest = posable.figure(name).rest
    assert np.array_equal(rest.clamped().q, rest.q)


@pytest.mark.parametrize("name", ["mannequin", "snake", "tentacle"])
def test_a_skin_at_rest_is_its_vertices_and_stays_finite_in_any_pose(name: str) -> None:
    figure = posable.figure(name)
    (skin,) = figure.skins
    assert np.abs(skin.deform(figure.rest) - skin.vertices).max() < 1e-6
    assert skin.colors is not None and skin.colors.min() >= 0 and skin.colors.max() <= 1
    poses = posable.Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(1), (20,)))
    moved = skin.deform(poses)
    assert np.isfinite(moved).all()
    assert np.abs(moved - poses.origins[:, :1]).max() < 1.2 * figure.skeleton.reach


@pytest.mark.parametrize("name", ["mannequin", "snake", "tentacle"])
def test_skin_weights_are_a_blend_of_at_most_four_joints(name: str) -> None:
    (skin,) = posable.figure(name).skins
    assert skin.weights.shape[1] <= 4
    assert skin.weights.min() >= 0
    assert np.abs(skin.weights.sum(axis=1) - 1).max() < 1e-6
    blended = ((skin.weights > 0.05).sum(axis=1) > 1).mean()
    assert blended == 0.0 if name == "mannequin" else blended > 0.1, "wood does not bend"


def test_an_unknown_name_is_answered_with_the_near_ones_and_all() -> None:
    with pytest.raises(
        UnknownFigureError, match=r"^no built-in figure is called 'manequin'; did you mean mannequin\?"
    ) as e:
        posable.figure("manequin")
    assert e.value.near == ("mannequin",)
    assert isinstance(e.value, ValueError)
    assert ", ".join(NAMES) in str(e.value)
    with pytest.raises(UnknownFigureError, match=re.escape(f"'zzz'; choose from {', '.join(NAMES)}")):
        posable.figure("zzz")
