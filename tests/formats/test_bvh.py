"""BVH files read right: against three readers written by others or from the definition, in odd forms, and damaged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.plain_bvh import ARM, load_text, read_plain
from from_python import callable_kernel

import posable
from posable.formats.bvh.hierarchy import parse_hierarchy
from posable.formats.bvh.motion import fill_rotations, scan_number
from posable.formats.defaults import up_axis
from posable.spatial import apply_transform, wxyz_from_euler

RECORDINGS = (
    "cmu_02_01", "cmu_02_03", "cmu_03_02", "cmu_12_01_walk", "full_precision_frame_time", "mh_dance1", "mh_pose_gym01",
    "mh_pose_run01", "mh_pose_sit01", "mh_walk1", "rotation_first_root", "test_freebvh", "wave_hello", "zombie",
)  # fmt: skip
WAYS_FROM_OFFSET = ("mh_pose_gym01", "mh_pose_run01", "mh_pose_sit01")
JUDGED = tuple(name for name in RECORDINGS if name not in WAYS_FROM_OFFSET)
SMALL = ("full_precision_frame_time", "mh_dance1", "mh_walk1", "rotation_first_root", "test_freebvh")


def chosen_frames(count: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, 100).astype(int))


def size_of(figure: posable.Figure) -> float:
    return float(np.ptp(figure.rest.origins, axis=0).max())


# --- against other readers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDINGS)
def test_joints_are_where_the_plain_reader_has_them(shared: Path, name: str) -> None:
    path = shared / f"mocap/{name}.bvh"
    figure, plain = posable.load(path), read_plain(path)
    clip = figure.clips[0]
    assert figure.skeleton.joints == tuple(plain.names)
    assert len(clip) == len(plain.values)
    assert clip.fps == pytest.approx(1 / plain.frame_time, rel=1e-12)
    frames = chosen_frames(len(clip))
    expected = plain.positions(frames, adds=name in WAYS_FROM_OFFSET)
    np.testing.assert_allclose(clip.poses.origins[frames], expected, rtol=0, atol=1e-9 * size_of(figure))


@pytest.mark.parametrize("name", JUDGED)
def test_joints_and_tips_are_where_pybvh_has_them(shared: Path, name: str) -> None:
    pybvh = pytest.importorskip("pybvh")
    path = shared / f"mocap/{name}.bvh"
    figure = posable.load(path)
    judge = pybvh.read_bvh_file(path, world_up="+y")
    poses, ours = figure.clips[0].poses, []
    for j, joint in enumerate(figure.skeleton.definitions):
        ours.append(poses.origins[:, j])
        ours += [apply_transform(poses.world_from_joint[:, j], tip) for tip in joint.tips]
    theirs = sorted_by_owner(judge)
    np.testing.assert_allclose(np.stack(ours, axis=1), theirs, rtol=0, atol=1e-9 * size_of(figure))


def sorted_by_owner(judge: Any) -> np.ndarray:
    """pybvh's nodes `[frame, node, 3]`: each joint, then its end sites, as they stand in our skeleton."""
    places, order = judge.node_positions(), []
    for j, node in enumerate(judge.nodes):
        if not node.is_end_site():
            order.append(j)
            order += [k for k, tip in enumerate(judge.nodes) if tip.is_end_site() and tip.parent is node]
    return places[:, order]


@pytest.mark.parametrize("name", SMALL)
def test_joints_are_where_bvhio_has_them(shared: Path, name: str) -> None:
    bvhio = pytest.importorskip("bvhio")
    path = shared / f"mocap/{name}.bvh"
    figure, judge = posable.load(path), bvhio.readAsHierarchy(str(path))
    for f, origins in enumerate(figure.clips[0].poses.origins):
        judge.loadPose(f, recursive=True)
        theirs = {joint.Name: joint.PositionWorld for joint, _, _ in judge.layout()}
        expected = np.array([list(theirs[joint]) for joint in figure.skeleton.joints])
        np.testing.assert_allclose(origins, expected, rtol=0, atol=1e-5 * size_of(figure))


