"""Weights of files that have to be mended: below 0, not finite, or with another sum than 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.errors import SkinError

_SUM = 5e-7
"""How far a sum of single numbers may be off 1 by rounding."""


def mend_weights(weights: ArrayLike, name: str = "") -> tuple[NDArray[np.float32], list[str]]:
    """Repair skin weights: make them ≥ 0, with rows that sum to 1.

    Negative or non-finite weights count as 0; a vertex without any weight follows its first influence.

    Args:
        weights: `[vertex, influence]`.
        name: Name of the skin, for the notes.

    Returns:
        The weights, and one note per kind of repair.

    Raises:
        SkinError: If the array is not vertices × influences.

    Example:
        >>> weights, notes = posable.skin.mend_weights([[0.5, 0.4], [2.0, 0.0]])
        >>> weights.sum(axis=1).round(6).tolist()
        [1.0, 1.0]
    """
    raw = np.asarray(weights, np.float64)
    if raw.ndim != 2 or raw.shape[1] == 0:
        raise SkinError(f"skin {name!r}: weights have shape {raw.shape}, not (vertices, influences)")
    kept = np.where(np.isfinite(raw) & (raw > 0), raw, 0.0)
    notes = []

    def note(rows: NDArray[np.bool_], what: str) -> None:
        if rows.any():
            notes.append(f"skin {name!r}: {int(rows.sum())} of {len(raw)} vertices {what}")

    note((raw != kept).any(axis=1), "had negative or non-finite weights, taken as 0")
    empty = kept.sum(axis=1) <= 0
    kept[empty, 0] = 1.0
    note(empty, "had no weight and follow their first joint")
    total = kept.sum(axis=1, keepdims=True)
    off = np.abs(total[:, 0] - 1) > 5e-3  # a byte-normalised row may be off by 4/255
    low, high = total[off].min(initial=np.inf), total[off].max(initial=-np.inf)
    note(off, f"had weights that summed to {low:.3g} … {high:.3g}, brought to 1")
    total[np.abs(total - 1) < _SUM] = 1.0  # so that mending what was mended changes nothing
    return (kept / total).astype(np.float32), notes
