"""Whatever solves over time."""

from posable.motion.feet import Terrain
from posable.motion.track import track
from posable.motion.whole_clip import ClipSolution, solve_clip

__all__ = ["ClipSolution", "Terrain", "solve_clip", "track"]
