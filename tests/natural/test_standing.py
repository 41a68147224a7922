"""Natural poses of who stands: feet stay where they are, and the trunk over them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable

FEET = ("foot_l", "foot_r")


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def test_feet_stay_where_they_stand(mannequin: posable.Figure) -> None:
    """The root is free to go; without Natural one hand pulls the whole figure along."""
    near, far, low = (-0.3, 1.2, 0.4), (-0.2, 1.2, 0.9), (-0.2, 0.1, 0.45)
    targets = np.array([near, far, low])

    def moved(solution: posable.Solution) -> np.ndarray:
        assert (np.asarray(solution.status) == posable.Status.REACHED).all()
        feet = [mannequin.skeleton.index(foot) for foot in FEET]
        away = solution.pose.origins[..., feet, :] - mannequin.rest.origins[feet]
        return np.linalg.norm(away, axis=-1).max(axis=-1)

    goals = [posable.Reach("hand_r", targets)]
    assert (moved(posable.solve(mannequin.rest, goals)) > 0.1).all()
    assert (moved(posable.solve(mannequin.rest, [*goals, posable.Natural()])) < 1e-3).all()
    assert (moved(posable.solve(mannequin.rest, [*goals, posable.Natural(keep=False)])) > 0.01).any()  # keeps nothing


def test_lowered_hips_squat_upright(mannequin: posable.Figure) -> None:
    """The ankles' limits do not let the feet stay flat: the heels lift, and the toes stay."""
    hips, toes = (mannequin.skeleton.index(joint) for joint in ("hips", "toe_l"))
    lowered = mannequin.rest.origins[hips] - np.linspace(0.05, 0.25, 5)[:, None] * [0.0, 1.0, 0.0]
    found = posable.solve(mannequin.rest, [posable.Reach("hips", lowered), posable.Natural()])
    assert (np.asarray(found.status) == posable.Status.REACHED).all()
    tilt = np.degrees(np.arccos(found.pose.world_from_joint[:, hips, 1, 1]))
    assert (tilt < 25.0).all()
    assert (np.linalg.norm(found.pose.origins[:, toes] - mannequin.rest.origins[toes], axis=-1) < 1e-3).all()


def test_feet_stay_by_weights_and_in_drags(mannequin: posable.Figure) -> None:
    target = np.array([-0.2, 1.2, 0.9])
    prepared = posable.prepare(mannequin.skeleton, [posable.Reach("hand_r", target), posable.Natural()])
    foot = mannequin.skeleton.index("foot_l")

    def moved(pose: posable.Pose) -> float:
        return float(np.linalg.norm(pose.origins[..., foot, :] - mannequin.rest.origins[foot], axis=-1).max())

    plain = posable.solve(mannequin.rest, [posable.Reach("hand_r", target)])
    off, on = (prepared.solve(mannequin.rest, weights=[1.0, weight]).pose for weight in (0.0, 1.0))
    assert np.allclose(off.q, plain.pose.q, atol=1e-9)
    assert moved(on) < 1e-3
    pose, before = mannequin.rest, mannequin.rest.origins[mannequin.skeleton.index("hand_r")]
    for step in np.linspace(before, target, 30):
        pose = prepared.solve(pose, [step, None], since=[before, None]).pose
        before = step
    assert moved(pose) < 2e-3


