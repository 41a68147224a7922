"""Retargeted figures stand on one ground, lean and point as the source does, leap at no limit, stay out of themselves.

Soles are measured by the lowest points of skins and shapes here, not by what retargeting takes for soles.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure, PosableError
from posable.figures.shapes import solid_of
from posable.motion import Retargeting, retargeting
from posable.motion.feet.contact_detection import runs
from posable.motion.feet.sole_shapes import soles
from posable.motion.gait_metrics import self_penetration
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.copying import _within_limits, largest_rotation
from posable.motion.transfer.measured import Body
from posable.motion.transfer.robot_poses import _other_limbs, _with_best_arms
from posable.motion.transfer.rolling import underside
from posable.motion.transfer.self_collision import Apart
from posable.skeleton import Pose
from posable.spatial import matrix_from_wxyz, normalized, wxyz_from_matrix, wxyz_from_rotation_vector, wxyz_multiply

WALK = "mocap/cmu_12_01_walk.bvh"


@cache
def _figure(path: Path) -> Figure:
    figure = posable.load(path)
    return figure.with_root("free") if figure.skeleton.definitions[0].kind == "fixed" else figure


@cache
def _clip(path: Path, lift: float = 0.0) -> Clip:
    """Two seconds of it at 30 frames a second, lifted by so many legs of the source."""
    clip = posable.load(path).clips[0]
    clip = replace(clip, q=clip.q[100:340]).resample(30.0)
    q = np.array(clip.q)
    q[:, 1] += 16.0 * lift
    return replace(clip, q=q)


def _foot_points(figure: Figure, poses: Pose, foot: str) -> np.ndarray:
    """`[frame, point, 3]` of the skin that mainly follows a foot or what is below it, else of its display shapes."""
    joint, found = figure.skeleton.index(foot), []
    below = [j for j in range(len(figure.skeleton.joints)) if joint in figure.skeleton.chain(j)]
    for skin in figure.skins:
        leading = skin.joints[np.arange(len(skin.joints)), skin.weights.argmax(axis=1)]
        found.append(skin.deform(poses)[:, np.isin(leading, below)])
    for one in () if figure.skins else figure.shapes:
        if figure.skeleton.index(one.joint) in below:
            local = solid_of(one)[0] @ matrix_from_wxyz(np.array(one.wxyz)).T + one.position
            world = poses.world_from_joint[:, figure.skeleton.index(one.joint)]
            found.append(local @ world[:, :3, :3].swapaxes(1, 2) + world[:, None, :3, 3])
    return np.concatenate(found, axis=1).astype(float)


def _standing(figure: Figure, found: Retargeting) -> tuple[np.ndarray, float, float]:
    """(heights over their ground of the lowest points of standing feet, their mean speed along it, the depth of the
    deepest foot in all frames), for a leg of 0.88 m.
    """
    heights, speeds, lowest, scale = [], [], [], found.target.leg_length / 0.88
    up = "xyz".index(figure.skeleton.up)
    feet = {foot.sole.name: foot for foot in found.feet}
    for sole, touches in zip(found.contacts.soles, found.contacts.any, strict=True):
        points = _foot_points(figure, found.clip.poses, found.target.roles[f"foot_{sole.name[-1]}"])
        least, at = points[..., up].argmin(axis=1), np.arange(len(points) - 1)
        moved = np.delete(points[at + 1, least[:-1]] - points[at, least[:-1]], up, axis=1)
        over = points[..., up].min(axis=1) - feet[sole.name].under
        lowest.append(-over)
        for start, end in runs(touches):
            cut = round(0.1 * (end - start))
            heights.append(over[start + cut : end - cut])
            speeds.append(np.linalg.norm(moved[start + cut : end - cut - 1], axis=1) * found.clip.fps)
    return (
        np.concatenate(heights) / scale,
        float(np.concatenate(speeds).mean()) / scale,
        float(np.max(lowest)) / scale,
    )


@pytest.mark.parametrize("lift", [0.0, 0.3, -1.0])
def test_a_robot_stands_on_one_ground_whatever_the_clip_stands_on(shared: Path, lift: float) -> None:
    """Its origin is in the pelvis: the ground is the world's zero. 1 mm at most; it slides by 1 mm/s at most."""
    robot = _figure(shared / "robots/g1_29dof_rev_1_0.urdf")
    found = retargeting(_clip(shared / WALK, lift), robot)
    assert abs(found.floor) < 1e-9
    heights, slide, depth = _standing(robot, found)
    assert np.abs(heights).max() < 0.001
    assert slide < 0.001
    assert depth < 0.002


