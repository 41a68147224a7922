"""Figures that stand together are each as they were alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.errors import SkeletonError
from posable.figures import Shape, merge_figures, with_up_axis
from posable.skeleton import Axis, Joint, Skeleton
from posable.skeleton.joint import Follow
from posable.spatial import wxyz_multiply


def test_each_stands_where_it_would_alone_but_for_its_place() -> None:
    tentacle, arm = posable.figure("tentacle"), posable.figure("doorbell_arm")
    both = merge_figures({"one": tentacle, "arm": arm, "two": tentacle}, {"two": (1.0, 0.0, -2.0)})
    rng = np.random.default_rng(0)
    q = [f.skeleton.random_coordinates(rng, (3,)) for f in (tentacle, arm, tentacle)]
    pose = posable.Pose(both.skeleton, np.concatenate(q, axis=-1))
    alone = [posable.Pose(f.skeleton, own).origins for f, own in zip((tentacle, arm, tentacle), q, strict=True)]
    alone[2] = alone[2] + (1.0, 0.0, -2.0)
    np.testing.assert_allclose(pose.origins, np.concatenate(alone, axis=1), atol=1e-12)
    skinned = [skin.deform(pose) for skin in both.skins]
    own = [tentacle.skins[0].deform(posable.Pose(tentacle.skeleton, q[k])) for k in (0, 2)]
    np.testing.assert_allclose(skinned[0], own[0], atol=1e-5)
    np.testing.assert_allclose(skinned[1], own[1] + np.float32((1.0, 0.0, -2.0)), atol=1e-5)
    assert {shape.joint for shape in both.shapes} == {"arm/shoulder", "arm/elbow", "arm/wrist"}
    assert both.skeleton.joints[-1] == "two/tip"


def test_goals_of_all_are_solved_in_one_go() -> None:
    arm = posable.figure("doorbell_arm")
    both = merge_figures({"left": arm, "right": arm}, {"right": (200.0, 0.0, 0.0)})
    goals = [posable.Reach("left/hand", (30, -40, 0)), posable.Reach("right/hand", (230, -40, 0))]
    assert posable.solve(both.rest, goals).status is posable.Status.REACHED


def test_what_mimics_mimics_its_own_and_free_roots_rest_where_they_are_put() -> None:
    follow = Axis((1.0, 0.0, 0.0), slide=True, follow=Follow("a"))
    hand = Skeleton(
        [Joint("a", "slide", axes=(Axis((1.0, 0.0, 0.0), slide=True),)), Joint("b", "slide", axes=(follow,))]
    )
    cubes = [Skeleton([Joint("cube", "free", rest=rest, aliases=("box",))]) for rest in (None, (1, 2, 3, 1, 0, 0, 0))]
    one, two = (posable.Figure(cube, shapes=(Shape("box", "box", (1, 1, 1)),)) for cube in cubes)
    positions = dict.fromkeys(("one", "two"), (5.0, 0.0, 0.0))
    gathered = merge_figures(
        {"hand": posable.Figure(hand), "other": posable.Figure(hand), "one": one, "two": two}, positions
    )
    pose = posable.Pose(gathered.skeleton, (0.2, 0.7, *gathered.rest.q[2:]))
    expected = [(0.2, 0, 0)] * 2 + [(0.7, 0, 0)] * 2 + [(5, 0, 0), (6, 2, 3)]
    np.testing.assert_allclose(pose.origins, expected, atol=1e-15)
    assert gathered.skeleton.index("one/box") == 4
    assert gathered.shapes[1].joint == "two/cube"


def test_what_cannot_stand_together_is_refused() -> None:
    arm = posable.figure("doorbell_arm")
    with pytest.raises(SkeletonError, match="merge_figures needs figures"):
        merge_figures({})
    with pytest.raises(SkeletonError, match=r"offsets only of these, not \['brm'\]"):
        merge_figures({"arm": arm}, {"brm": (0, 0, 0)})
    with pytest.raises(SkeletonError, match="different up axes"):
        merge_figures({"arm": arm, "robot": posable.figure("arm6")})


@pytest.mark.parametrize("name", ["mannequin", "arm6", "doorbell_arm"])
def test_with_another_axis_up_a_figure_looks_the_same(name: str) -> None:
    figure = posable.figure(name)
    up = "z" if figure.skeleton.up == "y" else "y"
    turned = with_up_axis(figure, up)
    back = with_up_axis(turned, figure.skeleton.up)
    assert turned.skeleton.up == up and back.height == pytest.approx(figure.height)
    pose = figure.skeleton.random_pose(np.random.default_rng(1))
    q = pose.q.copy()
    axes = [0, 2, 1]
    signs = (1, -1, 1) if up == "z" else (1, 1, -1)
    if figure.skeleton.definitions[0].floating:
        q[:3] = (q[:3][axes]) * signs
        half = np.sqrt(0.5) * (1 if up == "z" else -1)
        q[3:7] = wxyz_multiply((np.sqrt(0.5), half, 0.0, 0.0), q[3:7])
    moved = posable.Pose(turned.skeleton, q)
    np.testing.assert_allclose(moved.origins, pose.origins[:, axes] * signs, atol=1e-9)
    for before, after in zip(figure.skins, turned.skins, strict=True):
        np.testing.assert_allclose(after.deform(moved), before.deform(pose)[:, axes] * signs, atol=1e-5)
    clip = posable.motion.move(figure.rest, pose, 0.1)
    kept = with_up_axis(replace(figure, clips=(clip,)), up).clips[0]
    np.testing.assert_allclose(kept.poses.origins, clip.poses.origins[:, :, axes] * signs, atol=1e-9)
    np.testing.assert_allclose(back.rest.origins, figure.rest.origins, atol=1e-12)
