"""A person in one smooth, closed skin, as scanned and sculpted people are; the mannequin is made of pieces."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import posable
from posable.figures.builtin.tubes import bound_at_rest


@cache
def smooth_body() -> posable.Figure:
    """The mannequin's skeleton in that skin."""
    figure = posable.figure("mannequin")
    with np.load(Path(__file__).with_name("smooth_body.npz"), allow_pickle=False) as kept:
        low, high = kept["box"]
        vertices = low + kept["vertices"] / 65535 * (high - low)
        skin = bound_at_rest(
            figure.skeleton, vertices, kept["faces"], kept["joints"], kept["weights"] / 255, kept["colors"] / 255
        )
    return replace(figure, name="body", skins=(skin,))
