"""Inputs of a batch: those among its outputs, and their unit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import posable

pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
pytest.importorskip("fsspec")


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a recording, which states no unit, and a character, which does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    figure = posable.figure("mannequin")
    posable.save("in/walk.bvh", figure, posable.walk(figure, steps=2))
    posable.save("in/hero.glb", figure)
    return tmp_path / "in"


def test_a_unit_is_that_of_inputs_that_state_none(inputs: Path) -> None:
    """Characters beside recordings in centimetres became 1.8 cm high."""
    figure = posable.load(inputs / "hero.glb")
    posable.batch(["in/walk.bvh", "in/hero.glb"], ["convert"], "out", workers=0, format="glb", unit="cm")
    assert posable.load("out/hero.glb").height == pytest.approx(figure.height, rel=1e-3)
    assert posable.load("out/walk.glb").height == pytest.approx(figure.height / 100, rel=0.1)


def test_inputs_among_the_outputs_are_named(inputs: Path) -> None:
    """The blame was on the quotation marks of the pattern."""
    before = {*inputs.iterdir()}
    with pytest.raises(posable.PosableError, match="matches only files in the folder of the outputs, in, which are l"):
        posable.batch("in/**/*.bvh", ["mirror"], "in")
    assert {*inputs.iterdir()} == before


@pytest.mark.usefixtures("inputs")
def test_a_unit_is_refused_where_every_input_states_its_own() -> None:
    with pytest.raises(posable.FileError, match="leave it out"):
        posable.batch("in/hero.glb", ["convert"], "out", workers=0, format="glb", unit="cm")


@pytest.mark.parametrize("named", ["walk [1].bvh", "rec [old]", "rec [old]/*.bvh", "rec [old]/**/w?*.bvh"])
def test_names_with_the_signs_of_patterns_are_names_first(inputs: Path, named: str) -> None:
    """A file called "walk [1].bvh", as browsers call a second copy, matched no file."""
    if named.startswith("rec"):
        (inputs / "rec [old]").mkdir()
    target = inputs / named if named.endswith("].bvh") else inputs / "rec [old]" / "walk.bvh"
    (inputs / "walk.bvh").rename(target)
    told = posable.batch(f"in/{named}", "mirror", "out", workers=0, format="bvh")
    assert (told.inputs, told.done) == (1, 1)
    assert (Path("out") / target.name).is_file()


@pytest.mark.parametrize(
    ("patterns", "more", "problem"),
    [([], {}, "a batch needs inputs; give files"), ("in", {"workers": -1}, "0 or more, not -1")],
)
@pytest.mark.usefixtures("inputs")
def test_no_inputs_and_a_negative_number_of_workers_are_refused(patterns, more, problem) -> None:
    """The first was an IndexError, the second never ended."""
    with pytest.raises(posable.PosableError, match=problem):
        posable.batch(patterns, "mirror", "out", **more)


@pytest.mark.slow
@pytest.mark.usefixtures("inputs")
def test_a_script_without_a_main_guard_is_not_run_by_the_workers() -> None:
    """The example of the docs, in a file, ended with "Nanny failed to start": every worker ran the script once more."""
    script = """
import posable

print("begun")
print(posable.batch("in/walk.bvh", "mirror", "out", workers=1, format="bvh").done)
"""
    Path("script.py").write_text(script)
    ran = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stdout) == (0, "begun\n1\n"), ran.stderr


def test_inputs_above_this_folder_and_in_it_get_outputs(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of ../b/walk.bvh, beside an input below this folder, was refused as leading out of it."""
    for name in ("a", "b"):
        (inputs / name).mkdir()
        (inputs / name / "walk.bvh").write_bytes((inputs / "walk.bvh").read_bytes())
    monkeypatch.chdir(inputs / "a")
    told = posable.batch(["walk.bvh", "../b/walk.bvh"], "mirror", "../out", workers=0, format="bvh")
    assert (told.done, told.failed) == (2, {})
    assert sorted(path.relative_to(inputs / "out").as_posix() for path in (inputs / "out").rglob("*.bvh")) == [
        "a/walk.bvh",
        "b/walk.bvh",
    ]
