"""Goals relative to joints and props, goals content with a region, and balance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import ball_chain, mixture, panda, person, rest
from solvers.people import ARM_R, TRUNK, mannequin, moved, place, standing, turn

from posable import Balance, Box, Cone, GoalError, Orient, Place, Pose, Reach, Segment, Status, prepare, solve

RNG = np.random.default_rng(24)
FREE = mannequin().without_limits()


def frame(turned: Rotation, at: np.ndarray) -> np.ndarray:
    matrix = np.broadcast_to(np.eye(4), (*at.shape[:-1], 4, 4)).copy()
    matrix[..., :3, :3], matrix[..., :3, 3] = turned.as_matrix(), at
    return matrix


def test_a_hand_on_the_hip_stays_there_when_the_body_is_moved() -> None:
    """The root is placed elsewhere by another goal; the hand is where it should be in the thigh's own frame."""
    on_hip = np.array([-0.12, 0.03, 0.05])
    roots = frame(Rotation.random(40, random_state=1), RNG.uniform(-1, 1, (40, 3)))
    goals = [
        Place("root", roots),
        Reach("hand_r", on_hip, relative_to="thigh_r"),
        Orient("chest", Rotation.from_matrix(roots[:, :3, :3]).as_quat(scalar_first=True)),
    ]
    solution = solve(standing(), goals)
    assert (solution.status == Status.REACHED).mean() == 1.0
    world = solution.pose.world_from_joint
    hip = np.linalg.inv(world[:, mannequin().index("thigh_r")])
    hand = np.einsum("nij,nj->ni", hip[:, :3, :3], place(solution.pose, "hand_r")) + hip[:, :3, 3]
    assert np.linalg.norm(hand - on_hip, axis=1).max() < 1e-6
    assert np.abs(world[:, 0] - roots).max() < 2e-5


def test_a_turn_relative_to_another_joint() -> None:
    wanted = Rotation.from_euler("xyz", (0.2, -0.1, 0.3))
    goals = [
        Orient("head", wanted.as_quat(scalar_first=True), relative_to="chest"),
        Orient("chest", (0.98, 0.1, 0.1, 0.1)),
    ]
    solution = solve(standing(FREE), goals, frozen=("root",))
    assert solution.status is Status.REACHED
    between = turn(solution.pose, "chest").T @ turn(solution.pose, "head")
    assert Rotation.from_matrix(between @ wanted.as_matrix().T).magnitude() < 1e-5


@pytest.mark.parametrize("kind", ["Reach", "Orient", "Place"])
def test_goals_in_a_batch_of_prop_frames(kind: str) -> None:
    """A prop's frame carries the target: the same as the target carried by hand."""
    skeleton = panda()
    hands = skeleton.random_pose(RNG, (30,)).world_from_joint[:, -1]
    props = frame(Rotation.random(30, random_state=2), RNG.uniform(-1, 1, (30, 3)))
    held = np.linalg.inv(props) @ hands
    wxyz = Rotation.from_matrix(held[:, :3, :3]).as_quat(scalar_first=True)
    goal = {
        "Reach": Reach("hand", held[:, :3, 3], relative_to=props),
        "Orient": Orient("hand", wxyz, relative_to=props),
        "Place": Place("hand", held, relative_to=props),
    }[kind]
    solution = solve(rest(skeleton), [goal], restarts=100)
    assert (solution.status == Status.REACHED).all()
    world = solution.pose.world_from_joint[:, -1]
    if kind != "Orient":
        assert np.linalg.norm(world[:, :3, 3] - hands[:, :3, 3], axis=1).max() < 1e-6
    if kind != "Reach":
        between = Rotation.from_matrix(world[:, :3, :3] @ np.swapaxes(hands[:, :3, :3], 1, 2))
        assert between.magnitude().max() < 1e-5


