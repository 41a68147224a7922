"""The spring solver: a limb of more than two bones bends as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.solvers.closed.limb import turns_freely
from posable.solvers.engine import Fault
from posable.solvers.methods.chains import ChainOf, chain_of, rest_bends
from posable.solvers.methods.method import AtOnceMethod, Formula
from posable.solvers.methods.two_bone import check_turn
from posable.solvers.problem import Structure
from posable.spatial import Array

_STRAIGHT = 1e-6  # radians: a smaller bend at rest does not determine how to bend


@dataclass(frozen=True)
class SpringIK(AtOnceMethod):
    """All joints of the chain above the effector bend together, each in proportion to its bend at rest.

    One factor of all the rest bends brings the end to the target's distance (0 is straight, 1 the rest pose; the least
    solution is taken); then the base aims the end at the target, and the middle joint at a Pole if one is given.
    Source: the spring solver of Maya; no iterations but those of a root in one unknown.

    Args:
        twist: Additional rotation of the chain about the line to its target, radians.

    Raises:
        MethodError: For an invalid twist.
    """

    twist: float = 0.0

    def __post_init__(self) -> None:
        check_turn("SpringIK", "twist", self.twist)

    def refusal(self, structure: Structure) -> str | None:
        chain = chain_of(structure, 2)
        if isinstance(chain, str):
            return chain
        name = structure.skeleton.joints[chain.bases[0]]
        if not turns_freely(structure.skeleton, chain.bases[0]) and (self.twist or chain.goal.pole >= 0):
            return f"{name!r} at the base is not a ball, which could rotate the chain about the line to its target"
        if np.abs(rest_bends(structure, chain)[1]).max() < _STRAIGHT:
            end = structure.skeleton.joints[chain.goal.joint]
            return f"the chain that ends at {end!r} is straight at rest; there is no bend to scale"
        return None

    def plan(self, structure: Structure) -> Formula:
        chain = chain_of(structure, 2)
        assert not isinstance(chain, str)
        return _Spring(structure, chain, float(self.twist))


class _Spring:
    """A chain as numbers."""

    def __init__(self, structure: Structure, chain: ChainOf, twist: float) -> None:
        self.structure, self.chain, self.twist = structure, chain, twist
        self.straight, self.bends = rest_bends(structure, chain)
        self.most = np.pi / np.abs(self.bends).max()
        self.used = np.array(structure.skeleton.chain(chain.goal.joint), np.int64)[:, None]

    def solve(self, starts: Array, numbers: Array, out: Array, counts: NDArray[np.int64]) -> Fault:
        from posable.solvers.methods.chain_kernels import spring_all

        structure, options, chain = self.structure, self.structure.options, self.chain
        return spring_all(
            structure.skeleton.packed,
            structure.problem.terms,
            self.used,
            np.array(chain.bases, np.int64),
            np.array(chain.joints, np.int64),
            self.straight,
            self.bends,
            self.most,
            chain.numbers,
            chain.goal.tip,
            self.twist,
            structure.free,
            np.array([options.tolerance, options.angle_tolerance]),
            starts,
            numbers,
            out,
            counts,
        )
