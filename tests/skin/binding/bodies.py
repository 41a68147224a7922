"""A small body of cubes, rounded, alike on both sides, and the skeleton that stands in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.skeleton import Joint, Skeleton
from posable.skin import Mesh, Skin
from posable.skin.binding import binding_bones
from posable.skin.binding.binding_bones import Bones

BOXES = (  # low and high corners, right side; the left is its mirror image
    ((0, 8, 0), (3, 16, 2)),  # trunk
    ((1, 0, 0), (3, 8, 2)),  # leg
    ((3, 13, 0), (10, 15, 2)),  # arm
    ((0, 16, 0), (1, 19, 2)),  # head
)
PLACES = {
    "root": (None, (0, 0, 1)), "pelvis": ("root", (0, 9, 1)), "spine": ("pelvis", (0, 12, 1)),
    "neck": ("spine", (0, 16, 1)), "head": ("neck", (0, 17.5, 1)),
    "arm.l": ("spine", (3.5, 14, 1)), "elbow.l": ("arm.l", (6.5, 14, 1)), "hand.l": ("elbow.l", (9, 14, 1)),
    "arm.r": ("spine", (-3.5, 14, 1)), "elbow.r": ("arm.r", (-6.5, 14, 1)), "hand.r": ("elbow.r", (-9, 14, 1)),
    "hip.l": ("pelvis", (2, 8, 1)), "knee.l": ("hip.l", (2, 4, 1)), "foot.l": ("knee.l", (2, 1, 1)),
    "hip.r": ("pelvis", (-2, 8, 1)), "knee.r": ("hip.r", (-2, 4, 1)), "foot.r": ("knee.r", (-2, 1, 1)),
}  # fmt: skip


def cubes_surface(filled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(vertices, faces) around the filled cubes of a grid: four triangles a square, so that no diagonal has a side."""
    room = np.pad(filled, 1)
    corners: list[np.ndarray] = []
    for axis in range(3):
        for step in (1, -1):
            at = np.argwhere(room & ~np.roll(room, -step, axis)) - 1.0
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            low = at + np.eye(3)[axis] * (step > 0)
            ring = [low, low + u, low + u + v, low + v]
            corners.append(np.stack(ring if step > 0 else ring[::-1], axis=1))
    square = np.concatenate(corners)
    points = np.concatenate([square.reshape(-1, 3), square.mean(axis=1)])
    vertices, index = np.unique(points, axis=0, return_inverse=True)
    index = index.reshape(-1)
    ring, middle = index[: 4 * len(square)].reshape(-1, 4), index[4 * len(square) :]
    faces = [np.stack([ring[:, k], ring[:, (k + 1) % 4], middle], axis=1) for k in range(4)]
    return vertices, np.concatenate(faces)


@cache
def body() -> Mesh:
    """Some 1,300 vertices, in one closed piece, mirrored at x = 0."""
    grid = np.zeros((20, 19, 2), bool)
    for low, high in BOXES:
        for x in (slice(10 + low[0], 10 + high[0]), slice(10 - high[0], 10 - low[0])):
            grid[x, low[1] : high[1], low[2] : high[2]] = True
    vertices, faces = cubes_surface(grid)
    start, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    for _ in range(3):
        total = np.zeros_like(vertices)
        np.add.at(total, start, vertices[end])
        vertices = (vertices + total / np.bincount(start)[:, None]) / 2
    return Mesh(vertices - (10, 0, 0), faces, name="body")


def skeleton(scale: float = 1.0, moved: tuple[float, float, float] = (0, 0, 0), **places: Any) -> Skeleton:
    """The body's skeleton; `places` puts single joints elsewhere (their names with _ for the dot)."""
    at = {name: np.array(places.get(name.replace(".", "_"), place)) * scale for name, (_, place) in PLACES.items()}
    joints = []
    for name, (parent, _) in PLACES.items():
        position = at[name] + moved if parent is None else at[name] - at[parent]
        joints.append(Joint(name, "free" if parent is None else "ball", parent, tuple(position)))
    return Skeleton(joints)


def table(skin: Skin) -> np.ndarray:
    """`[vertex, skeleton joint]` weights."""
    found = np.zeros((len(skin.vertices), len(skin.skeleton.joints)))
    np.add.at(found, (np.arange(len(found))[:, None], skin.joints), skin.weights)
    return found


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """L1 a vertex."""
    return np.abs(one - other).sum(axis=1)


def ball(center: tuple[float, float, float], radius: float) -> tuple[np.ndarray, np.ndarray]:
    """A round piece, 24 squares in four triangles each."""
    vertices, faces = cubes_surface(np.ones((2, 2, 2), bool))
    vertices = vertices - 1
    return center + radius * vertices / np.linalg.norm(vertices, axis=1, keepdims=True), faces


def together(*pieces: tuple[np.ndarray, np.ndarray]) -> Mesh:
    """One mesh of several pieces."""
    first = np.cumsum([0, *(len(vertices) for vertices, _ in pieces)])
    faces = [own + start for (_, own), start in zip(pieces, first, strict=False)]
    return Mesh(np.concatenate([vertices for vertices, _ in pieces]), np.concatenate(faces))


class Blender:
    """Blender's answer for one of the shared meshes, a skeleton of the bones that it was given, and these bones."""

    def __init__(self, shared: Path, name: str, scale: float = 1.0) -> None:
        with np.load(shared / f"reference/blender_weights_{name}.npz") as kept:
            self.vertices, self.faces = kept["vertices"].astype(float) * scale, kept["faces"]
            self.weights, self.artist, self.spread = kept["weights"], kept["artist_weights"], kept["scale_spread"]
            self.names = kept["joint_names"].tolist()
            heads, parents = kept["bone_head"].astype(float) * scale, kept["joint_parents"]
            tails = kept["bone_tail"].astype(float) * scale
        joints, waiting = {}, list(range(len(heads)))
        while waiting:
            bone = waiting.pop(0)
            above = self.names[parents[bone]] if parents[bone] >= 0 else None
            if above is not None and above not in joints:
                waiting.append(bone)
                continue
            position = heads[bone] - (heads[parents[bone]] if above else 0)
            joints[self.names[bone]] = Joint(self.names[bone], "ball", above, tuple(position))
        self.skeleton = Skeleton(joints.values())
        order, count = [self.names.index(name) for name in self.skeleton.joints], np.arange(len(heads))
        above = np.asarray(self.skeleton.parents)
        self.bones = Bones(count, heads[order], tails[order], count, above, np.zeros(len(heads)))

    def bound(self, monkeypatch: pytest.MonkeyPatch, method: str = "heat", influences: int = 8) -> Skin:
        """The mesh, bound with the bones that Blender was given."""
        monkeypatch.setattr(Bones, "of", lambda *_: self.bones)
        monkeypatch.setattr(binding_bones, "_with_face", lambda bones, *_: bones)
        return posable.bind((self.vertices, self.faces), self.skeleton, method, influences=influences)

    def table(self, skin: Skin) -> np.ndarray:
        """`[vertex, bone]` weights of `skin`, in the order of this answer's."""
        return table(skin)[:, [self.skeleton.index(name) for name in self.names]]
