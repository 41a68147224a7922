"""Chains and tubes of the text description: many alike joints in one entry, and a skin round them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from formats.toml_texts import CHAIN, text_file

import posable
from posable.skeleton import Skeleton
from posable.spatial import wxyz_about

ROOT = Path(__file__).parents[2]


def test_a_chain_is_written_out(tmp_path: Path) -> None:
    skeleton = posable.load(text_file(tmp_path, CHAIN)).skeleton
    assert skeleton.joints == ("base", "neck_1", "neck_2", "neck_3", "neck_4", "head")
    links = skeleton.definitions[1:5]
    assert [joint.parent for joint in links] == ["base", "neck_1", "neck_2", "neck_3"]
    assert [joint.position for joint in links] == [(0, 1, 0)] + [(0, 0.5, 0)] * 3
    assert np.allclose(links[0].wxyz, wxyz_about((0, 1, 0), math.pi / 2), atol=1e-16)
    assert links[1].wxyz == (1, 0, 0, 0)
    assert [joint.axes[0].direction for joint in links] == [(1, 0, 0), (0, -1, 0)] * 2
    assert {joint.axes[0].upper for joint in links} == {math.radians(30)}
    assert [joint.elasticity for joint in links] == [1, 0.75, 0.5, 0.25]
    assert [joint.mass for joint in links] == [2] * 4
    assert [joint.tips for joint in links] == [(), (), (), ((0, 0.5, 0),)]


def test_turns_follow_each_other(tmp_path: Path) -> None:
    text = 'posable = 1\n[[joint]]\nname = "a"\nkind = "free"\nturn = { y = 90, x = 30 }\n'
    (joint,) = posable.load(text_file(tmp_path, text)).skeleton.definitions
    turned = posable.Pose(Skeleton([joint]), [0, 0, 0, *joint.wxyz]).world_from_joint[0, :3, :3]
    assert np.allclose(
        turned @ (0, 0, 1), (math.cos(math.pi / 6), -0.5, 0)
    )  # about y, then about the x that y has moved
    radians = (
        text.replace("posable = 1", 'posable = 1\nangles = "radians"')
        .replace("90", repr(math.pi / 2))
        .replace("30", repr(math.pi / 6))
    )
    (other,) = posable.load(text_file(tmp_path, radians)).skeleton.definitions
    assert np.allclose(other.wxyz, joint.wxyz, atol=1e-16)


# --- tubes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["snake", "tentacle", "dinosaur_neck", "spider"])
def test_tubes_are_closed_and_follow_their_chain(name: str) -> None:
    figure = posable.load(ROOT / f"examples/creatures/{name}.toml")
    for skin in figure.skins:
        corners = skin.vertices.astype(float)[skin.faces]
        edges = {(int(a), int(b)) for face in skin.faces for a, b in zip(face, np.roll(face, -1), strict=True)}
        assert all((b, a) in edges for a, b in edges), "a hole"
        assert len(edges) == 3 * len(skin.faces), "two faces turn one way round an edge"
        assert np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0, "inside out"
        assert np.abs(skin.deform(figure.rest) - skin.vertices).max() < 1e-6
        assert (skin.weights >= 0).all()


def test_a_tube_has_the_radius_that_it_is_given(tmp_path: Path) -> None:
    text = (
        CHAIN.replace("turn = { y = 90 }\n", "")
        + '[[skin]]\nfrom = "base"\nto = "neck_4"\nradius = [0.3, 0.1]\nrings = 1\n'
    )
    skin = posable.load(text_file(tmp_path, text)).skins[0]
    heights = np.unique(skin.vertices[:, 1].round(5))
    assert heights.min() == pytest.approx(-0.3) and heights.max() == pytest.approx(3.1)
    for height, radius in ((0, 0.3), (1, 0.3 - 0.2 / 3), (2.5, 0.3 - 0.2 * 2.5 / 3), (3, 0.1)):
        ring = skin.vertices[np.abs(skin.vertices[:, 1] - height) < 1e-5]
        assert len(ring) == 16
        assert np.allclose(np.hypot(ring[:, 0], ring[:, 2]), radius, atol=1e-6)


def test_a_ring_is_shared_evenly_at_a_joint_and_follows_one_bone_in_its_middle(tmp_path: Path) -> None:
    text = CHAIN + '[[skin]]\nfrom = "neck_1"\nto = "neck_4"\nradius = 0.1\nrings = 4\nsides = 3\n'
    skin = posable.load(text_file(tmp_path, text)).skins[0]
    rings = skin.weights[18:-20].reshape(-1, 3, 2)  # without the six rings and the pole of each end
    wanted = [1, 1, 1, 0.84375, 0.5, 0.84375, 1, 0.84375, 0.5, 0.84375, 1, 0.84375, 0.5, 0.84375, 1]
    assert np.allclose(rings.max(axis=-1)[: len(wanted), 0], wanted)
    middle = skin.joints[18 + 3 * 4]
    assert sorted(middle.tolist()) == [1, 2]


def test_a_tube_bends_smoothly() -> None:
    figure = posable.load(ROOT / "examples/creatures/snake.toml")
    skin = figure.skins[0]
    assert (np.sort(skin.weights, axis=1)[:, -1] >= 0.5 - 1e-6).all()
    bent = skin.deform(figure.rest.plus(np.where(np.arange(figure.skeleton.dof) < 6, 0.0, 0.1)))
    lengths = np.linalg.norm(bent[skin.faces] - bent[np.roll(skin.faces, 1, axis=1)], axis=-1)
    rest = np.linalg.norm(skin.vertices[skin.faces] - skin.vertices[np.roll(skin.faces, 1, axis=1)], axis=-1)
    assert (lengths / np.maximum(rest, 1e-3)).max() < 1.5