def test_one_target_in_many_prop_frames_and_new_targets_in_one() -> None:
    chain = ball_chain(1.0, 1.0)
    props = frame(Rotation.random(10, random_state=3), RNG.uniform(-0.5, 0.5, (10, 3)))
    held = np.array([0.3, 0.2, 0.5])
    solution = solve(rest(chain), [Reach("tip", held, relative_to=props)])
    wanted = np.einsum("nij,j->ni", props[:, :3, :3], held) + props[:, :3, 3]
    assert np.linalg.norm(solution.pose.origins[:, -1] - wanted, axis=1).max() < 1e-6
    again = prepare(chain, [Reach("tip", held, relative_to=props[3])]).solve(rest(chain), [np.array([0.1, 0.0, 0.4])])
    wanted = props[3, :3, :3] @ (0.1, 0.0, 0.4) + props[3, :3, 3]
    assert np.linalg.norm(again.pose.origins[-1] - wanted) < 1e-6


def test_anywhere_on_a_segment() -> None:
    """The tip ends on the segment; where the segment is out of reach, at its nearest place."""
    chain = ball_chain(1.0, 0.7)
    starts, ends = RNG.normal(size=(2, 60, 3)) * 1.6
    for begin, end in zip(starts, ends, strict=True):
        solution = solve(rest(chain), [Reach("tip", begin, within=Segment(tuple(end - begin)))])
        tip = solution.pose.origins[-1]
        along = np.clip((tip - begin) @ (end - begin) / ((end - begin) @ (end - begin)), 0, 1)
        off = float(np.linalg.norm(begin + along * (end - begin) - tip))
        s = np.linspace(0, 1, 20001)[:, None]
        away = np.linalg.norm(begin + s * (end - begin), axis=1)
        least = max(0.0, away.min() - 1.7, 0.3 - away.max())
        assert off == pytest.approx(least, abs=2e-6)
        assert solution.goals[0].distance == pytest.approx(off, abs=1e-9)
        assert (solution.status is Status.REACHED) == (least < 1e-6)


def test_anywhere_in_a_turned_box() -> None:
    chain = ball_chain(1.0, 0.7)
    half = np.array([0.3, 0.05, 0.0])
    for n in range(60):
        turned = Rotation.random(random_state=n)
        center = RNG.normal(size=3) * 1.2
        goal = Reach("tip", center, within=Box(tuple(half), tuple(turned.as_quat(scalar_first=True))))
        solution = solve(rest(chain), [goal])
        inside = turned.inv().apply(solution.pose.origins[-1] - center)
        off = float(np.linalg.norm(np.maximum(np.abs(inside) - half, 0)))
        nearest = center + turned.apply(np.clip(turned.inv().apply(-center), -half, half))
        least = max(0.0, float(np.linalg.norm(nearest)) - 1.7)
        corners = center + turned.apply(half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))
        least = max(least, 0.3 - np.linalg.norm(corners, axis=1).max())
        assert off == pytest.approx(least, abs=2e-6)
        assert solution.goals[0].distance == pytest.approx(off, abs=1e-9)
        assert (solution.status is Status.REACHED) == (least < 1e-6)


def test_anywhere_in_a_cone_of_places() -> None:
    chain = ball_chain(1.0, 0.7)
    for n in range(60):
        axis = Rotation.random(random_state=100 + n).apply((0, 0, 1))
        tip_of_cone = RNG.normal(size=3)
        swing = RNG.uniform(0.1, 1.4)
        solution = solve(rest(chain), [Reach("tip", tip_of_cone, within=Cone(tuple(axis), swing))])
        away = solution.pose.origins[-1] - tip_of_cone
        angle = np.arctan2(np.linalg.norm(np.cross(axis, away)), away @ axis)
        off = np.linalg.norm(away) * np.sin(min(max(angle - swing, 0), np.pi / 2))
        if solution.status is Status.REACHED:
            assert off < 1e-6
        else:
            assert solution.goals[0].distance == pytest.approx(off, abs=1e-9)
            s = np.linspace(0, 4, 2001)[:, None]
            across = np.cross(axis, (0.3, 0.5, 0.7))
            across /= np.linalg.norm(across)
            for turned in np.linspace(0, 2 * np.pi, 90):
                edge = Rotation.from_rotvec(turned * axis).apply(np.cos(swing) * axis + np.sin(swing) * across)
                assert (np.linalg.norm(tip_of_cone + s * edge, axis=1) > 1.7 + off - 1e-2).all()


