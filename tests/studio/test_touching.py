"""The word for limbs that go through the body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio.document import Document
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.touching import _limbs, body_capsules, passing_through


def posed(turns: dict[str, float]) -> Document:
    """The mannequin with these coordinates of joints changed, by the first of each."""
    figure = posable.figure("mannequin")
    q, skeleton = np.array(figure.rest.q), figure.skeleton
    pose = posable.Pose(skeleton, q)
    rotations, positions = posable.rotations_of(pose, "quaternion")
    for joint, angle in turns.items():
        rotations[skeleton.index(joint)] = (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
    pose = posable.pose_from_rotations(skeleton, rotations, positions, "quaternion")
    return replace(document_of(figure, "mannequin"), pose=pose)


def test_an_arm_in_the_body_is_told_and_one_beside_it_is_not() -> None:
    document = posed({})
    assert passing_through(document) == ("", "", 0.0)
    one, other, depth = passing_through(posed({"upper_arm_r": 1.2}))
    assert (one, other) == ("forearm_r", "spine")
    assert depth > 0.02 * document.figure.height


def test_a_squat_is_no_collision_and_kept_apart_nothing_is_told() -> None:
    session = Session()
    x, y, z = next(goal.position for goal in session.document.goals if goal.name == "pelvis")
    session.handle(b.GoalsMove({"pelvis": (x, y - 0.4, z)}, {}))
    assert session.status()["text"] == "every goal is met"
    options = replace(session.document.options, keep_apart=True)
    assert passing_through(replace(session.document, options=options)) == ("", "", 0.0)


@pytest.mark.parametrize("name", ["snake", "arm7"])
def test_what_has_no_arms_tells_nothing(name: str) -> None:
    assert passing_through(document_of(posable.figure(name), name)) == ("", "", 0.0)


def test_the_status_says_which_limb_is_where() -> None:
    session = Session()
    session.handle(b.GoalsMove({"right hand": (0.1, 0.85, -0.05)}, {}))
    text = session.status()["text"]
    assert session.status()["inside"]
    one, other, _ = passing_through(session.document)
    assert one == "forearm_r"
    assert "; forearm_r is " in text and f" inside {other}: Keep apart prevents it" in text


def test_a_page_gets_what_a_dragged_hand_goes_in_front_of() -> None:
    figure = posable.figure("mannequin")
    body = body_capsules(figure)
    assert body is not None
    held = [figure.skeleton.joints[joint] for joint in body["joints"]]
    assert {"chest", "head", "thigh_l"} <= {*held} and not any("arm" in name or "hand" in name for name in held)
    assert len(body["shapes"]) == 7 * len(held)
    assert body["hands"]["hand_l"] > 0 and "upper_arm_l" not in body["hands"] and "foot_l" not in body["hands"]
    assert body_capsules(posable.figure("snake")) is None


def test_fingers_are_of_their_arm() -> None:
    """So that a finger in the chest is told as that, and not the chest in a finger."""
    figure = posable.figure("mannequin")
    limbs = dict(zip(figure.skeleton.joints, _limbs(figure.skeleton, posable.roles(figure)).tolist(), strict=True))
    assert limbs["index_1_r"] == limbs["hand_r"] >= 0 and limbs["toe_l"] == limbs["foot_l"] >= 0 > limbs["chest"]
