"""Files that are dropped onto the open figure: motions for it, and ground under it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import Model
from studio.visits import ORIGIN, zipped

import posable
from posable.studio import commands as c
from posable.studio.exporting import export
from posable.studio.floors import put_on_ground
from posable.studio.journal import read_session_file
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.session_store import open_session
from posable.studio.timeline import terrain_of
from posable.studio.uploads import stored_name, titled

RAMP = np.array([[-5, 0, -5], [5, 0, -5], [5, 1, 5], [-5, 1, 5]], float)  # rises along z, 1 in 10; y is up
FACES = np.array([[0, 2, 1], [0, 3, 2]])


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(None, tmp_path / "kept")[0]


def dropped(session: Session, name: str, content: bytes) -> str:
    stored = stored_name(name, session.folder)
    (session.folder / stored).write_bytes(content)
    return stored


def ramp_obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in RAMP] + [f"f {a} {b} {d}" for a, b, d in FACES + 1]
    return "\n".join(lines).encode()


def ramp_glb(folder: Path) -> bytes:
    model = Model()
    attributes = {"POSITION": model.accessor(RAMP)}
    model.add("meshes", primitives=[{"attributes": attributes, "indices": model.accessor(FACES.ravel(), "u2")}])
    model.add("nodes", name="ramp", mesh=0)
    model.add("scenes", nodes=[0])
    model.raw["scene"] = 0
    return model.glb(folder).read_bytes()


def height(session: Session, *point: float) -> float:
    ground = terrain_of(session.document)
    assert ground is not None
    return float(ground.height(point))


@pytest.mark.slow
def test_a_dropped_motion_is_retargeted_and_plays(shared: Path, session: Session) -> None:
    source = shared / "characters/CesiumMan.glb"
    stored = dropped(session, "my walk.glb", source.read_bytes())
    events = session.handle(c.ClipRetarget(stored, "my walk.glb"))
    (clip,) = posable.load(source).clips
    assert session.document.clip == clip.name
    assert not any(isinstance(event, dict) and event["event"] == "clips" for event in events)
    wanted = posable.retarget(clip, session.document.figure)
    played = session.player.clip(session.document)
    assert played is not None and session.document.figure.name == "mannequin"
    assert np.abs(played.poses.minus(wanted.at(played.times))).max() < 1e-9
    again, _ = open_session(None, session.folder)
    assert again.document.clip == clip.name
    assert np.abs(again.document.clips[-1].q - wanted.q).max() < 1e-12
    session.handle(c.Undo())
    assert session.document.clip is None and not session.document.clips


@pytest.mark.slow
def test_of_a_file_with_several_motions_the_main_one_is_taken_and_the_others_are_told(
    shared: Path, session: Session
) -> None:
    stored = dropped(session, "Knight.glb", (shared / "characters/Knight.glb").read_bytes())
    events = session.handle(c.ClipRetarget(stored))
    (told,) = (event for event in events if isinstance(event, dict) and event["event"] == "clips")
    assert (told["name"], told["taken"], len(told["clips"])) == ("Knight", told["clips"][0], 76)
    session.handle(c.ClipRetarget(told["file"], clip="Idle"))
    assert [clip.name for clip in session.document.clips] == [told["taken"], "Idle"]
    with pytest.raises(posable.PosableError, match="Knight has no clip 'Fly'"):
        session.handle(c.ClipRetarget(told["file"], clip="Fly"))


def test_of_several_motions_the_one_that_the_file_plays_is_taken(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = session.document.figure
    idle, walk = (
        posable.Clip(figure.skeleton, np.tile(figure.rest.q, (count, 1)), 30, name)
        for name, count in (("idle", 2), ("walk", 3))
    )
    path = tmp_path / "two.glb"
    posable.save(path, replace(figure, clips=(idle,)), walk)
    monkeypatch.setattr(posable, "retarget", lambda clip, _figure: clip)
    events = session.handle(c.ClipRetarget(dropped(session, "two.glb", path.read_bytes())))
    (told,) = (event for event in events if isinstance(event, dict) and event["event"] == "clips")
    assert (told["clips"], told["taken"]) == (["idle", "walk"], "walk")
    assert session.document.clip == "walk" and len(session.document.clips[-1]) == 3
    stem = titled(replace(figure, clips=(idle, walk), played="walk"), "walk", "a new name")
    assert stem.main_clip is not None and stem.main_clip.name == "a new name"


def test_a_motion_finds_the_skeleton_of_its_subject_among_the_drops(shared: Path, session: Session) -> None:
    folder = shared / "mocap/asfamc"
    motion = dropped(session, "03_01.amc", (folder / "03_01.amc").read_bytes())
    with pytest.raises(posable.FileError, match=r"drop its \.asf file first, or both together"):
        session.handle(c.FigureOpen(motion, "03_01.amc"))
    skeletons = {
        subject: dropped(session, f"{subject}.asf", (folder / f"{subject}.asf").read_bytes())
        for subject in ("02", "03")
    }
    session.handle(c.FigureOpen(motion, "03_01.amc"))
    expected = put_on_ground(posable.load(folder / "03_01.amc"))
    assert session.document.figure.name == "03_01" and len(skeletons) == 2
    assert np.array_equal(session.document.figure.rest.origins, expected.rest.origins)
    (clip,) = session.document.clips
    assert len(clip) == len(expected.clips[0])
    again, _ = open_session(None, session.folder)
    assert again.document.figure.name == "03_01" and len(again.document.clips[0]) == len(clip)


@pytest.mark.slow
def test_a_skeleton_and_its_motion_dropped_together_are_a_figure_that_moves(shared: Path, session: Session) -> None:
    folder = shared / "mocap/asfamc"
    content = zipped(**{name: (folder / name).read_bytes() for name in ("02.asf", "02_01.amc")})
    stored = dropped(session, "02.zip", content)
    session.handle(c.ClipRetarget(stored, "02.zip"))
    assert session.document.figure.name == "mannequin" and [clip.name for clip in session.document.clips] == ["02"]
    session.handle(c.FigureOpen(stored, "02.zip"))
    (clip,) = session.document.clips
    assert len(clip) == len(posable.load(folder / "02_01.amc").clips[0])


def test_what_holds_no_motion_or_no_ground_is_refused_and_changes_nothing(session: Session, tmp_path: Path) -> None:
    before = session.document
    posable.save(tmp_path / "arm.toml", posable.figure("arm6"))
    stored = dropped(session, "arm.toml", (tmp_path / "arm.toml").read_bytes())
    with pytest.raises(posable.PosableError, match="arm has no clip"):
        session.handle(c.ClipRetarget(stored))
    wall = dropped(session, "wall.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(posable.TerrainError, match="all triangles of the mesh are vertical"):
        session.handle(c.TerrainFile(wall))
    for command in (c.TerrainFile("../arm.toml"), c.ClipRetarget("upload-9-x.glb")):
        with pytest.raises(posable.PosableError, match="was uploaded"):
            session.handle(command)
    assert session.document is before


def test_a_dropped_mesh_is_ground_that_is_walked_on_and_kept(session: Session, tmp_path: Path) -> None:
    session.handle(c.WalkMake(2))
    level = session.document.playing
    session.handle(c.TerrainFile(dropped(session, "ramp.obj", ramp_obj()), "ramp.obj"))
    assert session.document.terrain == {"kind": "mesh", "name": "ramp"}
    assert height(session, 0.0, 0.0, 1.0) == pytest.approx(0.6, abs=1e-6)
    walk = session.document.playing
    assert walk is not None and level is not None
    assert walk.poses.origins[-1, 0, 1] - level.poses.origins[-1, 0, 1] > 0.4
    session.handle(c.TerrainSet({"kind": "none"}))
    session.handle(c.TerrainSet({"kind": "mesh", "name": "ramp"}))
    again, _ = open_session(None, session.folder)
    assert height(again, 0.0, 0.0, 1.0) == pytest.approx(0.6, abs=1e-6)
    path = export("session", session.document, session.player, tmp_path, session.folder)
    (tmp_path / "there").mkdir()
    there = read_session_file(path, tmp_path / "there")
    assert there.terrain == session.document.terrain and len(there.meshes["ramp"].mesh.faces) == 2


def test_ground_whose_y_is_up_is_turned_for_a_figure_whose_z_is(tmp_path: Path) -> None:
    session = Session(document_of(posable.figure("arm6"), "arm6"), tmp_path)
    assert session.document.figure.skeleton.up == "z"
    session.handle(c.TerrainFile(dropped(session, "ramp.glb", ramp_glb(tmp_path))))
    assert height(session, 0.0, -1.0, 0.0) == pytest.approx(0.6, abs=1e-6)  # z, the way it rises, is -y now


def test_a_session_file_brings_its_own_files_where_others_have_their_names(session: Session, tmp_path: Path) -> None:
    session.handle(c.TerrainFile(dropped(session, "ground.obj", ramp_obj())))
    path = export("session", session.document, session.player, tmp_path, session.folder)
    there = Session(folder=tmp_path / "there")
    there.folder.mkdir()
    other = dropped(there, "ground.obj", ramp_obj().replace(b"5.0 1.0 5.0", b"5.0 9.0 5.0"))
    assert other == "upload-1-ground.obj"
    there.document = read_session_file(path, there.folder)
    assert height(there, 0.0, 0.0, 1.0) == pytest.approx(0.6, abs=1e-6)
    assert b"9.0" in (there.folder / other).read_bytes()


def test_a_mesh_without_joints_gets_a_skeleton_only_where_one_is_asked_for(page: Any, session: Session) -> None:
    figure = posable.load_mesh(posable.sample("person.obj"))
    skeleton = posable.Skeleton([posable.Joint("bare", "fixed")], "y")
    skin = posable.skin.Skin.rigid(skeleton, "bare", figure.vertices, figure.faces)
    path = session.folder / "made.glb"
    posable.save(path, posable.Figure(skeleton, "bare", skins=(skin,)))
    before = session.document
    for use in ("figure", "companion"):
        answer = page.post(
            "/api/file", params={"name": "bare.glb", "use": use}, content=path.read_bytes(), headers=ORIGIN
        )
        assert answer.status_code == 200 and answer.json()["bare"] and session.document is before
    answer = page.post(
        "/api/file", params={"name": "bare.glb", "use": "clip"}, content=path.read_bytes(), headers=ORIGIN
    )
    assert answer.status_code == 400 and "bare.glb has a mesh and no joints" in answer.json()["message"]
    answer = page.post("/api/file", params={"name": "bare.glb", "fit": "1"}, content=path.read_bytes(), headers=ORIGIN)
    assert not answer.json()["bare"] and len(session.document.figure.skeleton.joints) > 12
    assert any("was fitted to its mesh" in note for note in session.document.opened.notes)