def test_every_recording_has_a_clip_named_after_its_file(shared: Path) -> None:
    for path in sorted((shared / "mocap").glob("*.bvh")):
        figure = posable.load(path)
        assert [clip.name for clip in figure.clips] == [path.stem]
        assert figure.name == path.stem
        assert path.stem in RECORDINGS


def test_makehuman_positions_are_ways_from_the_offset(shared: Path) -> None:
    for name in RECORDINGS:
        notes = posable.load(shared / f"mocap/{name}.bvh").notes
        assert any("displacements from their OFFSET" in note for note in notes) == (name in WAYS_FROM_OFFSET)


def test_up_is_seen_in_the_skeleton(shared: Path) -> None:
    z_up = {name for name in RECORDINGS if posable.load(shared / f"mocap/{name}.bvh").skeleton.up == "z"}
    assert z_up == {"mh_dance1", "mh_pose_gym01", "mh_pose_run01", "mh_pose_sit01", "mh_walk1", "wave_hello", "zombie"}


@pytest.mark.parametrize(("depth", "up"), [(2.9, "y"), (3.1, "z"), (0.1, "y")])
def test_up_is_z_only_where_the_figure_is_three_times_as_long_along_z(depth: float, up: str) -> None:
    assert up_axis([(0, 0, 0), (5, 1, 0), (0, 0, depth)]) == up


# --- what the format leaves open --------------------------------------------------------------------------------------


def test_the_root_stands_at_its_position_channels_in_the_files_own_numbers(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM)
    assert [joint.kind for joint in figure.skeleton.definitions] == ["free", "ball"]
    np.testing.assert_allclose(figure.clips[0].q[1, :3], (1, 2, 3), rtol=0, atol=0)
    np.testing.assert_allclose(figure.rest.of("hip"), (0, 1, 0, 1, 0, 0, 0))
    np.testing.assert_allclose(
        figure.clips[0].q[1, 3:7], wxyz_from_euler("zxy", np.radians([-10, -20, -30])), atol=1e-15
    )
    np.testing.assert_allclose(
        figure.clips[0].q[1, 7:], wxyz_from_euler("yxz", np.radians([-40, -50, -60])), atol=1e-15
    )
    assert figure.skeleton.definitions[1].tips == ((0.5, 0, 0),)


def test_a_unit_scales_lengths_and_leaves_angles(tmp_path: Path) -> None:
    plain = load_text(tmp_path, ARM)
    scaled = posable.load(tmp_path / "file.bvh", unit="cm")
    np.testing.assert_allclose(scaled.clips[0].poses.origins, 0.01 * plain.clips[0].poses.origins, rtol=1e-14)
    np.testing.assert_allclose(
        scaled.clips[0].poses.world_from_joint[..., :3, :3], plain.clips[0].poses.world_from_joint[..., :3, :3]
    )


@pytest.mark.parametrize(
    "channels",
    [
        "6 Zrotation Xrotation Yrotation Xposition Yposition Zposition",
        "6 Xposition Zrotation Yposition Xrotation Zposition Yrotation",
        "6 zROTATION Zposition XRotation yposition Yrotation XPOSITION",
    ],
)
def test_positions_may_stand_anywhere_among_the_channels(tmp_path: Path, channels: str) -> None:
    usual = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    numbers = dict(zip(usual.lower().split()[1:], ["1", "2", "3", "-10", "-20", "-30"], strict=True))
    row = " ".join(numbers[channel] for channel in channels.lower().split()[1:])
    moved = load_text(tmp_path, ARM.replace(usual, channels).replace("1 2 3 -10 -20 -30", row))
    np.testing.assert_allclose(moved.clips[0].q[1], load_text(tmp_path, ARM).clips[0].q[1], rtol=0, atol=1e-15)


