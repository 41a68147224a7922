"""More bodies to fit skeletons into: rigged people in other poses, with other proportions, and with things put on.

Each is a mesh as it stands when the artist's joints are turned and stretched, so it is known where the joints are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

import posable
from posable.skin.weights import weight_table
from posable.spatial import matrix_from_wxyz, wxyz_about

Places = dict[str, np.ndarray]


class Body:
    """A rigged figure whose joints can be turned and stretched about themselves, with all that hangs on them."""

    def __init__(self, figure: posable.Figure, mesh: posable.Mesh, joints: dict[str, str]) -> None:
        self.mesh, self.parents = mesh, figure.skeleton.parents
        self.weights = np.concatenate([weight_table(skin) for skin in figure.skins])
        self.roles = {role: figure.skeleton.index(joint) for role, joint in joints.items()}
        self.rest = figure.rest.origins
        self.moved = np.tile(np.eye(4), (len(self.rest), 1, 1))
        self.up = np.eye(3)["xyz".index(mesh.up)]
        left = self.rest[self.roles["upper_leg_l"]] - self.rest[self.roles["upper_leg_r"]]
        self.left = (left - left @ self.up * self.up) / np.linalg.norm(left - left @ self.up * self.up)
        self.ahead = np.cross(self.left, self.up)
        self.height = float(np.ptp(mesh.vertices @ self.up))

    def at(self, role: str) -> np.ndarray:
        """Where the joint is now."""
        joint = self.roles[role]
        return self.moved[joint][:3, :3] @ self.rest[joint] + self.moved[joint][:3, 3]

    def change(self, role: str, matrix: np.ndarray) -> None:
        """Apply a matrix `[3, 3]` about a joint to it and to all that hangs on it; a role it lacks is left out."""
        if role not in self.roles:
            return
        below = {self.roles[role]}
        for joint, parent in enumerate(self.parents):
            below |= {joint} if parent in below else set()
        place, whole = self.at(role), np.eye(4)
        whole[:3, :3], whole[:3, 3] = matrix, place - matrix @ place
        chosen = sorted(below)
        self.moved[chosen] = whole @ self.moved[chosen]

    def swing(self, role: str, degrees: float) -> None:
        """Turn what hangs on a joint ahead."""
        self.change(role, matrix_from_wxyz(wxyz_about(-self.left, np.radians(degrees))))

    def lower_arms(self, degrees: float, swing: float = 0.0) -> None:
        """Both arms so far under the horizon, the left one swung ahead and the right one back."""
        for side, sign in (("l", 1), ("r", -1)):
            if not {f"upper_arm_{side}", f"hand_{side}"} <= set(self.roles):
                continue
            now = self.at(f"hand_{side}") - self.at(f"upper_arm_{side}")
            wanted = np.cos(np.radians(degrees)) * self.left * sign - np.sin(np.radians(degrees)) * self.up
            turned = matrix_from_wxyz(wxyz_about(-self.left, np.radians(swing * sign))) @ (wanted + 0.05 * self.ahead)
            axis = np.cross(now, turned)
            angle = np.arctan2(np.linalg.norm(axis), now @ turned)
            if angle > 1e-6:
                self.change(f"upper_arm_{side}", matrix_from_wxyz(wxyz_about(axis / np.linalg.norm(axis), angle)))

    def shown(self, *more: tuple[np.ndarray, np.ndarray]) -> tuple[posable.Mesh, Places]:
        """(the mesh as it stands, with other meshes added; where the joints are)."""
        blend = np.einsum(
            "vj,jab->vab", self.weights / np.maximum(self.weights.sum(1, keepdims=True), 1e-9), self.moved
        )
        vertices = np.einsum("vab,vb->va", blend[:, :3, :3], self.mesh.vertices) + blend[:, :3, 3]
        faces = self.mesh.faces
        for own, drawn in more:
            faces, vertices = np.concatenate([faces, drawn + len(vertices)]), np.concatenate([vertices, own])
        return replace(self.mesh, vertices=vertices, faces=faces, colors=None), {
            role: self.at(role) for role in self.roles
        }

    def frustum(self, base: np.ndarray, low: float, high: float, tall: float) -> tuple[np.ndarray, np.ndarray]:
        """A closed ring of cloth or felt: radii below and above, upright on `base`."""
        turn, here = np.linspace(0, 2 * np.pi, 24, endpoint=False), np.arange(24)
        ring = np.cos(turn)[:, None] * self.left + np.sin(turn)[:, None] * self.ahead
        middles = [base[None], (base + tall * self.up)[None]]
        vertices = np.concatenate([base + low * ring, base + tall * self.up + high * ring, *middles])
        after = (here + 1) % 24
        sides = [np.stack([here, after, here + 24], 1), np.stack([after, after + 24, here + 24], 1)]
        caps = [np.stack([here, after, 0 * here + 48], 1), np.stack([here + 24, after + 24, 0 * here + 49], 1)]
        return vertices, np.concatenate([*sides, *caps]).astype(np.int32)


def _stride(body: Body) -> tuple[posable.Mesh, Places]:
    body.lower_arms(72, 20)
    for role, degrees in (("upper_leg_l", -25), ("lower_leg_l", -15), ("upper_leg_r", 25), ("lower_leg_r", -8)):
        body.swing(role, degrees)
    return body.shown()


def _crouch(body: Body) -> tuple[posable.Mesh, Places]:
    body.lower_arms(60)
    for side in "lr":
        for part, degrees in (("upper_leg", 60), ("lower_leg", -85), ("foot", 25)):
            body.swing(f"{part}_{side}", degrees)
    return body.shown()


def _armed(degrees: float) -> Callable[[Body], tuple[posable.Mesh, Places]]:
    def shown(body: Body) -> tuple[posable.Mesh, Places]:
        body.lower_arms(degrees)
        return body.shown()

    return shown


def _scaled(head: float, legs: float, arms: float) -> Callable[[Body], tuple[posable.Mesh, Places]]:
    def shown(body: Body) -> tuple[posable.Mesh, Places]:
        body.lower_arms(30)
        body.change("head", head * np.eye(3))
        for side in "lr":
            body.change(f"upper_leg_{side}", legs * np.eye(3))
            body.change(f"upper_arm_{side}", arms * np.eye(3))
        return body.shown()

    return shown


def _pack(body: Body) -> tuple[posable.Mesh, Places]:
    body.lower_arms(50)
    neck = body.at("neck" if "neck" in body.roles else "head")
    base = neck - body.height * (0.27 * body.up + 0.14 * body.ahead)
    return body.shown(body.frustum(base, 0.09 * body.height, 0.09 * body.height, 0.26 * body.height))


def _hat(body: Body) -> tuple[posable.Mesh, Places]:
    body.lower_arms(20)
    head, size = body.at("head"), body.height
    rise = 0.6 * ((body.mesh.vertices @ body.up).max() - head @ body.up)
    brim = body.frustum(head + rise * body.up, 0.22 * size, 0.2 * size, 0.02 * size)
    return body.shown(brim, body.frustum(head + rise * body.up, 0.1 * size, 0.06 * size, 0.16 * size))


def _skirt(body: Body) -> tuple[posable.Mesh, Places]:
    body.lower_arms(30)
    hips = (body.at("upper_leg_l") + body.at("upper_leg_r")) / 2
    long = 0.9 * float((hips - body.at("lower_leg_l")) @ body.up)
    wide = abs(float((body.at("upper_leg_l") - body.at("upper_leg_r")) @ body.left))
    base = hips - (long - 0.05 * body.height) * body.up
    return body.shown(body.frustum(base, 1.5 * wide + 0.03 * body.height, 0.8 * wide + 0.03 * body.height, long))


POSES: dict[str, Callable[[Body], tuple[posable.Mesh, Places]]] = {
    "arms half down": _armed(45), "arms down": _armed(80), "stride": _stride, "crouch": _crouch,
    "child": _scaled(1.6, 0.75, 0.8), "long limbs": _scaled(0.85, 1.2, 1.2), "pack": _pack, "hat": _hat,
    "skirt": _skirt,
}  # fmt: skip


def posed(
    figure: posable.Figure, mesh: posable.Mesh, joints: dict[str, str]
) -> Iterator[tuple[str, posable.Mesh, Places]]:
    """(what was done, the mesh, where the joints are) for every pose of a person.

    Args:
        figure: The rigged figure.
        mesh: Its mesh at rest, of all its skins.
        joints: {role: joint}.
    """
    for name, pose in POSES.items():
        yield (name, *pose(Body(figure, mesh, joints)))
