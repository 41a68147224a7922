"""`posable doctor`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import posable
from posable.cli import doctor
from posable.compiled import cache


@pytest.mark.slow
def test_a_sound_machine(run) -> None:
    ran = run("doctor")
    assert (ran.status, ran.err) == (0, "")
    for told in (posable.__version__, "numpy", "usd-core", "kernels", "ok     solve", "ok     film"):
        assert told in ran.out
    assert list(Path().iterdir()) == []
    found = run("doctor", "--json").json
    assert [check["works"] for check in found["checks"]] == [True] * len(doctor.CHECKS)
    assert set(found["machine"]) >= {"posable", "Python", "machine", "needs", "studio", "usd", "kernels"}


def test_what_fails_is_told_and_the_others_are_tried(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> str:
        raise OSError("no space left")

    monkeypatch.setattr(doctor, "CHECKS", (doctor.Check("picture", broken), doctor.Check("other", lambda _: "fine")))
    ran = run("doctor")
    assert ran.status == 1
    assert "FAILS  picture: OSError: no space left (test_doctor.py, line" in ran.out
    assert "ok     other: fine" in ran.out
    assert ran.err.startswith("posable: picture: failed; please report it")


def test_what_is_missing_is_named_with_its_cure(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "CHECKS", ())
    monkeypatch.setattr(doctor, "_version", lambda name: "" if name == "usd-core" else "1.0")
    assert 'not installed: usd-core (pip install "posable[usd]")' in run("doctor").out


def test_what_is_installed_is_not_said_to_be_missing(run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever a package is imported as: myst-parser, Pillow and usd-core are not imported by their names.
    monkeypatch.setattr(doctor, "CHECKS", ())
    told = run("doctor").out
    for package in ("pillow", "usd-core", "myst-parser", "sphinx-copybutton"):
        try:
            found = version(package)
        except PackageNotFoundError:
            continue
        assert f"{package} {found}" in told


def test_kernels_that_came_with_a_wheel_are_told_from_those_compiled_here(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "CHECKS", ())
    monkeypatch.setattr(cache, "SHIPPED", tmp_path)
    assert "kernels  compiled at first use, kept in " in run("doctor").out
    (tmp_path / cache.folder_name(Path(posable.__file__).parent / "skeleton/batches.py")).mkdir()
    assert "kernels  came compiled with posable, kept in " in run("doctor").out
