"""Which bone lengths let an arm reach twenty places? Found by the gradient through the solves.

Run: python examples/25_bone_lengths.py
"""

from __future__ import annotations

import numpy as np

import posable

BENDS = (posable.Axis((0.0, 0.0, 1.0), lower=0.05, upper=2.4),)


def arm(lengths: np.ndarray) -> posable.Skeleton:
    upper, lower, hand = lengths
    return posable.Skeleton(
        [
            posable.Joint("shoulder", "universal", axes=(posable.Axis((0.0, 1.0, 0.0)), posable.Axis((0.0, 0.0, 1.0)))),
            posable.Joint("elbow", "hinge", "shoulder", (upper, 0.0, 0.0), axes=BENDS),
            posable.Joint("wrist", "hinge", "elbow", (lower, 0.0, 0.0), axes=BENDS),
            posable.Joint("tip", "fixed", "wrist", (hand, 0.0, 0.0)),
        ]
    )


def missed(lengths: np.ndarray, places: np.ndarray) -> tuple[float, np.ndarray]:
    """(the mean squared distance that is left, its derivative by the lengths)."""
    skeleton = arm(lengths)
    rest = posable.Pose(skeleton, [0.0, 0.0, 0.6, 0.3])
    solution = posable.solve(rest, [posable.Reach("tip", places)])
    tip, left = skeleton.index("tip"), solution.pose.origins[:, 3] - places
    aim = np.zeros((len(places), 4, 4, 4))
    aim[:, tip, :3, 3] = 2.0 * left / len(places)
    at_once = posable.gradients.kinematics_vjp(solution.pose, aim)  # by pose and bones
    by_solve = posable.gradients.Derivative(solution).pull(at_once.tangent)  # the pose moves with the bones
    slope = (at_once.offsets + np.nan_to_num(by_solve.offsets)).sum(axis=0)
    return float((left**2).sum(axis=1).mean()), slope[1:, 0]


def main() -> None:
    rng = np.random.default_rng(0)
    turns = np.column_stack([rng.uniform(-3, 3, (20, 2)), rng.uniform(0.1, 2.2, (20, 2))])
    places = posable.Pose(arm(np.array([0.5, 0.4, 0.2])), turns).origins[:, 3]  # an arm that reaches them all
    lengths, speed = np.array([0.3, 0.3, 0.1]), np.zeros(3)
    for step in range(13):
        off, slope = missed(lengths, places)
        if step % 3 == 0:
            shown = ", ".join(f"{length:.3f}" for length in lengths)
            print(f"step {step:2d}: {1000 * off**0.5:7.3f} mm left, bones of {shown} m")
        speed = 0.6 * speed - 0.25 * slope
        lengths = np.maximum(lengths + speed, 0.02)


if __name__ == "__main__":
    main()
