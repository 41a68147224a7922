"""The WebAssembly module against Python: the same tables, the same answers, and up to date with its sources."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.browser import build, figure_record
from tests.browser.problems import FIGURES, column_by_column, limbs_of, natural_of, problems_of, skins_of, tracks_of

COMPARE = Path(__file__).parents[2] / "web/solver/test/compare.mjs"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the module, and is not installed")


def compared(folder: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `compare.mjs` says of figures and what was solved on them."""
    (folder / "problems.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run(["node", str(COMPARE), str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-800:]
    return json.loads(done.stdout)


def test_the_module_is_made_of_the_sources_as_they_are() -> None:
    made = json.loads((build.BUILT / "build.json").read_text(encoding="utf-8"))
    assert made["sources"] == build.source_hash(), "run python -m posable.browser.build"


def test_the_sources_of_the_module_are_all_those_that_have_its_kernels() -> None:
    names = {path.relative_to(build.PACKAGE).as_posix() for path in build.sources()}
    assert {"solvers/default/kernels/descent.py", "goals/terms.py", "compiled/simd_batch.py"} <= names


def test_the_script_holds_the_module_and_is_small() -> None:
    script = (build.BUILT / "posable.js").read_bytes()
    assert len(gzip.compress(script)) < 300_000
    assert build.packed_module() in script, "run npm run build in web/solver"


def test_the_constants_are_those_of_python() -> None:
    if not build.LAYOUT.is_file():
        pytest.skip("web/solver is not part of this copy")
    assert build.LAYOUT.read_text(encoding="utf-8") == build.layout()


@needs_node
@pytest.mark.slow
def test_hundreds_of_problems_have_the_answers_of_python(tmp_path: Path) -> None:
    asked = [problems_of(name, posable.figure(name).skeleton, 40, k) for k, name in enumerate(FIGURES)]
    for figure in compared(tmp_path, asked):
        assert all(figure["tables"]), figure["name"]
        assert figure["status"] == [True] * 40
        for off in figure["off"]:
            # Where a pose only just reaches, or leaves something, a sum of squares is flat: rounding decides.
            assert off <= 1e-6
        assert np.quantile(figure["off"], 0.9) < 1e-7
        assert max(figure["left"]) < 1e-6


@needs_node
def test_a_figure_of_each_kind_reaches_tracks_bends_and_deforms_as_in_python(tmp_path: Path) -> None:
    human = posable.figure("mannequin")
    asked = problems_of("mannequin", human.skeleton, 4, 7)
    asked["problems"] += tracks_of(human.skeleton)
    asked |= {"limbs": limbs_of(human.skeleton), "skins": skins_of(human)}
    asked["poses"] = [
        {"q": pose.q.tolist(), "world": [x for m in pose.world_from_joint for x in column_by_column(m)]}
        for pose in [human.skeleton.random_pose(np.random.default_rng(k)) for k in range(3)]
    ]
    [found] = compared(tmp_path, [asked])
    assert all(found["tables"])
    assert all(one is True for one in found["status"])
    assert max(found["off"]) < 1e-6
    assert found["skin"] < 2e-6


@pytest.mark.slow
@needs_node
def test_what_goals_leave_open_is_done_as_in_python(tmp_path: Path) -> None:
    """Natural poses: the network, what stands, the start and the solve from there, also on and on as in a drag."""
    asked = []
    for name in ("mannequin", "knight.glb"):
        skeleton = (posable.load(posable.sample(name)) if "." in name else posable.figure(name)).skeleton
        asked.append({"name": name, "record": figure_record(skeleton), "problems": natural_of(skeleton, 12, 3)})
    for figure, found in zip(asked, compared(tmp_path, asked), strict=True):
        assert all(found["tables"]), found["name"]
        assert found["status"] == [True] * 36, found["name"]
        # Of one pose in a hundred rounding decides where its last iteration ends, in Python as in the page.
        for off, problem in zip(found["off"], figure["problems"], strict=True):
            assert off < max(1e-7, 2.0 * problem["sways"]), found["name"]
        assert np.mean(np.array(found["off"]) < 1e-7) > 0.95, found["name"]


@pytest.mark.slow
@needs_node
def test_a_natural_path_is_followed_as_in_python(tmp_path: Path) -> None:
    """Each of its forty steps goes on from the one before, and so do rounding errors."""
    skeleton = posable.figure("mannequin").skeleton
    asked = {"name": "mannequin", "record": figure_record(skeleton), "problems": tracks_of(skeleton, natural=True)}
    [found] = compared(tmp_path, [asked])
    assert found["status"] == [True] * 2
    free, limited = found["off"]
    assert free < 1e-5 and limited < 1e-7


@needs_node
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_posable_wrote_is_read_from_its_glb(name: str, tmp_path: Path) -> None:
    figure = posable.figure(name)
    posable.save(tmp_path / "figure.glb", figure)
    again = posable.load(tmp_path / "figure.glb")
    asked = {"name": name, "glb": "figure.glb", "record": figure_record(again.skeleton), "problems": []}
    [found] = compared(tmp_path, [asked])
    assert found["fields"] == []


@needs_node
def test_a_file_of_another_program_is_read_by_the_rules_of_python(tmp_path: Path) -> None:
    characters = Path(__file__).parents[1] / "data/characters"
    files = [posable.sample("knight.glb"), *(characters / f"{name}.glb" for name in ("quad_skin", "MH_game_engine"))]
    asked = []
    for path in files:
        shutil.copy(path, tmp_path / path.name)
        record = figure_record(posable.load(path).skeleton)
        asked.append({"name": path.name, "glb": path.name, "record": record, "problems": []})
    assert [(found["name"], found["fields"]) for found in compared(tmp_path, asked)] == [(p.name, []) for p in files]
