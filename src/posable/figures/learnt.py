"""The figure that example poses of a mesh taught."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posable.clips import Clip
from posable.figures.figure import Clips, Figure

if TYPE_CHECKING:  # learning wakes SciPy
    from posable.skin import LearntSkin


def figure_from_examples(learnt: LearntSkin, fps: float = 30.0) -> Figure:
    """The skeleton and skin of `posable.weights_from_examples`, with the example poses as its one clip, "examples".

    fps: how many of the poses there are to a second. `posable.save(path, figure, figure.clips[0])` writes it to a file.
    Raises PoseError for an fps that is not above 0.
    """
    clip = Clip(learnt.skeleton, learnt.q, fps, name="examples")
    return Figure(learnt.skeleton, learnt.skin.name, skins=(learnt.skin,), clips=Clips([clip]))
