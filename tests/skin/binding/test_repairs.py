"""Meshes as they come: turned, torn, doubled, in pieces; a usable binding, and a word about all that was mended."""

from __future__ import annotations

import numpy as np
import pytest
from skin.binding.bodies import apart, ball, body, skeleton, table, together

import posable
from posable.skin import Mesh, Skin

RNG = np.random.default_rng(7)


def bound(vertices: np.ndarray, faces: np.ndarray, method: str = "heat") -> Skin:
    skin = posable.bind((vertices, faces), skeleton(), method)
    assert (skin.weights >= 0).all() and np.abs(skin.weights.sum(axis=1) - 1).max() < 1e-6
    return skin


def sound() -> np.ndarray:
    return table(posable.bind(body(), skeleton()))


def said(skin: Skin) -> str:
    return "\n".join(skin.notes)


def test_a_sound_body_needs_no_repair() -> None:
    note = "1 of 17 joints take no skin: they only carry others, or stand in the air: 'root'"
    assert posable.bind(body(), skeleton()).notes == (note,)


def test_doubled_vertices_do_not_stop_heat() -> None:
    mesh = body()
    corners = mesh.faces.reshape(-1)
    skin = bound(mesh.vertices[corners], np.arange(len(corners)).reshape(-1, 3))
    assert apart(table(skin), sound()[corners]).max() < 1e-5


@pytest.mark.parametrize("share", [1.0, 0.2])
def test_faces_that_look_inward_are_turned(share: float) -> None:
    mesh = body()
    faces = mesh.faces.copy()
    turned = RNG.random(len(faces)) < share
    faces[turned] = faces[turned][:, ::-1]
    skin = bound(mesh.vertices, faces)
    assert apart(table(skin), sound()).max() < 1e-5
    assert said(skin).startswith(f"{turned.sum():,} of 1,664 faces looked inward: bound as if they were turned")
    assert (skin.faces == faces).all(), "the skin keeps its mesh"


def test_faces_without_area_and_faces_on_others_are_left_out() -> None:
    mesh = body()
    spoiled = [mesh.faces, mesh.faces[:50, [0, 0, 1]], mesh.faces[:30, [1, 2, 0]], mesh.faces[:20, ::-1]]
    skin = bound(mesh.vertices, np.concatenate(spoiled))
    assert apart(table(skin), sound()).max() < 1e-5
    assert "50 of 1,764 faces have no area: left out" in skin.notes
    assert "50 of 1,764 faces lie on others: left out" in skin.notes


@pytest.mark.parametrize("method", ["heat", "voxel"])
def test_holes_change_little(method: str) -> None:
    mesh = body()
    skin = bound(mesh.vertices, mesh.faces[RNG.random(len(mesh.faces)) > 0.05], method)
    assert apart(table(skin), table(posable.bind(mesh, skeleton(), method))).mean() < 0.05


def test_an_edge_of_three_faces_is_no_obstacle() -> None:
    mesh = body()
    top = int(mesh.vertices[:, 1].argmax())
    fin = np.array([[*mesh.faces[np.argmax((mesh.faces == top).any(axis=1))][:2], len(mesh.vertices)]])
    skin = bound(np.concatenate([mesh.vertices, mesh.vertices[[top]] + (0, 1, 0)]), np.concatenate([mesh.faces, fin]))
    assert apart(table(skin)[:-1], sound()).max() < 0.1
    assert skin.skeleton.joints[skin.joints[-1, 0]] == "head"


def test_a_piece_inside_the_body_is_bound_and_the_body_does_not_mind() -> None:
    mesh = body()
    skin = posable.bind(together((mesh.vertices, mesh.faces), ball((0, 13.3, 1), 0.3)), skeleton())
    assert apart(table(skin)[: len(mesh.vertices)], sound()).max() < 1e-4
    assert (np.array(skin.skeleton.joints)[skin.joints[len(mesh.vertices) :, 0]] == "spine").all()


def test_a_piece_in_the_air_follows_what_is_nearest_and_the_body_does_not_mind() -> None:
    mesh = body()
    skin = posable.bind(together((mesh.vertices, mesh.faces), ball((13, 14, 1), 0.5)), skeleton())
    assert apart(table(skin)[: len(mesh.vertices)], sound()).max() < 1e-4
    assert (np.array(skin.skeleton.joints)[skin.joints[len(mesh.vertices) :, 0]] == "hand.l").all()


def test_a_loose_piece_follows_what_it_touches() -> None:
    """A shield that touches the forearm from outside."""
    mesh = body()
    front = float(mesh.vertices[np.hypot(*(mesh.vertices[:, :2] - (7.5, 14)).T) < 0.6, 2].max())
    skin = posable.bind(together((mesh.vertices, mesh.faces), ball((7.5, 14, front + 0.51), 0.5)), skeleton())
    names = np.array(skin.skeleton.joints)[skin.joints[len(mesh.vertices) :, 0]]
    assert (names == "elbow.l").all() and skin.weights[len(mesh.vertices) :, 0].min() == 1
    assert "1 loose piece (1) with no bone inside: as a whole with 'elbow.l'" in skin.notes


