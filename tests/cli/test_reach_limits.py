"""`posable reach`: units that it refuses, and gazes that stop at a person's range."""

from __future__ import annotations

import math

import pytest

import posable


@pytest.mark.parametrize("words", [["info"], ["reach", "--goal", "hand_r=-0.3,1.2,0.3"]])
def test_a_unit_is_refused_for_a_file_that_states_its_own(run, words) -> None:
    """`reach hero.glb --unit cm` made the figure 1.7 cm high without a word."""
    posable.save("hero.glb", posable.figure("mannequin"))
    ran = run(words[0], "hero.glb", *words[1:], "--unit", "cm")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith("posable: hero.glb: is in metres or states its unit; --unit (unit=) is for .bvh, .asf")
    assert run("reach", "--unit", "cm").err == "posable: the mannequin is in metres with y up; leave --unit out\n"


def test_a_gaze_that_stops_short_is_told(run) -> None:
    ran = run("reach", "--look", "head=0,1.6,-3", "-o", "out.glb")
    assert "head stops 76.4° short of its point: trunk, neck and head rotate by 104° together" in ran.out
    assert "every goal is met" not in ran.out
    told = run("reach", "--look", "head=0,1.6,-3", "-o", "out.glb", "--force", "--json").json
    assert (told["status"], told["goals"][0]["kind"]) == ("AT_LIMIT", "LookAt")
    assert math.degrees(told["goals"][0]["angle"]) == pytest.approx(76.4, abs=0.1)
    plain = run("reach", "--look", "head=0,1.6,-3", "-o", "out.glb", "--force", "--json", "--plain").json
    assert math.degrees(plain["goals"][0]["angle"]) < 30
