"""A figure in another unit: every length times the factor, everything else as it was."""

from __future__ import annotations

import math

import numpy as np
import pytest
from skeleton.samples import random_skeleton

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure, Shape, scaled
from posable.figures.rebuild import UNITS
from posable.skeleton import Axis, Follow, Joint, Pose, Skeleton
from posable.skin import Skin
from posable.spatial import random_wxyz, transform


def figure(seed: int) -> Figure:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, limits=bool(seed % 2))
    count = len(skeleton.joints)
    bind = transform(rng.normal(size=(count, 3)), random_wxyz(rng, (count,)))
    weights = rng.dirichlet(np.ones(3), 30)
    skin = Skin(skeleton, rng.normal(size=(30, 3)), [[0, 1, 2]], rng.integers(0, count, (30, 3)), weights, bind)  # type: ignore[arg-type]
    clip = Clip(skeleton, skeleton.random_coordinates(rng, (4,)), 30, "wave")
    shape = Shape("j3", "capsule", (0.1, 0.4), (1, 2, 3), color=(1, 0, 0))
    return Figure(skeleton, "f", (skin,), (clip,), (shape,), ("note",), "source")  # type: ignore[arg-type]


@pytest.mark.parametrize("factor", [0.01, 0.0254, 4.0])
@pytest.mark.parametrize("seed", range(6))
def test_every_length_and_nothing_else(seed: int, factor: float) -> None:
    f = figure(seed)
    g = scaled(f, factor)
    before, after = f.clips[0].poses, g.clips[0].poses
    wide = np.abs(before.origins).max() * factor
    np.testing.assert_allclose(after.origins, factor * before.origins, rtol=0, atol=1e-13 * wide)
    turns = [poses.world_from_joint[..., :3, :3] for poses in (before, after)]
    np.testing.assert_allclose(turns[0], turns[1], rtol=0, atol=1e-12)
    deformed = factor * f.skins[0].deform(before)
    np.testing.assert_allclose(g.skins[0].deform(after), deformed, rtol=0, atol=3e-6 * np.abs(deformed).max())
    assert g.skeleton.reach == pytest.approx(factor * f.skeleton.reach) or f.skeleton.reach == 1
    assert g.height == pytest.approx(factor * f.height, rel=1e-5)
    np.testing.assert_allclose(after.clamped().q, g.clips[0].q, rtol=0, atol=1e-11 * (1 + wide))
    assert (g.shapes[0].size, g.shapes[0].position) == ((factor * 0.1, factor * 0.4), (factor, factor * 2, factor * 3))
    assert (g.name, g.notes, g.source, g.clips[0].name, g.clips[0].fps) == ("f", ("note",), None, "wave", 30)


@pytest.mark.parametrize("seed", range(4))
def test_there_and_back_is_the_same(seed: int) -> None:
    f = figure(seed)
    g = scaled(scaled(f, 0.01), 100)
    for one, other in zip(f.skeleton.tables, g.skeleton.tables, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(f.clips[0].q, g.clips[0].q, rtol=1e-14)
    assert scaled(f, 1).skeleton == f.skeleton


def test_each_length_of_a_joint() -> None:
    slide = Axis((0, 0, 1), True, (1, 2, 3), -1, 2, reference=0.5)
    turn = Axis((0, 0, 1), False, (1, 2, 3), -1, 2, reference=0.5)
    options = {"mass_center": (0, 1, 0), "tips": ((0, 3, 0),), "ease": 0.1, "mass": 7.0, "stiffness": 2.0}
    rail = Joint("rail", "slide", None, (1, 0, 0), axes=(slide,), rest=(1.5,), comfort=((0, 1),), **options)  # type: ignore[arg-type]
    hinge = Joint("hinge", "hinge", "rail", (0, 1, 0), axes=(turn,), rest=(1.5,), comfort=((0, 1),), **options)  # type: ignore[arg-type]
    ball = Joint("ball", "ball", "hinge", anchor=(0, 0, 5), rest=(0, 1, 0, 0), comfort=((0, 1),) * 3)
    free = Joint("free", "free", "ball", rest=(1, 2, 3, 1, 0, 0, 0), comfort=((0, 1),) * 6)
    a, b, c, d = scaled(Figure(Skeleton([rail, hinge, ball, free])), 10).skeleton.definitions
    assert (a.position, a.mass_center, a.tips, a.ease, a.mass, a.stiffness) == (
        (10, 0, 0),
        (0, 10, 0),
        ((0, 30, 0),),
        1,
        7,
        2,
    )
    assert (a.rest, a.comfort) == ((15,), ((0, 10),))
    assert (a.axes[0].anchor, a.axes[0].lower, a.axes[0].upper, a.axes[0].reference) == ((10, 20, 30), -10, 20, 5)
    assert (b.rest, b.comfort, b.ease) == ((1.5,), ((0, 1),), 0.1)
    assert (b.axes[0].anchor, b.axes[0].lower, b.axes[0].upper, b.axes[0].reference) == ((10, 20, 30), -1, 2, 0.5)
    assert (c.anchor, c.rest, c.comfort) == ((0, 0, 50), (0, 1, 0, 0), ((0, 1),) * 3)
    assert (d.rest, d.comfort) == ((10, 20, 30, 1, 0, 0, 0), ((0, 10),) * 3 + ((0, 1),) * 3)


@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("slide", [True, False])
def test_mimics_between_turns_and_slides(source: bool, slide: bool) -> None:
    def make(name: str, parent: str | None, sliding: bool, follow: Follow | None = None) -> Joint:
        axes = (Axis((0, 0, 1), sliding, follow=follow),)
        return Joint(name, "slide" if sliding else "hinge", parent, (0, 1, 0), axes=axes)

    f = Figure(Skeleton([make("a", None, source), make("b", "a", slide, Follow("a", 2.0, 0.3)), make("c", "b", True)]))
    g = scaled(f, 10)
    q = np.array([0.7, 0.2])
    far = Pose(g.skeleton, q * ((10 if source else 1), 10)).world_from_joint
    near = Pose(f.skeleton, q).world_from_joint
    np.testing.assert_allclose(far[:, :3, 3], 10 * near[:, :3, 3], rtol=0, atol=1e-13)
    np.testing.assert_allclose(far[:, :3, :3], near[:, :3, :3], rtol=0, atol=1e-14)


def test_units() -> None:
    assert (UNITS["cm"], UNITS["in"], UNITS["inch"], UNITS["ft"]) == (0.01, 0.0254, 0.0254, 0.3048)


@pytest.mark.parametrize("factor", [0, -1, math.inf, math.nan])
def test_refused(factor: float) -> None:
    with pytest.raises(SkeletonError, match=f"a scale must be above 0, not {factor}"):
        scaled(figure(0), factor)
