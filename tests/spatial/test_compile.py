"""Where compiled kernels are kept, and what makes them new."""

from __future__ import annotations

import ast
import gc
import importlib
import os
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

import posable
from posable.compiled import decorators as compiling

SOURCE = Path(compiling.__file__).parents[1] / "spatial/kernels.py"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    compiling.cache_folder.cache_clear()
    compiling._with_imports.cache_clear()
    compiling._kernel_sources.cache_clear()
    compiling.announce_compilation.cache_clear()


def test_the_chosen_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "a" / "b"))
    folder = compiling.cache_folder(SOURCE)
    assert folder.parent == tmp_path / "a" / "b"
    assert folder.is_dir() and folder.name.startswith("kernels-")


def test_the_users_cache_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSABLE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiling.cache_folder(SOURCE).parent == tmp_path / "posable"


def test_where_nothing_can_be_written_a_temporary_folder_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    assert compiling.cache_folder(SOURCE).parent.name.startswith("posable-")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system knows no owners")
def test_another_users_folder_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))
    uid = os.getuid()
    monkeypatch.setattr(compiling.os, "getuid", lambda: uid + 1)
    assert tmp_path not in compiling.cache_folder(SOURCE).parents


def test_an_edit_in_an_imported_file_makes_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    (tmp_path / "a").mkdir()
    for name, text in (("one", "from posable.a.two import f"), ("two", "from posable.a import three"), ("other", "")):
        (tmp_path / "a" / f"{name}.py").write_text(text)
    (tmp_path / "a/__init__.py").write_text("from posable.a.three import g")
    (tmp_path / "a/three.py").write_text("")
    folders = [compiling.cache_folder(tmp_path / "a/one.py")]
    (tmp_path / "a/words.py").write_text("def told(): pass")
    (tmp_path / "a/two.py").write_text("from posable.a import three\nfrom posable.a.words import told")
    compiling.cache_folder.cache_clear()
    compiling._kernel_sources.cache_clear()
    compiling._with_imports.cache_clear()
    folders = [compiling.cache_folder(tmp_path / "a/one.py")]
    for changed, same in (("two", False), ("other", True), ("three", False), ("words", True)):
        file = tmp_path / "a" / f"{changed}.py"
        file.write_text(f"{file.read_text()}\nx = 1")
        compiling.cache_folder.cache_clear()
        compiling._kernel_sources.cache_clear()
        compiling._with_imports.cache_clear()
        folders.append(compiling.cache_folder(tmp_path / "a/one.py"))
        assert (folders[-1] == folders[-2]) == same


def test_no_kernel_takes_a_number_or_a_kernel_from_a_file_that_is_left_out_of_its_key() -> None:
    package = Path(posable.__file__).parent
    for file in package.rglob("*.py"):
        if b"posable.compiled.decorators import" not in file.read_bytes():
            continue
        kept = compiling._kernel_sources(file)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("posable."):
                continue
            module = importlib.import_module(str(node.module))
            if Path(str(module.__file__)) in kept:
                continue
            for alias in node.names:
                value = getattr(module, alias.name)
                used = isinstance(value, int | float | tuple) or hasattr(value, "py_func")
                assert not used, f"{file.name} takes {alias.name} from {node.module}"


def test_what_is_in_use_is_not_forgotten() -> None:
    package = Path(posable.__file__).parent
    files = [f for f in package.rglob("*.py") if b"posable.compiled.decorators import" in f.read_bytes()]
    assert 3 * len(files) <= compiling._KEPT_FOLDERS


def test_old_folders_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))
    for i in range(compiling._KEPT_FOLDERS + 5):
        (tmp_path / f"old-{i}").mkdir()
        os.utime(tmp_path / f"old-{i}", (i, i))
    newest = compiling.cache_folder(SOURCE)
    assert len(list(tmp_path.iterdir())) == compiling._KEPT_FOLDERS
    assert newest.is_dir() and not (tmp_path / "old-0").exists()


def test_compilation_is_announced_once_and_only_if_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))
    monkeypatch.delenv("POSABLE_QUIET", raising=False)

    def half(x: float) -> float:
        return x / 2

    def said() -> int:
        compiling.announce_compilation.cache_clear()
        kernel = compiling.kernel(half)
        assert [kernel(x) for x in given] == [x / 2 for x in given]
        return capsys.readouterr().err.count("compiling its kernels, once for this machine")

    given: list[float] = [1.0]
    assert said() == 1
    assert said() == 0  # it is kept now
    given = [1.0, 2 + 0j, 3]  # two specialisations that are not kept, beside one that is
    assert said() == 1
    assert said() == 0
    monkeypatch.setenv("POSABLE_QUIET", "1")
    given = [1.0, np.float32(2)]  # type: ignore[list-item]
    assert said() == 0


def test_the_parts_of_a_kernel_are_not_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))
    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    part = compiling.inner_kernel(lambda x: 2.0 * x)
    part.compile((numba.float64,))  # pyright: ignore[reportFunctionMemberAccess]
    assert part.overloads and capsys.readouterr().err == ""  # pyright: ignore[reportFunctionMemberAccess]


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))

    def double(x: float) -> float:
        return 2.0 * x

    assert compiling.kernel(double)(1.0) == 2.0
    indices = list(compiling.cache_folder(Path(__file__)).rglob("*.nbi"))
    assert indices
    for index in indices:
        index.write_bytes(index.read_bytes()[:-20])
    assert compiling.kernel(double)(3.0) == 6.0


def test_a_part_is_kept_for_the_kernels_that_come_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))

    def triple(x: float) -> float:
        return 3.0 * x

    def twice(x: float) -> float:
        return two(x) + part(x)

    def once(x: float) -> float:
        return part(x) - x

    part, two = compiling.inner_kernel(triple), compiling.shared_kernel(lambda x: 2.0 * x)
    assert compiling.kernel(twice)(2.0) == 10.0
    part = compiling.inner_kernel(triple)
    assert compiling.kernel(once)(2.0) == 4.0
    assert sum(part.stats.cache_hits.values()) == 1 and not part.stats.cache_misses
    (kept,) = part.overloads.values()
    assert kept.library._shared_module is not None  # linked into `once`
    assert not kept.library.codegen._engine.is_symbol_defined(kept.fndesc.llvm_func_name)  # and nothing but that


def test_garbage_is_collected_again_after_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path))

    def wrong(x: float) -> float:
        return x.no_such_thing  # pyright: ignore[reportAttributeAccessIssue]

    assert gc.isenabled()
    with pytest.raises(TypingError, match="no_such_thing"):
        compiling.kernel(wrong)(1.0)
    assert gc.isenabled()
    gc.disable()
    try:
        assert compiling.kernel(lambda x: x + 1.0)(1.0) == 2.0
        assert not gc.isenabled()
    finally:
        gc.enable()
