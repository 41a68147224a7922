"""Keyframes: over numbers SciPy's splines, over rotations smooth and through the keys."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from clips.walkers import biped
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from posable.clips import Clip, Interpolation, Keys
from posable.clips.clip import key_velocities
from posable.errors import PoseError
from posable.skeleton import Axis, Joint, Pose, Skeleton

HINGES = Skeleton(
    [
        Joint("a", "hinge", axes=(Axis((0, 0, 1), lower=-1, upper=1),)),
        Joint("b", "slide", "a", axes=(Axis((1, 0, 0), True),)),
    ]
)
TIMES = np.array([0.0, 0.2, 0.9, 1.0, 2.0])


def keys(interpolation: Interpolation = "cubic", seed: int = 0) -> Keys:
    skeleton = biped()
    q = skeleton.random_coordinates(np.random.default_rng(seed), (5,))
    return Keys(skeleton, TIMES, q, interpolation)


def same(one: Pose, other: Pose, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(one.world_from_joint, other.world_from_joint, rtol=0, atol=tolerance)


@pytest.mark.parametrize("interpolation", get_args(Interpolation))
def test_they_pass_through_their_keys_and_stand_still_outside(interpolation: Interpolation) -> None:
    k = keys(interpolation)
    same(k.at(TIMES), k.poses)
    same(k.at([-3.0, -np.inf]), k.poses[[0, 0]])
    same(k.at([2.1, np.inf]), k.poses[[4, 4]])


def test_over_numbers_cubic_is_the_hermite_spline_of_the_parabolas_through_three_keys() -> None:
    q = np.random.default_rng(1).uniform(-1, 1, (5, 2))
    slopes = [
        np.polyder(np.poly1d(np.polyfit(TIMES[k - 1 : k + 2], q[k - 1 : k + 2, d], 2)))(TIMES[k])
        for k in range(1, 4)
        for d in range(2)
    ]
    k = Keys(HINGES, TIMES, q)
    np.testing.assert_allclose(key_velocities(k.poses, TIMES)[1:4].ravel(), slopes, atol=1e-12)
    spline = CubicHermiteSpline(TIMES, q, key_velocities(k.poses, TIMES))
    at = np.linspace(0, 2, 300)
    np.testing.assert_allclose(k.at(at).q, spline(at), atol=1e-12)


def test_a_parabola_is_kept_and_so_is_a_steady_turn() -> None:
    q = np.stack([0.2 * TIMES**2 - 0.3 * TIMES, 0.1 - TIMES], axis=1)
    at = np.linspace(0, 2, 100)
    expected = np.stack([0.2 * at**2 - 0.3 * at, 0.1 - at], axis=1)
    np.testing.assert_allclose(Keys(HINGES, TIMES, q).at(at).q, expected, atol=1e-12)
    ball = Skeleton([Joint("ball", "ball")])
    axis = np.array([0.3, -0.5, 0.8])
    turns = Rotation.from_rotvec(TIMES[:, None] * axis).as_quat(scalar_first=True)
    turned = Rotation.from_quat(Keys(ball, TIMES, turns).at(at).q, scalar_first=True)
    assert (turned.inv() * Rotation.from_rotvec(at[:, None] * axis)).magnitude().max() < 1e-12


def test_rotations_go_without_kinks() -> None:
    k = keys()
    for time in TIMES[1:-1]:
        before, here, after = (k.at(time + d) for d in (-1e-5, 0.0, 1e-5))
        np.testing.assert_allclose(after.minus(here), -before.minus(here), atol=1e-7)
    linear = keys("linear")
    kinks = [linear.at(t + 1e-5).minus(linear.at(t)) + linear.at(t - 1e-5).minus(linear.at(t)) for t in TIMES[1:-1]]
    assert np.abs(kinks).max() > 1e-5


def test_monotone_goes_nowhere_beyond_the_keys() -> None:
    q = np.array([[0.0, 0.0], [0.0, 0.01], [1.0, 0.9], [1.0, 1.0], [0.2, 1.0]])
    at = np.linspace(0, 2, 1000)
    moved = Keys(HINGES, TIMES, q, "monotone").at(at).q
    assert moved.min() >= -1e-12
    assert moved.max() <= 1 + 1e-12
    assert (np.diff(moved[:, 1]) >= -1e-12).all()
    assert Keys(HINGES, TIMES, q, "cubic").at(at).q.max() > 1.01


def test_handles_decide_where_they_are_given() -> None:
    q = np.random.default_rng(1).uniform(-1, 1, (5, 2))
    handles = np.full((5, 2), np.nan)
    handles[1] = [3.0, 0.0]
    k = Keys(HINGES, TIMES, q, velocities=handles)
    np.testing.assert_allclose((k.at(0.2 + 1e-6).q - k.at(0.2).q) / 1e-6, [3.0, 0.0], atol=1e-3)
    free = Keys(HINGES, TIMES, q)
    np.testing.assert_allclose(k.at(np.linspace(0.9, 2, 50)).q, free.at(np.linspace(0.9, 2, 50)).q, atol=1e-12)


def test_each_key_may_go_its_own_way() -> None:
    q = keys().q
    k = Keys(biped(), TIMES, q, ["step", "linear", "cubic", "monotone", "step"])
    for first, way in ((0, "step"), (1, "linear"), (2, "cubic"), (3, "monotone")):
        at = np.linspace(TIMES[first], TIMES[first + 1], 20)[:-1]
        same(k.at(at), Keys(biped(), TIMES, q, way).at(at))  # type: ignore[arg-type]
    same(k.at([0.0, 0.1, 0.1999]), k.poses[[0, 0, 0]])


def test_a_baked_clip_keeps_the_limits_that_the_keys_keep() -> None:
    k = Keys(HINGES, TIMES, np.array([[0.9, 0], [1.0, 0], [-1.0, 0], [-0.2, 0], [1.0, 0]]))
    assert np.abs(k.at(np.linspace(0, 2, 200)).q[:, 0]).max() > 1
    clip = k.clip(60, "baked")
    assert isinstance(clip, Clip)
    assert (len(clip), clip.fps, clip.name) == (121, 60.0, "baked")
    assert np.abs(clip.q[:, 0]).max() <= 1


def test_a_key_more() -> None:
    k = keys()
    pose = k.skeleton.random_pose(np.random.default_rng(3))
    more = k.with_key(0.5, pose)
    assert more.times.tolist() == [0.0, 0.2, 0.5, 0.9, 1.0, 2.0]
    same(more.at(0.5), pose)
    other = more.with_key(0.5, k.poses[0])
    assert len(other) == 6
    same(other.at(0.5), k.poses[0])
    ways = Keys(k.skeleton, TIMES, k.q, ["step"] * 5).with_key(3.0, pose)
    assert ways.interpolation == ("step",) * 6
    handles = Keys(k.skeleton, TIMES, k.q, velocities=np.zeros((5, k.skeleton.dof))).with_key(-1.0, pose).velocities
    assert handles is not None
    assert np.isnan(handles[0]).all()
    assert (handles[1:] == 0).all()


@pytest.mark.parametrize(
    ("times", "more", "complaint"),
    [
        ([0, 1, 2], {}, "keys need one time per pose"),
        ([], {}, "keys need one time per pose"),
        ([0, 1, 1, 2, 3], {}, "finite and strictly increasing"),
        ([0, 2, 1, 3, 4], {}, "finite and strictly increasing"),
        ([0, 1, 2, 3, np.nan], {}, "finite and strictly increasing"),
        (
            TIMES,
            {"interpolation": "bouncy"},
            "interpolation must be one of linear, cubic, monotone, step, not 'bouncy'",
        ),
        (TIMES, {"interpolation": ["step", "linear"]}, "one word or 5, one per key, not 2"),
        (TIMES, {"velocities": np.zeros((5, 2))}, r"velocities must be keys × dof, \(5, 19\), not \(5, 2\)"),
    ],
)
def test_refusals(times: object, more: dict[str, object], complaint: str) -> None:
    with pytest.raises(PoseError, match=complaint):
        Keys(biped(), times, keys().q, **more)  # type: ignore[arg-type]


def test_more_refusals() -> None:
    with pytest.raises(PoseError, match="a single pose of the same skeleton"):
        keys().with_key(0.0, HINGES.random_pose(np.random.default_rng(0)))
    with pytest.raises(PoseError, match="fps must be above 0, not 0"):
        keys().clip(0)
    far = Keys(HINGES, np.array([0.0, 1e9]), np.zeros((2, 2)))
    with pytest.raises(PoseError, match=r"1e\+09 s at 30 fps exceed 10,000,000 frames"):
        far.clip()
    with pytest.raises(PoseError, match="times must be finite numbers"):
        keys().at(np.nan)
