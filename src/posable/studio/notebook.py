"""`posable.show`: a figure or a motion in the browser, or in a notebook, where values show themselves."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, overload

import posable
from posable.errors import check_kind
from posable.studio.page import Page, page_of, png_of
from posable.studio.widget import has_widgets, new_widget


def drawn(thing: Any) -> dict[str, Any] | None:
    """What a notebook shows of a figure, pose, clip, solution or comparison: a widget where there is anywidget.

    Without it a player (HTML) of what moves, and a picture (PNG) of what stands. None, that is text alone, of a batch.
    """
    parts = _shown(thing)
    if parts is None:
        return None
    if has_widgets():
        return {**new_widget(*parts)._repr_mimebundle_(), "text/plain": repr(thing)}
    figure, motion, goals = parts
    plays = isinstance(thing, posable.Clip | posable.solvers.Comparison)
    shown = {"text/html": page_of(figure, motion)._repr_html_()} if plays else {}
    return {"text/plain": repr(thing), "image/png": png_of(figure, motion, goals), **shown}


def _shown(thing: Any) -> tuple[posable.Figure, posable.Pose | posable.Clip | None, Sequence[posable.Goal]] | None:
    """The figure, what it does, and the goals that are marked."""
    if isinstance(thing, posable.Figure):
        return thing, None, ()
    if isinstance(thing, posable.Clip):
        return posable.Figure(thing.skeleton, thing.name), thing, ()
    if isinstance(thing, posable.solvers.Comparison):
        return replace(thing.figure, clips=thing.clips), None, thing.goals
    pose, goals = (thing.pose, thing.asked) if isinstance(thing, posable.Solution) else (thing, ())
    return None if pose.shape else (posable.Figure(pose.skeleton), pose, goals)


_Shown = posable.Figure | posable.Clip | posable.Pose
_Motion = posable.Clip | posable.Pose | None


@overload
def show(
    what: _Shown, motion: _Motion = None, *, browser: bool | None = None, live: Literal[False] = False
) -> Page: ...


@overload
def show(what: _Shown, motion: _Motion = None, *, browser: bool | None = None, live: bool) -> Any: ...


def show(what: _Shown, motion: _Motion = None, *, browser: bool | None = None, live: bool = False) -> Any:
    """Show a figure, a clip or a pose: a page that plays it in the browser, or inline in a notebook.

    Args:
        what: A figure, as it rests and with its clips; or a clip or pose, on bare bones.
        motion: What the figure does.
        browser: Whether to open a browser window; None does so outside notebooks.
        live: Return a widget for notebooks whose goals and pose are shared with Python (`posable[notebook]`).

    Returns:
        The page; or, if live, the widget: `widget.goals["hand_r"] = (0.3, 1.2, 0.4)` moves the figure, a drag changes
        `widget.goals` and `widget.pose`, and `widget.observe(function, "pose")` hears of both.

    Raises:
        PosableError: For a batch of poses, where the viewer was not built, or for a live motion.
        MissingExtraError: For a widget where anywidget is not installed.

    Example:
        >>> page = posable.show(figure, clip, browser=False)
        >>> page.save("walk.html")
    """
    for given, kinds in ((what, _Shown), (motion, _Motion)):
        cure = "posable.load opens a file, a solution's pose is solution.pose"
        check_kind(given, kinds, "posable.show shows a Figure, a Clip or a Pose", cure)
    figure = what if isinstance(what, posable.Figure) else posable.Figure(what.skeleton, getattr(what, "name", ""))
    does = motion if isinstance(what, posable.Figure) else what
    if live:
        return new_widget(figure, does, live=True)
    page = page_of(figure, does)
    if browser is None:
        browser = "ipykernel" not in sys.modules
    if browser:
        with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", delete=False) as file:
            file.write(page.text)
        webbrowser.open(Path(file.name).as_uri())
    return page
