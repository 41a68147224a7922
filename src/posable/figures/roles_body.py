"""The plain facts of a skeleton that the search for roles looks at: names, parents, places at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from posable.figures.roles_words import Word, read_names
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array, apply_transform

SAME_PLACE = 0.03
"""Joints nearer than this share of the figure's size count as one place."""


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton at rest. `words [joint]`: what the names say; `aliases [joint]`: what the other names say."""

    skeleton: Skeleton
    words: tuple[Word, ...]
    aliases: tuple[tuple[Word, ...], ...]

    def nameless(self) -> Body:
        """The same body as if its names said nothing."""
        return replace(self, words=(Word(),) * len(self.words), aliases=((),) * len(self.words))

    @cached_property
    def places(self) -> Array:
        """`[joint, 3]` where the joints are at rest, in the world."""
        return np.array(Pose(self.skeleton, self.skeleton.rest_coordinates).origins)

    @cached_property
    def up(self) -> Array:
        return np.array([0.0, 1.0, 0.0]) if self.skeleton.up == "y" else np.array([0.0, 0.0, 1.0])

    @cached_property
    def heights(self) -> Array:
        """`[joint]` heights of the joints."""
        return self.places @ self.up

    @cached_property
    def tips(self) -> tuple[Array, ...]:
        """`[joint]` of `[tip, 3]`: where bodies end, in the world."""
        frames = Pose(self.skeleton, self.skeleton.rest_coordinates).world_from_joint
        return tuple(
            np.array([apply_transform(frames[i], tip) for tip in joint.tips]).reshape(-1, 3)
            for i, joint in enumerate(self.skeleton.definitions)
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
        return float(np.ptp(self.places, axis=0).max()) or 1.0

    @cached_property
    def parents(self) -> list[int]:
        return [int(parent) for parent in self.skeleton.parents]

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
        """`[joint]` whether it turns about single axes, so that several joints make one shoulder or hip."""
        return [joint.kind in ("hinge", "twist") for joint in self.skeleton.definitions]

    def chain(self, joint: int) -> list[int]:
        """From the root down to `joint`."""
        return list(self.skeleton.chain(joint))

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
        return float(np.linalg.norm(self.places[a] - self.places[b]))

    def last_of_run(self, joint: int, until: int | None = None) -> int:
        """The joint that carries the segment: the last of a row of hinges at one place, `joint` itself otherwise."""
        while self.hinged[joint] and len(self.children[joint]) == 1:
            below = self.children[joint][0]
            if below == until or not self.hinged[below] or self.distance(joint, below) > SAME_PLACE * self.size:
                break
            joint = below
        return joint


@lru_cache(maxsize=16)
def body_of(skeleton: Skeleton) -> Body:
    """The facts about `skeleton`."""
    words = read_names(skeleton.joints)
    spelled = [(i, alias) for i, joint in enumerate(skeleton.definitions) for alias in joint.aliases]
    aliases: list[list[Word]] = [[] for _ in words]
    for (i, _), word in zip(spelled, read_names([alias for _, alias in spelled]), strict=True):
        aliases[i].append(word)
    return Body(skeleton, tuple(words), tuple(tuple(some) for some in aliases))
