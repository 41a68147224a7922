"""What each method is asked in the tests of the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from posable import Axis, Cone, Goal, Joint, Pose, Reach, Skeleton
from posable.solvers import (
    CyclicDescent,
    DampedLeastSquares,
    Fabrik,
    GradientDescent,
    Method,
    Newton,
    PseudoInverse,
    SplineIK,
    SpringIK,
    Transpose,
    TwoBone,
    VirtualForce,
)


def limited_arm(scale: float = 1.0) -> Skeleton:
    """Seven hinges about z and y by turns, pieces of 0.2, each limited to ±1.2, ending in "tip"."""
    axes = [(Axis(direction, lower=-1.2, upper=1.2),) for direction in ((0, 0, 1), (0, 1, 0))]
    joints = [Joint("h0", "hinge", axes=axes[0])]
    joints += [Joint(f"h{k}", "hinge", f"h{k - 1}", (0.2 * scale, 0, 0), axes=axes[k % 2]) for k in range(1, 7)]
    return Skeleton([*joints, Joint("tip", "fixed", "h6", (0.2 * scale, 0, 0))])


def limb(scale: float = 1.0) -> Skeleton:
    """A ball, 0.8 below it a hinge that bends one way, 0.6 below that the hand "tip", which carries the hinge "h2"."""
    bend, finger = (Axis((0, 0, 1), lower=0.0, upper=2.6),), (Axis((0, 0, 1), lower=-1.0, upper=1.0),)
    joints = [Joint("h0", "ball"), Joint("h1", "hinge", "h0", (0.8 * scale, 0, 0), axes=bend)]
    joints += [Joint("tip", "ball", "h1", (0.6 * scale, 0, 0))]
    return Skeleton([*joints, Joint("h2", "hinge", "tip", (0.1 * scale, 0, 0), axes=finger)])


def long_leg(scale: float = 1.0, kind: str = "hinge") -> Skeleton:
    """A ball, then joints 0.4, 0.4 and 0.3 further down, bent at rest, and the foot "tip", which carries "h2"."""
    joints, rest = [Joint("h0", "ball")], {"h1": 0.5, "h3": -0.8, "h4": 0.6}
    for (name, bend), length in zip(rest.items(), (0.4, 0.4, 0.3), strict=True):
        at, position = joints[-1].name, (length * scale, 0, 0)
        if kind == "ball":
            turn = (np.cos(bend / 2), 0.0, 0.0, np.sin(bend / 2))
            joints.append(Joint(name, "ball", at, position, rest=turn, cone=Cone((1, 0, 0), 2.8)))
        else:
            joints.append(
                Joint(name, "hinge", at, position, rest=(bend,), axes=(Axis((0, 0, 1), lower=-2.8, upper=2.8),))
            )
    joints.append(Joint("tip", "ball", "h4", (0.3 * scale, 0, 0)))
    return Skeleton([*joints, Joint("h2", "hinge", "tip", (0.1 * scale, 0, 0), axes=(Axis((0, 0, 1)),))])


def coned_chain(scale: float = 1.0) -> Skeleton:
    """Seven balls in cones, pieces of 0.2, ending in "tip"."""
    cone = Cone((1, 0, 0), 0.9, (-0.5, 0.5))
    joints = [Joint("h0", "ball", cone=cone)]
    joints += [Joint(f"h{k}", "ball", f"h{k - 1}", (0.2 * scale, 0, 0), cone=cone) for k in range(1, 7)]
    return Skeleton([*joints, Joint("tip", "fixed", "h6", (0.2 * scale, 0, 0))])


def one_reach(end: str, target: np.ndarray) -> list[Goal]:
    return [Reach(end, target)]


@dataclass(frozen=True)
class Case:
    """A method, a figure of any size that it can move, the joint that is to get somewhere, and one that is frozen."""

    method: Method
    skeleton: Callable[[float], Skeleton] = limited_arm
    end: str = "tip"
    frozen: str = "h2"
    goals: Callable[[str, np.ndarray], list[Goal]] = one_reach
    lengths: tuple[str, ...] = ()
    """The parameters of the method that are lengths."""
    reached: float = 0.9
    """At least this share of places in reach is reached within 200 iterations."""
    steps: int = 3
    """A trace has more than so many poses."""
    nears: float = 0.2
    """Out of reach, at most this share of what could be gained is left after 100 iterations."""

    def start(self, scale: float = 1.0) -> Pose:
        """A bent pose inside the limits."""
        skeleton = self.skeleton(scale)
        bends = np.where(skeleton.slides, 0.0, np.linspace(0.35, -0.25, skeleton.dof))
        return Pose(skeleton, skeleton.rest_coordinates).plus(bends).clamped()

    def targets(self, count: int) -> np.ndarray:
        """Places that the end reaches in random poses within the limits."""
        skeleton = self.skeleton(1.0)
        poses = skeleton.random_pose(np.random.default_rng(7), (count,))
        return np.array(poses.origins[:, skeleton.index(self.end)])

    def in_units(self, scale: float) -> Case:
        """The same for a figure `scale` times as large: what the method is told in lengths goes with it."""
        lengths = {name: scale * getattr(self.method, name) for name in self.lengths}
        return replace(self, method=replace(self.method, **lengths))  # pyright: ignore[reportArgumentType]


CASES = {
    "PseudoInverse": Case(PseudoInverse(0.5), reached=0.8),
    "Newton": Case(Newton(), reached=0.8, nears=0.5),
    "Transpose": Case(Transpose()),
    "DampedLeastSquares": Case(DampedLeastSquares(), reached=0.8, nears=0.5),
    "GradientDescent": Case(GradientDescent(adaptive=True)),
    "CyclicDescent": Case(CyclicDescent(), reached=1.0),
    "VirtualForce": Case(VirtualForce()),
    "Fabrik": Case(Fabrik()),
    "TwoBone": Case(TwoBone(), limb, reached=1.0, steps=1, nears=1e-9),
    "SpringIK": Case(SpringIK(), long_leg, reached=0.5, steps=1, nears=1e-9),
    "SplineIK": Case(SplineIK(), partial(long_leg, kind="ball"), reached=0.95, steps=1, nears=1e-9),
}
"""By the name of the method; those that have two ways of stepping have another entry in MORE."""

MORE = {
    "Fabrik with balls in cones": Case(Fabrik(), coned_chain),
    "bare cyclic descent": Case(CyclicDescent("base_first", max_turn=0.5)),
    "virtual forces at once": Case(VirtualForce(at_once=True)),
    "Newton by change": Case(Newton(stop="change", epsilon=1e-9), reached=0.8, nears=0.5),
    "Transpose by gain": Case(Transpose(gain=0.5), reached=0.05),
    "selectively damped": Case(DampedLeastSquares(selective=True)),
    "fixed descent": Case(
        GradientDescent(0.2, slowing=0.1, order="base_first", sampling_distance=1e-6), lengths=("slowing",)
    ),
    "normalised descent": Case(GradientDescent(0.2, normalized=True, adaptive=True)),
}
