"""A picture of a reach, and a film of the way there."""

import numpy as np

import posable

figure = posable.figure("mannequin")
goals = [posable.Reach("index_tip_l", (0.45, 1.5, 0.3)), posable.LookAt("head", (0.45, 1.5, 0.3))]
solution = posable.solve(figure.rest, goals, frozen=["root"])
posable.picture(figure, solution.pose, "wave.png", goals=goals, size=(480, 360), camera="front")

# From rest to the reach along the shortest way of every joint, starting and stopping softly.
t = np.linspace(0.0, 1.0, 16)[:, None]
way = figure.rest.plus((3 * t**2 - 2 * t**3) * solution.pose.minus(figure.rest))
clip = posable.Clip(figure.skeleton, way.q, fps=15, name="wave")
posable.film(figure, clip, "wave.gif", size=(240, 180))
posable.save("wave.glb", figure, clip)
print(clip)
