"""Comfort, Torsion, Stay and priorities act only in the freedom that harder goals leave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solvers.chains import ball_chain, middle, mixture, panda, planar_arm, rest, world_by_hand
from solvers.people import ARM_R, mannequin, moved, place, standing

from posable import (
    Comfort,
    Cone,
    GoalError,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    Reach,
    Skeleton,
    Status,
    Stay,
    Torsion,
    solve,
)
from posable.natural.staying import staying

RNG = np.random.default_rng(23)


def test_inside_its_comfortable_range_nothing_pulls() -> None:
    skeleton = panda()
    pose = middle(skeleton)
    ranges = {name: ((q - 0.2, q + 0.1), 1.0) for name, q in zip(skeleton.joints, pose.q, strict=False)}
    np.testing.assert_array_equal(solve(pose, [Comfort(ranges)]).pose.q, pose.q)
    reach = Reach("hand", pose.origins[-1])
    np.testing.assert_allclose(solve(pose, [reach, Comfort(ranges)]).pose.q, pose.q, atol=1e-9)


def test_outside_its_range_a_joint_comes_to_the_edge_of_it_and_to_its_value() -> None:
    skeleton = panda()
    wishes = {"j1": ((0.3, 0.6), 1.0), "j2": ((-0.9, -0.4), 1.0), "j3": 0.7}
    pose = solve(middle(skeleton), [Comfort(wishes)]).pose
    np.testing.assert_allclose(pose.q[:3], (0.3, -0.4, 0.7), atol=1e-9)
    np.testing.assert_array_equal(pose.q[3:], middle(skeleton).q[3:])


def test_with_a_goal_the_comfortable_value_is_taken_where_the_goal_leaves_it() -> None:
    """A planar arm of three pieces has one freedom left: one joint's angle, which comfort chooses."""
    skeleton = planar_arm(1.0, 1.0, 0.5)
    for wanted in RNG.uniform(0.2, 1.0, 20):
        solution = solve(Pose(skeleton, (0.3, 0.3, 0.3)), [Reach("tip", (1.2, 0.9, 0.0)), Comfort({"h2": wanted})])
        assert solution.status is Status.REACHED
        assert np.linalg.norm(solution.pose.origins[-1] - (1.2, 0.9, 0.0)) < 1e-6
        assert solution.pose.q[2] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("priorities", [(1, 1), (1, 2), (2, 5)])
def test_soft_goals_get_as_far_behind_any_number_of_priorities(priorities: tuple[int, int]) -> None:
    """Behind three, what keeps the pose was given up at seven times its cost."""
    start = standing()
    hand = Reach("hand_r", place(start, "pelvis") + np.array([-0.3, 0.35, 0.4]))
    found: list[Pose] = []
    for first, second in ((0, 0), priorities):
        frame = {name: start.world_from_joint[mannequin().index(name)] for name in ("foot_l", "foot_r", "pelvis")}
        feet = [Place(foot, frame[foot], 1.0, 0.3, priority=first) for foot in ("foot_l", "foot_r")]
        hips = Place("pelvis", frame["pelvis"], 0.0, 0.3, priority=second, within=Cone((0.0, 1.0, 0.0), 0.2))
        solution = solve(start, [hand, *feet, hips, staying(start)], restarts=0)
        assert solution.reached and solution.iterations < 150
        found.append(solution.pose)
    np.testing.assert_allclose(found[1].minus(found[0]), 0.0, atol=2e-3)


def test_a_weight_of_its_own_decides_between_joints() -> None:
    """One freedom is left for two wishes: in a sum of squares the heavier is nearer to its own, in the end at it."""
    skeleton = planar_arm(1.0, 1.0, 0.5)
    misses = []
    for heavy in (1.0, 10.0, 1e4):
        wishes = Comfort({"h1": (0.9, heavy), "h2": (0.9, 1.0)})
        pose = solve(Pose(skeleton, (0.3, 0.3, 0.3)), [Reach("tip", (1.2, 0.9, 0.0)), wishes]).pose
        misses.append(abs(pose.q[1] - 0.9))
    assert misses[0] > misses[1] > misses[2]
    assert misses[2] < 1e-3


def test_elastic_joints_are_drawn_in_proportion_to_values_too() -> None:
    arm = planar_arm(1.0, 1.0, 0.5)
    stiff = [replace(joint, elasticity=1e4 if joint.name == "h1" else 1.0) for joint in arm.definitions]
    wishes = [Reach("tip", (1.2, 0.9, 0.0)), Comfort({"h1": 0.9, "h2": 0.9})]
    poses = [solve(Pose(one, (0.3, 0.3, 0.3)), wishes).pose for one in (arm, Skeleton(stiff))]
    weighed = [wishes[0], Comfort({"h1": (0.9, 1e4), "h2": 0.9})]
    np.testing.assert_allclose(poses[1].q, solve(Pose(arm, (0.3, 0.3, 0.3)), weighed).pose.q, atol=1e-9)
    assert abs(poses[0].q[1] - 0.9) > 0.1


