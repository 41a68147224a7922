"""Skeletons fitted into people in less usual poses and states: arms that bend or stand off, legs that are cut off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from skin.fitting.test_fit_template import human

import posable
from benchmarks import warped_people
from benchmarks.skeleton_fitting import Case, artists_roles, errors
from posable.skin import fit_template
from posable.skin.fitting import arms
from posable.skin.fitting.chain import Tube


@pytest.mark.slow
def test_a_forearm_that_stands_across_its_upper_arm_is_no_thing_held(shared: Path) -> None:
    """It was left out like a club in a fist, and the arms were placed by proportion, 19 % of the height off."""
    figure = posable.load(shared / "characters/MH_game_engine.glb")
    bent = warped_people.Warped(
        figure, posable.load_mesh(shared / "characters/MH_game_engine.glb"), artists_roles(figure)
    )
    mesh, places = bent.warped(np.random.default_rng([1, *b"MH_game_engine"]))
    fit = fit_template(mesh, "biped")
    off = errors(Case("bent", mesh, "biped", places), fit.skeleton)
    assert max(off[f"{part}_{side}"] for part in ("lower_arm", "hand") for side in "lr") < 5, off
    assert fit.score > 0.7, fit.doubts


def tube(half: np.ndarray, line: np.ndarray, own: np.ndarray) -> Tube:
    """A limb along a line, from its tip on, of the voxels `own`."""
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    return Tube(along, line, np.full(len(line), 9.0), len(line) - 1, 9.0, 1.0, own[half])


@pytest.mark.parametrize(("likelihood", "tip", "stands"), [(0.4, (18, 9), True), (0.1, (18, 9), False),
                                                           (0.4, (14, 0), False), (0.4, (18, 28), False)])  # fmt: skip
def test_no_arm_hangs_where_one_stands_off(likelihood: float, tip: tuple[int, int], stands: bool) -> None:
    """A limb that is hardly an arm, one that goes down and one over the shoulder (an ear) do not count."""
    half = np.ones((20, 30, 5), np.bool_)
    band = np.zeros_like(half)
    band[15:, 4:12] = True
    root, end = np.array([8.0, 10.0, 2.0]), np.array([*tip, 2.0])
    line = np.linspace(end, root, 9)
    limb = arms.Arm(tube(half, line, half), likelihood)
    hanging = arms.Arm(tube(half, line, band), 0.55)
    assert arms._stands_off(limb, hanging, half) == stands


@pytest.mark.slow
def test_legs_that_are_cut_off_are_doubted() -> None:
    """A person cut off at the knees was fitted with a score of 1, its feet at its knees."""
    mesh, up = human(), "xyz".index(human().up)
    middles = mesh.vertices[mesh.faces].mean(axis=1)[:, up]
    low, high = mesh.vertices[:, up].min(), mesh.vertices[:, up].max()
    cut = posable.Mesh(mesh.vertices, mesh.faces[middles > low + 0.28 * (high - low)], "cut", up=mesh.up)
    fit = fit_template(cut, "biped")
    assert any("no foot" in doubt for doubt in fit.doubts) and fit.score < 0.7, (fit, fit.doubts)
    assert not any("no foot" in doubt for doubt in fit_template(mesh, "biped").doubts)


@pytest.mark.parametrize("seed", range(6))
def test_warped_people_keep_their_joints_inside_and_their_left_on_the_left(seed: int) -> None:
    figure = posable.figure("mannequin")
    mesh = posable.Mesh.of(figure.skins[0])
    shown, places = warped_people.Warped(figure, mesh, artists_roles(figure)).warped(np.random.default_rng(seed))
    up = np.eye(3)["xyz".index(shown.up)]
    across = places["upper_leg_l"] - places["upper_leg_r"]
    toes = places["toes_l"] - places["foot_l"] + places["toes_r"] - places["foot_r"]
    assert np.cross(across, up) @ toes > 0
    assert (
        np.abs(places["hips"] - (shown.vertices.min(0) + shown.vertices.max(0)) / 2) < np.ptp(shown.vertices, 0)
    ).all()
