"""Bodies stay out of one another when a clip moves another figure: the rows, and what comes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import posable
from posable import Clip, Figure
from posable.goals import KeepApart
from posable.motion import retargeting
from posable.motion.gait_metrics import self_penetration
from posable.motion.transfer.collision_pairs import bodies, pairs_of
from posable.motion.transfer.copying import largest_rotation
from posable.motion.transfer.limb_joints import Limbs
from posable.motion.transfer.self_collision import _WEIGHT, Apart
from posable.motion.whole_clip.clip_rows import Bodies, Inequalities
from posable.skeleton import Axis, Joint, Pose, Skeleton


def _clip(figure: Figure, frames: int, spread: float) -> Clip:
    rng = np.random.default_rng(5)
    rest = Pose(figure.skeleton, np.repeat(figure.skeleton.rest_coordinates[None], frames, axis=0))
    return Clip(figure.skeleton, rest.plus(spread * rng.normal(size=(frames, figure.skeleton.dof))).clamped().q, 1.0)


def check_jacobian(rows: Inequalities, pose: Pose) -> None:
    """They are the derivative of half the sum of squares in every frame."""
    free = np.arange(pose.skeleton.dof)
    motions = Bodies(pose.skeleton, rows.bodies, free).motions(pose, np.zeros((len(pose), len(free))))
    linearized = rows.linearized(pose, motions)
    over = np.maximum(linearized.violations, 0.0)
    assert (over > 0).any()
    np.testing.assert_allclose(over.max(axis=1), np.maximum(rows.violations(pose).max(axis=1), 0.0))
    wanted, step = np.zeros((len(pose), len(free))), 1e-6
    for k in free:
        tangent = np.zeros((len(pose), len(free)))
        tangent[:, k] = step
        moved = (pose.plus(sign * tangent) for sign in (1, -1))
        ahead, behind = (np.sum(np.maximum(rows.violations(one), 0) ** 2, axis=1) for one in moved)
        wanted[:, k] = (ahead - behind) / (4 * step)
    np.testing.assert_allclose((over[:, None] @ linearized.jacobian)[:, 0], wanted, atol=1e-5 * np.abs(wanted).max())


def test_its_jacobian_is_the_derivative_of_the_violations() -> None:
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    near, deep = _clip(figure, 6, 0.1), _clip(figure, 6, 0.5)
    rows = Apart(capsuled, replace(near, fps=0.1), set(range(len(capsuled.joints))))
    assert len(rows) > 10
    check_jacobian(rows, deep.poses)


def test_it_counts_what_is_deeper_than_a_little_room() -> None:
    """As deep as KeepApart finds the same bodies, where the copy has them all apart."""
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    rest = np.repeat(figure.skeleton.rest_coordinates[None], 12, axis=0)
    rows = Apart(capsuled, Clip(figure.skeleton, rest, 1.0), set(range(len(capsuled.joints))))
    poses, goal = _clip(figure, 12, 0.5).poses, KeepApart(margin=0.002 * capsuled.reach)
    depths = np.reshape(goal.residual(Pose(capsuled, poses.q)), (12, -1, 3))[..., 0]
    column = {(row.joint, row.other, row.constants[:14]): k for k, row in enumerate(goal.rows(capsuled))}
    own = [(a, b, tuple(both)) for (a, b), both in zip(rows._joints.tolist(), rows._capsules.tolist(), strict=True)]
    shared = [k for k, pair in enumerate(own) if pair in column]
    wanted = np.sqrt(_WEIGHT) * depths[:, [column[own[k]] for k in shared]] / capsuled.reach
    assert (wanted > 0).sum() > 5
    np.testing.assert_allclose(np.maximum(rows.violations(poses)[:, shared], 0.0), wanted, atol=1e-9)


def test_pairs_that_stay_deep_may_be_no_deeper_than_they_are() -> None:
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    copy, reached = replace(_clip(figure, 6, 0.5), fps=0.1), _clip(figure, 6, 0.4).poses
    rows = Apart(capsuled, copy, set(range(len(capsuled.joints))))
    relaxed = rows.relaxed(reached, {}, {})
    assert relaxed is not None
    gaps, eased = rows._gaps(reached)[0], relaxed._kept < rows._kept
    np.testing.assert_allclose(relaxed._kept[eased], np.maximum(gaps, rows._copied)[eased])
    assert (relaxed._kept > rows._copied)[eased].any()


def test_pairs_that_nothing_moves_are_left_out() -> None:
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    clip = _clip(figure, 4, 0.1)
    arm = {capsuled.index("upper_arm_l")}
    for pair in Apart(capsuled, clip, arm)._joints.tolist():
        assert sum(bool(arm & {*capsuled.chain(joint)}) for joint in pair) == 1


@pytest.mark.slow
def test_bodies_get_no_deeper_into_one_another_than_in_the_copy(shared: Path) -> None:
    """By no more than 5 mm for a leg of 0.88 m, however wide their hands and feet are to go."""
    walk = posable.load(shared / "mocap/cmu_12_01_walk.bvh").clips[0]
    figure = posable.load(shared / "characters/CesiumMan.glb")
    found = retargeting(replace(walk, q=walk.q[100:260:4], fps=walk.fps / 4), figure)
    depths = [float(self_penetration(Clip(bodies(figure), one.q, one.fps)).max()) for one in (found.clip, found.copy)]
    assert depths[0] <= depths[1] + 0.005 * found.feet[0].sole.scale


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "dance", "most"),
    [
        ("characters/CesiumMan.glb", "salsa_05", 0.02),  # 34 mm where rolling feet do not step aside
        ("robots/dmc_humanoid.xml", "salsa_29", 0.03),  # 46 where a leg is stuck on the wrong side of the other
    ],
)
def test_legs_that_cross_pass_each_other(shared: Path, figure: str, dance: str, most: float) -> None:
    found = retargeting(_recorded(shared, dance, 0, 240), posable.load(shared / figure))
    depth = float(self_penetration(Clip(bodies(posable.load(shared / figure)), found.clip.q, found.clip.fps)).max())
    assert depth <= most * found.feet[0].sole.scale


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "name", "start", "end"),
    [
        ("rigs/mech_pack_George.glb", "10_05", 0, 40),  # 120 mm for a leg of 0.88 m where they may stay in for a leap
        ("rigs/mech_pack_George.glb", "01_01", 100, 150),
        ("characters/Q_PlatformerHumanoid.glb", "02_01", 0, 86),  # 788 where they do not begin wider
    ],
)
def test_arms_that_would_leap_for_bodies_go_calmly_instead_of_into_them(
    shared: Path, figure: str, name: str, start: int, end: int
) -> None:
    """Forearms that hang in thighs, and arms that hang in the belly."""
    to = posable.load(shared / figure)
    found = retargeting(_recorded(shared, name, start, end), to)
    depths = [float(self_penetration(Clip(bodies(to), one.q, one.fps)).max()) for one in (found.clip, found.copy)]
    scale = found.feet[0].sole.scale
    assert depths[1] > 0.1 * scale
    assert depths[0] < 0.02 * scale


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "recording"),
    [
        ("rigs/modular_men_King.glb", "salsa_29"),  # 79 mm: a forearm goes through the chest in two frames
        ("characters/MH_game_engine.glb", "05_08"),  # 12: a thigh is in the belly for four
        ("characters/RobotExpressive.glb", "08_06"),  # 43: a thumb is in its palm
        ("characters/cryptovoxels.vrm", "05_08"),  # 28: a leg that was not yet solved through was let stay in the other
    ],
)
def test_limbs_get_past_bodies_on_whose_wrong_side_they_are(shared: Path, figure: str, recording: str) -> None:
    """By no more than 5 mm for a leg of 0.88 m, without a joint that leaps for it."""
    clip, to = _recorded(shared, recording, 0, 240), posable.load(shared / figure)
    found = retargeting(clip, to)
    depth = float(self_penetration(Clip(bodies(to), found.clip.q, found.clip.fps)).max())
    assert depth <= 0.005 * found.feet[0].sole.scale
    assert largest_rotation(found.clip.poses) <= 3.0 * max(map(largest_rotation, (clip.poses, found.copy.poses)))


def test_pairs_that_meet_though_far_apart_in_the_copy_are_added() -> None:
    figure = posable.figure("mannequin")
    capsuled = bodies(figure)
    rest = np.repeat(figure.skeleton.rest_coordinates[None], 6, axis=0)
    rows = Apart(capsuled, Clip(figure.skeleton, rest, 1.0), set(range(len(capsuled.joints))))
    assert rows.with_met(Pose(figure.skeleton, rest)) is rows
    poses, goal = _clip(figure, 6, 0.8).poses, KeepApart(margin=1e-9 * capsuled.reach)
    depths = np.reshape(goal.residual(Pose(capsuled, poses.q)), (6, -1, 3))[..., 0].max(axis=1) / capsuled.reach
    met = rows.with_met(poses)
    assert len(met) > len(rows)
    np.testing.assert_allclose(np.maximum(met.depths(poses), 0.0), depths, atol=1e-8)
    assert (rows.depths(poses) < depths - 0.01).any()
    part = met.of_frames(slice(2, 5), firmer=4.0)
    np.testing.assert_allclose(np.maximum(part.depths(poses[2:5]), 0.0), depths[2:5], atol=1e-8)


def _recorded(shared: Path, name: str, start: int, end: int) -> Clip:
    """Frames of a recording of mocap_cmu at 30 fps, without its T-pose."""
    whole = posable.load(shared / f"mocap_cmu/{name}.bvh").clips[0]
    whole = replace(whole, q=whole.q[1:]).resample(30.0)
    return replace(whole, q=whole.q[start:end], events=())


def test_feet_step_aside_where_both_legs_would_stand_in_one_another() -> None:
    """Shins of 0.18 m across over feet that stand 0.1 m apart: in the end they touch, each moved as far as the other,
    and stay where they stand.
    """
    figure = posable.figure("mannequin")
    goals = [posable.Reach(f"foot_{side}", (x, 0.08, -0.028)) for side, x in (("l", 0.05), ("r", -0.05))]
    stood = posable.solve(figure.rest, goals, frozen=["root"]).pose
    clip = Clip(figure.skeleton, np.repeat(stood.q[None], 40, axis=0), 30.0)
    thick = ((0.0, 0.0, 0.0, 0.0, -0.3, 0.0, 0.09),)
    shins = [figure.skeleton.index(f"shin_{side}") for side in "lr"]
    stout = posable.Skeleton(
        [replace(one, capsules=thick if j in shins else ()) for j, one in enumerate(figure.skeleton.definitions)], "y"
    )
    found = retargeting(clip, stout, plant=True)
    low = found.clip.poses.world_from_joint[:, shins] @ np.array([0.0, -0.3, 0.0, 1.0])
    assert 0.179 < np.linalg.norm(low[:, 0] - low[:, 1], axis=1).min() < 0.19
    for foot, sign in zip(found.feet, (1, -1), strict=True):
        (stand,) = foot.stands
        own = foot.sole.ball_places(found.clip.poses)
        assert np.linalg.norm(own - stand.ball_position, axis=1).max() < 0.003
        before = foot.sole.ball_places(clip.poses[0])
        assert sign * (own[0] - before)[0] == pytest.approx(0.05, abs=0.01)


def test_arms_give_way_to_legs_which_are_solved_without_them() -> None:
    """Legs and travel are the same to the bit, whatever the arms' bodies are."""
    figure = posable.figure("mannequin")
    arms = {figure.skeleton.index(f"forearm_{side}") for side in "lr"}
    thick = ((0.0, 0.0, 0.0, 0.0, -0.2, 0.0, 0.12),)
    stout = posable.Skeleton(
        [replace(one, capsules=thick) if j in arms else one for j, one in enumerate(bodies(figure).definitions)], "y"
    )
    plain, found = (retargeting(_clip(figure, 12, 0.1), to, plant=True).clip for to in (bodies(figure), stout))
    legs = [name for name in figure.skeleton.joints if name.startswith(("thigh", "shin", "foot"))]
    assert legs
    for name in legs:
        np.testing.assert_array_equal(plain.poses.of(name), found.poses.of(name))


