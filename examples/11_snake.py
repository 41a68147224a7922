"""Snakes from a text file chase small cubes, drawn by virtual forces: with and without gravity, elastic and not."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import posable
import posable.figures
import posable.solvers
import posable.view

UPRIGHT = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
post = posable.figures.Shape("body", "cylinder", (0.03, 0.75), (0.0, -0.375, 0.0), UPRIGHT, (0.45, 0.40, 0.36))
snake = posable.load(Path(__file__).parent / "creatures/snake.toml").with_root("fixed")
elastic = replace(snake, shapes=(*snake.shapes, post))  # a bend spreads over all its joints, most over the limp ones
slack = posable.Skeleton([replace(joint, elasticity=0.0) for joint in snake.skeleton.definitions])
loose = replace(elastic, skeleton=slack, skins=tuple(skin.on(slack) for skin in snake.skins))
cube = posable.Figure(
    posable.Skeleton([posable.Joint("cube", "free")]),
    shapes=(posable.figures.Shape("cube", "box", (0.07, 0.07, 0.07), color=(0.85, 0.2, 0.15)),),
)

# The cube flies from place to place, and in the end it stands still.
places = np.array([(0.0, 1.1, 1.1), (0.3, 1.4, 0.8), (-0.25, 1.5, 0.6), (-0.3, 0.6, 1.0), (0.15, 0.95, 0.95)])
time = np.minimum(np.linspace(0.0, 5.2, 53), 4.0)
path = np.stack([np.interp(time, np.arange(5), places[:, k]) for k in range(3)], axis=-1) - (0.0, 0.75, 0.0)
touch = posable.Reach("head", path, tip=(0.0, 0.0, 0.1))

snakes = {"plain": (loose, 0.0), "elastic": (elastic, 0.0), "heavy": (loose, 4.0), "both": (elastic, 4.0)}
ways = {}
for name, (figure, gravity) in snakes.items():  # a few steps a frame; having touched it goes on until it lies at ease
    method = posable.solvers.VirtualForce(gravity=gravity)
    ways[name] = posable.motion.chase(figure.rest, [touch], method, steps=12, tolerance=0.04, fps=15).q
for (name, q), (figure, _) in zip(ways.items(), snakes.values(), strict=True):
    poses = posable.Pose(figure.skeleton, q)
    snout = poses.origins[:, -1] + 0.1 * poses.world_from_joint[:, -1, :3, 2]
    touched = np.linalg.norm(snout - path, axis=1) <= 0.041
    bend, height = np.degrees(np.abs(q[-1]).max()), poses.origins[-1, :, 1].mean()
    print(f"{name}: touches the cube in {touched.sum()} of {len(path)} frames, in the end {touched[-1]};", end=" ")
    print(f"then its sharpest bend is {bend:.0f} degrees and its middle {height:+.2f} m high")

# All four on one film, each with its own cube; 0.75 m is the height of their posts.
stands = {name: (1.1 * k, 0.75, 0.0) for k, name in enumerate(snakes)}
cubes = {f"cube of {name}": cube for name in snakes}
all_of_them = posable.figures.merge_figures({**{name: figure for name, (figure, _) in snakes.items()}, **cubes}, stands)
still = np.tile((1.0, 0.0, 0.0, 0.0), (len(path), 1))
flights = [np.concatenate([path + stand, still], axis=1) for stand in stands.values()]
clip = posable.Clip(all_of_them.skeleton, np.concatenate([*ways.values(), *flights], axis=1), fps=15, name="snakes")
camera = posable.view.Camera((4.6, 1.9, 5.6), (1.6, 0.78, 0.35), field_of_view=26.0)
posable.film(all_of_them, clip, "snakes.gif", size=(400, 200), camera=camera, skeleton=False)
