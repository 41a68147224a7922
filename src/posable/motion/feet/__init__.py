"""Feet on the ground: terrain, contacts, and plants that neither slide, sink nor hover."""

from posable.figures.terrain import Terrain
from posable.motion.feet.contact_detection import Contacts, contacts
from posable.motion.feet.live import FootLock, FootPlacement
from posable.motion.feet.metrics import FootMetrics, foot_metrics
from posable.motion.feet.planting import Planting, plant, plant_feet
from posable.motion.feet.sole_shapes import Sole, soles

__all__ = [
    "Contacts",
    "FootLock",
    "FootMetrics",
    "FootPlacement",
    "Planting",
    "Sole",
    "Terrain",
    "contacts",
    "foot_metrics",
    "plant",
    "plant_feet",
    "soles",
]
