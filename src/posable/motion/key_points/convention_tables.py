"""Key points of a pose estimator, and the conventions that name them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import PosableError, near_names
from posable.figures import Figure, roles
from posable.motion.markers.landmarks import SIDED_ROLES, Site, attached, listed
from posable.spatial import Array

_TABLES = Path(__file__).with_name("conventions.toml")
_LEAST = 6
"""The least number of known points that determines a body."""
_BODY = ("left_shoulder", "right_shoulder", "left_hip", "right_hip")
"""These must be among them: they determine the facing of a person."""


BELOW = {"toes": ("toes", "foot"), "chest": ("upper_chest", "chest", "spine"), "neck": ("neck", "head")}
"""The role that carries a site where the figure lacks its own."""


class PointSite(NamedTuple):
    """The site of a key point on a person: see the head of conventions.toml. side: "l", "r" or ""; name: of the site,
    with its side before it.
    """

    name: str
    on: str
    side: Literal["l", "r", ""] = ""
    to: str = ""
    along: float = 1.0
    out: float = 0.0
    up: float = 0.0
    forward: float = 0.0
    weight: float = 1.0


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_TABLES.read_text(encoding="utf-8"))


def conventions() -> tuple[str, ...]:
    """The names of the conventions that posable knows."""
    return tuple(_tables()["conventions"])


def names_of(convention: str) -> tuple[str, ...]:
    """The names of a convention's points, in order; "-" for one without information. Raises PosableError."""
    known = _tables()["conventions"]
    if convention not in known:
        near = near_names(convention, tuple(known), 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
        raise PosableError(f"no convention of key points is called {convention!r}; {hint}")
    return tuple(known[convention])


def convention_of(count: int) -> str | None:
    """The only convention with this number of points; None if there is no such, or more than one."""
    fitting = [name for name, points in _tables()["conventions"].items() if len(points) == count]
    return fitting[0] if len(fitting) == 1 else None


@cache
def site_of(name: str) -> PointSite | None:
    """The site that a point's name means; None for an unknown name."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name.rsplit(":", 1)[-1])
    lower = [word.lower() for word in words]
    side: Literal["l", "r", ""] = ""
    if lower and lower[0] in ("l", "left", "r", "right"):
        side = "l" if lower.pop(0)[0] == "l" else "r"
    elif len(lower) > 1 and lower[-1] in ("l", "left", "r", "right"):
        side = "l" if lower.pop()[0] == "l" else "r"
    elif len(lower) == 1 and lower[0][:1] in "lr" and _site_called(lower[0][1:]):
        side, lower = ("l" if lower[0][0] == "l" else "r"), [lower[0][1:]]
    elif len(lower) == 1 and (found := re.match(r"(left|right)(\w+)", lower[0])):
        side, lower = ("l" if found[1] == "left" else "r"), [found[2]]
    site = _site_called("".join(lower))
    if site is None:
        return None
    sided = site.on in SIDED_ROLES or site.out != 0.0
    name = {"l": "left_", "r": "right_", "": ""}[side] + site.name
    return site._replace(side=side, name=name) if bool(side) == sided else None


def _site_called(word: str) -> PointSite | None:
    tables = _tables()
    for name, fields in tables["sites"].items():
        if word in (name.replace("_", ""), *tables["words"].get(name, ())):
            return PointSite(name, **fields)
    return None


@dataclass(frozen=True, eq=False)
class KeyPoints:
    """Key points of one person over time, as a pose estimator gives them.

    Args:
        names: Name of each point, `[point]`: those of a convention (`KeyPoints.of`), or words such as left_knee, RKnee.
        positions: `[frame, point, 3]` landmarks in space, in any unit, or `[frame, point, 2]` pixels of a picture, x to
            the right and y down; NaN where a point was not seen.
        fps: Frames per second.
        confidence: 0 (not seen) … 1 of each point, `[frame, point]`; None is 1.
        axes: The axes of landmarks: "camera" (x to the right, y down, z away from the camera), "y" or "z" for the axis
            that points up.
        image: `[frame, point, 2]` pixels of the same points, where the estimator gives both.
        size: Width and height of the picture in pixels; needed to know the directions of its pixels.
        name: Name of the recording.

    Raises:
        PosableError: For shapes that do not match.

    Example:
        >>> points = posable.KeyPoints.of("coco17", 100 + 800 * np.random.default_rng(0).random((60, 17, 2)), 30.0)
        >>> len(points)
        60
    """

    names: tuple[str, ...]
    positions: Array
    fps: float = 30.0
    confidence: Array | None = None
    axes: Literal["camera", "y", "z"] = "camera"
    image: Array | None = None
    size: tuple[float, float] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        names, positions = tuple(self.names), np.array(np.ma.filled(np.ma.asarray(self.positions, float), np.nan))
        wide = positions.shape[-1] if positions.ndim == 3 else 0
        if positions.ndim != 3 or wide not in (2, 3) or positions.shape[1] != len(names) or not len(positions):
            raise PosableError(
                f"key points {self.name!r}: positions are frames × {len(names)} points × 2 or 3, not {positions.shape}"
            )
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise PosableError(f"key points {self.name!r}: fps must be above 0, not {self.fps}")
        if self.axes not in ("camera", "y", "z"):
            raise PosableError(f"key points {self.name!r}: axes are 'camera', 'y' or 'z', not {self.axes!r}")
        confidence = np.ones(positions.shape[:2]) if self.confidence is None else self._checked("confidence", 2)
        if not ((confidence >= 0) | ~np.isfinite(confidence)).all():
            raise PosableError(f"key points {self.name!r}: confidence is at least 0")
        seen = np.isfinite(positions).all(axis=2) & np.isfinite(confidence)
        positions[~seen] = np.nan
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "confidence", np.where(seen, np.minimum(confidence, 1.0), 0.0))
        if self.image is not None:
            object.__setattr__(self, "image", self._checked("image", 3))

    def _checked(self, what: str, axes: int) -> Array:
        found, shape = np.array(getattr(self, what), float), np.shape(self.positions)[:2]
        if found.ndim != axes or found.shape[:2] != shape:
            raise PosableError(f"key points {self.name!r}: {what} goes with {shape[0]} frames × {shape[1]} points")
        return found

    @staticmethod
    def of(convention: str, positions: ArrayLike, fps: float = 30.0, **more: Any) -> KeyPoints:
        """Key points of a convention: mediapipe33, coco17, halpe26, openpose25, h36m17 or smpl24.

        Args:
            convention: Its name.
            positions: `[frame, point, 2 or 3]`, with the points in the convention's order.
            fps: Frames per second.
            more: Other arguments of `KeyPoints`.
        """
        return KeyPoints(names_of(convention), np.asarray(positions, float), fps, **more)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"KeyPoints({self.name!r}, {len(self.names)} points, {len(self)} frames at {self.fps:g} fps)"

    @property
    def weights(self) -> Array:
        """`[frame, point]` the confidence, 0 where a point was not seen."""
        return np.asarray(self.confidence, float)

    @property
    def flat(self) -> bool:
        """Whether they are pixels alone, without depth."""
        return self.positions.shape[2] == 2

    @property
    def sites(self) -> tuple[PointSite | None, ...]:
        """The site of each point, None for an unknown one."""
        return tuple(site_of(name) for name in self.names)

    def only(self, points: Sequence[int]) -> KeyPoints:
        """These points alone, by their indices."""
        kept = list(points)
        image = None if self.image is None else self.image[:, kept]
        names = tuple(self.names[k] for k in kept)
        return replace(
            self, names=names, positions=self.positions[:, kept], confidence=self.weights[:, kept], image=image
        )

    def understood(self) -> KeyPoints:
        """The known points that are seen, under their sites' names. Raises PosableError where these do not determine a
        body.
        """
        sites, seen = self.sites, np.flatnonzero((self.weights > 0).any(axis=0)).tolist()
        kept = [k for k in seen if sites[k] is not None]
        have = {k: site.name for k in kept if (site := sites[k]) is not None}
        lacking = [name for name in _BODY if name not in have.values()]
        if len(kept) < _LEAST or lacking:
            known = listed([self.names[k] for k in kept])
            others = listed([name for k, name in enumerate(self.names) if k not in kept])
            why = f"{', '.join(lacking)} missing" if lacking else f"fewer than {_LEAST}"
            raise PosableError(
                f"key points {self.name!r} determine no body ({why}); understood: {known}; not understood or never "
                f"seen: {others}; name the points as {', '.join(conventions())} do; fit_markers (posable fit) is for "
                "markers on the skin"
            )
        return replace(self.only(kept), names=tuple(have.values()))


def attachments_of(figure: Figure, names: Sequence[str]) -> tuple[NDArray[np.int64], Array]:
    """(carriers `[point]`, offsets `[point, 3]` in their frames) of known points on a figure of a person."""
    body, carriers, offsets = roles(figure), [], []
    for name in names:
        site, found = site_of(name), None
        if site is not None:
            on = Site(BELOW.get(site.on, (site.on,)), site.to, site.along, site.out, site.up, site.forward)
            found = attached(figure, body, on, site.side, figure.height)
        if not found:
            raise PosableError(f"{figure.name or 'the figure'} has no {name.replace('_', ' ')}, so it is not a person")
        carriers.append(figure.skeleton.index(found.joint))
        offsets.append(found.offset)
    return np.array(carriers, np.int64), np.array(offsets)
