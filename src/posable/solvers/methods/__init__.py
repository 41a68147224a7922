"""The classical methods, one file each."""

from posable.solvers.methods.cyclic_descent import CyclicDescent
from posable.solvers.methods.damped import DampedLeastSquares
from posable.solvers.methods.fabrik import Fabrik
from posable.solvers.methods.gradient_descent import GradientDescent
from posable.solvers.methods.method import METHOD_NAMES, Method
from posable.solvers.methods.newton import Newton
from posable.solvers.methods.pseudo_inverse import PseudoInverse
from posable.solvers.methods.spline import SplineIK
from posable.solvers.methods.spring import SpringIK
from posable.solvers.methods.transpose import Transpose
from posable.solvers.methods.two_bone import TwoBone
from posable.solvers.methods.virtual_force import VirtualForce

METHODS: dict[str, type[Method]] = {name: globals()[name] for name in METHOD_NAMES}
"""By name; the default, LeastSquares, is not among them."""

__all__ = [
    "METHODS",
    "CyclicDescent",
    "DampedLeastSquares",
    "Fabrik",
    "GradientDescent",
    "Method",
    "Newton",
    "PseudoInverse",
    "SplineIK",
    "SpringIK",
    "Transpose",
    "TwoBone",
    "VirtualForce",
]
