"""The steps of learning, each against its plain statement."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from skin.learning.tubes import blended, edges, tube

from posable.skin.learning.assemble_rig import Chained, Tree, recover_tree
from posable.skin.learning.motion_solve import EachFree, frame_costs, minimised, normal_sums, sweep, unit_ratio
from posable.skin.learning.sequence import Sequence, nearest_rotation, normalized_sequence
from posable.skin.learning.weight_solve import share, squared_blend_errors, squared_errors
from posable.spatial import Array, random_wxyz
from posable.spatial import matrix_from_wxyz as matrix


def rows(transforms: Array) -> Array:
    """`[frame, joint, 4, 3]`, as learning keeps motion."""
    return np.ascontiguousarray(transforms[..., :3, :].swapaxes(-1, -2))


def plain(rest: Array, frames: Array) -> Sequence:
    """A sequence in the coordinates that are given."""
    points = np.concatenate([rest, np.ones((len(rest), 1))], axis=1)
    return Sequence(points, frames, np.eye(4), np.tile(np.eye(4), (len(frames), 1, 1)), 1.0)


def random_motion(rng: np.random.Generator, frames: int, joints: int) -> Array:
    motion = rng.normal(size=(frames, joints, 4, 3))
    motion[:, :, :3] = matrix(random_wxyz(rng, (frames, joints)))
    return motion


def two_strongest(weights: Array) -> tuple[NDArray[np.int64], Array]:
    """(joints, weights), both `[vertex, 2]`: of a tube's vertex no more weigh anything."""
    joints = np.argsort(-weights, axis=1)[:, :2]
    return joints, np.take_along_axis(weights, joints, axis=1)


def best_by_trying_all(moved: Array, target: Array, most: int) -> float:
    """The least squared error of a blend of at most `most` columns of `moved [coordinate, joint]`: all are tried."""
    least = np.inf
    for count in range(1, most + 1):
        for chosen in map(list, combinations(range(moved.shape[1]), count)):
            gram = moved[:, chosen].T @ moved[:, chosen]
            bordered = np.block([[gram, np.ones((count, 1))], [np.ones((1, count)), np.zeros((1, 1))]])
            right = np.append(moved[:, chosen].T @ target, 1.0)
            w = np.linalg.lstsq(bordered, right, rcond=None)[0][:count]
            if (w >= -1e-12).all():
                least = min(least, float(np.sum((moved[:, chosen] @ w - target) ** 2)))
    return least


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_shares_are_the_best_of_all_choices_of_joints(most: int) -> None:
    """Targets blend up to `most` joints, with noise. The search tries few choices; one vertex in fifty may miss."""
    rng = np.random.default_rng(most)
    motion, rest = random_motion(rng, 5, 7), rng.normal(size=(100, 3))
    weights = rng.dirichlet(np.ones(7), 100)
    weights[np.arange(100)[:, None], np.argsort(weights, axis=1)[:, : 7 - most]] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    points = np.concatenate([rest, np.ones((100, 1))], axis=1)
    moved = np.einsum("vp,fjpc->vfcj", points, motion).reshape(100, 15, 7)
    targets = np.einsum("vcj,vj->vc", moved, weights) + 0.05 * rng.normal(size=(100, 15))
    sequence = plain(rest, targets.reshape(100, 5, 3).swapaxes(0, 1))
    joints, found = np.zeros((100, most), np.int64), np.zeros((100, most))
    left = share(sequence, motion, joints, found, tries=6, wide=7)
    assert (found >= 0).all() and np.abs(found.sum(axis=1) - 1).max() < 1e-12
    np.testing.assert_allclose(left, squared_blend_errors(sequence, motion, joints, found), rtol=1e-9)
    best = np.array([best_by_trying_all(m, t, most) for m, t in zip(moved, targets, strict=True)])
    assert (left >= best * (1 - 1e-9)).all()
    assert np.mean(left <= best * (1 + 1e-6)) >= 0.98


def test_a_barred_joint_is_not_followed_and_alike_joints_do_no_harm() -> None:
    made = tube()
    twice = np.concatenate([made.transforms, made.transforms], axis=1)
    sequence, motion = plain(made.rest, made.frames), rows(twice)
    joints, weights = np.zeros((300, 4), np.int64), np.zeros((300, 4))
    left = share(sequence, motion, joints, weights, 3)
    assert left.max() < 1e-12 and np.isfinite(weights).all()
    alone = np.argmin(squared_errors(sequence, motion), axis=1)
    joints[:], weights[:] = 0, 0.0
    share(sequence, motion, joints, weights, 3, barred=alone)
    assert not ((joints == alone[:, None]) & (weights > 0)).any()


