"""Binding by the way through the flesh: its kernels against plain statements, and its weights against people's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import spsolve
from skin.binding.bodies import Blender, apart, body

from posable.skin.binding.surface import Surface
from posable.skin.binding.voxels import STEPS, Flesh, conduct, march

LENGTHS = np.sqrt(np.abs(STEPS).sum(axis=1))


@pytest.fixture
def coarse() -> None:
    """As many cubes as users get."""


def block(filled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(cubes, beside) of the filled cubes of a grid."""
    room = np.pad(filled, 1)
    cubes = np.argwhere(room)
    number = np.full(room.shape, -1, np.int32)
    number[room] = np.arange(len(cubes))
    return cubes, np.stack([number[tuple((cubes + step).T)] for step in STEPS], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "l1", "artist"), [("cesiumman", 0.1, 0.24), ("mh_game_engine", 0.2, 0.48)])
def test_voxels_come_near_blenders_and_the_artists_weights(
    shared: Path, name: str, l1: float, artist: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    blender = Blender(shared, name)
    skin = blender.bound(monkeypatch, "voxel")
    found = blender.table(skin)
    assert apart(found, blender.weights).mean() < l1
    assert apart(found, blender.artist).mean() < artist
    assert (np.abs(skin.weights.sum(axis=1) - 1) < 1e-6).all()
    assert [note for note in skin.notes if "follow joints far apart" not in note] == []


def test_the_way_in_the_open_is_the_distance() -> None:
    cubes, beside = block(np.ones((25, 25, 25), bool))
    far = np.full(len(cubes), np.inf)
    middle = np.array([13, 13, 13])
    straight = np.linalg.norm(cubes - middle, axis=1)
    near = straight < 3
    far[near] = straight[near]
    march(far, np.full(len(far), np.inf), beside, LENGTHS, 1.0)
    assert np.abs(far - straight).max() < 0.7 and (far >= straight - 1e-9).all()


def test_the_way_leads_round_a_wall_and_not_past_its_limit() -> None:
    room = np.ones((11, 11, 3), bool)
    room[5, :10] = False
    cubes, beside = block(room)
    start, end = (int(np.flatnonzero((cubes == place).all(axis=1))[0]) for place in ((5, 1, 2), (7, 1, 2)))
    far = np.full(len(cubes), np.inf)
    far[start] = 0
    march(far, np.full(len(far), np.inf), beside, LENGTHS, 1.0)
    assert far[end] == pytest.approx(20, rel=0.06)
    short = np.full(len(cubes), np.inf)
    short[start] = 0
    march(short, np.full(len(far), 5.0), beside, LENGTHS, 1.0)
    assert np.isinf(short[end]) and (short[np.isfinite(short)] < 5).all()


def test_flesh_that_only_touches_at_an_edge_hangs_together() -> None:
    room = np.zeros((2, 2, 1), bool)
    room[0, 0] = room[1, 1] = True
    _, beside = block(room)
    far = np.array([0.0, np.inf])
    march(far, np.full(2, np.inf), beside, LENGTHS, 1.0)
    assert far[1] == pytest.approx(np.sqrt(2))


def test_heat_in_the_flesh_solves_its_equation() -> None:
    rng = np.random.default_rng(0)
    cubes, beside = block(rng.random((9, 8, 7)) < 0.8)
    count = len(cubes)
    hold, source = rng.random(count), rng.random((count, 3))
    rows, faces = np.repeat(np.arange(count), 6), beside[:, :6].reshape(-1)
    touching = coo_array((np.ones((faces >= 0).sum()), (rows[faces >= 0], faces[faces >= 0])), shape=(count, count))
    matrix = diags_array(np.asarray(touching.sum(axis=1)) + hold) - touching
    heat = np.zeros((count, 3))
    conduct(beside, hold, source, 1e-9, heat)
    np.testing.assert_allclose(heat, spsolve(matrix.tocsc(), source), atol=1e-6)


def test_every_place_of_a_surface_is_in_its_flesh() -> None:
    surface = Surface.of(body())
    flesh = Flesh.of(surface)
    cubes, shares = flesh.corners(surface.places)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares * (cubes >= 0)).sum(axis=1).min() > 0.05
    volume = len(flesh.cubes) * flesh.side**3 * surface.size**3
    assert volume == pytest.approx(200, rel=0.2)
