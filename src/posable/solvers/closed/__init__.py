"""Closed forms: poses known by formulas, all of them, with no iteration."""

from posable.solvers.closed.arm import ClosedForm
from posable.solvers.closed.branches import closed_branches

__all__ = ["ClosedForm", "closed_branches"]
