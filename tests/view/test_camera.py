"""The camera: what it sees where, and that framing puts everything in the picture."""

from __future__ import annotations

import math

import numpy as np
import pytest

from posable.errors import PosableError
from posable.view import Camera

SIZE = (320, 240)


def test_a_point_is_where_the_pinhole_puts_it() -> None:
    camera = Camera((0, 0, 5), (0, 0, 0), field_of_view=2 * math.degrees(math.atan(0.5)))
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 3), (0, 0, 6)]
    expected = [
        (160, 120, 5),
        (160 + 240 / 5, 120, 5),
        (160, 120 - 240 / 5, 5),
        (160 + 120, 120 - 120, 2),
        (160, 120, -1),
    ]
    assert camera.project(points, SIZE) == pytest.approx(np.array(expected, float), abs=1e-9)


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("view", ["three_quarter", "front", "side"])
@pytest.mark.parametrize("aspect", [0.5, 4 / 3, 3.0])
@pytest.mark.parametrize("stretch", [(1, 1, 1), (8, 1, 1), (1, 1, 8), (1, 8, 1), (1, 1e-9, 1)])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_framing_holds_every_point_and_no_more_than_it_must(
    up: str, view: str, aspect: float, stretch: tuple[float, float, float], scale: float
) -> None:
    rng = np.random.default_rng(3)
    points = scale * (rng.uniform(-1, 1, (60, 3)) * stretch + (3, -2, 7))
    camera = Camera.framing(points, up, view, aspect)  # pyright: ignore[reportArgumentType]
    size = (round(600 * aspect), 600)
    x, y, depth = camera.project(points, size).T
    assert (depth > 0).all()
    across, along = 2 * x / size[0] - 1, 2 * y / size[1] - 1
    assert max(np.abs(across).max(), np.abs(along).max()) == pytest.approx(0.8, abs=0.01)
    assert across.max() + across.min() == pytest.approx(0, abs=0.35)
    assert along.max() + along.min() == pytest.approx(0, abs=0.35)


@pytest.mark.parametrize(("up", "front", "left"), [("y", (0, 0, 1), (1, 0, 0)), ("z", (1, 0, 0), (0, 1, 0))])
def test_views_stand_where_they_say(up: str, front: tuple[float, ...], left: tuple[float, ...]) -> None:
    cube = np.array(np.meshgrid(*[[-1.0, 1]] * 3)).reshape(3, -1).T
    for view, most in (("front", front), ("side", left)):
        camera = Camera.framing(cube, up, view)  # pyright: ignore[reportArgumentType]
        assert np.dot(camera.axes[2], most) > 0.99
    quarter = Camera.framing(cube, up).axes[2]
    assert np.dot(quarter, front) > 0.7 and np.dot(quarter, left) > 0.4
    flat = Camera.framing(cube * (np.array([1.0, 1, 1]) - 0.95 * np.eye(3)["xyz".index(up)]), up).axes[2]
    assert flat["xyz".index(up)] > quarter["xyz".index(up)] + 0.2, "what lies flat is seen from higher up"
    long = Camera.framing(cube * (np.array([1.0, 1, 1]) + 4 * np.array(front)), up).axes[2]
    assert np.dot(long, left) > np.dot(quarter, left) + 0.1, "what is long is seen more from its side"


def test_one_point_can_be_framed() -> None:
    camera = Camera.framing([(2, 3, 4)])
    assert camera.project((2, 3, 4), SIZE)[:2] == pytest.approx((160, 120))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Camera((0, 0, 0), (0, 0, 0)), "cannot stand at its own target"),
        (lambda: Camera((0, 1, 0), (0, 0, 0)), "must not lie along its view"),
        (lambda: Camera((0, 0, math.nan), (0, 0, 0)), "three finite numbers"),
        (lambda: Camera((0, 0), (0, 0, 0)), "three finite numbers"),  # pyright: ignore[reportArgumentType]
        (lambda: Camera((0, 0, 1), (0, 0, 0), field_of_view=0), "between 1 and 150 degrees, not 0"),
        (
            lambda: Camera.framing([(0, 0, 0)], view="above"),
            "'above' is not a view; choose from three_quarter, front, side",
        ),  # pyright: ignore[reportArgumentType]
        (lambda: Camera.framing([(0, 0, 0)], up="x"), "the up axis is 'y' or 'z', not 'x'"),
        (lambda: Camera.framing(np.zeros((0, 3))), "at least one finite point"),
        (lambda: Camera.framing([(0, math.inf, 0)]), "at least one finite point"),
    ],
)
def test_what_is_no_camera_is_refused(make: object, message: str) -> None:
    with pytest.raises(PosableError, match=message):
        make()  # pyright: ignore[reportCallIssue]