def test_the_trunk_stays_over_the_feet_that_bear(mannequin: posable.Figure) -> None:
    """Without Natural, a hand far behind and a foot on a stool pull the body off its feet."""
    skeleton, rest = mannequin.skeleton, mannequin.rest
    frames = {foot: np.array(rest.world_from_joint[skeleton.index(foot)]) for foot in FEET}
    stool = frames["foot_r"].copy()
    stool[:3, 3] += (0.0, 0.35, 0.35)
    left, right = (posable.Place(foot, frames[foot]) for foot in FEET)
    behind = [left, right, posable.Reach("hand_r", (-0.35, 1.1, -0.4))]
    implied = [posable.Reach("hand_r", (-0.35, 1.1, -0.4))]
    on_stool = [left, posable.Place("foot_r", stool)]
    between, over_left = np.array([0.0, 0.04]), np.array([0.115, 0.04])

    def away(pose: posable.Pose, middle: np.ndarray) -> float:
        return float(np.abs(pose.origins[skeleton.index("chest"), [0, 2]] - middle).max())

    for goals, middle in ((behind, between), (implied, between), (on_stool, over_left)):
        solution = posable.solve(rest, [*goals, posable.Natural()])
        assert solution.status == posable.Status.REACHED
        assert away(solution.pose, middle) < 0.1
        assert away(posable.solve(rest, goals).pose, middle) > 0.12


def test_who_is_out_of_balance_may_stay_so(mannequin: posable.Figure) -> None:
    """A seat is not known: a small move of a hand does not make who sits stand up."""
    skeleton = mannequin.skeleton
    hips = skeleton.index("hips")
    seat = mannequin.rest.origins[hips] - (0.0, 0.4, 0.35)
    sits = posable.solve(mannequin.rest, [posable.Reach("hips", seat), posable.Natural()]).pose
    hand = sits.origins[skeleton.index("hand_r")]
    goals = [posable.Reach("hand_r", np.add(hand, (0.0, 0.01, 0.01))), posable.Natural()]
    after = posable.solve(sits, goals).pose
    assert np.linalg.norm(after.origins[hips] - sits.origins[hips]) < 0.01


def test_a_drag_with_free_hips_is_continuous(mannequin: posable.Figure) -> None:
    begin = mannequin.rest.origins[mannequin.skeleton.index("hand_r")]
    prepared = posable.prepare(mannequin.skeleton, [posable.Reach("hand_r", begin), posable.Natural(keep=True)])
    steps = []
    for count in (60, 120):
        pose, before, largest = mannequin.rest, begin, 0.0
        for share in np.linspace(0.0, 1.0, count + 1)[1:]:
            target = begin + share * np.array([0.3, 0.1, -0.5])
            after = prepared.solve(pose, [target, None], since=[before, None]).pose
            largest = max(largest, float(np.abs(after.minus(pose))[~mannequin.skeleton.slides].max()))
            pose, before = after, target
        steps.append(largest)
    assert steps[0] < np.radians(8)
    assert steps[1] <= 0.75 * steps[0]


def test_who_sits_down_sits_upright(mannequin: posable.Figure) -> None:
    """Nobody sits in the recordings: who crouches as low leans forward by 30 degrees and more."""
    skeleton, rest = mannequin.skeleton, mannequin.rest
    hips, neck = (skeleton.index(joint) for joint in ("hips", "neck"))
    goals: list[posable.Goal] = [posable.Place(foot, rest.world_from_joint[skeleton.index(foot)]) for foot in FEET]
    goals += [posable.Reach("hips", rest.origins[hips] - (0.0, 0.42, 0.3))]
    knees = [posable.Reach("hand_l", (0.13, 0.58, 0.1)), posable.Reach("hand_r", (-0.13, 0.58, 0.1))]
    for more, most in (([], 12.0), (knees, 25.0)):
        solution = posable.solve(rest, [*goals, *more, posable.Natural()])
        assert solution.status == posable.Status.REACHED
        trunk = solution.pose.origins[neck] - solution.pose.origins[hips]
        assert np.degrees(np.arctan2(np.hypot(trunk[0], trunk[2]), trunk[1])) < most


