"""Templates: a procedure that finds the joints of one kind of figure, the joints to create, and a caller's hints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from posable.errors import SkeletonError, SkinError, UnknownJointError, near_names
from posable.skeleton import Joint, find_joint
from posable.skin.fitting.body_parts import Body, Places
from posable.skin.fitting.upright_voxels import Stage
from posable.spatial import Array, apply_transform, matrix_from_wxyz, wxyz_between

# What speaks for a fitted skeleton, and against it.


DOUBTFUL = 0.5
"""Strength of evidence below which its doubt is reported."""
STRONG = 0.8
"""Strength of evidence from which on it costs no score."""


class Evidence(NamedTuple):
    """doubt: the sentence to report where `strength`, 0 … 1, is low. floor: what the score falls to without it.

    joints: of which hints would mend it, those of the sides without _l and _r.
    """

    doubt: str
    strength: float
    floor: float
    joints: tuple[str, ...] = ()


def score_of(found: Iterable[Evidence]) -> float:
    """0 … 1: the product of what each piece of evidence leaves; what is strong leaves all."""
    score = 1.0
    for one in found:
        score *= one.floor + (1 - one.floor) * min(max(one.strength / STRONG, 0.0), 1.0)
    return score


def doubts_of(found: Iterable[Evidence]) -> tuple[str, ...]:
    """The sentences of what is weakly supported, in order."""
    return tuple(one.doubt for one in found if one.strength < DOUBTFUL)


_MOST_BARE, _RIM = 0.09, 0.2  # of the volume, under the neck; of the depth that there is near a joint
_SAMPLES = 4000  # voxels that stand for all
_BEYOND, _SLACK = 1.8, 0.015  # times a bone's distance from the surface, and of the height: what is farther is far
Found = tuple[Places, list[Evidence], float]


@dataclass(frozen=True)
class Template:
    """One kind of figure with a left and a right.

    find: the positions of the middle and of the left side on a stage, in voxels from the mirror plane, what speaks for
        them, and how surely it looks ahead (negative: it looks back).
    middle, sides: the names of joints and tips, those of the sides without _l and _r. Some of the middle
        may be missing.
    lines: of joints that follow from hints along them; where a line begins stays. standing: the joints of feet, which
        hints for others leave on the floor. joints: builds them, parents first.
    upright: whether its legs are straight as it stands. level: joints of the sides that one bone carries, so that they
        are images of one another even where the legs stride.
    """

    find: Callable[[Stage], Found]
    middle: tuple[str, ...]
    sides: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    standing: tuple[str, ...]
    joints: Callable[[Body], list[Joint]]
    upright: bool = False
    level: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every joint and tip of it."""
        return (*self.middle, *(f"{name}_{side}" for side in "lr" for name in self.sides))

    @property
    def all_standing(self) -> list[str]:
        """The joints of feet of both sides."""
        return [f"{name}_{side}" for side in "lr" for name in self.standing]

    @property
    def all_lines(self) -> list[list[str]]:
        """The lines of both sides."""
        found: list[list[str]] = []
        for side in "lr":
            for line in self.lines:
                named = [name if name in self.middle else f"{name}_{side}" for name in line]
                found += [named] if named not in found else []
        return found

    def both_sides(self, stage: Stage) -> Found:
        """The result of `find` for both sides: separate results if they are not mirror images."""
        places, evidence, ahead = self.find(stage)
        if stage.is_symmetric:
            return self._sided(places, places), evidence, ahead
        others, more, also_ahead = self.find(stage.mirrored)
        middle = {name: (places[name] + others.get(name, places[name])) / 2 for name in self.middle if name in places}
        for name in self.level:
            places[name] = others[name] = (places[name] + others[name]) / 2
        weaker = [min(pair, key=lambda one: one.strength) for pair in zip(evidence, more, strict=True)]
        return self._sided(places | middle, others), weaker, ahead + also_ahead

    def _sided(self, lefts: Places, rights: Places) -> Places:
        out = {name: lefts[name] for name in self.middle if name in lefts}
        for name in self.sides:
            out[f"{name}_l"] = lefts[name]
            out[f"{name}_r"] = _across(rights[name])
        return out


def _across(point: Array) -> Array:
    return point * (-1.0, 1.0, 1.0)


def of_flesh(stage: Stage, places: Places, lines: Iterable[Sequence[str]], inner: Iterable[str]) -> list[Evidence]:
    """What speaks against the joints in the flesh around them: much of it far from every bone, as where a limb was not
    followed, but for large heads, ears and hats; or one of the joints `inner` near the surface, though there is room
    further within.
    """
    deep = stage.depths
    at = {name: place + stage.middle * np.eye(3)[0] for name, place in places.items()}
    off = {name: _centred(deep, at[name]) for name in inner}
    worst = min(off, key=off.__getitem__)
    bare = _bare(deep, [[at[name] for name in line if name in at] for line in lines], at["neck"][1])
    return [
        Evidence(
            "much is far from every bone: things that are worn, or a limb that was missed",
            1.5 - bare / _MOST_BARE,
            0.95,
        ),
        Evidence(f"{worst} is near the surface where the figure is thick", (off[worst] - _RIM) / 0.3, 0.6, (worst,)),
    ]


