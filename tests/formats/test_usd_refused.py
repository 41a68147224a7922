"""USD files that are refused, and why: faults of content, layers from elsewhere, nesting, damage."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pxr", reason="usd-core is not installed")
from formats.usd_stages import MADE, stage_file
from pxr import Gf, Sdf, Usd

import posable
from posable.errors import FileError, FileTooLargeError, MissingExtraError, UnsupportedFileError
from posable.formats.usd import layers as usd_layers


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("metersPerUnit = 0.5", "metersPerUnit = 0", r"metersPerUnit is 0.0; it must be above 0"),
        (
            '"hip/knee", "hip/knee/tip", "hip/tip"]',
            '"hip", "hip/knee/tip", "hip/tip"]',
            r"the joints of .*Skel do not form a tree",
        ),
        (
            'joints = ["hip", "hip/knee"',
            'joints = ["hip/knee", "hip"',
            r"the joints of /Creature/Skel do not form a tree \(.+\)",
        ),
        (
            ", ((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))\n        ]\n        uniform matrix4d[] rest",
            "]\n uniform matrix4d[] rest",
            r"/Creature/Skel has 4 joints and 3 bindTransforms; export it again",
        ),
        ("(0,0,0.25,1)", "(0,0,nan,1)", r"/Creature/Skel.restTransforms contains numbers that are not finite"),
        (
            "((0,1,0,0),(-1,0,0,0),(0,0,1,0),(0,0,1,1))",
            "((0,0,0,0),(0,0,0,0),(0,0,1,0),(0,0,1,1))",
            r"bindTransforms of /Creature/Skel cannot be inverted \(a scale of 0\?\)",
        ),
        (
            "[(1, 0, 0), (0, 0, 1)]",
            "[(1, 0, 0)]",
            r"/Creature/Skel/Wave has 2 joints and a different number of values",
        ),
        (
            "[(1, 0, 0), (0, 0, 1)]",
            "[(1, 0, 0), (inf, 0, 1)]",
            r"/Creature/Skel/Wave contains numbers that are not finite",
        ),
        ("[(1, 0, 0, 0), (0.70710678", "[(0, 0, 0, 0), (0.70710678", r"or rotations of length 0"),
        ("(-1,0.5,0)", "(-1,nan,0)", r"/Creature/Body.points contains numbers that are not finite"),
        ("(0.5,0,0,1))", "(inf,0,0,1))", r"mesh /Creature/Body: its geomBindTransform is not finite"),
        ("[1,0, .5,.5, ", "[1,0, ", r"mesh /Creature/Body has 6 points and 10 weights, 2 a point|do not fit together"),
        ("[0,1, 1,2, 2,0,", "[0,7, 1,2, 2,0,", r"mesh /Creature/Body: a joint index lies outside 0 … 2"),
        (
            '"hip/knee/tip", "hip"]',
            '"hip/knee/toe", "hip"]',
            r"follows the joint 'hip/knee/toe', which its skeleton does not have",
        ),
        ("[5, 3, 2, 4]", "[5, 3, 2, 5]", r"mesh /Creature/Body: its faces want 15 corners and it has 14"),
        ("[0, 1, 2, 3, 4, 0", "[0, 1, 2, 3, 9, 0", r"mesh /Creature/Body: a face index lies outside 0 … 5"),
        (
            "endTimeCode = 6",
            "endTimeCode = 4000000000",
            r"declares 4,000,000,001 frames; posable accepts at most 100,000",
        ),
        (
            "rotateZ = 30",
            "rotateZ = nan",
            r"/Creature/Skel: its transforms multiply to positions that are not finite; export it again",
        ),
        ("6: (4, 2, 3)", "6: (4, inf, 3)", r"/Creature/Skel: its transforms multiply to positions that are not finite"),
        (
            "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0",
            'string points = "a" # (0',
            r"/Creature/Body.points has a value of the wrong type; export it again",
        ),
        (
            'uniform token[] joints = ["hip", "hip/knee",',
            'uniform token joints = "hip" # ',
            r"/Creature/Skel.joints has a value of the wrong type",
        ),
        ("endTimeCode = 6", "endTimeCode = inf", r"its animation runs from 0.0 to inf, which are not valid times"),
        ("half3[] scales", "half3[[] scales", r"made.usda:36: is not valid USD \((?!.*pxr).*\); export it again"),
        ("#usda 1.0", "#usda 7.0", r"made.usda:1: is not valid USD \(Cannot parse layer version"),
    ],
)
def test_each_fault_is_named(tmp_path: Path, before: str, after: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        posable.load(stage_file(tmp_path, MADE, (before, after)))


def test_too_many_things_are_refused_before_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from posable.formats.usd import motion as usd_motion
    from posable.formats.usd import skeleton as usd_skeleton
    from posable.formats.usd import skin as usd_skin

    path = stage_file(tmp_path)
    limits = (
        (usd_skin, "MAX_INFLUENCES", "12 vertex weights"),
        (usd_motion, "MAX_PLACES", "28 joint transforms over time"),
        (usd_skeleton, "MAX_JOINTS", "4 joints"),
        (usd_layers, "MAX_USD_BYTES", "bytes"),
    )
    for module, name, claim in limits:
        monkeypatch.setattr(module, name, 3)
        with pytest.raises(FileTooLargeError, match=f"declares .*{claim}"):
            posable.load(path)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (
            "subLayers = [@../secret.usda@]",
            r"refers to '../secret.usda', outside its own folder; put the file beside it",
        ),
        ("subLayers = [@/secret.usda@]", r"refers to '/secret.usda', outside its own folder"),
        ("subLayers = [@https://example.org/a.usda@]", r"refers to 'https://example.org/a.usda', which is missing"),
        ("subLayers = [@gone.usda@]", r"refers to 'gone.usda', which is missing; put the file beside it, or flatten"),
    ],
)
def test_layers_outside_the_folder_are_refused(tmp_path: Path, metadata: str, message: str) -> None:
    (tmp_path / "secret.usda").write_text(MADE)
    (tmp_path / "inside").mkdir()
    with pytest.raises(FileError, match=message):
        posable.load(stage_file(tmp_path / "inside", MADE, ("metersPerUnit = 0.5", metadata)))


@pytest.mark.parametrize("arc", ["references", "payload"])
def test_references_are_looked_at_in_every_layer(tmp_path: Path, arc: str) -> None:
    outer = f'#usda 1.0\ndef "X" ({arc} = @parts/part.usda@</Creature>) {{}}\n'
    (tmp_path / "inside/parts").mkdir(parents=True)
    stage_file(tmp_path / "inside/parts", name="part.usda")
    path = stage_file(tmp_path / "inside", outer)
    assert posable.load(path).skeleton.joints[0] == "hip"
    (tmp_path / "secret.usda").write_text(MADE)
    bad = ('def SkelRoot "Creature" (', 'def SkelRoot "Creature" (\nreferences = @../../secret.usda@</Creature>\n')
    stage_file(tmp_path / "inside/parts", MADE, bad, name="part.usda")
    with pytest.raises(FileError, match="outside its own folder"):
        posable.load(path)
    stage_file(tmp_path / "inside/parts", MADE, (bad[0], bad[1].replace("../../secret", "../made")), name="part.usda")
    posable.load(path)  # a circle of layers comes to an end


def test_value_clips_are_refused(tmp_path: Path) -> None:
    clips = "\nclips = { dictionary default = { asset[] assetPaths = [@/secret.usda@] } }\n"
    with pytest.raises(
        UnsupportedFileError, match=r"/Creature uses value clips; flatten the stage \(usdcat --flatten\) first"
    ):
        posable.load(stage_file(tmp_path, MADE, ('def SkelRoot "Creature" (', f'def SkelRoot "Creature" ({clips}')))


def test_packages_draw_in_their_own_layers_only(tmp_path: Path) -> None:
    def package(first: str, compression: int = zipfile.ZIP_STORED) -> Path:
        path = tmp_path / "made.usdz"
        with zipfile.ZipFile(path, "w", compression) as file:
            file.writestr("first.usda", first)
            file.writestr("sub/second.usda", MADE)
        return path

    path = package('#usda 1.0\ndef "X" (references = @sub/second.usda@</Creature>) {}\n')
    assert posable.load(path).skeleton.joints[0] == "hip"
    stage_file(tmp_path, name="beside.usda")
    with pytest.raises(FileError, match=r"refers to 'beside.usda', which is missing"):
        posable.load(package('#usda 1.0\ndef "X" (references = @beside.usda@</Creature>) {}\n'))
    with pytest.raises(
        FileError, match=r"contains compressed layers, which .usdz does not allow; create it again with usdzip"
    ):
        posable.load(package(MADE, zipfile.ZIP_DEFLATED))
    path.write_bytes(b"PK and no more")
    with pytest.raises(FileError, match=r"is not a valid .usdz package \(.+\); export it again"):
        posable.load(path)


def test_deep_nesting_does_not_reach_the_parser(tmp_path: Path) -> None:
    for opening in ('def "a" {', "(", "["):
        path = tmp_path / "deep.usda"
        path.write_text("#usda 1.0\n" + opening * 100_000)
        with pytest.raises(FileError, match=r"deep.usda: nests brackets more than 256 levels deep"):
            posable.load(path)
    path.write_text("#usda 1.0\n" + "".join(f'def "a{k}" {{\n' for k in range(250)) + "}\n" * 250)
    with pytest.raises(UnsupportedFileError, match="has no skeleton"):
        posable.load(path)


def test_something_else_under_the_name_is_refused(tmp_path: Path) -> None:
    for suffix, content in ((".usdc", b"PXR-USDC" + b"\0" * 200), (".usda", b"\x89PNG"), (".usd", b"")):
        path = tmp_path / f"other{suffix}"
        path.write_bytes(content)
        with pytest.raises(FileError, match=f"other{suffix}.*export (or copy )?it again"):
            posable.load(path)


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    path = stage_file(tmp_path)
    held = Usd.Stage.Open(str(path))
    stage_file(tmp_path, MADE, ('upAxis = "Z"', 'upAxis = "Y"'))
    assert posable.load(path).skeleton.up == "y"
    assert held


@pytest.mark.slow
def test_nothing_is_printed(tmp_path: Path) -> None:
    program = (
        "import sys, posable\n"
        "for path in sys.argv[1:]:\n"
        "    try: posable.load(path)\n"
        "    except posable.PosableError: print('refused')"
    )
    bad = stage_file(tmp_path, MADE, ("[5, 3, 2, 4]", "[5, 3, 2, 4"), name="bad.usda")
    good = stage_file(tmp_path, MADE, ("</Creature/Skel/Wave>", "</Creature/Skel/Gone>"))
    environment = {**os.environ, "POSABLE_QUIET": "1"}
    command = [sys.executable, "-c", program, str(good), str(bad)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_without_usd_core_the_cure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pxr.Tf", None)
    monkeypatch.delitem(sys.modules, "posable.formats.usd.layers")
    with pytest.raises(
        MissingExtraError,
        match=re.escape('USD (all but writing .usda) needs an optional package: pip install "posable[usd]"'),
    ):
        posable.load(stage_file(tmp_path))


@pytest.mark.slow
def test_the_module_itself_needs_no_usd_core() -> None:
    program = "import sys; sys.modules['pxr'] = None; import posable.formats.usd"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert usd_layers._usd_module("Gf") is Gf


@pytest.mark.slow
def test_text_is_tried_out_with_little_memory(tmp_path: Path) -> None:
    """Of an array with a bracket too many USD keeps a message for each number, all of them quadratically long."""
    numbers = ", ".join(map(str, range(60_000)))
    array = f"int[] numbers = [{numbers}, [1, {numbers}]\n        int[] holeIndices"
    path = stage_file(tmp_path, MADE, ("int[] holeIndices", array))
    with pytest.raises(FileError, match=r"crashes USD's own reader .*; it is damaged, export it again"):
        posable.load(path)
    path = stage_file(tmp_path, MADE, ("int[] holeIndices", array.replace(", [1", "")), ("[5, 3, 2, 4]", "[5, 3, 2"))
    with pytest.raises(FileError, match=r"made.usda:\d+: is not valid USD"):  # with its line, as shorter text
        posable.load(path)
    path = stage_file(tmp_path, MADE, ("int[] holeIndices", array.replace(", [1", "")))
    assert len(posable.load(path).skins) == 2


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_files_are_refused(attack: Any, shared: Path) -> None:
    outcome = attack(".usda", [MADE.encode(), shared / "usd/skinnedArm.usda", shared / "usd/arm.usda"])
    assert outcome.refused > 0
    assert outcome.loaded > 0


def binary(folder: Path) -> Path:
    path = folder / "made.usdc"
    assert Sdf.Layer.FindOrOpen(str(stage_file(folder, name="text.usda"))).Export(str(path))
    return path


def test_binary_layers_are_tried_out_with_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """USD's reader takes what memory a damaged file declares; a process of its own fails first."""
    path = binary(tmp_path)
    assert posable.load(path).skeleton.joints[0] == "hip"
    monkeypatch.setattr(usd_layers, "TRIAL_BYTES", -50_000_000)
    with pytest.raises(FileError, match=r"made.usdc: crashes USD's own reader \(.+\); it is damaged, export it again"):
        posable.load(path)
    package = tmp_path / "made.usdz"
    with zipfile.ZipFile(package, "w") as file:
        file.write(path, "made.usdc")
    with pytest.raises(FileError, match=r"made.usdz: crashes USD's own reader"):
        posable.load(package)


