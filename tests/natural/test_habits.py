"""What a figure learns from its own clips: `Natural.learn`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.figures import scaled
from posable.natural.habits import HabitStarts
from posable.spatial import wxyz_from_matrix

ENDS = ("FF.L", "FF.R", "FFB.L", "FFB.R", "Head")


@pytest.fixture(scope="module")
def wolf() -> posable.Figure:
    return posable.load(posable.sample("wolf.glb"))


@pytest.fixture(scope="module")
def learnt(wolf: posable.Figure) -> posable.Figure:
    """It has learnt from every second frame."""
    return posable.Natural.learn(wolf, [posable.Clip(c.skeleton, c.q[::2], c.fps / 2) for c in wolf.clips])


@pytest.fixture(scope="module")
def unseen(learnt: posable.Figure) -> posable.Pose:
    return posable.Pose(learnt.skeleton, np.concatenate([clip.q[1::8] for clip in learnt.clips]))


def solved(figure: posable.Figure, truth: posable.Pose, *more: posable.Goal) -> posable.Solution:
    """From rest, with the ends and the body where they are in the truth."""
    frozen = [name for name in ("AnimalArmature", "Body", "Back") if name in figure.skeleton.joints]
    start = np.repeat(figure.rest.q[None], len(truth), axis=0)
    for name in frozen:
        start[:, figure.skeleton.tables.first_coordinate[figure.skeleton.index(name)] :][:, :7] = truth.of(name)
    goals = [posable.Reach(end, truth.origins[:, figure.skeleton.index(end)]) for end in ENDS]
    return posable.solve(posable.Pose(figure.skeleton, start), [*goals, *more], frozen=frozen)


def error(solution: posable.Solution, truth: posable.Pose) -> float:
    uses = posable.joint_uses(solution.pose.skeleton)
    carried = [j for j, name in enumerate(truth.skeleton.joints) if uses[name] == "deforming" and name not in ENDS]
    return float(np.linalg.norm((solution.pose.origins - truth.origins)[:, carried], axis=-1).mean())


def test_what_no_goal_asks_for_is_done_as_learnt(learnt: posable.Figure, unseen: posable.Pose) -> None:
    plain, natural = solved(learnt, unseen), solved(learnt, unseen, posable.Natural())
    assert error(natural, unseen) < 0.45 * error(plain, unseen)
    met = [np.asarray(one.status) == posable.Status.REACHED for one in (plain, natural)]
    assert met[1].mean() >= met[0].mean() - 0.02
    assert max(np.asarray(goal.distance)[met[1]].max() for goal in natural.goals[:5]) < 1e-5


def test_the_same_from_clips_of_other_motions(wolf: posable.Figure) -> None:
    """Half of the clips: what they do not show is done as before, and not worse."""
    learnt = posable.Natural.learn(wolf, wolf.clips[0::2])
    unseen = posable.Pose(learnt.skeleton, np.concatenate([clip.q[::8] for clip in wolf.clips[1::2]]))
    assert error(solved(learnt, unseen, posable.Natural()), unseen) < 0.85 * error(solved(learnt, unseen), unseen)


def test_no_strength_is_as_without(learnt: posable.Figure, unseen: posable.Pose) -> None:
    plain, off = solved(learnt, unseen[:9]), solved(learnt, unseen[:9], posable.Natural(strength=0.0))
    assert np.array_equal(plain.pose.q, off.pose.q)


def test_one_by_one_and_in_batches_alike(learnt: posable.Figure, unseen: posable.Pose) -> None:
    batch = solved(learnt, unseen[:5], posable.Natural()).pose.q
    single = [solved(learnt, unseen[k : k + 1], posable.Natural()).pose.q[0] for k in range(5)]
    np.testing.assert_allclose(batch, single, atol=1e-9)


def test_a_goal_that_is_met_changes_nothing(learnt: posable.Figure, unseen: posable.Pose) -> None:
    pose = unseen[3]
    goals = [posable.Reach(end, pose.origins[learnt.skeleton.index(end)]) for end in ENDS]
    kept = posable.solve(pose, [*goals, posable.Natural()], frozen=["AnimalArmature"])
    np.testing.assert_allclose(kept.pose.q, pose.q, atol=1e-6)


def test_a_little_of_a_target_is_a_little_of_the_pose(learnt: posable.Figure) -> None:
    head = learnt.skeleton.index("Head")
    around = learnt.rest.origins[head] + 0.1 * np.stack([np.cos(t := np.linspace(0, 6.3, 400)), np.sin(t), 0 * t], 1)
    prepared = posable.prepare(learnt.skeleton, [posable.Reach("Head", around[0]), posable.Natural(keep=False)])
    starter = prepared._proposals.starter if prepared._proposals else None
    assert isinstance(starter, HabitStarts)
    starts = starter.begun(np.repeat(learnt.rest.q[None], len(around), axis=0), np.ascontiguousarray(around))
    steps = np.abs(np.diff(starts, axis=0)).max(axis=1)
    assert 0 < steps.max() < 8 * np.median(steps) + 1e-3


def test_where_the_root_may_go_it_goes_along(learnt: posable.Figure) -> None:
    """The whole wolf is asked for a metre further: it goes there as it stands."""
    way = np.array([1.0, 0.0, 0.5])
    goals = [posable.Reach(end, learnt.rest.origins[learnt.skeleton.index(end)] + way) for end in ENDS]
    solution = posable.solve(learnt.rest, [*goals, posable.Natural(keep=True)])
    np.testing.assert_allclose((solution.pose.origins - learnt.rest.origins)[1:], np.tile(way, (53, 1))[1:], atol=1e-3)


@pytest.mark.parametrize("ending", [".glb", ".gltf", ".toml"])
def test_it_is_saved_with_the_figure(learnt: posable.Figure, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"wolf{ending}"
    posable.save(path, learnt)
    read = posable.load(path)
    assert [j.habits for j in read.skeleton.definitions] == [j.habits for j in learnt.skeleton.definitions]
    goal = posable.Reach("Head", learnt.rest.origins[learnt.skeleton.index("Head")] + 0.1)
    poses = [posable.solve(one.rest, [goal, posable.Natural()]).pose.origins for one in (read, learnt)]
    np.testing.assert_allclose(poses[0], poses[1], atol=1e-4)


def test_a_scaled_figure_does_the_same(learnt: posable.Figure) -> None:
    large, head = scaled(learnt, 3.0), np.array([0.2, 1.2, 1.5])
    poses = [
        posable.solve(one.rest, [posable.Reach("Head", size * head), posable.Natural()]).pose.origins / size
        for one, size in ((learnt, 1.0), (large, 3.0))
    ]
    np.testing.assert_allclose(poses[0], poses[1], atol=1e-4)


def test_half_of_what_was_learnt_is_below_one(learnt: posable.Figure, unseen: posable.Pose) -> None:
    goals = [posable.Reach("Head", unseen.origins[:, learnt.skeleton.index("Head")])]
    distance = np.asarray(posable.solve(unseen, goals).prior_distance)
    assert 0.6 < np.median(distance) < 1.5
    twisted = unseen[0].with_joint("Neck1", (0.0, 1.0, 0.0, 0.0))
    strange = posable.solve(twisted, [posable.Reach("FF.L", twisted.of("FF.L")[:3]), posable.Natural()])
    assert "Neck1" in strange.describe()


def test_goals_over_its_clips_leave_its_feet_where_they_are(wolf: posable.Figure) -> None:
    """The clips stayed on the skeleton without habits, and the feet went along with the head."""
    figure = posable.Natural.learn(wolf)
    clip = next(clip for clip in figure.clips if clip.name.endswith("Walk"))
    assert clip.skeleton is figure.skeleton
    feet, head = [clip.skeleton.index(name) for name in ENDS[:4]], clip.skeleton.index("Head")
    lower = clip.poses.origins[:, head] - (0.0, 0.15, 0.0)
    over = posable.motion.overlay(clip, {posable.Reach("Head", lower): 1.0}, frozen=())
    np.testing.assert_allclose(over.poses.origins[:, head], lower, atol=1e-5)
    np.testing.assert_allclose(over.poses.origins[:, feet], clip.poses.origins[:, feet], atol=1e-4)


def test_refusals(wolf: posable.Figure) -> None:
    with pytest.raises(posable.GoalError, match="no clips"):
        posable.Natural.learn(posable.figure("arm6"))
    with pytest.raises(posable.GoalError, match="another skeleton"):
        posable.Natural.learn(posable.figure("arm6"), wolf.clips)
    with pytest.raises(posable.GoalError, match=r"posable\.Natural\.learn"):
        posable.solve(wolf.rest, [posable.Reach("Head", (0, 1, 1)), posable.Natural()])
    with pytest.raises(posable.SkeletonError, match="habits"):
        posable.Joint("knee", axes=(posable.Axis((1, 0, 0)),), habits="&")
    with pytest.raises(posable.SkeletonError, match="habits"):
        posable.Joint("hip", "ball", habits="AAAAAA==")
    with pytest.raises(posable.SkeletonError, match="not finite"):
        posable.Joint("knee", axes=(posable.Axis((1, 0, 0)),), habits="AADAfw==")


def test_goals_that_say_nothing_of_the_pose_begin_at_the_start(learnt: posable.Figure) -> None:
    prepared = posable.prepare(
        learnt.skeleton, [posable.LookAt("Head", (0, 1, 5)), posable.Natural()], frozen=["AnimalArmature"]
    )
    assert prepared._proposals is not None
    starts = learnt.rest.q[None].copy()
    assert np.array_equal(prepared._proposals.starter.begun(starts, np.zeros((1, 3))), starts)


def test_rotations_are_known_too(learnt: posable.Figure, unseen: posable.Pose) -> None:
    """Of the turned chest alone the legs are nearer to the truth than at rest."""
    turn = learnt.skeleton.index("Torso3")
    goal = posable.Orient("Torso3", wxyz_from_matrix(unseen.world_from_joint[:, turn, :3, :3]))
    start = posable.Pose(learnt.skeleton, np.repeat(learnt.rest.q[None], len(unseen), axis=0))
    natural = posable.solve(start, [goal, posable.Natural()], frozen=["AnimalArmature"])
    plain = posable.solve(start, [goal], frozen=["AnimalArmature"])
    assert error(natural, unseen) < 0.9 * error(plain, unseen)
