"""Small skeletons whose reach is known by hand."""

from __future__ import annotations

import math

import numpy as np

from posable import Axis, Cone, Joint, Pose, Skeleton
from posable.skeleton import Follow
from posable.spatial import wxyz_about

PANDA = [  # a, d, alpha, lower, upper: Craig's convention, from the maker's data sheet
    (0.0, 0.333, 0.0, -2.8973, 2.8973),
    (0.0, 0.0, -math.pi / 2, -1.7628, 1.7628),
    (0.0, 0.316, math.pi / 2, -2.8973, 2.8973),
    (0.0825, 0.0, math.pi / 2, -3.0718, -0.0698),
    (-0.0825, 0.384, -math.pi / 2, -2.8973, 2.8973),
    (0.0, 0.0, math.pi / 2, -0.0175, 3.7525),
    (0.088, 0.0, math.pi / 2, -2.8973, 2.8973),
]


def panda(scale: float = 1.0) -> Skeleton:
    """A seven-joint arm with limits."""
    joints = []
    for k, (a, d, alpha, lower, upper) in enumerate(PANDA):
        position = (scale * a, -scale * d * math.sin(alpha), scale * d * math.cos(alpha))
        axes = (Axis((0, 0, 1), lower=lower, upper=upper),)
        parent = f"j{k}" if k else None
        joints.append(Joint(f"j{k + 1}", "hinge", parent, position, tuple(wxyz_about((1, 0, 0), alpha)), axes))
    return Skeleton([*joints, Joint("hand", "fixed", "j7", position=(0, 0, scale * 0.107))], "z")


def planar_arm(*lengths: float, limits: tuple[float, float] = (-math.inf, math.inf)) -> Skeleton:
    """Hinges about z, pieces along x, ending in "tip"."""
    axes = (Axis((0, 0, 1), lower=limits[0], upper=limits[1]),)
    joints = [Joint("h0", "hinge", axes=axes)]
    joints += [Joint(f"h{k}", "hinge", f"h{k - 1}", (lengths[k - 1], 0, 0), axes=axes) for k in range(1, len(lengths))]
    return Skeleton([*joints, Joint("tip", "fixed", joints[-1].name, (lengths[-1], 0, 0))])


def ball_chain(*lengths: float, cone: Cone | None = None) -> Skeleton:
    """Balls, pieces along y, ending in "tip"."""
    joints = [Joint("b0", "ball", cone=cone)]
    joints += [Joint(f"b{k}", "ball", f"b{k - 1}", (0, lengths[k - 1], 0), cone=cone) for k in range(1, len(lengths))]
    return Skeleton([*joints, Joint("tip", "fixed", joints[-1].name, (0, lengths[-1], 0))])


def person(cones: bool = True) -> Skeleton:
    """A free root and 36 balls: spine, neck, arms and legs."""
    joints = [Joint("root", "free", position=(0, 1, 0))]

    def grow(name: str, parent: str, count: int, step: tuple, first: tuple | None = None) -> str:
        cone = Cone(step, 1.1, (-0.7, 0.7)) if cones else None
        for k in range(count):
            joints.append(Joint(f"{name}{k}", "ball", parent, first if first and not k else step, cone=cone))
            parent = f"{name}{k}"
        return parent

    chest = grow("spine", "root", 5, (0, 0.1, 0))
    grow("neck", chest, 3, (0, 0.08, 0))
    for x, side in ((1, "l"), (-1, "r")):
        hand = grow(f"arm_{side}", chest, 4, (x * 0.2, 0, 0))
        grow(f"thumb_{side}", hand, 2, (x * 0.03, 0, 0.01))
        grow(f"leg_{side}", "root", 4, (0, -0.3, 0), (x * 0.1, -0.05, 0))
    return Skeleton(joints)


def mixture() -> Skeleton:
    """Every joint kind in one chain, a mimic among them."""
    return Skeleton(
        [
            Joint("root", "free", position=(0, 1, 0)),
            Joint("ball", "ball", "root", (0, 0.3, 0), (0.9, 0.1, 0.2, 0.3), cone=Cone((0, 1, 0), 1.0, (-0.5, 0.7))),
            Joint(
                "hinge",
                "hinge",
                "ball",
                (0, 0.3, 0.1),
                axes=(Axis((1, 0, 0), anchor=(0.1, 0.2, 0.3), lower=-1, upper=2),),
            ),
            Joint("slide", "slide", "hinge", (0, 0.3, 0.1), axes=(Axis((1, 1, 0), slide=True, lower=-0.2, upper=0.3),)),
            Joint("mimic", "hinge", "slide", (0, 0.3, 0.1), axes=(Axis((0, 1, 0), follow=Follow("hinge", 0.5, 0.1)),)),
            Joint("universal", "universal", "mimic", (0, 0.1, 0.1), axes=(Axis((0, 1, 0)), Axis((1, 0, 0)))),
            Joint("planar", "planar", "universal", (0, 0.1, 0.1)),
            Joint("off_center", "ball", "planar", (0, 0.1, 0.1), anchor=(0.3, 0.2, 0.1)),
            Joint("twist", "twist", "off_center", (0, 0.1, 0.1), axes=(Axis((0, 1, 0)),)),
            Joint("end", "fixed", "twist", (0, 0.1, 0.1)),
        ]
    )


def absolute_arm() -> Skeleton:
    """Three hinges whose angles count from the world's x axis."""
    axes = (Axis((0, 0, 1)),)
    joints = [Joint("a0", "hinge", axes=axes, absolute=True)]
    joints += [
        Joint(f"a{k}", "hinge", f"a{k - 1}", (length, 0, 0), axes=axes, absolute=True)
        for k, length in ((1, 50.0), (2, 45.0))
    ]
    return Skeleton([*joints, Joint("tip", "fixed", "a2", (3, 0, 0))])


def rest(skeleton: Skeleton) -> Pose:
    """The rest pose."""
    return Pose(skeleton, skeleton.rest_coordinates)


def middle(skeleton: Skeleton) -> Pose:
    """Every scalar freedom in the middle of its limits."""
    return Pose(skeleton, (skeleton.lower + skeleton.upper) / 2)


def world_by_hand(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """Forward kinematics of hinges and fixed joints in plain NumPy, `[joint, 4, 4]`: the judge of success."""
    world = []
    coordinate = 0
    for joint in skeleton.definitions:
        w, x, y, z = joint.wxyz
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = turn, joint.position
        for axis in joint.axes:
            k = np.array(axis.direction)
            across = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
            angle = q[coordinate]
            coordinate += 1
            motion = np.eye(4)
            motion[:3, :3] = np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across
            local = local @ motion
        above = world[skeleton.joints.index(joint.parent)] if joint.parent else np.eye(4)
        world.append(above @ local)
    return np.array(world)