@pytest.mark.slow
@pytest.mark.parametrize("name", ["characters/MH_game_engine.glb", "characters/CesiumMan.glb", "robots/h1.urdf"])
def test_feet_roll_over_the_ground_without_slipping(shared: Path, name: str) -> None:
    """By the lowest point of all their skin, in the middle of every contact of the source: by 0.1 cm/s at most."""
    figure = _figure(shared / name)
    heights, slide, depth = _standing(figure, retargeting(_clip(shared / WALK), figure))
    assert slide < 0.001
    assert np.abs(heights).max() < 0.001
    assert depth < 0.002


def test_a_figure_that_stands_at_rest_stays_on_its_ground(shared: Path) -> None:
    figure = _figure(shared / "robots/g1_29dof.xml")
    found = retargeting(_clip(shared / WALK), figure)
    assert abs(found.floor - found.target.floor) < 1e-12
    assert found.floor != 0


def test_trunks_lean_as_the_source_does_wherever_they_bend(shared: Path) -> None:
    clip = _clip(shared / WALK)
    q = np.array(clip.q)
    spine = clip.skeleton.tables.first_coordinate[clip.skeleton.index("LowerBack")]
    q[:, spine : spine + 4] = wxyz_multiply(q[:, spine : spine + 4], wxyz_from_rotation_vector([0.8, 0.0, 0.0]))
    found = retargeting(replace(clip, q=q), _figure(shared / "characters/MH_game_engine.glb"))
    ways = []
    for body, poses in ((found.source, Pose(clip.skeleton, q)), (found.target, found.clip.poses)):
        hips, top = (
            np.mean([body.positions(poses, f"{part}_{side}") for side in "lr"], axis=0)
            for part in ("upper_leg", "upper_arm")
        )
        way = (top - hips) @ body.axes
        ways.append(way / np.linalg.norm(way, axis=1, keepdims=True))
    assert ways[0][:, 2].mean() > 0.4  # it does lean
    assert np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1, 1))).mean() < 3


def test_bones_of_a_robot_point_as_the_source_does(shared: Path) -> None:
    """Its shoulders have three hinges, the last of which turns in the elbow itself."""
    clip = _clip(shared / WALK)
    found = retargeting(clip, _figure(shared / "robots/simple_humanoid.urdf"))
    for side in "lr":
        shoulder, joint = found.target.position(f"upper_arm_{side}"), f"{side.upper()}ARM_SHOULDER_P"
        np.testing.assert_allclose(shoulder, found.target.rest[found.target.skeleton.index(joint), :3, 3], atol=0.01)
    for start, end in (("upper_arm", "lower_arm"), ("lower_arm", "hand")):
        for side in "lr":
            ways = []
            for body, poses in ((found.source, clip.poses), (found.target, found.clip.poses)):
                way = (body.positions(poses, f"{end}_{side}") - body.positions(poses, f"{start}_{side}")) @ body.axes
                ways.append(way / np.linalg.norm(way, axis=1, keepdims=True))
            assert np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1, 1))).mean() < 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["robots/simple_humanoid.urdf", "mannequin"])
def test_no_joint_leaps_at_its_limits(shared: Path, name: str) -> None:
    """An arm goes round behind the back, where the limits of shoulders end on both sides."""
    clip = _clip(shared / WALK)
    q = np.array(clip.q)
    arm = clip.skeleton.tables.first_coordinate[clip.skeleton.index("LeftArm")]
    angles = np.linspace(0.0, 2 * np.pi, len(q))[:, None]
    q[:, arm : arm + 4] = wxyz_from_rotation_vector(angles * [0.0, 1.0, 0.0])
    clip = replace(clip, q=q)
    found = retargeting(clip, posable.figure(name) if name == "mannequin" else _figure(shared / name))
    assert largest_rotation(found.clip.poses) < 3 * largest_rotation(clip.poses)
    np.testing.assert_array_equal(found.clip.poses.clamped().q, found.clip.q)


