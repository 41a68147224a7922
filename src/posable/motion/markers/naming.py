"""From labels to attachments: the landmarks that labels mean, on this figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from posable.figures import Figure, Roles, roles
from posable.motion.markers.attachments import Attachment, Attachments
from posable.motion.markers.landmarks import SIDED_ROLES, Place, Side, meaning_of
from posable.spatial import Array


class Named(NamedTuple):
    """attachments of the labels that mean something on this figure; unused: label → why not; notes: what was assumed"""

    attachments: Attachments
    unused: Mapping[str, str]
    notes: tuple[str, ...]


LACKS = "the figure has no "
"""What is said of a label before the part of the body that it names in vain."""


def guess_attachments(figure: Figure, labels: Sequence[str]) -> Named:
    """Where markers of these labels sit on the figure, by their names alone: about right, with a spread to say so."""
    found: dict[str, Attachment] = {}
    unused: dict[str, str] = {}
    sideless: list[str] = []
    body = roles(figure)
    size = figure.height
    for label in labels:
        place, side, why = meaning_of(label)
        if place is None:
            unused[label] = why
            continue
        if not side and SIDED_ROLES.intersection((place.roles[0], place.base)):
            sideless.append(label)
            side = "l"
        attachment = _attached(figure, body, place, side, size)
        if attachment is None:
            unused[label] = f"{LACKS}{place.roles[0].replace('_', ' ')}"
        else:
            found[label] = attachment
    notes = (f"no side in {', '.join(sideless)}: taken for the left",) if sideless else ()
    return Named(Attachments(found), unused, notes)


def _attached(figure: Figure, body: Roles, place: Place, side: Side, size: float) -> Attachment | None:
    carrier = next((role for name in place.roles if (role := _role(name, side)) in body), None)
    if carrier is None:
        return None
    world = figure.rest.world_from_joint[body.index(carrier)]
    base = _role(place.base, side)
    start = world[:3, 3]
    point = start + place.along * (_origin(figure, body, base) - start) if base in body else start
    out = -body.left if side == "r" else body.left
    point = point + size * (place.out * out + place.up * body.up + place.forward * body.forward)
    offset = world[:3, :3].T @ (point - world[:3, 3])
    return Attachment(body[carrier], (offset[0], offset[1], offset[2]), spread=place.spread * size)


def _origin(figure: Figure, body: Roles, role: str) -> Array:
    return figure.rest.origins[body.index(role)]


def _role(name: str, side: Side) -> str:
    return f"{name}_{side or 'l'}" if name in SIDED_ROLES else name
