"""Public docstrings are in Google style: every parameter of every public function and class stands under Args.

Packages join `DONE` when all of their public names do.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re

import pytest

DONE = ("posable.clips", "posable.figures", "posable.formats", "posable.motion", "posable.skin", "posable.view")
"""Packages whose `__all__` is documented in full."""
LEFT_OUT = {
    "posable.motion.ClipSolution",
    "posable.motion.Fade",
    "posable.motion.Overlay",
    "posable.motion.chase",
    "posable.motion.eased",
    "posable.motion.fade",
    "posable.motion.fit_markers",
    "posable.motion.key",
    "posable.motion.move",
    "posable.motion.overlay",
    "posable.motion.reach",
    "posable.motion.solve_clip",
    "posable.motion.track",
}
"""Names that have not been converted yet."""
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


def test_a_missing_parameter_is_found() -> None:
    def move(hand: str, to: str) -> None:
        """Move.

        Args:
            hand: The joint.

        Raises:
            to: Not a parameter.
        """

    assert documented(move.__doc__ or "") == {"hand"} != parameters(move)
