"""Cutting, joining, warping, blending, mirroring, looping, root motion, reduction: what each keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from clips.walkers import biped, wandering

from posable import clips
from posable.clips import Clip, Event, Travel
from posable.errors import PoseError, SkeletonError, UnknownJointError
from posable.formats import load
from posable.sample_files import sample
from posable.skeleton import Axis, Cone, Joint, Pose, Skeleton, symmetry_of

WALKS = ("cmu_02_01.bvh", "cmu_12_01_walk.bvh", "mh_walk1.bvh", "zombie.bvh", "test_freebvh.bvh")


def apart(one: Clip | Pose, other: Clip | Pose) -> float:
    """The largest difference of any joint's frame."""
    a, b = (x.poses if isinstance(x, Clip) else x for x in (one, other))
    return float(np.abs(a.world_from_joint - b.world_from_joint).max())


def test_a_part_begins_and_ends_where_asked() -> None:
    clip = replace(wandering(), events=(Event(0.5, "land", "foot_l"), Event(1.5, "lift")))
    part = clips.trim(clip, 0.5, 1.0)
    assert len(part) == 16
    assert apart(part, clip.poses[15:31]) < 1e-12
    assert part.events == (Event(0.0, "land", "foot_l"),)
    between = clips.trim(clip, 0.51)
    assert apart(between.poses[0], clip.at(0.51)) < 1e-12
    for start, end in ((-0.1, 1.0), (0.5, 0.4), (0.0, 2.0), (np.nan, 1.0)):
        with pytest.raises(PoseError, match="must lie within it"):
            clips.trim(clip, start, end)


def test_joined_where_the_first_ends_and_facing_as_it_does() -> None:
    first, second = wandering(seed=1), wandering(seed=2)
    joined = clips.join(first, second)
    assert len(joined) == 120
    assert apart(joined.poses[:60], first) < 1e-12
    ends, starts = (clips.travel_of(joined.poses[k]) for k in (59, 60))
    np.testing.assert_allclose(ends, starts, atol=1e-12)
    steps, own = (clips.without_root_motion(c)[0] for c in (replace(joined, q=joined.q[60:]), second))
    assert apart(steps, own) < 1e-12
    assert apart(replace(joined, q=joined.q[60:]), second) > 0.1
    still = clips.join(first, second, align=False)
    assert apart(still.poses[60:], second) < 1e-12


def test_an_overlap_fades_and_moves_events() -> None:
    first, second = wandering(seed=1), replace(wandering(seed=2), events=(Event(0.5, "land"),))
    joined = clips.join(first, second, 0.5)
    assert len(joined) == 120 - 15
    assert joined.events == (Event(1.5 + 0.5, "land"),)
    steps = np.linalg.norm(np.diff(joined.poses.origins, axis=0), axis=-1).max(axis=1)
    hard = np.linalg.norm(np.diff(clips.join(first, second).poses.origins, axis=0), axis=-1).max(axis=1)
    assert steps.max() < 0.35 * hard.max()
    for overlap in (-0.1, 2.0):
        with pytest.raises(PoseError, match=r"is too long for clips of 1.96667 and 1.96667 s"):
            clips.join(first, second, overlap)
    other = Clip(Skeleton([Joint("a", "hinge", axes=(Axis((0, 0, 1)),))]), np.zeros((60, 1)), 30, "door")
    for act in (clips.join, clips.blend):
        with pytest.raises(PoseError, match="'wander' and 'door' belong to different skeletons; retarget one"):
            act(first, other)


def test_played_backwards_twice_is_the_clip() -> None:
    clip = replace(wandering(), events=(Event(0.25, "land"),))
    twice = clips.reverse(clips.reverse(clip))
    np.testing.assert_allclose(twice.q, clip.q, atol=1e-12)
    assert twice.events[0].seconds == pytest.approx(0.25)
    np.testing.assert_allclose(clips.reverse(clip).q[0], clip.q[-1], atol=1e-12)


