"""Goals, one file each, and the formulas that goals and solvers share."""

from posable.goals.balance import Balance
from posable.goals.comfort import Comfort
from posable.goals.custom import Custom
from posable.goals.goal import Goal
from posable.goals.gravity import Gravity
from posable.goals.keep_apart import KeepApart
from posable.goals.look_at import LookAt
from posable.goals.orient import Orient
from posable.goals.place import Place
from posable.goals.pole import Pole
from posable.goals.reach import Reach
from posable.goals.rows import Mark, Row, Spring
from posable.goals.soft import SoftGoal
from posable.goals.stay import Stay
from posable.goals.target_kinds import Box, Segment
from posable.goals.torsion import Torsion

__all__ = [
    "Balance",
    "Box",
    "Comfort",
    "Custom",
    "Goal",
    "Gravity",
    "KeepApart",
    "LookAt",
    "Mark",
    "Orient",
    "Place",
    "Pole",
    "Reach",
    "Row",
    "Segment",
    "SoftGoal",
    "Spring",
    "Stay",
    "Torsion",
]