ODD_FORMS = {
    "CRLF": ARM.replace("\n", "\r\n"),
    "old Mac line ends": ARM.replace("\n", "\r"),
    "no last newline": ARM.rstrip("\n"),
    "byte order mark": "\ufeff" + ARM,
    "lower case": ARM.lower(),
    "upper case": ARM.replace("hip", "HIP").replace("elbow", "ELBOW").upper(),
    "tabs and blank lines": ARM.replace(" ", "\t").replace("\n", "  \n\n"),
    "braces on the joint's line": ARM.replace("hip\n{", "hip {").replace("elbow\n  {", "elbow{"),
    "the hierarchy on one line": re.sub(r"(?<!hip)(?<!elbow)\n(?=.*MOTION)", " ", ARM, flags=re.DOTALL),
    "no colons": ARM.replace("Frames:", "Frames").replace("Frame Time:", "Frame Time"),
    "no spaces after colons": ARM.replace("Frames: ", "Frames:").replace("Frame Time: ", "FrameTime:"),
    "spaces before colons": ARM.replace("Frames:", "Frames :").replace("Frame Time:", "Frame  Time\t:"),
    "a number without its zero": ARM.replace("0.04", ".04").replace("0.5", ".5"),
    "exponents and signs": ARM.replace("0.04", "4e-2").replace("1 2 3 ", "+1.0E0 2e+0 300.e-2 "),
    "channel names cut short": ARM.replace("position", "pos").replace("rotation", "rot"),
    "frames on two lines each": ARM.replace("10 20 30 ", "10 20\n30 ").replace("-10 -20 -30 ", "-10\n-20 -30 "),
    "decimal commas": re.sub(r"(?<=\d)\.(?=\d)", ",", ARM),
    "commas and spaces between numbers": re.sub(r"(?<=[\d.]) (?=[-\d])", ", ", ARM),
    "a rate for the time of a frame": ARM.replace("0.04", "25"),
    "a nameless end site": ARM.replace("End Site", "End"),
}  # fmt: skip


@pytest.mark.parametrize("form", ODD_FORMS)
def test_odd_spacing_and_spelling_change_nothing(tmp_path: Path, form: str) -> None:
    figure, usual = load_text(tmp_path, ODD_FORMS[form]), load_text(tmp_path, ARM)
    assert [name.lower() for name in figure.skeleton.joints] == ["hip", "elbow"]
    assert figure.skeleton.definitions[1].tips == usual.skeleton.definitions[1].tips
    assert figure.clips[0].fps == usual.clips[0].fps == 25.0
    np.testing.assert_allclose(figure.clips[0].q, usual.clips[0].q, rtol=0, atol=1e-15)


def test_commas_and_a_rate_for_a_time_are_told(tmp_path: Path) -> None:
    commas = load_text(tmp_path, ODD_FORMS["decimal commas"])
    assert commas.notes == ("its numbers have decimal commas, which were read as points",)
    lists = load_text(tmp_path, ODD_FORMS["commas and spaces between numbers"])
    assert lists.notes == ("commas between its numbers were read as spaces",)
    rate = load_text(tmp_path, ARM.replace("0.04", "25"))
    assert rate.notes == ("each frame would last 25 s: that was taken as frames a second",)
    millis = load_text(tmp_path, ARM.replace("0.04", "33.333"))
    assert millis.notes == ("each frame would last 33.333 s: that was taken as milliseconds",)
    assert millis.clips[0].fps == pytest.approx(30.0, abs=1e-3)
    named = load_text(tmp_path, ARM.replace("elbow", "elbow, left 1,2"))
    assert named.skeleton.joints[1] == "elbow, left 1,2" and not named.notes


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("\n \n" + ARM, ()),
        ("# made by hand\n\n  // on a Monday\n" + ARM, ("lines of comments were not read (2)",)),
        ("Exported by a program, version 3\n" + ARM, ("text before HIERARCHY was not read",)),
        (ARM.replace("MOTION\n", "; a\nMOTION\n% b\n").replace("\n1 2 3", "\n# c, d\n1 2 3"), "(3)"),
    ],
)
def test_comments_and_what_is_before_the_beginning_are_not_read(tmp_path: Path, text: str, notes: object) -> None:
    plain, figure = load_text(tmp_path, ARM), load_text(tmp_path, text)
    np.testing.assert_array_equal(figure.clips[0].q, plain.clips[0].q)
    assert figure.notes == notes or str(notes) in figure.notes[0]
    wrong = text.replace("0 1 0 10 20 30", "0 1 0 10 20 x")
    with pytest.raises(posable.FileError, match=f":{wrong[: wrong.index('x 40')].count(chr(10)) + 1}: "):
        load_text(tmp_path, wrong)


