"""Values of USD attributes as arrays, whatever kind of value a damaged file has put there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError
from posable.formats.usd_api import EARLIEST, Vt
from posable.spatial import Array

LARGEST = 1e15


def numbers(path: Path, attribute: Any, *shape: int) -> Array:
    """`[n, *shape]` finite numbers, none where the attribute has no value. FileError for other kinds of values."""
    found = _array(path, attribute, "iuf").astype(float)
    try:
        array = found.reshape(-1, *shape)
    except ValueError as problem:
        raise _another_kind(path, attribute) from problem
    if not (np.abs(array) < LARGEST).all():
        raise FileError(path, f"{attribute.GetPath()} holds numbers that are not finite; export it again")
    return array


def indices(path: Path, attribute: Any) -> NDArray[np.int64]:
    """`[n]` whole numbers, none where the attribute has no value."""
    return _array(path, attribute, "iu").astype(np.int64).reshape(-1)


def tokens(path: Path, attribute: Any) -> tuple[str, ...]:
    """Words, none where the attribute has no value."""
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
    return FileError(path, f"{attribute.GetPath()} holds another kind of value than USD has there; export it again")
