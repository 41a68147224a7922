"""The compiled loops of a whole-clip solve, and what is computed once: as plain NumPy has it."""

from __future__ import annotations

import numpy as np

import posable
from posable import Clip
from posable.goals.evaluation import evaluate_terms, terms_of
from posable.motion.transfer.copying import rotation_by_frame
from posable.motion.transfer.hinge_kernels import linearize_hinges
from posable.motion.transfer.target_rotations import Hinges
from posable.motion.whole_clip.clip_kernels import (
    add_above,
    add_goals,
    add_resistance,
    choose_rows,
    choose_slots,
    correct,
    count_rows,
    fall_of_rows,
    quadratic,
)
from posable.motion.whole_clip.clip_problem import BandedSystem
from posable.motion.whole_clip.clip_rows import ClipRows
from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.spatial import (
    matrix_from_wxyz,
    normalized,
    rotation_vector_from_wxyz,
    wxyz_from_rotation_vector,
    wxyz_inverse,
    wxyz_multiply,
)
from posable.spatial.marquardt import pushed_over


def test_banded_systems_are_solved_as_a_dense_one_also_where_freedoms_fall_into_groups() -> None:
    rng, frames, n = np.random.default_rng(3), 7, 5
    for groups in ([[0, 1, 2, 3, 4]], [[0, 3], [1, 2, 4]]):
        stay, smooth = rng.uniform(0.1, 1.0, n), rng.uniform(0.1, 1.0, n)
        more, right = rng.uniform(0.0, 0.3, (frames, n)), rng.normal(size=(frames, n))
        blocks = np.zeros((frames, n, n))
        for own in groups:
            root = rng.normal(size=(frames, len(own), len(own)))
            blocks[np.ix_(range(frames), own, own)] = root @ root.swapaxes(1, 2)
        second = np.diff(np.eye(frames), 2, axis=0)
        matrix = np.kron(np.eye(frames), np.diag(stay)) + np.kron(second.T @ second, np.diag(smooth))
        for frame in range(frames):
            own = slice(frame * n, (frame + 1) * n)
            matrix[own, own] += blocks[frame] + np.diag(more[frame])
        found = BandedSystem(frames, stay, smooth).solve(blocks, more, right)
        assert found is not None
        np.testing.assert_allclose(found.ravel(), np.linalg.solve(matrix, right.ravel()), rtol=1e-9, atol=1e-12)


def test_a_banded_system_that_is_not_positive_definite_has_no_solution() -> None:
    system = BandedSystem(3, np.ones(1), np.zeros(1))
    assert system.solve(np.array([[[0.0]], [[-2.0]], [[0.0]]]), np.zeros((3, 1)), np.ones((3, 1))) is None


def test_the_loops_of_a_step_do_what_numpy_does() -> None:
    rng = np.random.default_rng(5)
    frames, slots, free = 6, 4, 3
    violations, jacobian = rng.normal(size=(frames, slots)), rng.normal(size=(frames, slots, free))
    blocks, gradient = rng.normal(size=(frames, free, free)), rng.normal(size=(frames, free))
    active, out, slope = violations > 0, np.empty_like(blocks), np.empty_like(gradient)
    count_rows(active, violations, jacobian, blocks, gradient, out, slope)
    own = active[..., None] * jacobian
    np.testing.assert_allclose(out, blocks + own.swapaxes(1, 2) @ own, atol=1e-12)
    np.testing.assert_allclose(slope, gradient + np.einsum("fsc,fs->fc", own, violations), atol=1e-12)

    step = rng.normal(size=(frames, free))
    after = violations + np.einsum("fsc,fc->fs", jacobian, step)
    chosen, changed = active.copy(), (after > 0) != active
    assert abs(choose_rows(violations, jacobian, step, chosen) - 0.5 * np.sum(after[changed] ** 2)) < 1e-12
    np.testing.assert_array_equal(chosen, after > 0)
    assert changed.any()
    fallen = 0.5 * np.sum(np.maximum(violations, 0.0) ** 2 - np.maximum(after, 0.0) ** 2)
    assert abs(fall_of_rows(violations, jacobian, step) - fallen) < 1e-12
    expected = np.sum(gradient * step) + 0.5 * np.einsum("fc,fcd,fd", step, blocks, step)
    assert abs(quadratic(blocks, gradient, step) - expected) < 1e-12

    low, high = np.full((frames, free), -0.5), np.full((frames, free), 0.5)
    correction = np.clip(rng.normal(size=(frames, free)), low, high)
    penalties, damping = rng.uniform(size=(frames, free)), rng.uniform(size=frames)
    more, begun = np.ones((frames, free)), np.ones((frames, free))
    add_resistance(correction, low, high, gradient, blocks, penalties, damping, 7.0, more)
    diagonal = np.diagonal(blocks, axis1=1, axis2=2) + penalties
    held = pushed_over(correction, low, high, gradient)
    assert held.any() and not held.all()
    np.testing.assert_allclose(more, begun + (damping[:, None] + 7.0 * held) * diagonal, atol=1e-12)


