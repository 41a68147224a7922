"""How low goals are dragged, and the word for those that are set lower."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.exporting import export
from posable.studio.floors import below_ground, floors_of, off_ground
from posable.studio.journal import to_json
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.session_store import open_session, session_folder


def test_hips_sit_on_the_ground_feet_stand_on_it_and_hands_touch_it() -> None:
    document = document_of(posable.figure("mannequin"), "mannequin")
    floors = floors_of(document)
    heights = {goal.name: goal.position[1] for goal in document.goals}
    assert set(floors) == set(heights) - {"head"}, "a look is no place"
    assert 0.05 < floors["pelvis"] < 0.2
    assert floors["left foot"] == pytest.approx(heights["left foot"])
    assert 0.03 < floors["right hand"] < 0.04, "the wrist of a hand that lies there"
    assert Session(document).page_json()["floors"] == floors


def test_a_figure_that_does_not_stand_on_the_ground_has_none() -> None:
    assert floors_of(document_of(posable.figure("snake"), "snake")) == {}
    assert floors_of(document_of(posable.figure("arm7"), "arm7")) == {}
    document = document_of(posable.figure("mannequin"), "mannequin")
    assert floors_of(replace(document, terrain={"kind": "plane", "height": -1.0})) == {}


def test_the_status_tells_what_is_set_below_the_ground() -> None:
    session = Session()
    session.handle(b.GoalsMove({"pelvis": (0.0, 0.8, 0.0)}, {}))
    assert below_ground(session.document) == ("", 0.0)
    assert session.status()["text"] == "every goal is met"
    session.handle(c.Undo())
    session.handle(b.GoalsMove({"right hand": (-0.3, -0.05, 0.4)}, {}))
    name, depth = below_ground(session.document)
    assert name == "right hand" and depth == pytest.approx(0.05)
    assert session.status()["text"] == "every goal is met; right hand is 5 cm below the ground"


def lowest(figure: posable.Figure, pose: posable.Pose) -> float:
    return float(min(sole.corner_places(pose)[:, 1].min() for sole in posable.motion.soles(figure)))


def lowered(by: float) -> posable.Figure:
    """The mannequin as a file has it that begins at the hips, with a clip on the ground and one as low as its rest."""
    figure = posable.figure("mannequin").with_root("free")
    root, *others = figure.skeleton.definitions
    x, y, z = root.position
    down = posable.Skeleton([replace(root, position=(x, y - by, z)), *others], "y")
    clips = [
        posable.Clip(down, q[None].repeat(3, 0), 30.0, name)
        for name, q in (("on", figure.rest.q), ("low", posable.Figure(down).rest.q))
    ]
    return replace(figure.on(down), clips=clips)


def test_a_figure_whose_file_begins_at_its_hips_is_put_on_the_ground(tmp_path: Path) -> None:
    posable.save(tmp_path / "low.glb", lowered(0.9))
    session, _ = open_session(tmp_path / "low.glb", tmp_path / "session")
    document = session.document
    assert lowest(document.figure, document.pose) == pytest.approx(0.0, abs=1e-4)
    assert floors_of(document)["left hand"] > 0 and floors_of(document)["pelvis"] > 0
    assert [round(lowest(document.figure, posable.Pose(clip.skeleton, clip.q[0])), 4) for clip in document.clips] == [
        0.0,
        0.0,
    ]
    assert "0.9 below 0" in document.opened.notes[-1]

    session.handle(b.GoalsMove({"left hand": (0.4, 1.2, 0.2)}, {}))
    session.handle(c.Undo())
    assert lowest(document.figure, session.document.pose) == pytest.approx(0.0, abs=1e-4)
    exported = posable.load(export("glb", session.document, session.player, tmp_path, session.folder))
    assert off_ground(exported) == 0.0

    again, _ = open_session(tmp_path / "low.glb", tmp_path / "session")
    assert lowest(document.figure, again.document.pose) == pytest.approx(0.0, abs=1e-4)


def test_a_session_of_before_leaves_its_figure_where_the_file_has_it(tmp_path: Path) -> None:
    posable.save(tmp_path / "low.glb", lowered(0.9))
    old = document_of(lowered(0.9), "upload-0-low.glb")
    state = {
        name: value
        for name, value in to_json(old, session_folder(None, tmp_path / "session")).items()
        if name != "as_filed"
    }
    (tmp_path / "session" / "journal.jsonl").write_text(json.dumps(state) + "\n")
    for _ in range(2):  # the second time it is no longer an old session
        session, _ = open_session(tmp_path / "low.glb", tmp_path / "session")
        assert lowest(session.document.figure, session.document.pose) == pytest.approx(-0.9, abs=1e-4)
        session.handle(b.GoalsMove({"left hand": (0.4, 0.3, 0.2)}, {}))
        session.handle(c.Undo())
