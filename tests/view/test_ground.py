"""The ground in pictures: what a terrain looks like under a figure."""

from __future__ import annotations

import numpy as np
import pytest
from view.drawables import arm

import posable
from posable import Terrain, TerrainError
from posable.view import Camera
from posable.view.terrain_block import Ground

SIZE = (160, 120)
CAMERA = Camera((5, 2.5, 1.4), (0, 0, 0.6), (0, 0, 1), 20)


def _seen(image: np.ndarray, *places: tuple[float, float, float]) -> np.ndarray:
    """`[place]` how bright the pixel is at which a place is seen."""
    column, row = CAMERA.project(places, SIZE)[:, :2].astype(int).T
    return image[row, column].mean(axis=1)


def test_the_ground_is_drawn_where_it_is() -> None:
    figure, slope = arm(), Terrain.slope(15, (0, 1, 0), height=-0.05, up="z")
    plain, drawn = (posable.picture(figure, size=SIZE, camera=CAMERA, terrain=t) for t in (None, slope))
    places = slope.dropped([[0.35, y, 0.0] for y in np.linspace(-0.3, 0.3, 7)])
    assert (_seen(plain, *places) - _seen(drawn, *places) > 8).all()  # grey tiles on a floor that is nearly white
    assert np.ptp(_seen(drawn, *places)) > 4  # light and dark ones
    assert drawn[:20] == pytest.approx(plain[:20], abs=3)  # and nothing over it


def test_stairs_hide_what_is_behind_them() -> None:
    """A step between the camera and the figure covers its base, and none of its tip."""
    figure = arm()
    wall = Terrain.stairs(0.4, 9.0, 1, (1, 0, 0), start=(0.3, 0, 0), up="z")
    plain, hidden = (posable.picture(figure, size=SIZE, camera=CAMERA, terrain=t, skeleton=False) for t in (None, wall))
    base, tip = (0.2, 0.1, 0.1), (0.0, 0.0, 1.0)
    assert _seen(plain, base) < 110 < _seen(hidden, base)  # the base is dark, a step is light
    assert _seen(hidden, tip) == pytest.approx(_seen(plain, tip), abs=12)


def test_a_view_goes_where_stairs_do_not_hide_the_feet() -> None:
    """Towards the camera they rise between it and the figure; away from it nothing is in the way."""
    figure = posable.figure("mannequin")
    points = np.concatenate([figure.rest.origins, figure.skins[0].deform(figure.rest)]).astype(float)
    feet = points[points[:, 1] < 0.03]
    for direction, moves in (((0, 0, 1), True), ((0, 0, -1), False)):
        stairs = Terrain.stairs(0.17, 0.3, 5, direction, start=np.multiply(direction, 0.2))
        ground = Ground.under(stairs, points, figure)
        plain, clear = Camera.framing(points), ground.camera(points, feet, "y", "three_quarter", 4 / 3)
        assert (plain != clear) == moves
        assert ground._hidden(feet, np.array(clear.position)) < 0.1


def test_the_block_goes_down_to_one_level() -> None:
    """Upright sides all round: its shadow from above is the rectangle that its underside is."""
    figure = posable.figure("mannequin")
    ground = Ground.under(Terrain.slope(20), figure.rest.origins, figure)
    assert ground.base is not None
    lowest = ground.vertices[:, 1] <= ground.base + 1e-6
    assert ground.vertices[:, 1].min() == pytest.approx(ground.base, abs=1e-6)
    assert np.ptp(ground.vertices[lowest], axis=0) == pytest.approx(
        np.ptp(ground.vertices, axis=0) * [1, 0, 1], abs=1e-6
    )
    assert len(ground.mesh.groups) == len(ground.mesh.colors) == len(ground.vertices)
    assert ground.mesh.faces.max() == len(ground.vertices) - 1


def test_over_a_hole_there_is_the_floor_of_the_stage() -> None:
    figure = arm()
    hole = Terrain.field(np.full((3, 3), np.nan), 10.0, up="z")
    plain, holed = (posable.picture(figure, size=SIZE, camera=CAMERA, terrain=t) for t in (None, hole))
    np.testing.assert_array_equal(plain, holed)


def test_a_terrain_of_another_up_axis_is_refused() -> None:
    with pytest.raises(TerrainError, match="the terrain has y up and the figure z; make the terrain with up='z'"):
        posable.picture(arm(), size=SIZE, terrain=Terrain.plane())
