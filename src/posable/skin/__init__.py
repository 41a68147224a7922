"""Meshes bound to skeletons: weights and deformation."""

from posable.skin.mending import mend_weights
from posable.skin.skin import Skin

__all__ = ["Skin", "mend_weights"]
