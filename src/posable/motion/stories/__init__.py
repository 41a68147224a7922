"""The stories: short films in which a figure does something from beginning to end."""

from __future__ import annotations

from collections.abc import Callable

from posable.errors import PosableError, near_names
from posable.motion.stories.contraptions import leg, telescope
from posable.motion.stories.doorbell_story import doorbell
from posable.motion.stories.draggables import clearances, mace, snake, tentacles, thickness
from posable.motion.stories.story import Story

__all__ = ["STORIES", "Story", "clearances", "story_named", "tell", "thickness"]

STORIES: dict[str, Callable[[], Story]] = {
    make.__name__: make for make in (doorbell, mace, leg, telescope, tentacles, snake)
}
"""By name, in the order in which they are best seen; the docstring of each says what happens."""


def tell(name: str) -> Story:
    """The story of that name: its figure, its clip and its camera. It takes some seconds to make.

    Raises PosableError as `story_named` does.
    """
    return story_named(name)()


def story_named(name: str) -> Callable[[], Story]:
    """What makes the story of that name. Raises PosableError with the near names and all names."""
    if name in STORIES:
        return STORIES[name]
    near = near_names(name, STORIES, 2)
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    raise PosableError(f"no story is called {name!r}; {guess}there are {', '.join(STORIES)}")
