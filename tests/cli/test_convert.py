"""`posable convert`."""

from __future__ import annotations

import sys

import pytest

import posable
from posable.skeleton import Follow


def test_the_ending_says_the_format(run, person) -> None:
    ran = run("convert", person, "out.glb")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "Wrote out.glb.\n"
    written, read = posable.load("out.glb"), posable.load(person)
    assert [name for name in read.skeleton.joints if name not in written.skeleton.joints] == []
    assert len(written.clips[0]) == 3
    assert written.clips[0].fps == pytest.approx(20)


def test_what_is_lost_is_named(run, person) -> None:
    assert (
        run("convert", person, "out.toml").out
        == "Wrote out.toml.\nLeft out, because .toml cannot store it: 1 of 1 clip.\n"
    )
    assert run("convert", person, "out.toml", "--force", "--json").json == {
        "wrote": "out.toml",
        "left_out": ["1 of 1 clip"],
        "freed": [],
    }


def test_nothing_lost_is_an_empty_list(run, person) -> None:
    assert run("convert", person, "out.bvh", "--json").json == {"wrote": "out.bvh", "left_out": [], "freed": []}


def test_frame_saves_one_pose(run, person) -> None:
    for words, frame in (["--frame", 2], 2), (["--frame", 1, "--clip", "person"], 1):
        run("convert", person, "out.bvh", *words, "--force")
        clip = posable.load("out.bvh").clips[0]
        assert len(clip) == 1
        assert clip.q[0] == pytest.approx(posable.load(person).clips[0].q[frame], abs=1e-6)


def test_clip_chooses_one_of_several(run, person) -> None:
    figure = posable.load(person)
    clips = [posable.Clip(figure.skeleton, figure.clips[0].q[:count], 20, f"take{count}") for count in (1, 2, 3)]
    posable.save("several.glb", posable.Figure(figure.skeleton, clips=clips))  # pyright: ignore[reportArgumentType]
    assert [clip.name for clip in posable.load("several.glb").clips] == ["take1", "take2", "take3"]
    assert run("convert", "several.glb", "out.bvh", "--clip", "take2").status == 0
    assert len(posable.load("out.bvh").clips[0]) == 2
    assert "no clip is called 'take4'" in run("convert", "several.glb", "other.bvh", "--clip", "take4").err


def test_unit_scales_to_metres(run, person) -> None:
    run("convert", person, "out.bvh", "--unit", "cm")
    assert posable.load("out.bvh").height == pytest.approx(posable.load(person).height / 100)


def test_root_changes_the_root(run, person, arm) -> None:
    run("convert", person, "out.toml", "--root", "fixed")
    assert posable.load("out.toml").skeleton.dof == posable.load(person).skeleton.dof - 6
    refused = run("convert", arm, "other.toml", "--root", "free")
    assert refused.status == 1
    assert "the root 'shoulder' is a hinge joint; only a fixed or free one can be changed" in refused.err


def test_it_overwrites_only_by_force(run, person, tmp_path) -> None:
    (tmp_path / "out.glb").write_text("mine")
    assert "already exists" in run("convert", person, "out.glb").err
    assert (tmp_path / "out.glb").read_text() == "mine"
    assert run("convert", person, "out.glb", "--force").status == 0


def test_it_never_overwrites_what_it_reads_by_accident(run, person) -> None:
    before = person.read_text()
    assert run("convert", person, person).status == 1
    assert person.read_text() == before


def test_fbx_in_and_out(run, person) -> None:
    assert run("convert", person, "out.fbx").out == "Wrote out.fbx.\n"
    again = run("convert", "out.fbx", "again.glb", "--json").json
    assert again == {"wrote": "again.glb", "left_out": [], "freed": []}
    once, twice = posable.load("out.fbx").clips[0], posable.load("again.glb").clips[0]
    assert (once.fps, len(once)) == (twice.fps, len(twice)) == (pytest.approx(20), 3)
    assert once.poses.origins == pytest.approx(twice.poses.origins, abs=1e-5)


def test_usd_as_text_is_written_without_the_library_that_reads_it(run, person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pxr.Tf", None)
    monkeypatch.delitem(sys.modules, "posable.formats.usd.layers", raising=False)
    ran = run("convert", person, "out.usda")
    assert (ran.status, ran.out, ran.err) == (0, "Wrote out.usda.\n", "")
    ran = run("convert", person, "out.usdz")
    assert ran.status == 1 and 'pip install "posable[usd]"' in ran.err


def test_limits_that_are_lost_are_named_and_shapes_that_became_a_mesh_are_not(run) -> None:
    """Of an FBX, in which display shapes are meshes, it said that they were left out; of limits it said nothing."""
    posable.save("robot.toml", posable.load(posable.sample("g1.urdf")))
    masses = "35 of 35 masses"
    assert run("convert", "robot.toml", "out.fbx", "--json").json["left_out"] == ["29 of 29 joint limits", masses]
    assert posable.load("out.fbx").skins
    shapes = len(posable.load("robot.toml").shapes)
    lost = [f"{shapes} of {shapes} display shapes", "29 of 29 joint limits", masses]
    assert run("convert", "robot.toml", "out.bvh", "--json").json["left_out"] == lost
    assert run("convert", "robot.toml", "out.glb", "--json").json["left_out"] == []


@pytest.mark.parametrize("ending", ["bvh", "fbx"])
def test_hinges_that_became_balls_are_named(run, ending) -> None:
    """A robot converted to BVH or FBX could bend its hinges about any axis, and nothing said so."""
    axes = (posable.Axis((0, 0, 1)),), (posable.Axis((1, 0, 0), slide=True),)
    follower = posable.Axis((0, 0, 1), follow=Follow("elbow"))
    joints = [
        posable.Joint("base", "fixed"),
        posable.Joint("elbow", "hinge", "base", (0, 1, 0), axes=axes[0], mass=2.0),
        posable.Joint("slide", "slide", "elbow", (0, 1, 0), axes=axes[1]),
        posable.Joint("wrist", "hinge", "slide", (0, 1, 0), axes=(follower,)),
    ]
    posable.save("robot.toml", posable.Figure(posable.Skeleton(joints)))
    told = run("convert", "robot.toml", f"out.{ending}", "--json").json
    assert told["freed"] == ["2 of 2 hinges", "1 of 1 slide"]
    assert {"1 of 1 coupled axis", "1 of 1 mass"} <= {*told["left_out"]}
    words = f"Moving about more axes, because .{ending} does not state which are fixed: 2 of 2 hinges, 1 of 1 slide.\n"
    assert run("convert", "robot.toml", f"out.{ending}", "--force").out.endswith(words)
    assert run("convert", "robot.toml", "out.glb", "--json").json == {"wrote": "out.glb", "left_out": [], "freed": []}


def test_textures_and_the_clip_of_a_format_with_one_are_named(run) -> None:
    knight = posable.load(posable.sample("knight.glb"))
    posable.save("knight.glb", knight)
    assert "1 of 1 texture" in run("convert", "knight.glb", "out.fbx", "--json").json["left_out"]
    told = run("convert", "knight.glb", "out.bvh").out
    assert f"Of the 6 clips of knight, {knight.clips[0].name!r} was taken, the first" in told
