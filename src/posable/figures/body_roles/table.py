"""The table of roles as a TOML file that people can edit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from posable.errors import UnknownJointError, near_names
from posable.files import read_tables
from posable.skeleton import Skeleton
from posable.spatial import Array, normalized

_HEAD = """# Which joint is which part of the body: edit, add or take away lines.
# _l and _r are the figure's own left and right.
"""
UNSURE = 0.8
"""Roles surer than this are taken as found; others are worth a look."""


def written_table(
    order: Sequence[str], joints: Mapping[str, str], confidence: Mapping[str, float], forward: Array
) -> str:
    """The table as text, in the `order` of roles; what is unsure has a remark."""
    lines = [_HEAD, f"forward = [{', '.join(f'{x:.6g}' for x in forward)}]  # the direction it faces at rest"]
    for role in order:
        if role in joints:
            remark = f"  # unsure ({confidence[role]:.0%}): please check" if confidence[role] < UNSURE else ""
            lines.append(f"{role} = {json.dumps(joints[role], ensure_ascii=False)}{remark}")
    return "\n".join(lines) + "\n"


def read_table(path: str | Path, skeleton: Skeleton, known: Sequence[str]) -> tuple[dict[str, str], Array | None]:
    """Role → joint, and the facing if it is there. Raises FileError with the line."""
    top, _ = read_tables(path, ())
    top.refuse_unknown([*known, "forward"])
    joints = {}
    for role in top.content:
        if role == "forward":
            continue
        name = top.text(role)
        try:
            joints[role] = skeleton.joints[skeleton.index(name)]
        except UnknownJointError as problem:
            near = ", ".join(near_names(name, skeleton.joints)) or ", ".join(skeleton.joints[:8])
            raise top.error(f"{role}: no joint is called {name!r}; near it are {near}", role) from problem
    forward = top.numbers("forward", 3, None)
    if forward is None:
        return joints, None
    up = np.array([0.0, 1.0, 0.0]) if skeleton.up == "y" else np.array([0.0, 0.0, 1.0])
    level = np.array(forward) - (np.array(forward) @ up) * up
    if not np.linalg.norm(level) > 1e-6:
        raise top.error("forward must be a horizontal direction of some length", "forward")
    return joints, normalized(level)
