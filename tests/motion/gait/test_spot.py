"""Turning in place: by the angle, on feet that stand, inner leg first, clear of each other; and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from motion.gait.measuring import Shown, shown, standing
from scipy.spatial import KDTree

import posable
from posable import PosableError, Terrain, walk
from posable.motion import foot_metrics
from posable.skeleton import Pose
from posable.spatial import matrix_from_wxyz


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def turned(seen: Shown, poses: Pose) -> np.ndarray:
    """`[frame]` radians to the left that the pelvis is turned from its first frame, in the figure's directions."""
    world = poses.world_from_joint[:, seen.body.pelvis, :3, :3]
    own = seen.body.to_body @ (world @ world[0].T) @ seen.body.to_body.T
    return np.unwrap(np.arctan2(own[:, 0, 2], own[:, 2, 2]))


@pytest.mark.parametrize("degrees", [180, -90, 30, 400, 0])
def test_a_turn_is_as_far_as_told_and_goes_nowhere(mannequin: posable.Figure, degrees: float) -> None:
    clip = walk(mannequin, turn=degrees, fps=60)
    seen = shown(mannequin, clip)
    angle = turned(seen, clip.poses)
    assert angle[-1] == pytest.approx(np.radians(degrees), abs=1e-6)
    round_up = matrix_from_wxyz(np.array([np.cos(angle[-1] / 2), 0, np.sin(angle[-1] / 2), 0]))
    for joint in ("root", "chest", "head", "hand_l", "hand_r", "foot_l", "toe_r"):
        first, last = clip.poses.world_from_joint[[0, -1], mannequin.skeleton.index(joint), :3, :3]
        np.testing.assert_allclose(last, round_up @ first, atol=1e-6)
    away = np.linalg.norm((seen.of("hips") - seen.of("hips")[0])[:, [0, 2]], axis=1)
    assert away.max() < 0.03
    assert away[-1] < 1e-9


@pytest.mark.parametrize("gait", ["human", "limp", "sad", "sneaky", "zombie"])
def test_feet_stand_and_limits_hold_while_a_figure_turns(mannequin: posable.Figure, gait: str) -> None:
    for degrees in (180, -60, 10):
        clip = walk(mannequin, gait, turn=degrees, fps=60)
        feet = foot_metrics(clip, figure=mannequin)
        assert feet.contacts >= 4
        assert feet.skate <= 1e-3 and feet.drift <= 1e-3
        seen = shown(mannequin, clip)
        assert seen.lowest.min() > -1e-3
        for sole in seen.soles:
            assert standing(sole).mean() > 0.6
        assert np.abs(clip.poses.minus(clip.poses.clamped())).max() < 1e-9


@pytest.mark.parametrize("degrees", [90, -90, 170, -350])
def test_the_inner_leg_leads_and_feet_keep_clear_of_each_other(mannequin: posable.Figure, degrees: float) -> None:
    clip = walk(mannequin, turn=degrees, fps=60)
    seen = shown(mannequin, clip)
    lifts = [int(np.argmin(standing(sole))) for sole in seen.soles]
    assert (lifts[0] < lifts[1]) == (degrees > 0)
    skin = mannequin.skins[0]
    strongest = np.take_along_axis(skin.joints, np.argmax(skin.weights, axis=1)[:, None], axis=1)[:, 0]
    feet = [
        np.isin(strongest, [mannequin.skeleton.index(f"{part}_{side}") for part in ("foot", "toe")]) for side in "lr"
    ]
    for pose in clip.poses[::6]:
        left, right = (np.asarray(skin.deform(pose))[foot] for foot in feet)
        assert KDTree(left).query(right)[0].min() > 0.03  # metres


def test_a_turn_takes_as_many_steps_as_told(mannequin: posable.Figure) -> None:
    for steps in (None, 6, 9):
        clip = walk(mannequin, turn=160, steps=steps, fps=60)
        seen = shown(mannequin, clip)
        landings = [int((np.diff(standing(sole).astype(int)) > 0).sum()) for sole in seen.soles]
        assert sum(landings) == (steps or 5)


def test_a_turn_stands_on_a_slope(mannequin: posable.Figure) -> None:
    terrain = Terrain.slope(6)
    clip = walk(mannequin, terrain=terrain, turn=-135, fps=60)
    seen = shown(mannequin, clip)
    for sole in seen.soles:
        gap = terrain.gap((sole * seen.body.length) @ seen.body.to_body + seen.body.origin)
        assert gap.min() > -0.005
        assert np.sum(np.abs(gap).max(axis=1) < 2e-3) > 0.4 * len(clip)
    assert turned(seen, clip.poses)[-1] == pytest.approx(np.radians(-135), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "gait"), [("Knight", "human"), ("Fox", "wolf"), ("Q_Spider", "spider")])
def test_other_peoples_figures_turn(shared: Path, name: str, gait: str) -> None:
    figure = posable.load(shared / f"characters/{name}.glb")
    clip = walk(figure, gait, turn=90, fps=60)
    seen = shown(figure, clip)
    assert turned(seen, clip.poses)[-1] == pytest.approx(np.pi / 2, abs=1e-6)
    assert seen.lowest.min() > -1e-3
    for sole in seen.soles:
        assert 0.5 < standing(sole, 1e-5).mean() < 0.95


@pytest.mark.parametrize(
    ("how", "named"),
    [
        ({"path": [[0, 0], [0, 1]]}, "path"),
        ({"backwards": True}, "backwards"),
        ({"starts": False}, "a loop"),
        ({"stops": False, "backwards": True}, "backwards and a loop"),
        ({"gait": "plain"}, "the quadratic form"),
    ],
)
def test_what_does_not_go_with_a_turn_is_refused(mannequin: posable.Figure, how: dict, named: str) -> None:
    with pytest.raises(PosableError, match=rf"does not travel; leave out turn=90, or {named}$"):
        walk(mannequin, turn=90, **how)


def test_a_turn_that_cannot_be_meant_is_refused(mannequin: posable.Figure) -> None:
    for turn in (float("nan"), 1e6, "round", True):
        with pytest.raises(PosableError, match="turn must be degrees from -36,000 to 36,000, not"):
            walk(mannequin, turn=turn)  # type: ignore[arg-type]
    with pytest.raises(PosableError, match="a turn by 180° takes at least 6 steps, not 2; leave steps out"):
        walk(mannequin, turn=180, steps=2)
