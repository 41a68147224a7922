"""The map for newcomers: every file and every function that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/posable"
PAGES = sorted((ROOT / "docs/internals").glob("*.md"))


def _file(name: str) -> Path | None:
    """Where a file or folder named in a page is."""
    return next((path for path in (SOURCE / name, ROOT / name, ROOT / "src" / name) if path.exists()), None)


def _defined(path: Path) -> set[str]:
    """Functions, classes, `Class.method` and constants of a module, those of a package's `__init__` for a folder."""
    names: set[str] = set()
    for node in ast.parse((path / "__init__.py" if path.is_dir() else path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            inner = node.body if isinstance(node, ast.ClassDef) else []
            names |= {
                f"{node.name}.{one.name}" for one in inner if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names


def _problems(text: str) -> list[str]:
    """What a page names that is not there. A function belongs to the file that is named last before it."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\d+\. |- |\| )", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        file: Path | None = None
        for span in re.findall(r"`([^`\n]+)`", paragraph):
            if re.fullmatch(r"[\w./-]*(?:\.(?:py|ts|tsx)|/)", span) and "NAME" not in span:
                file = _file(span)
                found += [] if file else [span]
            elif file and (name := re.fullmatch(r"([A-Za-z_][\w.]*)(?:\(\))", span)) and file.suffix in {".py", ""}:
                found += [] if name[1] in _defined(file) else [f"{file.name}: {name[1]}"]
            elif file and paragraph.startswith("|") and re.fullmatch(r"[A-Z][A-Z_]{2,}", span) and file.suffix == ".py":
                found += [] if span in _defined(file) else [f"{file.name}: {span}"]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_and_function_that_a_page_names_exists(page: Path) -> None:
    assert _problems(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("`solvers/solve_it.py` does", "solvers/solve_it.py"),
        ("`solvers/solving.py`: `solve_all()`", "solving.py: solve_all"),
        ("`studio/hub.py`: `Hub.drop()`", "hub.py: Hub.drop"),
        ("| damping | `solvers/default/kernels/descent.py`: `HARDEST` |", "descent.py: HARDEST"),
    ],
)
def test_what_is_not_there_is_seen(text: str, problem: str) -> None:
    assert _problems(text) == [problem]
