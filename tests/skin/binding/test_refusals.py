"""What cannot be bound, and what the message says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from skin.binding.bodies import body, skeleton

import posable
from posable.errors import SkinError, UnknownJointError
from posable.skeleton import Joint, Pose, Skeleton

CASES: list[tuple[dict[str, Any], str]] = [
    ({"method": "heet"}, "no binding method 'heet'; choose from 'heat', 'voxel'"),
    ({"influences": 0}, "influences is the most joints a vertex follows, at least 1, not 0"),
    ({"influences": 2.5}, "at least 1, not 2.5"),
    ({"smoothing": -1}, "smoothing is a number of rounds, at least 0 and at most 10,000, not -1"),
    ({"skeleton": "knight"}, "a mesh is bound to a Skeleton, not str; a figure's is figure.skeleton"),
    ({"mesh": (body().vertices, np.zeros((0, 3), int))}, "it has no faces, only 834 vertices; nothing to bind"),
    ({"mesh": (np.zeros((3, 3)), [[0, 1, 2]])}, "all vertices coincide"),
    ({"mesh": (body().vertices, [[0, 0, 1]])}, "no face has an area"),
    ({"mesh": (np.full((3, 3), np.nan), [[0, 1, 2]])}, "a vertex is not three finite numbers"),
    ({"mesh": 7}, "'int' is not a mesh"),
    ({"skeleton": skeleton(moved=(100, 0, 0))}, r"joint 'hand\.l' lies 99\.1 outside of it, more than its size 27\.4"),
    ({"skeleton": skeleton(100.0)}, "give mesh and skeleton the same position and unit"),
    ({"skeleton": skeleton(0.001, (0, 8, 0))}, r"its size is 27\.4 and the skeleton's 0\.0251; bring both to one unit"),
    (
        {"mesh": (body().vertices[:, [0, 2, 1]] * [1, -1, 1], body().faces)},
        r"\d+ of \d+ joints lie outside of its box; the mesh spans .* × .* × .* along x, y and z, the skeleton"
        r" .* × .* × .*; give both the same position, unit and up axis",
    ),
    ({"joints": []}, "no joint is named that may move the skin"),
    ({"joints": "hand.l"}, "joints is a list of names, not 'hand.l'"),
    ({"rigid": {5: "head"}}, r"rigid names piece 5; there are pieces 0 … 0"),
    ({"rigid": ["sword"]}, r"rigid names pieces by number, as in \{3: 'hand.r'\}, not 'sword'"),
    ({"pose": Pose(skeleton(), skeleton().random_coordinates(np.random.default_rng(0), (2,)))}, "must be one pose"),
    ({"pose": Pose(Skeleton([Joint("one", "fixed")]), [])}, "must be one pose of the skeleton"),
]


@pytest.mark.parametrize(("change", "words"), CASES, ids=[words[:40] for _, words in CASES])
def test_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SkinError, match=words):
        posable.bind(**{"mesh": body(), "skeleton": skeleton(), **change})


@pytest.mark.parametrize("change", [{"joints": ["hamd.l"]}, {"rigid": {0: "hamd.l"}}])
def test_a_joint_that_there_is_not(change: dict[str, Any]) -> None:
    with pytest.raises(UnknownJointError, match=r"no joint is called 'hamd.l'; did you mean hand.l"):
        posable.bind(body(), skeleton(), **change)
