"""Figures that their file mirrors as a whole, by a negative scale above the skeleton."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable

MIRRORS = {"x": np.diag([-1.0, 1, 1]), "z": np.diag([1.0, 1, -1])}


@pytest.fixture(scope="module")
def knight() -> posable.Figure:
    return posable.load(posable.sample("knight.glb"))


@pytest.fixture(params=MIRRORS)
def mirrored(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[posable.Figure, np.ndarray]:
    """The knight's file below a node of negative scale, and the matrix of that."""
    content = posable.sample("knight.glb").read_bytes()
    length = struct.unpack("<I", content[12:16])[0]
    scene = json.loads(content[20 : 20 + length])
    mirror = MIRRORS[request.param]
    scene["nodes"].append({"name": "flip", "scale": np.diag(mirror).tolist(), "children": scene["scenes"][0]["nodes"]})
    scene["scenes"][0]["nodes"] = [len(scene["nodes"]) - 1]
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    rest = content[20 + length :]
    head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON")
    (tmp_path / "mirrored.glb").write_bytes(head + text + rest)
    return posable.load(tmp_path / "mirrored.glb"), mirror


def _volume(skin: posable.Skin, pose: posable.Pose) -> float:
    corners = skin.deform(pose)[skin.faces].astype(float)
    return float(np.einsum("fa,fa->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)


def test_the_sides_are_those_of_the_body_and_certain(
    knight: posable.Figure, mirrored: tuple[posable.Figure, np.ndarray]
) -> None:
    """The names call the right hand left; that a negative scale explains, so it was needless to ask."""
    figure, mirror = mirrored
    found = posable.roles(figure)
    assert (found["hand_l"], found["foot_r"]) == ("hand.r", "foot.l")
    assert found.forward @ mirror @ posable.roles(knight).forward == pytest.approx(1)
    assert min(found.confidence.values()) > found.SURE


def test_what_is_outside_stays_outside_also_when_written_again(
    mirrored: tuple[posable.Figure, np.ndarray], knight: posable.Figure, tmp_path: Path
) -> None:
    """A skin of a mirrored file was inside out in FBX and USD."""
    figure, mirror = mirrored
    for before, after in zip(knight.skins, figure.skins, strict=True):
        np.testing.assert_allclose(after.deform(figure.rest), before.deform(knight.rest) @ mirror, atol=1e-6)
        assert _volume(after, figure.rest) == pytest.approx(_volume(before, knight.rest), rel=1e-4)
    for name, source in (("kept.glb", figure.source), ("new.glb", None), ("new.fbx", None)):
        posable.save(tmp_path / name, replace(figure, source=source))
        again = posable.load(tmp_path / name)
        for before, after in zip(knight.skins, again.skins, strict=True):
            assert _volume(after, again.rest) == pytest.approx(_volume(before, knight.rest), rel=1e-4), name


def test_it_reaches_as_the_mirror_image_does(
    knight: posable.Figure, mirrored: tuple[posable.Figure, np.ndarray]
) -> None:
    figure, mirror = mirrored
    target = np.array([-0.5, 1.15, 0.55])
    ends = []
    for one, point in ((knight, target), (figure, target @ mirror)):
        solution = posable.solve(one.rest, [posable.Reach("hand.r", point), posable.Natural()], frozen=["root"])
        assert solution.status == posable.Status.REACHED
        ends.append(solution.pose.origins[[one.skeleton.index(name) for name in knight.skeleton.joints]])
    np.testing.assert_allclose(ends[1], ends[0] @ mirror, atol=1e-6)
