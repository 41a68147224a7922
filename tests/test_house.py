"""What holds the house up: the layers, the ceilings, the lists of names. Every exception is named here, one by one."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import posable
from benchmarks import house
from benchmarks.house import nodes

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/posable"
LAYERS = (
    {"errors", "progress"}, {"files", "sample_files"}, {"compiled"}, {"spatial"}, {"skeleton"},
    {"goals", "skin", "clips"}, {"figures"}, {"natural"}, {"solvers"}, {"gradients", "browser"}, {"jax", "torch"},
    {"motion"}, {"formats"},
    {"view"}, {"studio"}, {"cli"}, {"batches"}, {"__main__"},
)  # fmt: skip
RIMS = {"studio", "cli", "batches"}  # they speak to the library through its front door, `import posable`
LAYER_OF = {name: number for number, names in enumerate(LAYERS) for name in names}

FILE_CEILING, FUNCTION_CEILING = 400, 40
LONG_FILES: set[str] = set()
LONG_FUNCTIONS: set[str] = set()
LONG_KERNELS = {
    "goals/terms.py:fill_sight",
    "goals/terms.py:nearest_in_region",
    "solvers/closed/bending.py:bend_limb",
    "solvers/default/kernels/dense_step.py:_solve",
    "solvers/default/kernels/descent.py:descend",
    "solvers/default/kernels/simd_workspace.py:make_lane_work",
    "solvers/default/kernels/tree_step.py:tree_step",
    "solvers/default/kernels/workspace.py:cut_work",
}
BANNED_FILES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "data", "base", "core", "info"}
BANNED_FILES_ALLOWED = {"cli/info.py": "the command's own name"}
BANNED_WORDS = {"data", "info", "T", "utils", "tmp", "foo"}

MODULES = sorted(SOURCE.rglob("*.py"))
PACKAGES = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
EVERY_PYTHON_FILE = sorted(
    path
    for folder in ("src", "tests", "examples", "benchmarks", "docs", "blender")
    for path in (ROOT / folder).rglob("*.py")
)


def _short(path: Path) -> str:
    return path.relative_to(SOURCE if SOURCE in path.parents else ROOT).as_posix()


def _tree(path: Path) -> ast.Module:
    tree = nodes(path)[0]
    assert isinstance(tree, ast.Module)
    return tree


def _over(paths: Sequence[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """One test of all these files, which names those that fail: a test each would be half of the suite."""

    def as_one(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            failed = []
            for path in paths:
                try:
                    check(path)
                except AssertionError as problem:
                    failed.append(f"{_short(path)}: {problem}")
            assert not failed, "\n".join(failed)

        return test

    return as_one


each_module, each_file = _over(MODULES), _over(EVERY_PYTHON_FILE)


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every import of posable, also in functions, under TYPE_CHECKING, by importlib."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            yield from _from_import(path, node)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and "import" in ast.unparse(node.func):
            yield from ((node.lineno, name) for name in re.findall(r"posable\.\w+", ast.unparse(node.args[0])))


def _from_import(path: Path, node: ast.ImportFrom) -> Iterator[tuple[int, str]]:
    above = path.relative_to(SOURCE.parent).parts[: -node.level] if node.level else ()
    start = ".".join([*above, *filter(None, [node.module])])
    if start == "posable":
        yield from ((node.lineno, f"posable.{alias.name}") for alias in node.names)
    else:
        yield node.lineno, start


def _layer_problem(own: str, name: str) -> str | None:
    """Why a module of package `own` may not import the dotted `name`, or None."""
    parts = name.split(".")
    if parts[0] != "posable" or (own in RIMS and len(parts) == 1):
        return None
    if len(parts) == 1 or parts[1] not in LAYER_OF:
        return None if own in RIMS else "inner modules import from packages, not from the front door"
    if parts[1] != own and LAYER_OF[parts[1]] >= LAYER_OF[own]:
        return f"{own} stands below or beside {parts[1]}"
    return None


@each_module
def test_imports_run_one_way(path: Path) -> None:
    if path == SOURCE / "__init__.py":
        return
    own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert own in LAYER_OF, f"{own} has no layer; give it one in style and here"
    problems = [f"line {line}: {name}: {why}" for line, name in _imported(path) if (why := _layer_problem(own, name))]
    assert not problems


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from posable.cli import main", "posable.cli"),
        ("def f():\n    import posable.view", "posable.view"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from posable import solvers", "posable.solvers"),
        ("import importlib\nimportlib.import_module('posable.formats')", "posable.formats"),
        ("from ..view import picture", "posable.view"),
    ],
)
def test_the_layer_test_sees_every_kind_of_import(code: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = SOURCE / "skeleton/imagined.py"
    monkeypatch.setitem(globals(), "nodes", lambda _: tuple(ast.walk(ast.parse(code))))
    assert expected in [name for _, name in _imported(path)]
    assert _layer_problem("skeleton", expected)


@each_file
def test_files_stay_under_the_ceiling(path: Path) -> None:
    count = len(path.read_text(encoding="utf-8").splitlines())
    assert count <= FILE_CEILING or _short(path) in LONG_FILES, f"{count} lines; split it at a seam"


def _code_lines(path: Path) -> set[int]:
    """The lines that hold code: no blank ones, comments or docstrings."""
    text = path.read_text(encoding="utf-8").splitlines()
    lines = {number for number, line in enumerate(text, 1) if line.strip() and not line.lstrip().startswith("#")}
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


@cache
def _long_functions(path: Path) -> list[tuple[str, bool, int]]:
    """(name, is it a kernel, code lines of the body) of every function over the ceiling."""
    lines, found = _code_lines(path), []
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            count = sum(line in lines for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1))
            is_kernel = any("kernel" in ast.unparse(decorator) for decorator in node.decorator_list)
            if count > FUNCTION_CEILING:
                found.append((f"{_short(path)}:{node.name}", is_kernel, count))
    return found


@each_file
def test_functions_stay_under_the_ceiling(path: Path) -> None:
    assert not [
        (name, count)
        for name, kernel, count in _long_functions(path)
        if name not in (LONG_KERNELS if kernel else LONG_FUNCTIONS)
    ]


def test_no_exception_outlives_its_reason() -> None:
    every = [name for path in EVERY_PYTHON_FILE for name, _, _ in _long_functions(path)]
    assert set(every) >= LONG_FUNCTIONS | LONG_KERNELS
    for name in LONG_FILES:
        path = next(path for path in EVERY_PYTHON_FILE if _short(path) == name)
        assert len(path.read_text(encoding="utf-8").splitlines()) > FILE_CEILING


def _isort_key(name: str) -> tuple[int, str]:
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return kind, name


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_each_package_lists_its_names(package: Path) -> None:
    module = importlib.import_module(f"posable.{package.name}")
    listed = list(module.__all__)
    assert listed == sorted(set(listed), key=_isort_key)
    assert [name for name in listed if not hasattr(module, name)] == []
    assert _names_brought_in(package / "__init__.py") - set(listed) == set(), "not in __all__"


def _names_brought_in(path: Path) -> set[str]:
    brought: set[str] = set()
    for node in _tree(path).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("posable"):
            brought.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            brought.add(node.name)
    return {name for name in brought if not name.startswith("_")}


@pytest.mark.parametrize("name", posable.__all__)
def test_each_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(posable, name)
    if name != "__version__":
        assert (value.__doc__ or "").strip()
        assert not value.__doc__.startswith(f"{name}("), "that is the dataclass's signature, not a docstring"


def test_an_unknown_public_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'reech'"):
        _ = posable.reech  # pyright: ignore[reportAttributeAccessIssue]
    assert dir(posable) == posable.__all__


@each_module
def test_kernels_are_compiled_in_one_place_only(path: Path) -> None:
    """`compiled.decorators` is the one door to Numba's compilers, and `numba_internals` the one to its inner parts."""
    every = nodes(path)
    modules = {alias.name for node in every if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in every if isinstance(node, ast.ImportFrom)}
    compilers = {name for name in modules if name.split(".")[0] in {"numba", "llvmlite"}}
    if path.parent.name != "compiled":
        assert not compilers
    elif path.name != "numba_internals.py":
        assert compilers <= {"numba", "numba.extending"}
    names = {node.id for node in every if isinstance(node, ast.Name)}
    names |= {node.attr for node in every if isinstance(node, ast.Attribute)}
    compiling = names & {"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass", "_dynfunc"}
    assert not compiling or path == SOURCE / "compiled/plain.py"


