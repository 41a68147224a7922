"""A tentacle that curls round a ball by plain gradient descent, beside one that only minds where its tip is."""

from pathlib import Path

import numpy as np

import posable
import posable.figures
import posable.solvers
import posable.view

arm = posable.load(Path(__file__).parent / "creatures/tentacle.toml")  # its joints turn about x, y, z, x, …
tip, thickness = arm.skeleton.joints[-1], np.interp(np.linspace(0, 3, 25), range(4), (0.14, 0.09, 0.05, 0.02))
center, radius = np.array((0.32, 1.0, 0.0)), 0.16
far = np.abs(np.subtract.outer(np.arange(25), np.arange(25))) > 4  # pairs of joints that are no neighbours


def clearances(pose: posable.Pose) -> tuple[float, float]:
    """How far the tentacle stays from the ball and from itself, of its thickness; below 0 they cross."""
    middle = pose.origins
    ball = np.linalg.norm(middle - center, axis=-1) - radius - thickness
    apart = np.linalg.norm(middle[:, None] - middle[None], axis=-1) - thickness[:, None] - thickness[None]
    return float(ball.min()), float(apart[far].min())


def crossing(pose: posable.Pose) -> float:
    """How deep the two are in each other: what the organic tentacle avoids."""
    return 10.0 * sum(max(0.0, 0.01 - clear) for clear in clearances(pose))


# The tip is to go round the ball, a little sideways, always along its surface.
turn = np.radians(np.linspace(170, -70, 32))
out = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
touch = center + (radius + 0.04) * out + np.linspace(0.0, 0.06, 32)[:, None] * (0, 0, 1)
along = np.stack([np.cos((turn - np.pi) / 2), 0 * turn, 0 * turn, np.sin((turn - np.pi) / 2)], axis=-1)

frames: dict[str, list[posable.Pose]] = {}
for name in ("plain", "organic"):
    descent = posable.solvers.GradientDescent(0.15 if name == "plain" else 0.05, 1e-5, adaptive=True)
    pose, frames[name] = arm.rest, []
    for place, wxyz in zip(touch, along, strict=True):
        goals = [posable.Reach(tip, place, weight=3.0)]
        if name == "organic":
            goals += [posable.Orient(tip, wxyz, weight=0.3), posable.Torsion(weight=0.5), posable.Custom(crossing)]
        pose = posable.solve(pose, goals, method=descent, tolerance=0.01, max_iterations=8).pose
        frames[name].append(pose)
    clear = np.array([clearances(pose) for pose in frames[name]])
    crosses = ("it crosses" if (clear[:, n] < 0).any() else "never crosses" for n in range(2))
    print(f"{name}: {next(crosses)} the ball (by {clear[:, 0].min():+.3f} m), {next(crosses)} itself", end=" ")
    print(
        f"({clear[:, 1].min():+.3f} m); its tip is {np.linalg.norm(pose.origins[-1] - touch[-1]):.2f} m from its place"
    )

ball = posable.Figure(
    posable.Skeleton([posable.Joint("ball", "fixed", None, tuple(center))]),
    shapes=(posable.figures.Shape("ball", "sphere", (radius,), color=(0.92, 0.72, 0.25)),),
)
stands = {"organic": (1.2, 0.0, 0.0), "other ball": (1.2, 0.0, 0.0)}
both = posable.figures.together({"plain": arm, "organic": arm, "ball": ball, "other ball": ball}, stands)
q = np.concatenate([[pose.q for pose in poses] for poses in frames.values()], axis=1)
clip = posable.Clip(both.skeleton, np.concatenate([q, np.repeat(q[-1:], 10, axis=0)]), fps=15, name="curl")
posable.film(both, clip, "tentacles.gif", size=(320, 240), camera="front", skeleton=False)
