"""Meshes bound to skeletons: weights and deformation.

Binding, fitting and learning wake SciPy, so they are loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from posable.skin.mending import mend_weights
from posable.skin.mesh import Mesh
from posable.skin.skin import Skin

if TYPE_CHECKING:
    from posable.skin import weights as weights
    from posable.skin.binding.bind_mesh import bind as bind
    from posable.skin.fitting import TemplateFit as TemplateFit
    from posable.skin.fitting import fit_skeleton as fit_skeleton
    from posable.skin.fitting import fit_template as fit_template
    from posable.skin.learning import LearntSkin as LearntSkin
    from posable.skin.learning import weights_from_examples as weights_from_examples

_HOMES = {
    "bind": "binding.bind_mesh", "TemplateFit": "fitting", "fit_skeleton": "fitting", "fit_template": "fitting",
    "LearntSkin": "learning", "weights_from_examples": "learning",
}  # fmt: skip

__all__ = [
    "LearntSkin",
    "Mesh",
    "Skin",
    "TemplateFit",
    "bind",
    "fit_skeleton",
    "fit_template",
    "mend_weights",
    "weights",
    "weights_from_examples",
]


def __getattr__(name: str) -> object:
    if name == "weights":
        return importlib.import_module("posable.skin.weights")
    if name not in _HOMES:
        raise AttributeError(f"module 'posable.skin' has no attribute {name!r}")
    return getattr(importlib.import_module(f"posable.skin.{_HOMES[name]}"), name)
