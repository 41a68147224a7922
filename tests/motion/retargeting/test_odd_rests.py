"""Recordings whose rest pose is not a stance: the same motion, its bones all along one axis, its legs folded, lying."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure, PosableError, Skeleton
from posable.figures import Clips
from posable.motion import retargeting
from posable.spatial import matrix_from_wxyz, normalized, wxyz_about, wxyz_between, wxyz_from_matrix

DIRECTIONS = (
    ("hips", "head"), ("upper_arm_l", "lower_arm_l"), ("lower_arm_r", "hand_r"),
    ("upper_leg_l", "lower_leg_l"), ("lower_leg_r", "foot_r"), ("foot_l", "toes_l"),
)  # fmt: skip
Turns = np.ndarray
"""`[joint, 3, 3]` how the frame of each joint is turned against the file's, with the same motion in the world."""


def with_turned_frames(figure: Figure, turns: Turns) -> Figure:
    """The same motion of a skeleton whose bones at all angles 0 lie as `turns` say."""
    skeleton, clip = figure.skeleton, figure.clips[0]
    world, parents = clip.poses.world_from_joint, skeleton.parents
    after = world[..., :3, :3] @ turns
    joints, columns = [], [world[:, 0, :3, 3]]
    for j, joint in enumerate(skeleton.definitions):
        above = parents[j]
        into = np.eye(3) if above < 0 else turns[above].T
        tips = tuple(tuple(turns[j].T @ tip) for tip in joint.tips)
        joints.append(replace(joint, position=tuple(into @ joint.position), tips=tips))
        own = after[:, j] if above < 0 else np.swapaxes(after[:, above], 1, 2) @ after[:, j]
        columns += [wxyz_from_matrix(own)] if joint.dof else []
    turned = Skeleton(joints, skeleton.up)
    moved = Clip(turned, np.concatenate(columns, axis=1), clip.fps, clip.name)
    return Figure(turned, figure.name, clips=Clips([moved]))


def along(figure: Figure, wanted: Callable[[str], tuple[float, float, float] | None]) -> Turns:
    """Frames turned so that the first bone of each joint lies along `wanted(its role)`."""
    skeleton, found = figure.skeleton, []
    roles = {joint: role for role, joint in posable.roles(figure).items()}
    for j, joint in enumerate(skeleton.definitions):
        bones = [child.position for child in skeleton.definitions if child.parent == joint.name] + list(joint.tips)
        bone, to = np.array([*bones, (0, 0, 0)][0], float), wanted(roles.get(skeleton.joints[j], ""))
        still = to is None or np.linalg.norm(bone) < 1e-9
        found.append(np.eye(3) if still else matrix_from_wxyz(wxyz_between(np.array(to, float), normalized(bone))))
    return np.array(found)


def parallel(figure: Figure, direction: tuple[float, float, float]) -> Turns:
    """The bones that go on from joint to joint along one direction; up to where limbs begin the shape is kept."""
    parents = [joint.parent for joint in figure.skeleton.definitions]
    turns = along(figure, lambda _: direction)
    begins = ("HipJoint", "Shoulder")
    turns[[parents.count(j) > 1 or j.endswith(begins) for j in figure.skeleton.joints]] = np.eye(3)
    return turns


ODD: dict[str, Callable[[Figure], Turns]] = {
    "a line": lambda figure: along(figure, lambda _: (1, 0, 0)),
    "all up": lambda figure: along(figure, lambda _: (0, 1, 0)),
    "legs folded": lambda figure: along(
        figure, lambda role: {"upper_leg": (0, 0.1, 1), "lower_leg": (0, 0, -1)}.get(role[:-2])
    ),
    "lying": lambda figure: np.tile(
        matrix_from_wxyz(wxyz_about((1, 0, 0), np.array(np.pi / 2))), (len(figure.skeleton.joints), 1, 1)
    ),
}


