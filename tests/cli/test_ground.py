"""`posable ground`: feet planted from the command line, on every kind of terrain file, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.cli.ground import read_terrain

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sliding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk whose feet slide."""
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, "human", steps=4)
    q = np.array(clip.q)
    q[:, 2] += 0.05 * np.sin(3.0 * clip.times)
    path = tmp_path_factory.mktemp("ground") / "sliding.glb"
    posable.save(path, figure, posable.Clip(clip.skeleton, q, clip.fps))
    return path


def test_it_prints_cost_and_skate_before_and_after(run: Run, sliding: Path, tmp_path: Path) -> None:
    status, out, _ = run("ground", sliding, "-o", tmp_path / "out.glb")
    assert status == 0
    assert "all frames solved together" in out and "skate" in out and "cost" in out and "Wrote" in out
    status, out, _ = run("ground", sliding, "-o", tmp_path / "again.glb", "--json")
    told = json.loads(out)
    assert told["cost"]["after"] < 0.1 * told["cost"]["before"]
    assert told["after"]["skate"] < 0.3 * told["before"]["skate"]
    written = posable.load(tmp_path / "out.glb")
    source = posable.load(sliding).clips[0]
    assert written.skins and len(written.clips[-1]) == len(source)
    metrics = posable.motion.foot_metrics(written.clips[-1], figure=written)
    assert metrics.skate == pytest.approx(told["after"]["skate"], abs=1e-3)


def test_on_stairs_from_a_text_file(run: Run, sliding: Path, tmp_path: Path) -> None:
    stairs = tmp_path / "stairs.toml"
    stairs.write_text('kind = "stairs"\nrise = 0.15\nrun = 0.7\ncount = 9\nstart = [0, 0, 0.4]\n')
    status, out, _ = run("ground", sliding, "--terrain", stairs, "--foot", "foot_l", "-o", tmp_path / "one.glb")
    assert status == 0 and "contacts of 1 foot" in out
    status, _, _ = run("ground", sliding, "--terrain", stairs, "-o", tmp_path / "up.glb")
    assert status == 0
    before, after = (posable.load(p).clips[-1].poses.origins[-1, 0, 1] for p in (sliding, tmp_path / "up.glb"))
    assert after > before + 0.4


def test_lengths_in_unknown_units_are_told(run: Run, sliding: Path, tmp_path: Path) -> None:
    figure = posable.load(sliding)
    posable.save(tmp_path / "sliding.bvh", figure, figure.clips[0])
    (tmp_path / "level.toml").write_text('kind = "plane"\n')
    words = (
        "ground",
        tmp_path / "sliding.bvh",
        "--terrain",
        tmp_path / "level.toml",
        "--force",
        "-o",
        tmp_path / "o.bvh",
    )
    status, _, err = run(*words)
    assert (status, err.count("\n")) == (0, 1)
    assert err.startswith("posable: sliding.bvh states no length unit, so that of level.toml is assumed")
    assert run(*words, "--unit", "m")[2] == ""
    assert run(*words[:2], *words[4:])[2] == ""


def test_a_scene_and_a_mesh_are_the_same_ground(tmp_path: Path) -> None:
    corners = np.array([[-9, 0, -9], [9, 2, -9], [9, 2, 9], [-9, 0, 9]], float)
    lines = [f"v {x} {y} {z}\n" for x, y, z in corners]
    (tmp_path / "hill.obj").write_text("".join(lines) + "f 1 2 3\nf 1 3 4\n")
    skeleton = posable.Skeleton([posable.Joint("ground", "fixed")])
    bound = np.eye(4)[None]
    skin = posable.Skin(skeleton, corners, [[0, 1, 2], [0, 2, 3]], np.zeros((4, 1)), np.ones((4, 1)), bound)  # type: ignore[arg-type]
    posable.save(tmp_path / "hill.glb", posable.Figure(skeleton, skins=(skin,)))
    points = np.random.default_rng(0).uniform(-5, 5, (20, 3))
    mesh, scene = (read_terrain(tmp_path / name, "y") for name in ("hill.obj", "hill.glb"))
    assert mesh.height(points) == pytest.approx(1 + points[:, 0] / 9, abs=1e-6)
    assert scene.height(points) == pytest.approx(mesh.height(points), abs=1e-6)
    upright = read_terrain(tmp_path / "hill.glb", "z")
    assert upright.height(points[:, [0, 2, 1]] * [1, -1, 1]) == pytest.approx(mesh.height(points), abs=1e-6)


