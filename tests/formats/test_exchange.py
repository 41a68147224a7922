"""From one format to another: the joints stay where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats.test_gltf_keep import some_pose

import posable
from posable.clips import Clip
from posable.figures import Figure
from posable.formats import load, save
from posable.skeleton import Pose

CHARACTERS = (
    "CesiumMan.glb", "Fox.glb", "Knight.glb", "MH_game_engine.glb", "Q_PlatformerHumanoid.glb", "Q_Snake.glb",
    "Q_Spider.glb", "Q_Wolf.glb", "RobotExpressive.glb", "SimpleSkin.gltf", "cryptovoxels.vrm", "rigged_simple.gltf",
    "test.vrma",
)  # fmt: skip
ROBOTS = (
    "panda.urdf",
    "g1_29dof_rev_1_0.urdf",
    "baxter.urdf",
    "allegro_right_hand.urdf",
    "dmc_humanoid.xml",
    "r2d2.urdf",
)
RECORDINGS = ("cmu_02_01.bvh", "mh_pose_run01.bvh", "rotation_first_root.bvh")


def error(one: Pose, other: Pose) -> float:
    """The farthest that a joint's origin moved, over the figure's reach; all joints have the same names."""
    assert one.skeleton.joints == other.skeleton.joints
    return float(np.abs(one.origins - other.origins).max() / one.skeleton.reach)


@pytest.mark.parametrize("name", CHARACTERS)
def test_glb_to_bvh_to_pose(shared: Path, tmp_path: Path, name: str) -> None:
    figure = load(shared / "characters" / name)
    poses = Clip(figure.skeleton, np.stack([some_pose(figure, k).q for k in range(4)]), 30)
    save(tmp_path / "out.bvh", figure, poses)
    again = load(tmp_path / "out.bvh")
    rows = [again.skeleton.index(joint) for joint in figure.skeleton.joints]
    found = again.clips[0].poses.origins[:, rows]
    assert np.abs(found - poses.poses.origins).max() < 1e-5 * figure.skeleton.reach


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_to_glb_and_back(shared: Path, tmp_path: Path, name: str) -> None:
    figure = load(shared / "robots" / name)
    pose = Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(0)))
    save(tmp_path / "out.glb", figure)
    again = load(tmp_path / "out.glb")
    assert again.skeleton == figure.skeleton
    assert again.shapes == figure.shapes
    save(tmp_path / "out.glb", figure, pose)
    again = load(tmp_path / "out.glb")
    assert error(again.rest, pose) < 1e-6
    np.testing.assert_allclose(again.rest.q, pose.q, atol=1e-6)


@pytest.mark.parametrize("name", RECORDINGS)
def test_recordings_to_glb_and_back(shared: Path, tmp_path: Path, name: str) -> None:
    figure = load(shared / "mocap" / name)
    save(tmp_path / "out.glb", figure)
    again = load(tmp_path / "out.glb")
    assert again.skeleton == figure.skeleton
    one, two = figure.clips[0], again.clips[0]
    assert (one.name, len(one)) == (two.name, len(two))
    assert two.fps == pytest.approx(one.fps, rel=1e-6)
    assert error(two.poses, one.poses) < 1e-6


@pytest.mark.parametrize("name", ["mannequin", "arm6", "telescope"])
def test_built_in_figures_to_glb_to_bvh(tmp_path: Path, name: str) -> None:
    figure: Figure = posable.figure(name)
    save(tmp_path / "one.glb", figure)
    save(tmp_path / "two.bvh", load(tmp_path / "one.glb"))
    again = load(tmp_path / "two.bvh")
    rows = [again.skeleton.index(joint) for joint in figure.skeleton.joints]
    found = (again.clips[0].poses[0] if again.clips else again.rest).origins[rows]
    assert np.abs(found - figure.rest.origins).max() < 1e-5 * figure.skeleton.reach
