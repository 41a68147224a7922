"""The parts of a body in colours, from two sides, with a legend that tells left from right and what is unsure."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.errors import UnsupportedFileError
from posable.figures import BODY_ROLES, Figure, Roles
from posable.figures import roles as find_roles
from posable.skin import Skin
from posable.view.camera import Camera
from posable.view.charts import COLORS, font
from posable.view.overlay import Color, Ink
from posable.view.pictures import Shot, check_size, draw_to
from posable.view.renderer import STILL, Image
from posable.view.scene import Scene
from posable.view.sheet import captioned

_SKIN = (0.86, 0.86, 0.86)  # pale, so that the parts stand out
_HUES = {"l": (0.02, 0.13), "r": (0.52, 0.66), "": (0.24, 0.36)}  # warm on the left, cool on the right, green between
_NEXT = {
    "hips": ("spine", "chest", "neck", "head"), "spine": ("chest", "upper_chest", "neck", "head"),
    "chest": ("upper_chest", "neck", "head"), "upper_chest": ("neck", "head"), "neck": ("head",),
    "shoulder": ("upper_arm",), "upper_arm": ("lower_arm",), "lower_arm": ("hand",), "upper_leg": ("lower_leg",),
    "lower_leg": ("foot",), "foot": ("toes",),
}  # fmt: skip
"""Where the bone of a part ends: at the first of these that there is."""


def roles_picture(
    figure: Figure,
    roles: Roles | None = None,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (1280, 800),
    overwrite: bool = True,
) -> Image:
    """Draw the parts of a body in colours: warm on the figure's left, cool on its right, green for its trunk.

    The figure stands at rest, seen from the front and from its left; a legend names the joint of every part, with a
    question mark and its confidence where that is below `Roles.SURE`.

    Args:
        figure: The figure.
        roles: Which joint is which part; None finds them.
        path: A .png file to write as well, or None.
        size: Width and height in pixels.
        overwrite: Whether an existing file may be replaced.

    Returns:
        `[height, width, 3]` sRGB bytes.

    Raises:
        PosableError: For an invalid size.
        UnsupportedFileError: For another suffix.
        FileError: If the file cannot be written.

    Example:
        >>> posable.view.roles_picture(figure, size=(320, 200)).shape
        (200, 320, 3)
    """
    check_size(size)
    if path is not None and Path(path).suffix.lower() != ".png":
        raise UnsupportedFileError(path, "a picture is written as .png; give it that ending")
    known = find_roles(figure) if roles is None else roles
    return draw_to(path, lambda: _drawn(figure, known, size), overwrite=overwrite)


def _drawn(figure: Figure, roles: Roles, size: tuple[int, int]) -> Image:
    third = max(size[0] // 3, 16)
    pale = replace(figure, skins=tuple(_paled(skin) for skin in figure.skins), clips=())
    panels = [
        captioned(_panel(pale, roles, (third, size[1]), around), words)
        for words, around in (("from the front", 0.0), ("from its left", 90.0))
    ]
    legend = _legend(roles, (size[0] - 2 * third, size[1]))
    return np.concatenate([*panels, legend], axis=1)


def _paled(skin: Skin) -> Skin:
    return replace(skin, colors=np.full((len(skin.vertices), 3), _SKIN, np.float32))


def drawn_from(figure: Figure, front: np.ndarray, size: tuple[int, int], around: float) -> tuple[Image, np.ndarray]:
    """(the figure at rest from where it faces, along `front [3]`, or `around` degrees further to its left; `[joint, 3]`
    its joints in pixels).
    """
    scene, rest = Scene(figure), figure.rest
    seen = {"front": front, "around": around}
    camera = Camera.framing(scene.outline(rest), figure.skeleton.up, "front", size[0] / size[1], **seen)
    shot = Shot.of(scene, [rest], size, (), camera, STILL, skeleton=False)
    return shot.take(rest, ()), shot.renderer.pixels(rest.origins)


def _panel(figure: Figure, roles: Roles, size: tuple[int, int], around: float) -> Image:
    """The figure from in front of it, or `around` degrees further to its left, with its parts as thick lines."""
    image, places = drawn_from(figure, np.asarray(roles.forward), size, around)
    ink = Ink(image)
    colors = _colors(roles)
    for role in sorted(colors, key=lambda role: -places[roles.index(role), 2]):  # the nearer over the farther
        start, color = places[roles.index(role)], colors[role]
        end = places[roles.index(_end(roles, role) or role)]
        for wider, tint in ((4.0, (255, 255, 255)), (0.0, color)):
            ink.line(start, end, (9.0 if role in BODY_ROLES else 4.0) + wider)
            ink.dot(start, (7.5 if role in BODY_ROLES else 3.5) + wider / 2)
            ink.lay(tint, 0.95)
    return image


def _end(roles: Roles, role: str) -> str | None:
    """The part at which the bone of `role` ends, None for the last."""
    bare, side = (role[:-2], role[-2:]) if role[-2:] in ("_l", "_r") else (role, "")
    if bare[-2:-1] == "_" and bare[-1].isdigit():
        after = (f"{bare[:-1]}{int(bare[-1]) + 1}",)
    else:
        after = _NEXT.get(bare, ())
    return next((one for part in after if (one := part + side) in roles), None)


def _colors(roles: Roles) -> dict[str, Color]:
    """A colour for each role: the hue tells the side, and goes on from part to part."""
    found: dict[str, Color] = {}
    for side, (first, last) in _HUES.items():
        own = [role for role in roles if (role[-1] if role[-2:] in ("_l", "_r") else "") == side]
        for k, role in enumerate(own):
            hue = first + (last - first) * k / max(len(own) - 1, 1)
            rgb = colorsys.hsv_to_rgb(hue, 0.95, 0.95 if k % 2 else 0.7)
            found[role] = (int(255 * rgb[0]), int(255 * rgb[1]), int(255 * rgb[2]))
    return {role: found[role] for role in roles}


def _legend(roles: Roles, size: tuple[int, int]) -> Image:
    """The parts, each beside its colour and its joint; fingers in a line of their own for each."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    drawn = Pillow.new("RGB", size, (250, 249, 246))
    pen = ImageDraw.Draw(drawn)
    lines = _lines(roles)
    step = min(size[1] / (len(lines) + 2), size[1] / 24)
    high = 0.62 * step
    wide = max(font(high).getlength(words) for _, words, _ in lines)
    high = max(high * min(1.0, (size[0] - 2.0 * step) / wide), 7.0)
    for k, (color, words, unsure) in enumerate(lines):
        middle = (k + 1.2) * step
        pen.ellipse((0.6 * step, middle - 0.3 * step, 1.2 * step, middle + 0.3 * step), fill=color)
        ink = COLORS["red"] if unsure else COLORS["ink"]
        pen.text((1.7 * step, middle), words, fill=ink, font=font(high), anchor="lm")
    return np.array(drawn)


def _lines(roles: Roles) -> Sequence[tuple[Color, str, bool]]:
    """(colour, words, whether it is unsure) of each line of the legend."""
    if not roles:
        return [(COLORS["grey"], "no part of a body was found", True)]
    colors = _colors(roles)
    lines = []
    for role, joint in roles.items():
        sure = roles.confidence[role]
        doubt = "" if sure >= roles.SURE else f" ? ({sure:.0%})"
        lines.append((colors[role], f"{role} = {joint}{doubt}", bool(doubt)))
    return lines
