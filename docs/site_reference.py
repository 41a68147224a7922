"""The reference: one page for each package, every public name once, under the shortest path that leads to it."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Literal

import site_examples

import posable

DOCS = Path(__file__).resolve().parent
PAGES = {  # page: title and the packages whose public names stand there
    "solving": ("Solving", ("posable.solvers",)),
    "goals": ("Goals", ("posable.goals", "posable.natural")),
    "methods": ("Closed forms", ("posable.solvers.closed",)),
    "skeleton": ("Skeletons and poses", ("posable.skeleton",)),
    "figures": ("Figures", ("posable.figures",)),
    "files": ("Files", ("posable.formats", "posable.sample_files")),
    "motion": ("Motion", ("posable.motion",)),
    "clips": ("Clips", ("posable.clips",)),
    "skin": ("Skins", ("posable.skin", "posable.skin.weights")),
    "view": ("Pictures and films", ("posable.view", "posable.studio.notebook")),
    "gradients": ("Gradients", ("posable.gradients",)),
    "many": ("Many files, and the browser", ("posable.batches", "posable.browser")),
    "errors": ("Errors", ("posable.errors",)),
}

OPTIONAL = {"gradients": ("posable.jax.solver", "posable.torch.solver")}
"""Names that only optional packages make importable; Sphinx reads them as if those were installed."""


def public_names(package: str) -> list[str]:
    """The names of a package: its `__all__`, or of a module without one what the front door takes from it."""
    module = importlib.import_module(package)
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [name for name in posable.__all__ if getattr(_value(posable, name), "__module__", "") == package]
    return [name for name in listed if not inspect.ismodule(_value(module, name))]


def _value(module: ModuleType, name: str) -> object:
    return getattr(module, name, None)


@cache
def shortest_path(package: str, name: str) -> str:
    """`posable.solve` for `solve` of posable.solvers, `posable.solvers.Fabrik` for what the front door has not."""
    own = _value(importlib.import_module(package), name)
    return f"posable.{name}" if name in set(posable.__all__) and _value(posable, name) is own else f"{package}.{name}"


@cache
def names_by_last_part() -> dict[str, str]:
    """Where each public name stands in the reference, by the name alone; names that two packages have are left out."""
    found: dict[str, set[str]] = {}
    for _, packages in PAGES.values():
        for package in packages:
            for name in public_names(package):
                found.setdefault(name, set()).add(shortest_path(package, name))
    alone = {name: next(iter(paths)) for name, paths in found.items() if len(paths) == 1}
    return alone | {path.removeprefix("posable."): path for paths in found.values() for path in paths}


def pages() -> dict[str, str]:
    """The Markdown of each page, by its path in the site."""
    entries = "\n".join(f"{title} <{page}>" for page, (title, _) in PAGES.items())
    made = {"reference/index.md": f"# Reference\n\n{_INTRODUCTION}\n\n```{{toctree}}\n:maxdepth: 2\n\n{entries}\n```\n"}
    written: set[str] = set()
    for page, (title, packages) in PAGES.items():
        parts = [part for package in packages for part in _package(package, written)]
        parts += [f"## {path}\n\n{_as_rst(f'.. autofunction:: {path}')}" for path in OPTIONAL.get(page, ())]
        made[f"reference/{page}.md"] = f"# Reference: {title}\n\n" + "\n".join(parts)
    return made


_INTRODUCTION = """Every public name, with its signature, its parameters with units and shapes, and an example. Arrays
are NumPy arrays; leading axes `[...]` are batches; angles are in radians, times in seconds, lengths in the figure's own
unit (see [conventions](../internals/conventions.md)). `Array` stands for an array of floats, `NDArray[bool]` for one of
booleans, `ArrayLike` for all that NumPy makes an array of: numbers, lists, arrays. Each name is listed once, under its
shortest import path."""


def _package(package: str, written: set[str]) -> Iterator[str]:
    """The parts of a page that tell of one package."""
    module = importlib.import_module(package)
    yield _as_rst(f".. py:module:: {package}\n   :no-index:\n\n{inspect.cleandoc(module.__doc__ or '')}")
    for name in public_names(package):
        path = shortest_path(package, name)
        if path not in written:
            written.add(path)
            yield f"## {name}\n\n" + _as_rst(_directive(package, name, path)) + used_in(package, name)


def has_example(package: str, name: str) -> bool:
    """Whether an example of the name stands in its docstring, or here for those that cannot have one there."""
    doc = inspect.getdoc(_value(importlib.import_module(package), name)) or ""
    return "Example:" in doc or name in site_examples.EXAMPLES


def used_in(package: str, name: str) -> str:
    """Links to pages and examples whose code uses a name that has no example of its own; tests run them all."""
    if has_example(package, name):
        return ""
    called = re.compile(rf"\b(posable(\.\w+)*|{package.rpartition('.')[2]})\.{name}\b|import [^\n]*\b{name}\b")
    links = [link for link, code in _code_of_pages() if called.search(code)]
    return f"\nIn use: {', '.join(links[:4])}.\n" if links else ""


@cache
def _code_of_pages() -> list[tuple[str, str]]:
    """(a link to it, its Python) of every page with code, then of every example."""
    found = []
    for path in sorted(DOCS.rglob("*.md")):
        name, text = path.relative_to(DOCS).as_posix(), path.read_text(encoding="utf-8")
        code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
        if code and not name.startswith("internals/"):
            found.append((f"[{text.partition(chr(10))[0].strip('# ')}](../{name})", code))
    for path in sorted((DOCS.parent / "examples").glob("*.py")):
        found.append((f"[example {path.stem}](../gallery/{path.stem}.md)", path.read_text(encoding="utf-8")))
    return found


def _as_rst(text: str) -> str:
    return f"````{{eval-rst}}\n{text}\n````\n"


def _directive(package: str, name: str, path: str) -> str:
    """What Sphinx is asked to show for one name."""
    value = _value(importlib.import_module(package), name)
    if inspect.isclass(value):
        return f".. autoclass:: {path}\n   :members:\n{_example(name)}"
    if callable(value) and inspect.unwrap(value).__class__ is not type(Literal["one"]):
        return f".. autofunction:: {path}\n{_example(name)}"
    doc = site_examples.ABOUT.get(name) or inspect.cleandoc(_doc_beside(name) or "")
    lines = "\n".join(f"   {line}" for line in doc.splitlines())
    return f".. py:data:: {path}\n\n{lines}\n{_example(name)}"


def _example(name: str) -> str:
    """The example that stands in docs/site_examples.py, "" without one."""
    lines = site_examples.EXAMPLES.get(name, "").strip().splitlines()
    return "\n   .. rubric:: Example\n\n" + "".join(f"   {line}\n" for line in lines) if lines else ""


@cache
def _doc_beside(name: str) -> str | None:
    """The docstring below the assignment of a constant, wherever in its package that stands."""
    root = Path(inspect.getfile(posable)).parent
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if name not in text:
            continue
        body = ast.parse(text).body
        for node, after in itertools.pairwise(body):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            named = any(isinstance(one, ast.Name) and one.id == name for one in targets)
            if named and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return str(after.value.value)
    return None
