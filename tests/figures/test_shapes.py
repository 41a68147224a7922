"""Display shapes refuse what cannot be drawn."""

from __future__ import annotations

import math
from typing import Any

import pytest

from posable.errors import SkeletonError
from posable.figures import Shape


@pytest.mark.parametrize(
    ("kind", "size"),
    [("box", (1, 2, 3)), ("sphere", (1,)), ("cylinder", (1, 0)), ("capsule", (1, 2)), ("ellipsoid", (1, 2, 3))],
)
def test_each_kind(kind: Any, size: tuple[float, ...]) -> None:
    assert Shape("arm", kind, size) == Shape("arm", kind, size, (0, 0, 0), (1, 0, 0, 0), None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"kind": "cone"},
            "shape on 'arm': 'cone' is not a shape; choose from box, sphere, cylinder, capsule, ellipsoid",
        ),
        ({"size": (1, 2)}, r"shape on 'arm': a box has 3 sizes of at least 0, not \(1, 2\)"),
        ({"size": (1, 2, -3)}, "a box has 3 sizes of at least 0"),
        ({"size": (1, 2, math.nan)}, "a box has 3 sizes of at least 0"),
        ({"position": (0, math.inf, 0)}, "position and rotation must be finite, the rotation not 0"),
        ({"wxyz": (0, 0, 0, 0)}, "position and rotation must be finite, the rotation not 0"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        Shape("arm", **{"kind": "box", "size": (1, 2, 3), **options})
