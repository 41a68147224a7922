"""Skeletons fitted into meshes: where they are, what they can do, what is doubted, what is refused."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from smooth_body import smooth_body

import posable
from benchmarks import posed_bodies, skeleton_fitting
from posable.errors import SkinError
from posable.skin import TemplateFit, fit_skeleton, fit_template
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import inside
from posable.skin.fitting import biped, legs
from posable.skin.fitting.body_parts import KNUCKLES
from posable.skin.fitting.template import read_hints

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
NAMES = ("root", "spine", "chest", "neck", "head", *(f"{name}_{side}" for side in "lr" for name in LIMBS))
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
BOX = np.array([triangle for a, b, c, d in _SIDES for triangle in ((a, b, c), (a, c, d))])


@cache
def human() -> posable.Mesh:
    return posable.Mesh.of(smooth_body().skins[0])


def body() -> posed_bodies.Body:
    return posed_bodies.Body(smooth_body(), human(), dict(posable.roles(smooth_body()).joints))


@cache
def fitted() -> TemplateFit:
    return fit_template(human())


def places(skeleton: posable.Skeleton) -> dict[str, np.ndarray]:
    return dict(zip(skeleton.joints, posable.Pose(skeleton, skeleton.rest_coordinates).origins, strict=True))


def moved(turn: np.ndarray, shift: tuple[float, float, float], up: str) -> posable.Mesh:
    mesh = human()
    return posable.Mesh(mesh.vertices @ turn.T + shift, mesh.faces, up=up)


@pytest.mark.slow
def test_every_joint_of_the_mannequin_is_found_within_4_percent_of_its_height() -> None:
    truth, found = places(posable.figure("mannequin").skeleton), places(fitted().skeleton)
    off = {name: float(np.linalg.norm(found[name] - truth[name])) / 1.75 for name in NAMES}
    assert max(off.values()) < 0.04, off
    assert np.mean(list(off.values())) < 0.02
    assert fitted().score > 0.8 and fitted().doubts == ()


@pytest.mark.slow
def test_left_and_right_are_mirror_images() -> None:
    found = places(fitted().skeleton)
    middle = found["root"][0]
    for name in LIMBS:
        image = found[f"{name}_r"] * (-1, 1, 1) + (2 * middle, 0, 0)
        np.testing.assert_allclose(found[f"{name}_l"], image, atol=1e-12)


def test_the_joints_are_the_mannequins_with_its_limits() -> None:
    own, fit = posable.figure("mannequin").skeleton, fitted().skeleton
    known = {joint.name: joint for joint in own.definitions}
    for joint in fit.definitions:
        same = known[joint.name]
        assert (joint.kind, joint.parent) == (same.kind, same.parent)
        if same.cone and joint.cone:
            assert (joint.cone.swing, joint.cone.twist) == (same.cone.swing, same.cone.twist)
        for mine, theirs in zip(joint.axes, same.axes, strict=True):
            assert mine.lower <= theirs.lower + 1e-12 and mine.upper >= theirs.upper - 1e-12
    ends = {joint.name for joint in fit.definitions if not fit.children(joint.name)}
    assert ends == {joint.name for joint in fit.definitions if joint.tips}
    assert ends == {"head", "hand_l", "hand_r", "toe_l", "toe_r"}


def test_knees_bend_back_and_elbows_bend_ahead() -> None:
    skeleton = fitted().skeleton
    for name, end, ahead in (("shin", "foot", -1), ("forearm", "hand", 1)):
        for side in "lr":
            turn = np.zeros(skeleton.dof)
            turn[skeleton.freedom_range(f"{name}_{side}")[0]] = 0.7
            rest = posable.Pose(skeleton, skeleton.rest_coordinates)
            end_joint = skeleton.index(f"{end}_{side}")
            step = rest.plus(turn).origins[end_joint] - rest.origins[end_joint]
            assert ahead * step[2] > 0.5 * np.linalg.norm(step)


def test_the_parts_of_the_body_are_found_by_their_names() -> None:
    found = posable.roles(fitted().skeleton)
    assert {found["foot_l"], found["hand_r"], found["hips"]} == {"foot_l", "hand_r", "root"}
    assert len(found.legs) == 2 and len(found.arms) == 2
    np.testing.assert_allclose(found.forward, (0, 0, 1), atol=1e-9)


_Y_TO_Z = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "scale", "up", "says"),
    [
        (np.eye(3), 100.0, "y", "y"),
        (np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]), 1e-3, "y", "y"),
        (np.diag([-1.0, 1, -1]), 1.0, "y", "y"),
        (_Y_TO_Z, 1.0, "z", "z"),
        (np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]) @ _Y_TO_Z, 1.0, "z", "y"),
        (np.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]]), 1.0, "y", "y"),
    ],
    ids=["larger", "facing x", "facing back", "z up", "z up unsaid", "facing between"],
)
def test_turned_and_scaled_meshes_get_the_same_skeleton_turned_and_scaled(turn, scale, up, says) -> None:
    fit = fit_template(moved(scale * turn, (3.0, -2.0, 5.0), says))
    assert fit.skeleton.up == up
    assert any("upright" in doubt for doubt in fit.doubts) == (up != says)
    found, expected = places(fit.skeleton), places(fitted().skeleton)
    for name in NAMES:
        off = np.linalg.norm(found[name] - (scale * turn @ expected[name] + (3, -2, 5)))
        assert off < 0.015 * 1.75 * scale, name


@pytest.mark.slow
def test_the_same_mesh_gets_the_same_skeleton_whatever_surface_it_has() -> None:
    mesh, rng = human(), np.random.default_rng(0)
    assert fit_skeleton((mesh.vertices, mesh.faces)) == fitted().skeleton
    turned = mesh.faces.copy()
    some = rng.random(len(turned)) < 0.3
    turned[some] = turned[some][:, ::-1]
    holes = turned[rng.random(len(turned)) > 0.03]
    soup = posable.Mesh(mesh.vertices[holes].reshape(-1, 3), np.arange(3 * len(holes)).reshape(-1, 3))
    found, expected = places(fit_skeleton(soup)), places(fitted().skeleton)
    assert max(np.linalg.norm(found[name] - expected[name]) for name in NAMES) < 0.01 * 1.75


@pytest.mark.slow
def test_what_one_hand_holds_is_left_out() -> None:
    mesh = human()
    hand = mesh.vertices[np.argmax(mesh.vertices[:, 0])]
    sword = hand + (_CORNERS - (0.5, 0.5, 0.1)) * (0.03, 0.03, 1.2)
    vertices = np.concatenate([mesh.vertices, sword])
    fit = fit_template((vertices, np.concatenate([mesh.faces, BOX + len(mesh.vertices)])))
    found, expected = places(fit.skeleton), places(fitted().skeleton)
    assert max(np.linalg.norm(found[name] - expected[name]) for name in NAMES) < 0.03 * 1.75


@pytest.mark.slow
def test_things_larger_than_the_body_are_left_out_piece_by_piece() -> None:
    """A crossbow and a banner, one in each hand."""
    mesh, expected = human(), places(fitted().skeleton)
    one, other = expected["hand_l"], expected["hand_r"]
    things = [one + _CORNERS * (1.2, 0.1, 0.2) - (0.3, 0.05, 0.1), one + _CORNERS * (0.4, 1.2, 0.6) + (0.5, -0.6, -0.3)]
    things += [other + _CORNERS * (0.6, 0.8, 0.04) - (0.5, 0.4, 0.02)]
    boxes = [BOX + len(mesh.vertices) + 8 * k for k in range(3)]
    fit = fit_template((np.concatenate([mesh.vertices, *things]), np.concatenate([mesh.faces, *boxes])))
    found = places(fit.skeleton)
    assert fit.score > 0.7 and max(np.linalg.norm(found[name] - expected[name]) for name in NAMES) < 0.03 * 1.75


@pytest.mark.slow
def test_hints_are_obeyed_and_the_limb_follows_on_both_sides() -> None:
    before = places(fitted().skeleton)
    wrist = before["hand_l"] + (0.03, -0.04, 0.02)
    after = places(fit_skeleton(human(), hints={"hand_l": wrist}))
    np.testing.assert_allclose(after["hand_l"], wrist, atol=1e-9)
    np.testing.assert_allclose(after["upper_arm_l"], before["upper_arm_l"], atol=1e-9)
    np.testing.assert_allclose(after["thigh_l"], before["thigh_l"], atol=1e-9)
    assert 0 < np.linalg.norm(after["forearm_l"] - before["forearm_l"]) < 0.04
    middle = 2 * before["root"][0]
    np.testing.assert_allclose(
        after["hand_r"] + after["hand_l"] * (1, 0, 0), wrist * (0, 1, 1) + (middle, 0, 0), atol=1e-9
    )


@pytest.mark.slow
def test_a_hint_for_a_hip_leaves_the_feet_on_the_floor() -> None:
    """The whole leg was shifted, the foot into the air."""
    before = places(fitted().skeleton)
    hip = before["thigh_l"] + (0.0, 0.06, 0.01)
    after = places(fit_skeleton(human(), hints={"thigh_l": hip}))
    np.testing.assert_allclose(after["thigh_l"], hip, atol=1e-9)
    for name in ("foot_l", "toe_l", "foot_r", "toe_r"):
        np.testing.assert_allclose(after[name], before[name], atol=1e-9)
    assert 0.01 < after["shin_l"][1] - before["shin_l"][1] < 0.06
    ankle = before["foot_l"] + (0.0, 0.03, 0.05)
    after = places(fit_skeleton(human(), hints={"foot_l": ankle}))
    np.testing.assert_allclose(after["toe_l"] - before["toe_l"], (0, 0, 0.05), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pose", "most"),
    [("arms down", 5), ("stride", 6), ("crouch", 9), ("long limbs", 5), ("pack", 5), ("hat", 5), ("skirt", 5)],
)
def test_people_in_other_poses_and_clothes_face_the_right_way_with_every_joint_near(pose: str, most: float) -> None:
    """Shoulders were found in the armpits, hips at the hem, necks in the pack, and who crouches looked back."""
    mesh, truth = posed_bodies.POSES[pose](body())
    fit = fit_template(mesh)
    kept = {role: place for role, place in truth.items() if role[:-2] != "toes" and "shoulder" not in role}
    off = skeleton_fitting.errors(skeleton_fitting.Case(pose, mesh, "biped", kept), fit.skeleton)
    assert max(off.values()) < most, off
    assert fit.forward[2] > 0.9 and (fit.score > 0.6 or fit.doubts)


@pytest.mark.slow
def test_auto_takes_the_template_that_fits_best() -> None:
    assert fit_template(human(), "auto").template == "biped"
    animal = fit_template(posable.load_mesh(posable.sample("person.obj")), "auto")
    assert animal.template == "biped" and animal.score > 0.7
    assert fit_template(human(), "auto", joints=7).template == "chain"
    with pytest.raises(SkinError, match="no joint 'segment_99'"):
        fit_template(human(), "auto", hints={"segment_99": (0, 0, 0)})


@pytest.mark.slow
def test_fingers_are_given_only_to_hands_that_show_some() -> None:
    skeleton = fit_template(human(), fingers=True).skeleton
    surface = Surface.of(human())
    joints = [place for name, place in places(skeleton).items() if name.startswith(tuple(KNUCKLES))]
    assert len(joints) == 30 and inside(surface.tree, surface.from_mesh(np.array(joints))).mean() > 0.85
    mesh, reach = human(), places(fitted().skeleton)["hand_l"]
    first = np.abs(mesh.vertices[mesh.faces][:, :, 0]).max(axis=1) < abs(reach[0]) + 0.02
    mitten = fit_template((mesh.vertices, mesh.faces[first]), fingers=True)
    assert "index_1_l" not in mitten.skeleton.joints
    assert any("mitten" in doubt for doubt in mitten.doubts)


@pytest.mark.slow
def test_fingers_that_are_pieces_of_their_own_are_seen() -> None:
    """A wooden figure: all parts of a finger are pieces; without them, also with a staff in hand, it is a mitten."""
    figure = posable.figure("mannequin")
    mesh, skin = posable.Mesh.of(figure.skins[0]), figure.skins[0]
    assert "index_1_l" in fit_template(mesh, fingers=True).skeleton.joints
    used = np.array(figure.skeleton.joints)[skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)]]
    finger = np.array([name.startswith(("thumb", "index", "middle", "ring", "pinky")) for name in used])
    bare = mesh.faces[~finger[mesh.faces].any(axis=1)]
    hands = [figure.rest.origins[figure.skeleton.index(f"hand_{side}")] for side in "lr"]
    staffs = [np.array((0.02, 0.6, 0.02)) * (_CORNERS - 0.5) + hand + (0.0, -0.08, 0.06) for hand in hands]
    vertices = np.concatenate([mesh.vertices, *staffs])
    boxes = [BOX + len(mesh.vertices) + 8 * k for k in range(2)]
    for faces in ([bare], [bare, *boxes]):
        mitten = fit_template((vertices, np.concatenate(faces)), fingers=True)
        assert "index_1_l" not in mitten.skeleton.joints


@pytest.mark.slow
def test_sides_of_unlike_length_and_bent_legs_cost_score_and_are_said() -> None:
    uneven = body()
    uneven.change("upper_arm_r", 0.55 * np.eye(3))
    unlike = fit_template(uneven.shown()[0])
    assert any("a limb that is longer" in doubt for doubt in unlike.doubts)
    assert unlike.score < 0.85 * fitted().score
    crouched = fit_template(posed_bodies.POSES["crouch"](body())[0])
    doubt = "the legs are bent; hips and knees are less sure"
    assert doubt in crouched.doubts and {"thigh_l", "shin_r"} <= set(crouched.unsure[doubt])


@pytest.mark.parametrize("said", ["left hand", "LeftWrist", "mixamorig:LeftHand"])
def test_a_hint_names_a_joint_as_goals_do(said: str) -> None:
    """Only `hand_l` was taken."""
    assert list(read_hints({said: (0, 1, 2)}, ["root", "hand_l", "hand_r"])) == ["hand_l"]


@pytest.mark.slow
def test_fingers_hang_on_the_hands() -> None:
    skeleton = fit_skeleton(human(), fingers=True)
    own = posable.figure("mannequin").skeleton
    assert set(skeleton.joints) == set(own.joints) - {"eye_l", "eye_r", "index_tip_l", "index_tip_r"}
    found, truth = places(skeleton), places(own)
    fingers = [name for name in found if name[:-4] in ("thumb", "index", "middle", "ring", "pinky")]
    assert len(fingers) == 30
    assert max(np.linalg.norm(found[name] - truth[name]) for name in fingers) < 0.06


def test_a_chain_runs_along_the_middle_from_the_thick_end() -> None:
    angle = np.linspace(0, 2.2, 60)
    middle = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    radius = np.linspace(0.03, 0.09, 60)
    around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rings = middle[:, None] + radius[:, None, None] * (
        np.cos(around)[None, :, None] * middle[:, None] + np.sin(around)[None, :, None] * np.array([0, 0, 1.0])
    )
    k = (np.arange(59)[:, None] * 16 + np.arange(16)).ravel()
    right = (np.arange(59)[:, None] * 16 + (np.arange(16) + 1) % 16).ravel()
    faces = np.concatenate([np.column_stack([k, right, k + 16]), np.column_stack([right, right + 16, k + 16])])
    fit = fit_template((rings.reshape(-1, 3), faces), "chain", joints=8)
    assert fit.skeleton.joints == tuple(f"segment_{n}" for n in range(1, 9))
    found = np.array(list(places(fit.skeleton).values()))
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=0.03)
    assert found[0, 0] < found[-1, 0]
    steps = [np.linalg.norm(b - a) for a, b in pairwise(found)]
    assert max(steps) < 1.15 * min(steps)
    assert fit.score > 0.8 and not fit.doubts


@pytest.mark.slow
@pytest.mark.parametrize("template", ["biped", "quadruped"])
def test_a_box_is_no_figure_and_that_is_said(template: str) -> None:
    fit = fit_template((_CORNERS * (0.4, 1.0, 0.3), BOX), template)
    assert fit.score < 0.15 and len(fit.doubts) >= 2
    assert all(doubt == doubt.strip() and len(doubt) > 20 for doubt in fit.doubts)


@pytest.mark.slow
def test_a_figure_of_the_other_kind_scores_low() -> None:
    assert fit_template(human(), "quadruped").score < 0.25 < fitted().score


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"template": "bipedal"},
            "no template is called 'bipedal'; did you mean 'biped'\\? there are biped, quadruped",
        ),
        ({"hints": {"hnd_l": (0, 0, 0)}}, "no joint 'hnd_l' to give a hint for; did you mean .*hand_"),
        ({"hints": {"hand_l": (0, 0)}}, "the hint for 'hand_l' is three finite numbers"),
        ({"hints": {"hand_l": "there"}}, "the hint for 'hand_l' is three numbers x, y, z, not 'there'"),
        ({"joints": 5}, "joints= says how many a chain has; a biped has its own"),
        ({"template": "chain", "joints": 1}, "a chain has 2 to 500 joints, not 1"),
        ({"template": "quadruped", "fingers": True}, "fingers= is for a biped; a quadruped has none"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict, message: str) -> None:
    with pytest.raises(SkinError, match=message):
        fit_template(human(), **options)


@pytest.mark.parametrize("template", ["biped", "quadruped", "chain"])
def test_a_flat_mesh_has_no_room_for_a_skeleton(template: str) -> None:
    with pytest.raises(
        SkinError, match="'sheet' encloses no room, so no skeleton fits in; give it thickness or close it"
    ):
        fit_template(posable.Mesh(human().vertices * (1, 1, 0), human().faces, "sheet"), template)


def test_what_lies_flat_is_told_to_stand_up() -> None:
    with pytest.raises(SkinError, match="mesh 'rod' lies flat along y and z; stand it upright for a biped"):
        fit_template(posable.Mesh(_CORNERS * (3.0, 0.1, 0.1), BOX, "rod"))


@pytest.mark.slow
def test_a_cloth_with_more_vertices_than_the_body_is_no_body() -> None:
    mesh = human()
    side = np.linspace(-1, 1, 200)
    cloth = np.stack(np.meshgrid(0.7 * side, 0.9 + 0.85 * side), axis=-1).reshape(-1, 2)
    corner = (np.arange(199)[:, None] * 200 + np.arange(199)).ravel() + len(mesh.vertices)
    faces = np.concatenate([np.column_stack([corner, corner + 1, corner + 200])])
    behind = np.column_stack([cloth, np.full(len(cloth), -0.3)])
    fit = fit_template((np.concatenate([mesh.vertices, behind]), np.concatenate([mesh.faces, faces])))
    found, expected = places(fit.skeleton), places(fitted().skeleton)
    assert max(np.linalg.norm(found[name] - expected[name]) for name in NAMES) < 0.04 * 1.75


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit"),
    [("Knight.glb", 4.0), ("cryptovoxels.vrm", 5.0), ("makehuman_base_raw", 4.0), ("plain_wolf", 8.0)],
)
def test_artists_joints_are_met(shared: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: float) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[3])
    case = next(case for case in skeleton_fitting.cases(shared) if case.name == name)
    fit = fit_template(case.mesh, case.template)
    found = skeleton_fitting.errors(case, fit.skeleton)
    assert len(found) >= 15
    assert max(found.values()) < limit, found


def test_an_animals_legs_are_told_by_their_rows(shared: Path) -> None:
    fit = fit_template(posable.load_mesh(shared / "meshes/spot.obj"), "quadruped")
    legs = posable.roles(fit.skeleton).legs
    assert [leg.joints[0] for leg in legs] == ["upper_arm_l", "upper_arm_r", "thigh_l", "thigh_r"]
    assert "tail_1" not in fit.skeleton.joints


@pytest.mark.slow
def test_a_figure_without_a_head_is_fitted_all_the_same() -> None:
    """Nothing over the shoulders was a raw error of NumPy's."""
    mesh = human()
    over = mesh.vertices[:, 1] > 1.42
    kept = mesh.faces[~over[mesh.faces].any(axis=1)]
    box = (_CORNERS - 0.5) * (0.5, 0.06, 0.2) + (0, 1.42, 0)
    fit = fit_template((np.concatenate([mesh.vertices, box]), np.concatenate([kept, BOX + len(mesh.vertices)])))
    assert fit.score < fitted().score
    trunk = biped.trunk_points(np.ones((4, 20, 4), bool), _legs_of_box(), np.array([3.0, 19.8, 2.0]), None, np.ones(3))
    assert all(np.isfinite(place).all() for place in trunk[0].values())


def _legs_of_box() -> legs.Legs:
    return legs.legs_of(np.ones((4, 20, 4), bool))