def test_motors_turn_no_faster_than_they_can_where_a_recording_turns_a_limb_over() -> None:
    """In one frame a thigh and an upper arm are turned half about themselves."""
    robot = posable.load(posable.sample("g1.urdf"), root="free")
    clip = posable.walk(posable.figure("mannequin"), steps=2)
    clip = clip.resample(30.0)
    q = np.array(clip.q)
    for name in ("upper_leg_l", "upper_arm_r"):
        joint = clip.skeleton.index(name)
        bone = clip.skeleton.definitions[clip.skeleton.children(joint)[0]].position
        half = wxyz_from_rotation_vector(np.pi * normalized(np.array(bone)))
        first = clip.skeleton.tables.first_coordinate[joint]
        q[len(q) // 2, first : first + 4] = wxyz_multiply(q[len(q) // 2, first : first + 4], half)
    turned = replace(clip, q=q)
    assert largest_rotation(turned.poses) > 2.5
    assert largest_rotation(retargeting(turned, robot).copy.poses) <= 20 / 30 + 1e-9


def test_a_robot_that_is_moved_again_keeps_its_bodies() -> None:
    """Capsules are fitted to its meshes once."""
    robot = posable.load(posable.sample("g1.urdf"), root="free")
    assert bodies(robot) is bodies(robot)
    assert any(joint.capsules for joint in bodies(robot).definitions)


def test_a_ball_joint_stays_at_the_end_of_its_limits_instead_of_leaping_to_the_other() -> None:
    """A hand that is to be twisted once about itself."""
    skeleton = posable.figure("mannequin").skeleton
    first = int(skeleton.tables.first_coordinate[skeleton.index("hand_l")])
    q = np.repeat(skeleton.rest_coordinates[None], 73, axis=0)
    axis = np.array(skeleton.definitions[skeleton.children(skeleton.index("hand_l"))[0]].position)
    angles = np.linspace(0, 2 * np.pi, 73)
    q[:, first : first + 4] = wxyz_from_rotation_vector(angles[:, None] * axis / np.linalg.norm(axis))
    wanted = Pose(skeleton, q)
    assert largest_rotation(wanted.clamped()) > 0.5
    found = _within_limits(wanted, 0.2)
    assert largest_rotation(found) <= 0.2 + 1e-9
    np.testing.assert_allclose(found.clamped().minus(found), 0.0, atol=1e-9)
    np.testing.assert_allclose(found[-1].minus(wanted[-1]), 0.0, atol=0.2)  # where it can, it is where it is to be


def test_each_arm_takes_the_path_on_which_its_bones_point_best(shared: Path) -> None:
    """Of two paths the left arm is right on one, the right arm on the other; the legs are those of another."""
    figure = _figure(shared / "robots/g1_29dof.xml")
    skeleton, roles = figure.skeleton, posable.roles(figure)
    body = Body(skeleton, roles, soles(figure, roles=roles))
    one, other = (skeleton.random_pose(np.random.default_rng(seed), (4,)) for seed in (1, 2))
    joints = {role: body.joints[role] for role in body.joints if role[:-2] in ("upper_arm", "lower_arm")}
    wanted = {
        joint: wxyz_from_matrix((one if role.endswith("l") else other).world_from_joint[:, joint, :3, :3])
        for role, joint in joints.items()
    }
    found = _with_best_arms(other, [other, one], wanted, body, "lr")
    for arm in roles.arms:
        own = [k for name in arm.joints for k in skeleton.freedom_range(skeleton.index(name))]
        path = one if arm.side == "l" else other
        np.testing.assert_allclose(found.minus(path)[:, own], 0.0, atol=1e-12)
    legs = [k for leg in roles.legs for name in leg.joints for k in skeleton.freedom_range(skeleton.index(name))]
    np.testing.assert_allclose(found.minus(other)[:, legs], 0.0, atol=1e-12)


def test_an_arm_is_tracked_again_without_the_other_limbs(shared: Path) -> None:
    figure = _figure(shared / "robots/g1_29dof.xml")
    skeleton, roles = figure.skeleton, posable.roles(figure)
    others = _other_limbs(Body(skeleton, roles, soles(figure, roles=roles)), ["l"])
    limbs = {arm.side: {skeleton.index(name) for name in arm.joints} for arm in roles.arms}
    legs = {skeleton.index(name) for leg in roles.legs for name in leg.joints}
    assert legs | limbs["r"] <= others and not limbs["l"] & others and roles.index("chest") not in others


def test_bodies_of_the_mannequin_stay_out_of_one_another(shared: Path) -> None:
    """By 5 mm, where rotations that are copied bring them in by four centimetres; and feet stay where they stand."""
    mannequin = posable.figure("mannequin")
    found = retargeting(_clip(shared / WALK), mannequin)
    depths = [
        float(self_penetration(Clip(bodies(mannequin), one.q, one.fps)).max()) for one in (found.clip, found.copy)
    ]
    assert depths[0] < 0.005 < 0.03 < depths[1]
    for foot in found.feet:
        for stand in foot.stands:
            if stand.ball:
                places = foot.sole.ball_places(found.clip.poses)[slice(*stand.ball)]
                assert np.linalg.norm(places - stand.ball_position, axis=1).max() < 0.005


@pytest.mark.parametrize("name", ["rigs/modular_men_Casual.glb", "robots/g1_29dof.xml", "robots/h1.urdf"])
def test_feet_that_pivot_while_they_stand_turn_as_the_persons(shared: Path, name: str) -> None:
    dance = posable.load(shared / "mocap_cmu/salsa_29.bvh").clips[0].resample(30.0)
    dance = replace(dance, q=dance.q[:165], events=())  # half round on the left foot, which never leaves the ground
    figure = _figure(shared / name)
    found = retargeting(dance, figure)
    assert _slide(figure, found) < 0.001  # legs a second: a level sole pivoted now about its heel, now about its ball
    for side, touches in zip("lr", found.contacts.any, strict=True):
        headings = [
            _heading(clip, body, f"foot_{side}")[touches]
            for clip, body in ((dance, found.source), (found.copy, found.target), (found.clip, found.target))
        ]
        copied, solved = (
            np.degrees(np.abs((one - headings[0] + np.pi) % (2 * np.pi) - np.pi)).mean() for one in headings[1:]
        )
        assert solved < copied + 3.0  # 21 and 25 degrees off where a foot stood as it came down


def _slide(figure: posable.Figure, found: Retargeting) -> float:
    """How fast the lowest point of feet moves in contacts, in the mean."""
    speeds = []
    for foot, touches in zip(found.feet, found.contacts.any, strict=True):
        under, poses = underside(figure, foot.sole), found.clip.poses
        assert under is not None
        lowest = under.heights(poses[:-1]).argmin(axis=1)
        at = np.arange(len(poses) - 1)
        moved = under.positions(poses, at + 1, lowest) - under.positions(poses, at, lowest)
        over = np.delete(moved, "xyz".index(figure.skeleton.up), axis=1)[touches[1:] & touches[:-1]]
        speeds.append(np.linalg.norm(over, axis=1) * found.clip.fps / foot.sole.length)
    return float(np.concatenate(speeds).mean())


def _heading(clip: Clip, body: Body, role: str) -> np.ndarray:
    """`[frame]` the angle about the vertical by which a joint has turned since rest, in the figure's own axes."""
    joint = body.joints[role]
    since = clip.poses.world_from_joint[:, joint, :3, :3] @ body.rest[joint, :3, :3].T
    ahead = body.axes.T @ since @ body.axes[:, 2, None]
    return np.arctan2(ahead[:, 0, 0], ahead[:, 2, 0])


def test_bodies_that_cannot_get_out_of_one_another_are_left_to_the_copy() -> None:
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    rest = Pose(figure.skeleton, np.repeat(figure.skeleton.rest_coordinates[None], 30, axis=0))
    rng = np.random.default_rng(3)
    deep = rest.plus(np.repeat(0.8 * rng.normal(size=(1, figure.skeleton.dof)), 30, axis=0))
    rows = Apart(capsuled, Clip(figure.skeleton, deep.q, 30.0), set(range(len(capsuled.joints))))
    assert rows.relaxed(rest, {}, {}) is None
    left = rows.relaxed(deep, {}, {})
    assert left is not None
    assert (rows.violations(deep).max(axis=0) > 0.1).any()
    assert left.violations(deep).max() < 0.11 + 1e-9
    joint = int(rows._joints[rows.violations(deep)[0].argmax()].max())
    for_a_leap = rows.relaxed(rest, {joint: np.where(np.arange(30) == 3, 1.0, -1.0)}, {})
    assert for_a_leap is not None
    assert (for_a_leap.violations(deep)[:14] < rows.violations(deep)[:14]).any()
    np.testing.assert_array_equal(for_a_leap.violations(deep)[14:], rows.violations(deep)[14:])
    let_go = rows.relaxed(rest, {}, {joint: np.ones(30)})
    assert let_go is not None
    assert let_go.violations(deep)[0].max() < rows.violations(deep)[0].max()


def test_legs_that_are_no_two_legs_are_refused(shared: Path) -> None:
    clip, robot = _clip(shared / WALK), _figure(shared / "robots/g1_29dof.xml")
    roles = posable.roles(robot)
    wrong = roles.replace(lower_leg_l=roles["upper_leg_l"], upper_leg_l="left_hip_roll_link")
    with pytest.raises(PosableError, match=r"thigh or shin of the figure to move has no length.*correct its table"):
        posable.retarget(clip, to=robot, roles=wrong.replace(foot_l=roles["upper_leg_l"]))
    wolf = posable.load(posable.sample("wolf.glb"))
    with pytest.raises(
        PosableError, match=r"retargeting needs figures with two legs, and the figure to move has 4: .*walks upright"
    ):
        posable.retarget(clip, to=wolf)
    wheeled = _figure(shared / "robots/r2d2.urdf")
    with pytest.raises(PosableError, match=r"legs of the figure to move end in wheels: left_front_wheel_joint, right"):
        posable.retarget(clip, to=wheeled)
