"""Further figures in a file, of which only the first is moved."""

from __future__ import annotations

import posable


def bystanders(figure: posable.Figure) -> list[str]:
    """The first joint of each figure after the one that has the roles."""
    skeleton, others = figure.skeleton, figure.skeleton.parts.elsewhere
    return [skeleton.joints[joint] for joint in sorted(others) if skeleton.parents[joint] not in others]


def stays_still(figure: posable.Figure, name: str) -> list[str]:
    """The line that says which of several figures in the file of that name moves; none for one figure."""
    others = bystanders(figure)
    if not others:
        return []
    moves = figure.skeleton.joints[figure.skeleton.parts.joints["root"]]
    still = f"{', '.join(others)} stay{'s' * (len(others) == 1)} still"
    return [f"{name} holds {len(others) + 1} figures: that of {moves} moves, {still}."]