def test_what_it_refuses(run: Run, sliding: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.glb"
    out.write_text("mine")
    status, _, err = run("ground", sliding, "-o", out)
    assert status == 1 and "already exists" in err and out.read_text() == "mine"
    small = tmp_path / "small.toml"
    small.write_text('kind = "field"\nspacing = 0.1\nheights = [[0, 0], [0, 0]]\n')
    status, _, err = run("ground", sliding, "--terrain", small, "-o", tmp_path / "b.glb")
    assert status == 1 and "there is no ground under leg_" in err and not (tmp_path / "b.glb").exists()
    posable.save(tmp_path / "snake.glb", posable.figure("snake"))
    status, _, err = run("ground", tmp_path / "snake.glb", "-o", tmp_path / "c.glb")
    assert status == 1 and "has no clip" in err
    bare = posable.Figure(posable.Skeleton([posable.Joint("ground", "fixed")]))
    posable.save(tmp_path / "bare.glb", bare)
    status, _, err = run("ground", sliding, "--terrain", tmp_path / "bare.glb", "-o", tmp_path / "d.glb")
    assert status == 1 and "contains no mesh to walk on" in err
    for name, text, told in (
        ("no.obj", "v 0 0 0\n", "no.obj: a mesh has 1 to"),
        (
            "f.toml",
            'kind = "field"\nspacing = 1\nheights = [[0, 0], [0]]',
            "f.toml:1: a field's heights are rows of numbers",
        ),
    ):
        (tmp_path / name).write_text(text)
        status, _, err = run("ground", sliding, "--terrain", tmp_path / name, "-o", tmp_path / "e.glb")
        assert (status, told in err) == (1, True), err
    status, _, err = run("ground", sliding, "-o", tmp_path / "nowhere" / "f.glb")
    assert status == 1 and "f.glb: cannot be written: the folder" in err
    assert run("ground", sliding)[0] == 2


def test_a_clip_saved_beside_its_source_is_named(run: Run, sliding: Path, tmp_path: Path) -> None:
    own = posable.load(sliding).clips[0].name
    status, out, _ = run("ground", sliding, "-o", tmp_path / "two.glb")
    assert status == 0
    assert out.endswith(f"two.glb. The new clip is called '{own}_2', beside 1 other in two.glb.\n")
    source, planted = posable.load(tmp_path / "two.glb").clips
    assert (source.name, planted.name) == (own, f"{own}_2")
    assert posable.motion.foot_metrics(planted).skate < 0.1 * posable.motion.foot_metrics(source).skate
    status, out, _ = run("ground", sliding, "-o", tmp_path / "one.bvh")
    assert (status, "The new clip" in out) == (0, False)


def test_a_clip_on_the_spot_is_told(run: Run, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    q = np.tile(figure.rest.q, (30, 1))
    q[:, 2] += np.arange(30) / 15.0
    posable.save(tmp_path / "glide.glb", figure, posable.Clip(figure.skeleton, q, 30.0))
    status, out, _ = run("ground", tmp_path / "glide.glb", "-o", tmp_path / "out.glb")
    assert status == 0 and "No foot touches the ground in this clip" in out


def test_legs_that_are_not_found_are_named_by_a_table_as_elsewhere(run: Run, sliding: Path, tmp_path: Path) -> None:
    snake = posable.figure("snake")
    still = posable.Clip(snake.skeleton, np.repeat(snake.rest.q[None], 6, axis=0), 30.0)
    posable.save(tmp_path / "snake.glb", snake, still)
    status, _, err = run("ground", tmp_path / "snake.glb", "-o", tmp_path / "out.glb")
    assert status == 1
    assert "name their joints in a table of roles (posable roles FILE -o TOML writes it, --roles TOML gives it)" in err
    posable.roles(posable.load(sliding)).save(tmp_path / "all.toml")
    lines = (tmp_path / "all.toml").read_text(encoding="utf-8").splitlines()
    left = ("upper_leg_l", "lower_leg_l", "foot_l", "toes_l")
    (tmp_path / "right.toml").write_text("\n".join(one for one in lines if not one.startswith(left)))
    status, out, err = run("ground", sliding, "--roles", tmp_path / "right.toml", "-o", tmp_path / "one.glb")
    assert status == 0, err
    assert "contacts of 1 foot" in out


def test_a_terrain_is_a_mesh_or_a_text(run: Run, sliding: Path, tmp_path: Path) -> None:
    """A table of numbers was called invalid TOML."""
    (tmp_path / "heights.csv").write_text("0,0\n1,1\n")
    status, _, err = run("ground", sliding, "--terrain", tmp_path / "heights.csv", "-o", tmp_path / "out.glb")
    assert status == 1
    assert "heights.csv: is not a terrain; give a mesh (.obj, .stl, .glb, .gltf) or a text (.toml)" in err
    assert not (tmp_path / "out.glb").exists()
