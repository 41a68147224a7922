"""Public docstrings are in Google style: every parameter of every public function and class stands under Args.

Packages join `DONE` when all of their public names do.
"""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
import io
import re
from pathlib import Path

import numpy as np
import pytest

import posable

DONE = (
    "posable.batches", "posable.clips", "posable.figures", "posable.formats", "posable.goals", "posable.motion",
    "posable.skeleton", "posable.skin", "posable.solvers", "posable.view",
)  # fmt: skip
"""Packages whose `__all__` is documented in full."""
LEFT_OUT = {"posable.solvers.Prepared", "posable.solvers.Solution"}
"""Names that nobody makes by hand."""
SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises", "Example", "Note", "References")


def sections(doc: str) -> dict[str, str]:
    """The sections of a Google-style docstring, "" for what stands above the first."""
    parts = re.split(rf"^({'|'.join(SECTIONS)}):\n", inspect.cleandoc(doc), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def documented(doc: str) -> set[str]:
    """The names under Args."""
    return {
        name.strip(" *")
        for line in re.findall(
            r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?:", sections(doc).get("Args", ""), re.M
        )
        for name in line.split(",")
    }


def parameters(value: object) -> set[str]:
    """What a caller may pass to a function or class; fields with metadata are documented there."""
    if inspect.isclass(value) and dataclasses.is_dataclass(value):
        return {field.name for field in dataclasses.fields(value) if field.init and not field.metadata}
    names = inspect.signature(value).parameters if callable(value) else {}
    return {name for name in names if not name.startswith("_")} - {"self"}


def _documentable(value: object) -> bool:
    is_class = inspect.isclass(value) and (dataclasses.is_dataclass(value) or "__init__" in vars(value))
    return inspect.isfunction(value) or is_class


NAMES = [
    f"{package}.{name}"
    for package in DONE
    for name in importlib.import_module(package).__all__
    if _documentable(getattr(importlib.import_module(package), name)) and f"{package}.{name}" not in LEFT_OUT
]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_documented(name: str) -> None:
    package, _, attribute = name.rpartition(".")
    value = getattr(importlib.import_module(package), attribute)
    doc = inspect.getdoc(value) or ""
    assert documented(doc) == parameters(value)
    first = doc.split("\n\n")[0]
    assert "\n" not in first and first.endswith("."), "the first paragraph is one line and one sentence"


PACKAGES = {"clips", "motion", "skin", "solvers", "__version__"}
NEEDS = {"batch": ("fsspec", "pyarrow")}
"""Packages of extras that an example needs."""
NO_EXAMPLE = {"load_markers"}
"""Names of the front door, errors aside, that have none yet."""
FRONT_DOOR = [name for name in posable.__all__ if name not in PACKAGES and not name.endswith("Error")]


@pytest.fixture(scope="module")
def at_hand() -> dict[str, object]:
    """What examples may use without making it."""
    figure = posable.figure("mannequin")
    return {"posable": posable, "np": np, "figure": figure, "clip": posable.walk(figure, steps=2)}


@pytest.mark.parametrize("name", FRONT_DOOR)
def test_every_name_of_the_front_door_has_an_example_that_runs(
    name: str, at_hand: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    example = _example(f"posable.{name}")
    assert bool(example) != (name in NO_EXAMPLE)
    _run(example, at_hand)


def _example(path: str) -> str:
    """What stands under Example, "" for nothing."""
    package, _, name = path.rpartition(".")
    return sections(inspect.getdoc(getattr(importlib.import_module(package), name)) or "").get("Example", "")


def _run(example: str, at_hand: dict[str, object]) -> None:
    runner, told = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), io.StringIO()
    test = doctest.DocTestParser().get_doctest(example, dict(at_hand), "example", None, None)
    assert bool(test.examples) == bool(example)
    assert runner.run(test, out=told.write).failed == 0, told.getvalue()


INNER = (
    *DONE, "posable.errors", "posable.gradients", "posable.natural", "posable.sample_files", "posable.skin.weights",
)  # fmt: skip
WITH_EXAMPLE = [
    f"{package}.{name}"
    for package in INNER
    for name in getattr(importlib.import_module(package), "__all__", ["near_names"])
    if name not in FRONT_DOOR and not inspect.ismodule(getattr(importlib.import_module(package), name))
    and _example(f"{package}.{name}")
]  # fmt: skip


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_the_examples_of_other_names_run(
    name: str, at_hand: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _run(_example(name), at_hand)


def test_the_examples_of_names_that_cannot_hold_them_run(
    at_hand: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "docs"))
    monkeypatch.chdir(tmp_path)
    for example in importlib.import_module("site_examples").EXAMPLES.values():
        _run(example.lstrip("\n"), at_hand)


@pytest.mark.parametrize("name", ["compare", "prepare", "sample", "show", "solve", "track"])
def test_the_front_doors_functions_document_every_parameter(name: str) -> None:
    value = getattr(posable, name)
    assert documented(inspect.getdoc(value) or "") == parameters(value)


def test_a_missing_parameter_is_found() -> None:
    def move(hand: str, to: str) -> None:
        """Move.

        Args:
            hand: The joint.

        Raises:
            to: Not a parameter.
        """

    assert documented(move.__doc__ or "") == {"hand"} != parameters(move)