@cache
def recording(path: Path | None) -> Figure:
    """Some seconds of a recording at about 30 frames a second."""
    figure = posable.load(path or posable.sample("walk.bvh"))
    clip = figure.clips[0]
    step = max(round(clip.fps / 30), 1)
    return replace(figure, clips=Clips([replace(clip, q=clip.q[: 150 * step : step], fps=clip.fps / step)]))


@cache
def expected(path: Path | None) -> Clip:
    return posable.retarget(recording(path).clips[0], posable.figure("mannequin"))


def reread(tmp_path: Path, figure: Figure) -> Figure:
    path = tmp_path / "odd.bvh"
    posable.save(path, figure)
    return posable.load(path)


def angles_between(first: Clip, second: Clip) -> np.ndarray:
    """`[direction, frame]` in degrees."""
    roles = posable.roles(first.skeleton)
    ways = []
    for start, end in DIRECTIONS:
        a, b = (
            normalized(clip.poses.origins[:, roles.index(end)] - clip.poses.origins[:, roles.index(start)])
            for clip in (first, second)
        )
        ways.append(np.degrees(np.arccos(np.clip(np.sum(a * b, axis=1), -1, 1))))
    return np.array(ways)


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD)
def test_retargeting_is_as_from_the_ordinary_file(tmp_path: Path, odd: str) -> None:
    """The recording is one of ordinary walking without a T-pose in it."""
    ordinary = recording(None)
    figure = reread(tmp_path, with_turned_frames(ordinary, ODD[odd](ordinary)))
    assert any("not a stance" in note and "was taken from the motion" in note for note in figure.notes)
    result = posable.retarget(figure.clips[0], posable.figure("mannequin"))
    off = angles_between(expected(None), result)
    assert off.mean(axis=1).max() < 5
    away = np.linalg.norm(result.poses.origins - expected(None).poses.origins, axis=-1)
    assert away.mean() < 0.03 * posable.figure("mannequin").height


@pytest.mark.slow
@pytest.mark.parametrize("name", ["02_03", "06_15"])
@pytest.mark.parametrize("odd", ["a line", "lying"])
def test_a_recording_that_begins_with_its_t_pose_is_retargeted_the_same(
    shared: Path, tmp_path: Path, name: str, odd: str
) -> None:
    path = shared / f"mocap_cmu/{name}.bvh"
    ordinary = recording(path)
    figure = reread(tmp_path, with_turned_frames(ordinary, ODD[odd](ordinary)))
    result = posable.retarget(figure.clips[0], posable.figure("mannequin"))
    off = angles_between(expected(path), result)
    assert off.mean(axis=1)[:-1].max() < 1
    assert off.mean(axis=1)[-1] < 3
    away = np.linalg.norm(result.poses.origins - expected(path).poses.origins, axis=-1)
    assert away.mean() < 0.01 * posable.figure("mannequin").height


def with_positions_everywhere(text: str) -> str:
    """A BVH file whose every joint has six channels, the positions of those below the root 0."""
    head, motion = text.split("MOTION")
    lines, lengths = [], []
    for line in head.split("\n"):
        words = line.split()
        if words[:1] == ["CHANNELS"]:
            own = words[2:]
            lengths.append(len(own))
            own = own if len(own) == 6 else ["Xposition", "Yposition", "Zposition", *own]
            line = f"CHANNELS 6 {' '.join(own)}"
        lines.append(line)
    first, times, *frames = motion.strip().split("\n")
    ends = np.cumsum([0, *lengths])
    rows = [line.split() for line in frames]
    full = [
        [word for k, n in enumerate(lengths) for word in ["0"] * (6 - n) + row[ends[k] : ends[k + 1]]] for row in rows
    ]
    return "\n".join([*lines, "MOTION", first, times, *(" ".join(row) for row in full)]) + "\n"


def test_a_recording_whose_every_joint_has_positions_is_retargeted_the_same(tmp_path: Path) -> None:
    path = tmp_path / "six.bvh"
    path.write_text(with_positions_everywhere(posable.sample("walk.bvh").read_text()))
    result = posable.retarget(recording(path).clips[0], posable.figure("mannequin"))
    np.testing.assert_allclose(result.poses.origins, expected(None).poses.origins, atol=1e-6)


