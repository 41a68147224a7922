"""The room that a mesh encloses, however torn or doubled its surface is."""

from posable.skin.geometry.solid import Solid, solid_of

__all__ = ["Solid", "solid_of"]
