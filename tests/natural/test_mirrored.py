"""Left and right: what is done for goals is done mirrored for mirrored goals."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.natural.natural import NaturalStarts


@pytest.mark.parametrize("sides", ["r", "lr"])
def test_what_is_mirrored_is_done_mirrored(sides: str) -> None:
    """Of two hands that were raised alike the head was rotated aside by 10°."""
    figure = posable.figure("mannequin")
    skeleton, other = figure.skeleton, {"l": "r", "r": "l"}
    rest, flip = figure.rest.origins, np.array([-1.0, 1.0, 1.0])
    away = np.random.default_rng(5).normal((0.0, 0.5, 0.2), 0.25, (20, len(sides), 3))
    targets, found = rest[[skeleton.index(f"hand_{side}") for side in sides]] + away, []
    for hands, own in ((sides, targets), ([other[side] for side in sides], targets * flip)):
        goals = [*(posable.Reach(f"hand_{side}", (0, 0, 0)) for side in hands), posable.Natural()]
        prepared = posable.prepare(skeleton, goals)
        assert prepared._proposals is not None
        starter = prepared._proposals.starter
        assert isinstance(starter, NaturalStarts)
        starts = np.repeat(figure.rest.q[None], len(own), axis=0)
        found.append(posable.Pose(skeleton, starter.proposed(starts, own.reshape(len(own), -1))).origins)
    named = [name[:-1] + other[name[-1]] if name[-2:] in ("_l", "_r") else name for name in skeleton.joints]
    np.testing.assert_allclose(found[1][:, [skeleton.index(name) for name in named]] * flip, found[0], atol=2e-5)
