"""Walks from a few numbers: the closed chain of two legs, characters, footsteps, and what moves over them."""

from posable.motion.gait.from_recording import fit_gait
from posable.motion.gait.gait import Gait, Pace, characters
from posable.motion.gait.plan import checked_points
from posable.motion.gait.planar import QuadraticGait, double_support, leg_points, quadratic, solve_closure
from posable.motion.gait.walking import planar_walker, walk

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
