"""Bodies stay out of each other and of obstacles; where they cannot, what is left is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solvers.chains import planar_arm, rest

from posable import GoalError, Joint, KeepApart, Place, Pose, Reach, Skeleton, Status, figure, solve, with_capsules
from posable.goals.capsules import gaps

RNG = np.random.default_rng(81)


def bodied(skeleton: Skeleton, radius: float = 0.06) -> Skeleton:
    """Every link of a planar arm with a capsule along it."""
    ends = [*[j.position for j in skeleton.definitions[1:]], None]
    joints = [
        replace(joint, capsules=((0, 0, 0, *end, radius),)) if end else joint
        for joint, end in zip(skeleton.definitions, ends, strict=True)
    ]
    return Skeleton(joints, skeleton.up)


ARM = bodied(planar_arm(1.0, 1.0, 1.0, 1.0))


def sampled_gap(one: np.ndarray, other: np.ndarray) -> float:
    """The room between two capsules, from many points on their axes."""
    share = np.linspace(0, 1, 201)[:, None]
    first = one[:3] + share * (one[3:6] - one[:3])
    second = other[:3] + share * (other[3:6] - other[:3])
    return float(np.linalg.norm(first[:, None] - second, axis=-1).min() - one[6] - other[6])


def test_the_room_between_capsules_is_that_of_many_points() -> None:
    one, other = RNG.normal(size=(2, 200, 7))
    one[:, 6], other[:, 6] = 0.1, 0.2
    one[:20, 3:6] = one[:20, :3]  # spheres
    other[10:30, 3:6] = other[10:30, :3]
    one[30:60, 3:6] = one[30:60, :3] + 0.7 * (other[30:60, 3:6] - other[30:60, :3])  # parallel
    found = gaps(one, other)
    wanted = [sampled_gap(a, b) for a, b in zip(one, other, strict=True)]
    assert (found <= np.array(wanted) + 1e-12).all()
    np.testing.assert_allclose(found, wanted, atol=0.02)


def links(pose: Pose) -> np.ndarray:
    """`[..., link, 7]` the arm's capsules in the world."""
    ends = pose.origins
    return np.concatenate([ends[..., :-1, :], ends[..., 1:, :], np.full((*ends.shape[:-2], 4, 1), 0.06)], axis=-1)


def test_an_arm_reaches_round_an_obstacle() -> None:
    targets = np.stack([RNG.uniform(2.3, 3.0, 30), RNG.uniform(-0.6, 0.6, 30), np.zeros(30)], axis=-1)
    alone = solve(rest(ARM), [Reach("tip", targets)]).pose
    place = alone.origins[0, 2].tolist()
    ball = (*place, *place, 0.3)
    keep = KeepApart(obstacles=[ball])
    solution = solve(rest(ARM), [Reach("tip", targets), keep])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(solution.pose.origins[:, -1] - targets, axis=1).max() <= 1e-6
    own = links(solution.pose).reshape(-1, 7)
    room = gaps(own, np.tile(ball, (len(own), 1))).reshape(-1, 4)
    assert room.min() >= 0.0, "what counts as reached touches nothing"
    own = links(alone).reshape(-1, 7)
    assert (gaps(own, np.tile(ball, (len(own), 1))).reshape(-1, 4).min(axis=1) < -0.05).mean() > 0.2


def test_what_cannot_be_avoided_is_reported() -> None:
    inside = (1.6, 0.0, 0.0, 1.6, 0.0, 0.0, 0.5)
    solution = solve(rest(ARM), [Reach("tip", (1.6, 0.0, 0.0)), KeepApart(obstacles=[inside])])
    assert solution.status is not Status.REACHED
    own = links(solution.pose)
    deepest = -gaps(own, np.tile(inside, (4, 1))).min()
    assert solution.goals[1].distance == pytest.approx(deepest, abs=1e-9)
    assert solution.goals[1].kind == "KeepApart" and deepest > 0.05