def test_a_sign_of_comments_in_a_name_is_the_name_s(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM.replace("elbow", "#1 // elbow"))
    assert figure.skeleton.joints == ("hip", "#1 // elbow")


def test_a_rotation_behind_an_offset_is_passed_over_and_told(tmp_path: Path) -> None:
    """NVIDIA's SOMA writes six numbers; the channels state the rotation anew."""
    plain = load_text(tmp_path, ARM)
    figure = load_text(tmp_path, re.sub(r"(OFFSET [^\n]*)(\n\s*CHANNELS)", r"\1 10.5 -2e1 .5\2", ARM))
    assert figure.notes == ("2 OFFSETs have six numbers; the last three, a rotation, are not used",)
    np.testing.assert_array_equal(figure.clips[0].poses.world_from_joint, plain.clips[0].poses.world_from_joint)


def test_tokens_that_are_looked_at_and_given_back_cost_nothing_later(tmp_path: Path) -> None:
    """Each OFFSET without a rotation nested the stream of tokens once more: 16,000 joints took 13 s, 100,000 no end."""
    chain = "".join(f"JOINT j{k}\n{{\nOFFSET 0 0 0\nCHANNELS 0\n" for k in range(40_000))
    text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + chain + "}\n" * 40_001
    assert len(parse_hierarchy(tmp_path / "a.bvh", text).joints) == 40_001


def with_scales(scale: str) -> str:
    """The arm with nine channels for its root, the last three of them scales."""
    *head, first, second = ARM.splitlines()
    rows = [" ".join([*row.split()[:6], "1", scale, "1", *row.split()[6:]]) for row in (first, second)]
    text = "\n".join([*head, *rows]) + "\n"
    turns = "Zrotation Xrotation Yrotation"
    return text.replace("CHANNELS 6", "CHANNELS 9").replace(turns, f"{turns} Xscale Yscale Zscale", 1)


def test_scales_of_one_are_left_out_and_others_refused(tmp_path: Path) -> None:
    plain, scaled = load_text(tmp_path, ARM), load_text(tmp_path, with_scales("1.0"))
    np.testing.assert_array_equal(scaled.clips[0].q, plain.clips[0].q)
    posable.save(tmp_path / "again.bvh", scaled)
    assert "scale" not in (tmp_path / "again.bvh").read_text()
    with pytest.raises(posable.FileError, match=r":2: joint 'hip' is scaled by 1.5 in frame 1.*without scale channels"):
        load_text(tmp_path, with_scales("1.5"))


def test_commas_alone_between_numbers_are_refused_as_the_file_has_them(tmp_path: Path) -> None:
    """Whole numbers joined by commas were taken for decimal commas, and the error told of 0.90.0."""
    whole = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    whole += "End Site\n{\nOFFSET 0 1 0\n}\n}\n"
    for numbers in ("0,90,0", "0,5,1,5,2,5", "1,5, 2,5, 3,5"):
        told = rf"'{numbers.split()[0]}' is not .*; write decimal points and spaces"
        with pytest.raises(posable.FileError, match=told):
            load_text(tmp_path, f"{whole}MOTION\nFrames: 1\nFrame Time: 1\n{numbers}\n")


