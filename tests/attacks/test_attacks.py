"""The attacks of `python -m benchmarks.attack`, in short; and that they have teeth."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from benchmarks.attack import files, processes
from benchmarks.attack.arguments import Call, Case, calls, cases

only_on_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits and signals of a process need Linux")
FUZZ = {"deadline": None, "database": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_case_is_valid_before_it_is_damaged(case: Case) -> None:
    case.function(**case.valid)


@pytest.mark.slow
@settings(max_examples=200, phases=[Phase.generate], **FUZZ)
@given(calls())
def test_odd_arguments_are_refused_by_name(call: Call) -> None:
    assert call.outcome() == "", call


@pytest.mark.slow
@settings(max_examples=4000, **FUZZ)
@given(calls())
def test_many_odd_arguments_are_refused_by_name(call: Call) -> None:
    assert call.outcome() == "", call


def test_wrong_outcomes_are_noticed() -> None:
    def outcome(function: object, strange: bool = False) -> str:
        return Call(Case(function, {}), {}, strange).outcome()  # type: ignore[arg-type]

    def fails(error: BaseException) -> object:
        def act() -> None:
            raise error

        return act

    assert outcome(lambda: 3) == ""
    assert outcome(fails(OverflowError("x"))) == "OverflowError: x"
    assert outcome(fails(TypeError("x"))) == "TypeError: x"
    assert outcome(fails(TypeError("x")), strange=True) == ""
    assert outcome(fails(IndexError("x")), strange=True) == "IndexError: x"
    pose = processes._figure(1.0).rest
    bad = type(pose).trusted(pose.skeleton, np.full_like(pose.q, np.nan))
    assert outcome(lambda: bad) == "a pose that is not finite"


@only_on_linux
@pytest.mark.parametrize(("attack", "count"), [(processes.full_disk, 10), (processes.terminal, 20)])
def test_processes_in_short(tmp_path: Path, attack: object, count: int) -> None:
    assert callable(attack)
    assert attack(count, 1, tmp_path) == (count, [])


@only_on_linux
@pytest.mark.slow
@pytest.mark.parametrize(("attack", "count"), [(processes.kills, 30), (processes.endings, 15), (processes.cache, 8)])
def test_processes_at_length(tmp_path: Path, attack: object, count: int) -> None:
    assert callable(attack)
    tried, failed = attack(count, 2, tmp_path)
    assert tried >= count and not failed


@only_on_linux
def test_every_reader_is_attacked(tmp_path: Path) -> None:
    endings = {reader.ending for reader in files.readers(tmp_path)}
    assert {".glb", ".gltf", ".vrma", ".usda", ".bvh", ".asf", ".amc", ".urdf", ".xml", ".toml"} <= endings
    assert {".c3d", ".trc", ".obj", ".stl"} <= endings


@only_on_linux
@pytest.mark.slow
@pytest.mark.parametrize("ending", [".trc", ".stl", ".c3d", ".obj"])
def test_damaged_files_of_markers_and_meshes(tmp_path: Path, ending: str) -> None:
    (tmp_path / "made").mkdir()
    reader = next(one for one in files.readers(tmp_path / "made") if one.ending == ending)
    totals, failed = files.attack(reader, 100, 3, tmp_path)
    assert not failed and sum(totals.values()) == 100 and totals["refused"]
