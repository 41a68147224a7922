"""Derivatives against central differences of what they are the derivatives of."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.gradients import Derivative, kinematics_vjp, skin_vjp
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_rotation_vector, wxyz_multiply

STEP = 1e-6


@pytest.fixture(scope="module")
def panda() -> posable.Figure:
    return posable.load(posable.sample("panda.urdf"))


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def along(pose: posable.Pose, freedom: int, size: float) -> posable.Pose:
    tangent = np.zeros(pose.skeleton.dof)
    tangent[freedom] = size
    return pose.plus(tangent)


def moved_joint(skeleton: posable.Skeleton, joint: int, axis: int, size: float) -> posable.Skeleton:
    """The skeleton with one rest translation changed."""
    joints = list(skeleton.definitions)
    position = np.array(joints[joint].position, float)
    position[axis] += size
    joints[joint] = replace(joints[joint], position=tuple(position.tolist()))
    return posable.Skeleton(joints, up=skeleton.up)


def every_kind() -> posable.Skeleton:
    x, y = posable.Axis((1.0, 0.0, 0.0)), posable.Axis((0.0, 1.0, 0.0))
    slide = posable.Axis((0.3, 0.9, 0.1), slide=True)
    return posable.Skeleton(
        [
            posable.Joint("root", "free"),
            posable.Joint("ball", "ball", "root", (0.1, 1.0, 0.2), anchor=(0.1, 0.2, 0.0)),
            posable.Joint("universal", "universal", "ball", (0.0, 0.5, 0.1), axes=(x, y)),
            posable.Joint("slide", "slide", "universal", (0.2, 0.4, 0.0), axes=(slide,)),
            posable.Joint("hinge", "hinge", "ball", (0.4, 0.1, 0.0), axes=(y,)),
            posable.Joint("end", "fixed", "hinge", (0.0, 0.6, 0.3)),
        ]
    )


@pytest.mark.parametrize("which", ["every kind", "panda"])
def test_forward_kinematics(which: str, panda: posable.Figure) -> None:
    skeleton = every_kind() if which == "every kind" else panda.skeleton  # the fingers of the panda mimic each other
    rng = np.random.default_rng(0)
    pose = skeleton.random_pose(rng, (4,))
    aim = rng.normal(size=(4, len(skeleton.joints), 4, 4))
    aim[..., 3, :] = 0.0
    pulled = kinematics_vjp(pose, aim)

    def loss(moved: posable.Pose) -> Array:
        return (aim * moved.world_from_joint).sum(axis=(1, 2, 3))

    for d in range(skeleton.dof):
        change = (loss(along(pose, d, STEP)) - loss(along(pose, d, -STEP))) / (2 * STEP)
        np.testing.assert_allclose(pulled.tangent[:, d], change, atol=1e-7)
    for joint in range(len(skeleton.joints)):
        for axis in range(3):
            sides = [posable.Pose(moved_joint(skeleton, joint, axis, s), pose.q) for s in (STEP, -STEP)]
            change = (loss(sides[0]) - loss(sides[1])) / (2 * STEP)
            np.testing.assert_allclose(pulled.offsets[:, joint, axis], change, atol=1e-7)


def test_skins(mannequin: posable.Figure) -> None:
    skin, rng = mannequin.skins[0], np.random.default_rng(0)
    pose = mannequin.skeleton.random_pose(rng)
    aim = rng.normal(size=(len(skin.vertices), 3))
    pulled, at_rest = skin_vjp(skin, pose, aim)
    own, weights = skin.joints, np.asarray(skin.weights, float)

    def loss(moved: posable.Pose, vertices: Array) -> float:
        bound = np.concatenate([vertices, np.ones((len(vertices), 1))], axis=1)
        frames = (moved.world_from_joint @ skin.inverse_bind)[own]
        return float((aim * np.einsum("vk,vkij,vj->vi", weights, frames[:, :, :3], bound)).sum())

    vertices = np.asarray(skin.vertices, float)
    for d in range(0, mannequin.skeleton.dof, 7):
        change = (loss(along(pose, d, STEP), vertices) - loss(along(pose, d, -STEP), vertices)) / (2 * STEP)
        assert pulled.tangent[d] == pytest.approx(change, abs=1e-6)
    way = rng.normal(size=vertices.shape)
    change = (loss(pose, vertices + STEP * way) - loss(pose, vertices - STEP * way)) / (2 * STEP)
    assert (at_rest * way).sum() == pytest.approx(change, rel=1e-6)


def differences(prepared: posable.Prepared, pose: posable.Pose, targets: list[Array], k: int, size: float) -> Array:
    """`[dof, columns]` of solves that start at the solution."""
    goal, reach = prepared.structure.goal_set.goals[k], prepared.skeleton.reach
    columns = []
    for i in range(6 if targets[k].shape == (4, 4) else 3):
        step = np.zeros(6 if targets[k].shape == (4, 4) else 3)
        step[i] = size * (reach if i < 3 else 1.0)
        sides = []
        for way in (-step, step):
            given = list(targets)
            given[k] = goal.KIND.stepped_back(targets[k], way)
            sides.append(prepared.solve(pose, given).pose.minus(pose))
        columns.append((sides[0] - sides[1]) / (2 * step[i]))
    return np.stack(columns, axis=1)


def solved(
    skeleton: posable.Skeleton, goals: list[posable.Goal], targets: list[Array], frozen: list[str]
) -> tuple[posable.Prepared, posable.Solution]:
    options = {"tolerance": 1e-11 * skeleton.reach, "angle_tolerance": 1e-11, "max_iterations": 300}
    prepared = posable.prepare(skeleton, goals, frozen=frozen, restarts=0, **options)
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    near = posable.solve(rest, [g.with_target(t) for g, t in zip(goals, targets, strict=True)], frozen=frozen)
    return prepared, prepared.solve(near.pose, targets)


@pytest.mark.parametrize("what", ["redundant arm", "arm", "person"])
def test_solutions_that_meet_their_goals(what: str, panda: posable.Figure, mannequin: posable.Figure) -> None:
    rng, errors = np.random.default_rng(5), []
    figure = mannequin if what == "person" else panda
    skeleton = figure.skeleton
    for _ in range(15):
        frozen: list[str] = []
        if what == "person":
            goals: list[posable.Goal] = [posable.Reach("hand_r", np.zeros(3)), posable.Reach("hand_l", np.zeros(3))]
            targets = [rng.uniform((-0.5, 0.9, 0.2), (-0.1, 1.5, 0.4)), rng.uniform((0.1, 0.9, 0.2), (0.5, 1.5, 0.4))]
            frozen = ["root"]
        else:
            frame = skeleton.random_pose(rng).world_from_joint[skeleton.index("panda_joint8")]
            goals = [
                posable.Reach("panda_joint8", frame[:3, 3]) if what != "arm" else posable.Place("panda_joint8", frame)
            ]
            targets = [frame if what == "arm" else frame[:3, 3]]
        prepared, solution = solved(skeleton, goals, targets, frozen)
        derivative = Derivative(solution)
        if not solution.reached or not derivative.exists:
            continue
        for k in range(len(goals)):
            own = derivative.by_target(k)
            found = [differences(prepared, solution.pose, targets, k, size) for size in (3e-4, 1e-4)]
            errors.append(min(float(np.abs(own - one).max() / np.abs(one).max()) for one in found))
            v = rng.normal(size=skeleton.dof)
            np.testing.assert_allclose(derivative.pull(v).targets[k], v @ own, atol=1e-7 * np.abs(own).max())
    assert len(errors) >= 10
    assert np.median(errors) < 1e-6
    assert np.mean(np.array(errors) < 1e-5) >= 0.85  # near a limit a difference reaches across it


def unmet(figure: posable.Figure, frozen: list[str], seed: int) -> list[tuple[list[posable.Goal], posable.Solution]]:
    """Solves of targets beyond reach, limits among what holds them."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(6):
        joints = ["hand_r", "hand_l"] if frozen else ["panda_joint8"]
        targets = [rng.uniform(-1.0, 1.0, 3) * 0.2 + (0.3, 0.9, 1.6) for _ in joints]
        goals: list[posable.Goal] = [posable.Reach(joint, t) for joint, t in zip(joints, targets, strict=True)]
        found.append((goals, posable.solve(figure.rest, goals, frozen=frozen)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("who", ["arm", "person"])
def test_solutions_that_do_not(who: str, panda: posable.Figure, mannequin: posable.Figure) -> None:
    """A solve that cannot meet its goals ends within 1e-6 of the best pose, so the differences are large."""
    figure, frozen = (mannequin, ["root"]) if who == "person" else (panda, [])
    errors = []
    for goals, solution in unmet(figure, frozen, 3):
        derivative = Derivative(solution)
        assert not solution.reached
        if not derivative.exists:
            continue
        targets = [np.asarray(goal.target) for goal in goals]  # type: ignore[attr-defined]
        prepared = posable.prepare(figure.skeleton, goals, frozen=frozen, restarts=0)
        own = derivative.by_target(0)
        found = [differences(prepared, solution.pose, targets, 0, size) for size in (1e-2, 3e-3, 1e-3)]
        errors.append(min(float(np.abs(own - one).max() / np.abs(one).max()) for one in found))
        v = np.random.default_rng(0).normal(size=figure.skeleton.dof)
        np.testing.assert_allclose(derivative.pull(v).targets[0], v @ own, atol=1e-6 * np.abs(own).max())
    assert len(errors) >= 3
    assert np.median(errors) < 5e-3


def test_bones_weights_and_starts(panda: posable.Figure) -> None:
    """Unmet for the weights: two hands that cannot both be where they should."""
    skeleton = panda.skeleton
    goals: list[posable.Goal] = [
        posable.Reach("panda_joint8", (0.5, 0.3, 0.6)),
        posable.Reach("panda_joint4", (0.1, 0.3, 0.6)),
    ]
    rng = np.random.default_rng(1)
    v = rng.normal(size=skeleton.dof)
    for chosen in (goals[:1], goals):
        tight = {"tolerance": 1e-11, "restarts": 0}
        first = posable.solve(panda.rest, chosen)
        solution = posable.solve(first.pose, chosen, **tight)
        derivative = Derivative(solution)
        assert derivative.exists
        pulled = derivative.pull(v)
        size = 1e-4 if solution.reached else 3e-3

        def told(pose: posable.Pose, solution: posable.Solution = solution) -> float:
            return float(v @ pose.minus(solution.pose))

        for joint, axis in ((2, 2), (4, 0), (6, 1)):
            ends = []
            for way in (size, -size):
                bones = moved_joint(skeleton, joint, axis, way)
                ends.append(posable.solve(posable.Pose(bones, solution.pose.q), chosen, **tight).pose.q)
            change = told(posable.Pose(skeleton, ends[0])) - told(posable.Pose(skeleton, ends[1]))
            assert pulled.offsets[joint, axis] == pytest.approx(change / (2 * size), rel=2e-2, abs=1e-4)
        start = rng.normal(size=skeleton.dof)
        start[-1] = 0.0  # the fingers are at their limit, and what starts beyond is moved back
        sides = [posable.solve(solution.pose.plus(way * start), chosen, **tight).pose for way in (size, -size)]
        assert pulled.start @ start == pytest.approx((told(sides[0]) - told(sides[1])) / (2 * size), rel=2e-2, abs=1e-3)
        assert solution.reached == (not pulled.weights.any())
        if not solution.reached:
            weighed = [
                posable.solve(solution.pose, [goals[0].with_weight(1.0 + way), goals[1]], **tight).pose
                for way in (size, -size)
            ]
            change = (told(weighed[0]) - told(weighed[1])) / (2 * size)
            assert pulled.weights[0] == pytest.approx(change, rel=2e-2, abs=1e-4)


def test_where_there_is_none_it_says_so() -> None:
    hinge = (posable.Axis((0.0, 0.0, 1.0), lower=-2.0, upper=0.5),)
    arm = posable.Skeleton(
        [
            posable.Joint("a", "hinge", None, axes=hinge),
            posable.Joint("b", "hinge", "a", (1.0, 0.0, 0.0), axes=(posable.Axis((0.0, 0.0, 1.0)),)),
            posable.Joint("end", "fixed", "b", (1.0, 0.0, 0.0)),
        ]
    )
    plane = np.array([[0.2, 1.0], [0.5, 0.8], [0.3, 0.0]])  # inside, at the limit of a, straight
    poses = posable.Pose(arm, plane)
    found = posable.solve(poses, [posable.Reach("end", poses.origins[:, 2])], restarts=0)
    derivative = Derivative(found)
    assert derivative.exists.tolist() == [True, False, False]
    assert np.isnan(found.derivative()).any(axis=(1, 2)).tolist() == [False, True, True]
    inside = found.derivative(0)[0]
    np.testing.assert_allclose(poses[0].jacobian("end")[:2] @ inside, np.eye(3)[:2], atol=1e-9)
    assert np.isnan(derivative.pull(np.ones((3, 2))).start[1]).all()
    with pytest.raises(posable.PoseError, match="has the shape"):
        derivative.pull(np.ones(2))
    with pytest.raises(posable.GoalError, match="no goal 1"):
        derivative.by_target(1)
    with pytest.raises(posable.GoalError, match="the batch is empty"):
        posable.solve(poses[0], [posable.Reach("end", np.zeros((0, 3)))]).derivative()


@pytest.mark.parametrize(
    "more",
    [
        posable.Stay(posable.figure("mannequin").rest),
        posable.Natural(),
        posable.Custom(lambda pose: pose.q[0]),
        posable.Reach("hand_l", (0.3, 1.2, 0.3), priority=1),
        posable.Reach("hand_l", (0.3, 1.2, 0.3), within=posable.Segment((0.1, 0.0, 0.0))),
    ],
    ids=["soft", "natural", "custom", "priority", "region"],
)
def test_goals_without_one_are_refused(more: posable.Goal, mannequin: posable.Figure) -> None:
    solution = posable.solve(mannequin.rest, [posable.Reach("hand_r", (-0.3, 1.2, 0.3)), more])
    with pytest.raises(posable.GoalError, match="no derivative"):
        solution.derivative()


def test_weights_of_each_problem_count(mannequin: posable.Figure) -> None:
    """Of one batch, where the second goal is switched off, the derivative is that without it."""
    goals: list[posable.Goal] = [posable.Reach("hand_r", (-0.3, 1.2, 0.3)), posable.Reach("hand_l", (0.3, 1.2, 0.3))]
    prepared = posable.prepare(mannequin.skeleton, goals)
    both = prepared.solve(mannequin.rest, weights=[np.ones(2), np.array([1.0, 1e-3])])
    assert both.derivative(0).shape == (2, mannequin.skeleton.dof, 3)
    assert (np.isfinite(both.derivative(1)).all(axis=(1, 2)) == Derivative(both).exists).all()


def test_arrays(mannequin: posable.Figure) -> None:
    """Cotangents of arrays, by differences of whole solves: positions, rotations and frames."""
    skeleton, rng = mannequin.skeleton, np.random.default_rng(2)
    frame = mannequin.rest.world_from_joint[skeleton.index("hand_l")].copy()
    frame[:3, 3] += (0.0, 0.2, 0.3)
    targets = [np.array([-0.3, 1.2, 0.35]), frame, np.array([0.96, 0.0, 0.28, 0.0])]
    goals: list[posable.Goal] = [
        posable.Reach("hand_r", targets[0]),
        posable.Place("hand_l", frame),
        posable.Orient("head", targets[2]),
    ]
    options = {"tolerance": 1e-11, "angle_tolerance": 1e-11, "restarts": 0, "frozen": ["root"]}
    solve = posable.gradients.ArraySolve(posable.prepare(skeleton, goals, **options))
    q = solve(solve(mannequin.rest.q, targets), targets)
    aim = rng.normal(size=q.shape)
    found = solve.pull(q, targets, None, aim)
    turn = np.array([0.3, -0.5, 0.2])
    size, cases = 1e-4, []
    for way in (size, -size):
        moved, turned = frame.copy(), wxyz_from_rotation_vector(way * turn)
        moved[:3, :3] = matrix_from_wxyz(turned) @ frame[:3, :3]
        wxyz = wxyz_multiply(turned, targets[2])
        cases.append(
            [[targets[0] + way * turn, frame, targets[2]], [targets[0], moved, targets[2]], [*targets[:2], wxyz]]
        )
    for k in range(3):
        before, after = cases[1][k], cases[0][k]
        change = aim @ (solve(q, after) - solve(q, before)) / (2 * size)
        own = (found.targets[k] * (after[k] - before[k])).sum() / (2 * size)
        assert own == pytest.approx(change, rel=1e-4, abs=1e-6)


JAX = """
import jax, numpy as np, posable, posable.jax
jax.config.update("jax_enable_x64", True)
figure = posable.figure("mannequin")
goals = [posable.Reach("hand_r", np.zeros(3))]
solve = posable.jax.solver(posable.prepare(figure.skeleton, goals, frozen=["root"], restarts=0))
target = jax.numpy.array([-0.3, 1.2, 0.35])
q = solve(figure.rest.q, [target])  # the derivative is that of the solve that begins at its solution
loss = lambda one: (solve(q, [one]) ** 2).sum()
slope = jax.jit(jax.grad(loss))(target)
for way in np.eye(3) * 1e-4:
    change = (loss(target + way) - loss(target - way)) / 2e-4
    assert abs(slope @ way / 1e-4 - change) < 0.02 * abs(change) + 1e-3, (slope, change)
many = jax.vmap(jax.grad(loss))(jax.numpy.stack([target, target + 0.05]))
assert np.allclose(many[0], slope, atol=1e-9), (many, slope)
"""


@pytest.mark.slow
def test_jax() -> None:
    """In a process of its own: JAX has threads that live on."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("JAX is not installed (pip install posable[jax])")
    ran = subprocess.run([sys.executable, "-c", JAX], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
