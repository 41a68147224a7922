"""Inverse kinematics: one file per method, one `Solution`."""

from posable.solvers.comparison import Compared, Comparison, compare
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.methods import (
    METHODS,
    CyclicDescent,
    DampedLeastSquares,
    Fabrik,
    GradientDescent,
    Method,
    Newton,
    PseudoInverse,
    SplineIK,
    SpringIK,
    Transpose,
    TwoBone,
    VirtualForce,
)
from posable.solvers.prepared import Prepared
from posable.solvers.solution import GoalResult, Solution, Status
from posable.solvers.solving import method_named, prepare, solve

__all__ = [
    "METHODS",
    "Compared",
    "Comparison",
    "CyclicDescent",
    "DampedLeastSquares",
    "Fabrik",
    "GoalResult",
    "GradientDescent",
    "LeastSquares",
    "Method",
    "Newton",
    "Prepared",
    "PseudoInverse",
    "Solution",
    "SplineIK",
    "SpringIK",
    "Status",
    "Transpose",
    "TwoBone",
    "VirtualForce",
    "compare",
    "method_named",
    "prepare",
    "solve",
]
