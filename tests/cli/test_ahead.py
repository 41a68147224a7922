"""Compiling ahead, on another core."""

from __future__ import annotations

import subprocess

import pytest

from posable.cli import ahead

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


@pytest.mark.parametrize(("wanted", "cached"), [(False, False), (True, True)])
def test_nothing_starts_where_nothing_is_to_be_compiled(monkeypatch, wanted, cached) -> None:
    monkeypatch.setattr(ahead, "_is_cached", lambda: cached)
    with ahead.drawing_compiled_ahead(wanted) as wait:
        wait()
    assert started == []


def test_it_waits_for_what_it_started(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(ahead, "_is_cached", lambda: False)
    monkeypatch.setattr(ahead, "_DRAW_SMALL", f"open({str(tmp_path / 'done')!r}, 'w')")
    with ahead.drawing_compiled_ahead(True) as wait:
        wait()
        assert (tmp_path / "done").exists()


def test_what_it_started_does_not_outlive_a_failure(monkeypatch) -> None:
    monkeypatch.setattr(ahead, "_is_cached", lambda: False)
    monkeypatch.setattr(ahead, "_DRAW_SMALL", "import time; time.sleep(600)")
    with pytest.raises(ZeroDivisionError), ahead.drawing_compiled_ahead(True):
        raise ZeroDivisionError
    assert started[0].poll() is not None


def test_what_it_runs_draws_and_fills_the_cache() -> None:
    exec(compile(ahead._DRAW_SMALL, "ahead", "exec"), {})
    assert ahead._is_cached()
