"""The studio: pose and animate in the browser. The library with a mouse: every act is a call of the library's own."""

from posable.studio.session import Session
from posable.studio.show import Page, show

__all__ = ["Page", "Session", "show"]