def test_costs_and_slots_are_what_numpy_has() -> None:
    rng = np.random.default_rng(7)
    weights, residual, violations = rng.uniform(size=(6, 4)), rng.normal(size=(6, 4, 3)), rng.normal(size=(6, 5))
    costs = np.ones(6)
    add_goals(weights, residual, costs)
    add_above(violations, costs)
    squares = np.sum(weights[..., None] * residual**2, axis=(1, 2)) + np.sum(np.maximum(violations, 0.0) ** 2, axis=1)
    np.testing.assert_allclose(costs, 1.0 + 0.5 * squares, atol=1e-12)
    system, c = BandedSystem(6, rng.uniform(size=2), rng.uniform(size=2)), rng.normal(size=(6, 2))
    seconds = np.diff(c, 2, axis=0)
    assert abs(system.costs(c).sum() - 0.5 * (np.sum(c**2 @ system.stay) + np.sum(seconds**2 @ system.smooth))) < 1e-12
    gradient, small = np.zeros_like(c), 1e-6
    system.add_gradient(c, gradient)
    rise = [system.costs(c + sign * small * seconds[:1]).sum() for sign in (1, -1)]
    assert abs(np.sum(gradient * seconds[:1]) - (rise[0] - rise[1]) / (2 * small)) < 1e-8
    least, slots = rng.normal(scale=0.3, size=5), np.empty((6, 5), np.int64)
    chosen = violations > least
    assert choose_slots(violations, least, slots) == chosen.sum(axis=1).max()
    np.testing.assert_array_equal(slots, np.where(chosen, np.cumsum(chosen, axis=1) - 1, -1))


def test_corrections_stay_within_their_bounds_and_poses_within_theirs_to_the_last_bit() -> None:
    skeleton = Skeleton([Joint("root", "free"), Joint("knee", "hinge", "root", axes=(Axis((1.0, 0.0, 0.0)),))])
    rng = np.random.default_rng(8)
    source = Pose(skeleton, rng.normal(size=(5, 8)))
    wanted, free = rng.normal(size=(5, 3)), np.array([1, 4, 6])
    low, high = np.full((5, 3), -0.5), np.full((5, 3), [0.5, 0.5, 0.3])
    columns, least, most = np.array([7]), np.array([-0.1]), np.array([0.1])
    correction, q = np.empty_like(wanted), np.empty_like(source.q)
    bounds = (low, high, free, columns, least, most)
    correct(skeleton.packed, source.q, wanted, *bounds, correction, q)
    np.testing.assert_array_equal(correction, np.clip(wanted, low, high))
    tangent = np.zeros((5, 7))
    tangent[:, free] = correction
    expected = np.array(source.plus(tangent).q)
    expected[:, 7] = np.clip(expected[:, 7], -0.1, 0.1)
    np.testing.assert_array_equal(q, expected)
    assert (wanted != correction).any()
    assert (q[:, 7] == 0.1).any()


def test_joints_turn_by_the_length_of_their_tangents_without_slides_and_travel() -> None:
    lift = Axis((0.0, 1.0, 0.0), slide=True)
    hinge = Axis((1.0, 0.0, 0.0))
    skeleton = Skeleton(
        [
            Joint("root", "free"),
            Joint("lift", "slide", "root", axes=(lift,)),
            Joint("knee", "hinge", "lift", axes=(hinge,)),
            Joint("end", "fixed", "knee"),
            Joint("ball", "ball", "root"),
            Joint("carried", "free", "ball", active=(False,) * 3 + (True,) * 3),
        ]
    )
    pose = Pose(skeleton, np.repeat(skeleton.rest_coordinates[None], 3, axis=0))
    moved = np.random.default_rng(1).normal(scale=0.2, size=(3, skeleton.dof))
    pose = pose.plus(moved)
    steps, found = pose[1:].minus(pose[:-1]), rotation_by_frame(pose)
    assert {skeleton.joints[joint] for joint in found} == {"knee", "ball", "carried"}
    for joint, turns in found.items():
        own = [freedom for freedom in skeleton.freedom_range(joint) if not skeleton.slides[freedom]]
        np.testing.assert_allclose(turns, np.linalg.norm(steps[:, own], axis=1))


