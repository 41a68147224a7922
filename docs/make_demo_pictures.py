"""Makes the stills of docs/demos.md: `python docs/make_demo_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import posable
from posable.motion import STORIES
from posable.view import Camera

IMAGES = Path(__file__).parent / "images"
MOMENTS: dict[str, tuple[int, ...]] = {  # of each story: the frames that are shown side by side
    "doorbell": (145,),
    "mace": (0, 24, 72),
    "leg": (0, 50, 100),
    "telescope": (27,),
    "tentacles": (59,),
    "snake": (10, 60, 140),
}


def main() -> None:
    """Tell them all, and draw the moments of each in one row."""
    for name, make in STORIES.items():
        story, moments = make(), MOMENTS[name]
        camera = Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
        size = (400, 300) if len(moments) == 1 else (290, 300)
        shots = [
            posable.picture(story.figure, story.clip.poses[frame], size=size, camera=camera, skeleton=False)
            for frame in moments
        ]
        still = Image.fromarray(np.concatenate(shots, axis=1))
        still.save(IMAGES / f"demo_{name}.png", optimize=True)


if __name__ == "__main__":
    main()
