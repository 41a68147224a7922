"""BVH files written right: any skeleton, read back by posable and by readers that others wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats.plain_bvh import ARM, load_text, read_plain

import posable
from posable import Axis, Clip, Figure, Joint, Pose, Skeleton
from posable.spatial import random_wxyz

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TILTED = (0.5, 0.5, -0.5, 0.5)

EVERY_KIND = Skeleton(
    [
        Joint("root", "free", position=(0, 1, 0), wxyz=(0.8, 0.6, 0, 0)),
        Joint("hinge", "hinge", "root", (1, 0, 0), TILTED, (Axis((1, 1, 0)),)),
        Joint("hinge off its axis", "hinge", "hinge", (1, 0, 0), axes=(Axis(Z, anchor=(0, 0.5, 0)),)),
        Joint("slide", "slide", "root", (0, 1, 0), TILTED, (Axis(Y, slide=True, lower=0.5, upper=2),)),
        Joint("universal", "universal", "slide", (0, 1, 0), axes=(Axis(X), Axis(Y))),
        Joint("ball", "ball", "universal", (0, 1, 0), TILTED, tips=((0, 0.3, 0), (0.1, 0, 0))),
        Joint("ball off its centre", "ball", "ball", (0, 1, 0), anchor=(0.2, 0, 0)),
        Joint("carried", "free", "ball", (0.3, 0, 0)),
        Joint("planar", "planar", "root", (0, 0, 1)),
        Joint("compound", "compound", "planar", (0, 0, 1), axes=(Axis(X), Axis(Z, slide=True), Axis(Z))),
        Joint("fixed", "fixed", "compound", (0, 0, 1), TILTED, tips=((0, 0, 0.5),)),
    ],
    up="y",
)
REACH = 5.0


def random_clip(skeleton: Skeleton, frames: int, fps: float = 24.0, seed: int = 1) -> Clip:
    """Frames that follow each other smoothly, over all the freedoms."""
    rng = np.random.default_rng(seed)
    start = Pose(skeleton, skeleton.random_coordinates(rng))
    steps = np.cumsum(rng.normal(0, 0.15, (frames, skeleton.dof)), axis=0)
    return Clip(skeleton, start.plus(steps).q, fps, "moves")


def saved(tmp_path: Path, figure: Figure, motion: Pose | Clip | None = None) -> Path:
    path = tmp_path / "written.bvh"
    posable.save(path, figure, motion)
    return path


@pytest.mark.parametrize("seed", range(5))
def test_every_kind_of_joint_is_where_it_was_in_every_frame(tmp_path: Path, seed: int) -> None:
    clip = random_clip(EVERY_KIND, 20, seed=seed)
    path = saved(tmp_path, Figure(EVERY_KIND), clip)
    back = posable.load(path).clips[0]
    assert back.fps == 24
    np.testing.assert_allclose(back.poses.origins, clip.poses.origins, rtol=0, atol=1e-7 * REACH)
    plain = read_plain(path)
    np.testing.assert_allclose(plain.positions(np.arange(20)), clip.poses.origins, rtol=0, atol=1e-7 * REACH)


def test_joints_are_turned_against_their_rest_as_in_the_figure(tmp_path: Path) -> None:
    clip = random_clip(EVERY_KIND, 5)
    figure = Figure(EVERY_KIND)
    back = posable.load(saved(tmp_path, figure, clip)).clips[0]
    since_rest = clip.poses.world_from_joint[..., :3, :3] @ np.swapaxes(figure.rest.world_from_joint[:, :3, :3], -1, -2)
    np.testing.assert_allclose(back.poses.world_from_joint[..., :3, :3], since_rest, atol=1e-9)


def test_all_angles_at_zero_are_the_rest_pose(tmp_path: Path) -> None:
    figure = Figure(EVERY_KIND)
    back = posable.load(saved(tmp_path, figure))
    np.testing.assert_allclose(back.rest.origins, figure.rest.origins, atol=1e-9)
    np.testing.assert_allclose(back.clips[0].poses.origins[0], figure.rest.origins, atol=1e-9)
    plain = read_plain(tmp_path / "written.bvh")
    joint, tip = EVERY_KIND.definitions[5], plain.tip_positions(0)[0]
    expected = posable.spatial.apply_transform(figure.rest.world_from_joint[5], joint.tips[0])
    np.testing.assert_allclose(tip, expected, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["cmu_02_03", "mh_dance1", "mh_pose_run01", "mh_walk1", "rotation_first_root", "test_freebvh"]
)
def test_a_recording_is_written_with_its_own_channels_and_numbers(tmp_path: Path, shared: Path, name: str) -> None:
    path = shared / f"mocap/{name}.bvh"
    figure = posable.load(path)
    written = saved(tmp_path, figure)
    before, after = read_plain(path), read_plain(written)
    assert (after.names, after.parents, after.channels) == (before.names, before.parents, before.channels)
    np.testing.assert_allclose(np.array(after.offsets), np.array(before.offsets), rtol=1e-9)
    assert after.frame_time == pytest.approx(before.frame_time, rel=1e-11)
    size = float(np.ptp(figure.rest.origins, axis=0).max())
    clip, back = figure.clips[0], posable.load(written).clips[0]
    np.testing.assert_allclose(back.poses.world_from_joint, clip.poses.world_from_joint, rtol=0, atol=1e-7 * size)
    if name != "cmu_02_03":  # one joint of it turns over 90° about its middle axis, which can be said in two ways
        np.testing.assert_allclose(after.values, before.values, rtol=0, atol=1e-7 * size)


def test_hinges_and_slides_of_a_bvh_keep_their_few_channels(tmp_path: Path) -> None:
    few = ARM.replace("3 Yrotation Xrotation Zrotation", "3 Xposition Zrotation Xrotation").replace("40 50", "2.5 50")
    figure = load_text(tmp_path, few.replace("-40 -50", "1.5 -50"))
    after, before = read_plain(saved(tmp_path, figure)), read_plain(tmp_path / "file.bvh")
    assert after.channels == before.channels
    np.testing.assert_allclose(after.values, before.values, atol=1e-9)


@pytest.mark.parametrize("channels", ["1 Yrotation", "2 Xrotation Yrotation", "2 Zrotation Yrotation"])
def test_few_channels_hold_whole_turns(tmp_path: Path, channels: str) -> None:
    count = len(channels.split()) - 1
    figure = load_text(tmp_path, ARM.split("MOTION")[0].replace("3 Yrotation Xrotation Zrotation", channels))
    q = np.tile(figure.rest.q, (60, 1))
    q[:, 7:] = np.linspace(3, 14, 60)[:, None] + np.arange(count) * 0.1
    clip = Clip(figure.skeleton, q, 30)
    path = saved(tmp_path, figure, clip)
    back = posable.load(path).clips[0]
    np.testing.assert_allclose(back.poses.world_from_joint, clip.poses.world_from_joint, atol=1e-8)
    assert np.abs(np.diff(read_plain(path).values, axis=0)).max() < 15


def test_a_root_made_free_gets_the_channels_that_it_needs(tmp_path: Path) -> None:
    text = ARM.replace("6 Xposition Yposition Zposition Zrotation Xrotation Yrotation", "0").replace(
        "0 1 0 10 20 30 ", ""
    )
    figure = load_text(tmp_path, text.replace("1 2 3 -10 -20 -30 ", "")).with_root("free")
    pose = figure.rest.with_joint("hip", (4, 5, 6, 0.8, 0.6, 0, 0))
    back = posable.load(saved(tmp_path, figure, pose))
    np.testing.assert_allclose(back.clips[0].poses.origins[0], pose.origins, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Fox.glb", "Knight.glb", "RobotExpressive.glb"])
def test_a_character_moves_alike_as_a_bvh(tmp_path: Path, shared: Path, name: str) -> None:
    figure = posable.load(shared / f"characters/{name}")
    clip = figure.clips[0]
    back = posable.load(saved(tmp_path, figure, clip))
    places = dict(zip(back.skeleton.joints, np.moveaxis(back.clips[0].poses.origins, 1, 0), strict=True))
    size = float(np.ptp(figure.rest.origins, axis=0).max())
    for j, joint in enumerate(figure.skeleton.joints):
        expected = clip.poses.origins[:, j]
        np.testing.assert_allclose(places[joint.replace(" ", "_")], expected, rtol=0, atol=1e-7 * size)


@pytest.mark.parametrize("start", [3.0, -0.5, -3.0])
def test_slides_that_go_far_from_their_offset_are_not_mistaken(tmp_path: Path, start: float) -> None:
    """At -3 the joint is nearer to its parent than to its OFFSET, which reads like a way from the OFFSET."""
    skeleton = Skeleton([Joint("a", "free"), Joint("b", "slide", "a", (2.0, 0, 0), axes=(Axis(X, slide=True),))])
    clip = Clip(skeleton, np.array([[0, 0, 0, 1, 0, 0, 0, start], [0, 0, 0, 1, 0, 0, 0, start + 1.2]]), 30)
    back = posable.load(saved(tmp_path, Figure(skeleton), clip)).clips[0]
    np.testing.assert_allclose(back.poses.origins, clip.poses.origins, atol=1e-9)


def test_ways_from_the_offset_that_grow_large_are_written_as_positions(tmp_path: Path, shared: Path) -> None:
    figure = posable.load(shared / "mocap/mh_pose_run01.bvh")
    far = np.array(figure.clips[0].q[0])
    first = figure.skeleton.tables.first_coordinate
    for j in range(1, len(figure.skeleton.joints)):
        if figure.skeleton.definitions[j].kind == "free":
            far[first[j] : first[j] + 3] *= 3
    pose = Pose(figure.skeleton, far)
    back = posable.load(saved(tmp_path, figure, pose))
    np.testing.assert_allclose(back.clips[0].poses.origins[0], pose.origins, atol=1e-6)


def test_angles_do_not_jump_from_frame_to_frame(tmp_path: Path) -> None:
    skeleton = Skeleton([Joint("a", "free"), Joint("b", "ball", "a", (1, 0, 0))])
    turns = np.linspace(0, 4 * np.pi, 90)
    q = np.zeros((90, 11))
    q[:, 3] = 1
    for axis in (8, 9, 10):  # two whole turns about every axis, through both poles of the angles
        q[:, 7], q[:, 8:] = np.cos(turns / 2), 0
        q[:, axis] = np.sin(turns / 2)
        values = read_plain(saved(tmp_path, Figure(skeleton), Clip(skeleton, q, 30))).values
        assert np.abs(np.diff(values, axis=0)).max() < 10


def test_random_rotations_come_back(tmp_path: Path) -> None:
    skeleton = Skeleton([Joint("a", "free"), Joint("b", "ball", "a", (1, 0, 0)), Joint("c", "fixed", "b", (1, 0, 0))])
    rng = np.random.default_rng(2)
    q = np.concatenate([rng.normal(size=(500, 3)), random_wxyz(rng, (500,)), random_wxyz(rng, (500,))], axis=1)
    clip = Clip(skeleton, q, 30)
    back = posable.load(saved(tmp_path, Figure(skeleton), clip)).clips[0]
    np.testing.assert_allclose(back.poses.origins, clip.poses.origins, atol=1e-7)


def test_a_pose_is_one_frame_and_a_figure_alone_its_first_clip(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM)
    assert len(posable.load(saved(tmp_path, figure, figure.clips[0].poses[1])).clips[0]) == 1
    assert len(posable.load(saved(tmp_path, figure)).clips[0]) == 2
    assert posable.load(saved(tmp_path, Figure(EVERY_KIND))).clips[0].fps == 30


def test_a_batch_of_poses_is_refused_and_leaves_the_file_alone(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM)
    path = saved(tmp_path, figure)
    before = path.read_bytes()
    with pytest.raises(
        posable.PoseError, match=r"one pose or a clip, not a batch of poses \(2,\); make a Clip of them"
    ):
        posable.save(path, figure, figure.clips[0].poses)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"file.bvh", "written.bvh"}


def test_names_are_written_without_spaces_and_stay_different(tmp_path: Path) -> None:
    joints = [Joint("a b", "free"), Joint("a_b", "ball", "a b", Y), Joint("a{b}", "ball", "a b", X)]
    assert posable.load(saved(tmp_path, Figure(Skeleton(joints)))).skeleton.joints == ("a_b", "a_b_2", "a_b_")


def test_joints_are_written_depth_first(tmp_path: Path) -> None:
    joints = [Joint("a", "free"), Joint("b", "ball", "a", Y), Joint("c", "ball", "a", X), Joint("d", "ball", "b", Y)]
    skeleton = Skeleton(joints)
    clip = random_clip(skeleton, 3)
    back = posable.load(saved(tmp_path, Figure(skeleton), clip))
    assert back.skeleton.joints == ("a", "b", "d", "c")
    np.testing.assert_allclose(back.clips[0].poses.origins, clip.poses.origins[:, [0, 1, 3, 2]], atol=1e-8)


def test_the_size_of_the_figure_changes_no_angle(tmp_path: Path) -> None:
    clip = random_clip(EVERY_KIND, 4)
    figure = Figure(EVERY_KIND, clips=posable.figures.Clips([clip]))
    plain = read_plain(saved(tmp_path, figure))
    small = read_plain(saved(tmp_path, posable.figures.scaled(figure, 1e-6)))
    np.testing.assert_allclose(np.array(small.offsets), 1e-6 * np.array(plain.offsets), rtol=1e-9, atol=1e-18)
    turns = [channel.endswith("rotation") for channels in plain.channels for channel in channels]
    np.testing.assert_allclose(small.values[:, turns], plain.values[:, turns], atol=1e-8)
    assert small.channels == plain.channels


def test_pybvh_and_bvhio_open_what_was_written(tmp_path: Path) -> None:
    pybvh, bvhio = pytest.importorskip("pybvh"), pytest.importorskip("bvhio")
    balls = [
        Joint("a", "free"),
        Joint("b", "ball", "a", Y, TILTED),
        Joint("c", "hinge", "b", X, axes=(Axis(Z),), tips=(X,)),
    ]
    skeleton = Skeleton(balls)
    clip = random_clip(skeleton, 6)
    path = saved(tmp_path, Figure(skeleton), clip)
    judge = pybvh.read_bvh_file(path, world_up="+y")
    np.testing.assert_allclose(judge.node_positions()[:, :3], clip.poses.origins, atol=1e-8)
    hierarchy = bvhio.readAsHierarchy(str(path))
    for f in range(6):
        hierarchy.loadPose(f, recursive=True)
        places = [list(joint.PositionWorld) for joint, _, _ in hierarchy.layout()]
        np.testing.assert_allclose(places, clip.poses.origins[f], atol=1e-5)
