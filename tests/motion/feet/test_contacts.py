"""Soles, contacts and the measures of feet: on posable's own walk, with noise, in any unit, and on recordings."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from motion.feet.ladder import ladder_climb

import posable
from posable.clips import Clip
from posable.errors import SkeletonError, TerrainError, UnknownJointError
from posable.figures import Figure
from posable.figures.rebuild import scaled
from posable.motion.feet import Terrain, contacts, foot_metrics, soles
from posable.motion.feet.contact_detection import percentile, runs


@cache
def _walk(fps: float) -> tuple[Figure, Clip]:
    figure = posable.figure("mannequin")
    return figure, posable.walk(figure, "human", steps=6, fps=fps)


def _score(found: np.ndarray, truth: np.ndarray) -> float:
    """The F1 score."""
    return float(2 * (found & truth).sum() / (found.sum() + truth.sum()))


def test_the_skin_says_where_the_sole_is() -> None:
    figure = posable.figure("mannequin")
    left, right = soles(figure)
    assert (left.joints, left.foot, left.toes) == (("thigh_l", "shin_l", "foot_l"), "foot_l", "toe_l")
    lowest = min(skin.deform(figure.rest)[:, 1].min() for skin in figure.skins)
    for sole in (left, right):
        assert sole.corner_places(figure.rest)[:, 1] == pytest.approx(np.full(4, lowest), abs=1e-6)
        assert sole.heel_places(figure.rest)[1] == pytest.approx(lowest, abs=1e-6)
        assert sole.ball_places(figure.rest) == pytest.approx(
            figure.rest.origins[figure.skeleton.index(sole.toes or "")]
        )
        assert sole.ball_height == pytest.approx(sole.ball_places(figure.rest)[1] - lowest)
        assert sole.heel_places(figure.rest)[2] < sole.ball_places(figure.rest)[2] < sole.toe_places(figure.rest)[2]
        frame = figure.rest.world_from_joint[figure.skeleton.index(sole.foot)]
        assert frame[:3, :3] @ sole.flat == pytest.approx([0, 1, 0])
    assert right.corner_places(figure.rest)[:, 0].max() < 0 < left.corner_places(figure.rest)[:, 0].min()
    hip = figure.rest.origins[figure.skeleton.index("thigh_l")]
    assert left.length == pytest.approx(hip[1] - lowest, rel=0.02)


def test_without_a_skin_the_ball_is_on_the_ground() -> None:
    figure = posable.figure("mannequin")
    sole = soles(figure.skeleton, ["foot_r"])[0]
    assert sole.ball_height == 0
    assert sole.heel_places(figure.rest)[1] == pytest.approx(sole.ball_places(figure.rest)[1])
    assert sole.heel_places(figure.rest)[2] < figure.rest.origins[figure.skeleton.index("foot_r")][2]


@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_contacts_are_found_through_a_centimetre_of_noise(fps: float) -> None:
    figure, clip = _walk(fps)
    clean = contacts(clip, figure=figure)
    found = []
    for seed in range(4):
        q = np.array(clip.q)
        q[:, :3] += 0.01 * np.random.default_rng(seed).standard_normal((len(q), 3))
        found.append(contacts(replace(clip, q=q), figure=figure))
    assert _score(np.array([noisy.any for noisy in found]), np.array([clean.any] * 4)) >= 0.97
    assert _score(np.array([noisy.ball for noisy in found]), np.array([clean.ball] * 4)) >= 0.96


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_units_do_not_matter(factor: float) -> None:
    figure, clip = _walk(30.0)
    large = scaled(replace(figure, clips=(clip,), source=None), factor)  # type: ignore[arg-type]
    a, b = contacts(clip, figure=figure), contacts(large.clips[0], figure=large)
    assert np.array_equal(a.ball, b.ball) and np.array_equal(a.heel, b.heel) and np.array_equal(a.toe, b.toe)
    small, big = foot_metrics(clip, figure=figure), foot_metrics(large.clips[0], figure=large)
    assert vars(big) == pytest.approx(vars(small), rel=1e-3, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("name", ["cmu_12_01_walk.bvh", "cmu_02_01.bvh"])
def test_recorded_walks_keep_the_stance_law(shared: Path, name: str) -> None:
    """64.2 − 10.28 v / √(gL) % of the stride, to 3 points."""
    clip = posable.load(shared / "mocap" / name).clips[0]
    found = contacts(clip)
    way = clip.poses.origins[-1, 0] - clip.poses.origins[0, 0]
    speed = np.hypot(way[0], way[2]) / clip.seconds / found.soles[0].scale
    law = 0.642 - 0.1028 * speed / np.sqrt(9.81 * 0.88)
    assert found.stance_share == pytest.approx(np.full(2, law), abs=0.03)


LABELS = json.loads((Path(__file__).parents[2] / "data/contacts/stances.json").read_text())


@pytest.mark.parametrize("name", LABELS)
def test_stances_labelled_by_hand_are_found(shared: Path, name: str) -> None:
    """Uneven ground with steps of half a metre, and a jump on the level."""
    clip = posable.load(shared / name).clips[0]
    found = contacts(clip)
    truth = np.zeros((2, len(clip)), bool)
    for foot, sole in enumerate(found.soles):
        for start, end in LABELS[name][sole.name]:
            truth[foot, start:end] = True
    assert _score(found.any, truth) >= 0.9


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_rungs_of_a_step_ladder_are_touched(together: bool, noise: float) -> None:
    """Of 25 cm, up and down again."""
    figure, clip, truth = ladder_climb(together=together)
    q = np.array(clip.q)
    q[:, :3] += noise * np.random.default_rng(1).standard_normal((len(q), 3))
    assert _score(contacts(replace(clip, q=q), figure=figure).any, truth) >= 0.9


@pytest.mark.parametrize("rise", [0.17, 0.25, -0.2])
def test_stairs_are_touched_though_nobody_tells_of_them(rise: float) -> None:
    figure = posable.figure("mannequin")
    stairs = Terrain.stairs(rise, 0.3, 6, start=(0, 0, 0.8))
    clip = posable.walk(figure, steps=10, terrain=stairs)
    truth = contacts(clip, stairs, figure=figure)
    q = np.array(clip.q)
    q[:, :3] += 0.01 * np.random.default_rng(1).standard_normal((len(q), 3))
    found = contacts(replace(clip, q=q), figure=figure)
    assert _score(found.any, truth.any) >= 0.97
    assert _score(found.ball, truth.ball) >= 0.95


def test_a_foot_held_up_beside_a_standing_one_touches_nothing() -> None:
    """For two seconds, quite still, after both had stood."""
    figure = posable.figure("mannequin")
    frames = np.arange(150)
    lift = 0.3 * np.clip(np.minimum(frames - 30, 120 - frames) / 15, 0, 1)
    goals = []
    for name, raised in (("foot_l", lift), ("foot_r", 0 * lift)):
        frame = np.tile(figure.rest.world_from_joint[figure.skeleton.index(name)], (150, 1, 1))
        frame[:, 1, 3] += raised
        goals.append(posable.Place(name, frame))
    clip = posable.track(figure.rest, goals, fps=30.0, frozen=["root"])
    found = contacts(clip, figure=figure)
    assert not found.any[0, 40:110].any()
    assert found.any[1].all()


def test_who_stands_on_tiptoe_all_the_time_touches_with_no_heel() -> None:
    figure = posable.figure("mannequin")
    sole = soles(figure)[0]
    foot = figure.rest.world_from_joint[figure.skeleton.index(sole.foot)]
    tilt = posable.spatial.matrix_from_wxyz(posable.spatial.wxyz_about(np.array([1.0, 0.0, 0.0]), np.radians(50)))
    turned, ball = np.eye(4), sole.ball_places(figure.rest)
    turned[:3, :3] = tilt @ foot[:3, :3]
    turned[:3, 3] = ball + tilt @ (foot[:3, 3] - ball)  # about the ball
    goals = [posable.Place(sole.foot, turned), posable.Place("foot_r", _frame(figure, "foot_r"))]
    solution = posable.solve(figure.rest, goals)
    assert solution.status is posable.Status.REACHED, solution.describe()
    found = contacts(Clip(figure.skeleton, np.repeat(solution.pose.q[None], 90, axis=0), 30.0))
    assert not found.heel[0].any() and found.ball[0].all()
    assert found.heel[1].all() and found.ball[1].all()


def _frame(figure: Figure, joint: str) -> np.ndarray:
    return np.array(figure.rest.world_from_joint[figure.skeleton.index(joint)])


def test_a_sliding_foot_is_measured_as_it_slides() -> None:
    """The whole figure, standing, drawn along at 20 cm/s for a leg of 0.88 m, slides at just that."""
    figure = posable.figure("mannequin")
    scale = soles(figure)[0].scale
    q = np.tile(figure.rest.q, (61, 1))
    q[:, 2] += 0.2 * scale * np.arange(61) / 30
    slid = foot_metrics(Clip(figure.skeleton, q, 30.0), figure=figure)
    assert slid.skate == pytest.approx(0.2)
    assert slid.physdiff_skate == pytest.approx(0.2 / 30)
    assert slid.drift == slid.drift_most == pytest.approx(0.2)
    assert slid.gmd_skating_ratio == 0
    assert (slid.contacts, slid.physdiff_penetrate, slid.physdiff_float) == (2, 0.0, pytest.approx(0.0, abs=1e-9))
    q[:, 2] = figure.rest.q[2] + 0.7 * scale * np.arange(61) / 30
    fast = foot_metrics(Clip(figure.skeleton, q, 30.0), figure=figure)
    assert fast.gmd_skating_ratio > 0.9  # all but the ends, where the window runs out
    assert fast.contacts == 0 and np.isnan(fast.skate) and np.isnan(fast.drift)


def test_penetration_and_floating_are_against_the_terrain() -> None:
    figure = posable.figure("mannequin")
    clip = Clip(figure.skeleton, np.tile(figure.rest.q, (5, 1)), 30.0)
    sole = soles(figure)[0]
    floor = float(sole.corner_places(figure.rest)[:, 1].min())
    sunk = foot_metrics(clip, Terrain.plane(floor + 0.03 * sole.scale), figure=figure)
    assert (sunk.physdiff_penetrate, sunk.physdiff_float) == (pytest.approx(0.025, rel=1e-2), 0.0)
    hovering = foot_metrics(clip, Terrain.plane(floor - 0.03 * sole.scale), figure=figure)
    assert (hovering.physdiff_penetrate, hovering.physdiff_float) == (0.0, pytest.approx(0.025, rel=1e-2))


def test_edge_pfc_is_large_where_a_body_turns_in_the_air() -> None:
    figure, clip = _walk(30.0)
    q = np.array(clip.q)
    q[:, 0] += 0.1 * np.sin(np.arange(len(q)))  # the feet go with the body: nothing pushes it
    assert foot_metrics(replace(clip, q=q), figure=figure).edge_pfc > 3 * foot_metrics(clip, figure=figure).edge_pfc


def test_runs() -> None:
    assert runs(np.array([True, True, False, True])) == [(0, 2), (3, 4)]
    assert runs(np.zeros(3, bool)) == []


@pytest.mark.parametrize("frames", [1, 2, 3, 9])
def test_short_clips(frames: int) -> None:
    figure, clip = _walk(30.0)
    short = replace(clip, q=clip.q[:frames])
    assert contacts(short, figure=figure).ball.shape == (2, frames)
    assert foot_metrics(short, figure=figure).contacts >= 0


def test_each_refusal_says_what_is_wrong() -> None:
    figure, clip = _walk(30.0)
    with pytest.raises(SkeletonError, match="this figure has no legs that posable can find; name their joints"):
        soles(posable.figure("snake"))
    with pytest.raises(SkeletonError, match="'hand_l' belongs to no leg; the legs end in toe_l, toe_r"):
        soles(figure, ["hand_l"])
    with pytest.raises(UnknownJointError, match="no joint is called 'hoof'"):
        soles(figure, ["hoof"])
    with pytest.raises(TerrainError, match=r"the terrain has z up and the figure y; make the terrain with up='y'"):
        contacts(clip, Terrain.plane(up="z"), figure=figure)
    small = Terrain.field(np.zeros((2, 2)), 0.1)
    with pytest.raises(TerrainError, match=r"there is no ground under leg_l at frame \d+ \(.*\); repair the terrain"):
        contacts(clip, small, figure=figure)


@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_percentiles_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).standard_normal(count)
    for percent in (0, 2, 10, 50, 97.5, 100):
        assert percentile(values, percent) == pytest.approx(float(np.percentile(values, percent)), abs=1e-14)


@pytest.mark.parametrize("off", [(0.03, 0.04), (-0.06, 0.0), (0.0, 0.0)])
def test_a_robots_foot_points_along_its_sole_wherever_its_ankle_is(tmp_path: Path, off: tuple[float, float]) -> None:
    """OP3's feet pointed 28° out, the Berkeley humanoid's back."""
    legs = "".join(
        f'<body name="{side}_hip" pos="0 {y} 0"><joint axis="0 1 0"/><geom size="0.05"/>'
        f'<body name="{side}_knee" pos="0 0 -0.4"><joint axis="0 1 0"/><geom size="0.05"/>'
        f'<body name="{side}_ankle" pos="0 0 -0.4"><joint axis="0 1 0"/>'
        f'<geom type="box" size="0.1 0.04 0.01" pos="{off[0]} {np.sign(y) * off[1]} -0.05"/></body></body></body>'
        for side, y in (("left", 0.1), ("right", -0.1))
    )
    model = f'<body name="pelvis" pos="0 0 1"><freejoint/><geom size="0.1"/>{legs}</body>'
    (tmp_path / "robot.xml").write_text(f"<mujoco><worldbody>{model}</worldbody></mujoco>")
    for sole in soles(posable.load(tmp_path / "robot.xml")):
        assert sole.heel is not None
        np.testing.assert_allclose(sole.ball - sole.heel, (0.2, 0.0, 0.0), atol=1e-9)
