"""The proof of a binding: which joint holds what, and how the skin bends, as one picture or as a film."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError, SkeletonError, UnsupportedFileError
from posable.figures import Figure
from posable.skeleton import Pose
from posable.skeleton.symmetry import symmetry_of
from posable.skin import Skin
from posable.spatial import Array
from posable.view.charts import COLORS, font
from posable.view.overlay import Color
from posable.view.pictures import Shot, draw_to, film
from posable.view.renderer import STILL, Image
from posable.view.scene import Scene

# Several images as one, each with a line of words over it.


_GAP = 238  # the grey where there is no panel


def in_rows(images: Sequence[Image], columns: int | None = None) -> Image:
    """Images of one size beside and below one another, a white line between; about as many columns as rows if None."""
    height, width = images[0].shape[:2]
    across = columns or math.ceil(math.sqrt(len(images)))
    whole = np.full((math.ceil(len(images) / across) * height, across * width, 3), _GAP, np.uint8)
    for n, image in enumerate(images):
        row, column = divmod(n, across)
        whole[row * height : (row + 1) * height, column * width : (column + 1) * width] = image
        whole[row * height : (row + 1) * height, (column + 1) * width - 1] = 255
        whole[(row + 1) * height - 1, column * width : (column + 1) * width] = 255
    return whole


def captioned(image: Image, title: str, words: str = "", color: Color = COLORS["ink"]) -> Image:
    """The image with a title over its left, and words of another color over its right."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    drawn = Pillow.fromarray(image)
    pen, size = ImageDraw.Draw(drawn), max(image.shape[0] / 20, 10.0)
    margin = size / 2
    pen.text((margin, margin), title, fill=COLORS["ink"], font=font(size))
    pen.text((image.shape[1] - margin, margin), words, fill=color, font=font(size), anchor="ra")
    return np.array(drawn)


_BEND = np.radians(75.0)  # how far a joint is bent, where its limits let it
_SHOWN = 10  # joints that are bent, and whose weights are shown, unless they are named
_TRUNK = 6  # of these, at most so many of which limbs part, where there are enough others
_LEAST = 0.004  # of the vertices: a joint that holds less is not worth a panel of its own
_SECONDS, _FPS = 1.6, 30.0  # a joint's bend in the film, there and back
_HEAT = np.array([[0.87, 0.87, 0.88], [0.98, 0.83, 0.32], [0.93, 0.42, 0.13], [0.62, 0.04, 0.12]])
"""sRGB of the weights 0, 1/3, 2/3, 1."""


def weight_colors(skin: Skin, joint: str | None = None) -> np.ndarray:
    """Color vertices by their weight of a joint, from grey (0) over yellow to dark red (1).

    Args:
        skin: The skin.
        joint: Name of the joint; None gives every joint its own color, mixed by the weights.

    Returns:
        `[vertex, 3]` sRGB.

    Raises:
        UnknownJointError: For an unknown joint.

    Example:
        >>> colors = posable.view.weight_colors(figure.skins[0], "forearm_r")
    """
    if joint is None:
        return np.einsum("vk,vkc->vc", skin.weights, _hues(len(skin.skeleton.joints))[skin.joints])
    follows = np.where(skin.joints == skin.skeleton.index(joint), skin.weights, 0).sum(axis=1)
    steps = np.linspace(0, 1, len(_HEAT))
    return np.stack([np.interp(follows, steps, _HEAT[:, k]) for k in range(3)], axis=1).astype(np.float32)


