"""Key points of a pose estimator: from a video or a landmark file to a moving figure."""

from posable.motion.key_points.clip_fitting import KeyPointFit, from_key_points
from posable.motion.key_points.convention_tables import KeyPoints, convention_of, conventions, names_of, site_of

__all__ = ["KeyPointFit", "KeyPoints", "convention_of", "conventions", "from_key_points", "names_of", "site_of"]
