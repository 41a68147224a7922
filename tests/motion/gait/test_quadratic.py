"""The plain planar form: parabolas, a pinned toe, roles that swap, knees that never bend backward."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable import Gait, PosableError, Terrain, walk
from posable.motion import planar_walker
from posable.motion.gait.planar import QuadraticGait, quadratic

LENGTHS = {"thigh": 0.45, "shin": 0.43, "foot": 0.15}


@pytest.fixture
def plain() -> QuadraticGait:
    return QuadraticGait.of(Gait.load("plain"), 0.6, **LENGTHS)


def test_a_quadratic_goes_through_its_three_points() -> None:
    rng = np.random.default_rng(0)
    begin, end, value = rng.normal(size=(3, 50))
    share = rng.uniform(0.05, 0.95, 50)
    for at, wanted in ((0.0, begin), (share, value), (1.0, end)):
        np.testing.assert_allclose(quadratic(begin, end, share, value, at), wanted, atol=1e-12)
    thirds = np.linspace(0, 1, 5)[:, None]
    assert np.abs(np.diff(quadratic(begin, end, share, value, thirds), 3, axis=0)).max() < 1e-9
    with pytest.raises(PosableError, match=r"the share of the step .* must be between 0 and 1"):
        quadratic(0, 1, 1.0, 0.5, 0.2)


def test_the_standing_toe_is_pinned_and_the_other_lands_a_step_ahead(plain: QuadraticGait) -> None:
    frames = 20
    angles, toes, hip = plain.frames(4, frames)
    assert angles.shape == (81, 2, 2) and toes.shape == (81, 2, 2) and hip.shape == (81, 2)
    for step in range(4):
        own = toes[step * frames : (step + 1) * frames, step % 2]
        np.testing.assert_allclose(own, np.broadcast_to(((step + 1) * 0.6, 0.0), own.shape), atol=1e-12)
    for step in range(1, 5):  # as a step begins both toes are on the ground, a step apart
        at = toes[step * frames]
        np.testing.assert_allclose(np.sort(at[:, 0]), (step * 0.6, (step + 1) * 0.6), atol=1e-12)
        np.testing.assert_allclose(at[:, 1], 0.0, atol=1e-12)


def test_roles_swap_without_a_jump(plain: QuadraticGait) -> None:
    angles, _, hip = plain.frames(3, 60)
    assert np.abs(np.diff(angles, axis=0)).max() < 0.08
    assert np.abs(np.diff(hip, axis=0)).max() < 0.04
    np.testing.assert_allclose(angles[60, 0], angles[0, 1], atol=1e-12)


def test_knees_never_bend_backward(plain: QuadraticGait) -> None:
    angles, _, _ = plain.frames(2, 100)
    assert np.all(angles[..., 1] < angles[..., 0])
    with pytest.raises(
        PosableError,
        match=r"the knee of the swinging leg would bend backward at 0\.\d\d of the step; let the swinging thigh",
    ):
        QuadraticGait.of(Gait.load("plain").with_(swing_shin=(0.5, -20.0)), 0.6, **LENGTHS).frames(1, 20)


@pytest.mark.parametrize("figure", [planar_walker(), posable.figure("mannequin")], ids=["planar", "mannequin"])
def test_figures_walk_in_the_plain_form(figure: posable.Figure) -> None:
    clip = walk(figure, "plain", 3)
    body_toe = "toe_r" if "toe_r" in figure.skeleton.joints else "foot_r"
    joint = figure.skeleton.index(body_toe)
    tip = figure.skeleton.definitions[joint].tips[0]
    low = 0.0 if body_toe == "foot_r" else 0.022 - 0.0
    places = clip.poses.world_from_joint[:, joint]
    points = places[:, :3, :3] @ np.array(tip) + places[:, :3, 3]
    frames = (len(clip) - 1) // 3
    first = points[:frames]
    assert np.linalg.norm(first - first[0], axis=1).max() < (1e-9 if low == 0.0 else 0.012)
    assert clip.poses.origins[-1, 0, 2] - clip.poses.origins[0, 0, 2] > 1.2


def test_the_plain_form_is_for_level_ground() -> None:
    with pytest.raises(PosableError, match="the quadratic form walks straight ahead on level ground"):
        walk(planar_walker(), "plain", terrain=Terrain.slope(5))
