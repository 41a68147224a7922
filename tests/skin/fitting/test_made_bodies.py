"""Skeletons fitted into bodies that were made from numbers, so that it is known where their joints are."""

from __future__ import annotations

import pytest

from benchmarks import made_bodies, skeleton_fitting
from benchmarks.made_surface import Made
from posable.skin import TemplateFit, fit_template


def fitted(made: Made, template: str) -> tuple[TemplateFit, dict[str, float]]:
    """The fit, and each role's distance from the truth in percent of the height."""
    fit = fit_template(made.mesh, template)
    case = skeleton_fitting.Case(made.name, made.mesh, template, made.places)
    return fit, skeleton_fitting.errors(case, fit.skeleton)


def test_arms_that_are_held_unevenly_keep_their_hands() -> None:
    fit, off = fitted(made_bodies.person(64), "biped")
    assert max(off["hand_l"], off["hand_r"], off["lower_arm_l"]) < 5 and fit.score > 0.7, off


def test_a_broad_pelvis_over_short_legs_is_no_skirt() -> None:
    fit, off = fitted(made_bodies.person(2), "biped")
    assert off["upper_leg_l"] < 5 and off["hips"] < 5, off
    assert any("skirt" in doubt for doubt in fit.doubts)  # it is not sure


def test_hips_under_a_skirt_with_a_round_hem_are_doubted() -> None:
    fit, off = fitted(made_bodies.person(300), "biped")
    assert off["hips"] < 8 or any("hips" in doubt for doubt in fit.doubts), off


@pytest.mark.parametrize("seed", [21, 22])
def test_a_long_neck_ends_where_the_head_begins(seed: int) -> None:
    made = made_bodies.animal(seed)
    assert "long neck" in made.told
    _, off = fitted(made, "quadruped")
    assert off["head"] < 5 and off["neck"] < 5 and off["lower_leg_l"] < 12, off


def test_the_same_seed_makes_the_same_body() -> None:
    one, again = made_bodies.person(5), made_bodies.person(5)
    assert (one.mesh.vertices == again.mesh.vertices).all() and one.places.keys() == again.places.keys()
    assert {"hand_l", "foot_r", "hips", "head"} <= one.places.keys()
