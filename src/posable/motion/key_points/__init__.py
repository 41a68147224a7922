"""Key points of a pose estimator: from a video or a landmark file to a moving figure."""

from posable.motion.key_points.conventions import KeyPoints, convention_of, conventions, names_of, site_of
from posable.motion.key_points.fitting import KeyPointFit, from_key_points

__all__ = ["KeyPointFit", "KeyPoints", "convention_of", "conventions", "from_key_points", "names_of", "site_of"]
