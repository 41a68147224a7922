"""One solve over all frames: the same minimum as a dense solver's, limits kept, no heed of units or of time's arrow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares

from posable.clips import Clip
from posable.errors import GoalError
from posable.goals import Balance, LookAt, Orient, Place, Reach, Stay
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.skeleton import Axis, Cone, Joint, Skeleton
from posable.spatial import random_wxyz, wxyz_from_rotation_vector

FRAMES, FPS = 9, 30.0


def _skeleton(scale: float = 1.0, **arm: object) -> Skeleton:
    """A free base, a ball, a slide, and a hinge with a tip: every kind of coordinate."""
    up = (0.0, 0.3 * scale, 0.0)
    slide = Axis((0.0, 1.0, 0.0), slide=True, lower=-0.05 * scale, upper=0.1 * scale)
    return Skeleton(
        [
            Joint("base", "free"),
            Joint("shoulder", "ball", "base", position=up, mass=2.0, **arm),  # type: ignore[arg-type]
            Joint("boom", "slide", "shoulder", position=up, axes=(slide,), mass=1.0),
            Joint("wrist", "hinge", "boom", position=up, axes=(Axis((0.0, 0.0, 1.0), lower=-1.0, upper=1.5),)),
            Joint("finger", "fixed", "wrist", position=(0.0, 0.25 * scale, 0.0), tips=((0.0, 0.1 * scale, 0.0),)),
        ]
    )


def _clip(skeleton: Skeleton, seed: int = 0) -> Clip:
    """A smooth motion about rest."""
    times = np.linspace(0, 1, FRAMES)[:, None]
    swing = np.random.default_rng(seed).uniform(-0.3, 0.3, (2, skeleton.dof))
    tangent = np.sin(3 * times + swing[0]) * swing[1] * np.where(skeleton.slides, 0.1 * skeleton.reach, 1.0)
    rest = Clip(skeleton, np.tile(skeleton.rest_coordinates, (FRAMES, 1)), FPS)
    return replace(rest, q=rest.poses.plus(tangent).clamped().q)


def _goals(clip: Clip, scale: float = 1.0) -> list[Reach | Orient | LookAt | Balance]:
    rng = np.random.default_rng(1)
    way = clip.poses.origins[:, -1] + scale * np.array([0.15, -0.1, 0.1]) * np.sin(np.arange(FRAMES) / 3)[:, None]
    return [
        Reach("finger", way, tip=(0.0, 0.1 * scale, 0.0)),
        Orient("wrist", wxyz_from_rotation_vector(rng.uniform(-0.4, 0.4, (FRAMES, 3))), weight=0.2),
        LookAt("shoulder", (2.0 * scale, 1.0 * scale, 0.3 * scale), forward=(1, 0, 0), weight=0.1),
        Balance((0.1 * scale, 0.0, 0.0), weight=0.3),
    ]


WEIGHTS = [np.where(np.arange(FRAMES) < 6, 1.0, 0.0), None, np.linspace(0, 0.1, FRAMES), 0.15]


def _dense(clip: Clip, goals: list, weights: list, stay: float, smooth: float) -> tuple[float, Clip]:
    """The same cost, written plainly, for SciPy's dense solver, with derivatives by differences."""
    skeleton = clip.skeleton
    unit = np.where(skeleton.slides, skeleton.reach, 1.0)
    given = [goal.weight if own is None else own for goal, own in zip(goals, weights, strict=True)]
    over_time = [np.broadcast_to(np.sqrt(own), FRAMES)[:, None] for own in given]
    counts = {Reach: 1.0, Balance: 1.0, Orient: 0.1, LookAt: 0.1}  # what a squared reach or radian counts

    def residual(flat: np.ndarray) -> np.ndarray:
        c = flat.reshape(FRAMES, skeleton.dof)
        pose = clip.poses.plus(c * unit)
        parts = [math.sqrt(stay) * c, math.sqrt(smooth) * clip.fps**2 * np.diff(c, 2, axis=0)]
        for goal, weight in zip(goals, over_time, strict=True):
            length = 1.0 / skeleton.reach if isinstance(goal, Reach | Balance) else 1.0
            parts.append(math.sqrt(counts[type(goal)]) * weight * length * goal.residual(pose))
        return np.concatenate([part.ravel() for part in parts])

    now = np.zeros((FRAMES, skeleton.dof))
    now[:, 9:] = clip.q[:, 11:]
    low, high = (skeleton.lower - now) / unit, (skeleton.upper - now) / unit
    start = np.clip(np.zeros(FRAMES * skeleton.dof), low.ravel() + 1e-9, high.ravel() - 1e-9)
    found = least_squares(residual, start, bounds=(low.ravel(), high.ravel()), xtol=1e-14, ftol=1e-14, gtol=1e-12)
    pose = clip.poses.plus(found.x.reshape(FRAMES, -1) * unit)
    return float(found.cost), replace(clip, q=pose.q)


