"""Acclaim files read right: against kinematics from the format's definition, and against converted BVH files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from formats.mutation import Outcome

import posable

MOTIONS = ("02_01", "02_03", "02_04", "02_06", "03_01", "03_02")

ASF = """# a leg
:version 1.10
:name leg
:units
  mass 1.0
  length 0.5
  angle deg
:documentation
   begin and end mean nothing here
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 1 2 3
   orientation 0 0 0
:bonedata
  begin
     id 1
     name thigh
     direction 0 -1 0
     length 4
     axis 10 20 30 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70 70)
           (-inf inf)
  end
  begin
     id 2
     name shin
     direction 0 -1 0
     length 3
     axis 0 0 20 ZYX
    dof rx rz
  end
  begin
     id 3
     name toe
     direction 0 0 1
     length 1
     axis 0 90 0 XYZ
    dof rx
    limits (0.0 90.0)
  end
  begin
     id 4
     name lock
     direction 1 0 0
     length 2
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh lock
    thigh shin
    shin toe
  end
"""
AMC = """#!OML
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
thigh 10 20 30
shin 40 50
toe 60
2
root 1 2 3 -10 -20 -30
thigh -10 -20 -30
shin -40 -50
toe 70
"""


# --- forward kinematics once more, from the definition: L = C B M C⁻¹, one bone after another ------------------------


def turn(axis: str, degrees: float) -> np.ndarray:
    i = "xyz".index(axis)
    b, c = (i + 1) % 3, (i + 2) % 3
    matrix = np.eye(3)
    matrix[b, b] = matrix[c, c] = np.cos(np.radians(degrees))
    matrix[c, b] = np.sin(np.radians(degrees))
    matrix[b, c] = -np.sin(np.radians(degrees))
    return matrix


def turns(order: str, angles: dict[str, float]) -> np.ndarray:
    """The first letter of `order` is turned about first, all about fixed axes."""
    matrix = np.eye(3)
    for letter in order:
        matrix = turn(letter, angles.get(letter, 0.0)) @ matrix
    return matrix


def plain_bones(text: str) -> tuple[dict[str, dict[str, list[str]]], dict[str, str], float]:
    """(bone → its words by their key, child → parent, unit of length)."""
    blocks = re.findall(r"begin\s+id(.*?)\bend\b", text, re.DOTALL)
    bones = {}
    for block in blocks:
        words = {line.split()[0]: line.split()[1:] for line in block.splitlines() if line.split()}
        bones[words["name"][0]] = words
    rows = [line.split() for line in text.split(":hierarchy")[1].splitlines() if len(line.split()) > 1]
    unit = float(re.search(r"length\s+(\S+)", text.split(":units")[1])[1])  # type: ignore[index]
    return bones, {child: row[0] for row in rows for child in row[1:]}, unit


def plain_positions(asf: str, amc: str, frames: list[int]) -> dict[str, np.ndarray]:
    """bone → `[frame, 3]` where it begins."""
    bones, parents, unit = plain_bones(asf)
    root = np.array([float(x) for x in re.search(r"position\s+(.*)", asf)[1].split()])  # type: ignore[index]
    chunks = re.split(r"^\d+\s*$", amc, flags=re.MULTILINE)[1:]
    found: dict[str, list[np.ndarray]] = {}
    for f in frames:
        values = {row.split()[0]: [float(x) for x in row.split()[1:]] for row in chunks[f].strip().splitlines()}
        world = {"root": turns("xyz", dict(zip("xyz", values["root"][3:], strict=True)))}
        end = {"root": np.array(values["root"][:3]) + root}
        found.setdefault("root", []).append(end["root"] / unit)
        for name in sorted(parents, key=lambda one: depth(one, parents)):
            words, parent = bones[name], parents[name]
            order = words["axis"][3].lower()
            frame = turns(order, dict(zip("xyz", map(float, words["axis"][:3]), strict=True)))
            angles = {dof[1]: value for dof, value in zip(words.get("dof", []), values.get(name, []), strict=True)}
            world[name] = world[parent] @ frame @ turns(order, angles) @ frame.T
            found.setdefault(name, []).append(end[parent] / unit)
            end[name] = end[parent] + world[name] @ np.array([float(x) for x in words["direction"]]) * float(
                words["length"][0]
            )
    return {name: np.array(places) for name, places in found.items()}


def depth(name: str, parents: dict[str, str]) -> int:
    return 0 if name == "root" else 1 + depth(parents[name], parents)


def write_leg(folder: Path, asf: str = ASF, amc: str = AMC, name: str = "leg.asf") -> Path:
    (folder / name).write_text(asf)
    (folder / "leg_01.amc").write_text(amc)
    return folder / "leg_01.amc"


@pytest.mark.parametrize("name", MOTIONS)
def test_bones_begin_where_the_definition_has_them(shared: Path, name: str) -> None:
    folder = shared / "mocap/asfamc"
    figure = posable.load(folder / f"{name}.amc")
    frames = np.unique(np.linspace(0, len(figure.clips[0]) - 1, 100).astype(int)).tolist()
    expected = plain_positions((folder / f"{name[:2]}.asf").read_text(), (folder / f"{name}.amc").read_text(), frames)
    assert set(figure.skeleton.joints) == set(expected)
    ours = figure.clips[0].poses.origins[frames]
    for j, joint in enumerate(figure.skeleton.joints):
        np.testing.assert_allclose(ours[:, j], expected[joint], rtol=0, atol=1e-9 * figure.height)


@pytest.mark.parametrize("name", ["02_01", "02_03", "03_02"])
def test_bones_begin_where_the_converted_bvh_has_them(shared: Path, name: str) -> None:
    """The BVH was made from the same motion by another program, in cm."""
    figure = posable.load(shared / f"mocap/asfamc/{name}.amc", unit="in")
    converted = posable.load(shared / f"mocap/cmu_{name}.bvh", unit="cm")
    assert figure.skeleton.joints == converted.skeleton.joints
    ours, theirs = figure.clips[0].poses.origins, converted.clips[0].poses.origins
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6 * converted.height)


def test_joints_below_axes_orders_and_fixed_bones(tmp_path: Path) -> None:
    figure = posable.load(write_leg(tmp_path))
    expected = plain_positions(ASF, AMC, [0, 1])
    for j, joint in enumerate(figure.skeleton.joints):
        np.testing.assert_allclose(figure.clips[0].poses.origins[:, j], expected[joint], atol=1e-12)
    assert figure.skeleton.joints == ("root", "thigh", "shin", "toe", "lock")
    assert [joint.kind for joint in figure.skeleton.definitions] == ["free", "compound", "universal", "hinge", "fixed"]
    assert figure.skeleton.definitions[3].tips == ((0.0, 0.0, 2.0),)
    assert figure.skeleton.definitions[4].tips == ((4.0, 0.0, 0.0),)
    np.testing.assert_allclose(figure.rest.origins[0], (2, 4, 6))


def test_the_orientation_of_the_root_is_the_frame_of_its_turns(tmp_path: Path) -> None:
    """With its x axis turned to -z, 90 degrees about x are -90 about the world's z."""
    turned, motion = (
        ASF.replace("orientation 0 0 0", "orientation 0 90 0"),
        AMC.replace("10 20 30\nthigh", "90 0 0\nthigh"),
    )
    clip = posable.load(write_leg(tmp_path, turned, motion)).clips[0]
    np.testing.assert_allclose(clip.poses.world_from_joint[0, 0, :3, :3], turn("z", -90), atol=1e-15)