@each_module
def test_names_say_something(path: Path) -> None:
    assert path.stem not in BANNED_FILES or _short(path) in BANNED_FILES_ALLOWED
    for node in nodes(path):
        assert not (isinstance(node, ast.ClassDef) and re.search(r"(Manager|Helper|Utils?)$", node.name)), ast.unparse(
            node
        )[:80]
        assert not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in BANNED_WORDS), (
            node.lineno
        )
        assert not (isinstance(node, ast.arg) and node.arg in BANNED_WORDS), node.lineno


@each_module
def test_files_from_strangers_are_never_run(path: Path) -> None:
    for node in nodes(path):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in {"eval", "exec", "pickle.load", "pickle.loads", "__import__"}, (
                node.lineno
            )


@each_module
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(_tree(path))


def _tracked() -> list[Path]:
    try:
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return [path for path in EVERY_PYTHON_FILE if path.is_file()]
    return [ROOT / name for name in listing.decode().split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_knows_the_machine_it_was_made_on() -> None:
    pattern = re.compile(rb"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/\w|[A-Z]:\\\\?Users|file:///")
    found = []
    for path in _tracked():
        if path.suffix not in {".png", ".gif", ".mp4", ".glb"} and path != Path(__file__):
            found += [(path.name, hit[0]) for hit in pattern.finditer(path.read_bytes())]
    assert not found


def test_type_checkers_see_the_names_that_users_get() -> None:
    guarded = next(node for node in _tree(SOURCE / "__init__.py").body if isinstance(node, ast.If))
    imports = [node for node in guarded.body if isinstance(node, ast.ImportFrom)]
    seen = {(node.module, alias.name, alias.asname) for node in imports for alias in node.names}
    packages = {("posable", name, name) for name in posable._PACKAGES}
    assert seen == {(f"posable.{home}", name, name) for name, home in posable._HOME_OF.items()} | packages


def test_a_package_is_listed_at_the_front_door_only_once() -> None:
    names = [name for home in posable._HOMES.values() for name in home]
    assert len(names) == len(set(names))
    assert list(posable.__all__) == sorted(set(posable.__all__))


@pytest.mark.parametrize(
    ("figure", "most"),
    [
        (house.modules_in_cycles, 0), (house.hidden_packages, 0), (house.repeated_names, 10),
        (house.files_with_insides, 1), (house.goal_decisions, 5), (house.quaternion_products, 1),
    ],
)  # fmt: skip
def test_the_structure_stays_in_its_bounds(figure: Callable[[Path], int], most: int) -> None:
    assert figure(ROOT) <= most
