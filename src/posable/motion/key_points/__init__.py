"""Key points of a pose estimator: from a video or a landmark file to a moving figure."""

from posable.motion.key_points.conventions import KeyPoints, conventions
from posable.motion.key_points.fitting import KeyPointFit, from_key_points

__all__ = ["KeyPointFit", "KeyPoints", "conventions", "from_key_points"]
