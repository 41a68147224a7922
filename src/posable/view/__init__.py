"""Still pictures and films, drawn by posable itself: no screen, no graphics library."""

from posable.view.camera import Camera
from posable.view.charts import Chart
from posable.view.comparison import comparison_film, comparison_picture
from posable.view.films import film
from posable.view.pictures import picture

__all__ = ["Camera", "Chart", "comparison_film", "comparison_picture", "film", "picture"]
