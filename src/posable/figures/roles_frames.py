"""Which way a figure faces at rest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posable.figures.roles_body import Body
from posable.figures.roles_shape import Shape, across_of
from posable.spatial import Array, normalized

_SNAP = 0.998  # the cosine within which a direction is taken to be the world axis it nearly is


def forward_of(body: Body, shape: Shape, found: Mapping[str, int], *, sides_known: bool) -> Array:
    """The horizontal unit vector along which the figure looks at rest.

    From left and right where names say them; else from feet, from the head of an animal, from knees; else the custom of
    the file's kind: +z where y is up, +x where z is up.
    """
    across = _across(body, found) if sides_known else None
    if across is not None:
        return _snapped(np.cross(across, body.up))
    ahead = np.cross(shape.lateral, body.up)
    hints = [_toes(body, found, shape), _nose(body, found, shape), _knees(body, found, shape)]
    if shape.pairs:
        signs = [np.sign(hint @ ahead) for hint in hints if abs(hint @ ahead) > 0.01 * body.size]
        if signs:
            return _snapped(ahead * signs[0])
    custom = np.array([0.0, 0.0, 1.0]) if body.skeleton.up == "y" else np.array([1.0, 0.0, 0.0])
    return ahead * np.sign(ahead @ custom) if shape.pairs and ahead @ custom else custom


def _across(body: Body, found: Mapping[str, int]) -> Array | None:
    """From right to left, horizontally: by the roles of both sides, else by all names that tell a side."""
    pairs = [
        (joint, found[f"{role[:-1]}r"])
        for role, joint in found.items()
        if role[:-1] + "r" in found and role[-2:] == "_l"
    ]
    if not pairs:
        return across_of(body)
    across = np.sum([body.places[left] - body.places[right] for left, right in pairs], axis=0)
    across -= (across @ body.up) * body.up
    return normalized(across) if np.linalg.norm(across) > 0.01 * body.size else None


def _snapped(direction: Array) -> Array:
    """The direction, or the world axis that it nearly is."""
    best = int(np.argmax(np.abs(direction)))
    if abs(direction[best]) < _SNAP:
        return normalized(direction)
    return np.copysign(1.0, direction[best]) * np.eye(3)[best] + 0.0


def _toes(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """From the feet to their ends."""
    total = np.zeros(3)
    if len(shape.legs) == 1:
        for side in "lr":
            foot, toes = found.get(f"foot_{side}"), found.get(f"toes_{side}")
            ends = [body.places[toes]] if toes is not None else list(body.tips[foot])[:1] if foot is not None else []
            total += sum((end - body.places[foot] for end in ends), np.zeros(3))
    return total


def _nose(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """From the middle of an animal's feet to its head; of a biped from the head to its eyes and jaw."""
    head = found.get("head")
    if head is None:
        return np.zeros(3)
    if len(shape.legs) > 1:
        feet = [body.places[pair.parent] for pair in shape.legs]
        return body.places[head] - np.mean(feet, axis=0)
    face = [body.places[found[role]] for role in ("eye_l", "eye_r", "jaw") if role in found]
    return np.mean(face, axis=0) - body.places[head] if face else np.zeros(3)


def _knees(body: Body, found: Mapping[str, int], shape: Shape) -> Array:
    """From the line between hip and ankle to the knee, which bends forward; hinges stand about a hip anyhow."""
    total = np.zeros(3)
    for side in "lr":
        joints = [found.get(f"{role}_{side}") for role in ("upper_leg", "lower_leg", "foot")]
        if len(shape.legs) == 1 and None not in joints and not body.hinged[joints[0] or 0]:
            hip, knee, ankle = body.places[[joint for joint in joints if joint is not None]]
            along = normalized(ankle - hip)
            total += (knee - hip) - ((knee - hip) @ along) * along
    return total
