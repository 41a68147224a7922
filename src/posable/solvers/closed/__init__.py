"""Closed forms: all solutions by formulas, without iteration."""

from posable.solvers.closed.arm import ClosedForm
from posable.solvers.closed.bending import TwoBoneAngles, two_bone_angles
from posable.solvers.closed.branches import closed_branches
from posable.solvers.closed.limb import Limb

__all__ = ["ClosedForm", "Limb", "TwoBoneAngles", "closed_branches", "two_bone_angles"]
