"""Key points of a pose estimator → the motion of a person."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from motion.key_points.seen import FOCAL, SIZE, filmed, joint_error

import posable
from posable.errors import PosableError
from posable.motion.key_points import conventions, names_of, site_of

SIX = ("mediapipe33", "coco17", "halpe26", "openpose25", "h36m17", "smpl24")


@pytest.fixture(scope="module")
def person() -> posable.Figure:
    return posable.figure("mannequin")


@pytest.fixture(scope="module")
def walk(person: posable.Figure) -> posable.Clip:
    return posable.walk(person, steps=4)


def _recording(shared: Path, name: str) -> tuple[posable.Figure, posable.Clip]:
    """Without the first frame, which is the rest pose."""
    figure = posable.load(shared / f"mocap_cmu/{name}.bvh")
    return figure, posable.clips.trim(figure.clips[0], 1 / figure.clips[0].fps)


def _lengths(clip: posable.Clip) -> np.ndarray:
    joints = [("thigh_l", "shin_l"), ("shin_l", "foot_l"), ("upper_arm_r", "forearm_r"), ("forearm_r", "hand_r")]
    ends = np.array([[clip.skeleton.index(name) for name in pair] for pair in joints])
    places = clip.poses.origins
    return np.linalg.norm(places[:, ends[:, 0]] - places[:, ends[:, 1]], axis=2)


def test_every_name_of_every_convention_is_understood() -> None:
    assert set(SIX) <= set(conventions())
    counts = {name: len(names_of(name)) for name in SIX}
    assert list(counts.values()) == [33, 17, 26, 25, 17, 24]
    unknown = [name for own in conventions() for name in names_of(own) if name != "-" and site_of(name) is None]
    assert not unknown


@pytest.mark.parametrize(
    ("word", "site"),
    [
        ("RKnee", "right_knee"), ("LEFT_HEEL", "left_heel"), ("left_foot_index", "left_toe"), ("MidHip", "pelvis"),
        ("LBigToe", "left_big_toe"), ("mouth_left", "left_mouth"), ("lshoulder", "left_shoulder"),
        ("person1:r_wrist", "right_wrist"), ("right_pinky", "right_little"),
    ],
)  # fmt: skip
def test_other_words_for_points_are_understood(word: str, site: str) -> None:
    found = site_of(word)
    assert found is not None
    assert found.name == site


@pytest.mark.parametrize("word", ["knee", "left_nose", "bear", "", "l"])
def test_what_names_no_point_is_not(word: str) -> None:
    assert site_of(word) is None


def test_points_that_determine_no_body_are_refused_with_both_lists() -> None:
    places = np.random.default_rng(0).random((4, 7, 3))
    names = ("nose", "left_hip", "right_hip", "left_shoulder", "left_knee", "left_ankle", "lamp")
    with pytest.raises(PosableError, match=r"\(right_shoulder missing\); understood: nose, .*; not .*seen: lamp; name"):
        posable.from_key_points(posable.KeyPoints(names, places))
    with pytest.raises(PosableError, match=r"called 'coco71'; did you mean coco17\?"):
        posable.KeyPoints.of("coco71", places)
    with pytest.raises(PosableError, match=r"frames × 2 points × 2 or 3, not \(4, 7, 3\)"):
        posable.KeyPoints(("a", "b"), places)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["07_01", "06_02", "10_04"])
def test_noisy_landmarks_of_people_give_their_joints_back(shared: Path, name: str) -> None:
    truth = filmed(*_recording(shared, name), "mediapipe33")
    points = posable.KeyPoints.of("mediapipe33", truth.landmarks, 30.0, confidence=truth.confidence)
    fit = posable.from_key_points(points)
    assert joint_error(fit, truth) < 0.025
    assert np.degrees(np.arccos(fit.world_from_camera[1] @ truth.up)) < 6
    assert np.ptp(_lengths(fit.person), axis=0).max() < 1e-9
    assert posable.motion.foot_metrics(fit.person, figure=fit.figure).skate < 0.01


def test_the_path_is_that_of_the_standing_feet(walk: posable.Clip, person: posable.Figure) -> None:
    truth = filmed(person, walk, "mediapipe33", noise=0.01, lost=0.0)
    fit = posable.from_key_points(posable.KeyPoints.of("mediapipe33", truth.landmarks, walk.fps))
    gone, real = (np.linalg.norm(np.ptp(clip.q[:, [0, 2]], axis=0)) for clip in (fit.person, walk))
    assert gone == pytest.approx(real, rel=0.15)
    heights = fit.person.poses.origins[:, [fit.person.skeleton.index(f"toe_{side}") for side in "lr"], 1]
    assert (
        abs(float(np.percentile(heights.min(axis=1), 20)) - person.rest.origins[person.skeleton.index("toe_l"), 1])
        < 0.03
    )


@pytest.mark.slow
@pytest.mark.parametrize("convention", SIX)
def test_pixels_alone_give_a_moving_person(walk: posable.Clip, person: posable.Figure, convention: str) -> None:
    truth = filmed(person, walk, convention, lost=0.05)
    points = posable.KeyPoints.of(convention, truth.pixels, walk.fps, confidence=truth.confidence, size=SIZE)
    fit = posable.from_key_points(points, focal=FOCAL)
    assert joint_error(fit, truth) < 0.09
    assert np.ptp(_lengths(fit.person), axis=0).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("convention", SIX)
def test_landmarks_in_a_world_are_followed(walk: posable.Clip, person: posable.Figure, convention: str) -> None:
    truth = filmed(person, walk, convention, noise=0.0, lost=0.0)
    places = truth.landmarks * (1, -1, -1) + truth.joints[:, 6:8].mean(axis=1, keepdims=True)
    fit = posable.from_key_points(posable.KeyPoints.of(convention, 1000 * places, walk.fps, axes="y"))
    assert joint_error(fit, truth) < 0.02
    assert any("° off" in note for note in fit.notes) is False


@pytest.mark.slow
def test_another_figure_moves_alike(walk: posable.Clip, person: posable.Figure) -> None:
    truth = filmed(person, walk, "coco17")
    points = posable.KeyPoints.of("coco17", truth.pixels, walk.fps, size=SIZE)
    knight = posable.load(posable.sample("knight.glb"))
    fit = posable.from_key_points(points, knight, focal=FOCAL)
    assert fit.figure is knight
    assert fit.clip.skeleton.shares_poses(knight.skeleton)
    assert len(fit.clip) == len(fit.person) == len(walk)


def test_frames_and_points_that_are_not_seen_are_carried(walk: posable.Clip, person: posable.Figure) -> None:
    truth = filmed(person, walk, "mediapipe33", noise=0.0, lost=0.0)
    hidden = truth.confidence.copy()
    hidden[20:26], hidden[:, names_of("mediapipe33").index("left_wrist")] = 0.0, 0.0
    fit = posable.from_key_points(posable.KeyPoints.of("mediapipe33", truth.landmarks, walk.fps, confidence=hidden))
    assert np.isfinite(fit.person.q).all()
    assert "left_wrist" not in fit.used
    assert joint_error(fit, truth) < 0.06