def _exact(clip: Clip, goals: list, weights: list, **more: object) -> ClipSolution:
    return solve_clip(clip, goals, weights, tolerance=1e-14, max_iterations=200, **more)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("smooth", [0.0, 1e-7])
def test_it_finds_the_minimum_of_a_dense_solver(smooth: float) -> None:
    clip = _clip(_skeleton())
    goals = _goals(clip)
    cost, dense = _dense(clip, goals, WEIGHTS, 1e-2, smooth)
    found = _exact(clip, goals, WEIGHTS, stay=1e-2, smooth=smooth)
    assert found.cost_after == pytest.approx(cost, rel=1e-6)
    assert found.clip.poses.minus(dense.poses) == pytest.approx(np.zeros((FRAMES, 11)), abs=2e-4)
    assert found.cost_after < 0.5 * found.cost_before


def test_the_cost_falls_and_the_errors_left_are_those_of_the_clip() -> None:
    clip = _clip(_skeleton())
    goals = _goals(clip)
    found = solve_clip(clip, goals, WEIGHTS)
    before = solve_clip(clip, goals, WEIGHTS, max_iterations=0)
    assert before.cost_after == pytest.approx(before.cost_before, rel=1e-14)
    assert before.cost_before == found.cost_before
    assert before.clip.q == pytest.approx(clip.q, abs=1e-15)
    left = np.linalg.norm(goals[0].residual(found.clip.poses), axis=1)
    assert found.distances[0] == pytest.approx(left, abs=1e-12)
    assert np.isnan(found.angles[0]).all()
    assert np.isnan(found.distances[1]).all()
    assert found.angles[1] == pytest.approx(np.linalg.norm(goals[1].residual(found.clip.poses), axis=1), abs=1e-12)
    assert found.largest_distances[0] == pytest.approx(left[:6].max(), abs=1e-12)  # where it has weight
    assert found.largest_distances[0] < left.max()


def test_limits_are_kept_to_the_last_bit() -> None:
    skeleton = _skeleton(cone=Cone(axis=(0, 1, 0), swing=0.3, twist=(-0.2, 0.2)))
    clip = _clip(skeleton)
    far = [Reach("finger", np.tile([1.5, 3.0, 0.0], (FRAMES, 1)), weight=30.0)]
    found = solve_clip(clip, far, free=["shoulder", "boom", "wrist"], stay=1e-6, smooth=0.0)
    q = found.clip.q
    assert (q[:, 11:] >= skeleton.lower[9:]).all()
    assert (q[:, 11:] <= skeleton.upper[9:]).all()
    assert q[:, 11] == pytest.approx(np.full(FRAMES, 0.1))  # the boom is drawn out, just to its end
    assert found.clip.poses.clamped().minus(found.clip.poses) == pytest.approx(np.zeros((FRAMES, 11)), abs=1e-9)
    assert np.array_equal(q[:, :7], clip.q[:, :7])  # what is not free stays


