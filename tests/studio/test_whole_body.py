"""What a second solve keeps: the head, the trunk, elbows and knees above the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.opening import document_of
from posable.studio.session import Session
from posable.studio.whole_body import WholeBodySolver, solid_points


def loose(figure: posable.Figure) -> posable.Figure:
    """The figure without limits, as most files of characters have none."""
    joints = [
        replace(joint, cone=None, axes=tuple(replace(axis, lower=-np.inf, upper=np.inf) for axis in joint.axes))
        for joint in figure.skeleton.definitions
    ]
    return figure.on(posable.Skeleton(joints, figure.skeleton.up))


def led(session: Session, name: str, to: tuple[float, float, float], steps: int = 20) -> list[float]:
    """A drag of a goal; the largest rotation of a joint in each step, in degrees."""
    number = [goal.name for goal in session.document.goals].index(name)
    start, found = np.array(session.document.goals[number].position), []
    for k in range(1, steps + 1):
        before = session.document.pose
        x, y, z = (start + (np.array(to) - start) * k / steps).tolist()
        flags = codec.GESTURE_BEGINS if k == 1 else 0
        session.drag(codec.GoalMessage(number, flags, k, (x, y, z), (1.0, 0.0, 0.0, 0.0)))
        turns = np.abs(session.document.pose.minus(before))[~before.skeleton.slides]
        found.append(float(np.degrees(turns.max())))
    session.end_gesture()
    return found


def least_above(session: Session) -> float:
    """How far what stays above the ground is above its least height, the nearest point of it."""
    pose, points = session.document.pose, session.page_json()["above_ground"]
    frames = [pose.world_from_joint[pose.skeleton.index(one["joint"])] for one in points]
    heights = [frame[1, 3] + frame[1, :3] @ one["tip"] for frame, one in zip(frames, points, strict=True)]
    return min(height - one["least"] for height, one in zip(heights, points, strict=True))


@pytest.mark.parametrize(("human_limits", "leap"), [(False, 20), (True, 25)])
@pytest.mark.parametrize("to", [(-1.0, 0.0, 0.4), (-0.7, 0.0, -0.7), (-0.5, 0.0, 1.1)])
def test_a_hand_on_the_floor_leaves_the_body_above_it(
    to: tuple[float, float, float], human_limits: bool, leap: float
) -> None:
    """A character without limits was folded through the floor, its head 17 cm below, and all was said to be well."""
    session = Session(document_of(loose(posable.figure("mannequin")), "loose"))
    session.handle(c.OptionsSet(human_limits=human_limits))
    assert max(led(session, "right hand", to)) < leap, "no leap where the ground begins to count"
    assert least_above(session) > -1e-4
    assert session.status()["text"].startswith("every goal is met")


def test_who_lies_on_the_ground_is_not_lifted() -> None:
    """Of a pose that was lower before, as one of a clip, nothing is raised by the drag of a hand."""
    document = Session().document
    figure, hand = document.figure, document.goal("right hand")
    q = figure.rest.q.copy()
    q[:7] = (0.0, 0.12, 0.0, 0.5**0.5, -(0.5**0.5), 0.0, 0.0)
    pose = posable.Pose(figure.skeleton, q)
    x, y, z = pose.origins[figure.skeleton.index(hand.joint)].tolist()
    goal = replace(hand, position=(x, y + 0.15, z), loose=False)
    lying = replace(document, pose=pose, goals=(goal,))
    found = WholeBodySolver().solve(lying, pose).pose
    head = figure.skeleton.index("head")
    assert found.origins[figure.skeleton.index(hand.joint), 1] == pytest.approx(y + 0.15, abs=1e-3)
    assert pose.origins[head, 1] < 0.2
    assert found.origins[head, 1] == pytest.approx(pose.origins[head, 1], abs=0.05)


@pytest.mark.parametrize("height", [0.0, 0.04])
def test_fingers_lie_on_the_floor(height: float) -> None:
    """They went 12 to 16 cm below it where the wrist was at 0."""
    session = Session()
    led(session, "right hand", (-0.4, height, 0.5))
    lowest = min(float(skin.deform(session.document.pose)[:, 1].min()) for skin in session.document.figure.skins)
    assert lowest > height - 0.045, "half of a hand's thickness below the wrist"
    session.handle(b.GoalsMove({"right hand": (-0.4, -0.05, 0.5)}, {}))
    assert session.status()["text"].startswith("every goal is met; right hand is 5 cm below the ground")


def test_what_stays_above_the_ground_is_what_stands_on_level_ground() -> None:
    session = Session()
    points = solid_points(session.document)
    assert {"head", "chest", "forearm_l", "shin_r"} < {point["joint"] for point in points}
    assert all(0 < point["least"] < 0.2 for point in points)
    crown = max(points, key=lambda point: np.linalg.norm(point["tip"]))
    figure = session.document.figure
    head = figure.rest.world_from_joint[figure.skeleton.index("head")]
    assert crown["joint"] == "head"
    assert head[1, 3] + head[1, :3] @ crown["tip"] == pytest.approx(figure.height)
    session.handle(c.TerrainSet({"kind": "slope", "degrees": 5.0}))
    assert solid_points(session.document) == []
    assert solid_points(document_of(posable.figure("arm6"), "arm")) == []


def test_two_figures_stay_above_the_ground() -> None:
    session = Session()
    alone = {point["joint"] for point in solid_points(session.document)}
    session.handle(b.FigureJoin("mannequin"))
    assert {point["joint"] for point in solid_points(session.document)} == {
        f"{figure}/{joint}" for figure in ("mannequin", "mannequin 2") for joint in alone
    }
