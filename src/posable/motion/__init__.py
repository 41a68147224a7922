"""Whatever solves over time."""

from posable.motion.feet import Terrain
from posable.motion.gait import Gait, characters, double_support, leg_points, solve_closure, walk
from posable.motion.track import track
from posable.motion.whole_clip import ClipSolution, solve_clip

__all__ = [
    "ClipSolution",
    "Gait",
    "Terrain",
    "characters",
    "double_support",
    "leg_points",
    "solve_clip",
    "solve_closure",
    "track",
    "walk",
]
