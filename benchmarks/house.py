"""The structure of the code in figures: `python -m benchmarks.house [CHECKOUT ...]`, one column for each checkout.

Everything is read from the text of `src/posable`; nothing is imported. Two figures are measured by hand instead, and
stand in `docs/internals`: how many files a new goal, a new format and a new panel of the studio touch.
"""

from __future__ import annotations

import ast
import gc
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

HERE = Path(__file__).parents[1]
TERM_KINDS = {"POSITION", "ROTATION", "SIGHT", "REGION", "LEANING", "POLE", "BALANCE", "APART"}
INSIDES = re.compile(r"^\s*(?:from|import) (numba\.(?:core|np)\b|numba import _dynfunc|llvmlite)", re.MULTILINE)


@cache
def _modules(checkout: Path) -> dict[str, Path]:
    """Dotted name → file of every module, packages by their own name."""
    source = checkout / "src"
    files = sorted((source / "posable").rglob("*.py"))
    return {".".join(f.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file's syntax tree, the module first, level by level."""
    gc.disable()  # collections would walk through the many trees that are kept, which takes longer than parsing
    try:
        return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    finally:
        gc.enable()


def _documentation(path: Path) -> set[int]:
    """The lines of docstrings and of other strings that stand alone."""
    lines: set[int] = set()
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def module_count(checkout: Path) -> int:
    """Python files under src/posable."""
    return len(_modules(checkout))


def code_lines(checkout: Path) -> int:
    """Lines that are not blank, not a comment and not part of a docstring."""
    total = 0
    for path in _modules(checkout).values():
        documentation = _documentation(path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            total += bool(line.strip()) and not line.lstrip().startswith("#") and number not in documentation
    return total


def repeated_names(checkout: Path) -> int:
    """Module names that stand more than once, outside `formats`, `__init__` aside."""
    stems = [path.stem for name, path in _modules(checkout).items() if ".formats" not in name]
    return sum(count > 1 for stem, count in Counter(stems).items() if stem != "__init__")


def _imports(checkout: Path, name: str) -> set[str]:
    """The modules that module `name` imports anywhere, lazily and for type checking too."""
    modules, found = _modules(checkout), set()
    for node in nodes(modules[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            dotted = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in modules else node.module for one in dotted}
    # The front door hands every name on lazily, so that whoever uses the front door is in a cycle with it by design.
    return {one for one in found if one in modules and one not in {name, "posable"}}


def modules_in_cycles(checkout: Path) -> int:
    """Modules in a cycle of imports, counting lazy and type-checking imports; the front door aside."""
    graph = {name: _imports(checkout, name) for name in _modules(checkout) if name != "posable"}
    return sum(len(group) for group in _components(graph) if len(group) > 1)


def _components(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected components of a graph (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> Iterator[list[str]]:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph[node]:
            if other not in order:
                yield from visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            at = stack.index(node)
            yield stack[at:]
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for node in graph:
        if node not in order:
            yield from visit(node)


def files_with_insides(checkout: Path) -> int:
    """Files that import undocumented parts of Numba or llvmlite."""
    return sum(bool(INSIDES.search(path.read_text(encoding="utf-8"))) for path in _modules(checkout).values())


def goal_decisions(checkout: Path) -> int:
    """Decisions by a goal's class outside `goals`: isinstance, `type(…) is`, match cases and the kinds of terms."""
    count, classes = 0, _goal_classes(checkout)
    for name, path in _modules(checkout).items():
        if not name.startswith("posable.goals"):
            kinds = _term_kinds(path)
            count += sum(_names_tested(node) & classes != set() or _compares(node, kinds) for node in nodes(path))
    return count


def _goal_classes(checkout: Path) -> set[str]:
    """The goals, one file each, and what they derive from."""
    found = {"Custom", "Goal", "SoftGoal"}
    for name, path in _modules(checkout).items():
        for node in nodes(path) if name.startswith("posable.goals.") else ():
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("Goal") for base in node.bases):
                found.add(node.name)
    return found


def _term_kinds(path: Path) -> set[str]:
    """The constants for kinds of terms that a module imports."""
    froms = [node for node in nodes(path) if isinstance(node, ast.ImportFrom)]
    return {one.name for node in froms if node.module == "posable.goals.terms" for one in node.names} & TERM_KINDS


def _compares(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Compare) and bool(names & {n.id for n in ast.walk(node) if isinstance(n, ast.Name)})


def _names_tested(node: ast.AST) -> set[str]:
    """The names of classes that a node asks something to be of."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
        tested: ast.AST = node.args[1]
    elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
        tested = node.comparators[0]
    elif isinstance(node, ast.MatchClass):
        tested = node.cls
    else:
        return set()
    words = {part.id for part in ast.walk(tested) if isinstance(part, ast.Name)}
    words |= {part.attr for part in ast.walk(tested) if isinstance(part, ast.Attribute)}
    return words


def hidden_packages(checkout: Path) -> int:
    """Names that a package hands out although a module or package in it has the same name."""
    count = 0
    for name, path in _modules(checkout).items():
        if path.stem == "__init__":
            below = {other.rpartition(".")[2] for other in _modules(checkout) if other.rpartition(".")[0] == name}
            count += len(below & _handed_out(path))
    return count


def _handed_out(path: Path) -> set[str]:
    names: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            parts = {f"{node.module}.{alias.name}".replace(".", "/") for alias in node.names}
            modules = {part for part in parts if _is_module(path.parents[0] / part.split("/")[-1])}
            inside = str(path.parent).endswith((node.module or "").replace(".", "/"))
            names |= {alias.asname or alias.name for alias in node.names if not (inside and modules)}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def _is_module(path: Path) -> bool:
    return path.exists() or path.with_suffix(".py").exists()


def quaternion_products(checkout: Path) -> int:
    """Functions that write the product of two quaternions out (Python and TypeScript)."""
    # The scalar part: a product of the first numbers less three more, none of them a square.
    factor = r"(\w+(?:\.\w|\[[^]]+\])?)"
    products = [rf"{factor} \* (?!\{2 * k + 1}\b){factor}" for k in range(4)]
    pattern = re.compile(" - ".join(products))
    files = [*_modules(checkout).values(), *(checkout / "web/src").rglob("*.ts*")]
    return sum(len(pattern.findall(path.read_text(encoding="utf-8"))) for path in files)


FIGURES: tuple[Callable[[Path], int], ...] = (
    module_count, code_lines, repeated_names, modules_in_cycles, files_with_insides, goal_decisions, hidden_packages,
    quaternion_products,
)  # fmt: skip


def main() -> None:
    """Print a row for each figure."""
    checkouts = [Path(argument) for argument in sys.argv[1:]] or [HERE]
    for figure in FIGURES:
        print(f"{figure.__name__:20}", *(f"{figure(checkout):8,}" for checkout in checkouts))


if __name__ == "__main__":
    main()
