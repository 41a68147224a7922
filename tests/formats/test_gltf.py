"""Reading glTF: which nodes become joints, of what kind, with what names; scales folded; meshes; clips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from formats.gltf_models import Model, arm
from formats.plain_gltf import PlainGltf

import posable
from posable.figures import Figure
from posable.formats import load
from posable.formats.gltf.animations import Animation, Channel
from posable.formats.gltf.motion import frame_rate
from posable.skeleton import Pose
from posable.spatial import wxyz_about


def kinds(figure: Figure) -> dict[str, str]:
    return {joint.name: joint.kind for joint in figure.skeleton.definitions}


def test_the_topmost_joint_of_a_skin_is_free_others_are_balls_what_is_above_is_fixed(tmp_path: Path) -> None:
    figure = load(arm().glb(tmp_path))
    assert kinds(figure) == {"Armature": "fixed", "upper": "free", "lower": "ball"}
    assert figure.skeleton.up == "y"
    assert figure.name == "model"
    assert figure.notes == ()


def test_glb_and_gltf_are_known_by_their_content(tmp_path: Path) -> None:
    binary, text = load(arm().glb(tmp_path, "text.gltf")), load(arm().gltf(tmp_path, "binary.glb"))
    assert binary.skeleton == text.skeleton
    np.testing.assert_array_equal(binary.skins[0].vertices, text.skins[0].vertices)


def test_several_topmost_joints_hang_on_a_free_ancestor(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][0]["children"] = [1, 4]
    model.add("nodes", name="tail")
    model.raw["skins"][0] = {"joints": [1, 2, 4]}
    assert kinds(load(model.glb(tmp_path))) == {"Armature": "free", "upper": "ball", "lower": "ball", "tail": "ball"}


def test_each_tree_of_its_own_has_a_free_root(tmp_path: Path) -> None:
    model = arm()
    model.add("nodes", name="other")
    model.raw["skins"].append({"joints": [4]})
    assert kinds(load(model.glb(tmp_path)))["other"] == "free"


def test_a_node_between_joints_is_fixed_until_an_animation_turns_it(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][1]["children"] = [4]
    model.add("nodes", name="between", children=[2])
    assert kinds(load(model.glb(tmp_path)))["between"] == "fixed"
    model.animation(4, "rotation", [0, 1], [[0, 0, 0, 1], [0.6, 0, 0, 0.8]])
    assert kinds(load(model.glb(tmp_path)))["between"] == "ball"


def test_what_an_animation_shifts_is_free_but_not_for_solvers(tmp_path: Path) -> None:
    model = arm()
    model.animation(2, "translation", [0, 1], [[0, 2, 0], [0, 2.5, 0]])
    model.animation(0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]])
    figure = load(model.glb(tmp_path))
    upper, lower, above = (
        figure.skeleton.definitions[figure.skeleton.index(n)] for n in ("upper", "lower", "Armature")
    )
    assert (lower.kind, lower.active) == ("free", (False, False, False, True, True, True))
    assert (above.kind, above.active) == ("free", (False,) * 6)
    assert (upper.kind, upper.active) == ("free", None)


def test_what_an_animation_only_repeats_moves_nothing(tmp_path: Path) -> None:
    model = arm()
    model.animation(2, "translation", [0, 1], [[0, 2, 0], [0, 2.000001, 0]])
    assert kinds(load(model.glb(tmp_path)))["lower"] == "ball"


def test_without_skins_every_node_is_a_joint(tmp_path: Path) -> None:
    model = Model()
    model.add("nodes", name="a", children=[1])
    model.add("nodes", name="b", translation=[1, 0, 0])
    assert kinds(load(model.glb(tmp_path))) == {"a": "free", "b": "ball"}


def test_names_are_made_unique_and_that_is_said(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][1]["name"] = model.raw["nodes"][0]["name"]
    del model.raw["nodes"][2]["name"]
    figure = load(model.glb(tmp_path))
    assert figure.skeleton.joints == ("Armature", "Armature_2", "node_2")
    assert figure.notes == ("1 nodes with repeated names were renamed: Armature_2 (was Armature)",)


def test_childless_nodes_are_where_joints_end(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2] |= {"children": [4], "scale": [2, 2, 2]}
    model.add("nodes", name="lower_end", translation=[0, 0.5, 0])
    figure = load(model.glb(tmp_path))
    assert figure.skeleton.definitions[2].tips == ((0.0, 1.0, 0.0),)


def test_balls_rest_at_identity_in_their_nodes_rotation(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["rotation"] = [0.6, 0, 0, 0.8]
    figure = load(model.glb(tmp_path))
    lower = figure.skeleton.definitions[2]
    np.testing.assert_allclose(lower.wxyz, (0.8, 0.6, 0, 0))
    np.testing.assert_array_equal(figure.rest.of("lower"), (1, 0, 0, 0))


@pytest.mark.parametrize("scale", [100.0, 0.01, -2.0])
def test_even_scales_are_folded_away_exactly_in_every_pose(tmp_path: Path, scale: float) -> None:
    plain, scaled = arm(), arm()
    inverse = np.tile(np.eye(4), (2, 1, 1)) / scale
    inverse[:, 3, 3] = 1
    inverse[0, 1, 3], inverse[1, 1, 3] = -1 / scale, -3 / scale
    scaled = arm(inverse_bind=inverse)
    scaled.raw["nodes"][0]["scale"] = [scale] * 3
    scaled.raw["nodes"][1]["translation"] = [0, 1 / scale, 0]
    scaled.raw["nodes"][2]["translation"] = [0, 2 / scale, 0]
    one, two = load(plain.glb(tmp_path, "one.glb")), load(scaled.glb(tmp_path, "two.glb"))
    pose = one.skeleton.random_coordinates(np.random.default_rng(0))
    np.testing.assert_allclose(two.rest.origins, one.rest.origins, atol=1e-12)
    np.testing.assert_allclose(
        two.skins[0].deform(Pose(two.skeleton, pose)), one.skins[0].deform(Pose(one.skeleton, pose)), atol=1e-5
    )


def follows(figure: Figure, plain: PlainGltf) -> None:
    """The skin of the first clip is where the letter of glTF has it, in every frame."""
    clip = figure.clips[0]
    for frame in range(len(clip)):
        np.testing.assert_allclose(
            figure.skins[0].matrices(clip.poses[frame])[1:],
            plain.joint_matrices(plain.world(plain.at(0, frame / clip.fps)), 0),
            atol=2e-6,
        )
        np.testing.assert_allclose(
            figure.skins[0].deform(clip.poses[frame]), figure.skins[0].deform(clip.poses)[frame], atol=1e-6
        )


TURNS = [[0, 0, 0, 1], [0.1, 0.7, 0.1, 0.7], [0.5, 0.1, -0.7, 0.5]]


@pytest.mark.parametrize("node", [0, 1])
def test_uneven_scales_above_moving_joints_are_exact_in_every_pose_and_noted(tmp_path: Path, node: int) -> None:
    model = arm()
    model.raw["nodes"][node] |= {"scale": [1, 2, 3], "rotation": [0.1, 0.2, 0.3, 0.9]}
    model.raw["nodes"][2]["rotation"] = [0.5, 0.5, 0.5, 0.5]
    model.animation(1, "rotation", [0, 1, 2], TURNS)
    model.animation(2, "rotation", [0, 1, 2], TURNS[::-1])
    figure, plain = load(model.glb(tmp_path)), PlainGltf(tmp_path / "model.glb")
    assert "non-uniform scales are above moving ones" in figure.notes[0]
    assert figure.notes[0].endswith("their skin is exact in every pose, the positions of joints only at rest")
    follows(figure, plain)
    np.testing.assert_allclose(
        figure.skins[0].matrices(figure.rest)[1:], plain.joint_matrices(plain.world({}), 0), atol=1e-12
    )


@pytest.mark.parametrize("scale", [(-1, 1, 1), (2, -2, 2), (-1, -1, 1), (-0.5, 0.5, -0.5)])
def test_mirrored_scales_are_exact_in_every_pose_and_come_back(tmp_path: Path, scale: tuple[float, ...]) -> None:
    model = arm()
    model.raw["nodes"][0] |= {"scale": list(scale), "rotation": [0.1, 0.2, 0.3, 0.9]}
    model.animation(0, "rotation", [0, 1, 2], TURNS)
    model.animation(2, "rotation", [0, 1, 2], TURNS[::-1])
    figure, plain = load(model.glb(tmp_path)), PlainGltf(tmp_path / "model.glb")
    assert figure.notes == () and figure.skins[0].scales is None
    for frame in (0, len(figure.clips[0]) // 2):
        world = plain.world(plain.at(0, frame / figure.clips[0].fps))
        places = figure.clips[0].poses[frame].origins
        np.testing.assert_allclose(places, [world[n][:3, 3] for n in range(3)], atol=2e-6)
    follows(figure, plain)
    pose = figure.clips[0].poses[len(figure.clips[0]) // 2]
    posable.save(tmp_path / "again.glb", figure, pose)
    again = load(tmp_path / "again.glb")
    np.testing.assert_allclose(again.rest.origins, pose.origins, atol=1e-6)
    np.testing.assert_allclose(again.skins[0].deform(again.rest), figure.skins[0].deform(pose), atol=1e-5)
    posable.save(tmp_path / "clip.glb", replace(figure, clips=(replace(figure.clips[0], name="new"),)))
    copied = load(tmp_path / "clip.glb").clips["new"]
    np.testing.assert_allclose(copied.poses.origins, figure.clips[0].poses.origins, atol=1e-5)


def test_uneven_scales_on_the_last_joint_are_exact_and_need_no_note(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["scale"] = [1, 2, 3]
    figure = load(model.glb(tmp_path))
    assert figure.notes == ()


def test_matrices_are_taken_apart_and_shear_is_kept_and_said(tmp_path: Path) -> None:
    model = arm()
    shear = np.eye(4)
    shear[0, 1], shear[:3, 3] = 0.5, (1, 2, 3)
    model.raw["nodes"][2].pop("translation")
    model.raw["nodes"][2]["matrix"] = shear.T.ravel().tolist()
    figure = load(model.glb(tmp_path))
    assert figure.notes == ("nodes[2] ('lower'): its matrix shears; the shear is kept as it is at rest",)
    np.testing.assert_allclose(figure.rest.origins[2], (1, 3, 3))
    plain = PlainGltf(tmp_path / "model.glb")
    np.testing.assert_allclose(
        figure.skins[0].matrices(figure.rest)[2], plain.joint_matrices(plain.world({}), 0)[1], atol=1e-12
    )


def test_rigid_meshes_hang_on_the_joint_above_them(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["children"] = [4]
    model.add("nodes", name="slot", children=[5], translation=[0, 0, 1])
    model.add("nodes", name="sword", mesh=0, scale=[2, 2, 2])
    figure = load(model.glb(tmp_path))
    sword = next(skin for skin in figure.skins if skin.name == "sword")
    assert figure.skeleton.joints == ("Armature", "upper", "lower")
    np.testing.assert_array_equal(sword.joints, 2)
    np.testing.assert_allclose(sword.deform(figure.rest)[0], (-1, 3, 1))


def test_an_animated_prop_gets_its_own_joint(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["children"] = [4]
    model.add("nodes", name="wheel", mesh=0)
    model.animation(4, "rotation", [0, 1], [[0, 0, 0, 1], [0.6, 0, 0, 0.8]])
    assert kinds(load(model.glb(tmp_path)))["wheel"] == "ball"


def test_scenery_is_left_out_and_said(tmp_path: Path) -> None:
    model = arm()
    model.add("nodes", name="ground", mesh=0)
    figure = load(model.glb(tmp_path))
    assert len(figure.skins) == 1
    assert figure.notes == ("1 meshes have no joint and are not part of the figure: ground",)


def test_a_mirrored_rigid_mesh_keeps_its_outside_outside(tmp_path: Path) -> None:
    model = arm()
    model.raw["nodes"][2]["children"] = [4]
    model.add("nodes", name="twin", mesh=0, scale=[-1, 1, 1])
    figure = load(model.glb(tmp_path))
    np.testing.assert_array_equal(figure.skins[0].faces[:, ::-1], figure.skins[1].faces)


def test_primitives_are_merged_and_modes_other_than_triangles_said(tmp_path: Path) -> None:
    model = arm()
    first = model.raw["meshes"][0]["primitives"][0]
    model.raw["meshes"][0]["primitives"] += [
        {**first, "mode": 5}, {**first, "mode": 6}, {**first, "mode": 1}, {**first, "mode": 0, "targets": [{}]},
        {"attributes": first["attributes"]},
    ]  # fmt: skip
    figure = load(model.glb(tmp_path))
    skin = figure.skins[0]
    assert len(skin.vertices) == 24
    order = np.array([0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5])
    np.testing.assert_array_equal(skin.faces[:4], order.reshape(-1, 3))
    strip = [order[[k, k + 1, k + 2]] if k % 2 == 0 else order[[k, k + 2, k + 1]] for k in range(10)]
    np.testing.assert_array_equal(skin.faces[4:14], np.array(strip) + 6)
    fan = [order[[k + 1, k + 2, 0]] for k in range(10)]
    np.testing.assert_array_equal(skin.faces[14:24], np.array(fan) + 12)
    np.testing.assert_array_equal(skin.faces[24:], np.arange(6).reshape(2, 3) + 18)
    assert figure.notes == (
        "mesh 'strip': lines are left out; posable reads triangles",
        "mesh 'strip': points are left out; posable reads triangles",
    )


def test_more_than_four_influences_are_read(tmp_path: Path) -> None:
    model = arm(weights=[[0.5, 0, 0, 0]] * 6)
    attributes = model.raw["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = model.accessor([[1, 0, 0, 0]] * 6, "u2")
    attributes["WEIGHTS_1"] = model.accessor([[32768, 0, 0, 0]] * 6, "u2", normalized=True)
    skin = load(model.glb(tmp_path)).skins[0]
    np.testing.assert_array_equal(skin.joints[0], [1, 1, 1, 1, 2, 1, 1, 1])
    np.testing.assert_allclose(skin.weights[0], [0.5, 0, 0, 0, 0.5, 0, 0, 0], atol=1e-5)


def test_a_skinned_node_without_weights_is_left_out_and_said(tmp_path: Path) -> None:
    model = arm()
    del model.raw["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]
    figure = load(model.glb(tmp_path))
    assert "mesh 'strip' has a skin but no joints and weights, and is left out" in figure.notes


def test_clips_are_sampled_on_their_keys(tmp_path: Path) -> None:
    model = arm()
    turns = [wxyz_about((0, 0, 1), angle) for angle in (0.0, 0.5, -0.2)]
    model.animation(2, "rotation", [0, 0.1, 0.3], [np.roll(w, -1) for w in turns], name="wave")
    clip = load(model.glb(tmp_path)).clips["wave"]
    assert (clip.fps, len(clip)) == (30.0, 10)
    for frame, turn in ((0, turns[0]), (3, turns[1]), (9, turns[2])):
        np.testing.assert_allclose(abs(clip.poses[frame].of("lower") @ turn), 1, atol=1e-12)


def test_steps_stay_steps_and_splines_are_splines(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "translation", [0, 0.5, 1], [[0, 1, 0], [1, 1, 0], [2, 1, 0]], "STEP")
    tangent = [0, 0, 0]
    values = [tangent, [0, 1, 0], [0, 0, 4], [0, 0, 4], [0, 1, 0], tangent]
    model.animation(1, "translation", [0, 2], values, "CUBICSPLINE")
    step, spline = load(model.glb(tmp_path)).clips
    assert step.fps == 30
    np.testing.assert_allclose(step.poses.of("upper")[:, 0], [0] * 15 + [1] * 15 + [2])
    t = np.arange(61) / 60
    true = 2 * (4 * (t**3 - 2 * t**2 + t) + 4 * (t**3 - t**2))  # tangents count per second, and the keys lie 2 s apart
    np.testing.assert_allclose(spline.poses.of("upper")[:, 2], true, atol=1e-6)


def test_no_step_is_missed_by_rounding(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "translation", np.arange(100) / 30, [[k, 1, 0] for k in range(100)], "STEP")
    (clip,) = load(model.glb(tmp_path)).clips
    np.testing.assert_array_equal(clip.poses.of("upper")[:, 0], np.arange(100))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_mirrored_matrices_are_exact_in_every_pose(tmp_path: Path, axis: int) -> None:
    model = arm()
    mirror = np.eye(4)
    mirror[axis, axis] = -1
    model.raw["nodes"][0]["matrix"] = mirror.ravel().tolist()
    model.animation(2, "rotation", [0, 1], [[0, 0, 0, 1], [0.1, 0.7, 0.1, 0.7]])
    figure, plain = load(model.glb(tmp_path)), PlainGltf(tmp_path / "model.glb")
    for pose, moved in ((figure.rest, {}), (figure.clips[0].poses[-1], plain.at(0, 1.0))):
        np.testing.assert_allclose(
            figure.skins[0].matrices(pose)[1:], plain.joint_matrices(plain.world(moved), 0), atol=1e-7
        )


def test_unnamed_animations_get_a_name_and_those_of_no_node_are_left_out(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "weights", [0, 1], [0.0, 1.0])
    model.animation(1, "translation", [0, 1], [[0, 1, 0], [1, 1, 0]])
    figure = load(model.glb(tmp_path))
    assert [clip.name for clip in figure.clips] == ["clip_1"]
    assert figure.notes == ("animation 'clip_0' does not move any node and is left out",)


@pytest.mark.parametrize(
    ("times", "fps", "frames", "on_grid"),
    [
        (np.arange(50) / 24, 24, 50, True),
        (np.arange(1, 1000) / 25, 25, 1000, True),
        (np.arange(4000) / 30, 30, 4000, True),
        (np.arange(100) * 1.001 / 30, 30 / 1.001, 100, True),
        (np.arange(100) / 240, 240, 100, True),
        ([0, 0.5, 1.0], 30, 31, True),
        ([0, 0.25, 1.5], 32, 49, True),
        ([0.0, 0.311, 1.0], 30, 31, False),
        ([0.0, 0.3111, 0.3211, 0.35], 100, 36, False),
        ([0.0, 0.2, 0.20301, 1.0], 120, 121, False),
        ([0.7, 0.7], 30, 22, True),
        ([0.0], 30, 1, True),
    ],
)
def test_frame_rates_follow_the_keys(times: list[float], fps: float, frames: int, on_grid: bool) -> None:
    keys = np.asarray(times, np.float32).astype(float)
    channel = Channel(0, "translation", "LINEAR", keys, np.zeros((len(keys), 3)))
    found, count, even = frame_rate(Animation("", (channel,), None))
    assert found == pytest.approx(fps, rel=1e-5)
    assert count == frames
    assert even is on_grid


def test_keys_on_no_grid_are_said(tmp_path: Path) -> None:
    model = arm()
    model.animation(1, "translation", [0, 0.311, 1.0], [[0, 1, 0], [1, 1, 0], [2, 1, 0]], name="odd")
    figure = load(model.glb(tmp_path))
    assert figure.notes == ("clip 'odd': its keys are not evenly spaced; it is sampled at 30 fps",)


def test_what_a_joint_cannot_do_is_said(tmp_path: Path) -> None:
    model = arm()
    knee = {"kind": "hinge", "axes": [{"direction": [1, 0, 0]}], "position": [0, 2, 0]}
    model.raw["nodes"][2]["extras"] = {"posable": knee}
    assert load(model.glb(tmp_path)).notes == ()
    model.animation(2, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], name="sideways")
    model.raw["nodes"][2]["rotation"] = [0.6, 0, 0, 0.8]
    model.raw["nodes"][2]["translation"] = [0, 2.5, 0]
    figure = load(model.glb(tmp_path))
    assert figure.notes == (
        "at rest: lower cannot go where the file puts them; what their kind cannot do is left out",
        "clip 'sideways': lower cannot go where the file puts them; what their kind cannot do is left out",
    )
    assert figure.rest.of("lower") == pytest.approx(2 * np.arctan2(0.6, 0.8))


def test_positions_that_single_precision_blurs_are_the_same(tmp_path: Path) -> None:
    model = arm()
    knee = {"kind": "hinge", "axes": [{"direction": [1, 0, 0]}], "position": [0, 2, 0], "rest": [0.1]}
    model.raw["nodes"][2] |= {"extras": {"posable": knee}, "rotation": [np.sin(0.05) + 1e-8, 0, 0, np.cos(0.05)]}
    assert load(model.glb(tmp_path)).skeleton.definitions[2].rest == (0.1,)
