"""Feet on the ground: terrain, contacts, and plants that neither slide, sink nor hover."""

from posable.motion.feet.terrain import Terrain

__all__ = ["Terrain"]
