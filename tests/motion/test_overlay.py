"""Goals on top of clips, props, and auto-key: what they leave alone, what they meet, and nothing in between jumps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from posable.clips import Clip, Keys
from posable.errors import GoalError, PosableError
from posable.figures import figure
from posable.formats import load
from posable.goals import Comfort, LookAt, Orient, Place, Pole, Reach, Segment
from posable.motion.gait import walk
from posable.motion.overlaying import Fade, Overlay, fade, key, overlay
from posable.motion.props import Prop, attach
from posable.sample_files import sample
from posable.skeleton import Pose
from posable.solvers import Prepared
from posable.spatial import normalized, rigid_inverse, transform

MANNEQUIN = figure("mannequin")
SKELETON = MANNEQUIN.skeleton
HAND = SKELETON.index("hand_r")


def swaying(frames: int = 61) -> Clip:
    """The mannequin shifts about and swings its arms, all within its limits."""
    times = np.arange(frames) / 30
    step = np.zeros((frames, SKELETON.dof))
    for name, size in (("root", 0.05), ("spine", 0.1), ("upper_arm_r", 0.25), ("forearm_r", 0.2), ("head", 0.1)):
        own = list(SKELETON.freedom_range(name))
        step[:, own] = size * np.sin(2 * times)[:, None]
    start = MANNEQUIN.rest.with_joint("forearm_r", 0.5)
    return Clip(SKELETON, start.plus(step).clamped().q, 30, "sway")


def angles(now: np.ndarray, before: np.ndarray) -> np.ndarray:
    """`[frame]` degrees between the rotations of frames `[frame, 4, 4]`."""
    cosine = (np.einsum("nij,nij->n", now[:, :3, :3], before[:, :3, :3]) - 1) / 2
    return np.degrees(np.arccos(cosine.clip(-1, 1)))


CLIP = swaying()
CUP = np.array([-0.35, 1.2, 0.35])


def test_without_weight_the_clip_is_what_it_was() -> None:
    np.testing.assert_array_equal(overlay(CLIP, {Reach("hand_r", CUP): 0.0}).q, CLIP.q)
    part = overlay(CLIP, {Reach("hand_r", CUP): fade(CLIP, 0.5, 1.5)})
    np.testing.assert_array_equal(part.q[:15], CLIP.q[:15])
    np.testing.assert_array_equal(part.q[46:], CLIP.q[46:])


def test_with_all_its_weight_the_goal_is_met_and_little_else_moves() -> None:
    over = overlay(CLIP, {Reach("hand_r", CUP): 1.0})
    np.testing.assert_allclose(over.poses.origins[:, HAND], np.broadcast_to(CUP, (61, 3)), atol=2e-6)
    legs = [j for j, name in enumerate(SKELETON.joints) if name.startswith(("thigh", "shin", "foot", "hand_l"))]
    np.testing.assert_allclose(over.poses.of("root"), CLIP.poses.of("root"), atol=1e-12)
    for j in legs:
        own = list(SKELETON.freedom_range(j))
        assert np.abs(over.poses.minus(CLIP.poses)[:, own]).max() < 1e-6


def test_half_a_weight_is_half_the_way_and_fading_does_not_jump() -> None:
    half = overlay(CLIP, {Reach("hand_r", CUP): 0.5})
    expected = (CLIP.poses.origins[:, HAND] + CUP) / 2
    np.testing.assert_allclose(half.poses.origins[:, HAND], expected, atol=2e-6)
    faded = overlay(CLIP, {Reach("hand_r", CUP): fade(CLIP, 0.3, 1.7, 0.5)})
    assert np.abs(faded.poses[1:].minus(faded.poses[:-1])).max() < 0.15


def test_place_and_turn_fade_apart_and_the_gaze_too() -> None:
    frame = transform(CUP, (0.9, 0.1, 0.2, -0.3) / np.linalg.norm((0.9, 0.1, 0.2, -0.3)))
    own = CLIP.poses.world_from_joint[:, HAND]
    place = overlay(CLIP, {Place("hand_r", frame): Fade(1.0, 0.0)}).poses.world_from_joint[:, HAND]
    np.testing.assert_allclose(place[:, :3, 3], np.broadcast_to(CUP, (61, 3)), atol=2e-6)
    np.testing.assert_allclose(place[:, :3, :3], own[:, :3, :3], atol=2e-5)
    turn = overlay(CLIP, {Orient("hand_r", (1, 0, 0.1, 0)): 1.0}).poses.world_from_joint[:, HAND]
    np.testing.assert_allclose(turn[:, :3, :3], np.broadcast_to(turn[0, :3, :3], (61, 3, 3)), atol=3e-5)
    point, head = np.array([0.8, 1.7, 2.0]), SKELETON.index("head")
    looked = overlay(CLIP, {LookAt("head", point): 0.5}).poses.world_from_joint[:, head]
    full = overlay(CLIP, {LookAt("head", point): 1.0}).poses.world_from_joint[:, head]
    clip = CLIP.poses.world_from_joint[:, head]
    turned = [np.arccos(np.einsum("fi,fi->f", a[:, :3, 2], clip[:, :3, 2])) for a in (looked, full)]
    np.testing.assert_allclose(turned[0], turned[1] / 2, atol=2e-3)


def elbow_side(over: Clip) -> np.ndarray:
    """The angle (radians) of the right elbow about the line from shoulder to hand, 0 where it hangs."""
    first, middle, end = (
        over.poses.origins[:, SKELETON.index(f"{part}_r")] for part in ("upper_arm", "forearm", "hand")
    )
    line = (end - first) / np.linalg.norm(end - first, axis=1, keepdims=True)
    down, bend = (
        v - line * np.sum(line * v, axis=1, keepdims=True)
        for v in (np.broadcast_to((0, -1.0, 0), line.shape), middle - first)
    )
    return np.arctan2(np.sum(line * np.cross(down, bend), axis=1), np.sum(down * bend, axis=1))


def test_an_elbow_goes_round_with_its_pole_and_half_as_far_with_half_its_weight() -> None:
    still = overlay(CLIP, {Reach("hand_r", CUP): 1.0})
    shoulder = still.poses.origins[:, SKELETON.index("upper_arm_r")]
    aside = shoulder + np.array([-2.0, 0.5, 0.0])
    before = elbow_side(still)
    full, half = (elbow_side(overlay(still, {Reach("hand_r", CUP): 1.0, Pole("hand_r", aside): w})) for w in (1.0, 0.5))
    assert np.degrees(np.abs(full - before)).min() > 10
    np.testing.assert_allclose(half - before, (full - before) / 2, atol=np.radians(1.5))  # shoulders move along
    pole = Pole("hand_r", aside)
    for share, wanted in ((0.0, 0.0), (1.0, pole.residual(still.poses))):
        np.testing.assert_allclose(pole.faded(still.poses, share, share).residual(still.poses), wanted, atol=1e-9)
    moving = overlay(still, {Reach("hand_r", CUP): 1.0, Pole("hand_r", aside): fade(CLIP, 0.5, 1.5)})
    np.testing.assert_allclose(moving.poses.origins[:, HAND], np.broadcast_to(CUP, (61, 3)), atol=2e-6)
    assert np.abs(np.diff(elbow_side(moving))).max() < 0.3


def test_laid_over_again_only_what_changed_is_solved_and_all_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def counting(self: Prepared, start: Any, targets: Any = None, trace: bool = False) -> Any:
        solved.append(len(start))
        return plain(self, start, targets, trace)

    plain = Prepared.solve
    monkeypatch.setattr(Prepared, "solve", counting)
    layer, weight = Overlay(), fade(CLIP, 0.2, 1.5)
    still: dict[Any, Any] = {Reach("hand_r", CUP): weight}
    np.testing.assert_array_equal(layer.over(CLIP, still).q, overlay(CLIP, still).q)
    active = int((weight > 0).sum())
    assert solved == [active, active]
    path = np.tile(CUP, (61, 1))
    path[20:25] += [0.0, 0.05, 0.0]
    changed: dict[Any, Any] = {Reach("hand_r", path): weight}
    for goals in (changed, still):
        again = layer.over(CLIP, goals)
        assert solved.pop() == 5
        np.testing.assert_array_equal(again.q, overlay(CLIP, goals).q)
        solved.clear()
    layer.over(CLIP, {Reach("hand_r", CUP, weight=0.5): weight})
    layer.over(CLIP, {Reach("hand_r", CUP, weight=0.5): weight}, frozen=["root", "spine"])
    assert solved == [active, active]  # another goal, and another way to meet it


def test_a_moving_target_and_a_target_relative_to_a_joint() -> None:
    path = CUP + np.linspace(0, 1, 61)[:, None] * [0.1, 0.1, 0.0]
    over = overlay(CLIP, {Reach("hand_r", path): 1.0})
    np.testing.assert_allclose(over.poses.origins[:, HAND], path, atol=2e-6)
    hip = overlay(CLIP, {Reach("hand_r", (-0.25, 0.25, 0.2), relative_to="root"): 1.0})
    inverse = rigid_inverse(hip.poses.world_from_joint[:, 0])
    seen = np.einsum("fij,fj->fi", inverse[:, :3, :3], hip.poses.origins[:, HAND]) + inverse[:, :3, 3]
    np.testing.assert_allclose(seen, np.broadcast_to((-0.25, 0.25, 0.2), (61, 3)), atol=2e-6)


def test_a_cylinder_is_gripped_lifted_and_let_go() -> None:
    stand = transform(CUP)
    cylinder = attach(Prop("cylinder", stand), "hand_r", 0.8, 1.6)
    grip = {Reach("hand_r", (0.0, 0.02, 0.0), relative_to="cylinder"): fade(CLIP, 0.2, 1.2, 0.4)}
    over = overlay(CLIP, grip, [cylinder])
    way = cylinder.along(over)
    np.testing.assert_allclose(way[:25], np.broadcast_to(stand, (25, 4, 4)), atol=1e-12)
    np.testing.assert_allclose(over.poses.origins[24, HAND], CUP + np.array([0, 0.02, 0]), atol=2e-6)
    in_hand = rigid_inverse(over.poses.world_from_joint[24:49, HAND]) @ way[24:49]
    np.testing.assert_allclose(in_hand, np.broadcast_to(in_hand[0], in_hand.shape), atol=1e-9)
    assert np.linalg.norm(way[48, :3, 3] - CUP) > 0.1
    np.testing.assert_allclose(way[48:], np.broadcast_to(way[48], (13, 4, 4)), atol=1e-12)
    np.testing.assert_array_equal(over.q[37:], CLIP.q[37:])


def test_what_one_hand_carries_leads_the_other() -> None:
    carried = attach(Prop("tray", transform(CLIP.poses.origins[0, HAND])), "hand_r")
    over = overlay(CLIP, {Reach("hand_l", (0.15, 0.0, 0.1), relative_to="tray"): 1.0}, [carried])
    wanted = carried.along(over) @ np.array([0.15, 0.0, 0.1, 1.0])
    np.testing.assert_allclose(over.poses.origins[:, SKELETON.index("hand_l")], wanted[:, :3], atol=2e-6)


def test_a_prop_that_moves_by_itself_goes_on_from_where_it_is_let_go() -> None:
    own = np.tile(np.eye(4), (61, 1, 1))
    own[:, 0, 3] = np.linspace(0, 1, 61)
    way = attach(Prop("cart", own), "hand_r", 0.5, 1.0).along(CLIP)
    np.testing.assert_allclose(way[:16], own[:16], atol=1e-12)
    np.testing.assert_allclose(way[31], way[30], atol=1e-12)
    np.testing.assert_allclose(rigid_inverse(way[31]) @ way[31:], rigid_inverse(own[31]) @ own[31:], atol=1e-12)


def test_a_key_changes_the_clip_around_its_time_and_no_farther() -> None:
    keyed = key(CLIP, 1.0, [Reach("hand_r", CUP)], reach=0.4, frozen=["root"])
    np.testing.assert_allclose(keyed.poses.origins[30, HAND], CUP, atol=2e-6)
    far = np.abs(CLIP.times - 1.0) >= 0.4
    np.testing.assert_allclose(keyed.poses[far].minus(CLIP.poses[far]), 0, atol=1e-12)
    assert np.abs(keyed.poses[1:].minus(keyed.poses[:-1])).max() < 0.2


def test_a_key_of_keys_is_a_key_more() -> None:
    keys = Keys(SKELETON, np.array([0.0, 2.0]), CLIP.q[[0, 60]])
    more = key(keys, 1.0, [Reach("hand_r", CUP)], frozen=["root"])
    assert more.times.tolist() == [0.0, 1.0, 2.0]
    np.testing.assert_allclose(more.at(1.0).origins[HAND], CUP, atol=2e-6)
    np.testing.assert_allclose(more.at([0.0, 2.0]).origins, keys.at([0.0, 2.0]).origins, atol=1e-12)


@pytest.mark.parametrize(
    ("goals", "complaint"),
    [
        ({Reach("hand_r", CUP): 1.5}, r"Reach\('hand_r'\): its weight is 0 to 1, a number or 61, one a frame"),
        ({Reach("hand_r", CUP): np.zeros(3)}, "a number or 61, one a frame"),
        ({Reach("hand_r", CUP): np.nan}, "its weight is 0 to 1"),
        ({Comfort(): 1.0}, "cannot fade over a clip; LookAt, Orient, Place, Pole, Reach can"),
        ({Reach("hand_r", CUP, within=Segment((0, 0, 1))): 1.0}, "has one target, no region"),
    ],
)
def test_goals_that_cannot_fade(goals: dict[Any, Any], complaint: str) -> None:
    with pytest.raises(GoalError, match=complaint):
        overlay(CLIP, goals)


def test_more_refusals() -> None:
    with pytest.raises(PosableError, match="a fade goes from a time to a later one"):
        fade(CLIP, 1.0, 0.5)
    with pytest.raises(PosableError, match="prop 'cup': world_from_prop must be a rigid transform"):
        Prop("cup", 2 * np.eye(4))
    with pytest.raises(PosableError, match="prop 'cup': 'hand_l' still holds it when 'hand_r' takes it"):
        attach(attach(Prop("cup", np.eye(4)), "hand_l"), "hand_r", 1.0)
    with pytest.raises(PosableError, match="'hand_l' holds it from a time to a later one"):
        attach(Prop("cup", np.eye(4)), "hand_l", 1.0, 0.5)
    with pytest.raises(PosableError, match="prop 'cup' moves for 5 frames, the clip has 61"):
        Prop("cup", np.tile(np.eye(4), (5, 1, 1))).along(CLIP)
    with pytest.raises(PosableError, match="a key of a clip is within its 2 s, not at 3 s"):
        key(CLIP, 3.0, [Reach("hand_r", CUP)])
    with pytest.raises(PosableError, match="a key is at some seconds, not nan"):
        key(CLIP, np.nan, [Reach("hand_r", CUP)])
    for reach in (0, np.inf, "a", None):
        with pytest.raises(PosableError, match=f"a key reaches some seconds, not {reach!r}"):
            key(CLIP, 1.0, [Reach("hand_r", CUP)], reach=reach)  # type: ignore[arg-type]
    with pytest.raises(PosableError, match="a fade goes from a time to a later one"):
        fade(CLIP, "a", 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("place", "most"), [((-0.3, 0.35, 0.45), 18.0), ((0.1, 0.5, 0.3), 24.0)])
def test_a_hand_that_is_led_along_takes_its_arm_and_hardly_the_trunk(place: Any, most: float) -> None:
    """When every freedom counted the same, the chest rotated by 36 and 49 degrees for what the arm can reach."""
    path = CLIP.poses.origins[:, SKELETON.index("pelvis")] + place
    over = overlay(CLIP, {Reach("hand_r", path): 1.0})
    np.testing.assert_allclose(over.poses.origins[:, HAND], path, atol=2e-6)
    chest = SKELETON.index("chest")
    assert angles(*(clip.poses.world_from_joint[:, chest] for clip in (over, CLIP))).max() < most


def test_feet_that_no_goal_moves_stay_where_the_clip_has_them() -> None:
    """The hips go down for a hand at the floor, and the feet went with them."""
    place = CLIP.poses.origins[:, SKELETON.index("pelvis")] * [1, 0, 1] + (-0.3, 0.1, 0.35)
    over = overlay(CLIP, {Reach("hand_r", place): 1.0}, frozen=())
    np.testing.assert_allclose(over.poses.origins[:, HAND], place, atol=2e-6)
    feet = [SKELETON.index(name) for name in ("foot_l", "foot_r")]
    np.testing.assert_allclose(over.poses.origins[:, feet], CLIP.poses.origins[:, feet], atol=1e-5)
    lifted = CLIP.poses.origins[:, feet[0]] + (0.0, 0.2, 0.1)
    lifted_over = overlay(CLIP, {Reach("foot_l", lifted): 1.0}, frozen=())
    np.testing.assert_allclose(lifted_over.poses.origins[:, feet[0]], lifted, atol=2e-6)


def test_goals_without_weights_are_refused() -> None:
    with pytest.raises(GoalError, match=r"goals on top of a clip are \{goal: weight\}, not list"):
        overlay(CLIP, [Reach("hand_r", CUP)])  # type: ignore[arg-type]


def test_of_a_figure_whose_root_carries_its_hips_the_hips_turn_little() -> None:
    """The root above the hips counted least of all, and a hand that went down turned the whole knight by 80 degrees."""
    knight = load(sample("knight.glb"))
    clip = walk(knight, "human", 2, fps=30)
    skeleton, hips, hand = knight.skeleton, knight.skeleton.index("hips"), "hand.r"
    place = clip.poses.origins[:, skeleton.index(hand)] - (0.0, 0.4 * np.ptp(knight.rest.origins[:, 1]), 0.0)
    over = overlay(clip, {Reach(hand, place): fade(clip, 0.2, 1.2)}, frozen=())
    turned = angles(*(one.poses.world_from_joint[:, hips] for one in (over, clip)))
    assert turned.max() < 15 and np.abs(np.diff(turned)).max() < 10


@pytest.mark.parametrize(("down", "turned", "moved"), [(0.05, 3.0, 0.015), (0.2, 5.0, 0.03)])
def test_hips_that_go_down_stay_upright_and_feet_give_way_little(down: float, turned: float, moved: float) -> None:
    """Feet held exactly, with ankles at their limits, turned the hips by 31 and 76 degrees, 18 and 78 in one frame."""
    hips, feet = SKELETON.index("pelvis"), [SKELETON.index(name) for name in ("foot_l", "foot_r")]
    clip = walk(MANNEQUIN, "human", 3, fps=30)
    place = clip.poses.origins[:, hips] - (0.0, down, 0.0)
    over = overlay(clip, {Reach("pelvis", place): fade(clip, 0.3, 1.5)}, frozen=())
    now, before = (one.poses.world_from_joint for one in (over, clip))
    aside = angles(now[:, hips], before[:, hips])
    assert aside.max() < turned and np.abs(np.diff(aside)).max() < 4
    assert np.linalg.norm(now[:, feet, :3, 3] - before[:, feet, :3, 3], axis=-1).max() < moved


def test_a_straight_knee_of_a_ball_joint_does_not_bend_backwards() -> None:
    """The clip's own leg is straight for some frames: in those the knee could as well bend to the other side."""
    knight = load(sample("knight.glb"))
    clip = next(clip for clip in knight.clips if clip.name == "Walking_A")
    skeleton = knight.skeleton
    hip, knee, ankle, hips = (skeleton.index(name) for name in ("upperleg.r", "lowerleg.r", "foot.r", "hips"))

    def ahead(poses: Pose) -> np.ndarray:
        """The knee before the line from hip to ankle."""
        points = poses.origins
        along = normalized(points[:, ankle] - points[:, hip])
        thigh = points[:, knee] - points[:, hip]
        return (thigh - (thigh * along).sum(-1, keepdims=True) * along)[:, 2]

    lower = clip.poses.origins[:, hips] - (0.0, 0.05 * skeleton.reach, 0.0)
    over = overlay(clip, {Reach("hips", lower): 1.0}, frozen=())
    straight = np.abs(ahead(clip.poses)) < 2e-3
    assert straight.sum() > 3 and ahead(over.poses)[straight].min() > 0.05


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ("hand_r", "is not a goal"),
        ([3], "3 is not a goal"),
        (None, "None is not a goal"),
        ([Reach("hand_r", np.tile(CUP, (7, 1)))], "a key needs one target, not 7, one a frame"),
    ],
)
def test_a_key_of_what_is_no_goal_or_has_a_target_for_each_frame_is_refused(goals: Any, words: str) -> None:
    with pytest.raises(GoalError, match=words):
        key(CLIP, 0.5, goals)


def test_a_key_of_one_goal_needs_no_list() -> None:
    goal = Reach("hand_r", CUP)
    assert np.array_equal(key(CLIP, 0.5, goal).q, key(CLIP, 0.5, [goal]).q)  # type: ignore[arg-type]
