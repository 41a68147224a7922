"""What Python may call: a wrong call is an error and never a crash."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

import posable
from posable.compiled.decorators import inlined_kernel, inner_kernel, kernel, maker_kernel, shared_kernel
from posable.compiled.numba_internals import types
from posable.compiled.records import RecordType, record_maker, record_reader
from posable.compiled.simd_float import dual_at, entries, matrix_at
from posable.compiled.threads import cores
from posable.compiled.views import as_lanes, as_whole, gather
from posable.solvers.default.least_squares import solve_one
from posable.spatial import kernels

PACKAGE = Path(posable.__file__).parent
_PAIR = RecordType("Pair", {"first": types.float64})


def inner_kernels() -> list[Any]:
    """Every kernel of posable that Python cannot call."""
    files = [f for f in PACKAGE.rglob("*.py") if b"posable.compiled.decorators import" in f.read_bytes()]
    names = [".".join(("posable", *file.relative_to(PACKAGE).with_suffix("").parts)) for file in files]
    made = [one for name in names for one in vars(importlib.import_module(name)).values()]
    return [one for one in made if type(one) is type(kernels.cross)]


def test_an_inner_kernel_called_from_python_is_a_type_error() -> None:
    every = inner_kernels()
    assert len(every) > 150
    for inner in every:
        with pytest.raises(TypeError, match=f"{inner.__name__} is an inner kernel, which only kernels can call"):
            inner(*[1.0] * len(inner.py_func.__code__.co_varnames[: inner.py_func.__code__.co_argcount]))


def test_importing_kernels_makes_no_dispatcher_of_an_inner_one() -> None:
    told = "import posable.solvers; from posable.spatial import kernels; print('dispatcher' in vars(kernels.cross))"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_a_kernel_that_python_calls_is_no_part_of_another() -> None:
    def double(x: float) -> float:
        return 2.0 * x

    entry = kernel(double)
    with pytest.raises(TypingError, match="double is a kernel that only Python calls: make it an inner_kernel"):
        kernel(lambda x: entry(x) + 1.0)(3.0)
    assert entry(3.0) == 6.0


@pytest.mark.parametrize("decorator", [inner_kernel, shared_kernel, maker_kernel, inlined_kernel])
def test_it_is_one_even_when_a_kernel_has_called_it(decorator: Callable[[Any], Any]) -> None:
    def double(x: float) -> float:
        return 2.0 * x

    inner = decorator(double)
    assert kernel(lambda x: inner(x) + 1.0)(3.0) == 7.0
    with pytest.raises(TypeError, match=r"double is an inner kernel, .* Python can call double.py_func"):
        inner(3.0)
    assert inner.py_func(3.0) == 6.0


@pytest.mark.parametrize(
    ("decorator", "share", "copied"),
    [(inner_kernel, 0.5, True), (shared_kernel, 0.25, False), (maker_kernel, 2.0, False)],
)
def test_what_is_shared_is_not_copied_into_each_caller(
    decorator: Callable[[Any], Any], share: float, copied: bool
) -> None:
    """Numba hands the caller's wish on to what it calls: the largest kernel became four times as large by that."""
    part = decorator(lambda x: share * x)  # the share is a part of its name in the cache
    between = inner_kernel(lambda x: part(x) + 1.0)
    assert kernel(lambda x: between(x) - 1.0)(3.0) == 3.0 * share
    (made,) = part.overloads.values()
    code = made.library._final_module.get_function(made.fndesc.llvm_func_name)
    assert (b"alwaysinline" in list(code.attributes)) == copied


@pytest.mark.parametrize(
    ("intrinsic", "given"),
    [
        (lambda a: as_whole(a), np.zeros(8, np.float32)),
        (lambda a: as_whole(a), np.zeros(8)[::2]),
        (lambda a: as_lanes(a).shape[0], np.zeros((4, 8), np.float32)),
        (lambda a: as_lanes(a).shape[0], np.zeros((4, 8))[::2]),
        (lambda a: gather(a, 0, 1) + 1.0, np.zeros(8, np.int64)),
        (lambda a: entries(matrix_at(a, 0, 0)), np.zeros((1, 16))),
        (lambda a: entries(dual_at(a, 0, 0)), np.zeros((1, 16), np.float32)[:, ::2]),
    ],
    ids=["as_whole", "as_whole strided", "as_lanes", "as_lanes strided", "gather", "matrix_at", "dual_at strided"],
)
def test_memory_of_another_type_or_layout_is_refused(intrinsic: Any, given: np.ndarray) -> None:
    with pytest.raises(TypingError, match=r"a contiguous array of float.. is needed here"):
        kernel(intrinsic)(given)


def test_a_record_lies_in_contiguous_doubles_only() -> None:
    make, read = record_maker(_PAIR), record_reader(_PAIR)
    write = kernel(lambda memory: make(memory, (3.0,)).first)
    assert write(np.zeros(12)) == 3.0
    for wrong in (np.zeros(24, np.float32), np.zeros(24)[::2]):
        for call in (write, kernel(lambda memory: read(memory).first)):
            with pytest.raises(TypingError, match="a contiguous array of float64 is needed here"):
                call(wrong)


def test_an_entry_kernel_given_other_types_is_an_error() -> None:
    with pytest.raises(TypingError):
        solve_one(np.zeros(100, np.float32), None, np.zeros(3), np.zeros(4))
    with pytest.raises(TypingError):
        solve_one(None, None, None, None)
    with pytest.raises(TypeError, match="argument"):
        solve_one()


def test_threads_are_limited_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSABLE_THREADS", raising=False)
    every = cores()
    for text, wanted in (("1", 1), ("100000", every), ("0", every), ("many", every)):
        monkeypatch.setenv("POSABLE_THREADS", text)
        assert cores() == wanted