def test_limits_keep_their_axes(tmp_path: Path) -> None:
    write_leg(tmp_path)
    skeleton = posable.load(tmp_path / "leg.asf").skeleton
    pairs = np.degrees(np.stack([skeleton.lower, skeleton.upper], axis=1)).tolist()
    limits = dict(zip(skeleton.freedoms, pairs, strict=True))
    assert limits["thigh.x"] == pytest.approx([-160, 20])
    assert limits["thigh.y"] == pytest.approx([-70, 70])
    assert limits["thigh.z"] == [-np.inf, np.inf]
    assert limits["toe.x"] == pytest.approx([0, 90])
    assert limits["shin.x"] == [-np.inf, np.inf]


def test_radians_and_slides(tmp_path: Path) -> None:
    in_degrees = posable.load(write_leg(tmp_path))
    radians = AMC.replace(":DEGREES", ":RADIANS").replace("toe 60", f"toe {float(np.radians(60))!r}")
    angle = posable.load(write_leg(tmp_path, amc=radians)).clips[0].poses.of("toe")[0]
    np.testing.assert_allclose(angle, in_degrees.clips[0].poses.of("toe")[0], rtol=1e-15)
    sliding = posable.load(
        write_leg(tmp_path, ASF.replace("axis 0 90 0 XYZ\n    dof rx", "axis 0 90 0 XYZ\n    dof tz"))
    )
    toe = sliding.skeleton.definitions[3]
    assert (toe.kind, toe.axes[0].upper) == ("slide", 180.0)
    np.testing.assert_allclose(toe.axes[0].direction, (1, 0, 0), atol=1e-15)
    assert sliding.clips[0].poses.of("toe")[1] == pytest.approx(140.0)


