"""Display shapes: what a robot or a text figure looks like where it has no skin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from posable.errors import SkeletonError

SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3}


@dataclass(frozen=True)
class Shape:
    """A simple solid fixed to a joint.

    joint: the joint's name.
    kind and size: box (full lengths x, y, z), sphere (radius), cylinder (radius, length along z), capsule (radius,
        length along z between the centres of its end caps), ellipsoid (three radii).
    position, wxyz: its centre and rotation in the joint's frame. color: sRGB 0…1.
    """

    joint: str
    kind: Literal["box", "sphere", "cylinder", "capsule", "ellipsoid"]
    size: tuple[float, ...]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    color: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.kind not in SIZES:
            raise SkeletonError(f"shape on {self.joint!r}: {self.kind!r} is no shape; choose from {', '.join(SIZES)}")
        if len(self.size) != SIZES[self.kind] or not all(0 <= s < math.inf for s in self.size):
            raise SkeletonError(
                f"shape on {self.joint!r}: a {self.kind} has {SIZES[self.kind]} sizes of at least 0, not {self.size}"
            )
        if not all(math.isfinite(x) for x in (*self.position, *self.wxyz)) or not math.hypot(*self.wxyz) > 0:
            raise SkeletonError(f"shape on {self.joint!r}: position and rotation must be finite, the rotation not 0")
