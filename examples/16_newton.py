"""Newton's method, drawn: every intermediate pose, and how the error is squared from step to step near the end."""

import numpy as np

import posable
import posable.solvers
import posable.view

arm = posable.figure("doorbell_arm")
place = np.array((70.0, 10.0, 0.0))
method = posable.solvers.Newton()
solution = posable.solve(arm.rest, [posable.Reach("hand", place)], method=method, tolerance=1e-9, trace=True)
way = solution.trace.origins
left = np.linalg.norm(way[:, -1] - place, axis=-1)
print(f"{solution.describe()}, after {solution.iterations} steps; left:", [f"{one:.1e}" for one in left])

chart = posable.view.Chart((-75, 110), (-45, 85), (640, 480), title="each step of Newton's method", alike=True)
for k, joints in enumerate(way):
    color = "ink" if k == 0 else "red" if k == len(way) - 1 else "blue"
    chart.line(joints[:, :2], color, 5.0, opacity=0.85 if color != "blue" else 0.45)
    chart.dots(joints[:, :2], color, 5.0)
    if k < 4:
        chart.note(joints[-1, :2] + (2.5, 1.5), str(k), color)
chart.dots(place[:2], "orange", 12.0, hollow=True)
chart.save("newton.png")

shown = np.log10(np.maximum(left, 1e-14))
steps = np.stack([np.arange(len(left)), shown], axis=1)
plot = posable.view.Chart((-0.2, len(left) - 0.8), (-15, 3), (640, 360), names=("step", "log10 of the distance left"))
plot.line(steps, "red", 3.0)
plot.dots(steps, "red", 6.0)
plot.save("newton_left.png")
