"""What is drawn of a figure, and where."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from view.drawables import FACES, arm, ball, skinned, taken

import posable
from posable.figures import Shape, merge_figures, with_up_axis
from posable.skin.look import linear_colors
from posable.view.backdrop import Stage, srgb_code
from posable.view.camera import Camera
from posable.view.pictures import Shot
from posable.view.renderer import MOVING
from posable.view.scene import BONE_COLOR, SHAPE_COLOR, SKIN_COLOR, Bones, Scene


def test_a_skin_is_drawn_where_it_deforms_to_in_its_own_colors() -> None:
    vertices, faces = ball()
    colors = np.random.default_rng(0).uniform(0, 1, vertices.shape)
    figure = skinned(vertices + np.array((2, 1, 0)), faces, colors=colors)
    scene = Scene(figure)
    pose = posable.Pose(figure.skeleton, [0.8])
    placed, deformed = scene.placed(pose), figure.skins[0].deform(pose)
    assert set(map(tuple, placed)) == set(map(tuple, deformed))
    corners = scene.mesh.faces.ravel()
    assert placed[corners] == pytest.approx(deformed[faces.ravel()])
    expected = linear_colors(colors)[faces.ravel()]
    rank = np.corrcoef(scene.mesh.colors[corners].ravel(), expected.ravel())[0, 1]
    assert rank == pytest.approx(1), "paint is a straight line of the skin's linear color"


def test_shapes_stand_on_their_joints() -> None:
    figure = arm()
    pose = figure.rest.with_joint("shoulder", np.pi / 2)  # the arm lies along +x at height 0.2
    placed = Scene(figure).placed(pose)
    assert placed.max(axis=0) == pytest.approx([0.5 + 0.2 + 0.15 + 0.05, 0.15, 0.27], abs=2e-3)
    assert placed.min(axis=0) == pytest.approx([-0.2, -0.15, 0.0], abs=2e-3)


def test_bones_are_drawn_where_nothing_else_is_or_when_asked() -> None:
    bare, dressed = Scene(arm(shapes=False)), Scene(arm(), skin=False)
    assert bare.bare and dressed.bare and not Scene(arm()).bare
    assert (bare.mesh.faces == dressed.mesh.faces).all()
    low, high = bare.placed(bare.figure.rest)[:, 2].min(), bare.placed(bare.figure.rest)[:, 2].max()
    assert low < 0 < 1.1 <= high + 1e-6 and high < 1.12


def test_a_figure_with_shapes_on_few_of_its_joints_shows_bones_on_the_others() -> None:
    whole = arm()
    torn = posable.Figure(whole.skeleton, shapes=whole.shapes[:1])
    box = Scene(posable.Figure(posable.Skeleton(whole.skeleton.definitions[:1], "z"), shapes=whole.shapes[:1])).mesh
    scene, bones = Scene(torn), Bones.of(torn)
    assert not scene.bare and len(scene.mesh.faces) > len(box.faces)
    assert (scene.mesh.faces[: len(box.faces)] == box.faces).all(), "the box first, then the bones"
    shoulder = bones.ends(torn.rest)[0][1]
    placed = scene.placed(torn.rest)[len(box.groups) :]
    assert placed[:, 2].max() == pytest.approx(1.1, abs=0.01)
    assert placed[:, 2].min() > shoulder[2] - 0.05, "no bone within the box"


def test_shapes_much_shorter_than_their_bones_do_not_hide_them() -> None:
    """Robots without their meshes show small solids at their joints."""
    whole = arm()
    small = tuple(replace(shape, kind="sphere", size=(0.02,)) for shape in whole.shapes)
    scene = Scene(posable.Figure(whole.skeleton, shapes=small))
    assert scene.placed(whole.rest)[:, 2].max() == pytest.approx(1.1, abs=0.01), "to the tip of the last bone"
    assert Scene(whole).placed(whole.rest)[:, 2].max() < 1.1 - 0.01 + 0.05


def test_a_bone_follows_a_slide() -> None:
    slide = posable.Joint("slide", "slide", "base", position=(0, 1, 0), axes=(posable.Axis((0, 1, 0), slide=True),))
    figure = posable.Figure(posable.Skeleton([posable.Joint("base", "fixed"), slide], "y"))
    scene = Scene(figure)
    for length in (0.0, 2.0):
        assert scene.placed(posable.Pose(figure.skeleton, [length]))[:, 1].max() == pytest.approx(1 + length, abs=0.06)


def test_far_helper_joints_are_left_out_where_there_is_a_skin() -> None:
    joints = [
        posable.Joint("root", "fixed"),
        posable.Joint("hip", "ball", "root", position=(0, 1, 0)),
        posable.Joint("knee", "ball", "hip", position=(0, -0.5, 0)),
        posable.Joint("ankle", "ball", "knee", position=(0, -0.4, 0)),
        posable.Joint("pole_target", "fixed", "root", position=(0, 0, 90)),
    ]
    skeleton = posable.Skeleton(joints, "y")
    skins = [posable.Skin.rigid(skeleton, name, np.eye(3), [[0, 1, 2]]) for name in ("hip", "ankle")]
    figure = posable.Figure(skeleton, skins=tuple(skins))
    bones = Bones.of(figure)
    assert list(zip(bones.start.tolist(), bones.end.tolist(), strict=True)) == [(1, 2), (2, 3)]
    assert Scene(figure).outline(figure.rest).max() < 3
    assert len(Bones.of(posable.Figure(skeleton)).start) == 4, "a bare skeleton shows all it has"


def test_handles_are_left_out_where_there_is_no_skin_too() -> None:
    """Recordings of the mannequin of Unreal had bones as long as the figure, from the ground to its IK handles."""
    figure = posable.figure("mannequin")
    handles = [
        posable.Joint("ik_hand_root", "ball", figure.skeleton.joints[0]),
        posable.Joint("ik_hand_gun", "ball", "ik_hand_root", (-0.5, 0.5, 0.0)),
        posable.Joint("ik_hand_l", "ball", "ik_hand_gun", (1.0, 0.0, 0.0)),
    ]
    bare = posable.Figure(figure.skeleton)
    handled = posable.Figure(posable.Skeleton([*figure.skeleton.definitions, *handles]))
    assert len(Bones.of(handled).start) == len(Bones.of(bare).start)


def test_a_root_on_the_ground_is_no_leg_beside_what_else_hangs_on_it() -> None:
    """The mannequin of Unreal had a third leg in pictures: its root carries its pelvis, IK handles and points."""
    own = posable.figure("mannequin").skeleton.definitions
    first = replace(own[0], name="pelvis", parent="root", kind="ball", axes=(), rest=None)
    others = [replace(joint, parent="pelvis") if joint.parent == own[0].name else joint for joint in own[1:]]
    beside = [
        posable.Joint("ik_foot_root", "ball", "root"),
        posable.Joint("ik_foot_l", "ball", "ik_foot_root", (0.1, 0.1, 0.0)),
        posable.Joint("center_of_mass", "ball", "root"),
    ]
    skeleton = posable.Skeleton([posable.Joint("root", "free"), first, *others, *beside], "y")
    assert posable.joint_uses(posable.Figure(skeleton))["root"] == "helper"
    bones = Bones.of(posable.Figure(skeleton))
    assert (0, 1) not in set(zip(bones.start.tolist(), bones.end.tolist(), strict=True))


def test_no_bone_leads_from_the_origin_to_the_hips(tmp_path: Path) -> None:
    """As in motion capture, whose first joint stays at the origin while its hips are anywhere in the room."""
    own = posable.figure("mannequin").skeleton.definitions
    first = replace(own[0], name="pelvis", parent="scene", position=(9.0, 1.0, 0.0), kind="ball", axes=(), rest=None)
    others = [replace(joint, parent="pelvis") if joint.parent == own[0].name else joint for joint in own[1:]]
    skeleton = posable.Skeleton([posable.Joint("scene", "fixed"), first, *others], "y")
    bones = Bones.of(posable.Figure(skeleton))
    assert 0 not in bones.start and {1} <= {*bones.start.tolist()}
    posable.save(tmp_path / "bare.glb", posable.Figure(skeleton))
    held = (tmp_path / "bare.glb").read_bytes()
    nodes = json.loads(held[20 : 20 + int.from_bytes(held[12:16], "little")])["nodes"]
    assert "mesh" not in nodes[0] and "mesh" in nodes[1]


def test_the_outline_is_the_outermost_points() -> None:
    vertices, faces = ball()
    figure = skinned(vertices * (3, 2, 1), faces)
    outline = Scene(figure).outline(figure.rest)
    assert len(outline) < 120
    assert np.ptp(outline, axis=0) == pytest.approx([6, 4, 2], rel=1e-2)


def test_default_colors_are_told_apart() -> None:
    assert len({SKIN_COLOR, SHAPE_COLOR, BONE_COLOR}) == 3


@pytest.mark.parametrize("scale", [0.01, 100.0])
@pytest.mark.parametrize("shapes", [True, False])
def test_a_figure_of_any_size_looks_the_same(scale: float, shapes: bool) -> None:
    one, other = taken(arm(shapes=shapes)), taken(arm(scale, shapes=shapes))
    assert (np.abs(one.astype(int) - other).max(axis=-1) <= 2).mean() > 0.995


def test_the_same_figure_y_up_or_z_up_looks_the_same() -> None:
    vertices, faces = ball(around=24)
    vertices = vertices * (0.6, 1, 0.3) + (0.3, 2, 0)
    turned = vertices[:, [2, 0, 1]]  # y up facing z → z up facing x
    one, other = taken(skinned(vertices, faces)), taken(skinned(turned, faces, "z"))
    assert (np.abs(one.astype(int) - other).max(axis=-1) <= 1).mean() > 0.999


@pytest.mark.parametrize(
    "figure",
    [
        posable.Figure(posable.Skeleton([posable.Joint("alone", "fixed")], "y")),
        skinned(np.zeros((4, 3)), FACES),
        skinned(np.zeros((0, 3)), np.zeros((0, 3))),
        skinned(np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)]), np.array([[0, 1, 2], [0, 0, 3]])),
        skinned(np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]), FACES),
        skinned(1e6 + np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]), FACES),
    ],
    ids=["one joint", "all in one point", "empty", "no area", "flat", "far away"],
)
def test_degenerate_figures_still_give_a_picture(figure: posable.Figure) -> None:
    with np.errstate(all="raise", under="ignore"):
        image = taken(figure)
    assert image.shape == (96, 96, 3) and image.min() > 0


def test_the_ground_is_under_the_feet_and_where_the_world_has_it() -> None:
    box = np.array([(-1, 0, -1), (1, 3, 1)], float)
    for shift, ground in ((0.0, 0.0), (0.5, 0.0), (-0.01, 0.0), (-1.0, -1.0), (4.0, 4.0)):
        stage = Stage.around(box + np.array((0, shift, 0)), "y")
        assert stage.place((0, ground, 0))[2] == pytest.approx(0, abs=1e-6)
        assert stage.size == pytest.approx(3)
    assert Stage.around(box, "y").place((0, 3, 1)) == pytest.approx([1 / 3, 0, 1])
    assert Stage.around(box[:, [2, 0, 1]], "z").place((1, 0, 3)) == pytest.approx([1 / 3, 0, 1])


def with_sword(kind: str, height: float = 0.0) -> posable.Figure:
    """A body 2 high on its foot, that holds a rod 1 long upwards at 0.6."""
    place = (0.0, height, 0.0)
    joints = [
        posable.Joint("body", kind, position=place),  # pyright: ignore[reportArgumentType]
        posable.Joint("grip", "ball", "body", position=(0.3, 0.6, 0)),
    ]
    shapes = (
        Shape("body", "box", (0.4, 2.0, 0.4), (0, 1.0, 0)),
        Shape("grip", "box", (0.05, 1.0, 0.05), (0, 0.5, 0)),
    )
    return posable.Figure(posable.Skeleton(joints), shapes=shapes)


@pytest.mark.parametrize("height", [0.0, -3.0])
def test_a_sword_that_goes_through_the_ground_does_not_lower_it(height: float) -> None:
    figure = with_sword("free", height)
    down = figure.rest.with_joint("grip", (0.0, 0.0, 0.0, 1.0))
    for poses in ([down], [figure.rest, down], [figure.rest]):
        stage = Shot.of(Scene(figure), poses, (64, 64), (), "three_quarter", MOVING, skeleton=False).renderer.stage
        assert stage.place((0, height, 0))[2] == pytest.approx(0, abs=1e-6)


def test_the_ground_hides_what_is_below_it() -> None:
    """It was drawn over the floor, as if it stood before it."""
    figure, grip = with_sword("free"), np.array((0.0, 0.0, 0.0, 1.0))  # 0.4 of the sword is below the ground
    cut = replace(figure, shapes=(figure.shapes[0], Shape("grip", "box", (0.05, 0.61, 0.05), (0, 0.305, 0))))
    looks = [Camera((3.0, height, 4.0), (0.0, 0.6, 0.0), field_of_view=40) for height in (1.5, -1.0)]
    for look, is_same in zip(looks, (True, False), strict=True):
        whole, shorter = (taken(one, look, pose=one.rest.with_joint("grip", grip)) for one in (figure, cut))
        different = np.abs(whole.astype(int) - shorter.astype(int)).max()
        assert different < 25 if is_same else different > 60


def test_what_is_fixed_may_hang_lower_than_it_stands() -> None:
    figure = with_sword("fixed")
    down = figure.rest.with_joint("grip", (0.0, 0.0, 0.0, 1.0))
    stage = Shot.of(Scene(figure), [down], (64, 64), (), "three_quarter", MOVING, skeleton=False).renderer.stage
    assert stage.place((0, -0.4, 0))[2] == pytest.approx(0, abs=1e-6)


def test_a_handstand_is_on_the_hands() -> None:
    figure = with_sword("free", 5.0)
    upside_down = figure.rest.with_joint("body", (0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    stage = Shot.of(Scene(figure), [upside_down], (64, 64), (), "three_quarter", MOVING, skeleton=False).renderer.stage
    assert stage.place((0, 7.0, 0))[2] == pytest.approx(0, abs=1e-6)


def test_srgb_goes_to_light_and_back() -> None:
    levels = np.arange(256) / 255
    code = srgb_code()
    back = code[np.round(linear_colors(levels) * (len(code) - 1)).astype(int)]
    assert back == pytest.approx(np.arange(256), abs=0.55)
    assert linear_colors(np.array(0.5)) == pytest.approx(0.214041, abs=1e-6)


def test_a_robot_without_meshes_keeps_its_bones_beside_a_person() -> None:
    person, robot = posable.figure("mannequin"), with_up_axis(arm(shapes=False), "y")
    both = merge_figures({"person": person, "robot": robot}, {"robot": (2.0, 0.0, 0.0)})
    assert len(Scene(both).mesh.faces) == len(Scene(person).mesh.faces) + len(Scene(robot).mesh.faces)
    beside, alone = (
        Scene(both).placed(both.rest),
        Scene(robot).placed(robot.rest) + np.array([2.0, 0.0, 0.0], np.float32),
    )
    seen = beside[beside[:, 0] > 1.5]
    np.testing.assert_allclose(seen.max(axis=0), alone.max(axis=0), atol=1e-6)
    np.testing.assert_allclose(seen.min(axis=0), alone.min(axis=0), atol=1e-6)
