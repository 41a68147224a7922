"""Textures stay: on characters that are painted or bound anew, and on meshes that get their first skeleton."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.gltf_models import Model
from formats.plain_gltf import split_glb

import posable
from posable.studio import commands as c
from posable.studio.exporting import export
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.session_store import open_session
from posable.studio.uploads import opened, stored_name

LOOKS = ("materials", "textures", "images", "samplers")


def exported(session: Session, folder: Path) -> tuple[dict[str, Any], bytes]:
    """The GLB that somebody takes home, its JSON and its bytes."""
    path = export("glb", session.document, session.player, folder, session.folder)
    return split_glb(path.read_bytes())


def looks_of(raw: dict[str, Any], binary: bytes) -> list[Any]:
    """The materials and textures of a file, and the bytes of its pictures."""
    views = [raw["bufferViews"][image["bufferView"]] for image in raw.get("images", ())]
    starts = [view.get("byteOffset", 0) for view in views]
    pictures = [binary[start : start + view["byteLength"]] for start, view in zip(starts, views, strict=True)]
    return [*(raw.get(key) for key in LOOKS), pictures]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Knight.glb"])
def test_a_painted_character_keeps_its_textures(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "characters" / name
    session, _ = open_session(source, tmp_path / "kept")
    nodes = session.nodes.nodes
    hand = session.document.goal("left hand")
    session.handle(c.SkinPaint(hand.joint, [hand.position], 0.3 * session.document.figure.skeleton.reach, 0.8))
    before = split_glb(source.read_bytes())
    assert looks_of(*before)[-1]
    assert looks_of(*exported(session, tmp_path)) == looks_of(*before)
    assert session.nodes.nodes == nodes
    again, _ = open_session(source, tmp_path / "kept")
    assert looks_of(*exported(again, tmp_path)) == looks_of(*before)
    bound = posable.load(tmp_path / f"{session.document.figure.name}.glb")
    for one, two in zip(session.document.figure.skins, bound.skins, strict=True):
        difference = one.deform(session.document.pose) - two.deform(
            posable.Pose(bound.skeleton, session.document.pose.q)
        )
        assert np.abs(difference).max() < 1e-5 * bound.skeleton.reach


@pytest.mark.slow
def test_a_character_that_is_bound_anew_keeps_its_textures(shared: Path, tmp_path: Path) -> None:
    source = shared / "characters/CesiumMan.glb"
    session = Session(document_of(posable.load(source), "CesiumMan.glb"), tmp_path)
    old = session.document.figure.skins[0]
    session.handle(c.SkinBind("voxel"))
    assert not np.array_equal(session.document.figure.skins[0].weights, old.weights)
    assert looks_of(*exported(session, tmp_path)) == looks_of(*split_glb(source.read_bytes()))


def test_a_mesh_with_a_texture_gets_a_skeleton_and_keeps_its_texture(shared: Path, tmp_path: Path) -> None:
    bare = posable.load_mesh(shared / "meshes/mh_proxy741.obj")
    model = Model()
    picture = (shared / "reference").parent / "characters/CesiumMan.glb"
    view = model.view(looks_of(*split_glb(picture.read_bytes()))[-1][0])
    model.add("images", bufferView=view, mimeType="image/jpeg")
    model.add("textures", source=0)
    model.add("materials", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    attributes = {
        "POSITION": model.accessor(bare.vertices),
        "TEXCOORD_0": model.accessor(bare.vertices[:, :2]),
    }
    indices = model.accessor(bare.faces.ravel(), "u2")
    model.add("meshes", primitives=[{"attributes": attributes, "indices": indices, "material": 0}])
    model.add("nodes", name="person", mesh=0)
    model.add("scenes", nodes=[0])
    model.raw["scene"] = 0
    name = stored_name("person.glb", tmp_path)
    before = split_glb(model.glb(tmp_path, name).read_bytes())
    session = Session(document_of(opened(tmp_path, name), name), tmp_path)
    assert {"left hand", "right foot"} <= {goal.name for goal in session.document.goals}
    (tmp_path / "out").mkdir()
    assert looks_of(*exported(session, tmp_path / "out")) == looks_of(*before)
