"""Skeletons fitted into people in less usual poses and states: arms that bend or stand off, legs that are cut off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from skin.fitting.test_fit_template import body, human

import posable
from benchmarks import posed_bodies, warped_people
from benchmarks.skeleton_fitting import Case, artists_roles, errors
from posable.skin import fit_template
from posable.skin.fitting import arms, legs
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


def test_a_sleeve_wider_than_the_arm_is_no_shoulder() -> None:
    """It ended the arm: shoulders of people in short sleeves were 5 % of the height too far out."""
    line = np.linspace((0.0, 9.0, 2.0), (20.0, 9.0, 2.0), 21)
    limb = replace(tube(np.ones((1, 1, 1), np.bool_), line, np.ones((1, 1, 1), np.bool_)), opening=10)
    sleeved = replace(limb, areas=np.r_[np.full(10, 9.0), np.full(5, 15.0), np.full(6, 90.0)])
    trunk = replace(limb, areas=np.r_[np.full(10, 9.0), np.full(11, 90.0)])
    assert arms._sleeve(sleeved) == 4 and arms._sleeve(trunk) == 0


def on_legs(rows: int, wide: int, slope: float) -> np.ndarray:
    """`[across, up, ahead]` half of a trunk on columns without feet, so high and wide, that lean back downwards."""
    half = np.zeros((wide + 4, 3 * rows, 120), np.bool_)
    half[:, rows:, 50:70] = True
    for row in range(rows):
        back = round(slope * (rows - row))
        half[2 : wide + 2, row, 56 - back : 64 - back] = True
    return half


@pytest.mark.parametrize("slope", [-1.0, 0.0, 1.0])
def test_columns_that_lean_do_not_tell_where_a_figure_looks(slope: float) -> None:
    """Their ends were taken for feet that reach back: mechs whose legs lean were fitted back to front."""
    assert abs(legs.ahead_of(legs.legs_of(on_legs(40, 8, slope)))) < 0.25


def test_hips_over_stumpy_legs_stand_near_the_crotch() -> None:
    """By half the width of legs wider than long, they stood halfway up the belly."""
    for rows, wide in ((30, 12), (15, 20)):
        found = legs.legs_of(on_legs(rows, wide, 0.0))
        over = legs.leg_points(found)["thigh"][1] - found.crotch
        assert abs(found.crotch - rows) < 2 and over == pytest.approx(0.5 * min(wide, 0.6 * found.crotch))


@pytest.mark.slow
def test_a_hat_is_no_limb_that_was_missed() -> None:
    mesh, _ = posed_bodies.POSES["hat"](body())
    assert not any("far from every bone" in doubt for doubt in fit_template(mesh, "biped").doubts)


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
