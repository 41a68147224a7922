"""The snake and the tentacle: long skinned chains of hinges."""

from __future__ import annotations

import math

import numpy as np

from posable.figures.builtin.tubes import Tube, tube_skin
from posable.figures.model import Figure
from posable.skeleton import Axis, Joint, Skeleton
from posable.spatial import Array

SNAKE_HINGES, SNAKE_BONE = 24, 0.06
TENTACLE_HINGES, TENTACLE_BONE = 24, 0.045
_AROUND = 28


def snake() -> Figure:
    """A snake to chase a target by virtual forces: 12 pairs of hinges with perpendicular axes, limp at the head.

    Metres, y up. It lies on the ground along +z in a wave. Joints: tail (fixed), segment_1 … segment_24 (odd ones bend
    left and right about y, even ones up and down about x; elasticity falls from 1 to 0.2), head (fixed, its tip is the
    snout). `with_root("free")` lets it crawl.
    """
    height = 0.034
    joints = [Joint("tail", "fixed", None, (0.0, height, -0.72))]
    for k in range(SNAKE_HINGES):
        turns_aside = k % 2 == 0
        angle = 0.30 * math.cos(2 * math.pi * 1.5 * k / SNAKE_HINGES) if turns_aside else 0.0
        axis = Axis((0, 1, 0) if turns_aside else (1, 0, 0), lower=-math.radians(40), upper=math.radians(40))
        joints.append(
            _segment(
                k, joints[-1].name, SNAKE_BONE, (0.0, 0.0, 1.0), axis, angle, 1 - 0.8 * k / SNAKE_HINGES, mass=0.05
            )
        )
    joints.append(Joint("head", "fixed", joints[-1].name, (0.0, 0.0, SNAKE_BONE), mass=0.04, tips=((0.0, 0.0, 0.079),)))
    skeleton = Skeleton(joints, up="y")
    skin = tube_skin(skeleton, skeleton.joints, _snake_tube(), beside=(1, 0, 0))
    return Figure(skeleton, name="snake", skins=(skin,))


def tentacle() -> Figure:
    """A tentacle to curl round a target by gradient descent: 24 hinges whose axes go x, y, z, x …

    Metres, y up, standing on the ground in a slight curve. Joints: base (fixed), segment_1 … segment_24 (those about y
    twist it; elasticity falls from 1 to 0.2 at the tip), tip (fixed).
    """
    joints = [Joint("base", "fixed", None)]
    for k in range(TENTACLE_HINGES):
        direction = ((1, 0, 0), (0, 1, 0), (0, 0, 1))[k % 3]
        limit = math.radians(20 if k % 3 == 1 else 35)
        angle = (0.07, 0.0, -0.05)[k % 3] + 0.006 * k * (k % 3 == 2)
        axis = Axis(direction, lower=-limit, upper=limit)
        bone = TENTACLE_BONE if k else 0.03
        joints.append(
            _segment(
                k,
                joints[-1].name,
                bone,
                (0.0, 1.0, 0.0),
                axis,
                angle,
                1 - 0.8 * k / TENTACLE_HINGES,
                mass=0.1 * (1 - 0.035 * k),
            )
        )
    joints.append(Joint("tip", "fixed", joints[-1].name, (0.0, TENTACLE_BONE, 0.0), mass=0.01))
    skeleton = Skeleton(joints, up="y")
    skin = tube_skin(skeleton, skeleton.joints, _tentacle_tube(), beside=(1, 0, 0))
    return Figure(skeleton, name="tentacle", skins=(skin,))


def _segment(
    k: int,
    parent: str,
    bone: float,
    along: tuple[float, float, float],
    axis: Axis,
    rest: float,
    elasticity: float,
    mass: float,
) -> Joint:
    x, y, z = (bone * c for c in along)
    middle = (x / 2, y / 2, z / 2)
    comfort = ((rest - 0.05, rest + 0.05),)
    return Joint(
        f"segment_{k + 1}", "hinge", parent, (x, y, z), axes=(axis,), rest=(rest,),
        elasticity=elasticity, comfort=comfort, mass=mass, mass_center=middle,
    )  # fmt: skip


