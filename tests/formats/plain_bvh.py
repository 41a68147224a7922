"""A second, independent reader of BVH: plain Python and NumPy, one matrix per channel, from the format's definition."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import posable

ARM = """HIERARCHY
ROOT hip
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow
  {
    OFFSET 2 0 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0.5 0 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 1 0 10 20 30 40 50 60
1 2 3 -10 -20 -30 -40 -50 -60
"""


@dataclass
class PlainBvh:
    """names, parents, offsets, channels and end sites per joint; values [frame, channel]."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[np.ndarray] = field(default_factory=list)
    channels: list[list[str]] = field(default_factory=list)
    tips: list[list[np.ndarray]] = field(default_factory=list)
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    frame_time: float = 0.0

    def positions(self, frames: np.ndarray, *, adds: bool = False) -> np.ndarray:
        """`[frame, joint, 3]` in the world; adds: positions below the root are ways from the OFFSET."""
        return np.array([[world[:3, 3] for world in self._world(self.values[f], adds)] for f in frames])

    def tip_positions(self, frame: int) -> np.ndarray:
        """`[end site, 3]` in the world."""
        world = self._world(self.values[frame], False)
        return np.array([w[:3, :3] @ tip + w[:3, 3] for w, tips in zip(world, self.tips, strict=True) for tip in tips])

    def _world(self, row: np.ndarray, adds: bool) -> list[np.ndarray]:
        numbers, worlds = iter(row.tolist()), []
        for parent, offset, channels in zip(self.parents, self.offsets, self.channels, strict=True):
            place, turn = offset.copy(), np.eye(4)
            for channel in channels:
                value, axis = next(numbers), "XYZ".index(channel[0].upper())
                if channel[1:].lower() == "position":
                    place[axis] = value + (offset[axis] if adds and parent >= 0 else 0.0)
                else:
                    turn = turn @ _turn(axis, np.radians(value))
            turn[:3, 3] = place
            worlds.append(worlds[parent] @ turn if parent >= 0 else turn)
        return worlds


def _turn(axis: int, angle: float) -> np.ndarray:
    b, c = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(4)
    matrix[b, b] = matrix[c, c] = np.cos(angle)
    matrix[c, b] = np.sin(angle)
    matrix[b, c] = -np.sin(angle)
    return matrix


def read_plain(path: Path) -> PlainBvh:
    """A well-formed file, one thing a line."""
    found = PlainBvh()
    open_joints: list[int | None] = []
    lines = iter(path.read_text().splitlines())
    upcoming: int | None = None
    for line in lines:
        words = line.split() or [""]
        if words[0] in ("ROOT", "JOINT"):
            found.names.append(words[1])
            found.parents.append(next((j for j in reversed(open_joints) if j is not None), -1))
            found.tips.append([])
            upcoming = len(found.names) - 1
        elif words[0] == "End":
            upcoming = None
        elif words[0] == "{":
            open_joints.append(upcoming)
        elif words[0] == "}":
            open_joints.pop()
        elif words[0] == "OFFSET":
            point = np.array([float(word) for word in words[1:4]])
            owner = open_joints[-1]
            (found.offsets if owner is not None else found.tips[open_joints[-2]]).append(point)
        elif words[0] == "CHANNELS":
            found.channels.append(words[2:])
        elif words[0] == "Frame":
            found.frame_time = float(words[2])
            break
    rows = [[float(word) for word in line.split()] for line in lines if line.strip()]
    found.values = np.array(rows)
    return found


def load_text(tmp_path: Path, text: str) -> posable.Figure:
    """What posable makes of a BVH file with this text."""
    file = tmp_path / "file.bvh"
    file.write_bytes(text.encode())
    return posable.load(file)
