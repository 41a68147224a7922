"""Methods by name: every spelling that people type finds the one that is meant."""

from __future__ import annotations

import pytest

from posable.errors import MethodError
from posable.solvers import METHODS, CyclicDescent, LeastSquares, SplineIK, TwoBone, method_named
from posable.solvers.solving import NAMES


def test_every_method_has_its_name() -> None:
    assert ("LeastSquares", *METHODS) == NAMES
    for name in NAMES:
        assert type(method_named(name)).__name__ == name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("least-squares", LeastSquares()),
        ("Two Bone", TwoBone()),
        ("two_bone", TwoBone()),
        ("ccd", CyclicDescent()),
        ("cyclicDescent", CyclicDescent()),
        ("spline", SplineIK()),
    ],
)
def test_spelling_is_forgiven(typed: str, meant: object) -> None:
    assert method_named(typed) == meant


def test_an_unknown_name_is_refused_with_the_near_ones() -> None:
    with pytest.raises(MethodError, match=r"no method is called 'newten'; did you mean Newton\? Methods are LeastSqu"):
        method_named("newten")
    with pytest.raises(MethodError, match="no method is called 'zzz'; Methods are"):
        method_named("zzz")