def test_with_a_cone_it_ends_as_low_as_can_be() -> None:
    """At the edge of the cone no small move within it costs less."""
    skeleton = _skeleton(cone=Cone(axis=(0, 1, 0), swing=0.3, twist=(-0.2, 0.2)))
    clip = _clip(skeleton)
    goals = [Reach("finger", clip.poses.origins[:, -1] + [0.8, -0.3, 0.3])]
    found = _exact(clip, goals, [1.0], free=["shoulder"], stay=1e-3, smooth=1e-9)

    def cost(other: Clip) -> float:
        more = {"stay": 1e-3, "smooth": 1e-9, "start": other, "max_iterations": 0}
        return solve_clip(clip, goals, [1.0], free=["shoulder"], **more).cost_after  # type: ignore[arg-type]

    assert cost(found.clip) == pytest.approx(found.cost_after, rel=1e-12)
    rng = np.random.default_rng(2)
    for size in (1e-4, 1e-3, 1e-2):
        for _ in range(40):
            other = found.clip.poses.plus(size * rng.standard_normal((FRAMES, skeleton.dof))).clamped()
            assert cost(replace(clip, q=other.q)) >= found.cost_after * (1 - 1e-5)


def test_time_may_run_backwards() -> None:
    clip = _clip(_skeleton())
    goals = _goals(clip)
    back = replace(clip, q=clip.q[::-1].copy())
    turned = [replace(goal, **{goal.TARGET: goal.given[::-1]}) if goal.given.ndim > 1 else goal for goal in goals]
    weights = [own if own is None else np.broadcast_to(own, FRAMES)[::-1] for own in WEIGHTS]
    forth = solve_clip(clip, goals, WEIGHTS, smooth=1e-7).clip
    again = solve_clip(back, turned, weights, smooth=1e-7).clip
    assert again.poses[::-1].minus(forth.poses) == pytest.approx(np.zeros((FRAMES, 11)), abs=1e-9)


def test_units_do_not_matter() -> None:
    small, large = (_clip(_skeleton(scale)) for scale in (1.0, 100.0))
    a = solve_clip(small, _goals(small), WEIGHTS)
    b = solve_clip(large, _goals(large, 100.0), WEIGHTS)
    assert b.cost_before == pytest.approx(a.cost_before, rel=1e-12)
    assert b.cost_after == pytest.approx(a.cost_after, rel=1e-9)
    assert b.clip.poses.origins == pytest.approx(100 * a.clip.poses.origins, abs=1e-6)
    assert b.largest_distances == pytest.approx(100 * a.largest_distances, rel=1e-6, nan_ok=True)


def test_the_frame_rate_does_not_matter() -> None:
    """Smoothness is counted by time, so twice the frames give the same motion, but for the ends."""
    clip = _clip(_skeleton())
    times = np.arange(101) / 100
    fine = Clip(clip.skeleton, np.tile(clip.q[0], (101, 1)), 100.0)
    coarse = Clip(clip.skeleton, np.tile(clip.q[0], (51, 1)), 50.0)

    def met(clip: Clip, times: np.ndarray) -> np.ndarray:
        bump = np.exp(-(((times - 0.5) / 0.15) ** 2))[:, None] * [0.1, 0.05, 0.0]
        goals = [Reach("finger", clip.poses.origins[:, -1] + bump)]
        return solve_clip(clip, goals, stay=1e-3, smooth=1e-6, tolerance=1e-12).clip.poses.origins[:, -1]

    assert met(fine, times)[::2] == pytest.approx(met(coarse, times[::2]), abs=1e-3)


def test_the_sources_detail_survives() -> None:
    """With one goal in one frame, the correction is smooth although the source trembles."""
    clip = _clip(_skeleton())
    shiver = 0.02 * np.random.default_rng(5).standard_normal((FRAMES, 11))
    clip = replace(clip, q=clip.poses.plus(shiver).clamped().q)
    weights = [np.where(np.arange(FRAMES) == 4, 1.0, 0.0)]
    goals = [Reach("finger", clip.poses.origins[:, -1] + [0.1, 0.0, 0.0])]
    found = solve_clip(clip, goals, weights, stay=1e-5, smooth=1e-8)
    correction = found.clip.poses.minus(clip.poses)
    roughness = np.abs(np.diff(correction, 2, axis=0)).max()
    assert found.largest_distances[0] < 0.005
    assert roughness < 0.1 * np.abs(np.diff(clip.poses.minus(clip.poses[0]), 2, axis=0)).max()


