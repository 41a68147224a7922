"""Kernels that a wheel brings along are found first, where they fit."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from posable.compiled import cache as compiling
from posable.compiled import numba_internals

SOURCE = """
from posable.compiled.decorators import inner_kernel, kernel

@inner_kernel
def part(x):
    return x * x

@kernel
def squares(values, out):
    for i in range(len(values)):
        out[i] = part(values[i]) + 1.0
"""
RUN = "import numpy, squaring; squaring.squares(numpy.arange(40.0), numpy.zeros(40))"

pytestmark = pytest.mark.skipif(
    not numba_internals._has_shipped_features(), reason="kernels are shipped for x86-64-v3 processors"
)


@pytest.fixture
def compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[], bool]:
    """Whether a kernel of an installed file is compiled though it was shipped, being made in another folder."""
    for place in ("built", "installed"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "squaring.py").write_text(SOURCE)
    target = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "POSABLE_CACHE": str(tmp_path / "shipped")}
    subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path / "built", env={**os.environ, **target}, check=True)
    monkeypatch.setattr(compiling, "SHIPPED", tmp_path / "shipped/posable-kernels")
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "own"))
    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))

    def run() -> bool:
        for function in vars(compiling).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
        shutil.rmtree(tmp_path / "own", ignore_errors=True)
        capsys.readouterr()
        spec = importlib.util.spec_from_file_location("squaring", tmp_path / "installed/squaring.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "squaring", module)
        spec.loader.exec_module(module)
        values, out = np.arange(40.0), np.zeros(40)
        module.squares(values, out)
        assert out.tolist() == (values * values + 1.0).tolist()
        return "compiling its kernels" in capsys.readouterr().err

    return run


def test_a_shipped_kernel_is_loaded_and_not_compiled(compiles: Callable[[], bool], tmp_path: Path) -> None:
    assert not compiles()
    assert not (tmp_path / "own").exists()


def test_another_source_is_compiled(compiles: Callable[[], bool], tmp_path: Path) -> None:
    file = tmp_path / "installed/squaring.py"
    file.write_text(file.read_text() + "# edited\n")
    assert compiles()


def test_a_processor_without_the_features_compiles(
    compiles: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba_internals, "_has_shipped_features", lambda: False)
    assert compiles()


def test_a_damaged_shipped_kernel_is_compiled(compiles: Callable[[], bool], tmp_path: Path) -> None:
    for file in (tmp_path / "shipped").rglob("squares-*"):
        file.write_bytes(file.read_bytes()[:-20])
    assert compiles()
