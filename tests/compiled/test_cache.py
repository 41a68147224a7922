"""Where compiled kernels are kept, and what makes them new."""

from __future__ import annotations

import ast
import errno
import gc
import importlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

import posable
from posable.compiled import cache as compiling
from posable.compiled.decorators import inner_kernel, kernel, shared_kernel

SOURCE = Path(compiling.__file__).with_name("threads.py")


only_where_files_have_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system knows no owners")


def fresh() -> None:
    """Forget what this process knows of the cache."""
    for function in vars(compiling).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What POSABLE_CACHE names, which no one else may write to; temporary folders are beside it."""
    monkeypatch.setenv("POSABLE_CACHE", str(tmp_path / "base"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    fresh()
    yield tmp_path / "base"
    fresh()


def chosen() -> Path:
    fresh()
    folder = compiling.cache_folder(SOURCE)
    assert folder is not None and folder.is_dir() and compiling._OWN_NAME.fullmatch(folder.name)
    return folder


def test_a_folder_of_its_own_in_the_chosen_one_is_used(base: Path) -> None:
    assert chosen().parent == base / "posable-kernels"
    assert chosen().name.startswith("threads-")


def test_the_users_cache_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSABLE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert chosen().parent == tmp_path / "posable/posable-kernels"


def test_where_nothing_can_be_written_a_temporary_folder_serves(base: Path) -> None:
    base.write_text("")
    assert chosen().parent.parent == base.parent / "temporary"
    assert chosen().parent.name.startswith("posable-kernels-")


@only_where_files_have_owners
@pytest.mark.parametrize("which", ["", "posable-kernels"])
def test_a_folder_that_others_may_write_to_is_not_trusted(base: Path, which: str) -> None:
    chosen()
    (base / which).chmod(0o770)
    assert base not in chosen().parents
    (base / which).chmod(0o755)
    assert base in chosen().parents


@only_where_files_have_owners
@pytest.mark.parametrize(("mode", "trusted"), [(0o777, False), (0o775, False), (0o1777, True), (0o755, True)])
def test_a_folder_below_one_that_others_may_write_to_could_be_swapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, trusted: bool
) -> None:
    wide = tmp_path / "wide"
    (wide / "cache").mkdir(parents=True)
    monkeypatch.setenv("POSABLE_CACHE", str(wide / "cache"))
    assert wide in chosen().parents
    wide.chmod(mode)
    assert (wide in chosen().parents) == trusted
    monkeypatch.setattr(tempfile, "tempdir", str(wide))
    fresh()
    assert (compiling.cache_folder(SOURCE) is not None) == trusted


@only_where_files_have_owners
def test_where_another_user_has_taken_the_temporary_name_a_new_folder_serves(base: Path, tmp_path: Path) -> None:
    base.write_text("")
    taken = tmp_path / f"temporary/posable-kernels-{os.getuid()}"
    taken.mkdir()
    taken.chmod(0o777)
    assert chosen().parent not in (base, taken) and not list(taken.iterdir())


def test_nothing_is_kept_where_there_is_no_folder_at_all(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    base.write_text("")
    monkeypatch.setattr(tempfile, "gettempdir", none)
    monkeypatch.setattr(tempfile, "mkdtemp", none)
    fresh()
    assert compiling.cache_folder(SOURCE) is None
    assert kernel(lambda x: x + 5.0)(1.0) == 6.0


@only_where_files_have_owners
def test_a_kernels_folder_that_others_may_write_to_is_not_trusted() -> None:
    chosen().chmod(0o777)
    fresh()
    assert compiling.cache_folder(SOURCE) is None


@only_where_files_have_owners
def test_another_users_folder_is_not_trusted(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = os.getuid()
    chosen()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getuid", lambda: uid + 1)
        fresh()
        folder = compiling.cache_folder(SOURCE)
    assert folder is None  # not even the temporary one, which another user has made
    assert base in chosen().parents


@only_where_files_have_owners
def test_a_link_in_place_of_a_folder_is_not_followed(base: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    base.mkdir(mode=0o700)
    elsewhere.mkdir()
    (base / "posable-kernels").symlink_to(elsewhere)
    assert base not in chosen().parents and not list(elsewhere.iterdir())
    (base / "posable-kernels").unlink()
    folder = chosen()
    folder.rmdir()
    folder.symlink_to(elsewhere)
    fresh()
    assert compiling.cache_folder(SOURCE) is None


def test_what_cannot_be_written_is_not_cached_and_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POSABLE_QUIET", "1")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        assert kernel(lambda x: x + 1.0)(1.0) == 2.0
        assert kernel(lambda x: x + 2.0)(1.0) == 3.0
    said = capsys.readouterr().err
    assert said == "posable: compiled kernels are not cached: No space left on device (see POSABLE_CACHE)\n"
    fresh()
    monkeypatch.setattr(compiling, "is_private", lambda _: False)
    monkeypatch.setattr(tempfile, "mkdtemp", full)
    assert kernel(lambda x: x + 3.0)(1.0) == 4.0
    assert capsys.readouterr().err.count("\n") == 1


def test_a_warning_that_cannot_be_written_stops_nothing(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    base.write_text("")
    (tmp_path / "temporary").rmdir()
    for stream in (Full(), None):
        fresh()
        monkeypatch.setattr(sys, "stderr", stream)
        assert kernel(lambda x: x + 6.0)(1.0) == 7.0


def test_an_edit_in_an_imported_file_makes_a_new_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def name() -> str:
        fresh()
        return compiling.folder_name(tmp_path / "a/one.py")

    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    (tmp_path / "a").mkdir()
    for file, text in (("one", "from posable.a.two import f"), ("two", "from posable.a import three"), ("other", "")):
        (tmp_path / "a" / f"{file}.py").write_text(text)
    (tmp_path / "a/__init__.py").write_text("from posable.a.three import g")
    (tmp_path / "a/three.py").write_text("")
    (tmp_path / "a/words.py").write_text("def told(): pass")
    (tmp_path / "a/two.py").write_text("from posable.a import three\nfrom posable.a.words import told")
    names = [name()]
    for changed, same in (("two", False), ("other", True), ("three", False), ("words", True)):
        file = tmp_path / "a" / f"{changed}.py"
        file.write_text(f"{file.read_text()}\nx = 1")
        names.append(name())
        assert (names[-1] == names[-2]) == same


def test_the_name_is_the_same_wherever_posable_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = SOURCE.parents[1]
    here = compiling.folder_name(package / "skeleton/limits.py")
    shutil.copytree(package, tmp_path / "posable", ignore=shutil.ignore_patterns("static", "__pycache__"))
    fresh()
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path / "posable")
    monkeypatch.setattr(compiling, "__file__", str(tmp_path / "posable/compiled/cache.py"))
    assert compiling.folder_name(tmp_path / "posable/skeleton/limits.py") == here


@pytest.mark.slow
def test_no_kernel_takes_a_number_or_a_kernel_from_a_file_that_is_left_out_of_its_key() -> None:
    package = Path(posable.__file__).parent
    for file in package.rglob("*.py"):
        if b"posable.compiled.decorators import" not in file.read_bytes():
            continue
        kept = compiling.kernel_sources(file)
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


def test_old_folders_are_forgotten_and_nothing_else_is(base: Path) -> None:
    own = chosen().parent
    for strange in (base / "photographs", own / "photographs", own / "old-0123"):
        strange.mkdir()
        os.utime(strange, (0, 0))
    for i in range(compiling._KEPT_FOLDERS + 5):
        (own / f"old-{i:016x}").mkdir()
        os.utime(own / f"old-{i:016x}", (i, i))
    chosen().rmdir()
    newest = chosen()
    assert len(list(own.iterdir())) == compiling._KEPT_FOLDERS + 2
    assert newest.is_dir() and not (own / f"old-{0:016x}").exists()
    assert (base / "photographs").is_dir() and (own / "photographs").is_dir() and (own / "old-0123").is_dir()


def test_330_folders_of_the_users_survive(base: Path) -> None:
    base.mkdir()
    names = [f"photographs-{i:016x}" if i % 2 else f"year {i}" for i in range(330)]  # half of them named like kernels'
    for name in names:
        (base / name).mkdir()
        (base / name / "picture.png").write_text("")
        os.utime(base / name, (0, 0))
    chosen()
    assert sorted(path.parent.name for path in base.glob("*/picture.png")) == sorted(names)


def test_compilation_is_announced_once_and_only_if_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POSABLE_QUIET", raising=False)

    def half(x: float) -> float:
        return x / 2

    def said() -> int:
        compiling.announce_compilation.cache_clear()
        halving = kernel(half)
        assert [halving(x) for x in given] == [x / 2 for x in given]
        return capsys.readouterr().err.count("posable: compiling ")

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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    part = inner_kernel(lambda x: 2.0 * x)
    part.compile((numba.float64,))  # pyright: ignore[reportFunctionMemberAccess]
    assert part.overloads and capsys.readouterr().err == ""  # pyright: ignore[reportFunctionMemberAccess]


def test_a_damaged_cache_is_compiled_anew() -> None:

    def double(x: float) -> float:
        return 2.0 * x

    assert kernel(double)(1.0) == 2.0
    folder = compiling.cache_folder(Path(__file__))
    assert folder is not None
    (kept,) = folder.iterdir()
    kept.write_bytes(kept.read_bytes()[:-20])
    assert kernel(double)(3.0) == 6.0


def test_a_part_is_kept_for_the_kernels_that_come_later() -> None:

    def triple(x: float) -> float:
        return 3.0 * x

    def twice(x: float) -> float:
        return two(x) + part(x)

    def once(x: float) -> float:
        return part(x) - x

    part, two = inner_kernel(triple), shared_kernel(lambda x: 2.0 * x)
    assert kernel(twice)(2.0) == 10.0
    part = inner_kernel(triple)
    assert kernel(once)(2.0) == 4.0
    assert sum(part.stats.cache_hits.values()) == 1 and not part.stats.cache_misses
    (kept,) = part.overloads.values()
    assert kept.library._shared_module is not None  # linked into `once`
    assert not kept.library.codegen._engine.is_symbol_defined(kept.fndesc.llvm_func_name)  # and nothing but that


def test_garbage_is_collected_again_after_compiling() -> None:

    def wrong(x: float) -> float:
        return x.no_such_thing  # pyright: ignore[reportAttributeAccessIssue]

    assert gc.isenabled()
    with pytest.raises(TypingError, match="no_such_thing"):
        kernel(wrong)(1.0)
    assert gc.isenabled()
    gc.disable()
    try:
        assert kernel(lambda x: x + 1.0)(1.0) == 2.0
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_long_compilation_is_told_of_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    clock = iter([100.0, 101.0, 111.0, 112.0, 125.0])
    monkeypatch.setattr(compiling, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(compiling, "_progress", compiling._Progress())
    monkeypatch.delenv("POSABLE_QUIET", raising=False)
    compiling.announce_compilation.__wrapped__()
    for _ in range(4):
        compiling.announce_compiled()
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("posable: compiling what this kind of call needs")
    assert told[1:] == ["posable: still compiling: 2 kernels in 11 s", "posable: still compiling: 4 kernels in 25 s"]