def test_who_is_short_of_leg_sits_and_squats_upright() -> None:
    """Legs of two thirds of the trunk, feet with goals: the pelvis turned the trunk over by 68 and 46 degrees."""
    knight = posable.load(posable.sample("knight.glb"))
    skeleton, rest = knight.skeleton, knight.rest
    hips, chest = (skeleton.index(joint) for joint in ("hips", "chest"))
    feet = [posable.Place(foot, rest.world_from_joint[skeleton.index(foot)]) for foot in ("foot.l", "foot.r")]
    for down, back in ((0.19, 0.17), (0.23, 0.0)):
        goals = [*feet, posable.Reach("hips", rest.origins[hips] - (0.0, down, back)), posable.Natural()]
        solution = posable.solve(rest, goals)
        assert solution.status == posable.Status.REACHED
        trunk = solution.pose.origins[chest] - solution.pose.origins[hips]
        assert np.degrees(np.arctan2(np.hypot(trunk[0], trunk[2]), trunk[1])) < 12.0


def test_robots_of_hinges_are_persons_too(shared: Path) -> None:
    """Hips and shoulders of three hinges; no head. From chest, hands and feet the rest is nearer than without."""
    robot, clip = posable.load(shared / "robots/g1_29dof.xml"), posable.load(posable.sample("walk.bvh")).clips[0]
    truth = posable.retarget(clip, robot).poses[::20]
    roles = posable.roles(robot)
    asked = [roles[role] for role in ("chest", "hand_l", "hand_r", "foot_l", "foot_r")]
    goals = [posable.Reach(joint, truth.origins[:, robot.skeleton.index(joint)]) for joint in asked]
    off = []
    for more in ([], [posable.Natural()]):
        pose = posable.solve(robot.rest, [*goals, *more]).pose
        off.append(np.linalg.norm(pose.origins - truth.origins, axis=-1).mean())
    assert off[1] < 0.8 * off[0]


def test_learnt_feet_stay() -> None:
    wolf = posable.Natural.learn(posable.load(posable.sample("wolf.glb")))
    roles = posable.roles(wolf)
    head = wolf.skeleton.index(roles["head"])
    low = wolf.rest.origins[head] * [1.0, 0.6, 1.0]
    plain, natural = (
        posable.solve(wolf.rest, [posable.Reach(roles["head"], low), *more]).pose for more in ([], [posable.Natural()])
    )
    feet = [wolf.skeleton.index(leg.joints[-1]) for leg in roles.legs]
    slid = [np.linalg.norm(pose.origins[feet] - wolf.rest.origins[feet], axis=-1).max() for pose in (plain, natural)]
    assert slid[1] < 0.1 * slid[0]


def test_legs_go_along_as_far_as_there_is_need(mannequin: posable.Figure) -> None:
    """What the arm reaches leaves the legs straight; for the floor the knees bend, more than the trunk tips."""
    knees = [mannequin.skeleton.index(f"shin_{side}") for side in "lr"]
    goals = posable.Reach("hand_r", np.array([(-0.25, 1.3, 0.4), (-0.35, 1.1, -0.4), (-0.15, 0.1, 0.45)]))
    found = posable.solve(mannequin.rest, [goals, posable.Natural()])
    assert (np.asarray(found.status) == posable.Status.REACHED).all()
    lowered = (mannequin.rest.origins - found.pose.origins)[:, knees, 1].max(axis=-1)
    hips = (mannequin.rest.origins - found.pose.origins)[:, mannequin.skeleton.index("hips"), 1]
    assert (hips[:2] < 0.02).all()
    assert hips[2] > 0.25
    assert (lowered[:2] < 0.02).all()


def test_hips_stay_level_over_a_raised_foot(mannequin: posable.Figure) -> None:
    """The feet are asked for: balance moves the hips over the foot that bears, and does not tip the whole body."""
    frames = [np.array(mannequin.rest.world_from_joint[mannequin.skeleton.index(foot)]) for foot in FEET]
    frames[1][:3, 3] += (0.0, 0.35, 0.35)
    goals = [posable.Place(foot, frame) for foot, frame in zip(FEET, frames, strict=True)]
    found = posable.solve(mannequin.rest, [*goals, posable.Natural()])
    assert found.status == posable.Status.REACHED
    tilt = np.degrees(np.arccos(found.pose.world_from_joint[mannequin.skeleton.index("hips"), 1, 1]))
    assert tilt < 8.0
