"""Methods by name, as people type them."""

from __future__ import annotations

from posable.errors import MethodError, near_names
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.methods import METHODS, Method

NAMES = ("LeastSquares", *METHODS)
"""Of all methods, the default first."""

_SHORT = {
    "ls": "LeastSquares",
    "dls": "DampedLeastSquares",
    "ccd": "CyclicDescent",
    "jacobiantranspose": "Transpose",
    "cycliccoordinatedescent": "CyclicDescent",
    "spring": "SpringIK",
    "spline": "SplineIK",
}


def method_named(name: str) -> LeastSquares | Method:
    """The method that `name` means, with its usual parameters: "CyclicDescent", "cyclic-descent", "ccd".

    Args:
        name: A method's name in any spelling, or its initials.

    Raises:
        MethodError: With the near names.
    """
    key = "".join(letter for letter in name.lower() if letter.isalnum())
    by_key = {one.lower(): one for one in NAMES} | _SHORT
    if key not in by_key:
        near = dict.fromkeys(by_key[one] for one in near_names(key, by_key))
        guess = f"did you mean {' or '.join(near)}? " if near else ""
        raise MethodError(f"no method is called {name!r}; {guess}Methods are {', '.join(NAMES)}")
    chosen = by_key[key]
    return LeastSquares() if chosen == "LeastSquares" else METHODS[chosen]()
