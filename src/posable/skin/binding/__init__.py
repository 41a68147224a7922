"""Meshes bound to skeletons that stand in them."""
