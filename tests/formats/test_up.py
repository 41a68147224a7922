"""The axis that is up: what the format says, what the caller says, and people in URDFs who stand along y."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.errors import FileError

_PARTS = {
    "waist": ("pelvis", (0.0, 0.1, 0.0)), "neck": ("waist", (0.0, 0.4, 0.0)),
    "left_shoulder": ("waist", (0.2, 0.35, 0.0)), "left_elbow": ("left_shoulder", (0.0, -0.3, 0.0)),
    "left_wrist": ("left_elbow", (0.0, -0.25, 0.0)), "right_shoulder": ("waist", (-0.2, 0.35, 0.0)),
    "right_elbow": ("right_shoulder", (0.0, -0.3, 0.0)), "right_wrist": ("right_elbow", (0.0, -0.25, 0.0)),
    "left_hip": ("pelvis", (0.1, -0.05, 0.0)), "left_knee": ("left_hip", (0.0, -0.4, 0.0)),
    "left_ankle": ("left_knee", (0.0, -0.4, 0.0)), "right_hip": ("pelvis", (-0.1, -0.05, 0.0)),
    "right_knee": ("right_hip", (0.0, -0.4, 0.0)), "right_ankle": ("right_knee", (0.0, -0.4, 0.0)),
}  # fmt: skip


def _person(folder: Path, axes: tuple[int, int, int], signs: tuple[int, int, int] = (1, 1, 1)) -> Path:
    """A URDF person, whose left, up and ahead are these axes of the file."""
    turn = np.zeros((3, 3))
    turn[axes, range(3)] = signs
    limbs = "".join(
        f'<link name="{name}"/><joint name="{name}_joint" type="spherical">'
        f'<parent link="{parent}"/><child link="{name}"/>'
        f'<origin xyz="{" ".join(map(str, (turn @ at).tolist()))}"/></joint>'
        for name, (parent, at) in _PARTS.items()
    )
    path = folder / "person.urdf"
    path.write_text(f'<robot name="person"><link name="pelvis"/>{limbs}</robot>', encoding="utf-8")
    return path


def test_a_person_who_stands_along_y_has_y_up_and_walks(tmp_path: Path) -> None:
    person = posable.load(_person(tmp_path, (0, 1, 2)), root="free")
    assert person.skeleton.up == "y"
    assert any("stands along y" in note for note in person.notes)
    walk = posable.load(posable.sample("walk.bvh"), unit="cm").clips[0]
    moved = posable.retarget(walk, person)
    heads = moved.poses.origins[:, person.skeleton.index("neck_joint"), 1]
    feet = moved.poses.origins[:, person.skeleton.index("left_ankle_joint"), 1]
    assert (heads - feet > 0.9).all()


@pytest.mark.parametrize(("axes", "signs"), [((0, 2, 1), (1, 1, -1)), ((1, 2, 0), (1, 1, 1)), ((0, 1, 2), (1, -1, -1))])
def test_others_keep_the_axis_of_their_format(
    tmp_path: Path, axes: tuple[int, int, int], signs: tuple[int, int, int]
) -> None:
    person = posable.load(_person(tmp_path, axes, signs))
    assert person.skeleton.up == "z"
    assert not any("stands" in note for note in person.notes)


def test_the_caller_knows_best(tmp_path: Path) -> None:
    path = _person(tmp_path, (0, 1, 2))
    lying = posable.load(path, up="z")
    assert (lying.skeleton.up, lying.notes) == ("z", ())
    upright = posable.load(_person(tmp_path, (0, 2, 1), (1, 1, -1)), up="y")
    assert upright.skeleton.up == "y"
    assert (upright.rest.origins == posable.load(path.parent / "person.urdf").rest.origins).all()


def test_retargeting_names_the_axis_along_which_a_figure_stands(tmp_path: Path) -> None:
    lying = posable.load(_person(tmp_path, (0, 1, 2)), up="z", root="free")
    walk = posable.load(posable.sample("walk.bvh"), unit="cm").clips[0]
    with pytest.raises(posable.PosableError, match=r'not a stance: .*; load it with up="y" \(--up y\) if y is its'):
        posable.retarget(walk, lying)


def test_a_recording_whose_clips_stay_with_its_skeleton() -> None:
    figure = posable.load(posable.sample("walk.bvh"), up="z")
    assert figure.skeleton.up == "z"
    assert figure.clips[0].skeleton is figure.skeleton


def test_another_axis_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="up axis"):
        posable.load(_person(tmp_path, (0, 1, 2)), up="x")  # pyright: ignore[reportArgumentType]
