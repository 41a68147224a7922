"""The wording: standard terms of the field in docstrings, comments, messages and docs, and none of the dialect below.

Packages join `CLEAN` when they have been edited; a word that has a legitimate use is listed in `ALLOWED` with it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/posable"
CLEAN = (
    "__init__.py",
    "batches",
    "browser",
    "cli",
    "clips",
    "compiled",
    "errors.py",
    "figures",
    "files",
    "formats",
    "goals",
    "gradients",
    "motion/__init__.py",
    "motion/clip_report.py",
    "motion/feet",
    "motion/gait",
    "motion/gait_metrics.py",
    "motion/key_points",
    "motion/markers",
    "motion/overlaying.py",
    "motion/props.py",
    "motion/reaching.py",
    "motion/stories",
    "motion/tracking.py",
    "motion/transfer",
    "motion/walk_transition.py",
    "motion/whole_clip",
    "natural",
    "sample_files",
    "skeleton",
    "skin",
    "solvers",
    "spatial",
    "studio",
    "view",
)
"""Packages and modules under src/posable that keep to the wording."""
CLEAN_DOCS = (
    "../CONTRIBUTING.md",
    "../README.md",
    "batch.md",
    "blender.md",
    "browser.md",
    "clips.md",
    "closed-forms.md",
    "command-line.md",
    *(f"course/{page.name}" for page in sorted((ROOT / "docs/course").glob("*.md"))),
    "demos.md",
    "examples.md",
    "feet.md",
    "figures.md",
    "files.md",
    "fitting.md",
    "goals.md",
    "gradients.md",
    "index.md",
    *(
        f"internals/{page.name}"
        for page in sorted((ROOT / "docs/internals").glob("*.md"))
        if page.stem != "studio-audit"
    ),
    "learning-weights.md",
    "markers.md",
    *(f"methods/{page.name}" for page in sorted((ROOT / "docs/methods").glob("*.md"))),
    "outcomes.md",
    "reach.md",
    "reaching.md",
    "render.md",
    "report.md",
    "retargeting.md",
    "roles.md",
    "skins.md",
    "solver.md",
    "text-description.md",
    "tracking.md",
    "video.md",
    "walking.md",
)
"""Pages, relative to docs, that keep to it."""
BANNED = {
    r"cannot be meant": "invalid",
    r"(?<!there )\b(?:is|are) no\b(?! (?:longer|more)\b)": "is not a …, has no …",
    r"\bthere (?:is|are) (?:none|not)\b": "has no …",
    r"\b(?:is|are) not there\b": "does not exist, unknown …",
    r"\b(?:told|said)\b": "given",
    r"\bwish(?:es|ed)?\b": "goal, target",
    r"\bplaces?\b": "position",
    r"\bturns?\b": "rotation",
    r"\bways?\b": "path, direction",
    r"\bnobody\b": "name what is absent",
    r"\bin haste\b": "name the cost",
    r"\bhalf-written\b": "incomplete",
    r"\bwhat is left\b": "residual, remainder",
    r"\blimits that hold\b": "active limits",
    r"\bwhat keeps apart\b": "collision avoidance",
    r"\b(?:give|gives|gave) way\b": "yield",
    r"\bas (?:it|they) must be\b": "valid, invalid",
}
"""Pattern: what to write instead."""
ALLOWED = re.compile(
    r"in place\b|decimal place|take place|takes place|two-way|one-way|by the way|half-?way|"
    r"`[^`\n]*`|\{[^{}\n]*\}|posable\.Place\b|--turn\b|[Tt]urns? (?:in place|by)\b|turn must be|turn[=:]|in turn\b"
)
"""Legitimate uses, taken out before the search: idioms, code in backticks, options."""


def prose(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every docstring, comment and string with a space."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string.strip("\"'")):
            yield token.start[0], token.string


def faults(text: str) -> list[str]:
    """Each banned phrase of `text`, with what to write instead."""
    plain = ALLOWED.sub("", text)
    return [
        f"{hit[0]!r}: write {cure}" for pattern, cure in BANNED.items() for hit in re.finditer(pattern, plain, re.I)
    ]


def _modules() -> list[Path]:
    return sorted(
        path for name in CLEAN for path in ([SOURCE / name] if name.endswith(".py") else (SOURCE / name).rglob("*.py"))
    )


@pytest.mark.slow
def test_sources_keep_to_the_wording() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {fault}"
        for path in _modules()
        for line, text in prose(path.read_text(encoding="utf-8"))
        for fault in faults(text)
    ]
    assert not found, "\n".join(found)


def _without_code(name: str) -> str:
    return re.sub(r"```.*?```", "", (ROOT / "docs" / name).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_docs_keep_to_the_wording() -> None:
    found = [f"{name}: {fault}" for name in CLEAN_DOCS for fault in faults(_without_code(name))]
    assert not found, "\n".join(found)


def test_the_lists_name_what_exists() -> None:
    assert all((SOURCE / name).exists() for name in CLEAN)
    assert all((ROOT / "docs" / name).exists() for name in CLEAN_DOCS)
    assert list(CLEAN) == sorted(CLEAN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A goal that cannot be meant.", "invalid"),
        ("The hand's place.", "position"),
        ("'x' is no joint", "is not a"),
        ("it is no longer used, halfway and in place; `turn`", None),
    ],
)
def test_the_dialect_is_found(text: str, expected: str | None) -> None:
    found = faults(text)
    assert (not found) if expected is None else expected in found[0]


def test_docstrings_comments_and_messages_are_searched() -> None:
    text = '"""A doc."""\n# a comment\nraise ValueError("a message")\nx = "name"\n'
    assert ast.parse(text)
    assert [line for line, _ in prose(text)] == [1, 2, 3]
