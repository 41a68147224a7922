"""VRM animation: a humanoid skeleton and its motion; what is no part of the body stays out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats.gltf_models import Model
from formats.plain_gltf import PlainGltf

from posable.errors import UnsupportedFileError
from posable.formats import load, save


def dance() -> Model:
    """Hips over spine, an expression node that says its weight as a translation, and a node between that is no bone."""
    model = Model()
    model.add("nodes", name="Hips", children=[1], translation=[0, 1, 0])
    model.add("nodes", name="helper", children=[2], translation=[0, 0.1, 0])
    model.add("nodes", name="Spine", translation=[0, 0.2, 0])
    model.add("nodes", name="happy")
    bones = {"hips": {"node": 0}, "spine": {"node": 2}}
    model.raw["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}
    model.animation(2, "rotation", [0, 1], [[0, 0, 0, 1], [0.6, 0, 0, 0.8]])
    happy = {"input": model.accessor([0, 1]), "output": model.accessor([[0, 0, 0], [1, 0, 0]])}
    model.raw["animations"][0]["samplers"].append(happy)
    model.raw["animations"][0]["channels"].append({"sampler": 1, "target": {"node": 3, "path": "translation"}})
    return model


def test_the_body_and_its_motion(tmp_path: Path) -> None:
    figure = load(dance().glb(tmp_path, "dance.vrma"))
    assert [(j.name, j.kind, j.aliases) for j in figure.skeleton.definitions] == [
        ("Hips", "free", ("hips",)), ("helper", "fixed", ()), ("Spine", "ball", ("spine",)),
    ]  # fmt: skip
    (clip,) = figure.clips
    assert (clip.fps, len(clip)) == (30, 31)
    np.testing.assert_allclose(clip.poses[30].of("spine"), (0.8, 0.6, 0, 0), atol=1e-7)


def test_a_file_without_a_humanoid_is_refused(tmp_path: Path) -> None:
    model = dance()
    del model.raw["extensions"]
    with pytest.raises(UnsupportedFileError, match=r"has no humanoid \(extensions.VRMC_vrm_animation\).*name it .glb"):
        load(model.glb(tmp_path, "dance.vrma"))


def test_posable_writes_no_vrma(tmp_path: Path) -> None:
    figure = load(dance().glb(tmp_path, "dance.vrma"))
    with pytest.raises(UnsupportedFileError, match=r"posable does not write \.vrma"):
        save(tmp_path / "out.vrma", figure)


def test_a_real_animation(shared: Path) -> None:
    path = shared / "characters/test.vrma"
    figure, plain = load(path), PlainGltf(path)
    bones = plain.raw["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]
    assert {figure.skeleton.joints[figure.skeleton.index(name)] for name in bones} == {
        plain.nodes[bone["node"]]["name"] for bone in bones.values()
    }
    assert "happy" not in figure.skeleton.joints
    assert figure.notes == ()
    (clip,) = figure.clips
    assert np.ptp(clip.q, axis=0).max() > 0.1