def test_the_poses_of_a_clip_are_one_value_for_as_long_as_someone_holds_them() -> None:
    skeleton = posable.figure("mannequin").skeleton
    clip = Clip(skeleton, np.repeat(skeleton.rest_coordinates[None], 2, axis=0), 30.0)
    held = clip.poses
    assert clip.poses is held
    frames = id(held.world_from_joint)
    assert id(clip.poses.world_from_joint) == frames
    other = Clip(skeleton, clip.q, 30.0)
    assert other.poses is not held


def test_terms_of_frames_are_those_of_goals_with_as_many_parts_as_any_has() -> None:
    skeleton = posable.figure("mannequin").skeleton
    rng = np.random.default_rng(9)
    pose = skeleton.random_pose(rng, (4,))
    goals = [
        posable.Reach("hand_r", rng.normal(size=(4, 3)), relative_to="chest"),
        posable.Orient("foot_l", normalized(rng.normal(size=(4, 4)))),
        posable.LookAt("head", rng.normal(size=3)),
    ]
    rows = ClipRows(skeleton, goals, None, 4)
    residual, found = rows.evaluate(pose)
    stated = [goal.rows(skeleton) for goal in goals]
    terms = terms_of(goals, stated, skeleton, 1.0, 1.0)._replace(scale=1.0 / skeleton.reach)
    numbers = np.concatenate([np.broadcast_to(goal.given, (4, *goal.SHAPE)).reshape(4, -1) for goal in goals], axis=1)
    expected = evaluate_terms(terms, pose.world_from_joint, numbers)
    assert found.shape == (4, 3, 6, 6)
    np.testing.assert_allclose(residual, expected[0], atol=1e-12)
    np.testing.assert_allclose(found, expected[1][:, :, :6], atol=1e-12)
    assert not expected[1][:, :, 6:].any()


def test_chains_of_hinges_rotate_and_their_normal_equations_are_as_numpy_has_them() -> None:
    skeleton = posable.load(posable.sample("g1.urdf"), root="free").skeleton
    hinges = Hinges(skeleton, [skeleton.index(f"waist_{axis}_joint") for axis in ("yaw", "roll", "pitch")])
    rng = np.random.default_rng(4)
    base, desired = normalized(rng.normal(size=(2, 5, 4)))
    values = rng.uniform(-0.3, 0.3, (5, 3))
    world, axes = hinges.rotated(base, values)
    rests, rows, directions, gains, shifts = hinges.chain
    np.testing.assert_array_equal(rows, range(3))
    expected, along = base, []
    for rest, axis, gain, shift, value in zip(rests, directions, gains, shifts, values.T, strict=True):
        expected = wxyz_multiply(expected, rest)
        along.append(matrix_from_wxyz(expected) @ axis)
        expected = wxyz_multiply(expected, wxyz_from_rotation_vector((gain * value + shift)[:, None] * axis))
    np.testing.assert_allclose(world, expected, atol=1e-12)
    np.testing.assert_allclose(axes, np.stack(along, axis=1), atol=1e-12)
    costs, blocks, gradient = np.empty(5), np.empty((5, 3, 3)), np.empty((5, 3))
    linearize_hinges(hinges.chain, hinges.speeds, base, values, desired, np.arange(5), costs, blocks, gradient)
    residual = rotation_vector_from_wxyz(wxyz_multiply(desired, wxyz_inverse(world)))
    jacobian = -np.swapaxes(axes * hinges.speeds[:, None], 1, 2)
    np.testing.assert_allclose(costs, 0.5 * np.sum(residual**2, axis=1), atol=1e-12)
    np.testing.assert_allclose(blocks, jacobian.swapaxes(1, 2) @ jacobian, atol=1e-12)
    np.testing.assert_allclose(gradient, np.einsum("fia,fi->fa", jacobian, residual), atol=1e-12)
