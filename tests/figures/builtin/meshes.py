"""What the tests of skins and surfaces count on meshes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def directed_edges(faces: NDArray[np.integer]) -> NDArray[np.int64]:
    """`[3 · face, 2]` every edge as its face runs along it."""
    return np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)


def assert_closed(vertices: NDArray[np.floating], faces: NDArray[np.integer]) -> None:
    """One closed manifold sphere, faces outwards, no vertex left out, none pinched between two fans."""
    edges = directed_edges(faces)
    forward, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all(), "an edge is run along twice in the same direction"
    backward = np.unique(edges[:, ::-1], axis=0)
    assert np.array_equal(forward, backward), "an edge has a face on one side only"
    assert np.array_equal(np.unique(faces), np.arange(len(vertices)))
    assert len(vertices) - len(edges) // 2 + len(faces) == 2, "Euler's number of a sphere"
    links = coo_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(len(vertices), len(vertices)))
    assert connected_components(links)[0] == 1
    assert fans(faces) == len(vertices), "the faces round some vertex do not form one ring"
    assert volume(vertices, faces) > 0


def fans(faces: NDArray[np.integer]) -> int:
    """How many rings of faces there are round vertices: as many as vertices, if none is pinched."""
    corner = np.arange(3 * len(faces)).reshape(-1, 3)  # a corner of a face is one piece of a ring
    follows = np.concatenate([corner[:, [0, 1]], corner[:, [1, 2]], corner[:, [2, 0]]])
    edges = directed_edges(faces)
    there = {tuple(edge): n for n, edge in enumerate(edges.tolist())}
    across = [there[(b, a)] for a, b in edges.tolist()]
    start, end = follows[:, 0], follows[across, 1]  # both at the same vertex, in faces on either side of the edge
    links = coo_matrix((np.ones(len(start)), (start, end)), shape=(corner.size, corner.size))
    return int(connected_components(links)[0])


def volume(vertices: NDArray[np.floating], faces: NDArray[np.integer]) -> float:
    """Enclosed volume, positive where faces look outwards."""
    a, b, c = np.moveaxis(vertices[faces].astype(float), 1, 0)
    return float(np.einsum("fk,fk->", a, np.cross(b, c)) / 6)
