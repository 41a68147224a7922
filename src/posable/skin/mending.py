"""Weights as files have them, brought into order, with a word about what was wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def mend_weights(weights: ArrayLike, name: str = "") -> tuple[NDArray[np.float32], list[str]]:
    """Weights `[vertex, influence]` made ≥ 0 and summing to 1, and a note for each thing mended.

    Negative or non-finite weights count as 0; a vertex with none at all follows its first influence.
    """
    raw = np.asarray(weights, np.float64)
    kept = np.where(np.isfinite(raw) & (raw > 0), raw, 0.0)
    notes = []
    bad = int((raw != kept).any(axis=1).sum())
    if bad:
        notes.append(f"skin {name!r}: {bad} of {len(raw)} vertices had negative or non-finite weights, taken as 0")
    total = kept.sum(axis=1)
    empty = total <= 0
    if empty.any():
        kept[empty, 0] = 1.0
        notes.append(
            f"skin {name!r}: {int(empty.sum())} of {len(raw)} vertices had no weight and follow their first joint"
        )
    total = kept.sum(axis=1, keepdims=True)
    off = np.abs(total[:, 0] - 1) > 5e-3  # a byte-normalised row may be off by 4/255
    if off.any():
        low, high = float(total[off].min()), float(total[off].max())
        notes.append(
            f"skin {name!r}: the weights of {int(off.sum())} of {len(raw)} vertices summed to {low:.3g} … {high:.3g}, brought to 1"
        )
    return (kept / total).astype(np.float32), notes