def test_a_ball_may_be_free_in_part() -> None:
    clip = _clip(_skeleton())
    target = clip.poses.plus(0.1 * np.ones(11)).world_from_joint[:, 3]
    found = solve_clip(
        clip, [Place("wrist", target)], free=["base", "shoulder.x", "shoulder.y", "boom", "wrist"], tolerance=1e-10
    )
    assert found.largest_distances[0] < 0.005
    assert found.cost_after < 1e-2 * found.cost_before
    correction = found.clip.poses.minus(clip.poses)
    assert correction[:, 8] == pytest.approx(np.zeros(FRAMES), abs=1e-12)
    assert np.abs(np.delete(correction, 8, axis=1)).max(axis=0).min() > 1e-6


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_short_clips(frames: int) -> None:
    clip = _clip(_skeleton())
    clip = replace(clip, q=clip.q[:frames])
    found = solve_clip(clip, [Reach("finger", clip.poses.origins[:, -1] + [0.05, 0.0, 0.0])], stay=1e-6)
    assert found.largest_distances[0] < 1e-3


def test_each_refusal_says_what_is_wrong() -> None:
    clip = _clip(_skeleton())
    reach = Reach("finger", np.zeros((4, 3)))
    with pytest.raises(GoalError, match=r"Reach\('finger'\): its target has leading axes \(4,\) and the clip 9 frames"):
        solve_clip(clip, [reach])
    reach = Reach("finger", (0, 0, 0))
    with pytest.raises(GoalError, match="2 weights for 1 goals; give one each"):
        solve_clip(clip, [reach], [1.0, 1.0])
    for weight in (-1.0, np.nan):
        with pytest.raises(GoalError, match=r"Reach\('finger'\): weights must be finite numbers of at least 0"):
            solve_clip(clip, [reach], [weight])
    with pytest.raises(
        GoalError, match=r"Reach\('finger'\): weights of shape \(3,\) do not go with the clip's 9 frames"
    ):
        solve_clip(clip, [reach], [np.ones(3)])
    with pytest.raises(GoalError, match="Stay is not a goal for single frames"):
        solve_clip(clip, [Stay(clip.poses[0])])  # type: ignore[list-item]
    with pytest.raises(GoalError, match="no freedom may move in this whole-clip solve; name joints that can"):
        solve_clip(clip, [reach], free=["finger"])
    with pytest.raises(GoalError, match="smooth is a number of at least 0, or one for each of the 11 freedoms"):
        solve_clip(clip, [reach], smooth=-1.0)


def test_a_random_start_far_away_is_no_trouble() -> None:
    """Corrections of a radian and more: the derivative by the correction is not that along the pose."""
    skeleton = _skeleton()
    rng = np.random.default_rng(7)
    q = np.array(_clip(skeleton).q)
    q[:, 7:11] = random_wxyz(rng)
    clip = Clip(skeleton, q, FPS)
    goals = [Orient("shoulder", random_wxyz(rng))]
    found = solve_clip(clip, goals, free=["shoulder"], stay=1e-7, smooth=0.0, tolerance=1e-12)
    assert found.largest_angles[0] < 1e-4


def test_the_cost_before_is_that_of_the_source_also_where_the_descent_starts_elsewhere() -> None:
    clip = _clip(_skeleton())
    goals, weights = _goals(clip), WEIGHTS
    plain = solve_clip(clip, goals, weights)
    other = replace(clip, q=clip.poses.plus(np.full((FRAMES, clip.skeleton.dof), 0.01)).clamped().q)
    begun = solve_clip(clip, goals, weights, start=other)
    assert begun.cost_before == pytest.approx(plain.cost_before, rel=1e-12) and plain.cost_after < plain.cost_before
    beyond = np.array(clip.q)
    beyond[:, -1] = 2.0  # over the wrist's limit, to which the start is clamped
    over = replace(clip, q=beyond)
    unmoved = solve_clip(over, [Reach("finger", (0.0, 9.0, 0.0), tip=(0.0, 0.1, 0.0))], max_iterations=0)
    tip = over.poses.world_from_joint[:, -1] @ (0.0, 0.1, 0.0, 1.0)
    away = np.linalg.norm(tip[:, :3] - (0.0, 9.0, 0.0), axis=1) / clip.skeleton.reach
    assert unmoved.cost_before == pytest.approx(0.5 * np.sum(away**2), rel=1e-9)
