"""The exceptions that posable raises.

    PosableError
    ├── FileError               an unusable file: names the file, the line and the cure
    │   ├── UnsupportedFileError   a format, or a required extension of one, that posable does not support
    │   └── FileTooLargeError      a size or count above posable's limits, found before memory is allocated
    ├── SkeletonError           joints that do not form a tree, crossed limits, zero axes
    │   └── UnknownJointError      an unknown joint name; suggests the closest ones
    ├── UnknownFigureError      an unknown built-in figure; suggests the closest ones and lists all
    ├── UnknownSampleError      an unknown sample file; suggests the closest ones and lists all
    ├── RoleError               an unknown role, or one that a figure does not have
    ├── PoseError               coordinates of the wrong shape, or not finite
    ├── GoalError               an invalid goal: NaN target, wrong shape, negative weight
    ├── MethodError             a method that cannot solve the problem, or has invalid parameters
    ├── TerrainError            invalid terrain, or none under a foot
    ├── SkinError               an invalid mesh or invalid weights
    └── MissingExtraError       an optional package that is not installed; says how to install it

All of them are also `ValueError`s (except `MissingExtraError`, an `ImportError`), so that generic handlers catch them.
The command line prints only the message and exits with status 1.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from numbers import Real
from pathlib import Path
from types import UnionType
from typing import TypeGuard

__all__ = [
    "FileError",
    "FileTooLargeError",
    "GoalError",
    "MethodError",
    "MissingExtraError",
    "PosableError",
    "PoseError",
    "RoleError",
    "SkeletonError",
    "SkinError",
    "TerrainError",
    "UnknownFigureError",
    "UnknownJointError",
    "UnknownSampleError",
    "UnsupportedFileError",
    "near_names",
    "printable",
]


_LISTED = 12  # joints in a message
_ENDS = ("hand", "foot", "head")  # the roles that goals ask for most: listed first where not all are


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What steers a terminal (all controls but tab and new line), reverses text, or cannot be encoded."""


