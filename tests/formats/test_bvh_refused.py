"""BVH files that cannot be used: every message, with its line; and damaged files by the hundred."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from formats.mutation import Outcome
from formats.plain_bvh import ARM, load_text

import posable

REFUSED = {
    "blank": ((ARM, " "), "1: the file ends within HIERARCHY"),
    "another format": ((ARM, "solid cube"), "1: a BVH file begins with the word HIERARCHY"),
    "no root": ((ARM, "HIERARCHY\nMOTION\n"), "2: HIERARCHY declares no ROOT"),
    "no brace": (("hip\n{", "hip\n"), "4: a { must follow joint 'hip'"),
    "cut in the hierarchy": ((ARM[ARM.index("3 Y") :], ""), "9: the file ends within CHANNELS"),
    "brace missing": (("}\nMOTION", "MOTION"), "15: the braces of joint 'hip' are never closed"),
    "brace too many": (("}\nMOTION", "}\n}\nMOTION"), "16: unmatched }"),
    "no offset": (("    OFFSET 2 0 0\n", ""), "13: joint 'elbow' has no OFFSET"),
    "offset not a number": (("2 0 0", "2 zero 0"), "8: OFFSET needs three finite numbers below 1e15, not 'zero'"),
    "offset nan": (("2 0 0", "2 0 nan"), "8: OFFSET needs three finite numbers below 1e15, not 'nan'"),
    "offset with a comma": (("2 0 0", "2 0,5 0"), "8: OFFSET needs three finite numbers below 1e15, not '0,5'; write"),
    "stray offset": (("ROOT", "OFFSET 1 2 3\nROOT"), "2: an OFFSET is outside of all joints"),
    "stray channels": (("ROOT", "CHANNELS 0\nROOT"), "2: CHANNELS are outside of all joints"),
    "stray end": (("ROOT", "End Site { OFFSET 0 0 0 }\nROOT"), "2: an End Site is outside of all joints"),
    "end site with a joint": (("      OFFSET 0.5", "JOINT x {\nOFFSET 0.5"), "12: a joint is inside an End Site"),
    "channel count": (("CHANNELS 3", "CHANNELS 7"), "9: CHANNELS must begin with their number, 0 to 6 or 9, not '7'"),
    "channel name": (
        ("Yrotation Xrotation Z", "Yrotation Wrotation Z"),
        "9: 'Wrotation' is not a channel; give as many as CHANNELS declares, from Xposition, Yposition, Zposition, Xro",
    ),
    "channel short": (("3 Yrotation Xrotation Zrotation", "3 Yrotation"), "10: 'End Site' is not a channel"),
    "channel twice": (("3 Yrotation X", "3 Zrotation X"), "9: joint 'elbow' repeats a channel: zrot xrot zrot"),
    "odd word": (("JOINT", "LINK"), "6: 'LINK' is not expected here"),
    "no frames": (("Frames: 2\n", ""), '16: the line "Frames: <count>" must follow MOTION'),
    "frames no number": (("Frames: 2", "Frames: two"), "17: Frames: needs a whole number of at least 0, not 'two'"),
    "frames negative": (("Frames: 2", "Frames: -2"), "17: Frames: needs a whole number of at least 0, not '-2'"),
    "a billion frames": (("Frames: 2", "Frames: 1000000000"), "17: declares 1,000,000,000 frames, but only 2 follow"),
    "one frame too few": (
        ("Frames: 2", "Frames: 3"),
        "17: declares 3 frames, but only 2 follow; the file is truncated: export it again, or write Frames: 2",
    ),
    "no frames declared": (("Frames: 2", "Frames: 0"), "17: declares 0 frames, but 2 follow; write Frames: 2"),
    "frame time of microseconds": (("0.04", "40000"), "18: Frame Time: needs a number of seconds of 1e-05 to"),
    "frame time too short": (("0.04", "1e-7"), "18: Frame Time: needs a number of seconds of 1e-05 to 1000, not '1e"),
    "no frame time": (("Frame Time: 0.04\n", ""), '17: the line "Frame Time: <seconds>" must follow Frames'),
    "frame time 0": (("0.04", "0"), "18: Frame Time: needs a number of seconds above 0, not '0'"),
    "frame time nan": (("0.04", "nan"), "18: Frame Time: needs a number of seconds above 0, not 'nan'"),
    "a number nan": (("-50", "nan"), "20: 'nan' is not a finite number below 1e15; correct it, or delete its"),
    "a number too large": (("-50", "1e999"), "20: '1e999' is not a finite number below 1e15"),
    "a decimal comma": (("-50", "-50,5"), "20: '-50,5' is not a finite number below 1e15; write decimal points"),
    "a value missing": (("0 1 0 10", "0 1 0"), "19: this line has 8 numbers, but a frame has 9 channels; export"),
    "a value shifted": (("60\n1 2", "60 1\n2"), "19: this line has 10 numbers, but a frame has 9 channels; export"),
    "a value lost at the end": (
        (" -60\n", ""),
        "20: this line has 8 numbers, but a frame has 9 channels; cut off there; set Frames: to 1 to",
    ),
    "zero bytes": (("hip", "h\0p"), "contains NUL bytes"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, case: str) -> None:
    (old, new), message = REFUSED[case]
    where = "file.bvh:" if message[0].isdigit() else "file.bvh: "
    with pytest.raises(posable.FileError, match=re.escape(where + message)):
        load_text(tmp_path, ARM.replace(old, new))


def test_too_many_joints_are_refused_before_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posable.formats.bvh.hierarchy.MAX_JOINTS", 1)
    with pytest.raises(posable.FileTooLargeError, match="declares 2 joints; posable accepts at most 1 in one file"):
        load_text(tmp_path, ARM)


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_files_only_ever_raise_our_errors(attack: Callable[..., Outcome], shared: Path) -> None:
    seeds = [ARM.encode(), shared / "mocap/rotation_first_root.bvh", shared / "mocap/mh_dance1.bvh"]
    outcome = attack(".bvh", seeds)
    assert outcome.refused > outcome.loaded > 0
