"""A clip of one figure on another: onto itself, there and back, other proportions, robots, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import Clip, Figure, PosableError, Skeleton
from posable.figures import BODY_ROLES
from posable.motion import Retargeting, foot_metrics, retargeting
from posable.motion.feet.sole_shapes import soles
from posable.motion.transfer.hands_feet import limb_ends
from posable.motion.transfer.measured import LEG, Body
from posable.motion.transfer.retarget_clip import copied
from posable.motion.transfer.target_rotations import Hinges
from posable.skeleton import Joint, Pose
from posable.spatial import random_wxyz, wxyz_from_matrix, wxyz_from_rotation_vector

WALK = "mocap/cmu_12_01_walk.bvh"
MAN, CESIUM = "characters/MH_game_engine.glb", "characters/CesiumMan.glb"


@cache
def _figure(path: Path) -> Figure:
    figure = posable.load(path)
    loose = figure.skeleton.definitions[0].kind != "fixed" or path.suffix == ".glb"
    return figure if loose else figure.with_root("free")


@cache
def _walk(shared: Path) -> Clip:
    """A second of a recorded walk, at 30 frames a second."""
    clip = _figure(shared / WALK).clips[0]
    return replace(clip, q=clip.q[100:260:4], fps=clip.fps / 4)


def _body(of: Figure | Skeleton, roles: posable.Roles | None = None) -> Body:
    roles = roles or posable.roles(of)
    skeleton = of.skeleton if isinstance(of, Figure) else of
    return Body(skeleton, roles, soles(of, roles=roles))


@cache
def _result(shared: Path, name: str) -> Retargeting:
    return retargeting(_walk(shared), _figure(shared / name))


def _heights(body: Body) -> float:
    return float(np.ptp(body.rest[list(body.joints.values()), :3, 3] @ body.roles.up))


@pytest.mark.parametrize("name", [WALK, "mocap/mh_walk1.bvh", "mocap/zombie.bvh", "mocap/test_freebvh.bvh"])
def test_copied_onto_itself_it_is_the_same(shared: Path, name: str) -> None:
    figure = _figure(shared / name)
    clip = replace(figure.clips[0], q=figure.clips[0].q[:30])
    body = _body(figure)
    again = copied(body, clip, body)
    np.testing.assert_allclose(
        again.poses.world_from_joint, clip.poses.world_from_joint, rtol=0, atol=1e-9 * body.skeleton.reach
    )
    assert again.fps == clip.fps


@pytest.mark.parametrize("name", ["mocap/cmu_02_01.bvh", "mocap/cmu_03_02.bvh"])
def test_copied_there_and_back_it_is_the_same(shared: Path, name: str) -> None:
    """Other units, names and proportions, the same parts: nothing is lost."""
    clip = _walk(shared)
    one, other = _body(clip.skeleton), _body(_figure(shared / name))
    back = copied(other, copied(one, clip, other), one)
    own = [joint for role, joint in one.joints.items() if role in other.joints]
    off = np.linalg.norm(back.poses.origins[:, own] - clip.poses.origins[:, own], axis=-1)
    assert off.max() < 1e-6 * _heights(one)


SPINES = ["mannequin", "characters/MH_game_engine.glb", "mocap/test_freebvh.bvh", "mocap/zombie.bvh"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SPINES)
def test_there_and_back_over_other_spines_stays_near(shared: Path, name: str) -> None:
    clip = _walk(shared)
    one = _body(clip.skeleton)
    other = _body(posable.figure(name) if name == "mannequin" else _figure(shared / name))
    back = copied(other, copied(one, clip, other), one)
    own = [joint for role, joint in one.joints.items() if role in BODY_ROLES]
    off = np.linalg.norm(back.poses.origins[:, own] - clip.poses.origins[:, own], axis=-1)
    assert off.mean() < 0.002 * _heights(one)


def test_a_spine_of_fewer_joints_turns_as_the_other_does_in_the_mean() -> None:
    """Of parts of length 1 and 2 that turn by 0.3 and 0.9, one turns by 0.7; the last turns as the last."""

    def person(*heights: float) -> Body:
        trunk = [f"spine_{k}" for k in range(len(heights))]
        joints = [Joint("hips", "free")]
        joints += [
            Joint(name, "ball", above, (0.0, height, 0.0))
            for name, above, height in zip(trunk, ["hips", *trunk], heights, strict=False)
        ]
        for side, x in (("l", 0.5), ("r", -0.5)):
            leg = [f"{part}_{side}" for part in LEG]
            joints += [
                Joint(name, "ball", above, (x, 0.0, 0.0) if above == "hips" else (0.0, -2.0, 0.0))
                for name, above in zip(leg, ["hips", *leg], strict=False)
            ]
        skeleton = Skeleton(joints)
        named = {"hips": "hips", "spine": trunk[0], "chest": trunk[-1]}
        named |= {name: name for name in skeleton.joints if name[:-2] in LEG}
        return _body(skeleton, posable.roles(skeleton).replace(**named))

    one, other = person(0.5, 1.0, 2.0), person(0.5, 3.0)
    bend = [wxyz_from_rotation_vector([angle, 0.0, 0.0]) for angle in (0.3, 0.6, -0.2)]
    q = np.array(one.skeleton.rest_coordinates)
    q[7:19] = np.concatenate(bend)
    clip = Clip(one.skeleton, q[None], 30.0)
    copy = copied(one, clip, other)
    turns = wxyz_from_matrix(copy.poses.world_from_joint[0, other.trunk, :3, :3])
    np.testing.assert_allclose(2 * np.arctan2(turns[:, 1], turns[:, 0]), [0.7, 0.7], atol=1e-9)
    back = copied(other, copy, one)
    turns = wxyz_from_matrix(back.poses.world_from_joint[0, one.trunk, :3, :3])
    np.testing.assert_allclose(2 * np.arctan2(turns[:, 1], turns[:, 0]), [0.7, 0.7, 0.7], atol=1e-9)


def test_limbs_point_where_the_source_points_whatever_the_rest_pose(shared: Path) -> None:
    """A T-pose and arms that hang bent at rest: after copying, upper arms and thighs are parallel."""
    clip, figure = _walk(shared), _figure(shared / "characters/MH_game_engine.glb")
    one, other = _body(clip.skeleton), _body(figure)
    copy = copied(one, clip, other)
    bones = [("upper_arm_l", "lower_arm_l"), ("lower_arm_r", "hand_r"), ("upper_leg_l", "lower_leg_l")]
    for start, end in [*bones, ("lower_leg_r", "foot_r")]:
        ways = []
        for body, poses in ((one, clip.poses), (other, copy.poses)):
            way = (poses.origins[:, body.joints[end]] - poses.origins[:, body.joints[start]]) @ body.axes
            ways.append(way / np.linalg.norm(way, axis=1, keepdims=True))
        np.testing.assert_allclose(ways[0], ways[1], atol=1e-6)


@pytest.mark.parametrize(
    "name", ["mocap/cmu_02_01.bvh", "characters/MH_game_engine.glb", "characters/CesiumMan.glb", "robots/g1_29dof.xml"]
)
def test_feet_stand_still_where_the_source_stands(shared: Path, name: str) -> None:
    found = _result(shared, name)
    for foot in found.feet:
        assert foot.stands
        for stand in foot.stands:
            if stand.ball:
                off = foot.sole.ball_places(found.clip.poses)[slice(*stand.ball)] - stand.ball_position
                assert np.linalg.norm(off, axis=1).max() < 0.003 * _heights(found.target)
    assert found.solution.cost_after < found.solution.cost_before


@pytest.mark.parametrize("name", ["robots/g1_29dof.xml", "robots/h1.urdf", "robots/simple_humanoid.urdf"])
def test_a_robot_keeps_its_limits_and_walks_forward(shared: Path, name: str) -> None:
    found = _result(shared, name)
    q = found.clip.q
    np.testing.assert_array_equal(found.clip.poses.clamped().q, q)
    way = found.clip.poses.origins[-1, 0] - found.clip.poses.origins[0, 0]
    source = found.contacts.soles[0].ball_places(_walk(shared).poses)
    assert np.isfinite(source).all()
    hips = _walk(shared).poses.origins[:, 0]
    ahead = (hips[-1] - hips[0]) @ found.source.axes / found.source.leg_length
    np.testing.assert_allclose(way @ found.target.axes / found.target.leg_length, ahead, atol=0.1)


def test_feet_and_hands_are_where_their_size_puts_them(shared: Path) -> None:
    found = _result(shared, "characters/MH_game_engine.glb")
    ends = limb_ends(_walk(shared), found.clip, found.source, found.target, LEG)
    for role, places in ends.items():
        off = np.linalg.norm(places - found.clip.poses.origins[:, found.target.joints[role]], axis=1)
        assert off.mean() < 0.03 * _heights(found.target)


def test_units_do_not_matter(shared: Path) -> None:
    clip = posable.load(shared / WALK, unit="in").clips[0]
    clip = replace(clip, q=clip.q[100:260:4], fps=clip.fps / 4)
    found = posable.retarget(clip, to=_figure(shared / CESIUM))
    np.testing.assert_allclose(found.poses.origins, _result(shared, CESIUM).clip.poses.origins, atol=2e-3)


def test_roles_that_are_given_count(shared: Path) -> None:
    figure, clip = _figure(shared / CESIUM), _walk(shared)
    own = posable.roles(figure)
    crossed = {
        f"{part}_{side}": own[f"{part}_{other}"]
        for part in ("upper_arm", "lower_arm", "hand")
        for side, other in ("lr", "rl")
    }
    found = posable.retarget(clip, to=figure, roles=own.replace(**crossed))
    arm = own["upper_arm_r"]
    assert np.abs(found.poses.of(arm) - _result(shared, CESIUM).clip.poses.of(arm)).max() > 0.05


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_a_pose_is_a_clip_too(shared: Path, frames: int) -> None:
    clip = _figure(shared / "mocap/mh_dance1.bvh").clips[0]
    clip = replace(clip, q=np.repeat(clip.q[:1], frames, axis=0))
    found = posable.retarget(clip, to=_figure(shared / MAN))
    assert len(found) == frames
    up = found.poses.origins[:, [found.skeleton.index(foot) for foot in ("foot_l", "foot_r")], 1]
    assert (np.ptp(up, axis=1) > 1.2).all()  # one foot is held high over the head
    np.testing.assert_allclose(found.q, np.repeat(found.q[:1], frames, axis=0), atol=5e-3)


def test_legs_that_end_in_points_stand_on_them(shared: Path) -> None:
    """Also while the source stands on its heel alone."""
    clip = _figure(shared / "mocap/cmu_02_01.bvh").clips[0]
    clip = replace(clip, q=clip.q[1:240:4], fps=clip.fps / 4)
    found = retargeting(clip, _figure(shared / "robots/h1.urdf").skeleton)
    for foot in found.feet:
        assert foot.sole.heel is None
        assert foot.stands
        for stand in foot.stands:
            assert stand.ball == (stand.start, stand.end)


def test_hips_of_several_hinges_are_where_their_axes_meet(shared: Path) -> None:
    """Of the G1 they are some centimetres apart; turning its hips moves the place on its thighs no further."""
    robot = _body(_figure(shared / "robots/g1_29dof.xml"))
    place, skeleton = robot.position("upper_leg_l"), robot.skeleton
    legs = next(limb for limb in robot.roles.legs if limb.side == "l").joints
    hips = legs[: legs.index(robot.roles["upper_leg_l"]) + 1]
    assert len(hips) == 3
    for name in hips:
        joint = skeleton.index(name)
        axis = robot.rest[joint, :3, :3] @ np.array(skeleton.definitions[joint].axes[0].direction)
        away = place - robot.rest[joint, :3, 3]
        assert np.linalg.norm(away - axis * (axis @ away)) < 0.05
    np.testing.assert_allclose(robot.positions(Pose(skeleton, skeleton.rest_coordinates[None]), "upper_leg_l"), [place])


def test_what_has_no_legs_is_refused(shared: Path) -> None:
    panda = _figure(shared / "robots/panda.urdf")
    with pytest.raises(PosableError, match="needs figures with two legs, and the figure to move has no joint for hips"):
        posable.retarget(_walk(shared), to=panda)
    arm = Clip(panda.skeleton, np.repeat(panda.rest.q[None], 3, axis=0), 30.0)
    with pytest.raises(PosableError, match="the clip's figure has no joint for hips, upper_leg_l"):
        posable.retarget(arm, to=_figure(shared / WALK))


def test_a_figure_that_cannot_travel_is_refused(shared: Path) -> None:
    fixed = posable.load(shared / "robots/h1.urdf")
    with pytest.raises(PosableError, match=r"is not free, so the figure cannot travel; use figure.with_root\('free'\)"):
        posable.retarget(_walk(shared), to=fixed)


def test_roles_of_another_skeleton_are_refused(shared: Path) -> None:
    figure = _figure(shared / "characters/CesiumMan.glb")
    with pytest.raises(PosableError, match="the roles given for the clip's figure belong to another skeleton"):
        posable.retarget(_walk(shared), to=figure, clip_roles=posable.roles(figure))


def test_onto_its_own_skeleton_a_clip_stays_as_it_is() -> None:
    mannequin = posable.figure("mannequin")
    clip = posable.walk(mannequin, "human", steps=2)
    np.testing.assert_allclose(posable.retarget(clip, to=mannequin).q, clip.q, rtol=0, atol=1e-12)
    found = retargeting(clip, mannequin.skeleton)  # through roles, matched rests, hinges and the solve
    off = np.abs(found.clip.poses.origins - clip.poses.origins).max()
    assert off < 1e-6 * _heights(found.target)


def test_its_own_legs_at_another_size_keep_their_steps_unless_they_are_to_be_planted(shared: Path) -> None:
    clip, inches = _walk(shared), posable.load(shared / WALK, unit="in").skeleton
    scale = inches.reach / clip.skeleton.reach
    found = retargeting(clip, inches)
    assert not any(foot.stands for foot in found.feet)
    np.testing.assert_allclose(found.clip.poses.origins, scale * clip.poses.origins, rtol=0, atol=1e-6 * inches.reach)
    planted = retargeting(clip, inches, plant=True)
    assert all(foot.stands for foot in planted.feet)
    assert foot_metrics(planted.clip).skate < 0.2 * foot_metrics(clip).skate


@pytest.mark.parametrize("name", ["mocap/cmu_02_01.bvh", "robots/h1.urdf"])
def test_no_corner_of_a_sole_is_in_the_ground(shared: Path, name: str) -> None:
    """2 mm at most for a leg of 0.88 m, in swing too; of feet with a skin, see the lowest points of it."""
    found = _result(shared, name)
    for foot in found.feet:
        assert foot.under is not None
        heights = foot.sole.corner_places(found.clip.poses) @ found.target.roles.up - foot.under[:, None]
        assert heights.min() > -0.002 * foot.sole.scale


def test_hinges_find_their_angles_again_and_stop_at_their_limits() -> None:
    skeleton = posable.figure("mannequin").skeleton
    hinges = Hinges(skeleton, [skeleton.index("index_1_l"), skeleton.index("index_2_l")])
    rng = np.random.default_rng(3)
    base, values = random_wxyz(rng, (20,)), rng.uniform(0.05, 0.3, (20, 3))
    wanted, _ = hinges.rotated(base, values)
    np.testing.assert_allclose(hinges.fit(base, np.full((20, 3), 0.1), wanted), values, atol=1e-9)
    straight = Hinges(skeleton, [skeleton.index("forearm_l")])
    over, _ = straight.rotated(base, np.full((20, 1), -0.4))
    np.testing.assert_array_equal(straight.fit(base, np.full((20, 1), 0.1), over), np.zeros((20, 1)))


def test_bones_of_a_palm_rotate_as_the_hand(shared: Path) -> None:
    """Of four that hang on the forearm one has the role of the hand; thumbs would bend back into the forearm."""
    found = _result(shared, "rigs/mech_pack_Stan.glb")
    rest = found.target.rest
    for side in "LR":
        hand, *others = (found.copy.skeleton.index(f"Palm{finger}.{side}") for finger in "PRIT")
        for joint in others:
            turned = found.copy.poses.world_from_joint[:, [hand, joint], :3, :3]
            at_rest = rest[hand, :3, :3].T @ rest[joint, :3, :3]
            assert turned[:, 0].swapaxes(1, 2) @ turned[:, 1] == pytest.approx(
                np.broadcast_to(at_rest, turned[:, 0].shape), abs=1e-5
            )
