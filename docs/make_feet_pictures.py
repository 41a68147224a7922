"""Makes the pictures of docs/feet.md: `python docs/make_feet_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import posable
from posable.view import Camera

IMAGES = Path(__file__).parent / "images"
SIZE = (360, 400)


def main() -> None:
    """A walk made for level ground, on stairs and on a slope."""
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, "human", steps=6, fps=60.0)
    _strip(figure, clip, posable.Terrain.stairs(0.17, 0.72, 6, start=(0.0, 0.0, 0.45)), "feet_stairs")
    _strip(figure, clip, posable.Terrain.slope(20), "feet_slope")


def _strip(figure: posable.Figure, clip: posable.Clip, terrain: posable.Terrain, name: str) -> None:
    """Five moments side by side, seen from the figure's right."""
    planted = posable.plant_feet(clip, terrain, figure=figure)
    pictures = []
    for frame in np.linspace(25, len(planted) - 40, 5).astype(int):
        pose = planted.poses[int(frame)]
        middle = pose.origins[0] - [0.0, 0.05, 0.0]
        camera = Camera(tuple((middle + np.array([-4.6, 0.5, 0.9])).tolist()), tuple(middle.tolist()))
        pictures.append(posable.picture(figure, pose, size=SIZE, camera=camera, skeleton=False, terrain=terrain))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
