"""A thousand places in one call, judged by forward kinematics written here in plain NumPy."""

import numpy as np

import posable

arm = posable.figure("arm7")
skeleton = arm.skeleton
tool = skeleton.index("tool")


def turn_about(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """`[..., 3, 3]` by Rodrigues' formula."""
    cross = np.cross(np.eye(3), axis)
    sine, cosine = np.sin(angles)[..., None, None], np.cos(angles)[..., None, None]
    return np.eye(3) + sine * cross + (1 - cosine) * cross @ cross


def judged(q: np.ndarray) -> np.ndarray:
    """`[..., 4, 4]` where the tool is: joint after joint, base first."""
    world = np.broadcast_to(np.eye(4), (*q.shape[:-1], 4, 4))
    hinges = iter(np.moveaxis(q, -1, 0))
    for index in skeleton.chain(tool):
        joint = skeleton.definitions[index]
        world = world @ parent_from_joint(joint)
        if joint.dof:
            turn = np.zeros_like(world)
            turn[..., 3, 3] = 1.0
            turn[..., :3, :3] = turn_about(np.array(joint.axes[0].direction), next(hinges))
            world = world @ turn
    return world


def parent_from_joint(joint: posable.Joint) -> np.ndarray:
    """`[4, 4]` from a joint's position and rotation."""
    w, *xyz = joint.wxyz
    cross = np.cross(np.eye(3), np.array(xyz))
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) + 2 * w * cross + 2 * cross @ cross
    matrix[:3, 3] = joint.position
    return matrix


rng = np.random.default_rng(0)
targets = judged(skeleton.random_coordinates(rng, (1000,)))
solution = posable.solve(arm.rest, [posable.Place("tool", targets)])

found = judged(solution.pose.q)
off = np.linalg.norm(found[:, :3, 3] - targets[:, :3, 3], axis=-1)
skew = np.linalg.norm(found[:, :3, :3] - targets[:, :3, :3], axis=(-2, -1)) / np.sqrt(2)  # radians, where small
inside = ((solution.pose.q >= skeleton.lower) & (solution.pose.q <= skeleton.upper)).all(axis=-1)
right = (off <= 1e-6) & (skew <= 1e-5) & inside
print(f"{right.sum()} of 1000 right by the judge, {(solution.status == posable.Status.REACHED).sum()} by the solver")
print(f"worst: {off.max():.1e} m, {skew.max():.1e} rad; all inside the limits: {inside.all()}")