def _snake_tube() -> Tube:
    """A body that swells and thins out to the tail, a neck, and a flat head with eyes."""
    head = SNAKE_BONE * (SNAKE_HINGES + 1)
    knots = np.array([-0.06, 0.0, 0.30, 0.80, 1.20, 1.40, 1.46, 1.505, 1.54, 1.565, 1.575])
    sides = np.array([0.002, 0.009, 0.026, 0.034, 0.031, 0.024, 0.026, 0.036, 0.032, 0.020, 0.008])
    lifts = np.array([0.002, 0.009, 0.025, 0.033, 0.030, 0.023, 0.023, 0.026, 0.022, 0.013, 0.005])
    positions = np.concatenate([np.linspace(-0.06, 1.40, 130), np.linspace(1.41, 1.575, 30)])
    width, lift = _smooth(positions, knots, sides), _smooth(positions, knots, lifts)
    angle = 2 * np.pi * np.arange(_AROUND) / _AROUND
    belly = 0.5 - 0.5 * np.tanh(4 * (np.sin(angle) * -1 - 0.45))[None, :, None]
    bands = (0.5 + 0.5 * np.tanh(6 * np.sin(2 * np.pi * positions / 0.12)))[:, None, None] * (np.sin(angle) > -0.2)[
        None, :, None
    ]
    green, dark, pale = np.array([0.42, 0.60, 0.28]), np.array([0.22, 0.36, 0.17]), np.array([0.88, 0.84, 0.62])
    back = green + 0.7 * bands * (dark - green)
    colors = pale + belly * (back - pale)
    eyes = np.exp(
        -(((positions[:, None] - (head + 0.03)) / 0.007) ** 2) - ((np.abs(np.cos(angle)) - 0.75) / 0.12) ** 2
    ) * (np.sin(angle) > 0)
    colors = colors + np.minimum(1.5 * eyes, 1)[..., None] * (np.array([0.08, 0.07, 0.05]) - colors)
    return Tube(positions, width, lift, colors, -0.066, 1.579)


def _tentacle_tube() -> Tube:
    """A taper from a wide foot, with two rows of suckers on the side of +z."""
    length = 0.03 + TENTACLE_BONE * TENTACLE_HINGES
    positions = np.concatenate([[0.0], np.linspace(0.004, length - 0.001, 220)])
    share = positions / length
    radius = 0.062 * (1 - share) ** 0.8 + 0.008 + 0.030 * np.exp(-share / 0.05)
    radius *= np.sqrt(np.clip((1.004 - share) / 0.012, 0, 1))
    radius[0] *= 0.97
    angle = 2 * np.pi * np.arange(_AROUND) / _AROUND
    under = np.clip(-np.sin(angle), 0, 1)[None, :, None]
    skin, pale = np.array([0.56, 0.27, 0.38]), np.array([0.93, 0.74, 0.68])
    rows = np.exp(-(((np.abs(np.cos(angle)) - 0.42) / 0.2) ** 2)) * (np.sin(angle) < 0)
    suckers = (rows * (0.5 + 0.5 * np.tanh(5 * np.sin(2 * np.pi * 34 * np.sqrt(share)))[:, None]))[..., None]
    colors = skin + 0.10 * share[:, None, None] + under**0.7 * 0.6 * (pale - skin) + 0.45 * suckers * (pale - skin)
    return Tube(positions, radius, radius, np.clip(colors, 0, 1), 0.0, length + 0.001)


def _smooth(positions: Array, knots: Array, values: Array) -> Array:
    """Cubic through the values, without overshoot: smoothstep between neighbours, slope by slope (Fritsch-Carlson)."""
    step, rise = np.diff(knots), np.diff(values) / np.diff(knots)
    inner = np.where(
        rise[:-1] * rise[1:] > 0,
        2 * rise[:-1] * rise[1:] / np.where(rise[:-1] + rise[1:] == 0, 1, rise[:-1] + rise[1:]),
        0,
    )
    slope = np.concatenate([[rise[0]], inner, [rise[-1]]])
    k = np.clip(np.searchsorted(knots, positions) - 1, 0, len(step) - 1)
    t = (positions - knots[k]) / step[k]
    own = (1 + 2 * t) * (1 - t) ** 2 * values[k] + t * (1 - t) ** 2 * step[k] * slope[k]
    return own + t * t * (3 - 2 * t) * values[k + 1] + t * t * (t - 1) * step[k] * slope[k + 1]
