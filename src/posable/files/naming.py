"""Names that differ from those that are taken."""

from __future__ import annotations

from collections.abc import Container


def free_name(wanted: str, taken: Container[object], between: str = "_") -> str:
    """`wanted`, or with `between` and the first free number from 2 on after it where that is taken."""
    name, count = wanted, 2
    while name in taken:
        name, count = f"{wanted}{between}{count}", count + 1
    return name
