"""`import posable` is light: NumPy, and next to nothing else."""

from __future__ import annotations

import re
import subprocess
import sys

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