def test_a_warp_moves_moments_and_nothing_else() -> None:
    clip = replace(wandering(), events=(Event(0.5, "land"),))
    warped = clips.time_warp(clip, {0: 0, 0.5: 1.0, clip.seconds: 3.0})
    assert warped.seconds == pytest.approx(3.0)
    assert warped.events == (Event(1.0, "land"),)
    assert apart(warped.at(1.0), clip.at(0.5)) < 1e-12
    assert apart(warped.poses[-1], clip.poses[-1]) < 1e-12
    same = clips.time_warp(clip, {0: 0, 1: 1, clip.seconds: clip.seconds})
    assert apart(same, clip) < 1e-9
    for moments in ({0: 0}, {0: 0, 1: 0}, {1: 0, 0: 1}, {0: 0, 9: 1}, {0: 0, 1: np.nan}):
        with pytest.raises(PoseError, match="two or more increasing times"):
            clips.time_warp(clip, moments)


def test_blends_and_layers() -> None:
    base, over = wandering(seed=1), wandering(seed=2)
    assert apart(clips.blend(base, over, 0.0), base) < 1e-12
    assert apart(clips.blend(base, over, 1.0), over) < 1e-12
    half = clips.blend(base, over, 0.5)
    np.testing.assert_allclose(half.poses.minus(base.poses), over.poses.minus(half.poses), atol=1e-9)
    legs = clips.below(base.skeleton, "hip_l")
    assert legs == ("hip_l", "knee_l", "foot_l")
    layered = clips.blend(base, over, 1.0, joints=legs)
    for name in base.skeleton.joints:
        expected = over if name in legs else base
        own = list(base.skeleton.freedom_range(name))
        np.testing.assert_allclose(layered.poses.minus(expected.poses)[:, own], 0, atol=1e-12)
    some = clips.blend(base, over, np.linspace(0, 1, 60), joints={"knee_r": 0.5})
    own = base.poses.of("knee_r") + 0.5 * np.linspace(0, 1, 60)[:, None] * (
        over.poses.of("knee_r") - base.poses.of("knee_r")
    )
    np.testing.assert_allclose(some.poses.of("knee_r"), own, atol=1e-12)
    with pytest.raises(UnknownJointError, match="tail"):
        clips.blend(base, over, joints=["tail"])
    with pytest.raises(PoseError, match=r"or 60, one per frame; not an array of \(3,\)"):
        clips.blend(base, over, [0, 1, 2])
    with pytest.raises(PoseError, match=r"last 1.96667 and 1 s; trim or warp one of them"):
        clips.blend(base, clips.trim(over, 0, 1))


def test_what_is_added_comes_on_top() -> None:
    base, extra = wandering(seed=1), wandering(seed=2)
    added = clips.add(base, extra)
    np.testing.assert_allclose(added.poses.minus(base.poses), extra.poses.minus(extra.poses[0]), atol=1e-9)
    assert apart(clips.add(base, extra, 0.0), base) < 1e-12
    still = Clip(base.skeleton, np.repeat(extra.q[:1], 60, axis=0), 30)
    assert apart(clips.add(base, still), base) < 1e-12
    neutral = extra.poses[5]
    np.testing.assert_allclose(
        clips.add(base, still, neutral=neutral).poses.minus(base.poses)[0], extra.poses[0].minus(neutral), atol=1e-9
    )


