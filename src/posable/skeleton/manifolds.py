"""Of what the coordinates of each kind of joint are made: the one table that the rest of the code asks.

A joint's coordinates are a position, a rotation and a number for each axis, in this order; most kinds have but one:

| part | coordinates | freedoms | q ⊕ v |
|---|---|---|---|
| position | x, y, z in the parent's frame | 3 | q + v |
| rotation | a unit quaternion wxyz | 3, a rotation vector in the joint's own frame | q · exp(v) |
| axis | an angle (rad) or a length | 1 | q + v |

Plus, minus and clamping are compiled: `step_joint` and `difference` in `forward`, `clamp_joint` in `limits`.
"""

from __future__ import annotations

from typing import NamedTuple


class Manifold(NamedTuple):
    """The parts of a joint's coordinates.

    axes: for each axis, whether it slides; None for any axes. position, rotation: whether it has one, in front of the
    axes. names: those of the freedoms of position and rotation.
    """

    axes: tuple[bool, ...] | None = ()
    position: bool = False
    rotation: bool = False
    names: tuple[str, ...] = ()

    @property
    def slides(self) -> tuple[bool, ...]:
        """For each freedom of position and rotation, whether it is a length."""
        return (True,) * 3 * self.position + (False,) * 3 * self.rotation


MANIFOLDS: dict[str, Manifold] = {
    "fixed": Manifold(),
    "hinge": Manifold((False,)),
    "twist": Manifold((False,)),
    "slide": Manifold((True,)),
    "universal": Manifold((False, False)),
    "planar": Manifold((True, True, False)),
    "ball": Manifold(rotation=True, names=("x", "y", "z")),
    "free": Manifold(position=True, rotation=True, names=("x", "y", "z", "rx", "ry", "rz")),
    "compound": Manifold(None),
}
SINGLE_AXIS_KINDS = tuple(kind for kind, manifold in MANIFOLDS.items() if manifold.axes and len(manifold.axes) == 1)
