"""GLB from figures that never were glTF: everything that posable knows comes back, and others can show it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from formats.plain_gltf import PlainGltf, split_glb
from formats.test_gltf_keep import check_structure

import posable
from posable.clips import Clip
from posable.errors import UnsupportedFileError
from posable.figures import Figure, Shape, scaled
from posable.formats import load, save
from posable.skeleton import Axis, Cone, Follow, Joint, Pose, Skeleton
from posable.skin import Skin

BUILT_IN = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
FREE = (-math.inf, math.inf)


def every_kind(up: str = "y") -> Skeleton:
    """A skeleton with every kind of joint and everything that a joint can say."""
    half = 0.5**0.5
    return Skeleton(
        [
            Joint("root", "free", None, (0.1, 0.2, 0.3), (0.5, 0.5, 0.5, 0.5), mass=3.0, mass_center=(0, 0.1, 0)),
            Joint("fixed", "fixed", "root", (0, 1, 0), wxyz=(2.0, 0, 0, 0.5), aliases=("a link", "ü")),
            Joint("hinge", "hinge", "fixed", (0, 1, 0), axes=(Axis((1, 2, 0), False, (0.1, 0, 0), -0.5),), ease=0.1),
            Joint("slide", "slide", "hinge", (0, 1, 0), axes=(Axis((0, 0, 1), True, lower=-1, upper=2, name="w"),)),
            Joint("twist", "twist", "slide", (0, 1, 0), axes=(Axis((0, 1, 0)),), comfort=((-1, math.inf),), rest=(1,)),
            Joint("universal", "universal", "twist", (0, 1, 0), axes=(Axis((1, 0, 0)), Axis((0, 0, 1))), stiffness=2),
            Joint(
                "ball", "ball", "universal", (0, 1, 0), wxyz=(half, half, 0, 0), anchor=(0, 0.1, 0), elasticity=2.0,
                cone=Cone((0, 1, 0), 1.0, (-0.5, 0.25), (half, 0, half, 0)), active=(True, False, True),
                comfort=((-math.inf, 1), (0, 0.5), (-1, 1)),
            ),
            Joint(
                "planar", "planar", "ball", (0, 1, 0), tips=((0, 0.5, 0), (0.1, 0, 0)),
                capsules=((0, 0, 0, 0, 1, 0, 0.2),),
            ),
            Joint(
                "compound", "compound", "planar", (0, 1, 0),
                axes=(Axis((1, 0, 0), slide=True), Axis((0, 1, 0)), Axis((0, 0, 1), reference=0.25)),
            ),
            Joint("mimic", "hinge", "compound", (0, 1, 0), axes=(Axis((0, 0, 1), follow=Follow("hinge", -2.0, 0.1)),)),
            Joint("absolute", "hinge", "root", (1, 0, 0), axes=(Axis((0, 0, 1)),)),
        ],
        up,  # type: ignore[arg-type]
    )  # fmt: skip


def absolute_chain() -> Skeleton:
    """Three hinges that count from the root's frame."""
    hinges = [Joint("base", "fixed")]
    for above, name in (("base", "a"), ("a", "b"), ("b", "c")):
        hinges.append(Joint(name, "hinge", above, (0, 1, 0), axes=(Axis((0, 0, 1)),), absolute=True))
    return Skeleton(hinges)


def figures() -> list[Figure]:
    made = [posable.figure(name) for name in BUILT_IN]
    kinds = [Figure(every_kind(up), f"kinds {up}") for up in ("y", "z")]
    return [*made, *kinds, Figure(absolute_chain(), "absolute")]


