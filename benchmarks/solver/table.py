"""From answers to Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

Row = dict[str, str]
LAST = "settings"


@dataclass
class Section:
    """A heading, what it is about, and rows that share their columns."""

    title: str
    text: str
    rows: list[Row] = field(default_factory=list)

    def markdown(self) -> str:
        """The section; columns in the order in which rows bring them up, the wordy one last."""
        columns = sorted(dict.fromkeys(name for row in self.rows for name in row), key=lambda name: name == LAST)
        lines = [f"## {self.title}", "", self.text, ""]
        lines += [_line(columns), _line(["---"] * len(columns))]
        lines += [_line([row.get(name, "") for name in columns]) for row in self.rows]
        return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "∣") for cell in cells) + " |"


def number(value: float) -> str:
    """Three digits that matter."""
    if not np.isfinite(value):
        return "—"
    if value == 0:
        return "0"
    digits = max(0, 2 - int(np.floor(np.log10(abs(value)))))
    return f"{value:,.{digits}f}" if abs(value) >= 1e-3 else f"{value:.1e}"


def percent(part: float) -> str:
    """99.95 is not 100: a share is rounded down unless it is whole."""
    return "100 %" if part == 1 else f"{min(np.floor(1e3 * part) / 10, 99.9):.1f} %"


def machine() -> str:
    """What it was measured on."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    software = ", ".join(f"{package} {version(package)}" for package in ("posable", "numpy", "numba"))
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {names[0] if names else platform.processor()}; "
        f"{platform.system()}, Python {platform.python_version()}, {software}"
    )
