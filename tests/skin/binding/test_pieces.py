"""Figures in many pieces, on skeletons with more joints than bones: which joints move what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from skin.binding.bodies import PLACES, apart, ball, body, cubes_surface, skeleton, table, together

import posable
from posable.skeleton import Joint, Pose, Skeleton
from posable.skin import Mesh, Skin

Piece = tuple[np.ndarray, np.ndarray]


def box(low: Any, high: Any, fine: int = 2) -> Piece:
    """A closed box of squares of 1 / `fine`, between two corners."""
    size = np.subtract(high, low)
    vertices, faces = cubes_surface(np.ones(np.maximum(np.rint(size * fine), 1).astype(int), bool))
    return low + vertices / vertices.max(axis=0) * size, faces


def with_joints(*more: Joint) -> Skeleton:
    """The body's skeleton and further joints, parents first."""
    return Skeleton([*skeleton().definitions, *more], skeleton().up)


def at(name: str, parent: str, place: tuple[float, float, float]) -> Joint:
    """A joint at a place of the world."""
    return Joint(name, "ball", parent, tuple(np.array(place) - PLACES[parent][1]))


def moved_by(skin: Skin, rows: slice = slice(None)) -> set[str]:
    """The joints that move some vertices."""
    return {skin.skeleton.joints[j] for j in skin.joints[rows][skin.weights[rows] > 0]}


def donor(skin: Skin, bones: Skeleton) -> Skeleton:
    """`bones`, as of a figure whose skin its joints of the same names move as in `skin`."""
    number = np.array([bones.index(name) for name in skin.skeleton.joints], np.int32)
    inverse = np.tile(np.eye(4), (len(bones.joints), 1, 1))
    own = Skin(bones, skin.vertices, skin.faces, number[skin.joints], skin.weights, inverse)
    return posable.Figure(bones, skins=(own,)).skeleton


EXTRA = (
    at("Bone.077", "elbow.l", (8, 14, 1)),  # amid the forearm, and its name says nothing
    at("IK_hand.r", "root", (-9, 14, 1)),
    at("pole.l", "root", (2, 4, 6)),
)


def test_joints_that_moved_no_skin_of_their_figure_move_none() -> None:
    mesh, plain = body(), posable.bind(body(), skeleton())
    skin = posable.bind(mesh, donor(plain, with_joints(*EXTRA)))
    names = [joint.name for joint in EXTRA]
    assert not moved_by(skin) & set(names)
    assert apart(table(skin)[:, : len(PLACES)], table(plain)).max() < 1e-6
    why = "4 of 20 joints take no skin: they moved no skin in the figure they are from"
    assert f"{why}: 'root', 'Bone.077', 'IK_hand.r', 'pole.l'" in skin.notes


def test_without_a_skin_names_and_positions_tell_handles() -> None:
    skin = posable.bind(body(), with_joints(*EXTRA))
    assert moved_by(skin) >= {"Bone.077", "hand.r"} and not moved_by(skin) & {"IK_hand.r", "pole.l"}
    assert any("take no skin" in note and "'pole.l'" in note for note in skin.notes)


def test_a_handle_that_stands_in_its_limb_moves_it() -> None:
    parts = [replace_name(joint, "knee.l", "IK_knee.l") for joint in skeleton().definitions]
    skin = posable.bind(body(), Skeleton(parts))
    assert {"IK_knee.l", "foot.l"} <= moved_by(skin)


def replace_name(joint: Joint, old: str, new: str) -> Joint:
    parent = new if joint.parent == old else joint.parent
    return Joint(new if joint.name == old else joint.name, joint.kind, parent, joint.position)


def test_a_foot_detached_from_its_leg_is_not_dropped() -> None:
    parts = [joint for joint in skeleton().definitions if joint.name != "foot.l"]
    foot = Joint("foot.l", "ball", "root", tuple(np.array((2, -0.2, 1)) - PLACES["root"][1]))
    skin = posable.bind(body(), Skeleton([*parts, foot]))
    assert "foot.l" in moved_by(skin)


def test_only_some_joints_or_all_but_some() -> None:
    only = posable.bind(body(), skeleton(), joints=["spine", "head"])
    assert moved_by(only) == {"spine", "head"}
    skin = posable.bind(body(), skeleton(), without=["head", "neck"])
    assert not moved_by(skin) & {"head", "neck"} and "spine" in moved_by(skin)
    assert "2 of 17 joints take no skin: they were left out as asked: 'neck', 'head'" in skin.notes
    with pytest.raises(posable.SkinError, match="without is a list of names"):
        posable.bind(body(), skeleton(), without="head")


