"""The laws are tested for every method."""

from __future__ import annotations

from solvers.methods.cases import CASES, MORE

from posable.solvers import METHODS


def test_every_method_has_a_case_of_its_own() -> None:
    assert set(CASES) == set(METHODS), "a new method needs a case in tests/solvers/methods/cases.py"
    assert {name: type(case.method).__name__ for name, case in CASES.items()} == {name: name for name in METHODS}
    assert {type(case.method).__name__ for case in MORE.values()} <= set(METHODS)
