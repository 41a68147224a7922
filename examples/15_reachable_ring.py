"""Where a two-link arm can reach: a ring. Both bends of the elbow inside it, and the nearest pose outside."""

import numpy as np

import posable.solvers.closed
import posable.view

FIRST, SECOND = 1.0, 0.6


def arm(angles: np.ndarray) -> np.ndarray:
    """`[point, 2]` shoulder, elbow and hand for the first bone's angle and the second's from the first."""
    one, two = angles[0], angles.sum()
    elbow = FIRST * np.array((np.cos(one), np.sin(one)))
    return np.stack([np.zeros(2), elbow, elbow + SECOND * np.array((np.cos(two), np.sin(two)))])


chart = posable.view.Chart((-2.2, 2.2), (-1.75, 1.75), (640, 520), title="the ring of a two-link arm", alike=True)
chart.field(lambda points: np.abs(np.hypot(points[..., 0], points[..., 1]) - FIRST) > SECOND, bands=2, opacity=0.3)
around = np.linspace(0.0, 2 * np.pi, 181)
circle = np.stack([np.cos(around), np.sin(around)], axis=-1)
for radius in (FIRST + SECOND, FIRST - SECOND):
    chart.line(radius * circle, "ink", 2.0)

for name, target in (("inside", (0.75, 0.85)), ("too far", (-1.9, 0.45)), ("too near", (0.1, -0.22))):
    both, left = posable.solvers.closed.two_bone_angles(target, FIRST, SECOND)
    hands = np.array([arm(angles)[-1] for angles in both])
    off = np.linalg.norm(hands - target, axis=1)
    print(f"{name}: {'reached' if left == 0 else 'unreachable'}, {float(left):.3f} left", end="; ")
    print(f"both ways end {off.round(3).tolist()} from the target, angles {np.degrees(both).round(1).tolist()}")
    for angles, color in zip(both, ("blue", "red"), strict=True):
        chart.line(arm(angles), color, 6.0)
        chart.dots(arm(angles), color, 7.0)
    chart.line([hands[0], target], "orange", 3.0, dash=6.0)
    chart.dots(target, "orange", 12.0, hollow=True)
    chart.note(np.add(target, (0.1, 0.1)), name)
chart.save("ring.png")
