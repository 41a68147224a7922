"""The ends of a figure: by roles where its body is understood, by the shape of its chains otherwise."""

from __future__ import annotations

import pytest

import posable
from posable.figures.effectors import can_move, ends, feet, hands, moves, nearby_goal


def test_a_person_has_two_hands_and_two_feet() -> None:
    roles = posable.roles(posable.figure("mannequin").skeleton)
    assert hands(roles) == {"left hand": "hand_l", "right hand": "hand_r"}
    assert feet(roles) == {"left foot": "foot_l", "right foot": "foot_r"}


def test_an_arm_has_one_end() -> None:
    skeleton = posable.figure("arm6").skeleton
    assert ends(skeleton) == [skeleton.joints[-1]]
    assert can_move(skeleton) and moves(skeleton, skeleton.joints[-1]) and not moves(skeleton, skeleton.joints[0])


@pytest.mark.parametrize("name", ["mannequin", "arm6", "tentacle"])
def test_the_goal_near_by_is_near_and_within_reach(name: str) -> None:
    figure = posable.figure(name)
    frozen = [figure.skeleton.joints[0]] if figure.skeleton.definitions[0].kind == "free" else []
    goal = nearby_goal(figure.rest, frozen)
    distance = goal.errors(figure.rest)[0]
    assert distance is not None and 0 < distance < 0.5 * figure.skeleton.reach
    assert posable.solve(figure.rest, [goal], frozen=frozen).status is posable.Status.REACHED
