"""Still pictures and films, drawn by posable itself: no screen, no graphics library."""

from posable.view.camera import Camera
from posable.view.charts import Chart
from posable.view.comparison import comparison_film, comparison_picture
from posable.view.films import film
from posable.view.pictures import picture
from posable.view.sheet import bending_film, binding_sheet, weight_colors

__all__ = [
    "Camera",
    "Chart",
    "bending_film",
    "binding_sheet",
    "comparison_film",
    "comparison_picture",
    "film",
    "picture",
    "weight_colors",
]
