"""Compiling ahead, on another core."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from posable.cli import reach
from posable.compiled import cache as compiling
from posable.solvers.default.kernels import restarts

started: list[subprocess.Popen] = []


class _Recorded(subprocess.Popen):
    def __init__(self, *given: object, **more: object) -> None:
        super().__init__(*given, **more)  # pyright: ignore[reportArgumentType, reportCallIssue]
        started.append(self)


@pytest.fixture(autouse=True)
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    started.clear()
    monkeypatch.setattr(subprocess, "Popen", _Recorded)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


def pretend_cached(monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    monkeypatch.setattr(compiling, "is_compiled", lambda _: cached)


def test_nothing_starts_where_nothing_is_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_cached(monkeypatch, True)
    with reach.solver_compiled_ahead() as wait:
        assert wait is None
    assert started == []


def test_nothing_starts_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_cached(monkeypatch, False)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with reach.solver_compiled_ahead() as wait:
        assert wait is None
    assert started == []


def test_it_waits_for_what_it_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pretend_cached(monkeypatch, False)
    monkeypatch.setattr(reach, "_SOLVE_SMALL", f"open({str(tmp_path / 'done')!r}, 'w')")
    with reach.solver_compiled_ahead() as wait:
        assert wait is not None
        wait()
        assert (tmp_path / "done").exists()


def test_what_it_started_does_not_outlive_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_cached(monkeypatch, False)
    monkeypatch.setattr(reach, "_SOLVE_SMALL", "import time; time.sleep(600)")
    with pytest.raises(ZeroDivisionError), reach.solver_compiled_ahead():
        raise ZeroDivisionError
    assert started[0].poll() is not None


def test_what_it_runs_fills_the_cache() -> None:
    exec(compile(reach._SOLVE_SMALL, "ahead", "exec"), {})
    assert compiling.is_compiled(Path(restarts.__file__))
