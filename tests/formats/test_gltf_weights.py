"""Other weights for a glTF that was read: they go into the file, and everything else in it stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from formats.gltf_models import arm
from formats.plain_gltf import split_glb

from posable.figures import Figure
from posable.formats import load, save
from posable.skeleton import Pose


def some_pose(figure: Figure) -> Pose:
    skeleton = figure.skeleton
    return figure.rest.plus(0.3 * np.random.default_rng(0).standard_normal(skeleton.dof) * skeleton.tables.active)


def rebound(figure: Figure) -> Figure:
    """Every vertex follows three joints of its skin, any three."""
    rng, skins = np.random.default_rng(5), []
    for skin in figure.skins:
        joints = rng.choice(skin.used_joints, (len(skin.vertices), 3)).astype(np.int32)
        weights = rng.dirichlet((1, 1, 1), len(joints)).astype(np.float32)
        skins.append(replace(skin, joints=joints, weights=weights))
    return replace(figure, skins=tuple(skins))


@pytest.mark.parametrize("name", ["CesiumMan.glb", "MH_game_engine.glb", "RobotExpressive.glb", "cryptovoxels.vrm"])
def test_other_weights_go_into_the_file_and_its_looks_stay(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "characters" / name
    figure = rebound(load(source))
    save(tmp_path / name, figure)
    before, after = split_glb(source.read_bytes()), split_glb((tmp_path / name).read_bytes())
    for key in ("materials", "textures", "images", "samplers", "animations", "extensions"):
        assert before[0].get(key) == after[0].get(key)
    assert after[1].startswith(before[1].rstrip(b"\0"))
    for i, (old, new) in enumerate(zip(before[0]["nodes"], after[0]["nodes"], strict=True)):
        assert {**old, "skin": 0} == {**new, "skin": 0}, i
    again = load(tmp_path / name)
    pose = some_pose(again)
    for one, two in zip(figure.skins, again.skins, strict=True):
        there = Pose(figure.skeleton, pose.q)
        assert np.abs(one.deform(there) - two.deform(pose)).max() < 1e-5 * figure.skeleton.reach


def test_a_mesh_that_two_nodes_show_is_bound_anew_for_one_of_them_alone(tmp_path: Path) -> None:
    model = arm()
    more = {"JOINTS_1": model.accessor([[1, 0, 0, 0]] * 6, "u1"), "WEIGHTS_1": model.accessor([[0.3, 0, 0, 0]] * 6)}
    model.raw["meshes"][0]["primitives"][0]["attributes"] |= more
    model.raw["scenes"][0]["nodes"].append(model.add("nodes", name="twin", mesh=0, skin=0))
    figure = load(model.gltf(tmp_path))
    first, second = figure.skins
    changed = replace(
        figure, skins=(replace(first, joints=first.joints[:, :2], weights=np.tile((0.25, 0.75), (6, 1))), second)
    )
    save(tmp_path / "changed.glb", changed)
    again = load(tmp_path / "changed.glb")
    pose = some_pose(again)
    for one, two in zip(changed.skins, again.skins, strict=True):
        assert np.abs(one.deform(Pose(figure.skeleton, pose.q)) - two.deform(pose)).max() < 1e-5
    assert np.abs(again.skins[0].deform(pose) - again.skins[1].deform(pose)).max() > 1e-3