def test_in_the_mirror_twice_is_the_clip_and_once_its_image() -> None:
    clip = replace(wandering(), events=(Event(0.5, "land", "foot_l"),))
    image = clips.mirror(clip)
    assert apart(clips.mirror(image), clip) < 1e-12
    symmetry = symmetry_of(clip.skeleton)
    np.testing.assert_array_equal(symmetry.left, [1.0, 0, 0])
    seen = clip.poses.origins - symmetry.middle
    seen[..., 0] *= -1
    np.testing.assert_allclose(image.poses.origins, (seen + symmetry.middle)[:, symmetry.partner], atol=1e-12)
    assert image.events == (Event(0.5, "land", "foot_r"),)
    with pytest.raises(SkeletonError, match="no joint of this skeleton has a mirror image"):
        clips.mirror(Clip(Skeleton([Joint("a", "ball")]), [[1.0, 0, 0, 0]], 30))
    uneven = Skeleton(
        [Joint("root", "free"), Joint("arm_l", "ball", "root", (1, 0, 0)), Joint("arm_r", "fixed", "root")]
    )
    with pytest.raises(SkeletonError, match="different kinds, ball and fixed; mirroring needs two of the same kind"):
        clips.mirror(Clip(uneven, uneven.rest_coordinates[None], 30))
    sides = (("a_l", 1, (1, 0, 0)), ("a_r", -1, (0, 1, 0)))
    hinges = [Joint(name, "hinge", "root", (x, 0, 0), axes=(Axis(axis),)) for name, x, axis in sides]
    crossed = Skeleton([Joint("root", "free"), *hinges])
    with pytest.raises(SkeletonError, match="an axis of 'a_r' is not the mirror image of that of 'a_l'"):
        clips.mirror(Clip(crossed, crossed.rest_coordinates[None], 30))


def test_root_motion_out_and_in() -> None:
    clip = wandering()
    in_place, travel = clips.without_root_motion(clip)
    assert apart(clips.with_root_motion(in_place, travel), clip) < 1e-12
    np.testing.assert_allclose(in_place.poses.origins[:, 0, [0, 2]], 0, atol=1e-12)
    np.testing.assert_allclose(in_place.poses.origins[:, 0, 1], clip.poses.origins[:, 0, 1], atol=1e-12)
    np.testing.assert_allclose(travel.positions[:, [0, 2]], clip.poses.origins[:, 0, [0, 2]], atol=1e-12)
    assert travel.headings.max() - travel.headings.min() > np.pi  # unwrapped
    relative = np.linalg.inv(travel.world_from_figure("y"))[:, None] @ clip.poses.world_from_joint
    np.testing.assert_allclose(relative, in_place.poses.world_from_joint, atol=1e-12)
    with pytest.raises(PoseError, match="the travel has 2 frames, the clip 60"):
        clips.with_root_motion(clip, Travel(np.zeros((2, 3)), np.zeros(2)))
    with pytest.raises(
        PoseError, match=r"travel must be a posable.clips.Travel, as without_root_motion returns, not 3"
    ):
        clips.with_root_motion(clip, 3)  # type: ignore[arg-type]
    fixed = Skeleton([Joint("base", "fixed"), Joint("a", "ball", "base")])
    with pytest.raises(PoseError, match=r"the root 'base' is not free, .*; use figure.with_root\('free'\)"):
        clips.without_root_motion(Clip(fixed, fixed.rest_coordinates[None], 30))


def test_a_free_joint_below_others_is_moved_in_the_world() -> None:
    lift = Joint("lift", "slide", "world", axes=(Axis((0, 1, 0), True),))
    base = Joint("world", "fixed", wxyz=(0.7, 0.7, 0, 0))
    joints = [base, lift, Joint("hips", "free", "lift"), Joint("head", "ball", "hips", (0, 0.5, 0))]
    skeleton = Skeleton(joints)
    q = skeleton.random_coordinates(np.random.default_rng(0), (20,))
    clip = Clip(skeleton, q, 30)
    in_place, travel = clips.without_root_motion(clip)
    assert apart(clips.with_root_motion(in_place, travel), clip) < 1e-12
    np.testing.assert_allclose(in_place.poses.origins[:, 2, [0, 2]], 0, atol=1e-12)


