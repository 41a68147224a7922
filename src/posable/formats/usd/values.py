"""Values of USD attributes as arrays, with a check of the kind of value."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, MissingExtraError
from posable.spatial import Array

# usd-core's modules. They have no type stubs, so they are `Any`; only this module imports them.


def _usd_module(name: str) -> Any:
    """A module of usd-core. Raises MissingExtraError if it is not installed."""
    try:
        return importlib.import_module(f"pxr.{name}")
    except ImportError as problem:
        raise MissingExtraError("usd", "reading USD files") from problem


Sdf: Any = _usd_module("Sdf")
Tf: Any = _usd_module("Tf")
Usd: Any = _usd_module("Usd")
UsdGeom: Any = _usd_module("UsdGeom")
UsdSkel: Any = _usd_module("UsdSkel")
UsdUtils: Any = _usd_module("UsdUtils")
Vt: Any = _usd_module("Vt")
EVERYWHERE: Any = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
EARLIEST: Any = Usd.TimeCode.EarliestTime()


LARGEST = 1e15


def numbers(path: Path, attribute: Any, *shape: int) -> Array:
    """`[n, *shape]` finite numbers, empty if the attribute has no value. FileError for other kinds of values."""
    found = _array(path, attribute, "iuf").astype(float)
    try:
        array = found.reshape(-1, *shape)
    except ValueError as problem:
        raise _another_kind(path, attribute) from problem
    if not (np.abs(array) < LARGEST).all():
        raise FileError(path, f"{attribute.GetPath()} contains numbers that are not finite; export it again")
    return array


def indices(path: Path, attribute: Any) -> NDArray[np.int64]:
    """`[n]` whole numbers, empty if the attribute has no value."""
    return _array(path, attribute, "iu").astype(np.int64).reshape(-1)


def tokens(path: Path, attribute: Any) -> tuple[str, ...]:
    """Words, empty if the attribute has no value."""
    value = attribute.Get(EARLIEST) if attribute else None
    if value is None:
        return ()
    if not isinstance(value, Vt.TokenArray):
        raise _another_kind(path, attribute)
    return tuple(str(word) for word in value)


def _array(path: Path, attribute: Any, kinds: str) -> NDArray[Any]:
    value = attribute.Get(EARLIEST) if attribute else None
    if value is None:
        return np.zeros(0, np.int64)
    try:
        found = np.array(value)
    except (TypeError, ValueError) as problem:
        raise _another_kind(path, attribute) from problem
    if found.size and found.dtype.kind not in kinds:
        raise _another_kind(path, attribute)
    return found if found.size else np.zeros(0, np.int64)


def _another_kind(path: Path, attribute: Any) -> FileError:
    return FileError(path, f"{attribute.GetPath()} has a value of the wrong type; export it again")
