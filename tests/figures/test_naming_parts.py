"""Whatever a file calls its joints: roles find them, and a look knows where the figure faces."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from real_files import DATA, SHARED

import posable
from posable import GoalError, Joint, LookAt, Place, Pole, Reach, Skeleton, UnknownJointError
from posable.formats.table import endings
from posable.skeleton import name_key

SUFFIXES = endings(lambda _: True)
FILES = {
    path.name: path
    for folder in (SHARED, DATA)
    for path in sorted(folder.rglob("*"))
    if path.suffix.lower() in SUFFIXES and not {"mocap_cmu", "fbx"} & set(path.parts)  # FBX: features, damage
} | {one.name: posable.sample(one.name) for one in posable.samples()}
RECORDINGS = {path.name: path for path in sorted((SHARED / "mocap_cmu").glob("*.bvh"))}


@cache
def skeleton_of(path: Path) -> Skeleton | None:
    """The skeleton in a file, None where posable says why it reads none."""
    try:
        return posable.load(path).skeleton
    except posable.UnsupportedFileError:
        return None


def skeletons(files: dict[str, Path]) -> dict[str, Skeleton]:
    """Those of all files that have one."""
    return {name: skeleton for name, path in files.items() if (skeleton := skeleton_of(path)) is not None}


# The judge: no more than the file's own names and places, and none of the library's search.


def _other_side(name: str) -> str | None:
    """The name of the right one of a pair whose left is `name`."""
    for left, right in (("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")):
        if left in name:
            return name.replace(left, right)
    swapped = re.sub(r"(?<![A-Za-z])([Ll])(?![a-z])", lambda m: "R" if m[1] == "L" else "r", name)
    return swapped if swapped != name else re.sub(r"^l(?=[a-z])", "r", name)


def judged_facings(skeleton: Skeleton) -> dict[str, np.ndarray]:
    """Unit vectors by kind of evidence: left and right by name; from ankles to toes; from heads to eyes and noses."""
    places = posable.Pose(skeleton, skeleton.rest_coordinates).origins
    at = dict(zip(skeleton.joints, places, strict=True))
    up = np.eye(3)["xyz".index(skeleton.up)]
    across = [at[name] - at[other] for name in at if (other := _other_side(name)) in at and other != name]
    if not across:  # numbered names: all that are left against all that are right
        left, right = ([at[name] for name in at if side in name] for side in ("Left", "Right"))
        across = [np.mean(left, axis=0) - np.mean(right, axis=0)] if left and right else []
    toes = [at[name] - places[skeleton.parents[i]] for i, name in enumerate(at) if re.search(r"(?i)toe|ball", name)]
    face = [
        at[name] - at[head]
        for name in at
        if re.search(r"(?i)eye|nose|jaw|snout", name)
        for head in at
        if re.fullmatch(r"(?i)([a-z]+:)?head", head)
    ]
    summed = {"sides": np.cross(np.sum(across, axis=0), up) if across else np.zeros(3)}
    summed |= {key: np.sum(some, axis=0) if some else np.zeros(3) for key, some in (("toes", toes), ("face", face))}
    level = {key: vector - (vector @ up) * up for key, vector in summed.items()}
    size = 0.02 * np.ptp(places, axis=0).max()
    return {key: v / np.linalg.norm(v) for key, v in level.items() if np.linalg.norm(v) > size}


def _looks_off(skeleton: Skeleton, joint: str, way: np.ndarray) -> float:
    """Radians between a direction in the world and where a joint looks at rest without being told its front."""
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    eye = rest.origins[skeleton.index(joint)]
    return float(np.linalg.norm(LookAt(joint, eye + 3 * skeleton.reach * way).residual(rest)))


def _check_looks(files: dict[str, Path]) -> int:
    judged = 0
    for name, skeleton in skeletons(files).items():
        facings = judged_facings(skeleton)
        if "head" not in posable.roles(skeleton) or not facings:
            continue
        off = {key: round(np.degrees(_looks_off(skeleton, "head", way))) for key, way in facings.items()}
        assert max(off.values()) < 10, (name, off)
        judged += 1
    return judged


@pytest.mark.slow
def test_a_head_looks_where_the_figure_faces() -> None:
    assert _check_looks(FILES) >= (60 if SHARED.is_dir() else 20)


@pytest.mark.slow
@pytest.mark.skipif(not RECORDINGS, reason="../shared/data is not beside the checkout")
def test_a_head_looks_where_the_figure_faces_in_every_recording() -> None:
    assert _check_looks(RECORDINGS) == len(RECORDINGS)


def test_the_front_is_told_in_the_joints_own_frame() -> None:
    lying = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # its y axis points along the world's z
    legs = [Joint(f"leg_{side}", "ball", "hips", (x, -1.0, 0.0)) for side, x in (("l", 0.1), ("r", -0.1))]
    skeleton = Skeleton([Joint("hips", "free"), *legs, Joint("head", "ball", "hips", (0, 1, 0), wxyz=lying)])
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    assert LookAt("head", (0, 1, 9)).residual(rest) == pytest.approx(np.zeros(3), abs=1e-9)
    asked = posable.solve(rest, [LookAt("head", (9, 1, 0))], frozen=["root"]).pose
    assert asked.world_from_joint[3, :3, 1] == pytest.approx((1, 0, 0), abs=1e-6)
    given = LookAt("head", (0, 1, 9), forward=(0, 0, 1)).residual(rest)
    assert np.linalg.norm(given) == pytest.approx(np.pi / 2)


@pytest.mark.parametrize("name", ["arm6", "tentacle"])
def test_where_nothing_tells_the_front_it_is_asked_for(name: str) -> None:
    figure = posable.figure(name)
    last = figure.skeleton.joints[-1]
    with pytest.raises(GoalError, match=rf"LookAt\('{last}'\): the direction .* give `forward`, a direction in the"):
        posable.solve(figure.rest, [LookAt(last, (1, 1, 1))])
    assert posable.solve(figure.rest, [LookAt(last, (1, 1, 1), forward=(1, 0, 0))]).goals[0].angle is not None


# Roles as names.

RIGHT_HAND = ("RightHand", "right hand", "hand_r", "HAND.R", "hand-right", "R Hand", "right_wrist")


@pytest.mark.slow
def test_a_role_finds_its_joint_whatever_the_file_calls_it() -> None:
    found, called = 0, set()
    for skeleton in skeletons(FILES).values():
        roles = posable.roles(skeleton)
        assert skeleton.freedom_mask(["root"]).sum() == skeleton.definitions[skeleton.index("root")].dof
        for role, joint in roles.items():
            own = {j for name, j in skeleton.aliases.items() if name_key(name) == name_key(role)}
            assert skeleton.index(role) == skeleton.index(joint) or skeleton.index(role) in own, (role, joint)
        if "hand_r" in roles and not any(re.search(r"(?i)hand|wrist", one) for one in skeleton.joints):
            assert {skeleton.joints[skeleton.index(name)] for name in RIGHT_HAND} == {roles["hand_r"]}
            called.add(roles["hand_r"])
        found += "hand_r" in roles
    assert found >= (50 if SHARED.is_dir() else 15)
    assert len(called) >= 3  # Fist.R, Palm2.R, Skeleton_arm_joint_R__3_ …


def test_roles_stand_wherever_a_joint_is_named(shared: Path) -> None:
    figure = posable.load(shared / "characters/Q_PlatformerHumanoid.glb")  # hands called Fist.L and Fist.R
    rest, names = figure.rest, posable.roles(figure)
    fist, head = names["hand_r"], names["head"]
    at = rest.origins[figure.skeleton.index(fist)] + (0.1, 0.2, 0.1)
    frame = rest.world_from_joint[figure.skeleton.index(fist)]

    def goals(hand: str, head: str, hips: str, neck: str, other: str) -> list[posable.Goal]:
        return [
            Reach(hand, at),
            Pole(hand, at - np.eye(3)[2]),
            LookAt(head, at, share={neck: 0.3}),
            Place(other, frame, relative_to=hips, priority=1),
            posable.Comfort({hand: (1, 0, 0, 0)}),
        ]

    by_role = goals("right hand", "head", "pelvis", "neck", "LeftHand")
    by_name = goals(fist, head, names["hips"], names["neck"], names["hand_l"])
    one, two = (
        posable.solve(rest, some, frozen=frozen)
        for some, frozen in ((by_role, ["root", "foot_l"]), (by_name, ["Root", names["foot_l"]]))
    )
    np.testing.assert_array_equal(one.pose.q, two.pose.q)
    method: dict[str | None, Any] = {"hand_r": posable.solvers.CyclicDescent()}
    assert posable.solve(rest, [Reach("RightHand", at)], method=method).goals[0].distance is not None
    assert rest.of("hand_r") == pytest.approx(rest.of(fist))
    np.testing.assert_array_equal(
        figure.skeleton.freedom_mask(["hand_r.x"]), figure.skeleton.freedom_mask([f"{fist}.x"])
    )


def test_the_figures_own_names_come_first() -> None:
    body = posable.figure("mannequin").skeleton
    swapped = {"hand_l": "hand_r", "hand_r": "hand_l"}
    table = {name: f"j{k}" for k, name in enumerate(body.joints) if name not in swapped} | swapped
    own = Skeleton([_renamed(joint, table) for joint in body.definitions], body.up)
    assert own.joints[own.index("hand_r")] == "hand_r"
    alone = Skeleton(
        [_renamed(joint, table | {"hand_l": "one", "hand_r": "two"}) for joint in body.definitions], body.up
    )
    assert posable.roles(alone)["hand_r"] == alone.joints[alone.index("hand_r")] == alone.joints[body.index("hand_r")]


def _renamed(joint: Joint, table: dict[str, str]) -> Joint:
    follows = tuple(replace(a, follow=a.follow and replace(a.follow, joint=table[a.follow.joint])) for a in joint.axes)
    return replace(joint, name=table[joint.name], parent=joint.parent and table[joint.parent], axes=follows, aliases=())


def test_an_animal_has_feet_in_rows(shared: Path) -> None:
    wolf = posable.load(shared / "characters/Q_Wolf.glb").skeleton
    feet = [
        wolf.joints[wolf.index(name)] for name in ("left front foot", "RightFrontFoot", "hind_foot_l", "hind foot R")
    ]
    assert feet == ["FF.L", "FF.R", "FFB.L", "FFB.R"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hand", r"did you mean hand_r \(the role of 'Fist.R'\) or hand_l \(the role of 'Fist.L'\)"),
        ("jaw", r"no joint is called 'jaw', and none was found to have that role; "),
    ],
)
def test_an_unknown_name_is_told_the_roles_near_it(shared: Path, name: str, message: str) -> None:
    figure = posable.load(shared / "characters/Q_PlatformerHumanoid.glb")
    with pytest.raises(UnknownJointError, match=message):
        posable.solve(figure.rest, [Reach(name, (0, 0, 0))])


def test_a_joint_with_thousands_of_children_is_no_body() -> None:
    """Comparing all pairs of them would take minutes; a wrong name is refused at once."""
    rays = [Joint(f"ray{k}", "ball", "hub", (np.cos(k), 0.1, np.sin(k))) for k in range(3000)]
    star = Skeleton([Joint("hub", "free"), *rays])
    with pytest.raises(UnknownJointError, match="'hand_r', and none was found"):
        star.index("hand_r")


def test_errors_about_a_role_name_its_joint(shared: Path) -> None:
    rest = posable.load(shared / "characters/Q_PlatformerHumanoid.glb").rest
    with pytest.raises(GoalError, match=r"Reach\('right hand'\): it cannot be relative to itself, the joint 'Fist.R'"):
        posable.solve(rest, [Reach("right hand", (0, 0, 0), relative_to="hand_r")])
    with pytest.raises(GoalError, match=r"share names 'left hand' \(the joint 'Fist.L'\), which is neither above it"):
        posable.solve(rest, [LookAt("head", (0, 1, 3), share={"left hand": 0.3})])


@pytest.mark.parametrize(("name", "said"), [("wrist", "hand_l, hand_r"), ("elbow", "forearm_l, forearm_r")])
def test_a_part_without_its_side_lists_both(name: str, said: str) -> None:
    with pytest.raises(posable.UnknownJointError, match=said):
        posable.figure("mannequin").skeleton.index(name)