def test_a_file_that_stands_along_z_keeps_its_rest_pose(tmp_path: Path) -> None:
    """BVH states no vertical axis; rest pose and motion agree on it here."""

    def onto(match: re.Match[str]) -> str:
        return "YZX"["XYZ".index(match[1])] + match[2]

    head, motion = posable.sample("walk.bvh").read_text().split("MOTION")
    head = re.sub(r"OFFSET\s+(\S+)\s+(\S+)\s+(\S+)", r"OFFSET \3 \1 \2", head)
    head = re.sub(r"([XYZ])(position|rotation)", onto, head)
    path = tmp_path / "along_z.bvh"
    path.write_text(head + "MOTION" + motion)
    figure = posable.load(path)
    assert figure.skeleton.up == "z" and any("so z is taken for up" in note for note in figure.notes)
    copies = [retargeting(one.clips[0], posable.figure("mannequin")).copy for one in (figure, recording(None))]
    np.testing.assert_allclose(copies[0].poses.origins, copies[1].poses.origins, atol=1e-6)


def test_an_ordinary_file_keeps_its_rest_pose() -> None:
    figure = posable.load(posable.sample("walk.bvh"))
    assert not any("stance" in note for note in figure.notes)
    assert all(joint.rest is None for joint in figure.skeleton.definitions)


@pytest.mark.parametrize("rest", ["as it was", "turned with it"])
def test_a_motion_whose_y_axis_points_down_is_turned(tmp_path: Path, rest: str) -> None:
    """As in the coordinates of pictures; the rest pose may be in them or not."""
    over = np.diag([1.0, -1.0, -1.0])
    figure = ordinary = recording(None)
    if rest == "turned with it":
        figure = with_turned_frames(ordinary, np.tile(over, (len(ordinary.skeleton.joints), 1, 1)))
    figure = reread(tmp_path, replace(figure, clips=Clips([rotated(figure.clips[0], over)])))
    assert any(note.startswith("y points down in its motion") for note in figure.notes)
    off = angles_between(expected(None), posable.retarget(figure.clips[0], posable.figure("mannequin")))
    assert off.mean() < 5


def rotated(clip: Clip, by: np.ndarray) -> Clip:
    """The clip with its root rotated `by [3, 3]` about the world's origin."""
    world, q = clip.poses.world_from_joint[:, 0], np.array(clip.q)
    q[:, :3], q[:, 3:7] = world[:, :3, 3] @ by.T, wxyz_from_matrix(by @ world[:, :3, :3])
    return replace(clip, q=q)


def test_one_who_walks_on_hands_is_left_so(tmp_path: Path) -> None:
    """Upside down, but with the hands below the head."""
    figure = recording(None)
    clip = figure.clips[0]
    over = np.diag([1.0, -1.0, -1.0])
    roles, world = posable.roles(figure), clip.poses.world_from_joint
    q = np.array(rotated(clip, over).q)
    for side in "lr":
        arm = figure.skeleton.index(roles[f"upper_arm_{side}"])
        above = over @ world[:, figure.skeleton.parents[arm], :3, :3]
        bone = np.array(figure.skeleton.definitions[figure.skeleton.index(roles[f"lower_arm_{side}"])].position)
        first = figure.skeleton.tables.first_coordinate[arm]
        for frame, frames in enumerate(above):
            q[frame, first : first + 4] = wxyz_between(normalized(bone), frames.T @ (0.0, -1.0, 0.0))
    figure = reread(tmp_path, replace(figure, clips=Clips([replace(clip, q=q)])))
    assert not any("turned" in note for note in figure.notes)
    assert figure.clips[0].poses.origins[:, figure.skeleton.index(roles["head"]), 1].max() < 0


