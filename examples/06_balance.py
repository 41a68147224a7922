"""A figure that keeps its feet where they are and its weight above them while it reaches far out."""

import numpy as np

import posable

figure = posable.with_masses(posable.figure("mannequin"))  # masses from the volume of its skin
rest = figure.rest
masses = np.array([joint.mass for joint in figure.skeleton.definitions])
centers = np.array([joint.mass_center for joint in figure.skeleton.definitions])


def center_of_mass(pose: posable.Pose) -> np.ndarray:
    """Of the whole figure, `[3]` in the world."""
    places = np.einsum("jik,jk->ji", pose.world_from_joint[:, :3, :3], centers) + pose.origins
    return masses @ places / masses.sum()


feet = [posable.Place(foot, rest.world_from_joint[figure.skeleton.index(foot)]) for foot in ("foot_l", "foot_r")]
reach = posable.Reach("index_tip_r", (-1.0, 0.95, 0.35))
between = (0.0, 0.0, 0.02)
comfort = posable.Comfort()  # soft: never costs the other goals anything

for name, goals in (
    ("falling", [*feet, reach, comfort]),
    ("balanced", [*feet, reach, posable.Balance(between), comfort]),
):
    solution = posable.solve(rest, goals)
    x, _, z = center_of_mass(solution.pose) - between
    print(f"{name}: {solution.describe()}; the weight is {np.hypot(x, z):.3f} m from between the feet")
    posable.picture(figure, solution.pose, f"{name}.png", goals=goals[:-1], size=(480, 360), camera="front")
