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
    """Return a built-in figure.

    Each figure is built once; figures are immutable, so the same object is returned again.

    Args:
        name: mannequin, doorbell_arm, snake, tentacle, telescope, arm6 or arm7; the functions in
            `posable.figures.builtin.FIGURES` describe them.

    Returns:
        The figure.

    Raises:
        UnknownFigureError: For an unknown name; suggests the closest ones and lists all.

    Example:
        >>> arm = posable.figure("arm6")
        >>> arm.skeleton.dof
        6
    """
    if name not in FIGURES:
        raise UnknownFigureError(name, FIGURES)
    return FIGURES[name]()
