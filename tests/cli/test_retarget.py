"""`posable retarget`: a recording on a character, the table of roles written, edited and given."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable


def _short(shared: Path, folder: Path) -> Path:
    figure = posable.load(shared / "mocap/cmu_12_01_walk.bvh")
    clip = posable.Clip(figure.skeleton, figure.clips[0].q[100:180:8], 15.0, "walk")
    posable.save(folder / "walk.bvh", figure, clip)
    return folder / "walk.bvh"


def test_a_unit_is_heeded_as_elsewhere(run: Callable[..., Any], tmp_path: Path) -> None:
    """Of a BVH in centimetres whose figure is written as GLB, which is in metres."""
    figure = posable.figure("mannequin")
    walk = posable.walk(figure, steps=1)
    posable.save(tmp_path / "walk.bvh", figure, walk)
    text = (tmp_path / "walk.bvh").read_text()
    offsets = re.sub(r"(?<=OFFSET )(.*)", lambda found: " ".join(str(100 * float(x)) for x in found[1].split()), text)
    (tmp_path / "cm.bvh").write_text(offsets)
    for unit, size in (((), 100.0), (("--unit", "cm"), 1.0)):
        ran = run("retarget", "walk.bvh", "cm.bvh", *unit, "-o", f"out{len(unit)}.glb")
        assert ran.status == 0, ran.err
        height = np.ptp(posable.load(f"out{len(unit)}.glb").rest.origins[:, 1])
        assert height == pytest.approx(size * np.ptp(figure.rest.origins[:, 1]), rel=0.01)


def test_a_unit_is_that_of_the_file_that_states_none(run: Callable[..., Any], tmp_path: Path) -> None:
    """`retarget walk.bvh g1.urdf --unit cm` made the robot 1.3 cm high, and walk 3 cm."""
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "hero.glb", figure)
    posable.save(tmp_path / "walk.bvh", figure, posable.walk(figure, steps=1))
    ran = run("retarget", "walk.bvh", "hero.glb", "--unit", "cm", "-o", "out.glb")
    assert ran.status == 0, ran.err
    assert posable.load("out.glb").height == pytest.approx(figure.height, rel=0.01)
    ran = run("report", "out.glb", "--clip", "walk", "--against", "walk.bvh", "--unit", "cm", "--json")
    assert ran.json["result"]["leg"] == pytest.approx(100 * ran.json["source"]["leg"], rel=0.1)
    assert run("retarget", "out.glb", "hero.glb", "--unit", "cm", "-o", "again.glb").status == 1


@pytest.mark.slow
def test_a_recording_moves_a_character_and_its_file_keeps_the_rest(
    run: Callable[..., Any], shared: Path, tmp_path: Path
) -> None:
    walk, knight = _short(shared, tmp_path), shared / "characters/Knight.glb"
    ran = run("retarget", walk, knight, "-o", "out.glb", "--roles-out", "roles.toml", "--film", "f.gif", "--json")
    assert ran.status == 0, ran.err
    assert Path("f.gif").stat().st_size > 0
    assert ran.json["frames"] == 10
    assert ran.json["roles"]["foot_l"] == "foot.l"
    assert ran.json["unsure"] == []
    before, after = posable.load(knight), posable.load("out.glb")
    assert after.skeleton.joints == before.skeleton.joints
    assert [skin.joints.shape for skin in after.skins] == [skin.joints.shape for skin in before.skins]
    wanted = posable.retarget(posable.load(walk).clips[0], to=before)
    found = after.clips["walk"].resample(wanted.fps)
    np.testing.assert_allclose(found.poses.origins, wanted.poses.origins, atol=1e-4)


def test_the_table_is_written_edited_and_given(run: Callable[..., Any], shared: Path, tmp_path: Path) -> None:
    walk, man = _short(shared, tmp_path), shared / "characters/CesiumMan.glb"
    assert (
        run("retarget", walk, man, "-o", "one.glb", "--roles-out", "r.toml", "--clip-roles-out", "c.toml").status == 0
    )
    table = Path("r.toml").read_text(encoding="utf-8")
    Path("r.toml").write_text(table.replace('head = "', 'neck = "'), encoding="utf-8")
    ran = run("retarget", walk, man, "-o", "two.glb", "--roles", "r.toml", "--clip-roles", "c.toml")
    assert ran.status == 1
    assert "r.toml" in ran.err
    kept = [line for line in table.splitlines(keepends=True) if not line.startswith("neck")]
    Path("r.toml").write_text("".join(kept), encoding="utf-8")
    ran = run("retarget", walk, man, "-o", "two.glb", "--roles", "r.toml", "--clip-roles", "c.toml")
    assert ran.status == 0, ran.err
    assert ran.out.startswith("Wrote two.glb: 10 frames at 15 fps.")


def test_a_robot_fixed_to_the_world_is_let_loose(run: Callable[..., Any], shared: Path, tmp_path: Path) -> None:
    ran = run("retarget", _short(shared, tmp_path), shared / "robots/h1.urdf", "-o", "h1.glb")
    assert ran.status == 0, ran.err
    assert len(posable.load("h1.glb").clips) == 1


def test_feet_that_slide_are_planted_where_it_is_asked_for(
    run: Callable[..., Any], shared: Path, tmp_path: Path
) -> None:
    walk = _short(shared, tmp_path)
    assert run("retarget", walk, walk, "-o", "same.glb").status == 0
    assert run("retarget", walk, walk, "-o", "planted.glb", "--plant").status == 0
    source = posable.load(walk)
    clip = source.clips[0]
    for name, plant in (("same.glb", False), ("planted.glb", True)):
        wanted = posable.motion.retargeting(clip, source, plant=plant).clip
        found, reach = posable.load(name).clips[-1].resample(clip.fps), clip.skeleton.reach
        np.testing.assert_allclose(found.poses.origins, wanted.poses.origins, atol=1e-5 * reach)
        assert (np.abs(found.poses.origins - clip.poses.origins).max() > 0.005 * reach) == plant


@pytest.mark.slow
def test_a_robot_is_balanced_and_it_is_told_how_often(run: Callable[..., Any], shared: Path, tmp_path: Path) -> None:
    walk, robot = _short(shared, tmp_path), shared / "robots/g1_29dof.xml"
    ran = run("retarget", walk, robot, "-o", "g1.glb", "--balance", "2")
    assert ran.status == 0, ran.err
    figure = posable.load(robot)
    wanted = posable.motion.retargeting(posable.load(walk).clips[0], figure, balance=2.0)
    assert f"inside the support polygon in {wanted.balanced:.0%} of the frames" in ran.out
    ran = run("retarget", walk, robot, "-o", "g1.glb", "--balance", "2", "--json", "--force")
    assert abs(ran.json["balanced"] - wanted.balanced) < 1e-9
    ran = run("retarget", walk, shared / "characters/CesiumMan.glb", "-o", "man.glb", "--balance", "1")
    assert (ran.status, Path("man.glb").exists()) == (1, False)
    assert "no joint of this figure has a mass" in ran.err


def test_what_cannot_be_is_one_sentence(run: Callable[..., Any], shared: Path, tmp_path: Path) -> None:
    walk = _short(shared, tmp_path)
    ran = run("retarget", walk, shared / "robots/panda.urdf", "-o", "p.glb")
    assert ran.status == 1
    assert ran.err.startswith("posable: retargeting needs figures with two legs")
    assert not Path("p.glb").exists()
    Path("there.glb").write_text("x")
    ran = run("retarget", walk, shared / "characters/CesiumMan.glb", "-o", "there.glb")
    assert (ran.status, Path("there.glb").read_text()) == (1, "x")
    ran = run("retarget", shared / "robots/panda.urdf", shared / "characters/CesiumMan.glb", "-o", "q.glb")
    assert "has no clip" in ran.err