@pytest.mark.parametrize(("out", "kept"), [(0.0, False), (0.06, True)])
def test_an_upper_arm_may_turn_about_its_shoulder_beside_the_chest(out: float, kept: bool) -> None:
    """As NAO's, whose arm goes a little beyond the point about which both hinges turn. With the second hinge further
    out it is another body.
    """
    chest = Joint("chest", "free", capsules=((0, -0.02, 0, 0, 0.02, 0, 0.06),))
    pitch = Joint("pitch", parent="chest", position=(0, 0.12, 0), axes=(Axis((0, 1, 0)),))
    arm = Joint("roll", parent="pitch", position=(0, out, 0), axes=(Axis((0, 0, 1)),))
    arm = replace(arm, capsules=((-0.04, 0, 0, 0.1, 0, 0, 0.02),))
    hand = Joint("elbow", parent="roll", position=(0.12, 0, 0), axes=(Axis((0, 0, 1)),))
    hand = replace(hand, capsules=((0.03, 0, 0, 0.1, 0, 0, 0.02),))
    joints, *_ = pairs_of(Skeleton([chest, pitch, arm, hand], "z"))
    pairs = {tuple(sorted(pair)) for pair in joints.tolist()}
    assert (0, 3) in pairs
    assert ((0, 2) in pairs) == kept


def test_where_an_arm_leaps_only_the_frames_around_are_conceded() -> None:
    arm = posable.figure("arm6").skeleton
    calm = posable.Clip(arm, np.repeat(arm.rest_coordinates[None], 120, axis=0), 30.0)
    q = np.array(calm.q)
    q[:, 1] += 0.3
    q[60, 1] += 1.2
    apart = replace(calm, q=q)
    limbs = Limbs(calm, cast("Any", None), set(range(len(arm.joints))), most=0.1)
    assert limbs.leaps(apart) and not limbs.leaps(calm)
    mixed = limbs._mixed(apart, calm)
    assert mixed is not None and not limbs.leaps(mixed)
    np.testing.assert_array_equal(mixed.q[:30], apart.q[:30])
    np.testing.assert_array_equal(mixed.q[90:], apart.q[90:])
    np.testing.assert_allclose(mixed.q[60], calm.q[60])
    assert replace(limbs, most=0.01)._mixed(apart, calm) is None, "no fade between them is calm enough"
