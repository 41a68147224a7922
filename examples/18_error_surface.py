"""What gradient descent walks on: the error of a two-joint arm, a function with three valleys, a stride too long."""

import numpy as np

import posable
import posable.solvers
import posable.view

hinge = posable.Axis((0.0, 0.0, 1.0))
arm = posable.Skeleton(
    [
        posable.Joint("shoulder", "hinge", axes=(hinge,)),
        posable.Joint("elbow", "hinge", "shoulder", (1.0, 0.0, 0.0), axes=(hinge,)),
        posable.Joint("hand", "fixed", "elbow", (0.8, 0.0, 0.0)),
    ]
)
target = np.array((0.6, 1.1, 0.0))
goal = [posable.Reach("hand", target)]


def distance(angles: np.ndarray) -> np.ndarray:
    """From the hand to the target, for angles `[..., 2]`."""
    hands = posable.Pose(arm, angles).origins[..., -1, :]
    return np.linalg.norm(hands - target, axis=-1)


# Its two dark pits are the two ways to bend the elbow; which one is found depends on the start.
chart = posable.view.Chart(
    (-3.14, 3.14), (-3.14, 3.14), (560, 560), title="the distance left", names=("shoulder", "elbow")
)
chart.field(distance)
starts = np.array([(-0.6, 0.2), (0.2, 2.8), (2.6, -2.5), (2.4, 1.0), (0.9, -2.6), (3.0, -0.6)])
descent = posable.solvers.GradientDescent(0.1, 1e-6, adaptive=True)
walks = posable.solve(posable.Pose(arm, starts), goal, method=descent, tolerance=1e-4, max_iterations=300, trace=True)
print(f"{(walks.status == posable.Status.REACHED).sum()} of {len(starts)} starts reach the target")
for k in range(len(starts)):
    walk = walks.trace.q[:, k]
    chart.line(walk, "red", 3.0)
    chart.dots(walk[0], "red", 6.0, hollow=True)
    chart.dots(walk[-1], "orange", 7.0)
chart.save("surface.png")


def three_valleys(pose: posable.Pose) -> float:
    """Of one angle: any function of a pose will do as the error."""
    x = float(pose.q[0])
    return 1.0 + 0.1 * x * x - float(np.cos(3.0 * x))


# Whoever starts in a valley ends at its lowest point, be there a lower one elsewhere or not.
lone = posable.Skeleton([posable.Joint("hinge", axes=(hinge,))])
begins = np.array([[-2.6], [-1.2], [-0.8], [0.7], [1.3], [3.0]])
downhill = posable.solvers.GradientDescent(0.02, 1e-6, error=three_valleys)
ends = posable.solve(posable.Pose(lone, begins), [], method=downhill, max_iterations=150).pose.q
print("three valleys, each start ends at", ends[:, 0].round(3).tolist())
x = np.linspace(-3.3, 3.3, 400)
chart = posable.view.Chart((-3.3, 3.3), (-0.2, 3.2), (640, 360), title="a function with three valleys")
chart.line(np.stack([x, 1 + 0.1 * x * x - np.cos(3 * x)], axis=1), "ink", 3.0)
for q, color, hollow in ((begins, "red", True), (ends, "orange", False)):
    chart.dots(np.concatenate([q, 1 + 0.1 * q * q - np.cos(3 * q)], axis=1), color, 8.0, hollow=hollow)
chart.save("valleys.png")

# The slope is taken over the sampling distance; one that is larger than what is left to do leads astray.
chart = posable.view.Chart(
    (0, 60), (0, 1.2), (640, 360), title="a sampling distance that is too large", names=("sweep", "distance left")
)
for h, color in ((1e-6, "blue"), (0.5, "red")):
    method = posable.solvers.GradientDescent(0.1, h, adaptive=True)
    walk = posable.solve(
        posable.Pose(arm, (0.2, 0.6)), goal, method=method, tolerance=1e-4, max_iterations=60, trace=True
    )
    print(f"sampling distance {h:g}: {walk.status.name}, {walk.goals[0].distance:.4f} left")
    left = distance(walk.trace.q)
    chart.line(np.stack([np.arange(len(left)), left], axis=1), color, 3.5)
    chart.note((len(left) - 1, left[-1] + 0.06), f"h = {h:g}", color, anchor="rm")
chart.save("sampling.png")