def in_parts(*more: Piece, hem: float = 7, thick: float = 0.9) -> Mesh:
    """Trunk down to a hem, legs of a thickness, arms and head as closed boxes that overlap, and further pieces."""
    limbs = [box((side * 2 - thick, -0.2, 0.1), (side * 2 + thick, 8.8, 1.9)) for side in (1, -1)]
    limbs += [box((2.6, 13.2, 0.2), (10, 14.8, 1.8)), box((-10, 13.2, 0.2), (-2.6, 14.8, 1.8))]
    return together(box((-3.2, hem, -0.4), (3.2, 16, 2.4)), *limbs, box((-1, 15.5, 0), (1, 19, 2)), *more)


def rows_of(mesh: Mesh, number: int, *pieces: Piece) -> slice:
    """The vertices of the further piece `number`."""
    first = len(mesh.vertices) - sum(len(piece[0]) for piece in pieces[number:])
    return slice(first, first + len(pieces[number][0]))


def test_a_trunk_does_not_follow_bones_that_have_pieces_of_their_own() -> None:
    """A tunic reaches far below the hips, about thighs that stand in legs of their own."""
    skin = posable.bind(in_parts(hem=5), skeleton())
    tunic = slice(0, len(box((-3.2, 5, -0.4), (3.2, 16, 2.4))[0]))
    assert moved_by(skin, tunic) <= {"pelvis", "spine", "neck"}


def test_a_head_does_not_follow_the_first_bone_of_an_ear_that_is_a_piece_of_its_own() -> None:
    """The bone begins in the head and has little of its length in the ear."""
    ear = box((0.9, 18.4, 0.6), (3.6, 19.6, 1.4))
    mesh = in_parts(ear)
    ears = (at("ear.1", "head", (0.6, 18, 1)), at("ear.r", "head", (-0.6, 18, 1)))
    bones = with_joints(*ears, Joint("ear.2", "ball", "ear.1", (0.6, 0.9, 0.0), tips=((1.6, 0, 0),)))
    skin = posable.bind(mesh, bones)
    rows = rows_of(mesh, 0, ear)
    head = slice(rows.start - len(box((-1, 15.5, 0), (1, 19, 2))[0]), rows.start)
    assert "ear.2" in moved_by(skin, rows) and "ear.1" not in moved_by(skin, head)


def test_clothing_takes_the_weights_of_the_skin_under_it() -> None:
    """A sleeve from the shoulder to the wrist."""
    vertices, faces = box((4.6, 13.05, 0.05), (8.4, 14.95, 1.95))
    sleeve = vertices, faces[np.ptp(vertices[faces][:, :, 0], axis=1) > 0]  # open at both ends
    mesh = in_parts(sleeve)
    skin, rows = posable.bind(mesh, skeleton()), rows_of(in_parts(sleeve), 0, sleeve)
    arm = np.flatnonzero((mesh.vertices[:, 0] > 3.5) & (np.arange(len(mesh.vertices)) < rows.start))
    near = arm[np.linalg.norm(mesh.vertices[rows, None] - mesh.vertices[arm], axis=2).argmin(axis=1)]
    worn = np.isin(np.arange(len(mesh.vertices))[rows], mesh.faces)
    assert apart(table(skin)[rows], table(skin)[near])[worn].mean() < 0.2
    assert {"arm.l", "elbow.l"} <= moved_by(skin, rows)
    assert "1 loose piece (6) on the skin: by the weights under it" in skin.notes


def test_a_pad_over_a_joint_is_not_bent() -> None:
    """On the elbow, too small to reach where forearm or upper arm move the skin alone."""
    pad = box((5.7, 14.75, 0.4), (7.3, 14.95, 1.6))
    mesh = in_parts(pad)
    skin = posable.bind(mesh, skeleton())
    rows = rows_of(mesh, 0, pad)
    assert moved_by(skin, rows) in ({"arm.l"}, {"elbow.l"}) and skin.weights[rows, 0].min() == 1


def test_what_touches_holds_together_and_moves_as_one() -> None:
    """A blade on a hilt in a hand; a button on the trunk."""
    hilt, blade = box((9.5, 14.9, 0.8), (9.9, 16, 1.2)), box((9.6, 16.02, 0.9), (9.8, 24, 1.1))
    button = ball((2, 11, 2.55), 0.2)
    mesh = in_parts(hilt, blade, button)
    skin = posable.bind(mesh, skeleton())
    for number, joint in ((0, "hand.l"), (1, "hand.l"), (2, "spine")):
        rows = rows_of(mesh, number, hilt, blade, button)
        assert moved_by(skin, rows) == {joint} and skin.weights[rows, 0].min() == 1
    assert any("loose pieces (" in note and "as a whole with 'hand.l'" in note for note in skin.notes)


