"""A telescope of three cylinders pushed together: the top one first, or with ease a little of both."""

import numpy as np

import posable
import posable.view

story = posable.motion.tell("telescope")  # three telescopes: pushed down in order, with ease, and by least squares
poses = story.clip.poses[:51]  # on the way down
heights = poses.origins[:, story.figure.skeleton.index("order/tip"), 1]

chart = posable.view.Chart(
    (30, 90), (0, 31), title="how far the middle (blue) and the top (red) are out", names=("height of the tip", "")
)
for name, dash in {"order": 0.0, "ease": 9.0, "shared": 3.0}.items():
    middle, top = (poses.of(f"{name}/{part}")[:, 0] for part in ("middle", "top"))
    begins = heights[np.flatnonzero(middle < 30 - 1e-6)[0]]
    half = int(np.argmin(np.abs(heights - 60)))
    print(
        f"{name}: the middle one begins at {begins:.1f}; at 60 they are out by {middle[half]:.3f} and {top[half]:.3f}"
    )
    chart.line(np.stack([heights, middle], axis=1), "blue", 3.5, dash=dash)
    chart.line(np.stack([heights, top], axis=1), "red", 3.5, dash=dash)
chart.note((31, 30.3), "solid: in order, dashes: with ease, dots: shared", anchor="lm")
chart.save("telescope.png")

posable.film(story.figure, story.clip, "telescope.gif", size=(320, 240), skeleton=False)
