"""`posable samples`."""

from __future__ import annotations

from pathlib import Path

import posable


def test_it_lists_what_there_is(run) -> None:
    ran = run("samples")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == [one.name for one in posable.samples()]
    listed = run("samples", "--json").json["samples"]
    assert [set(one) for one in listed] == [{"name", "about", "licence", "source", "path", "bytes"}] * len(listed)
    assert run("samples", "walk.bvh", "--json").json["samples"] == [one for one in listed if one["name"] == "walk.bvh"]


def test_it_copies_one_and_overwrites_nothing(run) -> None:
    assert run("samples", "walk.bvh", "-o", "mine.bvh").out == "Wrote mine.bvh.\n"
    assert Path("mine.bvh").read_bytes() == posable.sample("walk.bvh").read_bytes()
    Path("mine.bvh").write_text("mine")
    refused = run("samples", "walk.bvh", "-o", "mine.bvh")
    assert (refused.status, "already exists" in refused.err, Path("mine.bvh").read_text()) == (1, True, "mine")
    assert run("samples", "walk.bvh", "-o", "mine.bvh", "--force", "--json").json == {"wrote": ["mine.bvh"]}
    assert Path("mine.bvh").read_bytes() == posable.sample("walk.bvh").read_bytes()


def test_it_copies_several_into_a_folder(run) -> None:
    assert run("samples", "walk.bvh", "panda.urdf", "-o", ".").out == "Wrote walk.bvh, panda.urdf.\n"
    assert {path.name for path in Path().iterdir()} == {"walk.bvh", "panda.urdf"}
    refused = run("samples", "walk.bvh", "panda.urdf", "-o", "both.bvh")
    assert (refused.status, "both.bvh is not a folder" in refused.err) == (2, True)
    Path("copies").mkdir()
    run("samples", "-o", "copies")
    assert {path.name for path in Path("copies").iterdir()} == {one.name for one in posable.samples()}


def test_an_unknown_name_is_one_sentence(run) -> None:
    ran = run("samples", "knigth.glb")
    assert ran.status == 1
    assert ran.err.startswith("posable: no sample is called 'knigth.glb'; did you mean knight.glb? there are ")
