"""Still pictures and films, drawn by posable itself: no screen, no graphics library."""

from posable.view.camera import Camera
from posable.view.films import film
from posable.view.pictures import picture

__all__ = ["Camera", "film", "picture"]