def test_a_free_root_is_held_where_it_is_named() -> None:
    rests = standing()
    goals = [Reach("hand_r", (-0.8, 0.3, 1.2)), LookAt("head", (0, 0.5, 2.0))]
    away = []
    for wishes in (Comfort(), Comfort({"root": None}), Comfort({"root": ((1, 0, 0, 0), 1.0)})):
        pose = solve(rests, [*goals, wishes]).pose
        away.append(pose.minus(rests)[:6])
    moved, turned = (np.array([np.linalg.norm(one[part]) for one in away]) for part in (slice(3), slice(3, 6)))
    assert turned[1] < 0.25 * turned[0]
    assert turned[2] < 0.05 * turned[0]
    assert moved[2] > moved[1]  # a rotation alone leaves it free to go


def test_comfort_refuses_what_it_cannot_read() -> None:
    for wish in ((0.4, -1.0), (0.4, "x"), ((0.6, 0.4), 1.0), (0.1, 0.2, 0.3), "x", ((0, 0, 0, 0), 1.0)):
        with pytest.raises(GoalError, match="Comfort"):
            Comfort({"knee": wish})  # type: ignore[dict-item]


def test_comfort_speaks_of_balls_slides_and_planes_too() -> None:
    skeleton = mixture()
    wishes = {"ball": (1.0, 0.0, 0.0, 0.0), "slide": ((0.1, 0.2), 1.0), "planar.angle": -0.4, "universal": 0.3}
    names = [name for name in skeleton.freedoms if name.startswith("planar")]
    wishes[names[-1]] = wishes.pop("planar.angle")
    pose = solve(skeleton.random_pose(RNG), [Comfort(wishes)]).pose
    np.testing.assert_allclose(pose.of("ball"), (1, 0, 0, 0), atol=1e-6)
    assert 0.1 - 1e-9 <= pose.of("slide")[0] <= 0.2 + 1e-9
    assert pose.of("planar")[2] == pytest.approx(-0.4, abs=1e-9)
    np.testing.assert_allclose(pose.of("universal"), 0.3, atol=1e-9)
    with pytest.raises(GoalError, match="Comfort: 'hinge' is not a ball joint"):
        solve(rest(skeleton), [Comfort({"hinge": (1.0, 0.0, 0.0, 0.0)})])


def test_torsion_untangles() -> None:
    """All angles go to zero, and with the end held, until no way to hold it is less bent."""
    skeleton = planar_arm(*[1.0] * 6)
    tangled = Pose(skeleton, RNG.uniform(-1.5, 1.5, 6))
    np.testing.assert_allclose(solve(tangled, [Torsion()]).pose.q, 0.0, atol=1e-9)
    goal = Reach("tip", (4.0, 1.0, 0.0))
    solution = solve(tangled, [goal, Torsion()])
    assert solution.status is Status.REACHED
    jacobian = goal.jacobian(solution.pose)
    across = solution.pose.q - np.linalg.pinv(jacobian) @ jacobian @ solution.pose.q
    assert np.linalg.norm(across) < 1e-4


@pytest.mark.parametrize("weight", [1e-6, 1e-3, 1.0, 1e6])
def test_how_large_soft_weights_are_together_does_not_matter(weight: float) -> None:
    skeleton = panda()
    stay = Pose(skeleton, middle(skeleton).q + 0.3)
    goal = Reach("hand", (0.4, 0.2, 0.4))
    expected = solve(middle(skeleton), [goal, Stay(stay, weight=1e-3), Torsion(weight=3e-3)])
    solution = solve(middle(skeleton), [goal, Stay(stay, weight=weight), Torsion(weight=3 * weight)])
    assert solution.status is Status.REACHED
    np.testing.assert_allclose(solution.pose.q, expected.pose.q, atol=1e-9)


def test_soft_goals_never_cost_a_reachable_arm_its_place() -> None:
    skeleton = panda()
    frames = skeleton.random_pose(RNG, (100,)).world_from_joint[:, -1]
    elsewhere = skeleton.random_pose(RNG)
    soft = [Stay(elsewhere), Comfort({"j4": ((-1.0, -0.5), 1.0), "j2": 0.3}, weight=5.0), Torsion(weight=0.1)]
    solution = solve(middle(skeleton), [Place("hand", frames), *soft], restarts=100)
    assert (solution.status == Status.REACHED).all()
    for q, frame in zip(solution.pose.q, frames, strict=True):
        world = world_by_hand(skeleton, q)[-1]
        assert np.linalg.norm(world[:3, 3] - frame[:3, 3]) < 1e-6
        assert np.linalg.norm(world[:3, :3] - frame[:3, :3]) < 2e-5
        assert ((q >= skeleton.lower) & (q <= skeleton.upper)).all()


