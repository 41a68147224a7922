"""The skeleton of a figure changed in the studio: joints moved, mirrored, renamed, added, removed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import commands as c
from posable.studio.exporting import export
from posable.studio.session import Session
from posable.studio.session_store import open_session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(None, tmp_path)[0]


def rest_place(session: Session, joint: str) -> np.ndarray:
    rest = session.document.figure.rest
    return rest.origins[rest.skeleton.index(joint)]


def skin_at_rest(session: Session) -> np.ndarray:
    return session.document.figure.skins[0].deform(session.document.figure.rest)


def test_a_moved_joint_takes_nothing_along_and_its_mirror_image_goes_likewise(session: Session, tmp_path: Path) -> None:
    joints = session.document.figure.skeleton.joints
    places, skin = {name: rest_place(session, name) for name in joints}, skin_at_rest(session)
    to = places["forearm_l"] + (0.03, -0.02, 0.01)
    x, y, z = to.tolist()
    session.handle(c.SkeletonMove("forearm_l", (x, y, z), mirror=True))
    np.testing.assert_allclose(rest_place(session, "forearm_l"), to, atol=1e-9)
    np.testing.assert_allclose(rest_place(session, "forearm_r"), to * (-1, 1, 1), atol=1e-6)
    for name in set(joints) - {"forearm_l", "forearm_r"}:
        np.testing.assert_allclose(rest_place(session, name), places[name], atol=1e-9)
    np.testing.assert_allclose(skin_at_rest(session), skin, atol=1e-5)
    again = open_session(None, tmp_path)[0]
    np.testing.assert_allclose(rest_place(again, "forearm_l"), to, atol=1e-6)
    session.handle(c.Undo())
    np.testing.assert_allclose(rest_place(session, "forearm_l"), places["forearm_l"], atol=1e-12)
    session.handle(c.Redo())
    session.handle(c.GoalSet("left hand", position=(0.35, 1.2, 0.35)))
    assert session.status()["status"] == "REACHED"


def test_a_renamed_joint_keeps_its_goal_and_its_keys(session: Session) -> None:
    session.handle(c.KeySet(["left hand"], 0))
    session.handle(c.SkeletonRename("hand_l", "paw"))
    goal = session.document.goal("left hand")
    assert goal.joint == "paw" and "paw" in (goal.keys[0].holds or ())
    with pytest.raises(posable.SkeletonError, match="there is a joint 'hand_r' already"):
        session.handle(c.SkeletonRename("paw", "hand_r"))


def test_a_joint_is_added_bound_and_removed(session: Session, tmp_path: Path) -> None:
    skin = skin_at_rest(session)
    x, y, z = np.add(rest_place(session, "head"), (0.0, 0.12, 0.0)).tolist()
    session.handle(c.SkeletonAdd("head", "hat", (x, y, z)))
    np.testing.assert_allclose(rest_place(session, "hat"), (x, y, z), atol=1e-9)
    np.testing.assert_allclose(skin_at_rest(session), skin, atol=1e-5)
    session.handle(c.SkinPaint("hat", [(x, y, z)], 0.1, 1.0))
    hat, skin_now = session.document.figure.skeleton.index("hat"), session.document.figure.skins[0]
    assert np.where(skin_now.joints == hat, skin_now.weights, 0).max() > 0.2
    path = export("glb", session.document, session.player, tmp_path, session.folder)
    assert "hat" in posable.load(path).skeleton.joints
    session.handle(c.SkeletonRemove("neck"))
    joints = session.document.figure.skeleton.joints
    assert "neck" not in joints and session.document.figure.skeleton.definitions[joints.index("head")].parent == "chest"
    np.testing.assert_allclose(skin_at_rest(session), skin, atol=1e-5)
    again = open_session(None, tmp_path)[0]
    assert again.document.figure.skeleton.joints == joints
    np.testing.assert_allclose(skin_at_rest(again), skin, atol=1e-5)


def test_a_joint_and_its_mirror_image_are_added_and_removed(session: Session) -> None:
    before = session.document.figure.skeleton.joints
    x, y, z = np.add(rest_place(session, "forearm_l"), (0.1, 0.02, 0.03)).tolist()
    session.handle(c.SkeletonAdd("forearm_l", "forearm_l_end", (x, y, z), mirror=True))
    joints = session.document.figure.skeleton.joints
    assert joints[len(before) :] == ("forearm_l_end", "forearm_r_end")
    assert session.document.figure.skeleton.definitions[-1].parent == "forearm_r"
    np.testing.assert_allclose(rest_place(session, "forearm_r_end"), (-x, y, z), atol=1e-9)
    session.handle(c.SkeletonRemove("forearm_r_end", mirror=True))
    assert session.document.figure.skeleton.joints == before
    session.handle(c.SkeletonAdd("head", "hat", (0.0, 1.9, 0.0), mirror=True))
    assert session.document.figure.skeleton.joints[len(before) :] == ("hat",), "the middle has no other side"


def test_joints_are_not_added_under_keys_nor_the_root_removed(session: Session) -> None:
    with pytest.raises(posable.SkeletonError, match="is the root"):
        session.handle(c.SkeletonRemove(session.document.figure.skeleton.joints[0]))
    session.handle(c.KeySet(["head"], 0))
    before = session.document
    with pytest.raises(posable.SkeletonError, match="before there are keys or clips"):
        session.handle(c.SkeletonAdd("head", "hat", (0.0, 1.9, 0.0)))
    assert session.document is before
