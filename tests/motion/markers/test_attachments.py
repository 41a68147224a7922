"""The table of attachments: labels understood, written, read, and its mistakes named."""

from __future__ import annotations

from pathlib import Path

import pytest

import posable
from posable.errors import FileError, PosableError
from posable.motion.markers import Attachment, Attachments, guess_attachments
from posable.motion.markers.landmarks import meaning_of

JOINT_OF = {
    "LASI": "root", "RPSI": "root", "LTHI": "thigh_l", "RKNE": "thigh_r", "LTIB": "shin_l", "RANK": "shin_r",
    "LHEE": "foot_l", "RTOE": "foot_r", "LSHO": "clavicle_l", "RELB": "upper_arm_r", "LWRA": "forearm_l",
    "RWRB": "forearm_r", "LFIN": "hand_l", "C7": "chest", "T10": "chest", "CLAV": "chest", "STRN": "chest",
    "RBHD": "head", "Patient:LFHD": "head", "ArmL1": "upper_arm_l", "ForearmR3": "forearm_r", "GloveL2": "hand_l",
    "ScapulaR1": "clavicle_r", "LateralEpicondyleL": "upper_arm_l", "R.Knee.Med": "thigh_r", "L.Heel": "foot_l",
    "R_Thigh_2": "thigh_r", "LeftUpperArm": "upper_arm_l", "Right Shank 1": "shin_r", "V.Sacral": "root",
    "R.Shoulder": "clavicle_r", "Sternum": "chest", "Head2": "head", "Foot_Marker1": "foot_l",
}  # fmt: skip


@pytest.fixture(scope="module")
def figure() -> posable.Figure:
    return posable.figure("mannequin")


def test_labels_are_understood(figure: posable.Figure) -> None:
    named = guess_attachments(figure, list(JOINT_OF))
    assert {label: one.joint for label, one in named.attachments.items()} == JOINT_OF
    assert named.unused == {}
    assert named.notes == ("no side in Foot_Marker1: taken for the left",)


def test_places_are_about_where_people_put_them(figure: posable.Figure) -> None:
    named = guess_attachments(figure, ["LASI", "RASI", "C7", "CLAV", "R.Knee.Med", "RKNE"]).attachments
    rest = figure.rest

    def at(label: str) -> list[float]:
        one = named[label]
        frame = rest.world_from_joint[figure.skeleton.index(one.joint)]
        return (frame[:3, :3] @ one.offset + frame[:3, 3]).tolist()

    assert at("LASI")[0] == pytest.approx(-at("RASI")[0])
    assert at("LASI")[0] > 0.08
    assert at("CLAV")[2] > at("C7")[2] + 0.1
    assert at("RKNE")[0] < at("R.Knee.Med")[0] < 0


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("PELO", "names no part"), ("WheelchairRearR", "names no part"), ("Probe1", "names no part"),
        ("*111", "has no name"), ("42", "has no name"), ("LKneeAngles", "is computed"), ("CentreOfMass", "is computed"),
    ],
)  # fmt: skip
def test_labels_of_other_things_are_left_out(label: str, why: str) -> None:
    assert meaning_of(label).site is None
    assert why in meaning_of(label).why


def test_a_table_round_trips_and_aliases_are_heeded(figure: posable.Figure, tmp_path: Path) -> None:
    table = Attachments(
        {
            "LASI": Attachment("root", (0.1, 0.2, -0.3), 0.5, 0.01, ("L.ASIS", 'odd "name"')),
            "R 1.2": Attachment("hand_r"),
        }
    )
    table.save(tmp_path / "t.toml")
    again = Attachments.load(tmp_path / "t.toml", figure.skeleton)
    assert dict(again) == dict(table)
    assert again.of("L.ASIS") == table["LASI"]
    assert again.of("RASI") is None
    assert repr(again) == "Attachments(2 markers)"
    with pytest.raises(FileError, match=r"t\.toml: already exists"):
        table.save(tmp_path / "t.toml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[markers.A]\njoint = 'haed'", "markers: A: .*haed"),
        ("[markers.A]\noffset = [1, 2, 3]", "markers: A: joint is missing"),
        ("[markers.A]\njoint = 'head'\noffset = [1, 2]", "offset must be 3 numbers"),
        ("[markers.A]\njoint = 'head'\nweight = -1", "weight is at least 0, not -1"),
        ("[markers.A]\njoint = 'head'\nwieght = 1", "'wieght' is not a known key; did you mean weight"),
        ("[markers.A]\njoint = 'head'\nalias = 'B'", "alias must be a list of labels"),
        ("[markers]", "names no marker"),
        ("markers = 3", "markers must be a table"),
        ("", "markers is missing"),
    ],
)
def test_mistakes_in_a_table_are_named(figure: posable.Figure, tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=problem):
        Attachments.load(tmp_path / "t.toml", figure.skeleton)


def test_an_offset_that_is_no_place_is_refused() -> None:
    with pytest.raises(PosableError, match="offset is 3 finite numbers"):
        Attachment("head", (0.0, float("nan"), 0.0))
