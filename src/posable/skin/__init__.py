"""Meshes bound to skeletons: weights and deformation."""

from posable.skin.binding import bind
from posable.skin.mending import mend_weights
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin

__all__ = ["Mesh", "Skin", "bind", "mend_weights"]