def test_a_loop_closes_in_pose_and_speed_and_leaves_the_middle_alone() -> None:
    clip = wandering(900, 300)
    looped = clips.loop(clip, 0.4)
    in_place, travel = clips.without_root_motion(looped)
    np.testing.assert_array_equal(
        np.abs(in_place.poses[-1].world_from_joint - in_place.poses[0].world_from_joint) < 1e-9, True
    )
    first, last = in_place.poses[1].minus(in_place.poses[0]), -in_place.poses[-2].minus(in_place.poses[-1])
    before = clips.without_root_motion(clip)[0].poses
    gap = np.abs(before[1].minus(before[0]) + before[-2].minus(before[-1])).max()
    assert np.abs(first - last).max() < 0.1 * gap
    middle = slice(121, 779)
    assert apart(clips.without_root_motion(looped)[0].poses[middle], before[middle]) < 1e-12
    own = clips.without_root_motion(clip)[1]
    np.testing.assert_allclose(travel.positions[[0, -1]], own.positions[[0, -1]], atol=1e-12)
    with pytest.raises(PoseError, match="a loop needs at least 4 frames, not 3"):
        clips.loop(clips.trim(clip, 0, 2 / 300))
    with pytest.raises(PoseError, match="needs a duration above 0 s"):
        clips.loop(clip, 0)


def test_the_round_is_found() -> None:
    skeleton = biped()
    step = np.zeros((100, skeleton.dof))
    phase = 2 * np.pi * np.arange(100) / 40
    step[:, 6], step[:, 9], step[:, 0] = np.sin(phase), np.cos(phase), np.arange(100) * 0.01
    clip = Clip(skeleton, Pose(skeleton, skeleton.rest_coordinates).plus(step).q, 30)
    start, end = clips.find_loop(clip, 0.7)
    assert end - start == pytest.approx(40 / 30)
    with pytest.raises(PoseError, match="has no part of 9 s to loop"):
        clips.find_loop(clip, 9)


def test_few_keys_stay_within_the_tolerance() -> None:
    clip = wandering(120)
    counts = []
    for tolerance in (1e-3, 1e-2, 1e-1):
        keys = clips.reduce_keys(clip, tolerance)
        again = keys.at(clip.times)
        stray = np.abs(again.origins - clip.poses.origins).max() / clip.skeleton.reach
        turned = 0.2 * np.abs(again.world_from_joint - clip.poses.world_from_joint)[..., :3, :3].max()
        assert max(stray, turned) <= tolerance
        counts.append(len(keys))
    assert counts[2] < counts[1] < counts[0] < 120
    still = Clip(clip.skeleton, np.repeat(clip.q[:1], 50, axis=0), 30)
    assert len(clips.reduce_keys(still)) == 2
    with pytest.raises(PoseError, match="tolerance must be above 0, not 0"):
        clips.reduce_keys(clip, 0)


def test_smoothing_takes_tremor_and_leaves_the_rest() -> None:
    clip = wandering(300, 120)
    rng = np.random.default_rng(5)
    shaken = Clip(clip.skeleton, clip.poses.plus(0.01 * rng.standard_normal((300, clip.skeleton.dof))).q, 120)
    mended = clips.smooth(shaken, 0.1)
    jolts = [np.abs(np.diff(c.poses.origins, 2, axis=0)).mean() for c in (clip, shaken, mended)]
    assert jolts[1] > 10 * jolts[0]
    assert jolts[2] < 0.1 * jolts[1]
    rms = [np.sqrt(np.mean((c.poses.origins - clip.poses.origins) ** 2)) for c in (shaken, mended)]
    assert rms[1] < 0.6 * rms[0]
    assert apart(clips.smooth(clip, 0.0), clip) < 1e-9
    with pytest.raises(PoseError, match="smoothing needs a time in seconds of at least 0, not -1"):
        clips.smooth(clip, -1)


