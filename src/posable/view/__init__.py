"""Still pictures and films, drawn by posable itself: no screen, no graphics library.

Charts, sheets and comparisons are loaded when first used: a picture needs none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from posable.view.camera import Camera
from posable.view.pictures import film, picture

if TYPE_CHECKING:
    from posable.view.charts import Chart as Chart
    from posable.view.roles_drawing import roles_picture as roles_picture
    from posable.view.sheet import bending_film as bending_film
    from posable.view.sheet import binding_sheet as binding_sheet
    from posable.view.sheet import weight_colors as weight_colors
    from posable.view.side_by_side import comparison_film as comparison_film
    from posable.view.side_by_side import comparison_picture as comparison_picture

_HOMES = {
    "Chart": "charts", "roles_picture": "roles_drawing", "bending_film": "sheet", "binding_sheet": "sheet",
    "weight_colors": "sheet", "comparison_film": "side_by_side", "comparison_picture": "side_by_side",
}  # fmt: skip

__all__ = [
    "Camera",
    "Chart",
    "bending_film",
    "binding_sheet",
    "comparison_film",
    "comparison_picture",
    "film",
    "picture",
    "roles_picture",
    "weight_colors",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'posable.view' has no attribute {name!r}")
    return getattr(importlib.import_module(f"posable.view.{_HOMES[name]}"), name)
