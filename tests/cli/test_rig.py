"""`posable rig`: a bare mesh becomes a figure that walks, with a page about what is unsure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable

BODY = posable.figure("mannequin")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the mannequin's surface as an OBJ, and a bent tube."""
    folder = tmp_path_factory.mktemp("rig")
    skin = BODY.skins[0]
    write(folder / "body.obj", skin.vertices, skin.faces)
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    way = np.linspace(0, 1, 40)
    middles = np.stack([way, 0.2 + 0.1 * np.sin(4 * way), 0 * way], axis=1)
    rings = np.stack([0 * turns, 0.05 * np.cos(turns), 0.05 * np.sin(turns)], axis=1)
    vertices = (middles[:, None] + rings).reshape(-1, 3)
    here = np.arange(39 * 12).reshape(39, 12)
    there = np.roll(here, -1, axis=1)
    sides = np.stack([np.stack([here, here + 12, there], -1), np.stack([there, here + 12, there + 12], -1)])
    caps = [np.stack([ring[0] + 0 * ring, ring, np.roll(ring, -1)], 1)[1:-1] for ring in (here[0], here[-1] + 12)]
    write(folder / "tube.obj", vertices, np.concatenate([sides.reshape(-1, 3), *caps]))
    return folder


def write(path: Path, vertices: np.ndarray, faces: np.ndarray) -> None:
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    path.write_text("\n".join(lines + [f"f {a} {b} {c}" for a, b, c in faces + 1]))


@pytest.mark.slow
def test_a_cube_as_a_biped_is_said_in_the_exit_status(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines = ["v {} {} {}".format(*place) for place in corners]
    lines += ["f {} {} {} {}".format(*(corner + 1 for corner in quad)) for quad in quads]
    (folder / "cube.obj").write_text("\n".join(lines))
    ran = run("rig", folder / "cube.obj", "--template", "biped", "-o", "cube.glb")
    assert ran.status == 1
    assert "cube.obj is probably not a biped (score 0.0" in ran.err and "cube.glb was written nevertheless" in ran.err
    assert (tmp_path / "cube.glb").is_file()


@pytest.mark.slow
def test_a_template_that_then_walks(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    drawn = ("--picture", "man.png", "--size", "64x48")
    hint = ("--hint", "hand_l=0.42,0.93,0.06")
    ran = run("rig", folder / "body.obj", "--template", "biped", *hint, "-o", "man.glb", *drawn)
    assert ran.status == 0, ran.err
    assert "Fitted a biped of" in ran.out and "Wrote man.glb and man.png." in ran.out
    assert (tmp_path / "man.png").read_bytes()[16:24] == bytes((0, 0, 0, 64, 0, 0, 0, 48))
    assert len(posable.load(tmp_path / "man.glb").clips) == 1
    figure = posable.load(tmp_path / "man.glb")
    places = dict(zip(figure.skeleton.joints, figure.rest.origins, strict=True))
    np.testing.assert_allclose(places["hand_l"], (0.42, 0.93, 0.06), atol=1e-5)
    clip = posable.walk(figure, posable.Gait.load("human"), 2)
    assert clip.poses.origins[-1, 0, 2] - clip.poses.origins[0, 0, 2] > 0.3


@pytest.mark.slow
def test_the_best_template_is_taken_and_the_page_says_what_is_unsure(
    run: Callable[..., Any], folder: Path, tmp_path: Path
) -> None:
    ran = run("rig", folder / "body.obj", "-o", "man.glb", "--page", "man.html", "--json")
    assert ran.status == 0, ran.err
    assert ran.json["template"] == "biped" and ran.json["score"] > 0.7 and ran.json["walk"]
    assert ran.json["wrote"] == ["man.glb", "man.html"]
    page = (tmp_path / "man.html").read_text()
    assert page.count("data:image/png;base64,") == 2 and "src='http" not in page
    assert "Nothing: every feature" in page and "--hint JOINT=X,Y,Z" in page
    ran = run("rig", folder / "tube.obj", "-o", "tube.glb", "--json")
    assert ran.status == 0, ran.err
    assert ran.json["template"] == "chain" and ran.json["walk"] is None


@pytest.mark.slow
def test_a_doubt_comes_with_the_command_that_mends_it(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    """A body without arms: the command that is printed names them with where they stand, and can be run."""
    skin = BODY.skins[0]
    arms = [j for j, name in enumerate(BODY.skeleton.joints) if "arm" in name or "hand" in name]
    own = (np.isin(skin.joints, arms) * skin.weights).sum(axis=1)
    write(folder / "armless.obj", skin.vertices, skin.faces[(own[skin.faces] < 0.5).all(axis=1)])
    ran = run("rig", folder / "armless.obj", "--template", "biped", "-o", "x.glb", "--page", "x.html", "--json")
    doubt = next(doubt for doubt in ran.json["doubts"] if "arms" in doubt)
    cure = ran.json["cures"][doubt]
    assert cure.startswith("posable rig ") and "--hint upper_arm_l=" in cure and "--template biped" in cure
    assert cure.replace("'", "&#x27;") in (tmp_path / "x.html").read_text()
    hints = [word for word in cure.split() if word.startswith("upper_arm_l=")]
    again = run("rig", folder / "armless.obj", "--template", "biped", "--hint", *hints, "-o", "y.glb", "--no-walk")
    figure = posable.load(tmp_path / "y.glb")
    place = figure.rest.origins[figure.skeleton.index("upper_arm_l")]
    np.testing.assert_allclose(place, [float(c) for c in hints[0].split("=")[1].split(",")], atol=1e-5)
    assert not figure.clips and "Fitted a biped" in again.out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["body.obj"], 2, "-o"),
        (["none.obj", "-o", "x.glb"], 1, "none.obj: no such file"),
        (["body.obj", "--template", "biped", "--hint", "tail=0,1,0", "-o", "x.glb"], 1, "tail"),
        (["body.obj", "--template", "dragon", "-o", "x.glb"], 2, "dragon"),
        (["body.obj", "-o", "x.glb", "--page", "x.txt"], 2, "must end in .html"),
    ],
)
def test_refused(
    run: Callable[..., Any], folder: Path, tmp_path: Path, words: list[str], status: int, said: str
) -> None:
    there = [str(folder / word) if (folder / word).exists() else word for word in words]
    ran = run("rig", *there)
    assert ran.status == status and said in ran.err
    assert "Traceback" not in ran.err and not (tmp_path / "x.glb").exists()


@pytest.mark.slow
def test_a_person_of_18_metres_is_told_and_mended(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    """posable's own sample, which is in decimetres, became a giant without a word."""
    skin = BODY.skins[0]
    write(folder / "dm.obj", 10 * skin.vertices, skin.faces)
    ran = run("rig", folder / "dm.obj", "--template", "biped", "--no-walk", "-o", "giant.glb")
    assert ran.status == 0, ran.err
    assert "m high: the numbers of dm.obj, which states no unit, count as metres" in ran.out
    assert "for a person they would be dm (--unit dm)" in ran.out
    ran = run("rig", folder / "dm.obj", "--template", "biped", "--no-walk", "--unit", "dm", "-o", "man.glb")
    assert ran.status == 0, ran.err
    assert "count as metres" not in ran.out
    high = np.ptp(posable.load(tmp_path / "man.glb").skins[0].vertices[:, 1])
    assert high == pytest.approx(np.ptp(skin.vertices[:, 1]), rel=1e-5)