def _centred(deep: Array, place: Array) -> float:
    """How far from the surface a position is, for how far one can be within one and a half times that distance."""
    at = np.clip(np.rint(place), 0, np.array(deep.shape) - 1).astype(int)
    own = max(float(deep[tuple(at)]), 1.0)
    reach = int(np.ceil(1.5 * own)) + 1
    return own / max(float(deep[tuple(slice(max(c - reach, 0), c + reach + 1) for c in at)].max()), 1.0)


def _bare(deep: Array, lines: list[list[Array]], neck: float) -> float:
    """The share of the volume that is under the neck's height and much farther from every bone than the nearest of them
    is from the surface.
    """
    inside = np.random.default_rng(0).permutation(np.argwhere(deep > 0))[:_SAMPLES].astype(float)
    away, room = np.full(len(inside), np.inf), np.zeros(len(inside))
    for start, end in (pair for line in lines for pair in pairwise(line)):
        bone = end - start
        nearest = start + np.clip((inside - start) @ bone / max(float(bone @ bone), 1e-9), 0, 1)[:, None] * bone
        off = np.linalg.norm(inside - nearest, axis=1)
        at = np.clip(np.rint(nearest), 0, np.array(deep.shape) - 1).astype(int)
        room = np.where(off < away, deep[tuple(at.T)], room)
        away = np.minimum(off, away)
    return float(np.mean((away > _BEYOND * room + _SLACK * deep.shape[1]) & (inside[:, 1] <= neck)))


def read_hints(hints: Mapping[str, Any] | None, known: Sequence[str]) -> Places:
    """Joint → position; "right hand" is hand_r. Raises SkinError for an unknown joint or an invalid position."""
    found: Places = {}
    own = {name: index for index, name in enumerate(known)}
    for asked, place in (hints or {}).items():
        try:
            name = known[find_joint(asked, known, own, lambda: own)]
        except (UnknownJointError, SkeletonError):
            near = near_names(str(asked), known)
            tail = f"did you mean {' or '.join(near)}?" if near else f"its joints are {', '.join(known)}"
            raise SkinError(f"the template has no joint {asked!r} to give a hint for; {tail}") from None
        try:
            point = np.array([float(c) for c in place])
        except (TypeError, ValueError) as problem:
            raise SkinError(f"the hint for {name!r} is three numbers x, y, z, not {place!r}") from problem
        if point.shape != (3,) or not np.isfinite(point).all():
            raise SkinError(f"the hint for {name!r} is three finite numbers x, y, z, not {place!r}")
        found[name] = point
    return found


def with_hints(places: Places, hints: Places, lines: Sequence[Sequence[str]], standing: Iterable[str] = ()) -> Places:
    """The positions with those hinted, and those between and beyond them along each line of joints moved along.

    Between two joints that are known the line keeps its shape, turned and stretched; past the last one it is shifted.
    What is `standing` on the floor stays there (the second axis is up): unless one of it is hinted it stays
    where it is, else the rest of it is shifted along the floor only.
    """
    standing = set(standing)
    places = {**{name: place for name, place in hints.items() if name not in places}, **places}
    moved = {**places, **hints}
    for names in lines:
        line = [name for name in names if name in moved]
        feet = [k for k, name in enumerate(line) if name in standing]
        hinted = [k for k, name in enumerate(line) if k and name in hints]
        anchored = feet[:1] if any(name in hints for name in line) and not set(feet) & set(hinted) else []
        known = sorted({0, *hinted, *anchored})
        for first, last in pairwise(known):
            bring = _similarity(places[line[first]], places[line[last]], moved[line[first]], moved[line[last]])
            for name in line[first + 1 : last]:
                moved[name] = apply_transform(bring, places[name])
        for name in line[known[-1] + 1 :]:
            shift = moved[line[known[-1]]] - places[line[known[-1]]]
            moved[name] = places[name] + shift * ((1, 0, 1) if name in standing else (1, 1, 1))
    return moved


def _similarity(a: Array, b: Array, new_a: Array, new_b: Array) -> Array:
    """`[4, 4]`: brings a to new_a and b to new_b by the smallest rotation, a stretch and a shift."""
    before, after = b - a, new_b - new_a
    out = np.eye(4)
    if np.linalg.norm(before) > 0 and np.linalg.norm(after) > 0:
        out[:3, :3] = matrix_from_wxyz(wxyz_between(before, after)) * np.linalg.norm(after) / np.linalg.norm(before)
    out[:3, 3] = new_a - out[:3, :3] @ a
    return out
