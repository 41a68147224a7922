"""Inputs of a batch: those among its outputs, and their unit."""

from __future__ import annotations

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
