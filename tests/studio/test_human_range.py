"""Game rigs state no limits: their trunk, neck and head rotate in drags no further than a person's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from natural.test_human_limits import angles, trunk_of
from studio.test_whole_body import led

import posable
from posable.studio import commands as c
from posable.studio.human_range import dragged_figure, has_human_limits
from posable.studio.opening import document_of
from posable.studio.page import page_of
from posable.studio.session import Session


@pytest.fixture
def session(shared: Path) -> Session:
    return Session(document_of(posable.load(shared / "rigs/modular_women_Soldier.glb"), "soldier"))


def led_up(session: Session) -> float:
    """How far the trunk is bent and rotated, in degrees, by a hand that is led above where it can reach."""
    figure = session.document.figure
    found, origins = posable.roles(figure), figure.rest.origins
    shoulder, hand = (origins[figure.skeleton.index(found[role])] for role in ("upper_arm_r", "hand_r"))
    x, y, z = (shoulder + 1.45 * np.linalg.norm(hand - shoulder) * np.asarray(found.up)).tolist()
    goal = next(one.name for one in session.document.goals if one.joint == found["hand_r"])
    led(session, goal, (x, y, z), steps=30)
    return float(np.abs(angles(figure, session.document.pose, *trunk_of(figure))).max())


def test_the_trunk_of_a_game_rig_bends_as_a_persons(session: Session) -> None:
    assert led_up(session) < 40.0
    session.handle(c.PoseReset())
    session.handle(c.OptionsSet(human_limits=False))
    assert led_up(session) > 50.0


def test_a_pose_outside_the_range_stays(session: Session) -> None:
    """Limits would rotate the trunk at once."""
    document = session.document
    assert has_human_limits(document) and session.page_json()["has_human_limits"]
    chest = document.figure.skeleton.index(posable.roles(document.figure)["chest"])
    step = np.zeros(document.figure.skeleton.dof)
    step[list(document.figure.skeleton.freedom_range(chest))] = (0.0, 1.2, 0.0)
    session.document = replace(document, pose=document.pose.plus(step), origin=None)
    assert not has_human_limits(session.document) and dragged_figure(session.document) is document.figure
    before = angles(document.figure, session.document.pose, *trunk_of(document.figure))
    led(session, session.document.goals[0].name, tuple(np.array(session.document.goals[0].position) + 0.01), steps=2)
    assert np.abs(angles(document.figure, session.document.pose, *trunk_of(document.figure)) - before).max() < 10.0


def test_without_natural_poses_and_for_other_figures_there_are_none(session: Session) -> None:
    session.handle(c.OptionsSet(natural=0.0))
    assert not has_human_limits(session.document)
    for name in ("mannequin", "snake", "arm6"):
        assert not has_human_limits(document_of(posable.figure(name), name))


def test_an_exported_page_has_the_range_where_all_its_poses_are_within(session: Session) -> None:
    figure = session.document.figure
    chest, hips = figure.skeleton.index(posable.roles(figure)["chest"]), trunk_of(figure)[0]
    step = np.zeros(figure.skeleton.dof)
    step[list(figure.skeleton.freedom_range(chest))] = (0.0, 1.2, 0.0)
    outside = figure.rest.plus(step)
    assert abs(angles(figure, outside, hips, figure.skeleton.joints[chest])[2]) > 44.0

    def limited(motion: posable.Pose | posable.Clip | None, **given: bool) -> bool:
        cones = json.loads(page_of(figure, motion, **given).before.split('id="live">')[1].split("</script>")[0])
        return max(row[7] for row in cones["record"]["cones"]) >= 0.0

    assert limited(None) and limited(figure.rest)
    assert not limited(outside) and not limited(None, human_limits=False)
    assert not limited(posable.Clip(figure.skeleton, np.stack([figure.rest.q, outside.q]), 30.0))