def test_angles_of_the_skeleton_may_be_radians(tmp_path: Path) -> None:
    radians = ASF.replace("angle deg", "angle rad").replace("(0.0 90.0)", "(0.0 1.5)")
    write_leg(tmp_path, radians)
    assert posable.load(tmp_path / "leg.asf").skeleton.upper[-1] == pytest.approx(1.5)


def test_a_motion_is_a_clip_at_cmus_rate(tmp_path: Path) -> None:
    figure = posable.load(write_leg(tmp_path))
    assert [(clip.name, clip.fps, len(clip)) for clip in figure.clips] == [("leg_01", 120.0, 2)]
    assert figure.notes == ("an AMC file states no frame rate; taken as 120 fps",)


def test_the_skeleton_with_the_longest_fitting_name_is_taken(tmp_path: Path) -> None:
    motion = write_leg(tmp_path)
    (tmp_path / "le.asf").write_text("junk")
    (tmp_path / "other.asf").write_text("junk")
    assert posable.load(motion).skeleton.joints[1] == "thigh"


def test_the_only_skeleton_in_the_folder_fits_any_motion(tmp_path: Path) -> None:
    assert posable.load(write_leg(tmp_path, name="body.ASF")).skeleton.joints[1] == "thigh"


def test_a_motion_without_its_skeleton_says_how_to_name_one(tmp_path: Path) -> None:
    motion = write_leg(tmp_path, name="a.asf")
    shutil.copy(tmp_path / "a.asf", tmp_path / "b.asf")
    with pytest.raises(posable.FileError, match=r"its skeleton is ambiguous \(a\.asf, b\.asf\); name one after"):
        posable.load(motion)
    (tmp_path / "a.asf").unlink()
    (tmp_path / "b.asf").unlink()
    with pytest.raises(posable.FileError, match=r"put its \.asf file into the same folder, named after the beginning"):
        posable.load(motion)


def test_bones_that_hang_nowhere_are_left_out_and_noted(tmp_path: Path) -> None:
    loose = ASF.replace("root thigh lock", "root thigh")
    write_leg(tmp_path, loose)
    figure = posable.load(tmp_path / "leg.asf")
    assert "lock" not in figure.skeleton.joints
    assert figure.notes == ("bones that are not below the root were left out: lock",)


