"""The balance that is kept by itself: hands that would tip the figure over stop short, and nothing leaps there."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from studio.test_scene import outside
from studio.test_whole_body import led, loose

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.balancing import keeps_balance, mass_center, support_of
from posable.studio.opening import document_of
from posable.studio.session import Session

FAR = [(-1.3, 1.2, 0.1), (-0.5, 1.7, 1.0), (-1.0, 0.6, 0.7), (-0.4, 1.0, -1.0)]


def position(session: Session, joint: str) -> np.ndarray:
    pose = session.document.pose
    return pose.origins[pose.skeleton.index(joint)]


@pytest.mark.parametrize("to", FAR)
@pytest.mark.parametrize("limits", [True, False])
def test_a_hand_that_is_led_too_far_stops_where_the_figure_stands(to: tuple[float, float, float], limits: bool) -> None:
    """Pinned feet and a met hand made a plank of it, its hips 15 to 36 cm beyond the feet."""
    figure = posable.figure("mannequin")
    session = Session(document_of(figure if limits else loose(figure), "person"))
    feet = [position(session, f"foot_{side}") for side in "lr"]
    number = [goal.name for goal in session.document.goals].index("right hand")
    start, off = np.array(session.document.goals[number].position), 0.0
    for k in range(1, 61):
        before, target = session.document.pose, start + (np.array(to) - start) * k / 60
        x, y, z = target.tolist()
        session.drag(
            codec.GoalMessage(number, codec.GESTURE_BEGINS if k == 1 else 0, k, (x, y, z), (1.0, 0.0, 0.0, 0.0))
        )
        now = float(np.linalg.norm(position(session, "hand_r") - target))
        step = float(np.linalg.norm(np.array(to) - start)) / 60
        assert abs(now - off) < 2.5 * step, "the hand does not leap"
        turns = np.abs(session.document.pose.minus(before))[~before.skeleton.slides]
        assert np.degrees(turns.max()) < 45, "nor does a joint"
        off = now
    for side, foot in zip("lr", feet, strict=True):
        assert np.linalg.norm(position(session, f"foot_{side}") - foot) < 0.01
    assert outside(session) < 0.01
    while session.settle():
        pass
    said = session.status()["text"]
    assert said.endswith("short: Balance keeps the figure from tipping over") or said.startswith("every goal is met")
    back = led(session, "right hand", (-0.3, 0.9, 0.3), steps=30)
    assert max(back) < 30 and session.status()["text"].startswith("every goal is met")


@pytest.mark.parametrize("step", [0.008, 0.03])
def test_the_body_is_calm_while_a_hand_is_led_beyond_its_reach(step: float) -> None:
    """For a hand led on by 3 cm the free hand moved by up to 17 cm, the head by 15, to and fro."""
    session = Session()
    corners = [session.document.goal("right hand").position, (-1.3, 1.2, 0.1), (-1.3, 1.7, 0.1), (-1.3, 0.6, 0.3)]
    feet = [position(session, f"foot_{side}") for side in "lr"]
    for begin, end in pairwise(map(np.array, corners)):
        count = int(np.ceil(np.linalg.norm(end - begin) / step))
        for k in range(1, count + 1):
            before = {joint: position(session, joint) for joint in ("hand_l", "hand_r", "head", "pelvis")}
            x, y, z = (begin + (end - begin) * k / count).tolist()
            session.drag(codec.GoalMessage(1, 0, k, (x, y, z), (1.0, 0.0, 0.0, 0.0)))
            moved = {joint: np.linalg.norm(position(session, joint) - old) for joint, old in before.items()}
            if begin[0] < -1.0:  # out of reach
                assert max(moved.values()) < 1.8 * step, moved
        assert outside(session) < 0.01
    for side, foot in zip("lr", feet, strict=True):
        assert np.linalg.norm(position(session, f"foot_{side}") - foot) < 0.002
    head = position(session, "head")
    session.end_gesture()
    assert np.linalg.norm(position(session, "head") - head) < 0.05, "nothing leaps when it is let go"
    assert session.status()["text"].startswith("every goal is met")


def test_a_target_comes_back_to_where_the_hand_stops() -> None:
    """What came after a drag that had stopped short took the hand further: K by 27 cm, 1 mm of the hips by 20."""
    session = Session()
    led(session, "left hand", (0.4, 1.2, 0.3))
    led(session, "right hand", (-1.3, 1.2, 0.1), steps=60)
    stopped = session.document.goal("right hand").position
    assert stopped[0] > -1.2 and session.status()["text"].startswith("every goal is met")
    np.testing.assert_allclose(position(session, "hand_r"), stopped, atol=1e-6)
    np.testing.assert_allclose(position(session, "hand_l"), (0.4, 1.2, 0.3), atol=2e-3)
    led(session, "left hand", (0.4, 1.3, 0.2))
    np.testing.assert_allclose(position(session, "hand_l"), (0.4, 1.3, 0.2), atol=2e-3)
    np.testing.assert_allclose(position(session, "hand_r"), stopped, atol=2e-3)


def test_a_hand_that_yields_to_the_other_one_is_left_where_it_is_seen() -> None:
    """It stayed a centimetre from its target, and was said to be posed by hand."""
    session = Session()
    for name, to in (("left hand", (0.6, 1.3, 1.3)), ("right hand", (-1.0, 1.2, 0.9)), ("left hand", (1.0, 1.2, 0.9))):
        led(session, name, to, steps=40)
        assert session.status()["text"].startswith("every goal is met"), name
        for side, hand in (("l", "left hand"), ("r", "right hand")):
            target = session.document.goal(hand).position
            np.testing.assert_allclose(position(session, f"hand_{side}"), target, atol=2e-3)


@pytest.mark.parametrize("act", ["key", "pin", "hips"])
def test_what_is_seen_of_a_number_out_of_reach_is_keyed_pinned_and_left(act: str) -> None:
    session = Session()
    session.handle(c.GoalSet("right hand", position=(-1.3, 1.2, 0.1)))
    assert session.document.goal("right hand").position == (-1.3, 1.2, 0.1), "a number that was typed stays"
    before, (x, y, z) = session.document.pose, position(session, "pelvis").tolist()
    acts = {
        "key": c.KeySet(["right hand"], 0),
        "pin": c.GoalSet("right hand", pinned=True),
        "hips": b.GoalsMove({"pelvis": (x, y - 0.001, z)}, {}),
    }
    session.handle(acts[act])
    away = np.abs(session.document.pose.origins - before.origins).max()
    assert away < 0.03, f"{100 * away:.1f} cm"


def test_who_puts_a_hand_on_the_ground_leans_on_it() -> None:
    session = Session(document_of(loose(posable.figure("mannequin")), "loose"))
    led(session, "right hand", (-0.5, 0.035, 1.1), steps=60)
    assert session.status()["text"].startswith("every goal is met")
    assert mass_center(session.document)[2] > 0.15, "ahead of the toes"
    session.handle(c.OptionsSet(balance=False))
    assert session.status()["text"].startswith("every goal is met")


def test_whose_hips_are_placed_or_whose_clip_plays_is_not_put_over_the_feet() -> None:
    session = Session()
    assert keeps_balance(session.document)
    x, y, z = session.document.goal("pelvis").position
    session.handle(b.GoalsMove({"pelvis": (x + 0.15, y - 0.1, z)}, {}))
    assert not keeps_balance(session.document)
    np.testing.assert_allclose(position(session, "pelvis"), (x + 0.15, y - 0.1, z), atol=2e-3)
    document = Session().document
    assert not keeps_balance(replace(document, clip="walk"))
    assert not keeps_balance(replace(document, goals=tuple(replace(goal, pinned=False) for goal in document.goals)))
    for name in ("snake", "arm6"):
        assert not keeps_balance(document_of(posable.figure(name), name)), "what has no feet"


def test_a_foot_is_put_back_and_the_hand_yields() -> None:
    """The foot stopped short instead, 80 cm from where it was put."""
    session = Session()
    session.handle(c.GoalSet("right foot", pinned=False))
    x, y, z = session.document.goal("right foot").position
    led(session, "right foot", (x, y, z + 0.5), steps=40)
    led(session, "right hand", (-0.2, 1.3, 1.1), steps=40)
    turns = led(session, "right foot", (x, y, z), steps=60)
    np.testing.assert_allclose(position(session, "foot_r"), (x, y, z), atol=0.01)
    assert max(turns) < 45


def test_a_foot_in_the_air_carries_nothing() -> None:
    session = Session()
    x, y, z = session.document.goal("right foot").position
    led(session, "right foot", (x, y + 0.25, z + 0.3), steps=40)
    assert session.page_json()["support"]["goals"] == ["left foot"]
    led(session, "right hand", (-0.3, 1.2, 1.3), steps=60)
    assert outside(session) < 0.03
    ankle = session.document.goal("left foot").position
    center = mass_center(session.document)
    assert abs(center[0] - ankle[0]) < 0.08 and center[2] - ankle[2] < 0.25


def test_a_hand_that_leans_on_the_ground_is_lifted_without_a_leap() -> None:
    session = Session()
    led(session, "right hand", (-0.35, 0.04, 1.2), steps=60)
    number = [goal.name for goal in session.document.goals].index("right hand")
    start, end = np.array(session.document.goals[number].position), np.array((-0.35, 0.9, 0.3))
    for k in range(1, 121):
        before = position(session, "head")
        x, y, z = (start + (end - start) * k / 120).tolist()
        flags = codec.GESTURE_BEGINS if k == 1 else 0
        session.drag(codec.GoalMessage(number, flags, k, (x, y, z), (1.0, 0.0, 0.0, 0.0)))
        assert np.linalg.norm(position(session, "head") - before) < 0.12, k
    session.end_gesture()
    assert session.status()["text"].startswith("every goal is met")
    np.testing.assert_allclose(position(session, "hand_r"), end, atol=2e-3)


def test_who_is_out_of_balance_from_the_beginning_stays_so() -> None:
    session = Session()
    session.handle(c.OptionsSet(balance=False))
    led(session, "right hand", (-1.3, 1.2, 0.1), steps=30)
    leaning = session.document.pose
    fallen = replace(session.document, options=replace(session.document.options, balance=True), origin=None)
    session = Session(fallen)
    x, y, z = position(session, "hand_l").tolist()
    led(session, "left hand", (x, y + 0.05, z), steps=3)
    hips = session.document.pose.skeleton.index("pelvis")
    assert np.linalg.norm(session.document.pose.origins[hips] - leaning.origins[hips]) < 0.03


def test_a_page_gets_what_it_keeps_the_balance_over() -> None:
    session = Session()
    support = session.page_json()["support"]
    assert support["goals"] == ["left foot", "right foot"]
    np.testing.assert_allclose(support["corners"], support_of(session.document), atol=1e-5)
    assert 0.1 < support["below"] < 0.5
    session.handle(c.OptionsSet(balance=False))
    assert session.page_json()["support"] is None


def test_over_a_slope_too_a_page_reads_what_carries_the_figure() -> None:
    """The height below which hands carry was minus infinity, which no page reads."""
    session = Session()
    session.handle(c.TerrainSet({"kind": "slope", "degrees": 5.0}))
    assert np.isfinite(session.page_json()["support"]["below"])


LED = [(0.62, 1.19, 0.11), (-0.19, 2.04, -0.37), (-0.55, 2.03, 0.26), (-0.41, 1.67, -0.36)]
FEET_LED = [(-0.2, 0.45, 0.35), (-0.45, 0.3, -0.2), (-0.05, 0.55, 0.3), (-0.3, 0.15, -0.45)]


@pytest.mark.parametrize(("goal", "corners"), [("right hand", LED), ("right foot", FEET_LED)])
def test_the_body_is_calm_while_a_limb_is_led_through_its_reach(
    goal: str, corners: list[tuple[float, float, float]]
) -> None:
    """In a step of 3 cm of a hand the free one moved by up to 20 cm; of a foot, on other paths, by up to 90."""
    session, step = Session(), 0.03
    stands = position(session, "foot_l")
    number = [one.name for one in session.document.goals].index(goal)
    for begin, end in pairwise(map(np.array, [session.document.goals[number].position, *corners])):
        count = int(np.ceil(np.linalg.norm(end - begin) / step))
        for k in range(1, count + 1):
            before = session.document.pose
            x, y, z = (begin + (end - begin) * k / count).tolist()
            session.drag(codec.GoalMessage(number, 0, k, (x, y, z), (1.0, 0.0, 0.0, 0.0)))
            moved = np.linalg.norm(session.document.pose.origins - before.origins, axis=1)
            assert moved.max() < 3.05 * step, before.skeleton.joints[int(moved.argmax())]
        assert np.linalg.norm(position(session, "foot_l") - stands) < 0.01