ALL = figures()


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_the_skeleton_comes_back_equal(figure: Figure, tmp_path: Path) -> None:
    save(tmp_path / "out.glb", figure)
    again = load(tmp_path / "out.glb")
    assert again.skeleton == figure.skeleton
    assert again.skeleton.definitions == figure.skeleton.definitions
    assert again.shapes == figure.shapes
    assert len(again.skins) == len(figure.skins)
    assert again.notes == ()
    np.testing.assert_allclose(again.rest.q, figure.rest.q, atol=1e-12)


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_a_pose_comes_back(figure: Figure, tmp_path: Path) -> None:
    pose = Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(1)))
    save(tmp_path / "out.glb", figure, pose)
    again = load(tmp_path / "out.glb")
    assert np.abs(again.rest.world_from_joint - pose.world_from_joint).max() < 1e-6 * figure.skeleton.reach
    assert [replace(j, rest=None) for j in again.skeleton.definitions] == [
        replace(j, rest=None) for j in figure.skeleton.definitions
    ]


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_clips_come_back(figure: Figure, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    end = Pose(figure.skeleton, figure.skeleton.random_coordinates(rng))
    way = end.minus(figure.rest)
    clip = Clip(figure.skeleton, figure.rest.plus(way * np.linspace(0, 1, 12)[:, None]).q, 25, "there")
    save(tmp_path / "out.glb", replace(figure, clips=(clip,)), Clip(figure.skeleton, clip.q[::-1], 60, "back"))
    again = load(tmp_path / "out.glb")
    assert [(c.name, c.fps, len(c)) for c in again.clips] == [("there", 25, 12), ("back", 60, 12)]
    error = np.abs(again.clips[0].poses.world_from_joint - clip.poses.world_from_joint).max()
    assert error < 2e-6 * figure.skeleton.reach
    lone = [j for j in figure.skeleton.definitions if len(j.axes) == 1]
    for joint in lone:
        np.testing.assert_allclose(again.clips[0].poses.of(joint.name), clip.poses.of(joint.name), atol=2e-6)


def test_turns_beyond_half_a_turn_come_back_in_clips(tmp_path: Path) -> None:
    figure = posable.figure("arm6")
    hinge = next(j.name for j in figure.skeleton.definitions if j.kind == "hinge")
    free = Figure(figure.skeleton.without_limits(), "wheel")
    q = np.tile(free.rest.q, (40, 1))
    q[:, free.skeleton.tables.first_coordinate[free.skeleton.index(hinge)]] = np.linspace(0, 9, 40)
    save(tmp_path / "out.glb", free, Clip(free.skeleton, q, 30, "spin"))
    np.testing.assert_allclose(load(tmp_path / "out.glb").clips["spin"].q, q, atol=1e-5)
    check_structure(tmp_path / "out.glb")


@pytest.mark.parametrize("name", ["mannequin", "snake"])
def test_skins_come_back(name: str, tmp_path: Path) -> None:
    figure = posable.figure(name)
    save(tmp_path / "out.glb", figure)
    again = load(tmp_path / "out.glb")
    pose = Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(3)))
    for one, two in zip(figure.skins, again.skins, strict=True):
        assert np.abs(one.deform(pose) - two.deform(Pose(again.skeleton, pose.q))).max() < 2e-6 * figure.skeleton.reach
        np.testing.assert_array_equal(one.vertices, two.vertices)
        np.testing.assert_array_equal(one.faces, two.faces)
        if one.colors is None:
            assert two.colors is None
        else:
            assert two.colors is not None
            np.testing.assert_allclose(one.colors, two.colors, atol=1e-5)


def test_skins_with_many_influences_and_joints_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    skeleton = Skeleton(
        [Joint("j0", "free"), *(Joint(f"j{k}", "ball", f"j{k - 1}", (0, 0.1, 0)) for k in range(1, 300))]
    )
    weights = rng.random((400, 7))
    weights[0] = (1, 0, 0, 0, 0, 0, 0)
    weights /= weights.sum(axis=1, keepdims=True)
    joints = np.array([rng.choice(300, 7, replace=False) for _ in range(400)])
    skin = Skin(
        skeleton, rng.random((400, 3)), rng.integers(0, 400, (9, 3)), joints, weights, np.tile(np.eye(4), (300, 1, 1))
    )
    figure = Figure(skeleton, skins=(skin,))
    save(tmp_path / "out.glb", figure)
    raw, _ = split_glb((tmp_path / "out.glb").read_bytes())
    assert sorted(raw["meshes"][0]["primitives"][0]["attributes"]) == [
        "JOINTS_0", "JOINTS_1", "NORMAL", "POSITION", "WEIGHTS_0", "WEIGHTS_1",
    ]  # fmt: skip
    again = load(tmp_path / "out.glb")
    pose = Pose(skeleton, skeleton.random_coordinates(rng))
    np.testing.assert_allclose(again.skins[0].deform(Pose(again.skeleton, pose.q)), skin.deform(pose), atol=1e-4)


