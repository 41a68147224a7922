"""What can go wrong for a caller, as a tree of exceptions.

    PosableError
    ├── FileError               a file that cannot be used: names the file, the place in it and the cure
    │   ├── UnsupportedFileError   a format, or a required extension of one, that posable does not read or write
    │   └── FileTooLargeError      a size or count beyond what posable takes, found before memory is spent on it
    ├── SkeletonError           joints that do not make a tree, limits that cross, axes of no length
    │   └── UnknownJointError      a joint name that is not there; lists the near ones
    ├── UnknownFigureError      a built-in figure that there is not; lists the near ones and all
    ├── UnknownSampleError      a sample file that does not exist; lists the closest names and all
    ├── RoleError               a part of the body that a figure does not have, or that there is not
    ├── PoseError               coordinates of the wrong shape, or not finite
    ├── GoalError               a goal that cannot be meant: NaN target, wrong shape, negative weight
    ├── MethodError             a method that cannot do what is asked, or with parameters that it cannot have
    ├── TerrainError            ground that is none, or not there where a foot comes down
    ├── SkinError               a mesh or weights that cannot be used
    └── MissingExtraError       an optional part that is not installed; says how to install it

All of them are `ValueError`s too (except `MissingExtraError`, an `ImportError`), so that callers who know nothing of
posable catch what they expect. The command line prints the message alone and exits with status 1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

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
]


_LISTED = 12  # joints in a message


class PosableError(Exception):
    """Anything that posable refuses, with a message for the person who asked."""


class FileError(PosableError, ValueError):
    """A file that cannot be used: `path` and, where there is one, `line` say where; the message what, and the cure."""

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None) -> None:
        self.path = Path(path)
        self.line = line
        self.problem = problem
        name = self.path.name or str(path)
        where = name if line is None else f"{name}:{line}"
        super().__init__(f"{where}: {problem}")


class UnsupportedFileError(FileError):
    """A format, or a required part of one, that posable does not handle. The message names the way round."""


class FileTooLargeError(FileError):
    """More bytes, joints, frames or vertices than posable takes from one file; found before memory is spent."""


class SkeletonError(PosableError, ValueError):
    """Joints that do not make a usable tree."""


class UnknownJointError(SkeletonError, KeyError):
    """A joint name that the skeleton does not have. `name` and `near` keep the facts."""

    def __init__(self, name: str, known: Iterable[str], *, clashing: Iterable[str] = ()) -> None:
        self.name = name
        known = list(known)
        self.clashing = tuple(clashing)
        self.near = self.clashing or tuple(near_names(name, known))
        if self.clashing:
            tail = f"it could be any of {', '.join(self.clashing)}; write one of them in full"
        elif self.near:
            tail = f"did you mean {' or '.join(self.near)}?"
        else:
            more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
            tail = f"the joints are {', '.join(known[:_LISTED])}{more}"
        self.message = f"no joint is called {name!r}; {tail}"
        super().__init__(self.message)

    def __str__(self) -> str:  # KeyError would print the repr
        return self.message


class _NotShippedError(PosableError, ValueError, KeyError):
    """A name that nothing of what comes with posable has. `name` and `near` keep the facts."""

    _thing: str

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.near = tuple(near_names(name, known))
        guess = f"did you mean {' or '.join(self.near)}? " if self.near else ""
        self.message = f"no {self._thing} is called {name!r}; {guess}there are {', '.join(known)}"
        super().__init__(self.message)

    def __str__(self) -> str:  # KeyError would print the repr
        return self.message


class UnknownFigureError(_NotShippedError):
    """A name that no built-in figure has. `name` and `near` keep the facts."""

    _thing = "built-in figure"


class UnknownSampleError(_NotShippedError):
    """A name that no sample file has. `name` and `near` keep the facts."""

    _thing = "sample"


class RoleError(PosableError, ValueError, KeyError):
    """A part of the body that a figure does not have, or a name that is no part. `role` and `near` keep the facts."""

    def __init__(self, role: str, known: Iterable[str], there: Iterable[str] | None = None) -> None:
        self.role = role
        known = list(known)
        self.near = tuple(near_names(role, known))
        if there is None or role not in known:
            guess = f"did you mean {' or '.join(self.near)}?" if self.near else "see posable.Roles for their names"
            self.message = f"no part of the body is called {role!r}; {guess}"
        else:
            found = ", ".join(there) or "none at all"
            self.message = (
                f"this figure has no joint for {role!r} (it has {found}); name one with roles.replace({role}=...)"
            )
        super().__init__(self.message)

    def __str__(self) -> str:  # KeyError would print the repr
        return self.message


class PoseError(PosableError, ValueError):
    """Coordinates of the wrong shape, or not finite."""


class GoalError(PosableError, ValueError):
    """A goal that cannot be meant."""


class MethodError(PosableError, ValueError):
    """A method that cannot do what is asked of it, or parameters that it cannot have."""


class TerrainError(PosableError, ValueError):
    """Ground that cannot be used, or that is missing under a foot."""


class SkinError(PosableError, ValueError):
    """A mesh or skin weights that cannot be used."""


class MissingExtraError(PosableError, ImportError):
    """An optional part is not installed. `extra` is the name for pip: `pip install "posable[extra]"`."""

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        super().__init__(f'{purpose} needs an optional part: pip install "posable[{extra}]"')


def near_names(name: str, known: Iterable[str], count: int = 4) -> list[str]:
    """The `count` names most like `name`, best first, heedless of case."""
    spelled = {}
    for one in known:
        spelled.setdefault(one.lower(), one)
    return [spelled[low] for low in difflib.get_close_matches(name.lower(), spelled, n=count, cutoff=0.5)]
