"""Natural poses: the rest of the body does what people do, and the goals are met as without it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import posable
from benchmarks.natural import drags, recordings
from posable.natural import natural_if_known
from posable.natural.body import SEGMENTS, TURNS, Body, about_up, body_of, common_rotations, facing
from posable.natural.natural import NaturalStarts
from posable.natural.network import human

ROOT = Path(__file__).parents[2]
BELL = (-0.25, 1.3, 0.45)
FEET = ("foot_l", "foot_r")


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


@pytest.fixture(scope="module")
def recorded() -> tuple[posable.Figure, posable.Pose]:
    """A walk of a sample on its own skeleton: poses of a person."""
    figure = posable.load(posable.sample("walk.bvh"))
    return figure, figure.clips[0].poses[::20]


def a_body(figure: posable.Figure) -> Body:
    found = body_of(figure.skeleton)
    assert found is not None
    return found


def starts_of(prepared: posable.Prepared) -> NaturalStarts:
    assert prepared._proposals is not None
    starter = prepared._proposals.starter
    assert isinstance(starter, NaturalStarts)
    return starter


def random_goals(figure: posable.Figure, rng: np.random.Generator, count: int) -> list[posable.Goal]:
    poses = figure.skeleton.random_pose(rng, (count,))
    roles = posable.roles(figure)
    return [posable.Reach(roles[role], poses.origins[:, roles.index(role)]) for role in ("hand_l", "hand_r", "head")]


def test_goals_are_met_as_without(mannequin: posable.Figure) -> None:
    goals = random_goals(mannequin, np.random.default_rng(0), 200)
    plain = posable.solve(mannequin.rest, goals)
    natural = posable.solve(mannequin.rest, [*goals, posable.Natural()])
    missed = [(np.asarray(one.status) != posable.Status.REACHED).mean() for one in (plain, natural)]
    assert missed[1] <= missed[0] + 0.01
    met = np.asarray(natural.status) == posable.Status.REACHED
    for goal in natural.goals[:3]:
        assert np.asarray(goal.distance)[met].max() < 1e-6
    assert np.array_equal(natural.pose.clamped().q, natural.pose.q)


def test_a_person_presses_a_doorbell(mannequin: posable.Figure) -> None:
    goals = [posable.Reach("index_tip_r", BELL), posable.LookAt("head", BELL)]
    held = ("root", "pelvis")
    plain, natural = (
        posable.solve(mannequin.rest, asked, frozen=held).pose for asked in (goals, [*goals, posable.Natural()])
    )
    skeleton, rest = mannequin.skeleton, mannequin.rest
    for joint in ("foot_l", "foot_r", "toe_l", "shin_r"):  # who stands keeps standing
        index = skeleton.index(joint)
        np.testing.assert_allclose(natural.world_from_joint[index], rest.world_from_joint[index], atol=1e-9)
    leans = [_lean(mannequin, pose) for pose in (plain, natural)]
    assert leans[0] > 25 > 10 > leans[1]
    hand = natural.origins[skeleton.index("hand_l")]
    assert hand[1] < natural.origins[skeleton.index("spine")][1]  # the other arm hangs


def _lean(figure: posable.Figure, pose: posable.Pose) -> float:
    """Degrees by which the line from pelvis to chest leaves the vertical."""
    line = pose.origins[figure.skeleton.index("neck")] - pose.origins[figure.skeleton.index("pelvis")]
    return float(np.degrees(np.arccos(line[1] / np.linalg.norm(line))))


def test_recorded_poses_are_found_again(recorded: tuple[posable.Figure, posable.Pose]) -> None:
    """From hands and head, hips and feet the rest of the body: nearer than without, and knees and elbows in place."""
    figure, truth = recorded
    roles, frames = posable.roles(figure), truth.world_from_joint
    goals: list[posable.Goal] = [
        posable.Reach(roles[role], truth.origins[:, roles.index(role)]) for role in ("hand_l", "hand_r", "head")
    ]
    goals += [posable.Place(roles[role], frames[:, roles.index(role)]) for role in ("hips", "foot_l", "foot_r")]
    leg = a_body(figure).leg[0]
    off = []
    for asked in (goals, [*goals, posable.Natural()]):
        pose = posable.solve(figure.rest, asked).pose
        off.append(np.linalg.norm(pose.origins - truth.origins, axis=-1) / leg)
    assert off[1].mean() < 0.65 * off[0].mean()
    bends = [roles.index(f"lower_{limb}_{side}") for limb in ("arm", "leg") for side in "lr"]
    assert (off[1][:, bends] > 0.12).mean() < 0.02


def test_what_is_met_is_left_alone(mannequin: posable.Figure) -> None:
    pose = posable.solve(mannequin.rest, [posable.Reach("hand_r", BELL), posable.Natural()]).pose
    goals = [posable.Reach("hand_r", pose.origins[mannequin.skeleton.index("hand_r")]), posable.Natural()]
    assert np.array_equal(posable.solve(pose, goals).pose.q, pose.q)


def test_a_drag_does_not_jump(mannequin: posable.Figure) -> None:
    """Twice as many targets on a path make the largest step of a joint half as large."""
    begin = mannequin.rest.origins[mannequin.skeleton.index("hand_r")]
    prepared = posable.prepare(
        mannequin.skeleton,
        [posable.Reach("hand_r", begin), posable.Natural(keep=True)],
        frozen=("root", "pelvis"),
        restarts=0,
    )
    steps = []
    for count in (60, 120):
        pose, largest = mannequin.rest, 0.0
        for share in np.linspace(0.0, 1.0, count + 1)[1:]:
            angle = 2.0 * np.pi * share
            target = begin + 0.35 * np.array([-0.3 * np.sin(angle), 1.0 - np.cos(angle), 1.2 * np.sin(angle / 2)])
            after = prepared.solve(pose, [target, None]).pose
            largest = max(largest, float(np.abs(after.minus(pose)).max()))
            pose = after
        steps.append(largest)
    assert steps[1] <= 0.6 * steps[0]
    assert steps[0] < np.radians(25)


def test_a_drag_forth_and_back_ends_where_it_began(mannequin: posable.Figure) -> None:
    """The hips go down while the hands are to stay, which they cannot: they are not proposed anew at every step."""
    skeleton, frames = mannequin.skeleton, mannequin.rest.world_from_joint
    held = [posable.Place(joint, frames[skeleton.index(joint)]) for joint in ("hand_l", "hand_r", "foot_l", "foot_r")]
    hips = np.array(mannequin.rest.origins[skeleton.index("pelvis")])
    goals = [posable.Reach("pelvis", hips, weight=10.0), *held, posable.Natural(keep=True)]
    prepared = posable.prepare(skeleton, goals, restarts=0)
    away = {}
    for goes_on in (False, True):
        pose, before = mannequin.rest, None
        for share in np.linspace(0.0, 1.0, 61)[1:]:
            targets = [hips - (0.0, 0.35 * np.sin(np.pi * share), 0.0), *[None] * 5]
            pose, before = prepared.solve(pose, targets, since=before if goes_on else None).pose, targets
        away[goes_on] = float(np.abs(pose.minus(mannequin.rest)).max())
    assert away[True] < min(0.47, 0.55 * away[False])


@pytest.mark.slow
def test_a_hand_on_a_closed_path_comes_back_with_the_whole_body(mannequin: posable.Figure) -> None:
    """Whatever the path: steps alone leave the arm and the chest where it has led them. Still nothing leaps."""
    hand = np.array(mannequin.rest.origins[mannequin.skeleton.index("hand_r")])
    goal, rest = posable.Reach("hand_r", hand), mannequin.rest
    prepared = posable.prepare(mannequin.skeleton, [goal, posable.Natural(keep=True)], frozen=["root"], restarts=0)
    rng = np.random.default_rng(1)
    for _ in range(3):
        knots = [hand, *(hand + (-0.1, 0.4, 0.25) + 0.2 * rng.normal(size=(2, 3))), hand]
        path = CubicSpline(np.linspace(0.0, 1.0, 4), knots)
        ends, steps = {}, []
        for has_origin, count in ((False, 240), (True, 240), (True, 960)):
            pose, largest = rest, 0.0
            for before, target in pairwise(path(np.linspace(0.0, 1.0, count + 1))):
                origin = (rest, [hand, None]) if has_origin else None
                after = prepared.solve(pose, [target, None], since=[before, None], origin=origin).pose
                largest, pose = max(largest, float(np.abs(after.minus(pose)).max())), after
            ends[has_origin] = float(np.abs(pose.minus(rest)).max())
            steps.append(largest)
        assert ends[True] < np.radians(3) and ends[True] < 0.2 * ends[False]
        assert steps[2] <= 0.6 * steps[1] and steps[1] < np.radians(15)


def test_batches_and_single_solves_agree(mannequin: posable.Figure) -> None:
    targets = np.random.default_rng(3).normal((-0.3, 1.2, 0.3), 0.15, (9, 3))
    prepared = posable.prepare(mannequin.skeleton, [posable.Reach("hand_r", BELL), posable.Natural()])
    batch = prepared.solve(mannequin.rest, [targets, None]).pose
    for n in range(9):
        single = prepared.solve(mannequin.rest, [targets[n], None]).pose
        np.testing.assert_allclose(single.q, batch.q[n], atol=1e-7)
    assert np.array_equal(prepared.solve(mannequin.rest, [targets, None]).pose.q, batch.q)


def test_what_is_frozen_stays(mannequin: posable.Figure) -> None:
    frozen = ("root", "chest", "upper_arm_l", "shin_r")
    pose = posable.solve(mannequin.rest, [posable.Reach("hand_r", BELL), posable.Natural()], frozen=frozen).pose
    fixed = mannequin.skeleton.freedom_mask(frozen)
    assert np.array_equal(pose.minus(mannequin.rest)[fixed], np.zeros(fixed.sum()))


def test_strength(mannequin: posable.Figure) -> None:
    goals = [posable.Reach("hand_r", BELL), posable.LookAt("head", BELL)]
    plain = posable.solve(mannequin.rest, goals).pose
    without = posable.solve(mannequin.rest, [*goals, posable.Natural(0.0)]).pose
    np.testing.assert_allclose(without.q, plain.q, atol=1e-9)
    prepared = posable.prepare(mannequin.skeleton, [*goals, posable.Natural()])
    whole = prepared.solve(mannequin.rest).pose
    weighed = prepared.solve(mannequin.rest, weights=[None, None, np.array([0.0, 0.5, 1.0])]).pose
    np.testing.assert_allclose(weighed.q[0], plain.q, atol=1e-9)
    np.testing.assert_allclose(weighed.q[2], whole.q, atol=1e-9)
    away = [float(np.linalg.norm(weighed[k].minus(plain))) for k in range(3)]
    assert away[0] < away[1] < away[2]


def test_arms_held_out_come_down() -> None:
    """The rest pose of most files is a T-pose: the arm that no goal asks for hangs then, as told by keep."""
    figure = posable.load(posable.sample("walk.bvh"))
    roles = posable.roles(figure)
    target = figure.rest.origins[roles.index("head")] + 0.3 * a_body(figure).leg[0] * roles.forward
    goal = posable.Reach(roles["hand_r"], target)
    heights = {}
    for keep in (None, True):
        pose = posable.solve(figure.rest, [goal, posable.Natural(keep=keep)], frozen=("root",)).pose
        heights[keep] = float((pose.origins[roles.index("hand_l")] - pose.origins[roles.index("hips")]) @ roles.up)
    arm = float(
        np.linalg.norm(figure.rest.origins[roles.index("hand_l")] - figure.rest.origins[roles.index("upper_arm_l")])
    )
    assert heights[None] < 0.2 * arm < 0.4 * arm < heights[True]


def test_far_from_what_it_knows_it_gives_way(mannequin: posable.Figure) -> None:
    """Hands tied to the feet, crosswise and behind: the proposal does not fit and counts less."""
    goal = posable.Natural()
    goals = [posable.Reach("hand_r", BELL), posable.Reach("foot_l", BELL), posable.Reach("head", (0.0, -3.0, 0.0))]
    structure = posable.prepare(mannequin.skeleton, [*goals, goal])
    starter = starts_of(structure)
    rest = np.array(mannequin.rest.q)[None]
    numbers = np.array([[*BELL, *BELL, 0.0, -3.0, 0.0]])
    proposed = starter.proposed(rest, numbers)
    far = posable.Pose(mannequin.skeleton, proposed[0])
    assert np.abs(far.minus(mannequin.rest)[6:]).max() < 0.5  # of a whole proposal arms turn by more


def test_who_is_no_person() -> None:
    arm = posable.figure("arm6")
    assert natural_if_known(arm.skeleton) == []
    with pytest.raises(posable.GoalError, match="neither the hips"):
        posable.solve(arm.rest, [posable.Reach(arm.skeleton.joints[-1], (0.1, 0.2, 0.0)), posable.Natural()])


@pytest.mark.parametrize("wrong", [{"strength": 1.1}, {"strength": -0.1}, {"strength": "much"}, {"keep": "arms"}])
def test_refusals(wrong: dict[str, object]) -> None:
    with pytest.raises(posable.GoalError, match="Natural"):
        posable.Natural(**wrong)  # type: ignore[arg-type]


def test_how_unusual_a_pose_is(mannequin: posable.Figure) -> None:
    goals = [posable.Reach("hand_r", BELL), posable.Natural()]
    solution = posable.solve(mannequin.rest, goals, frozen=("root",))
    assert isinstance(solution.prior_distance, float)
    assert solution.prior_distance < 2
    assert "unusual" not in solution.describe()
    q = np.array(mannequin.rest.q)
    head = int(mannequin.skeleton.tables.first_coordinate[mannequin.skeleton.index("head")])
    q[head : head + 4] = (0.0, 0.0, 1.0, 0.0)  # looking backwards
    pose = posable.Pose(replace_limits(mannequin).skeleton, q)
    strange = posable.solve(pose, [posable.Natural()])
    assert isinstance(strange.prior_distance, float)
    assert strange.prior_distance > solution.prior_distance
    assert "unusual: head" in strange.describe()
    arm = posable.figure("arm6")
    tip = posable.Reach(arm.skeleton.joints[-1], arm.rest.origins[-1])
    assert posable.solve(arm.rest, [tip]).prior_distance is None


def replace_limits(figure: posable.Figure) -> posable.Figure:
    """The figure without limits."""
    joints = [
        replace(joint, cone=None, axes=tuple(replace(axis, lower=-np.inf, upper=np.inf) for axis in joint.axes))
        for joint in figure.skeleton.definitions
    ]
    return replace(figure, skeleton=posable.Skeleton(joints, figure.skeleton.up))


def test_the_network_is_told_what_it_was_trained_on(recorded: tuple[posable.Figure, posable.Pose]) -> None:
    """The kernel and the training describe a pose with the same numbers."""
    figure, poses = recorded
    body, net = a_body(figure), human().network
    roles, pose = posable.roles(figure), poses[3]
    known = ("hand_l", "foot_r", "hips", "head")
    frames = pose.world_from_joint
    goals = [posable.Place(roles[role], frames[roles.index(role)]) for role in known]
    prepared = posable.prepare(figure.skeleton, [*goals, posable.Natural(keep=False)])
    starter = starts_of(prepared)
    numbers, _ = prepared.targets.rows(prepared.targets.values(None), (), slice(0, 1))
    starter.proposed(np.array(figure.rest.q)[None], numbers)
    told = starter._memory.work.x[0]

    turns = common_rotations(body, poses[3:4])
    face = about_up(-facing(turns))
    points = [int(joint) for joint in body.points]
    places = (pose.origins[np.maximum(points, 0)] @ body.axes[0] / body.leg[0])[None] @ np.swapaxes(face, 1, 2)
    is_known = np.array([[recordings.POINTS[k] in known for k in range(len(points))]])
    segments = [recordings.S[turn] for turn in TURNS]
    wanted, _ = recordings.described(
        places,
        (face[:, None] @ turns)[:, segments],
        is_known,
        is_known[:, : len(TURNS)],
        ((body.measures - net.measures[0]) / net.measures[1])[None],
        np.zeros_like(places),
        np.zeros(1, bool),
    )
    np.testing.assert_allclose(told, wanted[0], atol=1e-5)


def test_the_model_is_what_its_script_wrote() -> None:
    model = (ROOT / "src/posable/natural/human.npz").read_bytes()
    assert hashlib.sha256(model).hexdigest() in (ROOT / "docs/natural.md").read_text(encoding="utf-8")
    assert len(model) < 500_000


@pytest.mark.slow
def test_a_drag_is_continuous_through_the_whole_reach(mannequin: posable.Figure) -> None:
    """Through the body too, where no recording has a hand: there a head turned over at once."""
    curves = drags.paths(mannequin, "hand_r", 13, 1)
    slow, fast = (
        drags.dragged(mannequin, "hand_r", curves, fps, [posable.Natural(keep=True)], ["root"]) for fps in (60, 120)
    )
    assert slow.met > 0.99
    # One path goes where the whole body is stretched: there a joint turns by any angle for no way at all.
    assert np.sort(slow.largest)[-2] < 15 and slow.largest.max() < 19
    assert (fast.largest <= 0.75 * slow.largest).sum() >= 12


def test_a_drag_of_a_figure_with_short_legs_is_continuous_too() -> None:
    """Its arms are longer than its legs: measured in those a hand flies, and its head turned by 22° at once."""
    knight = posable.load(posable.sample("knight.glb"))
    hand, frozen = posable.roles(knight)["hand_r"], [j.name for j in knight.skeleton.definitions if j.floating]
    curves = drags.paths(knight, hand, 12, 9)
    assert drags.dragged(knight, hand, curves, 60, [posable.Natural(keep=True)], frozen).largest.max() < 15


def test_a_raised_arm_lifts_its_shoulder(mannequin: posable.Figure) -> None:
    """Collar bones hardly move in the recordings; without that an arm over the head looks torn off."""
    body = a_body(mannequin)
    stand = [posable.Place(foot, mannequin.rest.world_from_joint[mannequin.skeleton.index(foot)]) for foot in FEET]
    lifted = []
    for high in (0.9, 1.3, 1.95):
        goals = [*stand, posable.Reach("hand_r", (-0.25, high, 0.3)), posable.Natural()]
        turns = common_rotations(body, posable.solve(mannequin.rest, goals).pose)
        chest, left, right = (turns[SEGMENTS.index(part)] for part in ("chest", "shoulder_l", "shoulder_r"))
        rises = [np.degrees(np.arcsin((chest.T @ one)[1, 0])) for one in (left, right)]
        lifted.append((rises[0], -rises[1]))
    assert np.abs([left for left, _ in lifted]).max() < 5
    assert abs(lifted[0][1]) < 6
    assert lifted[2][1] > 12
    assert lifted[2][1] > lifted[1][1] + 5


def test_a_fingertip_says_where_the_wrist_is(mannequin: posable.Figure) -> None:
    """The hand is taken to point as the network turns it, not sideways as in the rest pose: the wrist bends less."""
    skeleton, targets = mannequin.skeleton, np.array([BELL, (-0.3, 1.6, 0.4), (0.0, 1.5, 0.45)])
    found = posable.solve(mannequin.rest, [posable.Reach("index_tip_r", targets), posable.Natural()], frozen=["root"])
    arm = [skeleton.index(joint) for joint in ("forearm_r", "hand_r")]
    turns, rest = found.pose.world_from_joint[:, arm, :3, :3], mannequin.rest.world_from_joint[arm, :3, :3]
    bone = a_body(mannequin).bones[arm[0]]
    cosine = np.einsum("ni,ni->n", turns[:, 1] @ rest[1].T @ rest[0] @ bone, turns[:, 0] @ bone)
    assert (np.degrees(np.arccos(cosine)) < 7.5).all()


@pytest.mark.parametrize("hands", [{"l": (0.25, 1.75, 0.1), "r": (-0.25, 1.75, 0.1)}, {"l": (0.25, 1.9, 0.05)}])
def test_under_raised_hands_the_head_stays_level(mannequin: posable.Figure, hands: dict[str, Any]) -> None:
    """Arms that are far from what is proposed held up the whole body, and heads looked up after the hands."""
    skeleton, rest = mannequin.skeleton, mannequin.rest
    feet = [
        posable.Place(foot, rest.world_from_joint[skeleton.index(foot)], priority=0) for foot in ("foot_l", "foot_r")
    ]
    begin = [rest.origins[skeleton.index(f"hand_{side}")] for side in hands]
    goals = [posable.Reach(f"hand_{side}", at, priority=1) for side, at in zip(hands, begin, strict=True)]
    prepared = posable.prepare(skeleton, [*goals, *feet, posable.Natural(keep=True)], restarts=0)
    pose, before, others = rest, [*begin, *[None] * 3], [None] * 3
    for share in np.linspace(0.0, 1.0, 41)[1:]:
        targets = [at + share * (np.array(to) - at) for at, to in zip(begin, hands.values(), strict=True)]
        origin = rest, [*begin, *others]
        pose = prepared.solve(pose, [*targets, *others], since=before, origin=origin).pose
        before = [*targets, *others]
    turned = pose.world_from_joint[:, :3, :3] @ np.swapaxes(rest.world_from_joint[:, :3, :3], 1, 2)
    chest, head = (np.degrees(-np.arcsin(turned[skeleton.index(joint), 2, 1])) for joint in ("chest", "head"))
    assert head < 13
    assert chest < (11 if len(hands) == 2 else 15)
