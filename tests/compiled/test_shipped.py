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


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kernels made from a file in a folder of its own."""
    built, cache = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("cache")
    (built / "squaring.py").write_text(SOURCE)
    target = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "POSABLE_CACHE": str(cache)}
    subprocess.run([sys.executable, "-c", RUN], cwd=built, env={**os.environ, **target}, check=True)
    for part in cache.rglob(f"*{compiling.PART_ENDING}"):
        part.unlink()  # as a wheel has them
    return cache / "posable-kernels"


@pytest.fixture
def compiles(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., bool]:
    """Whether a kernel of an installed file is compiled though it was shipped."""
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed/squaring.py").write_text(SOURCE)
    shutil.copytree(shipped, tmp_path / "shipped")
    monkeypatch.setattr(compiling, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "own"))
    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))

    def run(fresh: bool = True) -> bool:
        for function in vars(compiling).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
        if fresh:
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
        return "posable: compiling " in capsys.readouterr().err

    return run


def test_a_shipped_kernel_is_loaded_and_not_compiled(compiles: Callable[..., bool], tmp_path: Path) -> None:
    assert not compiles()
    assert not (tmp_path / "own").exists()


def test_another_source_is_compiled(compiles: Callable[..., bool], tmp_path: Path) -> None:
    file = tmp_path / "installed/squaring.py"
    file.write_text(file.read_text() + "# edited\n")
    assert compiles()


def test_a_processor_without_the_features_compiles(
    compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba_internals, "_has_shipped_features", lambda: False)
    assert compiles()


def test_a_damaged_shipped_kernel_is_compiled(compiles: Callable[..., bool], tmp_path: Path) -> None:
    for file in (tmp_path / "shipped").rglob("squares-*"):
        file.write_bytes(file.read_bytes()[:-20])
    assert compiles()
    assert not compiles(fresh=False)  # it is in the user's cache now
