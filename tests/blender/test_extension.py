"""The Blender extension: the zip, and every operator in a Blender without a window (the `bpy` wheel)."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import posable
from blender import build

HERE = Path(__file__).parent
LINUX = "linux-x64"


def test_the_zip_holds_what_its_manifest_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetched(folder: Path, target: str) -> list[Path]:
        assert target == LINUX
        (folder / "one-1.0-py3-none-any.whl").write_bytes(b"wheel")
        return [folder / "one-1.0-py3-none-any.whl"]

    monkeypatch.setattr(build, "fetched", fetched)
    path = build.build(tmp_path, LINUX)
    assert path.name == f"posable-{posable.__version__}-linux_x64.zip"
    with zipfile.ZipFile(path) as package:
        manifest = tomllib.loads(package.read("blender_manifest.toml").decode())
        names = set(package.namelist())
        assert b"GNU GENERAL PUBLIC LICENSE" in package.read("LICENSE")
    assert manifest["version"] == posable.__version__
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert manifest["platforms"] == [LINUX]
    assert manifest["wheels"] == ["./wheels/one-1.0-py3-none-any.whl"]
    sources = {"__init__.py", "exchange.py", "operators.py"}
    assert names == {"blender_manifest.toml", "LICENSE", "wheels/one-1.0-py3-none-any.whl", *sources}


@functools.cache
def python_with_bpy() -> str:
    """A Python that has `bpy`: $POSABLE_BPY, or this one. Skips where there is none."""
    chosen = os.environ.get("POSABLE_BPY")
    if chosen is None and importlib.util.find_spec("bpy") is None:
        pytest.skip("needs Blender as a module: pip install bpy in an environment, then POSABLE_BPY=its python")
    return chosen or sys.executable


@functools.cache
def built(folder: Path) -> Path:
    """The zip of this machine. Skips where pip cannot fetch the wheels."""
    try:
        return build.build(folder, LINUX)
    except subprocess.CalledProcessError as problem:
        pytest.skip(f"the wheels of the extension could not be fetched: {problem}")


def run_in_blender(folder: Path, *words: str | Path) -> dict[str, Any]:
    """What `in_blender.py` tells, in a Blender whose settings are all in `folder`."""
    cleared = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    line = [python_with_bpy(), str(HERE / "in_blender.py"), *map(str, words)]
    environment = {**cleared, "BLENDER_USER_RESOURCES": str(folder), "POSABLE_QUIET": "1"}
    ended = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=900)
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-4000:]
    return json.loads(Path(words[-1]).with_suffix(".json").read_text())


@pytest.mark.slow
@pytest.mark.parametrize("file", ["characters/Knight.glb", "characters/MH_game_engine.glb"])
def test_every_operator_does_in_blender_what_it_says(
    file: str, shared: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    python_with_bpy()
    zipped, saved = built(tmp_path_factory.getbasetemp() / "zip"), tmp_path / "out.blend"
    samples = posable.sample("walk.bvh"), posable.sample("person.obj")
    told = run_in_blender(tmp_path / "with", "all", zipped, shared / file, *samples, saved)

    assert told["installed"]["version"] == posable.__version__
    assert str(tmp_path / "with") in told["installed"]["posable"], "posable is the zip's own"
    check_reach(told["reach"])
    walk = told["walk"]
    assert walk["went"] > 0.5 and walk["slip"] < 1e-5
    assert walk["slip broken"] > 5e-4 and walk["slip planted"] < 1e-5
    assert walk["old action"] and walk["action"] == "human walk planted"
    assert told["over"]["off"] < 1e-5
    retarget = told["retarget"]
    assert "select one other armature" in retarget["alone"]
    assert retarget["frames"] == retarget["source frames"] + 1 and retarget["went"] > 0.5
    assert abs(retarget["lowest foot"] - retarget["rest foot"]) < 0.01
    check_bound(told["bind"])

    later = run_in_blender(tmp_path / "without", "again", saved.rename(tmp_path / "again.blend"))
    assert not later["extension"]
    assert {"human walk", "human walk planted", f"walk on {told['rig']}"} <= set(later["actions"])
    assert later["measured"][told["rig"]] == told["measured"]
    assert told["bind"]["groups"] in later["groups"]


def check_reach(reach: dict[str, Any]) -> None:
    """One frame: the hand is there, the feet stay, an unknown name changes nothing, undo and redo."""
    assert "empty 'somewhere': no joint is called 'somewhere'" in reach["unknown"]
    assert reach["off"] < 1e-5 and reach["feet"] < 1e-5 and reach["keys"] > 0
    assert reach["locked"] < 1e-6 and reach["others"] > 0.1
    assert reach["undone"] == 0 and reach["keys undone"] == 0
    assert reach["redone"] == reach["off"]


def check_bound(bound: dict[str, Any]) -> None:
    """Weights sum to 1, binding anew to Blender's bones gives the same ones, and an arm takes its vertices along."""
    assert bound["bones"] == len(posable.fit_skeleton(posable.load_mesh(posable.sample("person.obj"))).joints)
    assert bound["sums"] == pytest.approx([1.0, 1.0], abs=1e-6)
    assert bound["same"] < 1e-4
    assert bound["moved"] > 0.1 and 0.02 < bound["share moved"] < 0.4
    assert bound["modifiers"] == [bound["rig"]]
