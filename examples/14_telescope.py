"""A telescope of three cylinders pushed together: the top one first, or with ease a little of both."""

from dataclasses import replace

import numpy as np

import posable
import posable.figures
import posable.solvers
import posable.view

plain = posable.figure("telescope")  # bottom (fixed), middle and top: slides with limits 0 … 30, fully out at 90
eased = replace(
    plain,
    skeleton=posable.Skeleton(
        [replace(joint, ease=10.0) if joint.kind == "slide" else joint for joint in plain.skeleton.definitions]
    ),
)
tip_first = posable.solvers.CyclicDescent(order="tip_first", help=False)
heights = np.concatenate([np.linspace(90, 30, 41), np.full(10, 30.0)])  # the tip is pushed down, and stays there


def pushed(figure: posable.Figure, method: posable.solvers.Method | None) -> np.ndarray:
    """`[height, 2]` how far the middle and the top one are out, each frame going on from the last."""
    targets = np.zeros((len(heights), 3))
    targets[:, 1] = heights
    frames = [figure.rest]
    for target in targets[1:]:
        frames.append(posable.solve(frames[-1], [posable.Reach("tip", target)], method=method, restarts=0).pose)
    return np.stack([frame.q for frame in frames])


ways = {
    "in order": pushed(plain, tip_first),
    "with ease": pushed(eased, tip_first),
    "shared": pushed(plain, None),  # the default solver: all joints do the same
}
for name, out in ways.items():
    begins = heights[np.flatnonzero(out[:, 0] < 30 - 1e-6)[0]]
    half = out[heights == 60][0].round(3).tolist()
    print(f"{name}: the middle one begins at {begins:.1f}; at 60 they are out by {half}")

chart = posable.view.Chart(
    (30, 90), (0, 31), title="how far the middle (blue) and the top (red) are out", names=("height of the tip", "")
)
for out, dash in zip(ways.values(), (0.0, 9.0, 3.0), strict=True):
    chart.line(np.stack([heights, out[:, 0]], axis=1), "blue", 3.5, dash=dash)
    chart.line(np.stack([heights, out[:, 1]], axis=1), "red", 3.5, dash=dash)
chart.note((89, 2), "full: in order, dashes: with ease, dots: shared", anchor="rm")
chart.save("telescope.png")

three = posable.figures.together(
    {"order": plain, "ease": eased, "shared": plain}, {"ease": (35.0, 0.0, 0.0), "shared": (70.0, 0.0, 0.0)}
)
clip = posable.Clip(three.skeleton, np.concatenate(list(ways.values()), axis=1), fps=20, name="telescope")
posable.film(three, clip, "telescope.gif", size=(320, 240), skeleton=False)
