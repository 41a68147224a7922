"""The mannequin: skeleton, limits, masses, skin."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from figures.builtin.meshes import assert_closed, directed_edges, volume
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

import posable
from posable.figures.builtin.human import SKIN_FILE
from posable.figures.builtin.sculpting import HIGH, LOW, sculpted
from posable.skin import Skin
from posable.spatial import normalized, rotation_vector_from_wxyz, wxyz_about, wxyz_between, wxyz_inverse, wxyz_multiply

SIDES = [
    "eye",
    "clavicle",
    "upper_arm",
    "forearm",
    "hand",
    "thumb_1",
    "thumb_2",
    "thumb_3",
    "index_1",
    "index_2",
    "index_3",
    "index_tip",
    "middle_1",
    "middle_2",
    "middle_3",
    "ring_1",
    "ring_2",
    "ring_3",
    "pinky_1",
    "pinky_2",
    "pinky_3",
    "thigh",
    "shin",
    "foot",
    "toe",
]
FINGERS = ("thumb", "index", "middle", "ring", "pinky")


@cache
def _figure() -> posable.Figure:
    return posable.figure("mannequin")


@cache
def _skeleton() -> posable.Skeleton:
    return _figure().skeleton


@cache
def _skin() -> Skin:
    (skin,) = _figure().skins
    return skin


def _origin(joint: str) -> np.ndarray:
    return _figure().rest.origins[_skeleton().index(joint)]


def test_the_joints_have_the_names_of_the_interface() -> None:
    middle = {"root", "spine", "chest", "neck", "head"}
    assert set(_skeleton().joints) == middle | {f"{name}_{side}" for name in SIDES for side in "lr"}
    assert _skeleton().index("pelvis") == _skeleton().index("Hips") == 0
    assert _skeleton().index("RightHand") == _skeleton().index("hand_r")


def test_at_rest_every_joint_is_parallel_to_the_world() -> None:
    turns = _figure().rest.world_from_joint[:, :3, :3]
    assert np.abs(turns - np.eye(3)).max() < 1e-12


def test_it_stands_1_75_m_high_on_the_ground_faces_z_and_has_its_left_at_x() -> None:
    vertices = _skin().vertices
    assert abs(vertices[:, 1].min()) < 1e-3
    assert _figure().height == pytest.approx(1.75, abs=0.01)
    assert _origin("toe_l")[2] > _origin("foot_l")[2] + 0.1
    assert _origin("eye_l")[2] > _origin("head")[2]
    assert _origin("hand_l")[0] > 0.3
    head = vertices[np.argmax(vertices[:, 1])][1] - _origin("head")[1] + 0.035  # the chin lies below the joint
    assert 7 < 1.75 / head < 8.5, "heads to a figure"


def _partner(joint: str) -> str:
    swapped = {"_l": "_r", "_r": "_l"}
    return joint[:-2] + swapped[joint[-2:]] if joint[-2:] in swapped else joint


def _mirrored(pose: posable.Pose) -> posable.Pose:
    """The pose seen in a mirror at x = 0: sides swapped, hinges alike, turns of balls and of the root reflected."""
    mirrored = pose
    for joint in _skeleton().definitions:
        own = pose.of(_partner(joint.name))
        signs = {"ball": (1, 1, -1, -1), "free": (-1, 1, 1, 1, 1, -1, -1)}.get(joint.kind, (1,) * joint.coordinates)
        mirrored = mirrored.with_joint(joint.name, own * np.array(signs)) if joint.coordinates else mirrored
    return mirrored


def _random_poses(count: int, seed: int = 0) -> posable.Pose:
    return posable.Pose(_skeleton(), _skeleton().random_coordinates(np.random.default_rng(seed), (count,)))


def test_a_mirrored_pose_is_the_mirror_image_within_the_mirrored_limits() -> None:
    poses = _random_poses(50)
    mirrored = _mirrored(poses)
    partners = [_skeleton().index(_partner(joint)) for joint in _skeleton().joints]
    assert np.abs(mirrored.origins[:, partners] * (-1, 1, 1) - poses.origins).max() < 1e-9
    assert np.abs(mirrored.minus(mirrored.clamped())).max() < 1e-9
    assert np.abs(_mirrored(_figure().rest).minus(_figure().rest)).max() < 1e-12


def test_the_skin_is_symmetric() -> None:
    vertices = _skin().vertices.astype(float)
    distance, partner = cKDTree(vertices).query(vertices * (-1, 1, 1))
    assert distance.max() < 5e-4
    pose = _random_poses(1, seed=4)[0]
    moved, mirrored = (_skin().deform(p).astype(float) for p in (pose, _mirrored(pose)))
    assert np.linalg.norm(mirrored[partner] * (-1, 1, 1) - moved, axis=1).max() < 1e-3


def test_hinges_never_bend_backwards_and_rest_away_from_their_limits() -> None:
    for joint in _skeleton().definitions:
        for axis, rest in zip(joint.axes, joint.rest or (0.0,) * len(joint.axes), strict=True):
            assert axis.lower + math.radians(5) < rest < axis.upper - math.radians(5), joint.name
    ranges = dict.fromkeys(("forearm_l",), (0, 150)) | {"shin_r": (0, 155)}
    ranges |= {f"{finger}_2_l": (0, 100) for finger in FINGERS[1:]} | {
        f"{finger}_3_r": (0, 90) for finger in FINGERS[1:]
    }
    for joint, (lower, upper) in ranges.items():
        (axis,) = _skeleton().definitions[_skeleton().index(joint)].axes
        assert (axis.lower, axis.upper) == pytest.approx((math.radians(lower), math.radians(upper))), joint


@pytest.mark.parametrize(
    ("joint", "below", "towards"),
    [
        ("forearm_l", "hand_l", (0, 0, 1)),
        ("forearm_r", "hand_r", (0, 0, 1)),
        ("shin_l", "foot_l", (0, 0, -1)),
        ("shin_r", "foot_r", (0, 0, -1)),
        ("index_2_l", "index_tip_l", (-0.74, -0.67, 0)),
        ("index_2_r", "index_tip_r", (0.74, -0.67, 0)),
    ],
)
def test_hinges_bend_to_the_right_side(joint: str, below: str, towards: tuple[float, float, float]) -> None:
    """Elbows to the front, knees to the back, fingers into the palm; at 0 the limb is straight."""
    rest = _figure().rest
    moved = rest.with_joint(joint, rest.of(joint) + 0.3)
    way = moved.origins[_skeleton().index(below)] - _origin(below)
    assert normalized(way) @ normalized(towards) > 0.6


def test_straight_limbs_are_straight_at_0() -> None:
    rest = _figure().rest
    for above, joint, below in (("upper_arm_l", "forearm_l", "hand_l"), ("thigh_r", "shin_r", "foot_r")):
        origins = rest.with_joint(joint, [0.0]).origins
        a, b, c = (origins[_skeleton().index(name)] for name in (above, joint, below))
        assert normalized(b - a) @ normalized(c - b) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("direction", [(0, -1, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1), (-0.6, 0, 0.8), (0, -0.8, -0.6)])
def test_the_left_upper_arm_points_where_a_persons_can(direction: tuple[float, float, float]) -> None:
    """Down, up, out, forwards, across the chest and 37° back; but not straight back or through the trunk."""
    bone = _origin("forearm_l") - _origin("upper_arm_l")
    assert _allowed("upper_arm_l", wxyz_between(bone, direction))
    assert not _allowed("upper_arm_l", wxyz_between(bone, (0, 0, -1)))
    assert not _allowed("upper_arm_l", wxyz_between(bone, (-1, 0, -0.3)))


def test_the_hips_cone_follows_the_clinical_ranges() -> None:
    bone = normalized(_origin("shin_l") - _origin("thigh_l"))
    for degrees, allowed in ((115, True), (125, False), (-25, True), (-35, False)):
        flexed = wxyz_about((1, 0, 0), -math.radians(degrees))
        assert _allowed("thigh_l", flexed) == allowed, degrees
    for degrees, allowed in ((40, True), (50, False), (-40, True), (-50, False)):
        assert _allowed("thigh_l", wxyz_about(bone, math.radians(degrees))) == allowed, degrees


def _allowed(joint: str, wxyz: np.ndarray) -> bool:
    pose = _figure().rest.with_joint(joint, wxyz)
    return bool(np.abs(pose.minus(pose.clamped())).max() < 1e-9)


def test_every_ball_rests_well_inside_its_cone() -> None:
    assert set(_skeleton().cones) == {joint.name for joint in _skeleton().definitions if joint.kind == "ball"}
    for name, cone in _skeleton().cones.items():
        leaning = rotation_vector_from_wxyz(wxyz_multiply(wxyz_inverse(cone.center), (1, 0, 0, 0)))
        assert np.linalg.norm(leaning) < cone.swing - math.radians(10), name
        assert cone.twist[0] < -math.radians(10) and cone.twist[1] > math.radians(10), name


def test_the_parts_weigh_70_kg_and_balance_over_the_feet() -> None:
    masses = np.array([joint.mass for joint in _skeleton().definitions])
    assert masses.sum() == pytest.approx(70)
    centers = _figure().rest.origins + np.array([joint.mass_center for joint in _skeleton().definitions])
    center = masses @ centers / 70
    assert abs(center[0]) < 1e-12
    assert 0.53 * 1.75 < center[1] < 0.58 * 1.75, "a person's is at 55 to 57 % of the height"
    assert _origin("foot_l")[2] - 0.05 < center[2] < _origin("toe_l")[2]


def test_the_fingertips_are_at_the_skins_end() -> None:
    for side in "lr":
        assert cKDTree(_skin().vertices).query(_origin(f"index_tip_{side}"))[0] < 0.003
        for finger in FINGERS:
            (tip,) = _skeleton().definitions[_skeleton().index(f"{finger}_3_{side}")].tips
            assert cKDTree(_skin().vertices).query(_origin(f"{finger}_3_{side}") + tip)[0] < 0.003


def _pieces() -> list[tuple[int, np.ndarray, np.ndarray]]:
    """(joint, vertices, faces) of each piece."""
    skin = _skin()
    edges = directed_edges(skin.faces)
    links = coo_matrix((np.ones(len(edges)), edges.T), shape=(len(skin.vertices),) * 2)
    count, piece = connected_components(links)
    found = []
    for k in range(count):
        own = np.flatnonzero(piece == k)
        faces = skin.faces[piece[skin.faces[:, 0]] == k]
        (joint,) = set(skin.joints[own, 0].tolist())
        found.append((joint, skin.vertices[own], np.searchsorted(own, faces)))
    return found


def test_the_skin_is_made_of_closed_pieces_each_of_one_joint() -> None:
    skin = _skin()
    assert 8_000 < len(skin.vertices) < 20_000
    assert (skin.weights[:, 0] == 1).all()
    pieces = _pieces()
    for _, vertices, faces in pieces:
        assert_closed(vertices, faces)
    carrying = {_skeleton().joints[joint] for joint, _, _ in pieces}
    assert carrying == {name for name in _skeleton().joints if not name.startswith("index_tip")}
    assert volume(skin.vertices, skin.faces) == pytest.approx(0.062, abs=0.006)
    edges = directed_edges(skin.faces)
    length = np.linalg.norm(skin.vertices[edges[:, 0]] - skin.vertices[edges[:, 1]], axis=1)
    assert length.min() > 3e-4 and length.max() < 0.05


def test_no_triangle_is_folded_over_its_neighbour() -> None:
    skin = _skin()
    a, b, c = np.moveaxis(skin.vertices[skin.faces].astype(float), 1, 0)
    normal = normalized(np.cross(b - a, c - a))
    face_of = {tuple(edge): n % len(skin.faces) for n, edge in enumerate(directed_edges(skin.faces).tolist())}
    bend = np.array([normal[face] @ normal[face_of[(q, p)]] for (p, q), face in face_of.items()])
    assert bend.min() > -0.2 and (bend < 0.5).mean() < 0.005


@pytest.mark.parametrize("joint", ["upper_arm", "forearm", "hand", "thigh", "shin", "foot"])
def test_a_ball_about_each_joint_fills_it_in_every_pose(joint: str) -> None:
    """However the joint bends, what is above and below it meets in a ball about it, so no gap opens."""
    index = _skeleton().index(f"{joint}_l")
    sizes = [
        np.linalg.norm(vertices - _figure().rest.origins[index], axis=1)
        for own, vertices, _ in _pieces()
        if own == index
    ]
    ball = min(sizes, key=lambda one: np.ptp(one))
    assert np.ptp(ball) < 0.007
    above = int(_skeleton().parents[index])
    near = [np.linalg.norm(v - _figure().rest.origins[index], axis=1).min() for own, v, _ in _pieces() if own == above]
    assert min(near) < ball.min(), "the piece above reaches into the ball"


def test_the_eyes_are_dark_and_turn_and_the_joints_are_darker_than_the_limbs() -> None:
    colors, tree = _skin().colors, cKDTree(_skin().vertices)
    assert colors is not None
    shade = colors.mean(axis=1)
    for side in "lr":
        index, ahead = _skeleton().index(f"eye_{side}"), _origin(f"eye_{side}") + np.array([0, 0, 0.01])
        pupil = tree.query(ahead)[1]
        assert shade[pupil] < 0.35 and _skin().joints[pupil, 0] == index
        middle = 0.5 * (_origin(f"thigh_{side}") + _origin(f"shin_{side}"))
        knee = _origin(f"shin_{side}") + np.array([0, 0, 0.05])
        assert shade[tree.query(knee)[1]] < shade[tree.query(middle)[1]] - 0.1


def test_the_kept_skin_is_what_the_solids_give() -> None:
    """Made anew it is the same mesh; else run: python -m posable.figures.builtin.sculpting"""
    assert SKIN_FILE.stat().st_size < 300_000
    made = sculpted()
    with np.load(SKIN_FILE, allow_pickle=False) as kept:
        assert set(kept) == set(made)
        assert np.array_equal(kept["faces"], made["faces"])
        step = (kept["vertices"].astype(float) - made["vertices"]) / 65535 * (HIGH - LOW)
        assert np.abs(step).max() < 1e-4
        assert np.abs(kept["colors"].astype(int) - made["colors"]).max() <= 2
        assert np.array_equal(kept["joints"], made["joints"])
