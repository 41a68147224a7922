"""Planted feet: they stand, on any ground, and the rest of the motion pays little for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.clips import Clip
from posable.errors import PosableError, SkeletonError, TerrainError
from posable.figures import Figure
from posable.figures.rebuild import scaled
from posable.motion.feet import Planting, Terrain, foot_metrics, plant, plant_feet, soles
from posable.motion.feet.contact_detection import runs
from posable.motion.feet.planting import OverGround
from tests.motion.retargeting.test_apart import check_jacobian

FORWARD = (0.0, 0.0, 1.0)


@cache
def _walk() -> tuple[Figure, Clip]:
    """A walk of the mannequin whose feet slide: its root sways and its legs shiver."""
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, "human", steps=5, fps=60.0)
    q, times = np.array(clip.q), clip.times
    q[:, 0] += 0.02 * np.sin(2.6 * times)
    q[:, 2] += 0.03 * np.sin(3.7 * times)
    return figure, replace(clip, q=q)


def _pelvis(found: Planting, source: Clip) -> np.ndarray:
    """`[frame]` how far it was moved, for a leg of 0.88 m."""
    moved = found.clip.poses.origins[:, 0] - source.poses.origins[:, 0]
    return np.linalg.norm(moved, axis=1) / found.contacts.soles[0].scale


def _knees(clip: Clip, found: Planting) -> np.ndarray:
    """`[leg]` the root mean square third derivative of the knees' angles."""
    result = []
    for sole in found.contacts.soles:
        hip, knee, ankle = (clip.poses.origins[:, clip.skeleton.index(joint)] for joint in sole.joints[-3:])
        a, b = hip - knee, ankle - knee
        bend = np.arccos(np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1))
        result.append(np.sqrt(np.mean((np.diff(bend, 3) * clip.fps**3) ** 2)))
    return np.array(result)


def _fast(clip: Clip) -> float:
    """The power of all joints' speeds over 8 Hz."""
    speeds = np.diff(clip.poses.origins, axis=0)
    power = np.abs(np.fft.rfft(speeds * np.hanning(len(speeds))[:, None, None], axis=0)) ** 2
    return float(power[np.fft.rfftfreq(len(speeds), 1 / clip.fps) > 8].sum())


