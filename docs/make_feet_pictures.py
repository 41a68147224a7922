"""Makes the pictures of docs/feet.md: `python docs/make_feet_pictures.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import posable
import posable.figures
from posable.spatial import wxyz_between
from posable.view.camera import Camera

IMAGES = Path(__file__).parent / "images"
GROUND = (0.45, 0.5, 0.55)
SIZE = (360, 400)


def main() -> None:
    """A walk made for level ground, on stairs and on a slope."""
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, "human", steps=6, fps=60.0)
    start, treads = (0.0, 0.0, 0.45), np.arange(-1, 8)
    stairs = posable.Terrain.stairs(0.17, 0.72, 6, start=start)
    middles = [(0.0, 0.0, start[2] + 0.72 * (n + 0.5)) for n in treads]
    _strip(figure, clip, stairs, middles, 0.72, "feet_stairs")
    _strip(figure, clip, posable.Terrain.slope(20), [(0.0, 0.0, 0.4 * n) for n in range(-3, 14)], 0.41, "feet_slope")


def _strip(
    figure: posable.Figure,
    clip: posable.Clip,
    terrain: posable.Terrain,
    middles: list[tuple[float, float, float]],
    depth: float,
    name: str,
) -> None:
    """Five moments side by side, seen from the figure's right."""
    planted = posable.plant_feet(clip, terrain, figure=figure)
    scene = _with_ground(figure, terrain, middles, depth)
    pictures = []
    for frame in np.linspace(25, len(planted) - 40, 5).astype(int):
        pose = posable.Pose(scene.skeleton, planted.q[frame])
        middle = pose.origins[0] - [0.0, 0.05, 0.0]
        camera = Camera(tuple((middle + np.array([-4.6, 0.5, 0.9])).tolist()), tuple(middle.tolist()))
        pictures.append(posable.picture(scene, pose, size=SIZE, camera=camera, skeleton=False))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(IMAGES / f"{name}.png", optimize=True)


def _with_ground(
    figure: posable.Figure, terrain: posable.Terrain, middles: list[tuple[float, float, float]], depth: float
) -> posable.Figure:
    """The figure with slabs of ground on a joint of its own that does not move."""
    skeleton = posable.Skeleton([*figure.skeleton.definitions, posable.Joint("ground", "fixed")])
    slabs = []
    for place in terrain.dropped(middles):
        normal = terrain.normal(place)
        center, turn = place - 0.02 * normal, wxyz_between((0.0, 1.0, 0.0), normal)
        size = (1.2, 0.04, depth / normal[1])
        slabs.append(posable.figures.Shape("ground", "box", size, tuple(center.tolist()), tuple(turn.tolist()), GROUND))
    still = np.eye(4)[None]
    skins = [replace(s, skeleton=skeleton, inverse_bind=np.concatenate([s.inverse_bind, still])) for s in figure.skins]
    return posable.Figure(skeleton, skins=tuple(skins), shapes=(*figure.shapes, *slabs))


if __name__ == "__main__":
    main()