def test_what_hangs_in_the_air_follows_the_nearest_and_is_named() -> None:
    mesh = body()
    skin = posable.bind(together((mesh.vertices, mesh.faces), ball((0, 25, 1), 0.5)), skeleton())
    assert (np.array(skin.skeleton.joints)[skin.joints[len(mesh.vertices) :, 0]] == "head").all()
    assert "1 loose piece (1) with no bone inside: as a whole with 'head'" in skin.notes


def test_vertices_of_no_face_follow_the_nearest() -> None:
    mesh = body()
    skin = bound(np.concatenate([mesh.vertices, [[9.5, 14, 1]]]), mesh.faces)
    assert skin.skeleton.joints[skin.joints[-1, 0]] == "hand.l"
    assert "piece 1 (1 vertex) has no usable face there: follows the nearest that has" in skin.notes


def test_a_joint_outside_is_named_and_the_rest_is_bound() -> None:
    skin = posable.bind(body(), skeleton(knee_l=(6, 4, 1)), "heat")
    assert "1 of 17 joints lie outside the mesh: 'knee.l'" in skin.notes
    upper = body().vertices[:, 1] > 10
    assert apart(table(skin)[upper], sound()[upper]).max() < 0.05


def test_bones_that_nothing_follows_are_named() -> None:
    skin = posable.bind(body(), skeleton(head=(0, 30, 1)), joints=["pelvis", "spine", "neck", "head"])
    assert "1 of 17 joints move no skin: everywhere other bones are nearer: 'head'" in skin.notes


def test_a_shirt_is_bound_through_the_body_that_it_is_worn_on() -> None:
    mesh = body()
    worn = (np.abs(mesh.vertices[:, 0]) < 6) & (mesh.vertices[:, 1] > 9) & (mesh.vertices[:, 1] < 15.5)
    shirt = mesh.faces[worn[mesh.faces].all(axis=1)]
    both = together((mesh.vertices, mesh.faces), (mesh.vertices + 0.05 * mesh.normals, shirt))
    skin = posable.bind(both, skeleton())
    used = np.unique(shirt)
    shirt_weights, own = table(skin)[len(mesh.vertices) + used], table(skin)[used]
    assert apart(shirt_weights, own).mean() < 0.05
    assert "1 loose piece (1) on the skin: by the weights under it" in skin.notes
    assert not [note for note in skin.notes if "sees no bone" in note]


def test_a_body_of_many_pieces_that_touch_bends_as_one_by_voxels() -> None:
    """Cut into slices across the arms: heat alone would leave every slice stiff."""
    mesh = body()
    middle = mesh.vertices[mesh.faces].mean(axis=1)[:, 0]
    slices = [mesh.faces[np.floor(middle / 1.5) == k] for k in np.unique(np.floor(middle / 1.5))]
    pieces = together(*((mesh.vertices + 1e-4 * k, own) for k, own in enumerate(slices)))
    kept = np.zeros(len(pieces.vertices), bool)
    kept[pieces.faces] = True
    whole = np.tile(table(posable.bind(mesh, skeleton(), "voxel")), (len(slices), 1))
    skin = posable.bind(pieces, skeleton(), "voxel")
    assert apart(table(skin), whole)[kept].mean() < 0.05


def test_rigid_pieces_follow_one_joint() -> None:
    mesh = body()
    parts = together((mesh.vertices, mesh.faces), ball((-9.9, 14, 1), 0.8), ball((9.9, 14, 1), 0.8))
    skin = posable.bind(parts, skeleton(), rigid={1: "elbow.l", 2: None})
    for piece, joint in ((1, "elbow.l"), (2, "hand.l")):
        rows = Mesh.of(skin).pieces == piece
        assert (table(skin)[rows, skin.skeleton.index(joint)] == 1).all()
    assert (
        apart(table(skin)[: len(mesh.vertices)], table(posable.bind(parts, skeleton()))[: len(mesh.vertices)]).max()
        == 0
    )
    listed = posable.bind(parts, skeleton(), rigid=[2])
    assert (table(listed)[Mesh.of(skin).pieces == 2].max(axis=1) == 1).all()


def test_frames_in_the_air_take_no_skin_and_a_root_in_the_flesh_does() -> None:
    assert table(posable.bind(body(), skeleton()))[:, 0].max() == 0
    arm = ["spine", "arm.l", "elbow.l", "hand.l"]
    by_name = posable.bind(body(), skeleton(), joints=arm)
    assert {by_name.skeleton.joints[joint] for joint in by_name.used_joints} == set(arm)
    risen = posable.bind(body(), skeleton(root=(0, 8.5, 1), pelvis=(0, 10.5, 1)))
    assert table(risen)[:, 0].max() > 0.5


def test_binding_again_forgets_the_weights_of_the_time_before() -> None:
    """Joints without skin in the first figure on a skeleton were left out for "moving no skin" where they are from."""
    bones = posable.Skeleton(skeleton().definitions, skeleton().up)
    first = posable.bind(body(), skeleton())
    once = posable.bind(body(), bones, joints=["head", "spine"])
    assert once.automatic and not posable.Figure(bones, skins=(once,)).skeleton.seen.weights
    again = posable.bind(body(), bones)
    assert again.notes == first.notes and apart(table(again), table(first)).max() == 0
