"""Walks from a few numbers: the closed chain of two legs, characters, footsteps, and what moves over them."""

from posable.motion.gait.from_recording import fit_gait
from posable.motion.gait.gait import Gait, characters
from posable.motion.gait.plain_walk import planar_walker
from posable.motion.gait.planar import QuadraticGait, double_support, leg_points, quadratic, solve_closure
from posable.motion.gait.route import checked_points
from posable.motion.gait.style import Pace
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
