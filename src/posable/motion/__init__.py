"""Whatever solves over time."""

from posable.motion.track import track

__all__ = ["track"]
