"""Proof sheets of bindings: what is shown, in which colors, and how far each joint is bent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from smooth_body import smooth_body

import posable
from posable.errors import PosableError, UnknownJointError, UnsupportedFileError
from posable.view.sheet import bending_film, bent_at, binding_sheet, main_joints, weight_colors

BODY = smooth_body()
NONE, ALL = (0.87, 0.87, 0.88), (0.62, 0.04, 0.12)


def test_heat_is_grey_without_weight_and_red_alone() -> None:
    skin = BODY.skins[0]
    index = BODY.skeleton.index("head")
    follows = np.where(skin.joints == index, skin.weights, 0).sum(axis=1)
    colors = weight_colors(skin, "head")
    np.testing.assert_allclose(colors[follows == 0], np.tile(NONE, ((follows == 0).sum(), 1)), atol=1e-6)
    np.testing.assert_allclose(colors[follows == 1], np.tile(ALL, ((follows == 1).sum(), 1)), atol=1e-6)
    with pytest.raises(UnknownJointError, match="no joint is called 'hed'; did you mean head"):
        weight_colors(skin, "hed")


def test_realms_mix_the_colors_of_the_joints_that_are_followed() -> None:
    skin = BODY.skins[0]
    colors, strongest = weight_colors(skin), skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)]
    alone = skin.weights.max(axis=1) > 1 - 1e-6
    of_joint = {int(joint): colors[alone & (strongest == joint)] for joint in np.unique(strongest[alone])}
    for own in of_joint.values():
        np.testing.assert_allclose(own, np.tile(own[0], (len(own), 1)), atol=1e-5)
    firsts = np.array([own[0] for own in of_joint.values()])
    apart = np.linalg.norm(firsts[:, None] - firsts, axis=2) + 9 * np.eye(len(firsts))
    assert apart.min() > 0.02
    assert (colors >= 0).all() and (colors <= 1).all()


def test_the_main_joints_of_a_body() -> None:
    names = main_joints(BODY)
    assert {"spine", "neck", "upper_arm_l", "forearm_l", "thigh_l", "shin_l"} <= set(names)
    assert not {name for name in names if name.endswith("_r")} and "root" not in names


@pytest.mark.parametrize("name", ["forearm_l", "shin_l", "upper_arm_l", "head"])
def test_a_bend_is_large_across_the_bone_and_inside_the_limits(name: str) -> None:
    pose = bent_at(BODY, name)
    assert (pose.clamped().q == pose.q).all()
    joint = BODY.skeleton.index(name)
    turn = pose.world_from_joint[joint, :3, :3] @ BODY.rest.world_from_joint[joint, :3, :3].T
    assert np.degrees(np.arccos((np.trace(turn) - 1) / 2)) > 30
    others = [k for k in range(len(BODY.skeleton.joints)) if joint not in BODY.skeleton.chain(k)]
    assert (pose.world_from_joint[others] == BODY.rest.world_from_joint[others]).all()


@pytest.mark.slow
def test_the_sheet_has_a_pair_of_panels_for_each_joint(tmp_path: Path) -> None:
    image = binding_sheet(BODY, tmp_path / "sheet.png", joints=["forearm_l"], size=(64, 64))
    assert image.shape == (64, 256, 3)
    assert (np.array(Image.open(tmp_path / "sheet.png")) == image).all()
    bare, realms, bent, heat = np.split(image, 4, axis=1)
    assert (bare != realms).any() and (realms != bent).any() and (bent != heat).any()


@pytest.mark.slow
def test_the_film_bends_one_joint_after_another(tmp_path: Path) -> None:
    bending_film(BODY, tmp_path / "bends.gif", joints=["forearm_l", "head"], size=(64, 64), progress=False)
    with Image.open(tmp_path / "bends.gif") as film:
        assert film.n_frames > 60


@pytest.mark.slow
def test_refused(tmp_path: Path) -> None:
    with pytest.raises(PosableError, match="has no skin, so there is no binding to show; bind a mesh first"):
        binding_sheet(posable.figure("doorbell_arm"))
    with pytest.raises(UnsupportedFileError, match=r"a sheet is written as \.png \(or its film as \.mp4 or \.gif\)"):
        binding_sheet(BODY, tmp_path / "sheet.bmp")
    with pytest.raises(UnknownJointError, match="no joint is called 'elbow'"):
        binding_sheet(BODY, joints=["elbow"])
