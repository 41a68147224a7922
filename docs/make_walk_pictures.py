"""Makes the pictures of docs/walking.md: `python docs/make_walk_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import posable
import posable.figures

IMAGES = Path(__file__).parent / "images"
SIZE = (150, 190)


def sheet(name: str, rows: list[list[posable.Pose]], figure: posable.Figure, camera: str = "side") -> None:
    """One picture of many poses, a row for each list."""
    width = max(map(len, rows))
    whole = Image.new("RGB", (width * SIZE[0], len(rows) * SIZE[1]))
    for down, row in enumerate(rows):
        for across, pose in enumerate(row):
            shot = posable.picture(figure, pose, size=SIZE, camera=camera, skeleton=False)
            whole.paste(Image.fromarray(shot), (across * SIZE[0], down * SIZE[1]))
    whole.quantize(200).save(IMAGES / name, optimize=True)


def spread(clip: posable.Clip, count: int) -> list[posable.Pose]:
    """`count` poses over the clip."""
    return [clip.poses[int(k)] for k in np.linspace(0, len(clip) - 1, count)]


def climbing(name: str, figure: posable.Figure, clip: posable.Clip, terrain: posable.Terrain, count: int) -> None:
    """`count` moments of one walk on its terrain, evenly along the way."""
    way = clip.poses.origins[:, 0, 2]
    frames = np.searchsorted(way, np.linspace(way[0], way[-1], count)[1:-1])
    poses = [clip.poses[int(frame)] for frame in (0, *frames, len(clip) - 1)]
    every = posable.figures.merge_figures({str(k): figure for k in range(count)})
    pose = posable.Pose(every.skeleton, np.concatenate([pose.q for pose in poses]))
    shown = {"size": (1200, 460), "camera": "side", "skeleton": False}
    whole = Image.fromarray(posable.picture(every, pose, terrain=terrain, **shown))
    whole.quantize(200).save(IMAGES / name, optimize=True)


def main() -> None:
    """Characters, stairs, a turn on the spot."""
    figure = posable.figure("mannequin")
    names = ("human", "jaunty", "sad", "sneaky", "zombie")
    loops = [posable.walk(figure, name, 2, starts=False, stops=False) for name in names]
    sheet("walk_characters.png", [spread(loop, 7)[:6] for loop in loops], figure)
    stairs = posable.Terrain.stairs(0.16, 0.3, 5, start=(0, 0, 0.6))
    climbing("walk_stairs.png", figure, posable.walk(figure, "human", 8, stairs), stairs, 6)
    turn = posable.walk(figure, "human", turn=180)
    sheet("walk_turn.png", [spread(turn, 8)], figure, "front")


if __name__ == "__main__":
    main()
