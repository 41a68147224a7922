"""The built-in figures, made by code, and `figure`, which finds them by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from posable.errors import UnknownFigureError
from posable.figures.builtin.creatures import snake, tentacle
from posable.figures.builtin.human import mannequin
from posable.figures.builtin.machines import arm6, arm7, doorbell_arm, telescope
from posable.figures.model import Figure

__all__ = ["FIGURES", "figure"]

FIGURES: dict[str, Callable[[], Figure]] = {
    make.__name__: make for make in (mannequin, doorbell_arm, snake, tentacle, telescope, arm6, arm7)
}


@cache
def figure(name: str) -> Figure:
    """A built-in figure: mannequin, doorbell_arm, snake, tentacle, telescope, arm6 or arm7.

    The docstring of each (`posable.figures.builtin.FIGURES`) says what it is for. It is made once; figures are frozen,
    so the same one is handed out again. Raises UnknownFigureError with the near names and all names.
    """
    if name not in FIGURES:
        raise UnknownFigureError(name, FIGURES)
    return FIGURES[name]()