def test_a_joint_for_weapons_holds_weapons_and_no_skin() -> None:
    slot = at("handslot.l", "hand.l", (9.5, 14, 1))
    sword = box((9.4, 12, 0.9), (9.6, 22, 1.1))
    bare = posable.bind(in_parts(), with_joints(slot))
    assert "handslot.l" not in moved_by(bare) and "hand.l" in moved_by(bare)
    mesh = in_parts(sword)
    skin = posable.bind(mesh, with_joints(slot))
    assert moved_by(skin, rows_of(mesh, 0, sword)) == {"handslot.l"}
    assert "1 of 18 joints hold things: what is in the hand follows them, and no skin: 'handslot.l'" in skin.notes


def test_a_backpack_follows_the_joint_that_carries_what_it_rests_on() -> None:
    pack = box((-2.5, 9.5, -2.5), (2.5, 15.5, -0.25))
    mesh = in_parts(pack)
    skin = posable.bind(mesh, skeleton())
    rows = rows_of(mesh, 0, pack)
    assert moved_by(skin, rows) == {"spine"} and skin.weights[rows, 0].min() == 1


def machine() -> list[Piece]:
    """Limbs of a box for each bone, with gaps between them."""
    ends = {"arm": "elbow", "elbow": "hand", "hand": (10.2, 14, 1), "hip": "knee", "knee": "foot", "foot": (2, -0.5, 1)}
    parts = [box((-3, 8.6, 0), (3, 11.4, 2)), box((-3, 11.6, 0), (3, 15, 2)), box((-1, 15.6, 0), (1, 19, 2))]
    for start, end in ends.items():
        for side, name in ((1, "l"), (-1, "r")):
            far = PLACES[f"{end}.{name}"][1] if isinstance(end, str) else np.array(end) * (side, 1, 1)
            both = np.array([PLACES[f"{start}.{name}"][1], far], float)
            low, high = both.min(axis=0), both.max(axis=0)
            thick = np.where(high - low > 0.5, -0.1, 0.5)
            parts.append(box(low - thick, high + thick))
    return parts


def test_a_machine_moves_in_stiff_parts() -> None:
    parts = machine()
    mesh = together(*parts)
    skin = posable.bind(mesh, skeleton())
    assert skin.weights[:, 0].min() == 1
    assert all(len(set(skin.joints[mesh.pieces == piece, 0])) == 1 for piece in range(len(parts)))
    assert len(moved_by(skin)) == len(parts)


def test_a_machines_ball_goes_with_what_turns_in_it_and_a_plate_with_what_is_nearest() -> None:
    """The ball between thigh and shin is a little more in the thigh; the plate hangs from the thigh before the shin."""
    parts, knee, plate = machine(), ball((2, 4.1, 1), 0.8), box((1.5, 1.2, 1.6), (2.5, 5.5, 1.7))
    parts[9], parts[11] = box((1.5, 4.9, 0.5), (2.5, 7.9, 1.5)), box((1.5, 1.2, 0.5), (2.5, 3.3, 1.5))
    plate[0][:, 2] += 0.2 * (5.5 - plate[0][:, 1])
    skin = posable.bind(mesh := together(*parts, knee, plate), skeleton())
    for number in (0, 1):
        assert moved_by(skin, rows_of(mesh, number, knee, plate)) == {"knee.l"}


def test_what_covers_a_machines_shoulder_lies_on_the_chest() -> None:
    """Both are nearest to the arm; the middle of one is behind where the arm begins, that of the other ahead of it."""
    behind, ahead = (box((low, 13.2, 2.2), (low + 1.4, 14.8, 2.6)) for low in (2.6, 3.4))
    for part, joint in ((behind, "spine"), (ahead, "arm.l")):
        skin = posable.bind(mesh := together(*machine(), part), skeleton())
        assert moved_by(skin, rows_of(mesh, 0, part)) == {joint}


