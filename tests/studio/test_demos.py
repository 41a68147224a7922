"""Demonstrations, held keys, text figures, and meshes that are bound when they are dropped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.exporting import export
from posable.studio.opening import DEMOS, RACE
from posable.studio.records import MessageError
from posable.studio.session import Session
from posable.studio.session_store import open_session
from posable.studio.uploads import bound_mesh, opened, stored_name


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(folder=tmp_path)


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_follows_held_keys_as_one_step(session: Session, name: str) -> None:
    session.handle(c.DemoLoad(name))
    assert session.document.demo == name
    assert bool(session.document.text) != bool(DEMOS[name].race)
    steps, start = len(session.history.done), session.document
    session.handle(c.DemoKey("ArrowDown", True))
    session.handle(c.DemoKey("ArrowLeft", True))
    assert session.is_ticking
    for _ in range(10):
        session.tick(1 / 60)
    session.handle(c.DemoKey("ArrowLeft", False))
    assert session.is_ticking
    session.handle(c.DemoKey("ArrowDown", False))
    assert not session.is_ticking and len(session.history.done) == steps + 1
    way = np.array(session.document.goals[0].position) - start.goals[0].position
    across, up = (0, "xyz".index(session.document.figure.skeleton.up))
    assert way[up] < 0 and way[across] < 0
    assert np.linalg.norm(way) == pytest.approx(
        DEMOS[name].speed * session.document.figure.skeleton.reach / 6, rel=1e-6
    )
    assert np.abs(session.document.pose.minus(start.pose)).max() > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["snake", RACE])
def test_held_keys_take_no_goal_to_where_nothing_follows(session: Session, name: str) -> None:
    session.handle(c.DemoLoad(name))
    session.handle(c.DemoKey("ArrowRight", True))
    for _ in range(80):
        session.tick(0.5)
    figure = session.document.figure
    for goal in session.document.goals:
        root = figure.skeleton.index(goal.joint)
        while figure.skeleton.parents[root] >= 0:
            root = figure.skeleton.parents[root]
        away = np.linalg.norm(np.array(goal.position) - figure.rest.origins[root])
        assert away <= 1.1 * figure.skeleton.reach + 1e-9


def test_methods_race_on_the_open_figure_with_times(session: Session) -> None:
    arm = posable.figure("arm7")
    session.handle(c.FigureBuiltin("arm7"))
    end = session.document.goals[0]
    session.handle(b.MethodsRace(end.name))
    document = session.document
    methods = [goal.method for goal in document.goals]
    assert [goal.name for goal in document.goals] == methods and len(set(methods)) == 5
    assert len(document.figure.skeleton.joints) == 5 * len(arm.skeleton.joints)
    session.handle(c.DemoKey("ArrowDown", True))
    session.tick(0.2)
    session.handle(c.DemoKey("ArrowDown", False))
    told = session.status()["goals"]
    assert all(one["ms"] > 0 and one["iterations"] > 0 for one in told)
    assert json.dumps(session.status())
    session.handle(c.Undo())
    session.handle(c.Undo())
    assert session.document.demo is None and session.status()["goals"][0]["ms"] is None


def test_a_race_on_the_open_figure_is_opened_again(tmp_path: Path) -> None:
    session, _ = open_session(None, tmp_path)
    session.handle(c.FigureBuiltin("arm7"))
    session.handle(b.MethodsRace(session.document.goals[0].name))
    again, told = open_session(None, tmp_path)
    assert "2 steps" in told
    assert again.document.figure.skeleton == session.document.figure.skeleton
    assert [goal.method for goal in again.document.goals] == [goal.method for goal in session.document.goals]


def test_keys_that_move_nothing_are_refused(session: Session) -> None:
    with pytest.raises(MessageError, match="moves nothing"):
        session.handle(c.DemoKey("q", True))


def test_the_text_of_a_demo_is_edited_and_reloaded(session: Session) -> None:
    session.handle(c.DemoLoad("snake"))
    text, before = session.document.text or "", session.document
    session.handle(c.TextReload(text))
    assert session.document.figure.skeleton == before.figure.skeleton
    assert session.document.goals[0].position == before.goals[0].position
    with pytest.raises(posable.FileError, match=r"toml:\d+"):
        session.handle(c.TextReload(text + "\n[[joint]]\nname = 3\n"))
    assert session.document.text == text
    session.handle(c.Undo())
    assert session.document is before


@pytest.mark.slow
def test_a_mesh_without_a_skeleton_gets_one(session: Session) -> None:
    human = posable.figure("mannequin")
    vertices, faces = human.skins[0].deform(human.rest), human.skins[0].faces
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices] + [f"f {a} {b} {d}" for a, b, d in faces + 1]
    name = stored_name("person.obj", session.folder)
    (session.folder / name).write_text("\n".join(lines))
    session.handle(c.FigureOpen(name))
    assert len(session.document.figure.skins[0].vertices) == len(vertices)
    assert {"left hand", "right foot"} <= {goal.name for goal in session.document.goals}
    hand = session.document.goal("left hand")
    x, y, z = hand.position
    session.handle(c.GoalSet("left hand", position=(x, y + 0.2, z)))
    assert session.status()["status"] == "REACHED"


def test_a_mesh_that_is_no_person_is_refused_in_words(tmp_path: Path) -> None:
    leaf = tmp_path / "leaf.obj"
    leaf.write_text("v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    with pytest.raises(posable.PosableError):
        bound_mesh(leaf)


@pytest.mark.slow
def test_a_skin_is_bound_anew_and_kept(session: Session) -> None:
    session.handle(c.SkinPaint("head", [tuple(session.document.figure.skins[0].vertices[0].tolist())], 0.2, 1.0))
    painted = session.document.figure.skins[0].weights
    session.handle(c.SkinBind("voxel"))
    assert session.document.is_reskinned
    assert not np.array_equal(session.document.figure.skins[0].weights, painted)
    assert np.array_equal(session.document.opened.skins[0].weights, session.document.figure.skins[0].weights)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["glb", "bvh", "mp4", "gif"])
def test_what_plays_is_exported(session: Session, tmp_path: Path, kind: str) -> None:
    session.handle(c.TimelineSet(fps=10.0))
    session.handle(c.WalkMake(1))
    path = export(kind, session.document, session.player, tmp_path, session.folder)
    clip = session.player.clip(session.document)
    assert clip is not None and path.stat().st_size > 1000
    if kind in ("glb", "bvh"):
        again = posable.load(path).clips[-1]
        assert len(again) == len(clip)
        ends = [c.poses[-1].origins[c.skeleton.index("hand_l")] for c in (clip, again)]
        assert np.allclose(ends[0], ends[1], atol=1e-3)


def test_what_was_not_uploaded_is_not_opened(session: Session) -> None:
    for name in ("../secret.glb", "/etc/passwd", "upload-9-a.glb", "journal.jsonl/.."):
        with pytest.raises(posable.PosableError, match="was uploaded"):
            opened(session.folder, name)


def test_feet_find_the_ground_under_a_clip(session: Session) -> None:
    session.handle(c.WalkMake(2))
    session.handle(c.ClipBake())
    level = session.player.clip(session.document)
    session.handle(c.TerrainSet({"kind": "plane", "height": 0.1}))
    raised = session.player.clip(session.document)
    assert level is not None and raised is not None
    foot = level.skeleton.index("foot_l")
    middle = len(level) // 2
    lift = raised.poses[middle].origins[foot, 1] - level.poses[middle].origins[foot, 1]
    assert lift == pytest.approx(0.1, abs=0.02)
