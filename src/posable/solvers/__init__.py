"""How a figure gets to its goals: one file per method, one `Solution`."""

from posable.solvers.least_squares import LeastSquares
from posable.solvers.prepared import Prepared
from posable.solvers.solution import GoalResult, Solution
from posable.solvers.solve import prepare, solve
from posable.solvers.status import Status

__all__ = ["GoalResult", "LeastSquares", "Prepared", "Solution", "Status", "prepare", "solve"]
