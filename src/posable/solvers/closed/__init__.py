"""Closed forms: poses known by formulas, all of them, with no iteration."""

from posable.solvers.closed.arm import ClosedForm
from posable.solvers.closed.branches import closed_branches
from posable.solvers.closed.limb import Limb
from posable.solvers.closed.two_bone import TwoBoneAngles, two_bone_angles

__all__ = ["ClosedForm", "Limb", "TwoBoneAngles", "closed_branches", "two_bone_angles"]
