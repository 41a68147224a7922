"""posable: make articulated figures reach, look, walk and bend, and carry their skin along.

The flow is always the same: load a figure, say what its hands, feet and eyes should do, solve, save.

    import posable

    figure = posable.load("knight.glb")                      # or posable.figure("mannequin")
    goals = [posable.Reach("hand.r", (0.4, 1.2, 0.5))]
    solution = posable.solve(figure.rest, goals)
    print(solution.describe())
    posable.save("reach.glb", figure, solution.pose)

Names are loaded when first used, so that `import posable` costs little more than NumPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy  # noqa: F401, ICN001  the one heavy thing that every use needs

_HOMES = {
    "errors": (
        "FileError", "FileTooLargeError", "GoalError", "MissingExtraError", "PosableError", "PoseError", "SkeletonError",
        "SkinError", "UnknownJointError", "UnsupportedFileError",
    ),
    "skeleton": ("Axis", "Cone", "Joint", "Pose", "Skeleton", "forward_kinematics"),
    "goals": ("LookAt", "Orient", "Place", "Reach", "Stay"),
    "skin": ("Skin",),
    "clips": ("Clip",),
    "figures": ("Figure", "figure"),
    "solvers": ("LeastSquares", "Solution", "Status", "solve"),
    "formats": ("load", "save"),
    "view": ("film", "picture"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'posable' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"posable.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
