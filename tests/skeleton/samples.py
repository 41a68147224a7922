"""Skeletons for tests: every kind of joint, in any order, with rest rotations, anchors, mimics and tips."""

from __future__ import annotations

import numpy as np

from posable.skeleton import Axis, Cone, Follow, Joint, Skeleton
from posable.spatial import normalized

KINDS = ("fixed", "hinge", "slide", "twist", "universal", "ball", "planar", "free", "compound")
SLIDES = {
    "hinge": (False,), "twist": (False,), "slide": (True,), "universal": (False, False), "planar": (True, True, False),
    "compound": (True, False, False, True),
}  # fmt: skip


def random_skeleton(rng: np.random.Generator, count: int = 14, *, limits: bool = False) -> Skeleton:
    """A tree in which every kind comes up, a free joint in mid-chain and mimics of slides and turns among them."""
    kinds = [str(k) for k in rng.permutation([*KINDS, *rng.choice(KINDS, max(count - len(KINDS), 0))])]
    joints: list[Joint] = []
    for i, kind in enumerate(kinds):
        parent = joints[int(rng.integers(max(0, i - 3), i))].name if i else None
        joints.append(random_joint(rng, f"j{i}", kind, parent, limits=limits))
    own = [(joint.name, k) for joint in joints for k, axis in enumerate(joint.axes) if axis.follow is None]
    for n in range(2):
        name, k = own[int(rng.integers(len(own)))]
        follow = Follow(name, float(rng.normal()), float(rng.normal()), k)
        axis = Axis(point(rng), slide=bool(rng.integers(2)), anchor=point(rng), follow=follow)
        joints.append(Joint(f"mimic{n}", "slide" if axis.slide else "hinge", name, point(rng), wxyz(rng), (axis,)))
    return Skeleton(joints)


def random_joint(
    rng: np.random.Generator, name: str, kind: str, parent: str | None = None, *, limits: bool = False
) -> Joint:
    """A joint of any kind somewhere in its parent."""
    axes = []
    for slide in SLIDES.get(kind, ()):
        low, high = np.sort(rng.uniform(-2, 2, 2)) if limits else (-np.inf, np.inf)
        reference = 0.0 if limits else float(rng.normal())
        axes.append(Axis(point(rng), slide, point(rng), float(low), float(high), reference=reference))
    cone = random_cone(rng) if limits and kind == "ball" else None
    anchor = point(rng) if kind == "ball" else (0.0, 0.0, 0.0)
    turned = wxyz(rng) if rng.integers(2) else (1.0, 0.0, 0.0, 0.0)
    return Joint(name, kind, parent, point(rng), turned, tuple(axes), anchor, cone)  # type: ignore[arg-type]


def random_cone(rng: np.random.Generator) -> Cone:
    """A cone that is neither whole nor empty."""
    twist = np.sort(rng.uniform(-3, 3, 2))
    return Cone(point(rng), float(rng.uniform(0.2, 2.5)), (float(twist[0]), float(twist[1])), wxyz(rng))


def arm(kind: str, count: int, **more: object) -> Skeleton:
    """A chain of joints of one kind."""
    axes = tuple(Axis((0.0, 0.0, 1.0), slide) for slide in SLIDES.get(kind, ()))
    return Skeleton(
        [
            Joint(f"j{i}", kind, f"j{i - 1}" if i else None, (0.0, 0.5, 0.1), axes=axes, **more)  # type: ignore[arg-type]
            for i in range(count)
        ]
    )


def point(rng: np.random.Generator) -> tuple[float, float, float]:
    x, y, z = rng.normal(size=3)
    return float(x), float(y), float(z)


def wxyz(rng: np.random.Generator) -> tuple[float, float, float, float]:
    w, x, y, z = normalized(rng.normal(size=4))
    return float(w), float(x), float(y), float(z)