REFUSED_SKELETONS = {
    "no bones": ((ASF, "\n"), " an ASF file describes bones under :bonedata; this one has none"),
    "unit 0": (("length 0.5", "length 0"), "6: the unit of length must be above 0, not 0"),
    "unit of angle": (("angle deg", "angle gon"), "7: the unit of angle must be 'deg' or 'rad', not 'gon'"),
    "root order": (("order TX", "order QX"), "11: 'qx' is not a degree of freedom"),
    "root axis": (("axis XYZ", "axis XYY"), "12: an order of axes is a permutation of XYZ, not 'XYY'"),
    "position": (("1 2 3", "1 2"), "13: 'position' needs 3 finite numbers below 1e15, not '1 2'"),
    "not a number": (("length 4", "length nan"), "20: 'length' needs a finite number below 1e15, not 'nan'"),
    "axis without order": (("30 XYZ", "30"), "21: 'axis' needs a value after it"),
    "dof twice": (("rx ry rz", "rx ry rx"), "22: a degree of freedom is repeated: rx ry rx"),
    "limits": (("(-70 70)", "(-70 70"), ""),
    "limits missing": (
        ("           (-70 70)\n", ""),
        "25: bone 'thigh' has 3 degrees of freedom, but 2 pairs of limits",
    ),
    "limits crossed": (("(-70 70)", "(70 -70)"), "26: bone 'thigh': a lower limit, 70, exceeds its upper limit, -70"),
    "limits nan": (("(-70 70)", "(nan 70)"), "24: 'limits' needs 2 finite numbers below 1e15, not 'nan 70'"),
    "no name": (("     name thigh\n", ""), "25: this bone has no name"),
    "name twice": (("name shin", "name thigh"), "34: two bones are called 'thigh'; names must be unique"),
    "outside": (("  begin\n     id 4", "     id 4"), "44: 'id' appears between bones; each bone is written between"),
    "unknown": (("thigh shin", "thigh shank"), "54: no bone is called 'shank'; :hierarchy names bones of :bonedata"),
    "two parents": (("shin toe", "shin toe\n    root toe"), "56: bone 'toe' has two parents, or is its own ancestor"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED_SKELETONS)
def test_what_is_wrong_in_a_skeleton_is_said_with_its_line(tmp_path: Path, case: str) -> None:
    (old, new), message = REFUSED_SKELETONS[case]
    write_leg(tmp_path, ASF.replace(old, new, 1))
    if not message:
        assert posable.load(tmp_path / "leg.asf").skeleton.dof == 12
        return
    with pytest.raises(posable.FileError, match=re.escape("leg.asf:" + message)):
        posable.load(tmp_path / "leg.asf")


REFUSED_MOTIONS = {
    "empty": ((AMC, "\n"), " this motion has no frames; it is truncated, or not an AMC file"),
    "before the first": (("1\nroot", "root"), "4: 'root' precedes the first frame number"),
    "unknown": (("toe 60", "tail 60"), "8: the skeleton has no bone 'tail'; the motion belongs to another .asf"),
    "count": (("shin 40 50", "shin 40"), "7: bone 'shin' has 2 degrees of freedom, but 1 values"),
    "twice": (("toe 60", "shin 40 50"), "8: bone 'shin' appears twice in this frame"),
    "missing": (("toe 70\n", ""), "9: frame 2 has no values for bone 'toe'"),
    "not a number": (("toe 70", "toe inf"), "13: 'toe' needs a finite number below 1e15, not 'inf'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED_MOTIONS)
def test_what_is_wrong_in_a_motion_is_said_with_its_line(tmp_path: Path, case: str) -> None:
    (old, new), message = REFUSED_MOTIONS[case]
    motion = write_leg(tmp_path, amc=AMC.replace(old, new, 1))
    with pytest.raises(posable.FileError, match=re.escape("leg_01.amc:" + message)):
        posable.load(motion)


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_skeletons_only_ever_raise_our_errors(attack: Callable[..., Outcome], shared: Path) -> None:
    outcome = attack(".asf", [ASF.encode(), shared / "mocap/asfamc/02.asf"])
    assert min(outcome.refused, outcome.loaded) > 0


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_motions_only_ever_raise_our_errors(attack: Callable[..., Outcome], shared: Path) -> None:
    head = (shared / "mocap/asfamc/02_01.amc").read_bytes().split(b"\n20")[0]
    outcome = attack(".amc", [head], companions={"attacked.asf": shared / "mocap/asfamc/02.asf"})
    assert min(outcome.refused, outcome.loaded) > 0