def test_smoothing_leaves_a_joint_where_its_file_forbids_it_to_be() -> None:
    """Recordings leave the limits of their own files: an AMC wrist at 17 to 81 degrees, which may only reach 0."""
    joints = [Joint("arm", "free"), Joint("wrist", "hinge", "arm", (1, 0, 0), axes=(Axis((0, 0, 1), upper=0.0),))]
    joints += [replace(joints[1], name="elbow", axes=(Axis((0, 0, 1), lower=0.2, upper=1.0),))]
    joints += [Joint("neck", "ball", "arm", (1, 0, 0), cone=Cone((0, 0, 1), 0.3))]
    skeleton = Skeleton(joints)
    waves = np.sin(np.linspace(0, 12, 90))
    q = np.zeros((90, skeleton.coordinates))
    q[:, 3], q[:, 7], q[:, 8] = 1, np.radians(49 + 32 * waves), np.clip(0.6 + waves, 0.2, 1.0)
    q[:, 9], q[:, 10] = np.cos(0.4 + 0.1 * waves), np.sin(0.4 + 0.1 * waves)
    mended = clips.smooth(Clip(skeleton, q, 30), 0.2)
    assert np.abs(mended.q[:, 7] - q[:, 7]).max() < np.radians(3)
    assert np.abs(mended.q[:, 9:] - q[:, 9:]).max() < 0.02
    assert mended.q[:, 8].min() >= 0.2
    assert mended.q[:, 8].max() <= 1.0  # limits that the clip keeps are kept


@pytest.mark.parametrize("marked", [True, False])
def test_a_loop_is_found_where_the_hips_travel_below_a_root_that_does_not(marked: bool) -> None:
    """As in many recordings. marked: the file's reader has seen that the root stays."""
    walk = load(sample("walk.bvh")).clips[0]
    hips = walk.skeleton.definitions[0]
    still = (False,) * 3 + (True,) * 3
    joints = [
        Joint("world", "free", active=still if marked else None),
        replace(hips, parent="world"),
        *walk.skeleton.definitions[1:],
    ]
    below = Clip(
        Skeleton(joints), np.concatenate([np.tile([0, 0, 0, 1.0, 0, 0, 0], (len(walk), 1)), walk.q], 1), walk.fps
    )
    assert clips.find_loop(below, 0.8) == clips.find_loop(walk, 0.8)
    in_place, travel = clips.without_root_motion(below)
    assert apart(clips.with_root_motion(in_place, travel), below) < 1e-9 * walk.skeleton.reach
    if not marked:
        return
    assert np.ptp(in_place.poses.origins[:, 1, [0, 2]], axis=0).max() < 1e-9
    np.testing.assert_allclose(travel.positions, clips.without_root_motion(walk)[1].positions, atol=1e-12)


def test_events_are_told_in_order_and_have_a_time() -> None:
    clip = replace(wandering(), events=(Event(1.0, "b"), Event(0.0, "a")))
    assert [event.name for event in clip.events] == ["a", "b"]
    with pytest.raises(PoseError, match="event 'a': its time must be a finite number"):
        Event(np.nan, "a")


@pytest.mark.parametrize("name", WALKS)
def test_recordings_come_back_from_the_mirror_and_from_their_root_motion(shared: Path, name: str) -> None:
    figure = load(shared / "mocap" / name)
    clip, reach = figure.clips[0], figure.skeleton.reach
    assert apart(clips.mirror(clips.mirror(clip)), clip) < 1e-9 * reach
    assert apart(clips.with_root_motion(*clips.without_root_motion(clip)), clip) < 1e-9 * reach


def test_a_recorded_walk_resamples_and_loops(shared: Path) -> None:
    clip = load(shared / "mocap/cmu_12_01_walk.bvh").clips[0]
    again = clip.resample(30).resample(clip.fps, "cubic")
    n = min(len(clip), len(again))
    angles = np.degrees(np.abs(again.poses[:n].minus(clip.poses[:n])))[:, 3:]
    assert np.median(angles) < 0.05
    start, end = clips.find_loop(clip, 0.8)
    looped = clips.loop(clips.trim(clip, start, end), 0.2)
    twice = clips.join(looped, clips.trim(looped, 1 / looped.fps))
    jolts = np.abs(np.diff(clips.without_root_motion(twice)[0].poses.origins, 2, axis=0)).max(axis=(1, 2))
    own = np.abs(np.diff(clips.without_root_motion(clip)[0].poses.origins, 2, axis=0)).max(axis=(1, 2))
    assert jolts[len(looped) - 3 : len(looped) + 1].max() <= np.percentile(own, 95)