def test_many_stiff_finger_bones_make_no_machine() -> None:
    """A mannequin whose finger bones are pieces of their own had one joint for each leg, and one for trunk and head."""
    joints, parts = list[Joint](), list[Piece]()
    for side, out in (("l", 1.0), ("r", -1.0)):
        x, y, z = PLACES[f"hand.{side}"][1]
        for finger in range(4):
            above, start = f"hand.{side}", (x + 1.6 * out, y, z + 0.6 * finger - 0.9)
            for bone in range(3):
                name, next_bone = f"f{finger}{bone}.{side}", (0.6 * out, 0.0, 0.0)
                joints.append(at(name, above, start) if bone == 0 else Joint(name, "ball", above, next_bone))
                middle = np.add(start, (0.6 * out * bone + 0.3 * out, 0, 0))
                half = np.array([0.25, 0.2, 0.2])
                parts.append(box(middle - half, middle + half, 8))
                above = name
    whole = body()
    mesh = together((whole.vertices, whole.faces), *parts)
    skin = posable.bind(mesh, with_joints(*joints))
    rows = slice(0, len(whole.vertices))
    assert {"hip.l", "knee.l", "spine", "arm.r", "elbow.r"} <= moved_by(skin, rows)


def test_pieces_that_touch_stay_together() -> None:
    """The two halves of a body, cut through the trunk between two joints, each with a lid."""
    lower, upper = box((-1, 0, 0), (1, 5, 2), 3), box((-1, 5, 0), (1, 10, 2), 3)
    chain = Skeleton([Joint("a", "free", position=(0, 0.5, 1)), Joint("b", "ball", "a", (0, 4.3, 0)),
                      Joint("c", "ball", "b", (0, 2.2, 0)), Joint("d", "ball", "c", (0, 2, 0))])  # fmt: skip
    mesh = together(lower, upper)
    skin = posable.bind(mesh, chain)
    near = np.abs(mesh.vertices[:, 1] - 5) < 1e-6
    assert near.sum() > 20 and apart(*table(skin)[near].reshape(2, -1, 4)).max() < 0.05


def test_limbs_that_touch_are_not_sewn_together() -> None:
    """Two legs side by side, a hundredth apart."""
    skin = posable.bind(in_parts(thick=1.995), skeleton())
    first = len(box((-3.2, 7, -0.4), (3.2, 16, 2.4))[0])
    left = slice(first, first + len(box((0.005, -0.2, 0.1), (3.995, 8.8, 1.9))[0]))
    assert not moved_by(skin, left) & {"hip.r", "knee.r", "foot.r"}


def test_a_seam_that_rounding_has_opened_is_no_seam() -> None:
    mesh = body()
    corners = mesh.faces.reshape(-1)
    moved = mesh.vertices[corners] + np.random.default_rng(3).uniform(-1e-7, 1e-7, (len(corners), 3)) * mesh.diagonal
    skin = posable.bind((moved, np.arange(len(corners)).reshape(-1, 3)), skeleton())
    assert apart(table(skin), table(posable.bind(mesh, skeleton()))[corners]).max() < 1e-3
    assert Mesh(moved, np.arange(len(corners), dtype=np.int32).reshape(-1, 3)).pieces.max() == 0


@pytest.mark.parametrize("method", ["heat", "voxel"])
def test_a_stray_vertex_changes_nothing_and_is_said(method: str) -> None:
    mesh, chain = body(), skeleton()
    stray = Mesh(np.concatenate([mesh.vertices, [[900.0, -700, 50]]]), mesh.faces)
    skin = posable.bind(stray, chain, method)
    assert apart(table(skin)[:-1], table(posable.bind(mesh, chain, method))).max() < 1e-6
    assert f"1 of {len(stray.vertices):,} vertices are in no face" in skin.notes


def test_binding_says_what_looks_wrong() -> None:
    """Two joints that only an arm and a leg have: the trunk between them follows both."""
    skin = posable.bind(body(), skeleton(), joints=["hand.l", "foot.r"])
    found = [one.sentence for one in posable.skin.weights.bad_vertices(skin)]
    assert any("far apart in the skeleton" in sentence for sentence in found)
    assert [note for note in skin.notes if note in found] == found


def test_pieces_without_any_bone_near_are_bound_all_the_same() -> None:
    chain: Any = Skeleton([Joint("a", "free", position=(0, 3, 0)), Joint("b", "ball", "a", (0, 3, 0))])
    flat = np.array([[-1, 0, 0], [1, 0, 0], [0, 9, 0.0]])
    for faces in ([[0, 1, 2]], [[0, 1, 2], [3, 4, 5]]):
        skin = posable.bind((np.concatenate([flat, flat + np.array((0, 0, 2))])[: 3 * len(faces)], faces), chain)
        pose = Pose(chain, chain.rest_coordinates)
        np.testing.assert_allclose(skin.deform(pose), skin.vertices, atol=1e-5)
