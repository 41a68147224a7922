"""Meshes bound to skeletons that stand in them."""

from posable.skin.binding.bind import bind

__all__ = ["bind"]