def binding_sheet(
    figure: Figure,
    path: str | Path | None = None,
    *,
    joints: Sequence[str] | None = None,
    size: tuple[int, int] = (320, 320),
    blend: str = "auto",
    overwrite: bool = True,
) -> Image:
    """Draw a contact sheet for judging a binding.

    It shows the skeleton in the mesh, the region of each joint, and for each main joint the bent figure and a heat map
    of its weights.

    Args:
        figure: A figure with a skin.
        path: A .png file to write as well, or None.
        joints: The joints to show; None selects the main ones.
        size: Width and height of a panel in pixels.
        blend: Deformation, as for `Skin.deform`; "auto" is centres of rotation for skins that `posable.bind` made, and
            linear for those of files, as engines show them.
        overwrite: Whether an existing file may be replaced.

    Returns:
        `[height, width, 3]` sRGB bytes.

    Raises:
        PosableError: For a figure without a skin.
        UnknownJointError: For an unknown joint.
        UnsupportedFileError: For another suffix.
        FileError: If the file cannot be written.
    """
    if path is not None and Path(path).suffix.lower() != ".png":
        raise UnsupportedFileError(path, "a sheet is written as .png (or its film as .mp4 or .gif)")
    names = main_joints(figure) if joints is None else list(joints)
    return draw_to(path, lambda: _sheet(figure, names, size, blend), overwrite=overwrite)


def _sheet(figure: Figure, names: Sequence[str], size: tuple[int, int], blend: str) -> Image:
    """Skeleton and realms, then a bend and a heat map for each of the joints."""
    realms = _painted(figure, None)
    panels = [
        captioned(_drawn(figure, figure.rest, size, blend, skeleton=True), "at rest"),
        captioned(_drawn(realms, figure.rest, size, blend), "which joint holds what"),
    ]
    for name in names:
        panels.append(captioned(_drawn(realms, bent_at(figure, name), size, blend), f"{name} bent"))
        panels.append(captioned(_drawn(_painted(figure, name), figure.rest, size, blend), f"{name}: weights"))
    return in_rows(panels, 2 * int(np.ceil(np.sqrt(len(panels) / 2) / 1.25)) or 2)


def bending_film(
    figure: Figure,
    path: str | Path,
    *,
    joints: Sequence[str] | None = None,
    size: tuple[int, int] = (480, 480),
    blend: str = "auto",
    overwrite: bool = True,
    progress: bool = True,
) -> None:
    """Render a film in which one joint after another bends and returns, with the region of each joint in color.

    Args:
        figure: A figure with a skin.
        path: The file: .mp4 or .gif.
        joints: The joints to bend; None selects the main ones.
        size: Width and height in pixels.
        blend: Deformation, as for `Skin.deform`; "auto" is centres of rotation for skins that `posable.bind` made, and
            linear for those of files, as engines show them.
        overwrite: Whether an existing file may be replaced.
        progress: Show a progress bar on stderr if that is a terminal.

    Raises:
        PosableError: As `binding_sheet` and `posable.film`.

    Example:
        >>> posable.view.bending_film(figure, "bends.mp4", joints=["forearm_r"], size=(120, 120))
    """
    names = main_joints(figure) if joints is None else list(joints)
    frames = int(_SECONDS * _FPS)
    shares = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(frames) / frames)
    q = [figure.rest.plus(np.outer(shares, bent_at(figure, name).minus(figure.rest))).q for name in names]
    clip = Clip(figure.skeleton, np.concatenate(q), _FPS, "bends")
    film(
        _painted(figure, None),
        clip,
        path,
        size=size,
        skeleton=False,
        blend=blend,
        overwrite=overwrite,
        progress=progress,
    )