def test_binary_layers_that_never_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(command: list[str], *, timeout: float, **_: Any) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    path = binary(tmp_path)
    monkeypatch.setattr(usd_layers.subprocess, "run", hang)
    with pytest.raises(FileError, match=r"hangs USD's own reader; it is damaged, export it again"):
        posable.load(path)


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_binary_files_are_refused(attack: Any, tmp_path: Path) -> None:
    count = int(os.environ.get("POSABLE_FUZZ", "200")) // 20  # each takes a process of its own
    assert attack(".usdc", [binary(tmp_path)], count).refused > 0


@pytest.mark.parametrize(
    "arc", ["references = </L{}>", "payload = </L{}>", "inherits = </L{}>", "references = @./made.usda@</L{}>"]
)
def test_references_upon_references_are_counted_first(tmp_path: Path, arc: str) -> None:
    """Ten lines a level make ten to the power of the levels; within reason that is a figure."""

    def laughs(levels: int) -> Path:
        text = '#usda 1.0\ndef "L0"\n{\n}\n'
        for k in range(1, levels + 1):
            text += f'def "L{k}"\n{{\n' + f'def "NAME" ({arc.format(k - 1)})\n{{\n}}\n' * 10 + "}\n"
        for k in range(10 * levels):
            text = text.replace("NAME", f"c{k}", 1)
        return stage_file(tmp_path, text)

    with pytest.raises(
        FileTooLargeError, match=r"declares \d{2},\d{3},\d{3},\d{3} prims by reference; posable accepts"
    ):
        posable.load(laughs(10))
    with pytest.raises(UnsupportedFileError, match="has no skeleton"):
        posable.load(laughs(2))
