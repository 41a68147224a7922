"""Which place of the body a marker's label means: Plug-in-Gait's codes, and plain words of anatomy."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from posable.figures import Figure, Roles, roles
from posable.motion.markers.attachments import Attachment, Attachments
from posable.spatial import Array

Side = Literal["l", "r", ""]


class Place(NamedTuple):
    """Where a marker sits on a body about as large as a grown person.

    roles: of the body that carries it, the first that the figure has. base: the role at which it lies, the carrier's
        if empty; `along` the way from the carrier to the base, 1 at the base.
    out, up, forward: from there, in shares of the figure's height; out is to the marker's own side.
    spread: how uncertain that is, in shares of the height.
    """

    roles: tuple[str, ...]
    base: str = ""
    along: float = 1.0
    out: float = 0.0
    up: float = 0.0
    forward: float = 0.0
    spread: float = 0.02


_TRUNK = ("upper_chest", "chest", "spine", "hips")
_COLLAR = ("shoulder", *_TRUNK)
_ARM, _FOREARM, _HAND = ("upper_arm",), ("lower_arm",), ("hand", "lower_arm")
_THIGH, _SHIN, _FOOT, _HEAD = ("upper_leg",), ("lower_leg",), ("foot", "lower_leg"), ("head", "neck")
_LOOSE = 0.06  # of clusters on a segment, whose places are nobody's rule

_SIDED = {
    "FHD": Place(_HEAD, out=0.04, up=0.075, forward=0.06),
    "BHD": Place(_HEAD, out=0.04, up=0.07, forward=-0.05),
    "SHO": Place(_COLLAR, "upper_arm", up=0.03),
    "UPA": Place(_ARM, "lower_arm", 0.5, out=0.03, spread=0.04),
    "ELB": Place(_ARM, "lower_arm", out=0.018, up=0.01),
    "ELBM": Place(_ARM, "lower_arm", out=-0.018, up=-0.01),
    "FRM": Place(_FOREARM, "hand", 0.5, out=0.02, spread=0.04),
    "WRA": Place(_FOREARM, "hand", forward=0.02),
    "WRB": Place(_FOREARM, "hand", forward=-0.02),
    "WRI": Place(_FOREARM, "hand", out=0.01),
    "FIN": Place(_HAND, "middle_1", out=0.008, spread=0.03),
    "ASI": Place(("hips",), "upper_leg", out=0.02, up=0.045, forward=0.06),
    "PSI": Place(("hips",), "upper_leg", out=-0.025, up=0.065, forward=-0.06),
    "ILC": Place(("hips",), "upper_leg", out=0.04, up=0.08),
    "TRO": Place(("hips",), "upper_leg", out=0.06),
    "THI": Place(_THIGH, "lower_leg", 0.6, out=0.05, spread=0.05),
    "KNE": Place(_THIGH, "lower_leg", out=0.035),
    "KNM": Place(_THIGH, "lower_leg", out=-0.035),
    "TIB": Place(_SHIN, "foot", 0.5, out=0.035, spread=0.05),
    "ANK": Place(_SHIN, "foot", out=0.025),
    "MED": Place(_SHIN, "foot", out=-0.025),
    "HEE": Place(_FOOT, up=-0.02, forward=-0.03),
    "TOE": Place(_FOOT, "toes", up=0.015),
    "MT1": Place(_FOOT, "toes", out=-0.025),
    "MT5": Place(_FOOT, "toes", out=0.025),
    "HLX": Place(_FOOT, "toes", forward=0.03),
    "BAK": Place(_TRUNK, "chest", out=0.045, up=0.085, forward=-0.065, spread=0.03),
}
"""Plug-in-Gait's codes without their L or R, and the usual additions to them."""

_MIDDLE = {
    "C7": Place(_TRUNK, "neck", forward=-0.035),
    "T10": Place(_TRUNK, "chest", up=0.03, forward=-0.065),
    "CLAV": Place(_TRUNK, "neck", up=-0.03, forward=0.045),
    "STRN": Place(_TRUNK, "chest", up=0.045, forward=0.07),
    "SACR": Place(("hips",), up=0.02, forward=-0.07),
    "TOPHEAD": Place(_HEAD, up=0.12),
}
_MIDDLE["STERN"] = _MIDDLE["STERNUM"] = _MIDDLE["STRN"]
_MIDDLE["SACRUM"] = _MIDDLE["SACRAL"] = _MIDDLE["VSACRAL"] = _MIDDLE["SACR"]
_MIDDLE["CLAVICLE"] = _MIDDLE["CLAV"]

