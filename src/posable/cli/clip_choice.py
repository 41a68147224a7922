"""Which clip of a file a command takes, and under which name a new one is saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import posable
from posable.cli.roles import listed
from posable.files import free_name


def chosen_clip(figure: posable.Figure, name: str | None) -> posable.Clip:
    """The clip called `name`, or the main clip. Raises PosableError if the figure has no clip."""
    if name is not None:
        return figure.clips[name]
    if figure.main_clip is None:
        raise posable.PosableError(f"{figure.name or 'the figure'} has no clip and therefore no frames")
    return figure.main_clip


def which_clip(figure: posable.Figure, name: str | None) -> tuple[str, ...]:
    """Which of several clips is taken where no name is given, and what the others are called: a sentence, or none."""
    if name is not None or len(figure.clips) < 2:
        return ()
    taken = chosen_clip(figure, None)
    why = "the one that it plays" if taken.name == figure.played else "the first"
    others = [repr(one.name) for one in figure.clips if one is not taken]
    told = f"Of the {len(figure.clips)} clips of {figure.name}, {taken.name!r} was taken, {why}"
    return (f"{told}; --clip chooses another: {listed(others)}.",)


def beside_others(clip: posable.Clip, figure: posable.Figure, output: Path) -> tuple[posable.Clip, str]:
    """The clip under its name in `output`, and a sentence about it: the figure's other clips are saved with it.

    The sentence is empty if the figure has no other clip.
    """
    from posable.formats.table import endings

    others = [own.name for own in figure.clips]
    if not others or output.suffix.lower() not in endings(lambda one: one.many_clips):
        return clip, ""
    name = free_name(clip.name or "posable", others)
    more = "1 other" if len(others) == 1 else f"{len(others)} others"
    return replace(clip, name=name), f" The new clip is called {name!r}, beside {more} in {output.name}."


def chosen_pose(figure: posable.Figure, clip: str | None, frame: int | None) -> posable.Pose:
    """The rest pose, or frame `frame` (default 0) of a clip if either is given."""
    if clip is None and frame is None:
        return figure.rest
    chosen = chosen_clip(figure, clip)
    if (frame or 0) >= len(chosen):
        raise posable.PosableError(f"clip {chosen.name!r} has frames 0 to {len(chosen) - 1}, not {frame}")
    return chosen.poses[frame or 0]
