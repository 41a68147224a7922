"""posable: make articulated figures reach, look, walk and bend, and carry their skin along.

The flow is always the same: load a figure, say what its hands, feet and eyes should do, solve, save.

    import posable

    figure = posable.load(posable.sample("knight.glb"))     # or a file of your own
    goals = [posable.Reach("hand.r", (0.4, 1.2, 0.5))]
    solution = posable.solve(figure.rest, goals)
    print(solution.describe())
    posable.save("reach.glb", figure, solution.pose)

Names are loaded when first used, so that `import posable` costs little more than NumPy.
`help(posable.solve)` tells of one of them:
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import numpy  # noqa: F401  the one heavy thing that every use needs

if TYPE_CHECKING:  # the same names as below, for editors and type checkers
    from posable import clips as clips
    from posable import gradients as gradients
    from posable import motion as motion
    from posable import skin as skin
    from posable import solvers as solvers
    from posable.batches import batch as batch
    from posable.clips import Clip as Clip
    from posable.clips import Event as Event
    from posable.clips import Keys as Keys
    from posable.errors import FileError as FileError
    from posable.errors import FileTooLargeError as FileTooLargeError
    from posable.errors import GoalError as GoalError
    from posable.errors import MethodError as MethodError
    from posable.errors import MissingExtraError as MissingExtraError
    from posable.errors import PosableError as PosableError
    from posable.errors import PoseError as PoseError
    from posable.errors import RoleError as RoleError
    from posable.errors import SkeletonError as SkeletonError
    from posable.errors import SkinError as SkinError
    from posable.errors import TerrainError as TerrainError
    from posable.errors import UnknownFigureError as UnknownFigureError
    from posable.errors import UnknownJointError as UnknownJointError
    from posable.errors import UnknownSampleError as UnknownSampleError
    from posable.errors import UnsupportedFileError as UnsupportedFileError
    from posable.figures import Figure as Figure
    from posable.figures import JointUses as JointUses
    from posable.figures import Limb as Limb
    from posable.figures import Roles as Roles
    from posable.figures import figure as figure
    from posable.figures import figure_from_examples as figure_from_examples
    from posable.figures import grip as grip
    from posable.figures import joint_uses as joint_uses
    from posable.figures import roles as roles
    from posable.figures import with_capsules as with_capsules
    from posable.figures import with_masses as with_masses
    from posable.formats import as_figure as as_figure
    from posable.formats import from_arrays as from_arrays
    from posable.formats import load as load
    from posable.formats import load_key_points as load_key_points
    from posable.formats import load_markers as load_markers
    from posable.formats import load_mesh as load_mesh
    from posable.formats import save as save
    from posable.formats import to_arrays as to_arrays
    from posable.goals import Balance as Balance
    from posable.goals import Box as Box
    from posable.goals import Comfort as Comfort
    from posable.goals import Custom as Custom
    from posable.goals import Goal as Goal
    from posable.goals import Gravity as Gravity
    from posable.goals import KeepApart as KeepApart
    from posable.goals import LookAt as LookAt
    from posable.goals import Orient as Orient
    from posable.goals import Place as Place
    from posable.goals import Pole as Pole
    from posable.goals import Reach as Reach
    from posable.goals import Segment as Segment
    from posable.goals import Stay as Stay
    from posable.goals import Torsion as Torsion
    from posable.motion import Attachment as Attachment
    from posable.motion import Attachments as Attachments
    from posable.motion import Gait as Gait
    from posable.motion import KeyPointFit as KeyPointFit
    from posable.motion import KeyPoints as KeyPoints
    from posable.motion import MarkerFit as MarkerFit
    from posable.motion import Markers as Markers
    from posable.motion import Terrain as Terrain
    from posable.motion import attach as attach
    from posable.motion import fit_gait as fit_gait
    from posable.motion import fit_markers as fit_markers
    from posable.motion import from_key_points as from_key_points
    from posable.motion import plant_feet as plant_feet
    from posable.motion import pose_from_points as pose_from_points
    from posable.motion import retarget as retarget
    from posable.motion import track as track
    from posable.motion import walk as walk
    from posable.natural import Natural as Natural
    from posable.natural import with_human_limits as with_human_limits
    from posable.sample_files import sample as sample
    from posable.sample_files import samples as samples
    from posable.skeleton import Axis as Axis
    from posable.skeleton import Cone as Cone
    from posable.skeleton import Joint as Joint
    from posable.skeleton import Pose as Pose
    from posable.skeleton import Skeleton as Skeleton
    from posable.skeleton import forward_kinematics as forward_kinematics
    from posable.skeleton import pose_from_rotations as pose_from_rotations
    from posable.skeleton import rotations_of as rotations_of
    from posable.skin import Mesh as Mesh
    from posable.skin import Skin as Skin
    from posable.skin import bind as bind
    from posable.skin import fit_skeleton as fit_skeleton
    from posable.skin import weights_from_examples as weights_from_examples
    from posable.solvers import LeastSquares as LeastSquares
    from posable.solvers import Prepared as Prepared
    from posable.solvers import Solution as Solution
    from posable.solvers import Status as Status
    from posable.solvers import compare as compare
    from posable.solvers import prepare as prepare
    from posable.solvers import solve as solve
    from posable.studio.notebook import show as show
    from posable.view import film as film
    from posable.view import picture as picture

_HOMES = {
    "errors": (
        "FileError", "FileTooLargeError", "GoalError", "MethodError", "MissingExtraError", "PosableError", "PoseError",
        "RoleError", "SkeletonError", "SkinError", "TerrainError", "UnknownFigureError", "UnknownJointError",
        "UnknownSampleError", "UnsupportedFileError",
    ),
    "sample_files": ("sample", "samples"),
    "skeleton": (
        "Axis", "Cone", "Joint", "Pose", "Skeleton", "forward_kinematics", "pose_from_rotations", "rotations_of",
    ),
    "goals": (
        "Balance", "Box", "Comfort", "Custom", "Goal", "Gravity", "KeepApart", "LookAt", "Orient", "Place", "Pole",
        "Reach", "Segment", "Stay", "Torsion",
    ),
    "skin": ("Mesh", "Skin", "bind", "fit_skeleton", "weights_from_examples"),
    "clips": ("Clip", "Event", "Keys"),
    "figures": (
        "Figure", "JointUses", "Limb", "Roles", "figure", "figure_from_examples", "grip", "joint_uses", "roles",
        "with_capsules", "with_masses",
    ),
    "natural": ("Natural", "with_human_limits"),
    "solvers": ("LeastSquares", "Prepared", "Solution", "Status", "compare", "prepare", "solve"),
    "motion": (
        "Attachment", "Attachments", "Gait", "KeyPointFit", "KeyPoints", "MarkerFit", "Markers", "Terrain", "attach",
        "fit_gait", "fit_markers", "from_key_points", "plant_feet", "pose_from_points", "retarget", "track", "walk",
    ),
    "formats": (
        "load", "load_key_points", "load_markers", "load_mesh", "as_figure", "from_arrays", "save", "to_arrays",
    ),
    "view": ("film", "picture"),
    "studio.notebook": ("show",),
    "batches": ("batch",),
}  # fmt: skip
_PACKAGES = ("clips", "gradients", "motion", "skin", "solvers")
"""Packages whose names are used with their own: `posable.clips.trim`, `posable.motion.reach`."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


class _Names(list[str]):
    """The public names. `help(posable)` prints the full documentation of every name that is `in` here, seven thousand
    lines; so no name is, and the docstring lists them.
    """

    def __contains__(self, name: object) -> bool:
        return name == "__version__"


__all__ = _Names(sorted([*_HOME_OF, *_PACKAGES, "__version__"]))
__version__ = "0.1.0"
__doc__ = "\n".join([__doc__ or "", *(f"  posable.{home}: {', '.join(names)}" for home, names in _HOMES.items())])


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return importlib.import_module(f"posable.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'posable' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"posable.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _draw_in_notebooks() -> None:
    """Where IPython runs, have it show figures, poses, clips, solutions and comparisons; nothing is loaded before."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    for module, name in _DRAWN:
        shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, _drawn)


def _drawn(thing: Any, **_: Any) -> dict[str, Any] | None:
    return importlib.import_module("posable.studio.notebook").drawn(thing)


_DRAWN = (
    ("posable.skeleton.skeleton", "Pose"),
    ("posable.figures.model", "Figure"),
    ("posable.clips.clip", "Clip"),
    ("posable.solvers.solution", "Solution"),
    ("posable.solvers.comparison", "Comparison"),
)
_draw_in_notebooks()