def test_a_sweep_is_kabschs_answer_and_never_makes_it_worse() -> None:
    rng = np.random.default_rng(2)
    made = tube()
    sequence = plain(made.rest, made.frames)
    joints, weights = two_strongest(made.weights)
    sums = normal_sums(sequence, joints, weights, 4)
    motion = random_motion(rng, 12, 4)
    before = frame_costs(motion, *sums)
    for _ in range(5):
        sweep(motion, *sums, 1)
        after = frame_costs(motion, *sums)
        assert (after <= before + 1e-9 * np.abs(before)).all()
        before = after
    direct = squared_blend_errors(sequence, motion, joints, weights).sum()
    np.testing.assert_allclose(before.sum() + sequence.squares.sum(), direct, atol=1e-9)
    turned = nearest_rotation(rng.normal(size=(50, 3, 3)))
    np.testing.assert_allclose(np.linalg.det(turned), 1.0)


def test_all_joints_at_once_go_to_the_bottom_and_no_frame_gets_worse() -> None:
    rng = np.random.default_rng(3)
    made = tube()
    sequence = plain(made.rest, made.frames)
    sums = normal_sums(sequence, *two_strongest(made.weights), 4)
    motion = EachFree().moved(rows(made.transforms), 0.3 * rng.normal(size=(12, 24)))
    once = minimised(motion, *sums, EachFree(), 1)
    assert (frame_costs(once, *sums) <= frame_costs(motion, *sums)).all()
    found = minimised(motion, *sums, EachFree(), 40)
    np.testing.assert_allclose(found, rows(made.transforms), atol=1e-7)


def test_the_slope_of_a_skeleton_is_the_derivative_of_its_motion() -> None:
    rng = np.random.default_rng(4)
    tree = Tree(np.array([1, -1, 1, 2]), rng.normal(size=(4, 3)))
    chained = Chained(tree)
    motion = chained.hung(matrix(random_wxyz(rng, (3, 4))), rng.normal(size=(3, 3)))
    slope, points = chained.slope(motion), np.append(rng.normal(size=3), 1.0)
    for n in range(slope.shape[-1]):
        step = np.zeros((3, slope.shape[-1]))
        step[:, n] = 1e-6
        change = points @ (chained.moved(motion, step) - chained.moved(motion, -step)) / 2e-6
        twist = slope[..., n].reshape(3, 4, 6)
        np.testing.assert_allclose(change, np.cross(twist[..., :3], points @ motion) + twist[..., 3:], atol=1e-8)


def test_the_tree_and_its_centers_are_those_that_made_the_motion() -> None:
    made = tube(joints=6)
    tree = recover_tree(plain(made.rest, made.frames), rows(made.transforms), made.weights)
    assert edges(tree.parents) == {frozenset((k, k + 1)) for k in range(5)}
    assert tree.order[0] in (2, 3)
    for joint, parent in enumerate(tree.parents):
        if parent >= 0:
            np.testing.assert_allclose(tree.centers[joint], made.centers[max(joint, parent)], atol=0.01)
    known = recover_tree(
        plain(made.rest, made.frames), rows(made.transforms), made.weights, np.array([-1, 0, 1, 2, 3, 4])
    )
    np.testing.assert_allclose(known.centers[1:], made.centers[1:], atol=0.01)
    assert known.order == [0, 1, 2, 3, 4, 5]


def test_frames_in_another_unit_are_seen_to_be_so() -> None:
    made = tube()
    sequence = normalized_sequence(made.rest, 100 * made.frames)
    assert sequence.other_unit and not normalized_sequence(made.rest, made.frames).other_unit
    here = np.linalg.inv(sequence.world_from_here)[:, None] @ (
        np.diag([100, 100, 100, 1.0]) @ made.transforms @ np.linalg.inv(sequence.here_from_rest)
    )
    motion = rows(here)
    motion[:, :, :3] = nearest_rotation(motion[:, :, :3])
    left = np.ones(4)
    ratio = unit_ratio(motion, *normal_sums(sequence, *two_strongest(made.weights), 4), left)
    assert abs(sequence.scale * ratio - 100) < 0.5 * abs(sequence.scale - 100)
    np.testing.assert_allclose(blended(made.rest, made.weights, made.transforms), made.frames)
