"""What the site is gathered from: the reference holds every public name, the course what posable did."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from docs_site.reader import LESSONS, ROOT

import posable
import posable.motion
import posable.solvers.closed

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
    assert {"posable.jax.solver", "posable.torch.solver"} <= set(entries)
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


def test_every_public_name_has_an_example_and_every_error_a_cure(scripts: None) -> None:
    """An example of its own or a page or program that uses it; an error says when it is raised and what helps."""
    del scripts
    reference = importlib.import_module("site_reference")
    without = set()
    for _, packages in reference.PAGES.values():
        for package in packages:
            for name in reference.public_names(package):
                value = getattr(importlib.import_module(package), name)
                doc = inspect.getdoc(value) or ""
                if inspect.isclass(value) and issubclass(value, Exception):
                    shown = re.search(r"^Raised (.|\n)*^Cure: ", doc, re.MULTILINE)
                else:
                    shown = reference.has_example(package, name) or reference.used_in(package, name)
                if not shown:
                    without.add(name)
    assert without == set()


def test_the_first_page_begins_with_a_first_reach(scripts: None) -> None:
    del scripts
    text = importlib.import_module("make_site").first_page((ROOT / "docs/index.md").read_text(encoding="utf-8"))
    parts = (
        "pip install . && posable reach",
        "posable.solve(",
        "](gallery/",
        "](course/",
        "](readme",
        "## Solve",
        "](reference/",
    )
    assert [text.count(part) for part in parts] == [1] * len(parts)
    assert sorted(parts, key=text.index) == list(parts)


def test_a_card_says_what_was_not_run_and_what_a_program_prints(
    scripts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del scripts
    gallery = importlib.import_module("site_gallery")
    monkeypatch.setattr(gallery, "KEPT", tmp_path)
    batch = next(piece for piece in gallery.pieces() if piece.name == "03_batch")
    monkeypatch.setattr(gallery, "pieces", lambda: [batch])
    index = dict(gallery.files(run=False))["gallery/index.md"].decode()
    assert "not run in this build" in index and "This build ran no program" in index
    kept = tmp_path / f"{batch.name}-before"
    kept.mkdir()
    (kept / "said.txt").write_text("1000 of 1000 <reached>\n", encoding="utf-8")
    index = dict(gallery.files(run=False))["gallery/index.md"].decode()
    assert "1000 of 1000 &lt;reached&gt;" in index and "not run" not in index


def test_a_story_has_its_whole_program_and_its_command(
    scripts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page of a story shows makes the film that it shows."""
    del scripts
    gallery = importlib.import_module("site_gallery")
    monkeypatch.setattr(gallery, "KEPT", tmp_path)
    every = {piece.name: piece for piece in gallery.pieces()}
    assert [every[name].title for name in ("02_load_and_save", "story-mace")] == ["02 Load and save", "Mace"]
    mace = every["story-mace"]
    monkeypatch.setattr(gallery, "pieces", lambda: [mace])
    page = dict(gallery.files(run=False))["gallery/story-mace.md"].decode()
    assert "```sh\nposable demo mace -o mace.mp4\n```" in page and "](index.md)" in page
    story, films = posable.motion.tell("mace"), []
    monkeypatch.setattr(posable, "film", lambda *given, **options: films.append((given, options)))
    exec(mace.code, {})
    ((given, options),) = films
    assert given[2] == "mace.mp4" and tuple(options["camera"].position) == story.seen_from


def test_signatures_are_as_a_person_writes_them(scripts: None) -> None:
    del scripts
    readable = importlib.import_module("site_signatures").readable
    assert readable("TypeAliasForwardRef('Array') | None") == "Array | None"
    assert readable("tuple[ndarray[tuple[Any, ...], dtype[bool]], int]") == "tuple[NDArray[bool], int]"
    assert readable("~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.float64]]") == "Array"
    assert readable("ndarray[tuple[Any, ...], dtype[Any]]") == "NDArray"


def test_the_answers_of_the_exercises_are_right() -> None:
    """Those that posable can work out; the numbers stand in the page."""
    answers = [re.split("<summary>Answers</summary>", page.read_text(encoding="utf-8"))[1] for page in LESSONS]
    skeleton = posable.figure("mannequin").skeleton
    below = {
        name: sum(skeleton.index(name) in skeleton.chain(j)[:-1] for j in range(55)) for name in ("chest", "thigh_l")
    }
    assert below == {"chest": 44, "thigh_l": 3} and "counts 44, and three for a thigh" in answers[0]
    triangle, left = posable.solvers.closed.two_bone_angles((1.0, 0.0), first=1.0, second=0.7)
    assert np.degrees(np.pi - np.abs(triangle[:, 1])) == pytest.approx([69.5, 69.5], abs=0.05)
    assert left == 0 and r"\gamma = 69.5°" in answers[1]
    arm, bell = posable.figure("doorbell_arm"), (30.0, -40.0, 0.0)
    assert (
        np.linalg.norm(arm.rest.origins[-1] - bell) == pytest.approx(118, abs=0.5) and "starts 118 from" in answers[2]
    )
    method = posable.solvers.PseudoInverse(gain=0.1)
    solution = posable.solve(arm.rest, [posable.Reach("hand", bell)], method=method, tolerance=2.0)
    assert solution.iterations == 40 and "the 40th" in answers[2]
    assert np.cos(np.radians(90) / 2) ** 2 == pytest.approx(0.5) and r"\alpha = 90°" in answers[8]


@pytest.mark.slow
def test_the_gallery_runs_an_example_once(scripts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del scripts
    gallery = importlib.import_module("site_gallery")
    monkeypatch.setattr(gallery, "KEPT", tmp_path)
    every = gallery.pieces()
    assert [piece.name for piece in every] == [
        *(path.stem for path in sorted((ROOT / "examples").glob("*.py"))),
        *(f"story-{name}" for name in posable.motion.STORIES),
    ]
    ring = next(piece for piece in every if piece.name == "15_reachable_ring")
    monkeypatch.setattr(gallery, "pieces", lambda: [ring])
    made = dict(gallery.files(run=True))
    assert {"_static/gallery/15_reachable_ring/ring.png", "_static/gallery/15_reachable_ring/card.png"} < set(made)
    page = made["gallery/15_reachable_ring.md"].decode()
    assert ring.code in page and "unreachable, 0.353 left" in page
    (tmp_path / f"{ring.name}-older").mkdir()
    monkeypatch.setattr(gallery.subprocess, "run", lambda *_, **__: pytest.fail("it was run again"))
    assert dict(gallery.files(run=True)) == made