def test_soft_goals_never_cost_a_person_its_hands_and_feet() -> None:
    poses = moved(RNG, (*ARM_R, "upper_arm_l", "forearm_l", "spine", "chest"), 100)
    ends = ("hand_l", "hand_r", "foot_l", "foot_r")
    hard = [Reach(name, place(poses, name)) for name in ends]
    soft = [Comfort(weight=1.0), Torsion(weight=0.3), Stay(mannequin().random_pose(RNG), weight=0.1)]
    pole = Pole("hand_r", (-1.0, 0.0, -1.0))
    alone = solve(standing(), hard, frozen=("root",))
    solution = solve(standing(), [*hard, pole, *soft], frozen=("root",))
    met = alone.status == Status.REACHED
    assert met.mean() >= 0.98
    assert (solution.status[met] == Status.REACHED).all()
    for name in ends:
        assert np.linalg.norm(place(solution.pose, name) - place(poses, name), axis=-1)[met].max() < 1e-6
    np.testing.assert_allclose(solution.pose.clamped().q, solution.pose.q, atol=1e-12)


def test_soft_goals_that_want_the_opposite_leave_a_plain_goal_met() -> None:
    chain = ball_chain(1.0, 0.8, 0.6)
    targets = chain.random_pose(RNG, (100,)).origins[:, -1]
    stay = chain.random_pose(RNG)
    solution = solve(rest(chain), [Reach("tip", targets), Stay(stay, weight=1e3), Torsion(weight=1e3)])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(solution.pose.origins[:, -1] - targets, axis=1).max() < 1e-6


def test_feet_first_then_the_hand() -> None:
    """Feet of priority 0 stand to tolerance while a hand of priority 1 asks for too much; weights would move both."""
    feet = [Place(name, standing().world_from_joint[mannequin().index(name)]) for name in ("foot_l", "foot_r")]
    far = place(standing(), "hand_r") + np.array([-0.4, 1.5, 1.0])
    solution = solve(standing(), [*feet, Reach("hand_r", far, priority=1)])
    for name in ("foot_l", "foot_r"):
        assert np.linalg.norm(place(solution.pose, name) - place(standing(), name)) < 1e-6
    left = float(np.linalg.norm(place(solution.pose, "hand_r") - far))
    assert solution.status is not Status.REACHED
    assert left < float(np.linalg.norm(place(standing(), "hand_r") - far)) - 0.5
    mixed = solve(standing(), [*feet, Reach("hand_r", far)])
    assert max(goal.distance for goal in mixed.goals[:2]) > 1e-3
    assert mixed.goals[2].distance < left


def test_what_a_lower_priority_leaves_is_the_best_it_can_have() -> None:
    """The end of a planar chain is fixed; the middle comes as near to its place as the circle of the rest allows."""
    chain = planar_arm(1.0, 1.0)
    for angle in RNG.uniform(-1, 1, 20):
        far = 1.5 * np.array([np.cos(angle), np.sin(angle), 0.0])
        elbow = Reach("h1", (np.cos(0.3), np.sin(0.3), 0.0))
        solution = solve(Pose(chain, (0.1, 0.2)), [elbow, Reach("tip", far, priority=1)])
        at = np.array([np.cos(0.3), np.sin(0.3), 0.0])
        assert np.linalg.norm(solution.pose.origins[1] - at) < 1e-6
        left = abs(np.linalg.norm(far - at) - 1.0)
        assert np.linalg.norm(solution.pose.origins[2] - far) == pytest.approx(left, abs=1e-5)


def test_three_priorities_one_after_the_other() -> None:
    skeleton = mannequin()
    foot = Place("foot_r", standing().world_from_joint[skeleton.index("foot_r")])
    hand = place(moved(RNG, ARM_R, 1)[0], "hand_r")
    goals = [
        foot,
        Reach("hand_r", hand, priority=1),
        LookAt("head", (0.5, 1.5, 2.0), priority=2),
        Orient("foot_l", (0.7, 0.7, 0.1, 0.0), priority=2),
    ]
    solution = solve(standing(), goals, frozen=("root",))
    assert np.linalg.norm(place(solution.pose, "foot_r") - place(standing(), "foot_r")) < 1e-6
    assert np.linalg.norm(place(solution.pose, "hand_r") - hand) < 1e-6
    assert solution.goals[2].angle < 1e-5
    start = goals[3].residual(standing())
    assert solution.goals[3].angle < np.linalg.norm(start)