def test_any_turn_within_a_cone() -> None:
    """Swing and twist against the wanted turn are within the cone, and on its edge where the start lay outside."""
    hands = moved(RNG, ARM_R, 60)
    swing, low, high = 0.3, -0.1, 0.2
    wanted = Rotation.from_matrix(turn(hands, "hand_r"))
    goal = Orient("hand_r", wanted.as_quat(scalar_first=True), within=Cone((0, 0, 1), swing, (low, high)))
    reach = Reach("hand_r", place(hands, "hand_r"))
    solution = solve(standing(FREE), [reach, goal], frozen=TRUNK)
    assert (solution.status == Status.REACHED).all()
    between = wanted.inv() * Rotation.from_matrix(turn(solution.pose, "hand_r"))
    axis = between.apply((0, 0, 1))
    assert np.arccos(np.clip(axis[:, 2], -1, 1)).max() < swing + 1e-5
    quat = between.as_quat(scalar_first=True)
    twist = 2 * np.arctan2(quat[:, 3], quat[:, 0])
    twist = (twist + np.pi) % (2 * np.pi) - np.pi
    assert low - 1e-5 < twist.min()
    assert twist.max() < high + 1e-5
    assert np.linalg.norm(place(solution.pose, "hand_r") - place(hands, "hand_r"), axis=-1).max() < 1e-6


def center_of_mass(pose: Pose) -> np.ndarray:
    """`[..., 3]`, from the joints' masses."""
    joints = pose.skeleton.definitions
    masses = np.array([joint.mass or 0.0 for joint in joints])
    centers = np.array([joint.mass_center for joint in joints])
    world = pose.world_from_joint
    places = np.einsum("...jab,jb->...ja", world[..., :3, :3], centers) + world[..., :3, 3]
    return np.einsum("j,...ja->...a", masses / masses.sum(), places)


def test_the_centre_of_mass_stands_over_the_point() -> None:
    """Over one foot and another while the feet stay and a hand reaches."""
    feet = [Place(name, standing().world_from_joint[mannequin().index(name)]) for name in ("foot_l", "foot_r")]
    left, right = place(standing(), "foot_l"), place(standing(), "foot_r")
    points = left + np.linspace(0.25, 0.75, 20)[:, None] * (right - left) + np.array([0, 0, 0.05])
    hand = Reach("hand_r", place(standing(), "hand_r") + np.array([0, 0.3, 0.3]))
    solution = solve(standing(), [*feet, hand, Balance(points)])
    assert (solution.status == Status.REACHED).all()
    off = center_of_mass(solution.pose) - points
    assert np.abs(off[:, [0, 2]]).max() < 1e-6
    assert np.abs(off[:, 1]).min() > 0.5
    for name in ("foot_l", "foot_r"):
        assert np.linalg.norm(place(solution.pose, name) - place(standing(), name), axis=-1).max() < 1e-6


def test_balance_with_height_brings_the_centre_to_the_point() -> None:
    points = center_of_mass(standing()) + RNG.uniform(-0.1, 0.1, (20, 3))
    solution = solve(standing(), [Balance(points, height=True)])
    assert (solution.status == Status.REACHED).all()
    assert np.linalg.norm(center_of_mass(solution.pose) - points, axis=1).max() < 1e-6


def test_balance_needs_masses_and_relations_need_two() -> None:
    with pytest.raises(GoalError, match="no joint of this figure has a mass, which Balance and Gravity need"):
        solve(rest(mixture()), [Balance((0, 0, 0))])
    with pytest.raises(GoalError, match=r"Reach\('end'\): it cannot be relative to itself"):
        solve(rest(mixture()), [Reach("end", (0, 0, 0), relative_to="end")])


@pytest.mark.parametrize("count", [1, 2])
def test_a_solution_keeps_the_targets_it_was_solved_for(count: int) -> None:
    """Callers may use their arrays again."""
    skeleton = person()
    names = ("arm_l3", "arm_r3")[:count]
    pose = rest(skeleton)
    prepared = prepare(skeleton, [Reach(name, pose.origins[skeleton.index(name)]) for name in names])
    targets = [pose.origins[skeleton.index(name)] + 0.01 for name in names]
    solution = prepared.solve(pose, targets)
    for target in targets:
        target += 5.0
    assert all(result.distance is not None and result.distance < 1e-6 for result in solution.goals)
