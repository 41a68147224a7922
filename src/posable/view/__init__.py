"""Still pictures and films, drawn by posable itself: no screen, no graphics library."""

from posable.view.camera import Camera
from posable.view.charts import Chart
from posable.view.pictures import film, picture
from posable.view.roles_drawing import roles_picture
from posable.view.sheet import bending_film, binding_sheet, weight_colors
from posable.view.side_by_side import comparison_film, comparison_picture

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
