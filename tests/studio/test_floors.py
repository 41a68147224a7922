"""How low goals are dragged, and the word for those that are set lower."""

from __future__ import annotations

from dataclasses import replace

import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.floors import below_ground, floors_of
from posable.studio.opening import document_of
from posable.studio.session import Session


def test_hips_sit_on_the_ground_feet_stand_on_it_and_hands_touch_it() -> None:
    document = document_of(posable.figure("mannequin"), "mannequin")
    floors = floors_of(document)
    heights = {goal.name: goal.position[1] for goal in document.goals}
    assert set(floors) == set(heights) - {"head"}, "a look is no place"
    assert 0.05 < floors["pelvis"] < 0.2
    assert floors["left foot"] == pytest.approx(heights["left foot"])
    assert floors["right hand"] == 0
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