@pytest.mark.parametrize("motion", ["", "MOTION\n", "MOTION\nFrames: 0\nFrame Time: 0.04\n", "MOTION\nFrames: 0"])
def test_a_file_without_frames_is_a_skeleton(tmp_path: Path, motion: str) -> None:
    figure = load_text(tmp_path, ARM.split("MOTION")[0] + motion)
    assert figure.clips == ()
    assert figure.skeleton.joints == ("hip", "elbow")


def test_a_single_frame_needs_no_frame_time(tmp_path: Path) -> None:
    single = ARM.replace("Frames: 2", "Frames: 1").replace("0.04", "0")
    figure = load_text(tmp_path, single[: single.index("1 2 3")])
    assert (len(figure.clips[0]), figure.clips[0].fps) == (1, 30.0)
    assert figure.notes == ("its single frame states a time of 0 s; taken as 1/30 s",)


def test_frames_beyond_the_claim_are_left_out_and_noted(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM.replace("Frames: 2", "Frames: 1"))
    assert len(figure.clips[0]) == 1
    assert figure.notes == ("more numbers follow the frames that the file declares (1); they were left out",)


def test_names_keep_their_spaces_and_become_different(tmp_path: Path) -> None:
    figure = load_text(tmp_path, ARM.replace("hip", "left  upper leg ").replace("elbow", "left  upper leg"))
    assert figure.skeleton.joints == ("left  upper leg", "left  upper leg_2")
    assert figure.notes == ("joints with missing or repeated names were renamed: left  upper leg_2",)
    assert load_text(tmp_path, ARM.replace("elbow", "")).skeleton.joints == ("hip", "joint_1")


def test_several_roots_stand_side_by_side(tmp_path: Path) -> None:
    second = "ROOT prop\n{\nOFFSET 5 0 0\nCHANNELS 1 Yposition\n}\nMOTION"
    rows = ARM.replace("MOTION", second).replace("50 60\n", "50 60 7\n").replace("-50 -60\n", "-50 -60 8\n")
    figure = load_text(tmp_path, rows)
    assert figure.skeleton.parents.tolist() == [-1, 0, -1]
    np.testing.assert_allclose(figure.clips[0].poses.origins[:, 2], [(5, 7, 0), (5, 8, 0)], atol=1e-15)


@pytest.mark.parametrize(
    ("channels", "kind", "active"),
    [
        ("0", "fixed", None),
        ("1 Zrotation", "hinge", None),
        ("2 Zrotation Xrotation", "universal", None),
        ("3 Xrotation Zrotation Yrotation", "ball", None),
        ("1 Yposition", "slide", None),
        ("3 Xposition Yposition Zposition", "compound", None),
        ("4 Xposition Zrotation Yrotation Xrotation", "compound", None),
        ("6 Xposition Yposition Zposition Yrotation Xrotation Zrotation", "free", (False,) * 3 + (True,) * 3),
    ],
)
@pytest.mark.parametrize("ways", [False, True])
def test_every_mix_of_channels_is_a_joint_that_moves_as_the_plain_reader_says(
    tmp_path: Path, channels: str, kind: str, active: tuple[bool, ...] | None, ways: bool
) -> None:
    """The elbow's OFFSET is (2, 0, 0); positions near it replace it, positions near 0 are ways from it."""
    near = {"Xposition": 0.01 if ways else 2.01, "Yposition": -0.02, "Zposition": 0.03}
    rows = [[near.get(word, 0.0) + 0.001 * f + (word.endswith("rotation") and 20 * f + 5 * k) for k, word in
             enumerate(channels.split()[1:])] for f in (0, 1)]  # fmt: skip
    text = ARM.replace("3 Yrotation Xrotation Zrotation", channels)
    for old, row in zip(("40 50 60\n", "-40 -50 -60\n"), rows, strict=True):
        text = text.replace(" " + old, "".join(f" {x}" for x in row) + "\n")
    figure = load_text(tmp_path, text)
    elbow = figure.skeleton.definitions[1]
    assert (elbow.kind, elbow.active) == (kind, active)
    plain = read_plain(tmp_path / "file.bvh")
    adds = ways and "Xposition" in channels
    np.testing.assert_allclose(figure.clips[0].poses.origins, plain.positions(np.arange(2), adds=adds), atol=1e-12)
    tips = apply_transform(figure.clips[0].poses.world_from_joint[1, 1], elbow.tips[0])
    if not adds:
        np.testing.assert_allclose(tips, plain.tip_positions(1)[0], atol=1e-12)


