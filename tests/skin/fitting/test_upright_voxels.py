"""Solids set upright: which planes lie between left and right, and what speaks against a stage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import posable
from posable.skin.fitting.fit_mesh import _of_stage
from posable.skin.fitting.template import score_of
from posable.skin.fitting.upright_voxels import Stage, stages
from posable.skin.solid import Solid

CORNER = posable.Mesh(np.eye(3), np.array([[0, 1, 2]]))


def animal() -> list[Stage]:
    """The stages of a body along z that is higher ahead; its left and right are images of one another."""
    inside = np.zeros((16, 24, 44), np.bool_)
    inside[3:13, 10:14, 2:42] = True
    inside[3:13, 14:22, 30:42] = True
    return list(stages(Solid(inside, np.zeros_like(inside), np.zeros(3), 1.0), "y"))


def facing(found: list[Stage], axis: int) -> Stage:
    return next(stage for stage in found if abs(stage.basis[2, axis]) == 1)


def against(stage: Stage) -> float:
    """The score that is left by what is said of facing sideways."""
    return score_of(one for one in _of_stage(CORNER, stage, "y", 1.0) if "sideways" in one.doubt)


def test_a_stage_knows_how_alike_the_sides_of_the_other_plane_are() -> None:
    found = animal()
    ahead, aside = facing(found, 2), facing(found, 0)
    assert ahead.symmetry == 1 and aside.symmetry < 0.9
    assert (ahead.rival, aside.rival) == (aside.symmetry, ahead.symmetry)


def test_a_plane_between_front_and_back_that_are_more_alike_costs_score() -> None:
    """A walking panda stood between two planes of 0.85 and 0.71 of its volume, and was taken to face sideways."""
    found = animal()
    assert against(facing(found, 2)) == 1
    assert against(facing(found, 0)) < 0.8


def test_a_little_more_symmetry_across_the_other_plane_costs_nothing() -> None:
    """Of people mid-stride front and back may be as alike as left and right."""
    stage = animal()[0]
    assert against(replace(stage, symmetry=0.8, rival=0.88)) == 1
    assert against(replace(stage, symmetry=0.7, rival=0.88)) < 1
