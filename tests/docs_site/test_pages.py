"""What the site is gathered from: the reference holds every public name, the course what posable did."""

from __future__ import annotations

import importlib
import inspect
import re

import numpy as np
from docs_site.reader import LESSONS, ROOT

FRONT_DOORS = [
    "posable",
    *(f"posable.{path.parent.name}" for path in sorted((ROOT / "src/posable").glob("*/__init__.py"))),
    "posable.solvers.closed",
    "posable.skin.weights",
]
INSIDE = {"compiled", "spatial", "files", "cli", "studio", "sample_files"}
"""Packages that are not for callers; what is public in them stands at the front door."""


def test_every_public_name_is_in_the_reference_once(scripts: None) -> None:
    del scripts
    reference = importlib.import_module("site_reference")
    entries = re.findall(r"^\.\. (?:auto\w+|py:data):: (\S+)$", "\n".join(reference.pages().values()), re.MULTILINE)
    assert len(entries) == len(set(entries)) > 200
    for package in FRONT_DOORS:
        if package.rpartition(".")[2] in INSIDE:
            continue
        module = importlib.import_module(package)
        names = [name for name in getattr(module, "__all__", []) if not name.startswith("__")]
        for name in names:
            value = getattr(module, name)
            if not hasattr(value, "__path__"):  # a package has a page, not an entry
                assert any(entry.endswith(f".{name}") for entry in entries), f"{package}.{name} is on no page"


def test_the_course_is_ten_lessons_in_order() -> None:
    listed = re.findall(
        r"^(\d+)\. \[.*?\]\((\d\d)-[\w-]+\.md\)", (ROOT / "docs/course/index.md").read_text("utf-8"), re.M
    )
    assert [(int(number), int(name)) for number, name in listed] == [(n, n) for n in range(1, 11)]
    assert [page.stem[:2] for page in LESSONS] == [f"{n:02d}" for n in range(1, 11)]


def test_what_the_figures_show_of_posable_reached_its_target(scripts: None) -> None:
    """The traces are made from posable when the site is built; here that the solves in them did what the page says."""
    del scripts
    traces = importlib.import_module("make_course_traces").TRACES
    doorbell = traces["03-jacobian"]()
    assert doorbell["reached"] and len(doorbell["points"]) == 41
    limits = traces["04-damping-and-limits"]()
    assert limits["inside"]["reached"] and not limits["outside"]["reached"]
    for trace in traces["05-cyclic-descent-and-fabrik"]().values():
        assert np.linalg.norm(np.subtract(trace["points"][-1][-1], trace["target"])) < 1e-3
    natural = traces["10-natural-poses"]()
    assert max(natural["plain_missed"], natural["natural_missed"]) < 1e-6
    moved = np.abs(np.subtract(natural["natural"], natural["plain"])).max()
    assert moved > 0.1, "the two persons differ"


WITHOUT_EXAMPLE = {"closed_branches", "printable", "skin_of_donor"}
"""Functions for other parts of posable."""


def test_every_public_function_has_an_example_or_a_page_that_uses_it(scripts: None) -> None:
    del scripts
    reference = importlib.import_module("site_reference")
    without = set()
    for _, packages in reference.PAGES.values():
        for package in packages:
            for name in reference.public_names(package):
                value = getattr(importlib.import_module(package), name)
                shown = "Example:" in (inspect.getdoc(value) or "") or reference.used_in(package, name)
                if callable(value) and inspect.isroutine(inspect.unwrap(value)) and not shown:
                    without.add(name)
    assert without == WITHOUT_EXAMPLE