@pytest.mark.parametrize("figure", ALL, ids=lambda f: f.name)
def test_others_open_it_and_see_the_figure_upright(figure: Figure, tmp_path: Path) -> None:
    pose = Pose(figure.skeleton, figure.skeleton.random_coordinates(np.random.default_rng(4)))
    clip = Clip(figure.skeleton, np.stack([figure.rest.q, pose.q]), 30, "new")
    save(tmp_path / "out.glb", figure, clip)
    assert pygltflib.GLTF2().load(tmp_path / "out.glb") is not None
    check_structure(tmp_path / "out.glb")
    plain = PlainGltf(tmp_path / "out.glb")
    worlds = plain.world({})
    assert any("mesh" in node for node in plain.nodes)
    places = np.array([worlds[j][:3, 3] for j in range(len(figure.skeleton.joints))])
    upright = (
        figure.rest.origins if figure.skeleton.up == "y" else figure.rest.origins @ [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    )
    np.testing.assert_allclose(places, upright, atol=1e-9)


def test_several_roots_and_z_up_get_a_frame_that_is_no_joint(tmp_path: Path) -> None:
    skeleton = Skeleton([Joint("a", "ball"), Joint("b", "ball", position=(1, 0, 0))])
    save(tmp_path / "out.glb", Figure(skeleton, "pair"))
    raw, _ = split_glb((tmp_path / "out.glb").read_bytes())
    assert [node["name"] for node in raw["nodes"]] == ["a", "b", "pair frame"]
    again = load(tmp_path / "out.glb")
    assert again.skeleton == skeleton
    save(tmp_path / "again.glb", again, Clip(again.skeleton, np.tile(again.rest.q, (2, 1)), 30, "still"))
    assert load(tmp_path / "again.glb").skeleton == skeleton


def test_a_figure_with_shapes_and_colours(tmp_path: Path) -> None:
    skeleton = Skeleton([Joint("a", "ball"), Joint("b", "ball", "a", (1, 0, 0))])
    shapes = (
        Shape("a", "box", (1, 2, 3), (0.1, 0, 0), (0.5, 0.5, 0.5, 0.5), (0.2, 0.4, 0.6)),
        Shape("a", "sphere", (0.5,)),
        Shape("b", "capsule", (0.1, 1.0)),
        Shape("b", "cylinder", (0.1, 1.0)),
        Shape("b", "ellipsoid", (0.1, 1.0, 2.0)),
    )
    save(tmp_path / "out.glb", Figure(skeleton, shapes=shapes))
    again = load(tmp_path / "out.glb")
    assert again.shapes == shapes
    assert again.skins == ()
    plain = PlainGltf(tmp_path / "out.glb")
    corner = plain.accessor(plain.raw["meshes"][0]["primitives"][0]["attributes"]["POSITION"])[0]
    np.testing.assert_allclose(np.abs(corner - (0.1, 0, 0)), (1.5, 0.5, 1.0))


def test_a_scaled_figure_is_written_afresh(shared: Path, tmp_path: Path) -> None:
    figure = scaled(load(shared / "characters/Fox.glb"), 0.01)
    save(tmp_path / "out.glb", figure)
    again = load(tmp_path / "out.glb")
    assert again.skeleton == figure.skeleton
    assert again.height == pytest.approx(figure.height, rel=1e-6)
    for one, two in zip(figure.clips, again.clips, strict=True):
        assert (one.name, one.fps, len(one)) == (two.name, two.fps, len(two))
        assert np.abs(one.poses.origins - two.poses.origins).max() < 1e-6 * figure.skeleton.reach


def test_a_fresh_gltf_is_one_text_file(tmp_path: Path) -> None:
    figure = posable.figure("telescope")
    save(tmp_path / "out.gltf", figure)
    assert load(tmp_path / "out.gltf").skeleton == figure.skeleton
    assert [path.name for path in tmp_path.iterdir()] == ["out.gltf"]


def test_a_vrm_cannot_be_made_of_other_figures(tmp_path: Path) -> None:
    with pytest.raises(
        UnsupportedFileError, match=r"only a figure that was read from a VRM can be written as one; write a \.glb"
    ):
        save(tmp_path / "out.vrm", posable.figure("mannequin"))


def test_accessors_lie_where_their_numbers_may(tmp_path: Path) -> None:
    skeleton = Skeleton([Joint("a", "ball")])
    skin = Skin.rigid(skeleton, "a", np.eye(3), [[0, 1, 2]])
    save(
        tmp_path / "out.glb", Figure(skeleton, skins=(skin, skin)), Clip(skeleton, skeleton.rest_coordinates[None], 30)
    )
    check_structure(tmp_path / "out.glb")


def test_morph_targets_go_there_and_back(tmp_path: Path) -> None:
    body = posable.figure("mannequin")
    rng = np.random.default_rng(0)
    morphs = rng.normal(size=(2, len(body.skins[0].vertices), 3)).astype(np.float32)
    skin = replace(body.skins[0], morphs=morphs, morph_names=("smile", "frown"))
    posable.save(tmp_path / "man.glb", replace(body, skins=(skin,)))
    again = posable.load(tmp_path / "man.glb").skins[0]
    assert again.morph_names == ("smile", "frown") and again.morphs is not None
    np.testing.assert_array_equal(again.morphs, morphs)


def test_a_figure_of_many_joints_is_read_again(tmp_path: Path) -> None:
    """The bones that are drawn for other programs cost the reader no bind matrices."""
    joints = [Joint("j0", "ball"), *(Joint(f"j{k}", "ball", f"j{k - 1}", (0, 0.01, 0)) for k in range(1, 1500))]
    save(tmp_path / "long.glb", Figure(Skeleton(joints)))
    assert load(tmp_path / "long.glb").skeleton.joints == Skeleton(joints).joints
