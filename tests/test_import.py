"""`import posable` is light: NumPy, and next to nothing else."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys

import pytest

import posable

HEAVY = {"numba", "llvmlite", "scipy", "PIL", "av", "click", "rich", "pygltflib", "pxr", "matplotlib"}


def _fresh(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)


def _modules_after(statement: str) -> set[str]:
    return set(_fresh("-c", f"{statement}\nimport sys; print(*sys.modules)").stdout.split())


def test_importing_posable_loads_numpy_and_nothing_heavy() -> None:
    added = _modules_after("import posable") - _modules_after("import numpy")
    assert "posable" in added
    assert not {name.split(".")[0] for name in added} & HEAVY
    assert len(added) < 25, sorted(added)


def test_importing_posable_costs_at_most_twice_numpy() -> None:
    """Both counted in one interpreter, so that a busy machine slows both; the best of five runs."""
    assert min(_cost_ratio() for _ in range(5)) <= 2.0


def _cost_ratio() -> float:
    report = _fresh("-X", "importtime", "-c", "import posable").stderr
    cumulative = {name: int(time) for time, name in re.findall(r"\|\s+(\d+) \|\s+(numpy|posable)\n", report)}
    return cumulative["posable"] / cumulative["numpy"]


def test_errors_do_not_wake_the_heavy_parts() -> None:
    assert not {"numba", "scipy"} & _modules_after("import posable; posable.PosableError")


@pytest.mark.slow
def test_the_studio_starts_without_the_parts_of_scipy() -> None:
    pytest.importorskip("starlette")
    loaded = _modules_after("import posable.studio.web")
    assert not {"scipy.ndimage", "scipy.linalg", "scipy.spatial", "scipy.optimize"} & loaded


@pytest.mark.slow
def test_a_pose_and_its_picture_need_no_scipy() -> None:
    """It cost `posable reach` half a second. The first run compiles what is not cached, with all that Numba loads."""
    drawn = (
        "f = posable.figure('arm6'); posable.picture(f, posable.solve(f.rest, posable.Reach('tool', (1, 1, 0))).pose)"
    )
    _modules_after(f"import posable; {drawn}")
    assert not {"scipy.ndimage", "scipy.linalg"} & _modules_after(f"import posable; {drawn}")


def test_help_is_short_and_lists_every_name() -> None:
    """It was seven thousand lines."""
    told = pydoc.plain(pydoc.render_doc(posable))
    assert len(told.splitlines()) < 80
    assert all(re.search(rf"\b{name}\b", told) for name in posable.__all__ if name != "__version__")


def test_completion_offers_no_internals() -> None:
    goal, rest = posable.Reach("tip", (0, 1, 0)), posable.figure("arm6").rest
    offered = {name for name in dir(goal) if not name.startswith("_")}
    assert offered >= {"joint", "target", "weight", "tip", "residual", "jacobian", "errors", "with_target"}
    assert not offered & {"rows", "marks", "structure", "spring", "given", "stated"}
    assert [name for name in dir(posable.prepare(rest.skeleton, [posable.Stay(rest)])) if name[0] != "_"] == [
        "skeleton", "solve", "track"
    ]  # fmt: skip