def printable(text: str) -> str:
    """`text` with what a terminal would obey instead of showing written out, as `\\x1b`: names come from strangers.

    Example:
        >>> posable.errors.printable(chr(27) + "[2J")
        '\\\\x1b[2J'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class PosableError(Exception):
    """Base class of all posable errors; the message is written for the user.

    Raised itself for an invalid argument that no class below fits, such as a duration of 0 seconds.
    Cure: the message names the argument and the values that are allowed. Catch this class to catch all of posable's.
    """

    def __str__(self) -> str:
        """The message, fit for a terminal; also of what is a KeyError, which would print the repr."""
        return printable(" ".join(map(str, self.args)))

    def __reduce__(self) -> tuple[object, ...]:
        """So that errors come back from other processes: `__init__` takes other arguments than `args`."""
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[PosableError], args: tuple[object, ...]) -> PosableError:
    return kind.__new__(kind, *args)


class FileError(PosableError, ValueError):
    """An unusable file.

    Raised by `load`, `load_mesh` and every reader for a broken or incomplete file, and by `save` where it cannot write.
    Cure: the message gives the line, where the file has lines, and what to change there.

    Args:
        path: The file; the message shows its name.
        problem: What is wrong, and the cure.
        line: Line number of the mistake, if known.
    """

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None) -> None:
        self.path = Path(path)
        self.line = line
        self.problem = problem
        name = self.path.name or str(path)
        where = name if line is None else f"{name}:{line}"
        super().__init__(f"{where}: {problem}")


class UnsupportedFileError(FileError):
    """A format, or a required extension of one, that posable does not support.

    Raised by `load` and `save` for an unknown suffix, and by readers for a required extension.
    Cure: convert the file to a format of `posable.formats.FORMATS`; the message names one.
    """


class FileTooLargeError(FileError):
    """More bytes, joints, frames or vertices than posable accepts from one file.

    Raised by readers before memory is allocated, so that a hostile file costs nothing.
    Cure: split or thin the file; the message names the count and the limit.
    """


class SkeletonError(PosableError, ValueError):
    """Joints that do not form a valid tree, or invalid joint parameters.

    Raised by `Skeleton` and `Joint` for a missing parent, a name given twice, crossed limits or an axis of length 0.
    Cure: mend the joint that the message names.
    """


class UnknownJointError(SkeletonError, KeyError):
    """An unknown joint name.

    Raised wherever a joint is named: in goals, `frozen`, `Skeleton.index`.
    Cure: use one of the names in `near`, or a role such as "hand_r"; `posable info FILE` lists the joints.

    Args:
        name: The unknown name.
        known: The skeleton's joint names; the closest are kept in `near`.
        clashing: Joints that all match an ambiguous `name`.
        roles: The joints of the parts of the body, {role: joint name}; close roles are in `near` too.
        is_role: Whether `name` is a role, which no joint of this skeleton has.
    """

    def __init__(
        self,
        name: str,
        known: Iterable[str],
        *,
        clashing: Iterable[str] = (),
        roles: Mapping[str, str] | None = None,
        is_role: bool = False,
    ) -> None:
        self.name = name
        known, found = list(known), roles or {}
        self.clashing = tuple(clashing)
        roles = {role: joint for role, joint in found.items() if role not in known}
        spoken = {role_in_words(role): role for role in found}
        close = list(dict.fromkeys(spoken.get(one, one) for one in near_names(name, [*known, *roles, *spoken])))
        self.near = self.clashing or tuple(one for one in close if roles.get(one) not in close)
        near = [f"{one} (the role of {roles[one]!r})" if one in roles else one for one in self.near]
        if self.clashing:
            tail = f"it matches {', '.join(self.clashing)}; write one of them in full"
        elif self.near:
            tail = f"did you mean {' or '.join(near)}?"
        else:
            ends = [joint for role, joint in found.items() if role.startswith(_ENDS)] if len(known) > _LISTED else []
            listed = list(dict.fromkeys([*ends, *known]))
            more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
            tail = f"the joints are {', '.join(listed[:_LISTED])}{more}"
        nor = ", and none was found to have that role" if is_role and not self.clashing else ""
        self.message = f"no joint is called {name!r}{nor}; {tail}"
        super().__init__(self.message)


class _NotShippedError(PosableError, ValueError, KeyError):
    """An unknown name of something shipped with posable.

    Args:
        name: The unknown name.
        known: The known names; the closest are kept in `near`.
    """

    _thing: str

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.near = tuple(near_names(str(name), known))
        guess = f"did you mean {' or '.join(self.near)}? " if self.near else ""
        self.message = f"no {self._thing} is called {name!r}; {guess}choose from {', '.join(known)}"
        super().__init__(self.message)


class UnknownFigureError(_NotShippedError):
    """An unknown built-in figure. `name` and `near` keep the name and the closest ones.

    Raised by `posable.figure`.
    Cure: choose one of the names in the message; a file is opened by `posable.load`.
    """

    _thing = "built-in figure"


class UnknownSampleError(_NotShippedError):
    """An unknown sample file. `name` and `near` keep the name and the closest ones.

    Raised by `posable.sample`.
    Cure: choose one of the names in the message, which `posable samples` lists too.
    """

    _thing = "sample"


class RoleError(PosableError, ValueError, KeyError):
    """An unknown role, or one that the figure does not have.

    Raised by `Roles`: by its constructor for an unknown role, and where a role is read that the figure does not have.
    Cure: correct the spelling, or name the joint: `roles.replace(hand_r="wrist")`.

    Args:
        role: The role.
        known: All role names; the closest are kept in `near`.
        there: The roles that the figure has; None if no figure is concerned.
    """

    def __init__(self, role: str, known: Iterable[str], there: Iterable[str] | None = None) -> None:
        self.role = role
        known = list(known)
        self.near = tuple(near_names(role, known))
        if there is None or role not in known:
            guess = f"did you mean {' or '.join(self.near)}?" if self.near else "see posable.Roles for the names"
            self.message = f"unknown role {role!r}; {guess}"
        else:
            found = ", ".join(there) or "no roles"
            self.message = (
                f"this figure has no joint for {role!r} (it has {found}); name one with roles.replace({role}=...)"
            )
        super().__init__(self.message)


class PoseError(PosableError, ValueError):
    """Coordinates of the wrong shape, or not finite.

    Raised by `Pose`, `Clip` and `Keys`, and for poses of another skeleton.
    Cure: give `[..., coordinates]` finite numbers, as many as `skeleton.coordinates`; the message names both shapes.
    """


class GoalError(PosableError, ValueError):
    """An invalid goal: a NaN target, a wrong shape, a negative weight.

    Raised when a goal is made, and by `solve` and `prepare` for goals that do not go together.
    Cure: correct the argument that the message names.
    """


class MethodError(PosableError, ValueError):
    """A method that cannot solve the problem, or invalid parameters of a method.

    Raised by `solve`, `prepare` and `track` with `method=`; a method for one chain refuses several.
    Cure: use the default method, which solves all goals, or change the parameter that the message names.
    """


class TerrainError(PosableError, ValueError):
    """Invalid terrain, or none under a foot.

    Raised by `posable.motion.Terrain`, and by `plant_feet` and the metrics of feet where a foot is over a hole.
    Cure: close the hole or move the clip; the message names the foot, the frame and the position.
    """


class SkinError(PosableError, ValueError):
    """An invalid mesh or invalid skin weights.

    Raised by `Mesh`, `Skin`, `bind` and `fit_skeleton` for faces of missing vertices, weights below 0 or an empty mesh.
    Cure: `posable.skin.mend_weights` repairs weights; a mesh is mended in the program that made it.
    """


class MissingExtraError(PosableError, ImportError):
    """An optional package is not installed.

    Raised by functions that need one, such as a film or the studio.
    Cure: the command in the message installs it.

    Args:
        extra: The name for pip: `pip install "posable[extra]"`, or `pip install ".[extra]"` in a clone.
        purpose: What needs it.
    """

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        here = f'pip install "posable[{extra}]", or in a clone pip install ".[{extra}]"'
        super().__init__(f"{purpose} needs an optional package: {here}")


def check_kind(
    value: object,
    kinds: type | UnionType | tuple[type, ...],
    use: str,
    cure: str = "",
    error: type[PosableError] = PosableError,
) -> None:
    """Raise `error` for a value of another kind.

    Args:
        value: What was given.
        kinds: The classes that fit.
        use: What it is for, up to the kind that fits: "what walks is a Figure".
        cure: How to get that.
        error: The class of the error.

    Example:
        >>> posable.errors.check_kind(clip, posable.Clip, "a film shows a Clip", "posable.picture shows a pose")
    """
    if not isinstance(value, kinds):
        raise error(f"{use}, not {type(value).__name__}{cure and '; ' + cure}")


def refuse_masked(values: object, error: type[PosableError], what: str) -> None:
    """Raise `error` for a masked array: NumPy would take what is masked for numbers like the others."""
    if type(values).__module__.partition(".core")[0] == "numpy.ma":
        raise error(f"{what} cannot be a masked array; fill it first (its method `filled`), or leave that out")


def is_number(value: object) -> TypeGuard[float]:
    """Whether `value` is a real number that a float holds, infinities and NaN among them."""
    if isinstance(value, int):
        return type(value) is not bool and abs(value) < 1e308
    return isinstance(value, float) or (isinstance(value, Real) and type(value).__module__ == "numpy")


SIDES = {"l": "left", "r": "right"}
"""What the last letter of a role says."""


def role_in_words(role: str) -> str:
    """A role, or another name with a side, as people say it.

    Example:
        >>> posable.errors.role_in_words("upper_arm_r")
        'right upper arm'
    """
    part, _, side = role.rpartition("_")
    return f"{SIDES[side]} {part.replace('_', ' ')}" if part and side in SIDES else role


def near_names(name: str, known: Iterable[str], count: int = 4) -> list[str]:
    """The `count` names closest to `name`, best first, ignoring case.

    Example:
        >>> posable.errors.near_names("hand", ["head", "hand_r", "foot"], 1)
        ['hand_r']
    """
    spelled = {}
    for one in known:
        spelled.setdefault(one.lower(), one)
    return [spelled[low] for low in difflib.get_close_matches(name.lower(), spelled, n=count, cutoff=0.5)]
