"""A picture of a reach, and a film of the path there."""

import numpy as np

import posable

figure = posable.figure("mannequin")
place = (0.45, 1.5, 0.3)
goals = [posable.Reach("index_tip_l", place), posable.LookAt("head", place), posable.Natural()]
solution = posable.solve(figure.rest, goals, frozen=["root"])
posable.picture(figure, solution.pose, "wave.png", goals=goals, size=(480, 360), camera="front")

# From rest to the reach along the shortest path of every joint, easing in and out.
t = np.linspace(0.0, 1.0, 16)[:, None]
path = figure.rest.plus((3 * t**2 - 2 * t**3) * solution.pose.minus(figure.rest))
clip = posable.Clip(figure.skeleton, path.q, fps=15, name="wave")
posable.film(figure, clip, "wave.gif", size=(320, 240))
posable.save("wave.glb", figure, clip)
print(clip)
