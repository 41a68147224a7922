"""Bodies stay out of each other and of obstacles; where they cannot, what is left is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solvers.chains import planar_arm, rest

from posable import (
    Figure,
    GoalError,
    Joint,
    KeepApart,
    Place,
    Pose,
    Reach,
    Skeleton,
    Skin,
    Status,
    figure,
    load,
    prepare,
    sample,
    solve,
    with_capsules,
)
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


def spheres(places: np.ndarray, radius: float) -> np.ndarray:
    """`[..., 1, 7]`."""
    return np.concatenate([places, places, np.full((*places.shape[:-1], 1), radius)], axis=-1)[..., None, :]


def test_obstacles_are_given_with_each_call_and_move_over_time() -> None:
    places = np.stack([np.linspace(1.2, 2.2, 40), np.linspace(-0.9, 0.9, 40), np.zeros(40)], axis=-1)
    balls, target = spheres(places, 0.2), np.array((2.4, 1.4, 0.0))
    prepared = prepare(ARM, [Reach("tip", target), KeepApart(obstacles=balls[0])], restarts=0)
    for n in (0, 20, 39):
        again = solve(rest(ARM), [Reach("tip", target), KeepApart(obstacles=balls[n])], restarts=0)
        given = prepared.solve(rest(ARM), [None, balls[n]])
        np.testing.assert_array_equal(given.pose.q, again.pose.q)
        assert given.goals[1].distance == again.goals[1].distance
    batch = prepared.solve(rest(ARM), [None, balls])
    np.testing.assert_array_equal(batch.pose.q[20], prepared.solve(rest(ARM), [None, balls[20]]).pose.q)
    motion = prepared.track(prepared.solve(rest(ARM)).pose, [None, balls], ease=0.0)
    own = links(motion.pose)
    room = gaps(own.reshape(-1, 7), np.repeat(balls[:, 0], 4, axis=0)).reshape(40, 4).min(axis=1)
    np.testing.assert_allclose(motion.goals[1].distance, np.maximum(0.0, -room), atol=1e-9)
    reached = motion.status == Status.REACHED
    assert reached.mean() >= 0.8, "with no restart on the way"
    assert room[reached].min() >= 0.0
    held = prepared.track(motion.pose[0], [np.repeat(target[None], 40, axis=0), None])
    room = gaps(links(held.pose).reshape(-1, 7), np.repeat(balls[:, 0], 4, axis=0)).min()
    assert room < -0.05, "the ball would have run into the arm"


def test_obstacles_of_a_prop_go_with_its_frame() -> None:
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1.0, 0.5, 0.0)
    stick = (0.1, 0.0, 0.0, 0.6, 0.0, 0.0, 0.15)
    world = (1.0, 0.6, 0.0, 1.0, 1.1, 0.0, 0.15)
    asked = KeepApart(obstacles=[stick], relative_to=[frame, np.eye(4)])
    np.testing.assert_allclose(asked.given, [[world], [stick]], atol=1e-15)
    reach = Reach("tip", (0.5, 1.5, 0.0))
    found = solve(rest(ARM), [reach, asked], restarts=0)
    for n, one in enumerate((world, stick)):
        single = solve(rest(ARM), [reach, KeepApart(obstacles=[one])], restarts=0)
        np.testing.assert_allclose(found.pose.q[n], single.pose.q, atol=1e-9)


def test_what_cannot_be_met_comes_to_rest_and_is_named() -> None:
    """Targets inside of obstacles: a compromise wherever each wish can be met alone, the true depth, no trembling."""
    rng, count = np.random.default_rng(3), 60
    targets = rng.uniform(-2.5, 2.5, (count, 3)) * (1, 1, 0)
    first = spheres(targets + 0.1 * rng.normal(size=(count, 3)) * (1, 1, 0), 0.0)
    first[..., 6] = rng.uniform(0.2, 0.6, (count, 1))
    other = spheres(rng.uniform(-2, 2, (count, 3)) * (1, 1, 0), 0.3)
    other[..., 3:5] += rng.normal(size=(count, 1, 2)) * 0.5
    obstacles = np.concatenate([first, other], axis=1)
    goals = [Reach("tip", targets), KeepApart(obstacles=obstacles)]
    solution = solve(rest(ARM), goals, restarts=0)
    assert not np.isin(solution.status, (Status.REACHED, Status.OUT_OF_ITERATIONS)).any()
    alone = solve(rest(ARM), goals[1], restarts=20).status == Status.REACHED
    assert np.isin(solution.status[alone], (Status.COMPROMISE, Status.LOCAL_MINIMUM)).all()
    assert (solution.status[alone] == Status.COMPROMISE).mean() >= 0.8, "no restarts, so not every wish is met alone"
    own = np.repeat(links(solution.pose), 2, axis=1).reshape(-1, 7)
    depth = -gaps(own, np.tile(obstacles, (1, 4, 1)).reshape(-1, 7)).reshape(count, 8).min(axis=1)
    among = solve(rest(ARM), KeepApart(), restarts=0).goals[0].distance
    assert among == 0.0
    assert (solution.goals[1].distance >= depth - 1e-9).all(), "links in each other may be deeper still"
    assert np.mean(np.abs(solution.goals[1].distance - depth) <= 1e-9) > 0.8
    still = prepare(ARM, goals, restarts=0)
    frames = still.track(solution.pose, [np.repeat(targets[:, None], 20, axis=1), np.repeat(obstacles[:, None], 20, 1)])
    trembling = np.abs(np.diff(frames.pose.q[:, 5:], axis=1)).max(axis=(1, 2))
    assert trembling.max() <= 1e-3


def test_neighbours_and_what_overlaps_at_rest_may_touch() -> None:
    rows = KeepApart().rows(ARM)
    assert {(row.joint, row.other) for row in rows} == {(0, 2), (0, 3), (1, 3)}
    assert {(row.joint, row.other) for row in KeepApart(joints=["h0", "h3"]).rows(ARM)} == {(0, 3)}
    folded = Skeleton([replace(ARM.definitions[0]), *(replace(j, rest=(3.0,)) for j in ARM.definitions[1:4])])
    with pytest.raises(GoalError, match="no two of these capsules can come any nearer"):
        KeepApart().rows(folded)


@pytest.mark.slow
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
    with pytest.raises(GoalError, match="KeepApart: relative_to is the frame of a prop, not a joint; 'h1' carries"):
        KeepApart(obstacles=[(0, 0, 0, 1, 1, 1, 1)], relative_to="h1")  # pyright: ignore[reportArgumentType]
    prepared = prepare(ARM, [KeepApart(obstacles=[(0, 0, 0, 1, 1, 1, 1)])])
    with pytest.raises(GoalError, match="KeepApart: obstacles holds a capsule whose radius is not above 0"):
        prepared.solve(rest(ARM), [[(0, 0, 0, 1, 1, 1, -1)]])
    with pytest.raises(GoalError, match="KeepApart: obstacles holds a number that is not finite"):
        prepared.solve(rest(ARM), [[(0, 0, np.nan, 1, 1, 1, 1)]])
    with pytest.raises(GoalError, match=r"KeepApart: obstacles must end in shape \(1, 7\), not \(2, 7\)"):
        prepared.solve(rest(ARM), [np.ones((2, 7))])
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


def test_a_capsule_lies_in_the_middle_of_its_body_however_its_vertices_are_spread() -> None:
    """A box with ten times as many of them on one side: about its middle, not at that side."""
    corners = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3), axis=-1).reshape(-1, 3) * [0.1, 0.3, 0.1]
    dense = np.concatenate([corners, np.repeat(corners[corners[:, 0] > 0.09], 10, axis=0)])
    skeleton = Skeleton([Joint("a", "free"), Joint("b", "ball", "a", (0.0, 1.0, 0.0))])
    joints, weights = np.zeros((len(dense), 1), np.int32), np.ones((len(dense), 1), np.float32)
    faces = np.zeros((1, 3), np.int32)
    skin = Skin(skeleton, dense.astype(np.float32), faces, joints, weights, np.tile(np.eye(4), (2, 1, 1)))
    (capsule,) = with_capsules(Figure(skeleton, skins=(skin,))).skeleton.definitions[0].capsules
    np.testing.assert_allclose([capsule[0], capsule[2], capsule[3], capsule[5]], 0.0, atol=1e-6)


def test_what_is_worn_does_not_widen_a_body_nor_does_its_breadth_heighten_a_belt() -> None:
    """The cape hangs from the chest to the floor; the belt of a stout knight is six times as broad as it is high."""
    knight = load(sample("knight.glb"))
    bare = replace(knight, skins=tuple(skin for skin in knight.skins if skin.name != "Knight_Cape"))
    one, other = (with_capsules(figure).skeleton for figure in (knight, bare))
    chest, hips = one.index("chest"), one.index("hips")
    assert one.definitions[chest] == other.definitions[chest]
    assert one.definitions[hips].capsules[0][6] < 0.1


def test_bodies_that_grow_side_by_side_or_fold_over_a_stumpy_one_may_touch() -> None:
    def limb(length: float, apart: float) -> Skeleton:
        side = ((-0.05 - apart, 0.1, 0.0, -0.3, 0.1, 0.0, 0.05),)
        return Skeleton(
            [
                Joint("thigh", "free", capsules=((0, -0.1, 0, 0, -0.3, 0, 0.1),)),
                Joint("shin", "ball", "thigh", (0.0, -0.45, 0.0)),
                Joint("foot", "ball", "shin", (0.0, -length, 0.0), capsules=((0, -0.11, 0, 0, -0.11, 0.2, 0.1),)),
                Joint("other", "free", position=(5.0, 0.0, 0.0)),
                Joint("left", "ball", "other", (apart, 0.0, 0.0), capsules=((0.05, 0.1, 0, 0.3, 0.1, 0, 0.05),)),
                Joint("right", "ball", "other", (-apart, 0.0, 0.0), capsules=side),
            ]
        )

    def pairs(skeleton: Skeleton, *joints: str) -> int:
        try:
            return len(KeepApart(joints).rows(skeleton))
        except GoalError:
            return 0

    assert pairs(limb(0.12, 0.01), "thigh", "foot") == pairs(limb(0.12, 0.01), "left", "right") == 0
    assert pairs(limb(0.4, 0.2), "thigh", "foot") == pairs(limb(0.4, 0.2), "left", "right") == 1