def test_a_trunk_that_zigzags_is_no_stance(tmp_path: Path) -> None:
    """As where all bones point down: the legs stand, but the trunk goes up and down."""
    ordinary = recording(None)
    turns = along(ordinary, lambda role: (0, -1, 0) if role in ("chest", "neck") else None)
    figure = reread(tmp_path, with_turned_frames(ordinary, turns))
    assert any("hangs down); a neutral stance was taken" in note for note in figure.notes)
    off = angles_between(expected(None), posable.retarget(figure.clips[0], posable.figure("mannequin")))
    assert off.mean(axis=1).max() < 5


def test_the_stance_stands_on_the_ground_and_faces_ahead(tmp_path: Path) -> None:
    ordinary = recording(None)
    figure = reread(tmp_path, with_turned_frames(ordinary, ODD["a line"](ordinary)))
    roles, places = posable.roles(figure), figure.rest.origins
    np.testing.assert_allclose(roles.forward, (0, 0, 1), atol=0.1)
    assert abs(places[:, 1].min()) < 1e-9
    assert figure.height == pytest.approx(ordinary.height, rel=0.1)
    for side in "lr":
        toes = places[roles.index(f"toes_{side}")] - places[roles.index(f"foot_{side}")]
        assert toes[2] > 0.5 * np.linalg.norm(toes)


@pytest.mark.parametrize("spread", ["on a line", "parallel"])
def test_joints_without_telling_names_are_found_in_the_motion(tmp_path: Path, spread: str) -> None:
    ordinary = recording(None)
    turns = parallel(ordinary, (1, 0, 0)) if spread == "parallel" else ODD["a line"](ordinary)
    turned = with_turned_frames(ordinary, turns)
    number = {name: f"j{k}" for k, name in enumerate(turned.skeleton.joints)}
    joints = [
        replace(j, name=number[j.name], parent=j.parent and number[j.parent]) for j in turned.skeleton.definitions
    ]
    skeleton = Skeleton(joints, turned.skeleton.up)
    nameless = Figure(skeleton, clips=Clips([replace(turned.clips[0], skeleton=skeleton)]))
    found = posable.roles(reread(tmp_path, nameless))
    named = posable.roles(ordinary)
    for role in ("upper_leg_l", "lower_leg_r", "foot_l", "upper_arm_l", "lower_arm_r", "head"):
        assert found[role] == number[named[role]]


def test_saving_keeps_the_files_own_offsets_and_numbers(tmp_path: Path) -> None:
    ordinary = recording(None)
    figure = reread(tmp_path, with_turned_frames(ordinary, ODD["a line"](ordinary)))
    posable.save(tmp_path / "again.bvh", figure)
    first, second = (tmp_path / name for name in ("odd.bvh", "again.bvh"))
    assert first.read_text().split("MOTION")[0] == second.read_text().split("MOTION")[0]
    before, after = (posable.load(path).clips[0] for path in (first, second))
    np.testing.assert_allclose(after.poses.origins, before.poses.origins, atol=1e-6)


def test_a_motion_that_never_stands_is_refused_by_name(tmp_path: Path) -> None:
    ordinary = recording(None)
    turned = with_turned_frames(ordinary, ODD["a line"](ordinary))
    clip = turned.clips[0]
    over = matrix_from_wxyz(wxyz_about((0, 0, 1), np.array(np.pi / 2)))
    lying = reread(tmp_path, replace(turned, clips=Clips([rotated(clip, over)])))
    assert any("and its motion shows none" in note for note in lying.notes)
    mannequin = posable.figure("mannequin")
    with pytest.raises(
        PosableError, match="of the clip's figure is not a stance: its legs do not point down; export it"
    ):
        posable.retarget(lying.clips[0], mannequin)
    with pytest.raises(PosableError, match="of the figure to move is not a stance"):
        posable.retarget(recording(None).clips[0], lying)
    with pytest.raises(posable.SkeletonError, match="a walk needs a standing rest pose"):
        posable.walk(lying, steps=2)