def test_neighbours_and_what_overlaps_at_rest_may_touch() -> None:
    rows = KeepApart().rows(ARM)
    assert {(row.joint, row.other) for row in rows} == {(0, 2), (0, 3), (1, 3)}
    assert {(row.joint, row.other) for row in KeepApart(joints=["h0", "h3"]).rows(ARM)} == {(0, 3)}
    folded = Skeleton([replace(ARM.definitions[0]), *(replace(j, rest=(3.0,)) for j in ARM.definitions[1:4])])
    with pytest.raises(GoalError, match="no two of these capsules can come any nearer"):
        KeepApart().rows(folded)


def test_reaches_across_the_body_go_into_nothing() -> None:
    """Wherever a thousand restarts find a way that touches nothing, twenty do."""
    person = with_capsules(figure("mannequin"))
    skeleton, hand = person.skeleton, person.skeleton.index("hand_r")
    q = np.repeat(person.rest.q[None], 2000, axis=0)
    drawn = skeleton.random_coordinates(RNG, (2000,))
    for name in ("clavicle_r", "upper_arm_r", "forearm_r"):
        first = skeleton.tables.first_coordinate[skeleton.index(name) :]
        q[:, first[0] : first[1]] = drawn[:, first[0] : first[1]]
    places = Pose(skeleton, q).origins[:, hand]
    across = places[(places[:, 0] > 0) & (places[:, 1] > 0.85) & (places[:, 1] < 1.6)][:100]
    assert len(across) == 100
    goals = [Reach("hand_r", across), KeepApart()]
    solution = solve(person.rest, goals, frozen=["root"])
    deep = solution.goals[1].distance > 0.005
    assert deep.mean() <= 0.1
    reached = solution.goals[0].distance <= 1e-6
    assert (reached | (solution.status != Status.REACHED)).all()
    missed = np.flatnonzero(deep | ~reached)
    patient = solve(person.rest, [Reach("hand_r", across[missed]), KeepApart()], frozen=["root"], restarts=1000)
    assert (patient.status != Status.REACHED).all()


def test_a_limb_that_is_not_asked_for_stays_unless_it_is_in_the_way() -> None:
    person = with_capsules(figure("mannequin"))
    solution = solve(person.rest, [Reach("hand_r", (0.05, 1.15, 0.3)), KeepApart()], frozen=["root"])
    assert solution.status is Status.REACHED
    for name in ("upper_arm_l", "thigh_l", "thigh_r", "shin_l"):
        np.testing.assert_allclose(solution.pose.of(name), person.rest.of(name), atol=0.02)


def test_capsules_of_display_shapes() -> None:
    bodies = with_capsules(figure("arm6"))
    assert sum(bool(joint.capsules) for joint in bodies.skeleton.definitions) >= 4
    start = bodies.rest.world_from_joint[-1]
    solution = solve(bodies.rest, [Place(bodies.skeleton.joints[-1], start), KeepApart()])
    assert solution.status is Status.REACHED


def test_nonsense_is_refused() -> None:
    with pytest.raises(GoalError, match=r"no joint of this figure has a capsule.*with_capsules"):
        solve(rest(planar_arm(1, 1)), [KeepApart()])
    with pytest.raises(GoalError, match="KeepApart: an obstacle must end in shape"):
        KeepApart(obstacles=[(1, 2, 3)])
    with pytest.raises(GoalError, match="KeepApart: an obstacle is 7 numbers, start, end and a radius above 0"):
        KeepApart(obstacles=[(0, 0, 0, 1, 1, 1, 0)])
    with pytest.raises(GoalError, match="KeepApart: margin must be a number above 0"):
        KeepApart(margin=0)
    with pytest.raises(GoalError, match="KeepApart: weight must be a number of at least 0"):
        KeepApart(weight=-1)
    with pytest.raises(ValueError, match="joint 'a': the radius of a capsule, its last number, must be above 0"):
        Joint("a", "ball", capsules=((0, 0, 0, 1, 0, 0, 0),))


def test_the_sentence_names_what_is_inside_an_obstacle() -> None:
    everywhere = (0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 9.0)
    solution = solve(rest(ARM), [KeepApart(obstacles=[everywhere])], max_iterations=5, restarts=0)
    assert "KeepApart is " in solution.describe()
