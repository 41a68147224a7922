"""What is wanted: one file per goal, and the formulas that goals and solvers share."""

from posable.goals.goal import Goal, Mark, Row
from posable.goals.look_at import LookAt
from posable.goals.orient import Orient
from posable.goals.place import Place
from posable.goals.reach import Reach
from posable.goals.stay import Stay

__all__ = ["Goal", "LookAt", "Mark", "Orient", "Place", "Reach", "Row", "Stay"]
