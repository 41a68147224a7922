"""Clips as arrays and tables, and back to the bit; the files of numbers that robots' simulators read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.errors import FileError, PoseError
from posable.formats.arrays import coordinate_names

FIGURES = ("mannequin", "arm6", "snake", "telescope")


def clip_of(name: str, frames: int = 7) -> posable.Clip:
    """Random poses, smooth enough to have velocities."""
    skeleton = posable.figure(name).skeleton
    ends = skeleton.random_pose(np.random.default_rng(3), (2,))
    path = posable.clips.between(ends[0], ends[1], np.linspace(0, 0.4, frames))
    return posable.Clip(skeleton, path.q, 25.0, "wave")


@pytest.mark.parametrize("rotations", ["quaternion", "6d", "axis_angle"])
@pytest.mark.parametrize("name", FIGURES)
def test_arrays_come_back_to_the_bit(name: str, rotations: Any) -> None:
    clip = clip_of(name)
    arrays = posable.to_arrays(clip, rotations=rotations)
    again = posable.from_arrays(arrays, clip.skeleton)
    np.testing.assert_array_equal(again.q, clip.q)
    assert (again.fps, again.name) == (clip.fps, clip.name)
    np.testing.assert_array_equal(arrays["positions"], clip.poses.origins)


@pytest.mark.parametrize("rotations", ["quaternion", "6d", "axis_angle"])
@pytest.mark.parametrize("name", FIGURES)
def test_rotations_and_positions_alone_are_the_clip_too(name: str, rotations: Any) -> None:
    clip = clip_of(name)
    arrays = posable.to_arrays(clip, rotations=rotations)
    alone = {key: arrays[key] for key in ("rotations", "positions", "seconds")}
    again = posable.from_arrays(alone, clip.skeleton)
    assert abs(again.fps - clip.fps) < 1e-9
    np.testing.assert_allclose(again.poses.origins, clip.poses.origins, rtol=0, atol=1e-12)


def test_velocities_are_those_of_the_manifold() -> None:
    """A body that turns steadily has a constant velocity, whatever the sign of its quaternions."""
    skeleton = posable.Skeleton([posable.Joint("body", "free")])
    turns = 4.0 * np.arange(20) / 30
    q = np.zeros((20, 7))
    q[:, 0], q[:, 3], q[:, 6] = 1.5 * np.arange(20) / 30, np.cos(turns / 2), np.sin(turns / 2)
    q[10:, 3:] *= -1
    velocities = posable.to_arrays(posable.Clip(skeleton, q, 30.0))["velocities"]
    np.testing.assert_allclose(velocities, np.tile([1.5, 0, 0, 0, 0, 4.0], (20, 1)), atol=1e-12)
    assert not posable.to_arrays(posable.Clip(skeleton, q[:1], 30.0))["velocities"].any()


@pytest.mark.parametrize("form", ["wide", "long"])
def test_tables_come_back_to_the_bit_in_any_order_and_through_parquet(form: Any, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    clip = clip_of("mannequin")
    table = posable.to_arrays(clip, form, rotations="6d")
    assert len(table) == len(clip) * (
        1 if form == "wide" else len(posable.to_arrays(clip, "wide", rotations="6d").columns) - 1
    )
    table.to_parquet(tmp_path / "clip.parquet")
    read = pandas.read_parquet(tmp_path / "clip.parquet")
    shuffled = read.sample(frac=1.0, random_state=1) if form == "long" else read[sorted(read.columns)]
    shuffled.attrs = read.attrs
    again = posable.from_arrays(shuffled, clip.skeleton)
    np.testing.assert_array_equal(again.q, clip.q)
    assert (again.fps, again.name) == (25.0, "wave")


def test_a_dataset_comes_back_to_the_bit() -> None:
    pytest.importorskip("xarray")
    clip = clip_of("mannequin")
    found = posable.to_arrays(clip, "xarray")
    hand = found.positions.sel(joint="hand_r")
    np.testing.assert_array_equal(hand.values, clip.poses.origins[:, clip.skeleton.index("hand_r")])
    turned = found.isel(joint=slice(None, None, -1), coordinate=slice(None, None, -1))
    np.testing.assert_array_equal(posable.from_arrays(turned, clip.skeleton).q, clip.q)


def test_contacts_stand_beside_them() -> None:
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, steps=2)
    touching = posable.motion.contacts(clip, figure=figure)
    arrays = posable.to_arrays(clip, contacts=touching)
    assert arrays["contacts"].shape == (len(clip), 2, 3)
    np.testing.assert_array_equal(arrays["contacts"].any(axis=2).T, touching.any)
    with pytest.raises(PoseError, match="the contacts are of"):
        posable.to_arrays(posable.clips.trim(clip, 0, 0.5), contacts=touching)


def test_what_is_no_clip_is_refused() -> None:
    clip = clip_of("mannequin")
    arrays = posable.to_arrays(clip)
    with pytest.raises(PoseError, match="clips become arrays, wide, long, xarray, not 'tall'"):
        posable.to_arrays(clip, "tall")  # pyright: ignore[reportArgumentType]
    with pytest.raises(PoseError, match="rotations in tables are"):
        posable.to_arrays(clip, rotations="matrix")
    with pytest.raises(PoseError, match=r"have no coordinate 'joint_1\.z', so they are of another skeleton"):
        posable.from_arrays(arrays, posable.figure("arm6").skeleton)
    with pytest.raises(PoseError, match="neither coordinates nor rotations"):
        posable.from_arrays({"positions": arrays["positions"], "fps": 30}, clip.skeleton)
    with pytest.raises(PoseError, match="how many frames a second"):
        posable.from_arrays({"coordinates": clip.q}, clip.skeleton)
    with pytest.raises(PoseError, match="do not fit"):
        posable.from_arrays({"coordinates": clip.q[:, :-1], "fps": 30}, clip.skeleton)


def test_a_robots_file_names_root_quaternion_and_joints(shared: Path, tmp_path: Path) -> None:
    robot = posable.load(shared / "robots/g1_29dof.xml")
    ends = robot.skeleton.random_pose(np.random.default_rng(0), (2,))
    clip = posable.Clip(robot.skeleton, posable.clips.between(ends[0], ends[1], np.linspace(0, 0.2, 9)).q, 50.0, "wave")
    for name in ("one.npz", "two.npz", "one.csv"):
        posable.save(tmp_path / name, robot, clip)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    read = np.load(tmp_path / "one.npz", allow_pickle=False)
    assert float(read["fps"]) == 50.0
    assert read["joint_names"][0] == "left_hip_pitch_joint"
    assert read["joint_positions"].shape == read["joint_velocities"].shape == (9, 29)
    q = np.concatenate([read["root_position"], read["root_wxyz"], read["joint_positions"]], axis=1)
    np.testing.assert_array_equal(q, clip.q)
    np.testing.assert_array_equal(posable.from_arrays(read, robot.skeleton).q, clip.q)
    ahead = clip.poses[4].plus(
        np.concatenate([read["root_linear_velocity"], read["root_angular_velocity"], read["joint_velocities"]], axis=1)[
            4
        ]
        / 50
    )
    np.testing.assert_allclose(ahead.q, clip.q[5], atol=1e-9)  # a geodesic is run at constant speed
    header, first, *_ = (tmp_path / "one.csv").read_text().split("\n")
    assert header.split(",")[1:8] == [f"coordinate/{name}" for name in coordinate_names(robot.skeleton)[:7]]
    np.testing.assert_array_equal(np.array(first.split(","), float)[1:37], clip.q[0])


def test_a_table_is_read_from_csv(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    clip = clip_of("mannequin")
    posable.save(tmp_path / "clip.csv", posable.figure("mannequin"), clip)
    table = pandas.read_csv(tmp_path / "clip.csv")
    np.testing.assert_array_equal(posable.from_arrays(table, clip.skeleton).q, clip.q)


def test_a_figure_without_a_motion_makes_no_file_of_numbers(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the figure has no clip"):
        posable.save(tmp_path / "none.npz", posable.figure("arm6"))
    posable.save(tmp_path / "one.npz", posable.figure("arm6"), posable.figure("arm6").rest)
    assert len(np.load(tmp_path / "one.npz")["seconds"]) == 1
    with pytest.raises(FileError, match=r"numbers have no skeleton; posable\.from_arrays"):
        posable.load(tmp_path / "one.npz")


@pytest.mark.parametrize("given", ["figure", "pose"])
def test_a_figure_or_a_pose_does_not_become_arrays(given: str) -> None:
    snake = posable.figure("snake")
    with pytest.raises(PoseError, match=r"what becomes arrays is a Clip, not (Figure|Pose); those of a file are fig"):
        posable.to_arrays(snake if given == "figure" else snake.rest)  # pyright: ignore


@pytest.mark.parametrize("form", ["wide", "long"])
def test_rows_may_be_in_any_order(form: Any) -> None:
    """Shuffled rows of a wide table made another motion, without a word."""
    pytest.importorskip("pandas")
    clip = clip_of("mannequin")
    shuffled = posable.to_arrays(clip, form).sample(frac=1, random_state=1)
    again = posable.from_arrays(shuffled, clip.skeleton)
    np.testing.assert_array_equal(again.q, clip.q)


def test_numbers_that_are_no_clip_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    clip = clip_of("mannequin")
    arrays = posable.to_arrays(clip)
    short = {key: arrays[key] for key in ("rotations", "seconds")} | {"positions": arrays["positions"][:5]}
    with pytest.raises(PoseError, match="same number of frames; positions have 5, rotations have 7"):
        posable.from_arrays(short, clip.skeleton)
    long = posable.to_arrays(clip, "long")
    with pytest.raises(PoseError, match="numbers twice; give that of one clip"):
        posable.from_arrays(pandas.concat([long, long]), clip.skeleton)
