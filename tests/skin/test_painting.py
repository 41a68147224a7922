"""The brush: weights painted over the skin as it stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from smooth_body import smooth_body

import posable
from posable.skin import weights


@pytest.fixture(scope="module")
def human() -> posable.Figure:
    return smooth_body()


def under(human: posable.Figure, joint: str) -> np.ndarray:
    """`[1, 3]` the vertex of the skin nearest to a joint, at rest."""
    places = human.skins[0].deform(human.rest).astype(float)
    origin = human.rest.origins[human.skeleton.index(joint)]
    return places[[np.argmin(np.linalg.norm(places - origin, axis=1))]]


def column(skin: posable.Skin, joint: str) -> np.ndarray:
    return weights.weight_table(skin)[:, skin.skeleton.index(joint)]


@pytest.mark.parametrize(("mode", "sign"), [("add", 1), ("subtract", -1)])
def test_the_brush_works_where_it_went_and_nowhere_else(human: posable.Figure, mode: str, sign: int) -> None:
    skin, radius = human.skins[0], 0.08
    points = under(human, "forearm_l")
    painted = weights.paint_weights(skin, human.rest, "forearm_l", points, radius, 0.5, mode)  # type: ignore[arg-type]
    change = sign * (column(painted, "forearm_l") - column(skin, "forearm_l"))
    near = np.linalg.norm(skin.deform(human.rest) - points[0], axis=1) < radius
    assert change.min() > -1e-6
    assert change.max() > 0.1
    assert np.abs(change[~near]).max() < 1e-6
    assert np.allclose(painted.weights.sum(axis=1), 1, atol=1e-6) and painted.weights.min() >= 0


def test_full_strength_gives_all_of_it(human: posable.Figure) -> None:
    points = under(human, "head")
    painted = weights.paint_weights(human.skins[0], human.rest, "chest", points, 0.1, 1.0)
    middle = np.argmin(np.linalg.norm(painted.deform(human.rest) - points[0], axis=1))
    assert column(painted, "chest")[middle] == pytest.approx(1.0, abs=1e-6)


def test_a_vertex_that_follows_one_joint_alone_keeps_it(human: posable.Figure) -> None:
    skin = human.skins[0]
    alone = np.flatnonzero(column(skin, "head") > 1 - 1e-9)[:1]
    points = skin.deform(human.rest)[alone].astype(float)
    painted = weights.paint_weights(skin, human.rest, "head", points, 0.05, 1.0, "subtract")
    assert column(painted, "head")[alone[0]] == pytest.approx(1.0)


def test_the_mirror_paints_the_other_side_alike(human: posable.Figure) -> None:
    skin = human.skins[0]
    painted = weights.paint_weights(skin, human.rest, "forearm_l", under(human, "forearm_l"), 0.1, 0.6, mirror=True)
    left = column(painted, "forearm_l") - column(skin, "forearm_l")
    right = column(painted, "forearm_r") - column(skin, "forearm_r")
    assert left.max() > 0.1
    assert right.max() == pytest.approx(left.max(), abs=0.05)
    x = skin.deform(human.rest)[:, 0]
    assert np.sign(x[np.argmax(right)]) == -np.sign(x[np.argmax(left)])


def test_smoothing_evens_out(human: posable.Figure) -> None:
    skin = human.skins[0]
    points = under(human, "forearm_l")
    rough = weights.paint_weights(skin, human.rest, "forearm_l", points, 0.03, 1.0)
    smooth = weights.paint_weights(rough, human.rest, "forearm_l", points, 0.1, 1.0, "smooth")
    edges = np.concatenate([skin.faces[:, [0, 1]], skin.faces[:, [1, 2]], skin.faces[:, [2, 0]]])

    def steepest(one: posable.Skin) -> float:
        own = column(one, "forearm_l")
        near = np.linalg.norm(one.vertices[edges[:, 0]] - points[0], axis=1) < 0.08
        return float(np.abs(own[edges[near, 0]] - own[edges[near, 1]]).max())

    assert steepest(smooth) < steepest(rough)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"points": [(0.0, 0.0)]}, r"points \[point, 3\]"),
        ({"points": [(0.0, np.nan, 0.0)]}, "finite points"),
        ({"radius": 0.0}, "radius above 0"),
        ({"strength": 1.5}, "strength from 0 to 1"),
        ({"mode": "erase"}, "a brush can add"),
        ({"joint": "tail"}, "no joint is called"),
    ],
)
def test_what_is_no_brush_is_refused(human: posable.Figure, change: dict, problem: str) -> None:
    given = {"joint": "head", "points": [(0.0, 1.0, 0.0)], "radius": 0.1, "strength": 0.5, "mode": "add", **change}
    with pytest.raises(posable.PosableError, match=problem):
        weights.paint_weights(human.skins[0], human.rest, **given)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CesiumMan.glb", "Knight.glb"])
def test_at_rest_paint_moves_nothing_whichever_joint_it_is_of(shared: Path, name: str) -> None:
    figure = posable.load(shared / "characters" / name)
    skeleton = figure.skeleton
    for skin in figure.skins:
        before = skin.deform(figure.rest)
        stranger = next((j for j in range(len(skeleton.joints)) if j not in skin.used_joints), 0)
        for joint in {0, stranger, len(skeleton.joints) - 1}:
            middle = [before.mean(axis=0)]
            painted = weights.paint_weights(skin, figure.rest, skeleton.joints[joint], middle, skeleton.reach, 0.5)
            assert np.abs(painted.deform(figure.rest) - before).max() < 1e-5 * skeleton.reach