_WORDS: dict[str, Place | str] = {  # the first word that a label holds decides; longer words stand before shorter ones
    "epicondyle": "ELB", "acromion": "SHO", "acromium": "SHO", "olecranon": "ELB", "malleolus": "ANK", "asis": "ASI",
    "psis": "PSI", "trochanter": "TRO", "calcaneus": "HEE", "metatarsal": "TOE", "hallux": "HLX",
    "forearm": Place(_FOREARM, "hand", 0.5, spread=_LOOSE), "lowerarm": Place(_FOREARM, "hand", 0.5, spread=_LOOSE),
    "ulna": Place(_FOREARM, "hand", 0.8, spread=_LOOSE), "radius": Place(_FOREARM, "hand", 0.8, spread=_LOOSE),
    "upperarm": Place(_ARM, "lower_arm", 0.5, spread=_LOOSE), "humerus": Place(_ARM, "lower_arm", 0.5, spread=_LOOSE),
    "bicep": Place(_ARM, "lower_arm", 0.5, spread=_LOOSE), "scapula": Place(_COLLAR, "shoulder", spread=_LOOSE),
    "shoulder": "SHO", "elbow": "ELB", "wrist": "WRI",
    "glove": Place(_HAND, "middle_1", 0.5, spread=_LOOSE), "hand": Place(_HAND, "middle_1", 0.5, spread=_LOOSE),
    "finger": "FIN", "thigh": "THI", "femur": "THI", "upperleg": "THI", "knee": "KNE",
    "lowerleg": Place(_SHIN, "foot", 0.5, spread=_LOOSE), "shank": Place(_SHIN, "foot", 0.5, spread=_LOOSE),
    "shin": Place(_SHIN, "foot", 0.5, spread=_LOOSE), "tibia": Place(_SHIN, "foot", 0.5, spread=_LOOSE),
    "fibula": Place(_SHIN, "foot", 0.5, spread=_LOOSE), "ankle": "ANK", "heel": "HEE", "toe": "TOE",
    "foot": Place(_FOOT, "toes", 0.5, spread=_LOOSE), "arm": Place(_ARM, "lower_arm", 0.5, spread=_LOOSE),
    "leg": Place(_SHIN, "foot", 0.5, spread=_LOOSE), "head": Place(_HEAD, up=0.07, spread=_LOOSE),
    "sternum": "STRN", "clavicle": "CLAV", "sacrum": "SACR", "sacral": "SACR",
    "pelvis": Place(("hips",), spread=_LOOSE), "waist": Place(("hips",), spread=_LOOSE),
    "hip": Place(("hips",), "upper_leg", out=0.04, spread=_LOOSE),
    "thorax": Place(_TRUNK, "chest", spread=_LOOSE), "chest": Place(_TRUNK, "chest", spread=_LOOSE),
    "back": Place(_TRUNK, "chest", forward=-0.06, spread=_LOOSE), "trunk": Place(_TRUNK, "chest", spread=_LOOSE),
    "neck": Place(_TRUNK, "neck", spread=_LOOSE), "spine": Place(_TRUNK, "chest", forward=-0.06, spread=_LOOSE),
}  # fmt: skip
_COMPUTED = {"angle", "angles", "force", "moment", "power", "progress", "com", "centre", "center", "cop", "reaction"}
_INNER = {"med", "medial", "inner", "in"}
_LEFT, _RIGHT = {"l", "left"}, {"r", "right"}
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Meaning(NamedTuple):
    """What a label says. place is None where it says nothing of the body; `why` then tells."""

    place: Place | None
    side: Side
    why: str = ""


def meaning_of(label: str) -> Meaning:
    """What a marker's label means, with a subject's name before a colon left out."""
    bare = label.rsplit(":", 1)[-1].strip()
    if bare.startswith("*") or not any(c.isalpha() for c in bare):
        return Meaning(None, "", "has no name")
    code = re.sub(r"[\W_]", "", bare).upper()
    if code in _MIDDLE:
        return Meaning(_MIDDLE[code], "")
    if code == "RBAK":
        return Meaning(_SIDED["BAK"], "r")
    if code[0] in "LR" and code[1:] in _SIDED:
        return Meaning(_SIDED[code[1:]], "l" if code[0] == "L" else "r")
    return _by_words([piece.lower() for piece in _PIECES.findall(bare)])


def _by_words(words: list[str]) -> Meaning:
    if _COMPUTED.intersection(words):
        return Meaning(None, "", "is computed, not a marker")
    side: Side = "l" if _LEFT.intersection(words) else "r" if _RIGHT.intersection(words) else ""
    bare = [word for word in words if not word.isdigit()]
    said = {*bare, *(one + two for one, two in itertools.pairwise(bare))}
    for word, place in _WORDS.items():
        if word in said or word + "s" in said:
            found = _place(place)
            return Meaning(found._replace(out=-found.out) if _INNER.intersection(words) else found, side)
    return Meaning(None, side, "names no part of the body")


def _place(found: Place | str) -> Place:
    return (_SIDED.get(found) or _MIDDLE[found]) if isinstance(found, str) else found


SIDED_ROLES = frozenset(
    ("shoulder", "upper_arm", "lower_arm", "hand", "middle_1", "upper_leg", "lower_leg", "foot", "toes")
)
"""The roles whose names end in a side."""


# From labels to attachments: the landmarks that labels mean, on this figure.


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