def _turned(clip: Clip, source: Clip, joints: tuple[str, ...]) -> np.ndarray:
    """`[joint]` root mean square degrees."""
    away = clip.poses.minus(source.poses)
    angles = [np.linalg.norm(away[:, list(clip.skeleton.freedom_range(joint))], axis=1) for joint in joints]
    return np.degrees(np.sqrt(np.mean(np.square(angles), axis=1)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cmu_12_01_walk.bvh", "cmu_02_01.bvh", "cmu_02_03.bvh"])
def test_recorded_walks_and_a_jog_stand_and_pay_little(shared: Path, name: str) -> None:
    source = posable.load(shared / "mocap" / name).clips[0]
    found = plant(source)
    before, after = foot_metrics(source), foot_metrics(found.clip)
    assert before.skate > 0.03 and before.drift > 0.005
    assert after.skate < 0.0015 and after.drift < 0.003
    assert _pelvis(found, source).max() < 0.03
    assert _fast(found.clip) < 1.1 * _fast(source)
    assert (_knees(found.clip, found) < (1.8 if name == "cmu_02_03.bvh" else 1.2) * _knees(source, found)).all()
    legs = tuple(joint for sole in found.contacts.soles for joint in sole.joints)
    assert (_turned(found.clip, source, legs) < 3.0).all()
    others = tuple(joint for joint in source.skeleton.joints[1:] if joint not in legs and "oe" not in joint)
    assert _turned(found.clip, source, others) == pytest.approx(np.zeros(len(others)), abs=1e-9)
    assert found.solution.cost_after < 1e-2 * found.solution.cost_before


@pytest.mark.parametrize(
    "name", ["mocap/cmu_03_02.bvh", "mocap_cmu/03_01.bvh", "mocap_cmu/05_02.bvh", "mocap_cmu/martial_03.bvh"]
)
def test_steps_dances_and_long_stances_pay_little(shared: Path, name: str) -> None:
    """Uneven ground; feet that pivot and shift in a stance of five seconds."""
    clip = posable.load(shared / name).clips[0]
    source = replace(clip, q=clip.q[2:302])  # it begins with its rest pose
    found = plant(source)
    assert _pelvis(found, source).max() < 0.03
    assert _fast(found.clip) < 1.15 * _fast(source)


def test_a_long_stance_in_which_feet_shift_is_parted() -> None:
    """Each foot is put 5 cm to its side after five and ten seconds: it stands at three positions, not at their mean."""
    figure = posable.figure("mannequin")
    frames = np.arange(450)
    goals = []
    for name, sign in (("foot_l", 1.0), ("foot_r", -1.0)):
        frame = np.tile(figure.rest.world_from_joint[figure.skeleton.index(name)], (450, 1, 1))
        for start in (150 + 5 * sign, 300 + 5 * sign):
            frame[:, 0, 3] += sign * 0.05 * np.clip((frames - start) / 5, 0, 1)
        goals.append(posable.Place(name, frame))
    clip = posable.track(figure.rest, goals, fps=30.0, frozen=["root"])
    found = plant(clip, figure=figure)
    assert [len(own) for own in found.plants] == [3, 3]
    assert _pelvis(found, clip).max() < 0.005


def test_feet_stand_still_while_they_are_planted() -> None:
    figure, clip = _walk()
    found = plant(clip, figure=figure)
    for sole, plants in zip(found.contacts.soles, found.plants, strict=True):
        for one in plants:
            if one.ball is not None:
                ball = sole.ball_places(found.clip.poses[slice(*one.ball)])
                assert np.linalg.norm(ball - one.place, axis=1).max() < 0.003
    assert foot_metrics(found.clip, figure=figure).skate < 0.3 * foot_metrics(clip, figure=figure).skate


TERRAINS = {
    "level": Terrain.plane(0.3),
    "up 30°": Terrain.slope(30, FORWARD),
    "down 20°": Terrain.slope(-20, FORWARD),
    "across 15°": Terrain.slope(15, (1, 0, 0)),
    "stairs of 25 cm": Terrain.stairs(0.25, 0.72, 9, FORWARD, start=(0, 0, 0.4)),
    "stairs down": Terrain.stairs(-0.17, 0.72, 9, FORWARD, start=(0, 0, 0.4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(TERRAINS))
def test_feet_neither_sink_nor_hover_and_lie_along_the_ground(name: str) -> None:
    """Penetration at most 2 mm, hovering 5 mm, sole to ground 2°, for a leg of 0.88 m."""
    figure, clip = _walk()
    terrain = TERRAINS[name]
    found = plant(clip, terrain, figure=figure)
    poses = found.clip.poses
    for foot, (sole, plants) in enumerate(zip(found.contacts.soles, found.plants, strict=True)):
        assert terrain.gap(sole.corner_places(poses)).min() > -0.002 * sole.scale
        turns = poses.world_from_joint[:, clip.skeleton.index(sole.foot), :3, :3]
        assert found.heel_held[foot].any()
        for one in plants:
            if one.ball is not None:
                hover = terrain.gap(sole.ball_places(poses[slice(*one.ball)])) - sole.ball_height
                assert np.abs(hover).max() < 0.005 * sole.scale
            if one.ball is not None and one.heel is not None:
                both = np.arange(max(one.ball[0], one.heel[0]), min(one.ball[1], one.heel[1]))
                both = both[found.heel_held[foot][both]]
                lean = np.degrees(np.arccos(np.clip(turns[both] @ sole.flat @ one.normal, -1, 1)))
                assert lean.max(initial=0.0) < 2.0


@pytest.mark.parametrize("degrees", [-10, -20])
def test_a_foot_leaves_a_slope_where_it_stood(degrees: float) -> None:
    figure = posable.figure("mannequin")
    terrain, clip = Terrain.slope(degrees), posable.walk(figure, "human", 5)
    found = foot_metrics(plant_feet(clip, terrain, figure=figure), terrain, figure=figure)
    assert found.contacts >= 6
    assert found.drift_most < 0.001


@pytest.mark.slow
def test_a_rough_field_and_the_same_as_a_mesh() -> None:
    figure, clip = _walk()
    rng = np.random.default_rng(1)
    heights = np.cumsum(rng.uniform(-0.02, 0.02, (40, 12)), axis=0)
    field = Terrain.field(heights, 0.25, origin=(-1.4, 0.0, -2.0))
    found = plant(clip, field, figure=figure)
    for sole in found.contacts.soles:
        assert field.gap(sole.corner_places(found.clip.poses)).min() > -0.01
    z, x = np.meshgrid(np.arange(40), np.arange(12), indexing="ij")
    vertices = np.stack([x * 0.25 - 1.4, heights, z * 0.25 - 2.0], axis=-1).reshape(-1, 3)
    first = (12 * z + x)[:-1, :-1].ravel()
    faces = np.concatenate(
        [np.stack([first, first + 12, first + 1], 1), np.stack([first + 1, first + 12, first + 13], 1)]
    )
    same = plant_feet(clip, Terrain.mesh(vertices, faces), figure=figure)
    assert np.abs(same.poses.origins - found.clip.poses.origins).max() < 0.03


def test_the_pelvis_climbs_with_the_ground() -> None:
    figure, clip = _walk()
    up = plant_feet(clip, Terrain.slope(15, FORWARD), figure=figure)
    risen = up.poses.origins[:, 0, 1] - clip.poses.origins[:, 0, 1]
    way = clip.poses.origins[:, 0, 2] * np.tan(np.radians(15))
    assert risen == pytest.approx(way, abs=0.12)
    assert risen[-1] - risen[0] == pytest.approx(way[-1] - way[0], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_units_do_not_matter(factor: float) -> None:
    figure, clip = _walk()
    large = scaled(replace(figure, clips=(clip,), source=None), factor).clips[0]  # type: ignore[arg-type]
    a = plant(clip, Terrain.stairs(0.17, 0.72, 5, start=(0, 0, 0.4)))
    b = plant(large, Terrain.stairs(0.17 * factor, 0.72 * factor, 5, start=(0, 0, 0.4 * factor)))
    assert b.solution.cost_before == pytest.approx(a.solution.cost_before, rel=1e-6)
    for one, other in zip((p for own in a.plants for p in own), (p for own in b.plants for p in own), strict=True):
        assert other.place / factor == pytest.approx(one.place, abs=1e-9)
    assert b.clip.poses.origins / factor == pytest.approx(a.clip.poses.origins, abs=0.02)  # it stops when good enough
    a, b = plant(clip), plant(large)
    assert b.clip.poses.origins / factor == pytest.approx(a.clip.poses.origins, abs=1e-5)


def test_the_slopes_of_depths_are_their_derivatives() -> None:
    figure, clip = _walk()
    poses, terrain = clip.poses[20:60:8], Terrain.slope(20, (1, 0, 2))
    sunk = np.array(poses.q)
    sunk[:, 1] -= 0.05
    rows = OverGround(figure.skeleton, soles(figure), [terrain.ground] * 2, 3.0)
    check_jacobian(rows, posable.Pose(figure.skeleton, sunk))
    deep = np.concatenate([-terrain.gap(sole.corner_places(poses)) for sole in soles(figure)], axis=1)
    np.testing.assert_allclose(rows.violations(poses), np.sqrt(3.0) * deep / figure.skeleton.reach, atol=1e-12)


def test_one_foot_alone() -> None:
    figure, clip = _walk()
    found = plant(clip, feet=["foot_l"], figure=figure)
    assert [sole.name for sole in found.contacts.soles] == ["leg_l"]
    right = list(clip.skeleton.freedom_range("shin_r"))
    assert found.clip.poses.minus(clip.poses)[:, right] == pytest.approx(np.zeros((len(clip), len(right))), abs=1e-12)


def test_a_clip_without_contacts_stays_as_it_is() -> None:
    figure = posable.figure("mannequin")
    q = np.tile(figure.rest.q, (30, 1))
    q[:, 2] += 2.0 * np.arange(30) / 30.0  # gliding at two metres a second
    clip = Clip(figure.skeleton, q, 30.0)
    found = plant(clip, figure=figure)
    assert found.plants == ((), ())
    assert found.clip.q == pytest.approx(clip.q, abs=1e-12)


def test_each_refusal_says_what_is_wrong() -> None:
    figure, clip = _walk()
    with pytest.raises(TerrainError, match=r"there is no ground under leg_. at frame \d+"):
        plant_feet(clip, Terrain.field(np.zeros((3, 3)), 0.2), figure=figure)
    with pytest.raises(TerrainError, match="the terrain has z up and the figure y; make the terrain with up='y'"):
        plant_feet(clip, Terrain.plane(up="z"), figure=figure)
    fixed = figure.with_root("fixed")
    still = Clip(fixed.skeleton, np.tile(fixed.rest.q, (3, 1)), 30.0)
    with pytest.raises(SkeletonError, match="no free joint carries the legs, so the figure cannot follow a terrain"):
        plant_feet(still, Terrain.slope(10), figure=fixed)


@cache
def _crawl() -> tuple[Figure, Clip]:
    """On hands and knees, which are put ahead one after another, and slide by 1 cm while they rest."""
    figure = posable.figure("mannequin")
    rest, frames = figure.rest, np.arange(150)
    knees, hands = {"shin_l": (0.1, 0.06, 0.0), "shin_r": (-0.1, 0.06, 0.0)}, {"hand_r": (-0.2, 0.07, 0.62)}
    order = ["shin_l", "hand_r", "shin_r", "hand_l"]
    starts = {**knees, **hands, "hand_l": (0.2, 0.07, 0.62)}
    goals = [posable.Reach("hips", np.tile((0, 0.48, 0), (150, 1)) + np.outer(frames / 150, (0, 0, 0.3)))]
    for k, joint in enumerate(order):
        path = np.tile(starts[joint], (150, 1))
        share = np.clip((frames - 30 * k - 15) / 12, 0, 1)
        path[:, 2] += 0.25 * share + 0.01 * np.sin(frames / 8 + k)
        path[:, 1] += 0.15 * np.sin(np.pi * share) ** 2
        goals.append(posable.Reach(joint, path))
        if joint in knees:  # the shin lies behind, its foot with the sole up
            foot = f"foot_{joint[-1]}"
            frame = np.tile(rest.world_from_joint[figure.skeleton.index(foot)], (150, 1, 1))
            frame[:, :3, :3] = np.diag([1.0, -1.0, -1.0]) @ frame[:, :3, :3]
            frame[:, :3, 3] = path - (0, 0, 0.4)
            goals.append(posable.Place(foot, frame))
    return figure, posable.track(rest, goals, fps=30.0)


def test_knees_and_hands_that_rest_are_found_and_stay() -> None:
    figure, clip = _crawl()
    found = plant(clip, figure=figure)
    rests = found.contacts.rests
    assert set(rests) == {"lower_leg_l", "lower_leg_r", "hand_l", "hand_r"}
    for k, (role, joint) in enumerate((("lower_leg_l", "shin_l"), ("hand_r", "hand_r"), ("lower_leg_r", "shin_r"))):
        ahead = slice(30 * k + 17, 30 * k + 25)
        assert not rests[role][ahead].any()
        assert rests[role].mean() > 0.75
        j = clip.skeleton.index(joint)
        for start, end in runs(rests[role]):
            before, after = (one.poses.origins[start + 2 : end - 2, j] for one in (clip, found.clip))
            if end - start > 20:
                assert np.ptp(before, axis=0).max() > 0.01
                assert np.ptp(after, axis=0).max() < 0.005
    assert np.percentile(_pelvis(found, clip), 90) < 0.03


def test_walkers_rest_on_no_hand() -> None:
    figure, clip = _walk()
    assert not plant(clip, figure=figure).contacts.rests


def test_feet_of_what_is_no_clip_are_not_planted() -> None:
    with pytest.raises(PosableError, match=r"feet are planted in a Clip, not Figure; a file's are figure\.clips"):
        posable.plant_feet(posable.figure("mannequin"))  # pyright: ignore
