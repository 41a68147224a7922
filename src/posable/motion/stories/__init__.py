"""The stories: short films in which a figure does something from beginning to end."""

from __future__ import annotations

from collections.abc import Callable

from posable.errors import PosableError, near_names
from posable.motion.stories.doorbell_story import doorbell
from posable.motion.stories.short_stories import clearances, leg, mace, snake, telescope, tentacles, thickness
from posable.motion.stories.story import Story

__all__ = ["STORIES", "Story", "clearances", "story_named", "tell", "thickness"]

STORIES: dict[str, Callable[[], Story]] = {
    make.__name__: make for make in (doorbell, mace, leg, telescope, tentacles, snake)
}
"""By name, in the order in which they are best watched; the docstring of each describes it."""


def tell(name: str) -> Story:
    """Make a story: its figure, clip and camera. This takes some seconds.

    Args:
        name: Name of the story.

    Returns:
        The story.

    Raises:
        PosableError: For an unknown name.
    """
    return story_named(name)()


def story_named(name: str) -> Callable[[], Story]:
    """Find the function that makes a story.

    Args:
        name: Name of the story.

    Returns:
        The function.

    Raises:
        PosableError: For an unknown name; suggests the closest ones and lists all.

    Example:
        >>> make = posable.motion.story_named("mace")
    """
    if name in STORIES:
        return STORIES[name]
    near = near_names(name, STORIES, 2)
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    raise PosableError(f"no story is called {name!r}; {guess}choose from {', '.join(STORIES)}")
