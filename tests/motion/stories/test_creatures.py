"""The stories of the mace, the leg, the telescope, the tentacles and the snake: what each is about, in numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from posable.errors import PosableError
from posable.figures import figure
from posable.motion.stories import STORIES, Story, tell
from posable.motion.stories.short_stories import BALL, DRAGGED, KEYS, PITCH, RADIUS, SNOUT, TOUCH, clearances, thickness
from posable.spatial import apply_transform, rigid_inverse

told = cache(tell)


def _world(story: Story, joint: str) -> np.ndarray:
    """`[frame, 4, 4]`."""
    return story.clip.poses.world_from_joint[:, story.figure.skeleton.index(joint)]


def _speeds(story: Story) -> np.ndarray:
    """`[frame − 1, dof]`."""
    return story.clip.poses[1:].minus(story.clip.poses[:-1]) * story.clip.fps


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mace", "leg", "telescope", "tentacles", "snake"])
def test_a_story_keeps_to_limits_and_is_the_same_whenever_it_is_told(name: str) -> None:
    story = told(name)
    assert story.name == name
    assert story.clip.skeleton.shares_poses(story.figure.skeleton)
    assert np.abs(story.clip.poses.minus(story.clip.poses.clamped())).max() < 1e-9
    np.testing.assert_array_equal(story.clip.q, tell(name).clip.q)


def test_what_there_is_no_story_of_is_refused_with_the_near_name() -> None:
    with pytest.raises(
        PosableError, match=f"no story is called 'mase'; did you mean mace\\? choose from {next(iter(STORIES))}"
    ):
        tell("mase")


def test_the_mace_has_ten_rings_and_is_dragged_by_a_middle_one() -> None:
    story = told("mace")
    rings = [f"ring_{k}" for k in range(1, 11)]
    assert story.figure.skeleton.joints == ("handle", *rings, "jewel")
    world, turns = _world(story, DRAGGED), np.ptp(story.clip.q, axis=0).reshape(10, 2).max(axis=1)
    turn = np.linspace(0.0, 2 * np.pi, len(story.clip))
    loop = np.stack([0.20 * np.sin(turn), 0.12 * (np.cos(turn) - 1) - 0.03, 0.12 * np.sin(2 * turn)], axis=-1)
    start = story.figure.rest.origins[story.figure.skeleton.index(DRAGGED)]
    np.testing.assert_allclose(world[:, :3, 3], start + loop, atol=1e-6)
    assert turns[:5].min() > 0.3, "the handle's side follows"
    assert turns[5] < 1e-6 and turns[6:].max() == 0.0, "the jewel's side does nothing of its own"
    carried = rigid_inverse(world) @ _world(story, "jewel")
    assert np.abs(carried - carried[0]).max() < 1e-12
    assert np.abs(np.diff(_speeds(story), axis=0)).max() < 0.4


def test_the_leg_is_where_its_goal_is_at_its_keys_and_between() -> None:
    story = told("leg")
    assert [*KEYS][1:3] == [50, 100] and KEYS.keys() == PITCH.keys()
    goal, foot = _world(story, "goal/goal"), _world(story, "person/foot_r")
    np.testing.assert_allclose(foot[:, :3, 3], goal[:, :3, 3], atol=2e-6)
    away = goal[list(KEYS), :3, 3] - goal[0, :3, 3]
    np.testing.assert_allclose(away, np.array(list(KEYS.values())), atol=1e-12)
    tipped = np.arctan2(goal[:, 2, 1], goal[:, 2, 2])
    np.testing.assert_allclose(tipped[list(KEYS)], list(PITCH.values()), atol=1e-12)


def test_the_legs_knee_never_bends_backwards_and_nothing_else_moves() -> None:
    story = told("leg")
    knee = np.degrees(story.clip.poses.of("person/shin_r")[:, 0])
    assert knee.min() > 5.0 and knee.max() > 100.0
    speeds = _speeds(story)
    own = story.figure.skeleton.freedom_mask(["person/thigh_r", "person/shin_r", "person/foot_r", "goal/goal"])
    assert np.abs(speeds[:, ~own]).max() == 0.0
    assert np.abs(np.diff(speeds, axis=0)).max() < 5.0


def _slides(name: str) -> tuple[np.ndarray, np.ndarray]:
    """`[frame]`: how far the middle and the top cylinder are out."""
    poses = told("telescope").clip.poses
    return poses.of(f"{name}/middle")[:, 0], poses.of(f"{name}/top")[:, 0]


def test_the_telescope_collapses_in_order_and_comes_out_again() -> None:
    middle, top = _slides("order")
    lowest = int(np.argmin(middle + top))
    assert (middle[0], top[0]) == (30.0, 30.0) and middle[lowest] + top[lowest] == pytest.approx(0.0, abs=1e-9)
    down = slice(0, lowest + 1)
    assert np.all((middle[down] > 30 - 1e-9) | (top[down] < 1e-9)), (
        "the top one sinks wholly before the middle one moves"
    )
    assert middle[-1] + top[-1] == pytest.approx(60.0, abs=1e-9)


def test_with_ease_the_middle_one_starts_a_little_before_the_top_one_stops() -> None:
    middle, top = _slides("ease")
    starts = int(np.argmax(middle < 30 - 1e-3))
    assert 3.0 < top[starts] < 10.0  # the ease of its limits
    assert np.abs(30 + middle + top - _tips()).max() < 0.1


def test_least_squares_shares_what_cyclic_descent_does_in_order() -> None:
    middle, top = _slides("shared")
    np.testing.assert_allclose(middle, top, atol=1e-6)
    np.testing.assert_allclose(30 + middle + top, _tips(), atol=1e-5)


def _tips() -> np.ndarray:
    """`[frame]`: the height at which the tip is wanted, as the one that goes in order has it."""
    middle, top = _slides("order")
    return 30 + middle + top


def _tentacle(name: str) -> np.ndarray:
    """`[frame, joint, 3]` from where its base stands."""
    story = told("tentacles")
    own = [k for k, joint in enumerate(story.figure.skeleton.joints) if joint.startswith(f"{name}/")]
    places = story.clip.poses.origins[:, own]
    return places - places[:1, :1]


@pytest.mark.slow
def test_tentacles_cycle_their_axes() -> None:
    axes = [joint.axes[0].direction for joint in figure("tentacle").skeleton.definitions if joint.kind == "hinge"]
    assert axes == [tuple(np.eye(3)[k % 3]) for k in range(len(axes))]


@pytest.mark.slow
def test_the_plain_tentacle_goes_through_its_ball_and_the_organic_one_crosses_nothing() -> None:
    plain, _ = clearances(_tentacle("plain"), thickness())
    ball, own = clearances(_tentacle("organic"), thickness())
    assert plain.min() < -0.01
    assert ball.min() > 0.003 and own.min() > 0.01


@pytest.mark.slow
def test_the_organic_tentacle_curls_round_its_ball() -> None:
    end = _tentacle("organic")[-1] - BALL
    near = np.linalg.norm(end, axis=1) < 3 * RADIUS
    round_it = np.unwrap(np.arctan2(end[near, 1], end[near, 0]))
    assert round_it[0] - round_it[-1] > np.radians(180)
    assert np.linalg.norm(end[near, :2], axis=1).min() > RADIUS, "over its top, not past its front"


@pytest.mark.slow
def test_the_snake_is_of_pairs_of_hinges_square_to_each_other() -> None:
    hinges = [joint for joint in figure("snake").skeleton.definitions if joint.kind == "hinge"]
    axes = np.array([joint.axes[0].direction for joint in hinges])
    assert len(hinges) % 2 == 0
    assert np.abs(np.sum(axes[:-1] * axes[1:], axis=1)).max() == 0.0


@pytest.mark.slow
def test_the_snake_catches_the_cube_and_goes_on_moving_until_it_lies_comfortably() -> None:
    story = told("snake")
    cube = _world(story, "cube/cube")[:, :3, 3]
    off = np.linalg.norm(apply_transform(_world(story, "snake/head"), np.array(SNOUT)) - cube, axis=1)
    still = int(np.flatnonzero(np.linalg.norm(np.diff(cube, axis=0), axis=1) > 0)[-1]) + 1
    assert off[0] > 3 * TOUCH, "it has to chase"
    assert off[still:].max() <= TOUCH, "the touch holds"
    hinges = [joint for joint in figure("snake").skeleton.definitions if joint.kind == "hinge"]
    bends = story.clip.q[:, : len(hinges)]
    lower, upper = np.array([joint.comfort[0] for joint in hinges if joint.comfort]).T
    beyond = np.maximum(np.maximum(lower - bends, bends - upper), 0.0)
    unease = (beyond**2) @ np.array([joint.elasticity for joint in hinges])
    assert np.diff(unease[still:]).max() < 1e-9, "ever more at ease"
    assert unease[-1] < 0.5 * unease[still - 1]
    speeds = np.abs(_speeds(story)[:, : len(hinges)]).max(axis=1)
    assert speeds[still] > 0.3 and speeds[-10:].max() == 0.0


@pytest.mark.slow
def test_the_snakes_tail_stays_on_its_post() -> None:
    tail = _world(told("snake"), "snake/tail")
    assert np.ptp(tail, axis=0).max() == 0.0
