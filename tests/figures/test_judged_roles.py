"""Roles against a table made by hand, as files come and with names taken away, mixed up or moved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from real_files import DATA, SHARED

import posable
from benchmarks.motion.conventions import renamed
from benchmarks.outcomes import TABLE, Judged, expected, judge
from posable import Skeleton
from posable.figures import BODY_ROLES

TABLES = json.loads(TABLE.read_text(encoding="utf-8"))
FEW = ("mocap/asfamc", "mocap_cmu")  # whose files share one skeleton: one of each is judged here


@cache
def skeletons() -> tuple[tuple[str, Skeleton], ...]:
    """(name, skeleton) of the files that were judged, as far as they are here."""
    return tuple(_files())


def _files() -> Iterator[tuple[str, Skeleton]]:
    seen = set()
    for folder in (DATA, SHARED):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            group = name.rpartition("/")[0]
            if name in seen or expected(name, TABLES) is None or (group in FEW and group in seen):
                continue
            try:
                skeleton = posable.load(path).skeleton
            except posable.PosableError:
                continue
            seen |= {name, group}
            yield name, skeleton


def _judged(rename: Callable[[tuple[str, ...]], list[str]]) -> Judged:
    """Trunk and limbs of all files together, their joints renamed."""
    total = Judged()
    for name, skeleton in skeletons():
        right = expected(name, TABLES)
        assert right is not None
        names = rename(skeleton.joints)
        other = renamed(skeleton, names)
        other.notice(skeleton.seen)
        found, before = posable.roles(other), dict(zip(names, skeleton.joints, strict=True))
        own = {role: before[joint] for role, joint in found.items() if role in BODY_ROLES}
        total += judge(own, found.confidence, {role: joints for role, joints in right.items() if role in BODY_ROLES})
    return total


@pytest.mark.slow
def test_parts_are_found_and_nothing_wrong_is_sure() -> None:
    total = Judged()
    for name, skeleton in skeletons():
        found = posable.roles(skeleton)
        total += judge(found, found.confidence, expected(name, TABLES) or {})
    assert total.parts > 150
    assert total.right >= 0.95 * total.parts
    assert total.sure >= 0.9 * total.right
    assert total.wrong_sure == 0


def _stripped(names: tuple[str, ...]) -> list[str]:
    return [f"j{i}" for i in range(len(names))]


def _scrambled(names: tuple[str, ...]) -> list[str]:
    return list(np.random.default_rng(len(names)).permutation(names))


def _moved_by_one(names: tuple[str, ...]) -> list[str]:
    return [names[-1], *names[:-1]]


def _sideless(names: tuple[str, ...]) -> list[str]:
    return [re.sub(r"(?i)left|right|(?<![a-z])[lr](?![a-z])", "", name) + f".{i}" for i, name in enumerate(names)]


@pytest.mark.parametrize(
    ("rename", "least", "most_wrong"),
    [(_stripped, 0.85, 0.0), (_scrambled, 0.85, 0.0), (_sideless, 0.95, 0.0), (_moved_by_one, 0.0, 0.02)],
)
def test_names_that_say_nothing_or_lie_make_no_role_sure(
    rename: Callable[[tuple[str, ...]], list[str]], least: float, most_wrong: float
) -> None:
    """Of trunk and limbs: without names fingers and faces are not looked for."""
    total = _judged(rename)
    assert total.right >= least * total.parts
    assert total.wrong_sure <= most_wrong * total.parts
