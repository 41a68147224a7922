"""Meshes bound to skeletons that stand in them."""

from posable.skin.binding.bind_mesh import bind

__all__ = ["bind"]
