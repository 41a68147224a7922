"""Recorded markers and key points: from points in space to poses of a figure."""

from posable.motion.markers.exchanged_labels import Exchange
from posable.motion.markers.fitting import fit_markers
from posable.motion.markers.key_points import pose_from_points
from posable.motion.markers.labelling import Labelling, label_markers
from posable.motion.markers.landmarks import Attachment, Attachments, guess_attachments
from posable.motion.markers.markers import MarkerFit, Markers, Residual

__all__ = [
    "Attachment",
    "Attachments",
    "Exchange",
    "Labelling",
    "MarkerFit",
    "Markers",
    "Residual",
    "fit_markers",
    "guess_attachments",
    "label_markers",
    "pose_from_points",
]
