"""Figures: the rest pose, the height, clips by name, another root."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from skeleton.samples import arm

from posable.clips import Clip
from posable.errors import PosableError, SkeletonError, UnknownJointError
from posable.figures import Clips, Figure, Shape
from posable.skeleton import Axis, Joint, Skeleton
from posable.skin import Skin

AXES = (Axis((0, 0, 1)),)


def figure(root: str = "free") -> Figure:
    skeleton = Skeleton(
        [
            Joint("root", root, position=(1, 2, 3), wxyz=(0.6, 0.8, 0, 0)),  # type: ignore[arg-type]
            Joint("arm", parent="root", position=(0, 1, 0), axes=AXES, tips=((0, 0, -0.5),)),
        ],
        up="z",
    )
    skin = Skin.rigid(skeleton, "arm", np.eye(3), [[0, 1, 2]])
    q = skeleton.random_coordinates(np.random.default_rng(0), (4,))
    return Figure(skeleton, "f", [skin], [Clip(skeleton, q, 30, "wave"), Clip(skeleton, q, 24, "nod")])  # type: ignore[arg-type]


def test_rest_and_lists() -> None:
    f = figure()
    np.testing.assert_allclose(f.rest.origins[0], [1, 2, 3])
    assert isinstance(f.skins, tuple) and isinstance(f.clips, tuple)


def test_clips_by_number_and_name() -> None:
    clips: Any = figure().clips
    assert clips["nod"] is clips[1] is clips[-1]
    assert len(clips[:1]) == 1
    with pytest.raises(PosableError, match="no clip is called 'run'; the clips are wave, nod"):
        clips["run"]
    with pytest.raises(PosableError, match="no clip is called 'run'; the figure has none"):
        Figure(arm("ball", 1)).clips["run"]


def test_height_counts_skin_tips_joints_and_shapes() -> None:
    skeleton = Skeleton([Joint("a", "fixed"), Joint("b", "fixed", "a", (0, 2, 0), (0, 1, 0, 0), tips=((9, -1, 0),))])
    assert Figure(skeleton).height == 3
    skin = Skin.rigid(skeleton, "a", [[0, -4, 0], [0, 0, 0], [5, 0, 0]], [[0, 1, 2]])
    assert Figure(skeleton, skins=(skin,)).height == 7
    assert Figure(skeleton, shapes=(Shape("b", "sphere", (1,), (0, -6, 0)),)).height == 8
    assert Figure(Skeleton(skeleton.definitions, "z")).height == 0


@pytest.mark.parametrize(("before", "after"), [("free", "fixed"), ("fixed", "free")])
def test_another_root_leaves_everything_where_it_is(before: str, after: Any) -> None:
    f = figure(before)
    g = f.with_root(after)
    assert g.skeleton.definitions[0].kind == after
    np.testing.assert_allclose(g.rest.world_from_joint, f.rest.world_from_joint, rtol=0, atol=1e-15)
    np.testing.assert_allclose(g.skins[0].deform(g.rest), f.skins[0].deform(f.rest), rtol=0, atol=1e-6)
    assert g.skeleton.coordinates == f.skeleton.coordinates + (7 if after == "free" else -7)
    for one, other in zip(f.clips, g.clips, strict=True):
        assert (one.fps, one.name) == (other.fps, other.name)
        np.testing.assert_array_equal(one.poses.of("arm"), other.poses.of("arm"))
        np.testing.assert_allclose(
            other.poses.world_from_joint[:, 0], np.tile(f.rest.world_from_joint[0], (4, 1, 1)), atol=1e-15
        )
    back = g.with_root(before)  # type: ignore[arg-type]
    np.testing.assert_allclose(back.rest.world_from_joint, f.rest.world_from_joint, rtol=0, atol=1e-15)


def test_the_same_root_changes_nothing() -> None:
    f = figure()
    g = f.with_root("free")
    assert g.skeleton is f.skeleton
    np.testing.assert_array_equal(g.clips[0].q, f.clips[0].q)


def test_a_free_root_that_rests_elsewhere_is_fixed_there() -> None:
    root = Joint("root", "free", position=(1, 0, 0), rest=(4, 5, 6, 0, 1, 0, 0))
    fixed = Figure(Skeleton([root])).with_root("fixed")
    np.testing.assert_allclose(fixed.rest.origins[0], [4, 5, 6])
    still = Figure(Skeleton([Joint("root", "fixed", position=(1, 2, 3), rest=())]))
    np.testing.assert_allclose(still.with_root("free").rest.origins[0], [1, 2, 3])


def test_a_ball_root_becomes_free_and_keeps_its_rotations() -> None:
    """As of a BVH without positions, whose figure could not walk."""
    turn = (0.8, 0.6, 0.0, 0.0)
    root = Joint("hips", "ball", position=(0, 1, 0), wxyz=turn, rest=(0.6, 0.0, 0.8, 0.0))
    skeleton = Skeleton([root, Joint("leg", "ball", "hips", (0, -1, 0.2))])
    q = np.array([[0.0, 0.6, 0.0, 0.8, 1.0, 0.0, 0.0, 0.0], [0.8, 0.0, 0.6, 0.0, 0.0, 1.0, 0.0, 0.0]])
    figure = Figure(skeleton, clips=Clips([Clip(skeleton, q, 30.0)]))
    free = figure.with_root("free")
    assert free.skeleton.definitions[0].floating
    np.testing.assert_allclose(free.rest.world_from_joint, figure.rest.world_from_joint, atol=1e-12)
    frames = (one.clips[0].poses.world_from_joint for one in (free, figure))
    np.testing.assert_allclose(*frames, atol=1e-12)


def test_absolute_angles_stand_on_a_free_root_too() -> None:
    joints = [Joint("base", "fixed"), Joint("arm", parent="base", axes=AXES, absolute=True)]
    assert Figure(Skeleton(joints)).with_root("free").skeleton.dof == 7


def test_refused_roots() -> None:
    with pytest.raises(SkeletonError, match="a root is 'free' or 'fixed', not 'ball'"):
        figure().with_root("ball")  # type: ignore[arg-type]
    with pytest.raises(SkeletonError, match="the root 'j0' is a hinge joint; only a fixed or free one can be changed"):
        Figure(arm("hinge", 2)).with_root("free")


def test_parts_of_another_skeleton_are_refused() -> None:
    f = figure()
    with pytest.raises(UnknownJointError, match="no joint is called 'leg'"):
        Figure(f.skeleton, shapes=(Shape("leg", "sphere", (1,)),))
    with pytest.raises(PosableError, match="skin 'coat' is bound to another skeleton than the figure's"):
        Figure(arm("ball", 3), skins=(Skin.rigid(f.skeleton, "arm", np.eye(3), [[0, 1, 2]], name="coat"),))
    with pytest.raises(PosableError, match="clip 'wave' moves another skeleton than the figure's"):
        Figure(arm("ball", 3), clips=f.clips)
    renamed = Skeleton(replace(joint, name=f"{joint.name}_2", parent=None) for joint in f.skeleton.definitions)
    with pytest.raises(PosableError, match="clip 'wave' moves another skeleton than the figure's"):
        Figure(renamed, clips=f.clips)  # as many coordinates, but not the same joints
