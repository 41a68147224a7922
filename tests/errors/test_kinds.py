"""What is of another kind than a function takes is refused by name, with the cure."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import posable
from posable.errors import PosableError

FIGURE = posable.figure("arm6")
CLIP = posable.Clip(FIGURE.skeleton, np.zeros((2, 6)), 30.0)
OPENS, CLIPS, SKELETON = "posable.load opens a file", "a file's are posable.load(path).clips", "is figure.skeleton"
MISTAKES: dict[str, tuple[Callable[[Any], object], Any, str, str]] = {
    "load": (lambda given: posable.load(given), None, "a file is named by its path, not NoneType", ""),
    "load_mesh": (lambda given: posable.load_mesh(given), FIGURE, "a file is named by its path, not Figure", ""),
    "load_markers": (lambda given: posable.load_markers(given), 3, "a file is named by its path, not int", ""),
    "load_key_points": (lambda given: posable.load_key_points(given), [], "a file is named by its path, not list", ""),
    "figure": (lambda given: posable.figure(given), None, "no built-in figure is called None", "choose from mannequin"),
    "sample": (lambda given: posable.sample(given), None, "no sample is called None", "choose from knight.glb"),
    "retarget": (
        lambda given: posable.retarget(given, FIGURE), "walk.bvh", "what is retargeted is a Clip, not str", CLIPS,
    ),
    "retarget to": (
        lambda given: posable.retarget(CLIP, given), "g1.urdf", "a motion is retargeted to a Figure, not str", OPENS,
    ),
    "roles": (lambda given: posable.roles(given), "a.glb", "joints are those of a Figure or Skeleton", OPENS),
    "joint_uses": (lambda given: posable.joint_uses(given), None, "joints are those of a Figure or", OPENS),
    "track": (lambda given: posable.track(given, []), FIGURE, "the start is a Pose, not Figure", "figure.rest"),
    "fit_gait": (lambda given: posable.fit_gait(given), FIGURE, "a gait is fitted to a Clip, not Figure", CLIPS),
    "fit_markers": (
        lambda given: posable.fit_markers(FIGURE, given), CLIP, "what is fitted are Markers, not Clip",
        "posable.load_markers reads a file",
    ),
    "from_key_points": (
        lambda given: posable.from_key_points(given), np.zeros((2, 17, 2)),
        "a motion is found from KeyPoints, not ndarray", "posable.load_key_points reads a file",
    ),
    "with_capsules": (lambda given: posable.with_capsules(given), CLIP, "fitted to a Figure, not Clip", OPENS),
    "with_masses": (lambda given: posable.with_masses(given), CLIP, "found for a Figure, not Clip", OPENS),
    "forward_kinematics": (
        lambda given: posable.forward_kinematics(given, np.zeros(6)), FIGURE, "of a Skeleton, not Figure", SKELETON,
    ),
    "rotations_of": (lambda given: posable.rotations_of(given), CLIP, "those of a Pose, not Clip", "clip.poses"),
    "pose_from_rotations": (
        lambda given: posable.pose_from_rotations(given, np.zeros(6)), FIGURE, "of a Skeleton, not Figure", SKELETON,
    ),
    "from_arrays": (lambda given: posable.from_arrays({}, given), FIGURE, "of a Skeleton, not Figure", SKELETON),
    "picture": (lambda given: posable.picture(given, CLIP.poses[0]), "a.glb", "is a Figure, not str", OPENS),
    "film": (lambda given: posable.film(FIGURE, given, "a.gif"), FIGURE.rest, "a Clip, not Pose", "picture shows"),
    "compare": (lambda given: posable.compare(given, []), FIGURE.skeleton, "on a Figure or from a Pose, not Skel", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_another_kind_is_refused_by_name_with_the_cure(name: str) -> None:
    call, given, what, cure = MISTAKES[name]
    with pytest.raises(PosableError) as caught:
        call(given)
    assert what in str(caught.value) and cure in str(caught.value)