def test_a_chain_of_thousands_of_joints_is_read(tmp_path: Path) -> None:
    count = 3000
    links = "".join(f"JOINT j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n" for k in range(count))
    figure = load_text(tmp_path, "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + links + "}" * (count + 1))
    assert figure.rest.origins[-1].tolist() == [0, count, 0]


@pytest.mark.parametrize("after", ["", "MOTION", "MOTION\nFrames:", "MOTION\nFrames: 1\nFrame Time:", "JOINT a {"])
def test_long_runs_of_spaces_are_walked_once(tmp_path: Path, after: str) -> None:
    """Walked again from each of them on, they would take minutes."""
    text = ARM.split("MOTION")[0] + after + " \n" * 300_000
    if after in ("", "MOTION"):
        assert load_text(tmp_path, text).skeleton.joints == ("hip", "elbow")
    else:
        with pytest.raises(posable.FileError):
            load_text(tmp_path, text)


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_scanner_reads_numbers_as_python_does() -> None:
    rng = np.random.default_rng(5)
    words = [
        "0",
        "-0.0",
        "7.",
        ".5",
        "+1e5",
        "123456789012345678901234567890",
        "0.1e-7",
        "1e-320",
        "9" * 40 + "e-30",
        "5E+02",
    ]
    words += [f"{x:.{d}f}" for x, d in zip(rng.normal(0, 1e3, 500), rng.integers(0, 16, 500), strict=True)]
    words += [repr(float(x)) for x in rng.normal(size=500) * 10.0 ** rng.integers(-200, 200, 500)]
    for word in words:
        value, end = callable_kernel(scan_number)(np.frombuffer(word.encode() + b" ", np.uint8), 0)
        assert end == len(word)
        assert value == pytest.approx(float(word), rel=1e-15, abs=1e-307)
    for word in ("x", "-", ".", "1e", "1e+", "e5", "--1", "nan", "inf"):
        assert callable_kernel(scan_number)(np.frombuffer(word.encode() + b" ", np.uint8), 0)[1] == -1


def test_compiled_rotations_are_the_products_of_turns() -> None:
    rng = np.random.default_rng(6)
    values, columns = rng.uniform(-400, 400, (7, 6)), np.array([[0, 1, 2], [5, 3, 4]])
    axes, q = np.array([[2, 0, 1], [1, 2, 0]]), np.zeros((7, 9))
    fill_rotations(values, columns, axes, np.array([0, 5]), q)
    np.testing.assert_allclose(q[:, :4], wxyz_from_euler("zxy", np.radians(values[:, columns[0]])), atol=1e-14)
    np.testing.assert_allclose(q[:, 5:], wxyz_from_euler("yzx", np.radians(values[:, columns[1]])), atol=1e-14)


def test_names_in_another_encoding_are_noted(tmp_path: Path) -> None:
    """Japanese names of Shift-JIS came as other letters, without a word."""
    text = ARM.replace("elbow", "ひじ")
    for encoding, notes in (("utf-8", 0), ("utf-16", 0), ("shift-jis", 1)):
        (tmp_path / "a.bvh").write_bytes(text.encode(encoding))
        figure = posable.load(tmp_path / "a.bvh")
        assert sum("save it as UTF-8" in note for note in figure.notes) == notes
        assert ("ひじ" in figure.skeleton.joints) == (not notes)
