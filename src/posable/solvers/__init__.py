"""How a figure gets to where it is wanted: one file per method, one `Solution`."""

from posable.solvers.least_squares import LeastSquares
from posable.solvers.solution import GoalResult, Solution
from posable.solvers.solve import solve
from posable.solvers.status import Status

__all__ = ["GoalResult", "LeastSquares", "Solution", "Status", "solve"]
