"""Where the joints of a spider or an insect are: one leg for every foot beside the body; the rest is head and abdomen.

Each leg is followed from its foot to the body; its knee and its ankle stand where it is bent most.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.body_parts import UP, Places
from posable.skin.fitting.chain import Tube, tube_from
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.skin.solid import NEIGHBOURS, Ways
from posable.spatial import Array

LEGS = {"spider": 4, "insect": 3}
"""Legs of each side."""
_LOW = 0.15  # of the height: what stands lower, apart from the rest, is a foot
_PARTS = ("upper", "middle", "lower", "foot")
_KNEE, _ANKLE = (0.25, 0.75), (0.3, 0.75)  # of the distance from hip to foot, and from knee to foot
_MIDDLE = ("root", "head", "head_tip", "abdomen", "abdomen_tip")


@cache
def many_legs(count: int) -> Template:
    """The template with so many legs on each side, leg_1 in front."""
    legs = tuple(tuple(f"leg_{k}_{part}" for part in _PARTS) for k in range(1, count + 1))
    lines = (("root", "head", "head_tip"), ("root", "abdomen", "abdomen_tip"), *legs)
    standing = tuple(leg[-1] for leg in legs)
    sides = tuple(name for leg in legs for name in leg)
    return Template(lambda stage: _find(stage, legs), _MIDDLE, sides, lines, standing, lambda body: _joints(body, legs))


def _find(stage: Stage, legs: tuple[tuple[str, ...], ...]) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    ways = Ways(half)
    sources = np.flatnonzero(ways.voxels[:, 0] <= 1)
    far = ways.from_any(sources) if len(sources) else np.zeros(len(ways.voxels))
    followed = [tube_from(ways, foot, sources, 1.5 * far[foot] + 4, holds=False) for foot in _feet(half, ways, far)]
    tubes = [tube for tube in followed if tube is not None]
    seen = len(tubes)
    tubes = sorted(tubes, key=lambda tube: -float(tube.along[tube.opening]))[: len(legs)]
    tubes.sort(key=lambda tube: -float(tube.centers[tube.opening, 2] + 0.3 * tube.centers[0, 2]))
    body = half.copy()
    for tube in tubes:
        body[tuple(ways.voxels[tube.voxels].T)] = False
    places, ahead = _trunk(body, tubes)
    found = [_leg(tube) for tube in tubes] or [_guess(places["root"], stage.height)]
    for k, names in enumerate(legs):
        for name, place in zip(names, found[min(k, len(found) - 1)], strict=True):
            places[name] = place + np.array([stage.half_offset, 0.0, 0.0])
    right = float(seen == len(legs))
    slender = float(np.median([tube.slenderness for tube in tubes])) if tubes else 0.0
    evidence = [
        Evidence(f"{seen} legs are seen on a side, not {len(legs)}", right, 0.1, tuple(leg[-1] for leg in legs)),
        Evidence("the legs are short for their thickness", float(np.clip((slender - 2) / 4, 0, 1)), 0.3),
    ]
    return places, evidence, ahead


def _feet(half: Voxels, ways: Ways, far: Array) -> list[int]:
    """The voxel of each foot that is farthest from the middle, of feet that stand beside the body."""
    found: Any = label_low(half)
    numbers = found[tuple(ways.voxels.T)]
    feet = []
    for k in range(1, int(numbers.max(initial=0)) + 1):
        own = np.flatnonzero((numbers == k) & np.isfinite(far))
        if len(own) and ways.voxels[own, 0].min() > 0.1 * len(half):
            feet.append(int(own[np.argmax(far[own])]))
    return feet


def label_low(half: Voxels) -> Any:
    """`[across, up, ahead]` the number of the piece each low voxel belongs to, 0 for all others."""
    from scipy.ndimage import label

    low = half.copy()
    low[:, max(2, int(_LOW * half.shape[1])) :] = False
    found: Any = label(low, NEIGHBOURS)
    return found[0]


def _leg(tube: Tube) -> list[Array]:
    """Hip, knee, ankle and tip, from the body on."""
    line = tube.centers[: tube.opening + 1][::-1]
    knee = _most_bent(line, *_KNEE)
    ankle = knee + _most_bent(line[knee:], *_ANKLE)
    return [line[0], line[knee], line[ankle], line[-1]]


def _most_bent(line: Array, low: float, high: float) -> int:
    """Where the line is farthest from the straight one between its ends, between two shares of it."""
    first, last = int(low * (len(line) - 1)), max(int(high * (len(line) - 1)), int(low * (len(line) - 1)) + 1)
    step = line[-1] - line[0]
    off = line[first:last] - line[0]
    away = off - np.outer(off @ step / max(float(step @ step), 1e-9), step)
    return first + int(np.argmax(np.linalg.norm(away, axis=1)))


def _trunk(body: Voxels, tubes: list[Tube]) -> tuple[Places, float]:
    """The positions of the middle, and how surely it looks ahead: the abdomen is the larger part."""
    voxels = np.argwhere(body).astype(float) if body.any() else np.zeros((1, 3))
    core = voxels[voxels[:, 0] <= max(0.5 * np.percentile(voxels[:, 0], 95) + 1, voxels[:, 0].min())]
    hips = float(np.mean([tube.centers[tube.opening, 2] for tube in tubes])) if tubes else float(core[:, 2].mean())
    back, front = float(core[:, 2].min()), float(core[:, 2].max())

    def at(ahead: float) -> Array:
        near = core[np.abs(core[:, 2] - ahead) <= 2]
        return np.array([0.0, (near if len(near) else core)[:, 1].mean(), ahead])

    places = {
        "root": at(hips), "head": at(hips + 0.4 * (front - hips)), "head_tip": at(front),
        "abdomen": at(hips + 0.3 * (back - hips)), "abdomen_tip": at(back),
    }  # fmt: skip
    ahead, behind = float((core[:, 2] > hips).sum()), float((core[:, 2] < hips).sum())
    return places, (behind - ahead) / max(behind + ahead, 1.0)


def _guess(root: Array, height: int) -> list[Array]:
    """A leg where none is seen."""
    return [root + height * np.array(step) for step in ((0.1, 0, 0), (0.4, 0.3, 0), (0.7, 0, 0), (0.8, -0.5, 0))]


def _joints(body: limbs.Body, legs: tuple[tuple[str, ...], ...]) -> list[Joint]:
    joints = [body.free("root", ("body",))]
    for name in ("head", "abdomen"):
        joints.append(body.ball(name, "root", body.towards(name, f"{name}_tip"), 30, (-15, 15), tip=f"{name}_tip"))
    for side in "lr":
        for leg in legs:
            upper, middle, lower, foot = (f"{name}_{side}" for name in leg)
            joints.append(body.ball(upper, "root", body.towards(upper, middle), 60, (-30, 30)))
            joints.append(body.bend(middle, upper, lower, -UP, (-60, 150)))
            joints.append(body.bend(lower, middle, foot, -UP, (-60, 90)))
            joints.append(body.joint(foot, lower, "ball"))
    return joints