def main_joints(figure: Figure) -> list[str]:
    """The joints whose bend shows most: they move many vertices and leave many; of left and right only one.

    Raises PosableError for a figure without skin, or one whose skin follows a single joint.
    """
    skeleton, count = figure.skeleton, len(figure.skeleton.joints)
    if not figure.skins:
        raise PosableError(
            f"{figure.name or 'the figure'} has no skin, so there is no binding to show; bind a mesh first"
        )
    held = sum(np.bincount(skin.joints.ravel(), skin.weights.ravel(), count) for skin in figure.skins)
    moved = np.array(held, float)
    for joint in range(count - 1, 0, -1):
        moved[skeleton.parents[joint]] += moved[joint]
    worth = np.minimum(moved, moved[0] - moved) * (np.array(held) > _LEAST * moved[0])
    worth[[joint for joint in range(count) if skeleton.parents[joint] < 0 or not _turns(figure, joint)]] = 0
    try:
        partner = symmetry_of(skeleton).partner
    except SkeletonError:
        partner = np.arange(count)
    once = [int(joint) for joint in np.argsort(-worth, kind="stable") if worth[joint] > 0 and joint <= partner[joint]]
    if not once:
        raise PosableError(f"the skin of {figure.name or 'the figure'} follows one joint only; nothing of it can bend")
    trunk = [joint for joint in once if _forks(figure, joint)]
    limbs = [joint for joint in once if joint not in trunk]
    chosen = [*trunk[: max(_TRUNK, _SHOWN - len(limbs))], *limbs][:_SHOWN]
    return [skeleton.joints[joint] for joint in sorted(chosen)]


def _forks(figure: Figure, joint: int) -> bool:
    """Whether what hangs on a joint parts into several limbs, as at a trunk or a hand."""
    below = [k for k in range(joint, len(figure.skeleton.joints)) if joint in figure.skeleton.chain(k)]
    return any(len(figure.skeleton.children(k)) > 1 for k in below)


def bent_at(figure: Figure, name: str) -> Pose:
    """The rest pose with one joint bent by 75°, or as far as its limits go, about the axis most across its bone."""
    joint = figure.skeleton.index(name)
    turns = _turns(figure, joint)
    if not turns:
        raise PosableError(f"the joint {name!r} does not rotate, so it cannot be bent; name another")
    best, farthest = figure.rest, -1.0
    before = figure.rest.world_from_joint[joint, :3, :3]
    for freedom in turns:
        for angle in (_BEND, -_BEND):
            step = np.zeros(figure.skeleton.dof)
            step[freedom] = angle
            pose = figure.rest.plus(step).clamped()
            turn = pose.world_from_joint[joint, :3, :3] @ before.T
            far = round(float(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))), 6) * _across(figure, joint, turn)
            if far > farthest + 1e-9:
                best, farthest = pose, far
    return best


def _turns(figure: Figure, joint: int) -> list[int]:
    """The rotational degrees of freedom of a joint."""
    return [k for k in figure.skeleton.freedom_range(joint) if not figure.skeleton.slides[k]]


def _across(figure: Figure, joint: int, turn: Array) -> float:
    """How far the descendants of a joint swing in a rotation, 0 (about its bone: a twist) … 1."""
    below = figure.skeleton.children(joint)
    origins = figure.rest.origins
    tips = figure.skeleton.definitions[joint].tips
    ends = [origins[k] for k in below] or [(figure.rest.world_from_joint[joint] @ [*tip, 1.0])[:3] for tip in tips]
    bone = np.mean(ends, axis=0) - origins[joint] if ends else np.zeros(3)
    length, size = np.linalg.norm(bone), np.linalg.norm(turn - np.eye(3))
    if length < 1e-9 * figure.skeleton.reach or size < 1e-9:
        return 1.0
    return float(np.linalg.norm(turn @ bone - bone) / (length * size / np.sqrt(2)))


def _painted(figure: Figure, joint: str | None) -> Figure:
    return replace(figure, skins=[replace(skin, colors=weight_colors(skin, joint)) for skin in figure.skins])


def _drawn(figure: Figure, pose: Pose, size: tuple[int, int], blend: str, *, skeleton: bool = False) -> Image:
    shot = Shot.of(Scene(figure, blend=blend), [pose], size, (), "three_quarter", STILL, skeleton=skeleton)
    return shot.take(pose, ())


def _hues(count: int) -> Array:
    """`[count, 3]` sRGB colors, neighbours far apart (steps of the golden angle)."""
    return np.array([colorsys.hsv_to_rgb(0.05 + 0.618034 * k % 1.0, 0.55 + 0.2 * (k % 2), 0.92) for k in range(count)])
