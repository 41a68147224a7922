"""The facts of a skeleton that the search for roles uses: names, parents, rest positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from posable.skeleton.body_roles.joint_uses import NOTHING_SEEN, Seen, uses_of
from posable.skeleton.body_roles.words import FINGERS, Word, read_names
from posable.skeleton.joint import Joint
from posable.spatial import Array, apply_transform

_SIDED = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
BODY_ROLES = (
    "hips", "spine", "chest", "upper_chest", "neck", "head", *(f"{role}_{side}" for side in "lr" for role in _SIDED),
)  # fmt: skip
"""The roles of trunk and limbs."""
ROLE_NAMES = (
    *BODY_ROLES, "jaw", "eye_l", "eye_r",
    *(f"{finger}_{k}_{side}" for side in "lr" for finger in FINGERS for k in (1, 2, 3)),
)  # fmt: skip
"""All roles: those of the body, of the face, and of the fingers, thumb_1_l … little_3_r."""

SAME_PLACE = 0.03
"""Joints nearer than this share of the figure's size count as coincident."""


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton at rest. `frames [joint, 4, 4]`: where its joints are in the world; `words [joint]`: what the names
    say; `aliases [joint]`: what the other names say.
    """

    definitions: tuple[Joint, ...]
    parents: list[int]
    frames: Array
    up: Array
    words: tuple[Word, ...]
    aliases: tuple[tuple[Word, ...], ...]
    seen: Seen = NOTHING_SEEN

    def nameless(self) -> Body:
        """The same body without names."""
        return replace(self, words=(Word(),) * len(self.words), aliases=((),) * len(self.words))

    @cached_property
    def uses(self) -> tuple[tuple[str, str], ...]:
        """`[joint]` (use, why): what each joint is there for."""
        return uses_of(self)

    @cached_property
    def bodily(self) -> list[bool]:
        """`[joint]` whether it is part of the body rather than a handle, a prop, a twist bone or an end."""
        return [use == "deforming" for use, _ in self.uses]

    def said_of(self, joint: int) -> set[str]:
        """The parts that the name of `joint` or its other names say."""
        own = self.words[joint].part
        return {own} if own else {word.part for word in self.aliases[joint] if word.part}

    @cached_property
    def moves_on(self) -> list[bool]:
        """`[joint]` whether the joint or one below it is part of the body and can move."""
        moves = [own and joint.kind != "fixed" for own, joint in zip(self.bodily, self.definitions, strict=True)]
        for joint in range(len(moves) - 1, 0, -1):
            if moves[joint] and self.parents[joint] >= 0:
                moves[self.parents[joint]] = True
        return moves

    @cached_property
    def positions(self) -> Array:
        """`[joint, 3]` where the joints are at rest, in the world."""
        return self.frames[:, :3, 3]

    @cached_property
    def heights(self) -> Array:
        """`[joint]` heights of the joints."""
        return self.positions @ self.up

    @cached_property
    def tips(self) -> tuple[Array, ...]:
        """`[joint]` of `[tip, 3]`: where bodies end, in the world."""
        return tuple(
            np.array([apply_transform(frame, tip) for tip in joint.tips]).reshape(-1, 3)
            for frame, joint in zip(self.frames, self.definitions, strict=True)
        )

    @cached_property
    def lowest(self) -> Array:
        """`[joint]` the lowest height of joints and tips from each joint on down."""
        low = np.array([min([h, *(tips @ self.up)]) for h, tips in zip(self.heights, self.tips, strict=True)])
        for i in range(len(low) - 1, -1, -1):
            parent = self.parents[i]
            if parent >= 0:
                low[parent] = min(low[parent], low[i])
        return low

    @cached_property
    def size(self) -> float:
        """The largest extent of the joints along the world's axes."""
        return float(np.ptp(self.positions, axis=0).max()) or 1.0

    @cached_property
    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parents]
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(i)
        return found

    @cached_property
    def counts(self) -> list[int]:
        """`[joint]` how many joints there are from each on down, itself included."""
        counts = [1] * len(self.parents)
        for i in range(len(counts) - 1, 0, -1):
            if self.parents[i] >= 0:
                counts[self.parents[i]] += counts[i]
        return counts

    @cached_property
    def hinged(self) -> list[bool]:
        """`[joint]` whether it rotates about single axes, so that several joints make one shoulder or hip."""
        return [joint.manifold.axes == (False,) for joint in self.definitions]

    def chain(self, joint: int) -> list[int]:
        """From the root down to `joint`."""
        found = [joint]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found[::-1]

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether `lower` hangs on `upper`."""
        return upper != lower and upper in self.chain(lower)

    def between(self, upper: int, lower: int) -> list[int]:
        """From `upper` down to `lower`, both included."""
        chain = self.chain(lower)
        return chain[chain.index(upper) :]

    def meeting(self, joints: Sequence[int]) -> int | None:
        """The lowest joint that is above all of `joints`, or one of them; None for joints of different trees."""
        chains = [self.chain(joint) for joint in joints]
        shared = [level[0] for level in zip(*chains, strict=False) if len(set(level)) == 1]
        return shared[-1] if shared else None

    def below(self, joint: int) -> list[int]:
        """`joint` and all that hangs on it."""
        found = [joint]
        for one in found:
            found += self.children[one]
        return found

    def distance(self, a: int, b: int) -> float:
        return float(np.linalg.norm(self.positions[a] - self.positions[b]))


def body_of(
    definitions: tuple[Joint, ...], parents: list[int], frames: Array, up: str, seen: Seen = NOTHING_SEEN
) -> Body:
    """The facts about a skeleton whose joints are at `frames` at rest."""
    words = read_names([joint.name for joint in definitions])
    spelled = [(i, alias) for i, joint in enumerate(definitions) for alias in joint.aliases]
    aliases: list[list[Word]] = [[] for _ in words]
    for (i, _), word in zip(spelled, read_names([alias for _, alias in spelled]), strict=True):
        aliases[i].append(word)
    return Body(
        definitions,
        parents,
        frames,
        np.eye(3)["xyz".index(up)],
        tuple(words),
        tuple(tuple(some) for some in aliases),
        seen,
    )
