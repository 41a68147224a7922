"""Recorded markers and key points: from points in space to poses of a figure."""

from posable.motion.markers.markers import Markers

__all__ = ["Markers"]
