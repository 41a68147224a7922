"""Files of key points: what each says, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.errors import FileError, UnsupportedFileError
from posable.motion.key_points import names_of

RNG = np.random.default_rng(0)


def _person(count: int, away: float = 0.0) -> list[float]:
    flat = np.concatenate([100 + away + 300 * RNG.random((count, 2)), np.full((count, 1), 0.8)], axis=1)
    return flat.ravel().tolist()


@pytest.mark.parametrize(
    ("count", "convention"), [(25, "openpose25"), (26, "halpe26"), (17, "coco17"), (18, "openpose18")]
)
def test_a_folder_of_openpose_is_one_person_over_time(tmp_path: Path, count: int, convention: str) -> None:
    first, other = _person(count), _person(count, 5000.0)
    for k in (0, 9, 10):  # by number, not by letter
        people = [other[: 3 * count], first] if k else [first]
        content: Any = {"people": [{"pose_keypoints_2d": one} for one in people]}
        (tmp_path / f"video_{k}_keypoints.json").write_text(json.dumps(content if k != 9 else {"people": []}))
    points = posable.load_key_points(tmp_path, fps=25.0)
    assert points.names == names_of(convention)
    assert (len(points), points.fps, points.flat) == (3, 25.0, True)
    assert points.positions[2] == pytest.approx(np.array(first).reshape(-1, 3)[:, :2])
    assert not points.weights[1].any()


def test_results_of_alphapose_are_sorted_by_picture(tmp_path: Path) -> None:
    results = [{"image_id": f"{k}.jpg", "keypoints": [float(k)] * 51, "score": 2.0} for k in (10, 2)]
    (tmp_path / "alphapose.json").write_text(json.dumps(results))
    points = posable.load_key_points(tmp_path / "alphapose.json")
    assert points.names == names_of("coco17")
    assert points.positions[:, 0, 0].tolist() == [2.0, 10.0]


def _landmarks(world: bool) -> list[dict[str, float]]:
    places = RNG.random((33, 3)) - (0.5 if world else 0.0)
    places[11:13, 1], places[23:29, 1] = -0.5, 0.5
    return [{"x": x, "y": y, "z": z, "visibility": 0.9} for x, y, z in places]


@pytest.mark.parametrize("nested", [False, True])
def test_mediapipe_gives_landmarks_in_space_and_in_the_picture(tmp_path: Path, nested: bool) -> None:
    flat, world = _landmarks(world=False), _landmarks(world=True)
    frame = {"poseLandmarks": [flat] if nested else flat, "poseWorldLandmarks": [world] if nested else world}
    content = {"fps": 24, "width": 640, "height": 480, "frames": [frame, {"poseLandmarks": []}, frame]}
    (tmp_path / "pose.json").write_text(json.dumps(content))
    points = posable.load_key_points(tmp_path / "pose.json")
    assert (points.fps, points.size, points.axes) == (24.0, (640.0, 480.0), "camera")
    assert points.positions[2, 5] == pytest.approx([world[5][axis] for axis in "xyz"])
    assert points.image is not None
    assert points.image[0, 5] == pytest.approx([640 * flat[5]["x"], 480 * flat[5]["y"]])
    assert points.weights[:, 5].tolist() == [0.9, 0.0, 0.9]


def test_a_table_names_its_points_and_its_times(tmp_path: Path) -> None:
    names = ("left_hip", "RKnee")
    head = ["time", *(f"{name}_{part}" for name in names for part in ("x", "y", "z", "visibility")), "label"]
    rows = [[0.02 * k, *(float(n) for n in range(8)), "walk"] for k in range(3)]
    rows[1][1] = ""
    (tmp_path / "pose.csv").write_text("\n".join(",".join(map(str, row)) for row in [head, *rows]))
    points = posable.load_key_points(tmp_path / "pose.csv")
    assert points.names == names
    assert points.fps == pytest.approx(50)
    assert points.positions[0, 1].tolist() == [4.0, 5.0, 6.0]
    assert points.weights[:, 0].tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("shape", "convention", "expected"),
    [((5, 33, 3), None, "mediapipe33"), ((5, 24, 3), None, "smpl24"), ((5, 17, 3), "h36m17", "h36m17")],
)
def test_arrays_are_named_by_their_number_of_points(
    tmp_path: Path, shape: tuple[int, ...], convention: str | None, expected: str
) -> None:
    np.save(tmp_path / "pose.npy", RNG.random(shape))
    points = posable.load_key_points(tmp_path / "pose.npy", convention=convention)
    assert points.names == names_of(expected)
    assert not points.flat


def test_arrays_of_pixels_with_confidence(tmp_path: Path) -> None:
    given = np.concatenate([500 * RNG.random((4, 17, 2)), RNG.random((4, 17, 1))], axis=2)
    np.save(tmp_path / "pose.npy", given)
    points = posable.load_key_points(tmp_path / "pose.npy", convention="coco17", size=(640, 480))
    assert points.flat
    assert points.weights == pytest.approx(given[..., 2])


@pytest.mark.parametrize(("axis", "sign", "axes"), [(1, -1, "camera"), (1, 1, "y"), (2, 1, "z")])
def test_the_axes_of_landmarks_are_how_the_person_stands(tmp_path: Path, axis: int, sign: int, axes: str) -> None:
    places = 0.1 * RNG.random((4, 17, 3))
    names = names_of("coco17")
    for k, name in enumerate(names):
        places[:, k, axis] += sign * (1.5 if "shoulder" in name or (name[-1] == "e" and "nose" in name) else 0.5)
    np.save(tmp_path / "pose.npy", places)
    assert posable.load_key_points(tmp_path / "pose.npy", convention="coco17").axes == axes


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.json", "{", "is not JSON"), ("a.json", "{}", "holds no frames"),
        ("a.json", '{"frames": [{}]}', "no landmarks"),
        ("a.json", '{"people": []}', "shows no person"), ("a.json", '[[{"x": 1}]]', "not a point"),
        ("a.json", '[[{"x": 1, "y": 2}]]', "has 1 points"), ("a.csv", "a,b\n1,2\n", "names no columns"),
        ("a.csv", "hip_x,hip_y", "no frames"), ("a.csv", "hip_x,hip_y\n1,2..3\n", "'2..3' instead of a number"),
        ("a.npy", "text", "not a NumPy array"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_told_with_its_place(tmp_path: Path, name: str, content: str, why: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=why):
        posable.load_key_points(tmp_path / name)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        posable.load_key_points(tmp_path / "gone.json")
    with pytest.raises(FileError, match=r"holds no \.json file"):
        posable.load_key_points(tmp_path)
    (tmp_path / "a.txt").write_text("1")
    with pytest.raises(UnsupportedFileError, match=r"a folder of JSON files, or \.json, \.csv"):
        posable.load_key_points(tmp_path / "a.txt")
    np.save(tmp_path / "a.npy", np.zeros((2, 17, 3)))
    with pytest.raises(FileError, match=r"17 points, .* name the convention"):
        posable.load_key_points(tmp_path / "a.npy")
    with pytest.raises(FileError, match=r"17 points and openpose25 has 25"):
        posable.load_key_points(tmp_path / "a.npy", convention="openpose25")


def test_an_empty_table_is_refused_at_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(posable.FileError, match=r"^a.csv:1: has no frames"):
        posable.load_key_points(tmp_path / "a.csv")


def test_a_list_of_openpose_s_frames_is_one_person_over_time(tmp_path: Path) -> None:
    frames = [{"people": [{"pose_keypoints_2d": _person(25)}]} for _ in range(3)]
    frames[1]["people"][0]["pose_keypoints_2d"][3:6] = [float("inf"), float("nan"), 1.0]
    (tmp_path / "all.json").write_text(json.dumps(frames))
    points = posable.load_key_points(tmp_path / "all.json")
    assert (len(points), points.names) == (3, names_of("openpose25"))
    assert np.isnan(points.positions[1, 1]).all() and np.isfinite(points.positions[2]).all()


@pytest.mark.parametrize(
    "content", [{"people": 3}, {"people": [3]}, [[[], []]], [{"landmarks": [[]]}], [{"people": {}}]]
)
def test_json_of_other_shapes_is_refused(tmp_path: Path, content: Any) -> None:
    (tmp_path / "a.json").write_text(json.dumps(content))
    with pytest.raises(FileError, match=r"shows no person|holds no landmarks|has 2 points"):
        posable.load_key_points(tmp_path / "a.json")


def test_an_array_that_claims_more_than_its_file_holds_is_refused(tmp_path: Path) -> None:
    """Its 253 gigabytes were to be allocated."""
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 17, 2), }"
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + head.ljust(117) + b"\n")
    with pytest.raises(FileError, match="is not a NumPy array"):
        posable.load_key_points(tmp_path / "a.npy")


def test_the_conventions_with_as_many_points_are_named(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((4, 17, 2)))
    with pytest.raises(FileError, match="has 17 points, as coco17 and h36m17 have; name the convention"):
        posable.load_key_points(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.ones((4, 99, 2)))
    with pytest.raises(FileError, match=r"has 99 points, as none of mediapipe33, coco17, .* has; name the convention"):
        posable.load_key_points(tmp_path / "a.npy")
