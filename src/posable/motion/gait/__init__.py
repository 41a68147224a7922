"""Walks from a few numbers: the closed chain of two legs, characters, footsteps, and what moves over them."""

from posable.motion.gait.closure import double_support, leg_points, solve_closure
from posable.motion.gait.fitting import fit_gait
from posable.motion.gait.gait import Gait, characters
from posable.motion.gait.pace import Pace
from posable.motion.gait.plain_walk import planar_walker
from posable.motion.gait.quadratic import QuadraticGait, quadratic
from posable.motion.gait.track import checked_points
from posable.motion.gait.walking import walk

__all__ = [
    "Gait",
    "Pace",
    "QuadraticGait",
    "characters",
    "checked_points",
    "double_support",
    "fit_gait",
    "leg_points",
    "planar_walker",
    "quadratic",
    "solve_closure",
    "walk",
]
