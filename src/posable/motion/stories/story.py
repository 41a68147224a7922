"""A story: figures, their motion, and a camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from posable.clips import Clip
from posable.figures import Figure, Shape, merge_figures
from posable.skeleton import Joint, Skeleton
from posable.spatial import Array

Point = tuple[float, float, float]
Color = tuple[float, float, float]
UPRIGHT = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
"""The rotation that stands an object along z, such as a cylinder or a capsule, up along y."""


@dataclass(frozen=True, eq=False)
class Story:
    """A figure, often merged from several, with its clip and a camera.

    Args:
        name: Name of the story.
        figure: The figure.
        clip: The clip.
        seen_from: Position of the camera in the world.
        seen_at: The point that the camera looks at.
        field_of_view: Vertical field of view in degrees.

    Example:
        >>> story = posable.motion.tell("leg")
        >>> story.name, story.clip.skeleton is story.figure.skeleton
        ('leg', True)
    """

    name: str
    figure: Figure
    clip: Clip
    seen_from: Point
    seen_at: Point
    field_of_view: float = 28.0


def thing(name: str, *shapes: Shape, kind: str = "fixed", place: Point = (0.0, 0.0, 0.0)) -> Figure:
    """An object of one joint with the same name: a door, a ball, a cube. `kind`: "fixed", or "free" to move."""
    joint = Joint(name, kind, None, place) if kind == "fixed" else Joint(name, kind, None)  # type: ignore[arg-type]
    return Figure(Skeleton([joint]), name, shapes=shapes)


def gathered(
    figures: Mapping[str, Figure], motions: Mapping[str, Array], fps: float, places: Mapping[str, Point] | None = None
) -> tuple[Figure, Clip]:
    """(the merged figure, its clip). motions: `[frame, coordinates]` by figure; others stay at rest."""
    frames = len(next(iter(motions.values())))
    rests = {name: np.broadcast_to(one.rest.q, (frames, one.rest.q.size)) for name, one in figures.items()}
    one = merge_figures(figures, places)
    return one, Clip(one.skeleton, np.concatenate([{**rests, **motions}[name] for name in figures], axis=1), fps)


def carried(places: Array) -> Array:
    """`[frame, 7]`: the coordinates of a free object at `places [frame, 3]`, without rotation."""
    return np.concatenate([places, np.tile((1.0, 0.0, 0.0, 0.0), (len(places), 1))], axis=1)
