"""Whatever solves over time."""

from posable.motion.track import track
from posable.motion.whole_clip import ClipSolution, solve_clip

__all__ = ["ClipSolution", "solve_clip", "track"]
