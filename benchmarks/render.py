"""Frames a second of posable's own renderer: a bumpy ball of 10,000 triangles, with floor, shadows and skeleton.

    python benchmarks/render.py

The first frame compiles. The figure turns a little from frame to frame, so that nothing can be kept between them.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from importlib.metadata import version

import numpy as np
from rich.console import Console
from rich.table import Table

import posable
from posable.view.pictures import Shot
from posable.view.renderer import MOVING, STILL, Quality
from posable.view.scene import Scene

FRAMES = 60
CASES = (("film", (640, 480), MOVING), ("film", (1280, 720), MOVING), ("picture", (960, 720), STILL))


def bumpy_sphere(rings: int = 51, around: int = 100) -> posable.Figure:
    """A figure of one spinning joint whose skin is a sphere with bumps: 2 (rings - 1) around triangles."""
    height, angle = np.meshgrid(
        np.linspace(0, np.pi, rings), np.linspace(0, 2 * np.pi, around, endpoint=False), indexing="ij"
    )
    radius = 1 + 0.08 * np.sin(6 * angle) * np.sin(height) ** 2 * np.sin(5 * height)
    ring = radius * np.sin(height)
    vertices = np.stack([ring * np.cos(angle), 1 - radius * np.cos(height), ring * np.sin(angle)], axis=-1).reshape(
        -1, 3
    )
    row, column = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    here, after = row * around + column, row * around + (column + 1) % around
    faces = np.concatenate(
        [np.stack(k, -1).reshape(-1, 3) for k in ((here, here + around, after + around), (here, after + around, after))]
    )
    skeleton = posable.Skeleton([posable.Joint("spin", axes=(posable.Axis((0, 1, 0)),), tips=((0, 2, 0),))], "y")
    return posable.Figure(skeleton, skins=(posable.Skin.rigid(skeleton, "spin", vertices, faces),))


def seconds_per_frame(figure: posable.Figure, size: tuple[int, int], quality: Quality) -> float:
    """The median over FRAMES frames, everything counted from pose to pixels."""
    scene = Scene(figure)
    shot = Shot.of(scene, [figure.rest], size, (), "three_quarter", quality, skeleton=True)
    taken = []
    for frame in range(FRAMES + 1):
        start = time.perf_counter()
        shot.take(posable.Pose(figure.skeleton, [0.02 * frame]), ())
        taken.append(time.perf_counter() - start)
    return statistics.median(taken[1:])


def main() -> None:
    """Print the table."""
    figure = bumpy_sphere()
    count = len(figure.skins[0].faces)
    table = Table("what", "pixels", "samples", "triangles", "frames/s", title="posable renderer")
    for name, size, quality in CASES:
        rate = 1 / seconds_per_frame(figure, size, quality)
        table.add_row(name, f"{size[0]} × {size[1]}", f"{quality.samples**2}", f"{count:,}", f"{rate:.1f}")
    console = Console(width=100)
    console.print(table)
    versions = ", ".join(f"{name} {version(name)}" for name in ("posable", "numpy", "numba"))
    console.print(
        f"{os.cpu_count()} cores, {platform.machine()} {platform.system()}, Python {platform.python_version()}"
    )
    console.print(versions)


if __name__ == "__main__":
    main()
