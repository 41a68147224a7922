"""Hands that cannot be met do not lift or tip who was made to sit."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.studio import codec
from posable.studio.opening import document_of
from posable.studio.session import Session


def _drag(session: Session, joint: str, to: np.ndarray) -> None:
    at = next(k for k, goal in enumerate(session.document.goals) if goal.joint == joint)
    start, rotation = np.array(session.document.goals[at].position), session.document.goals[at].rotation
    for share in np.linspace(0.0, 1.0, 25)[1:]:
        x, y, z = (start + share * (to - start)).tolist()
        session.drag(codec.GoalMessage(at, 0, 0, (x, y, z), rotation))
    session.end_gesture()


@pytest.mark.parametrize("to", [(0.1, 0.7, 0.95), (0.1, 1.7, 0.9), (0.4, 0.5, 0.8)])
def test_hands_out_of_reach_leave_the_hips_where_they_sit(to: tuple[float, float, float]) -> None:
    figure = posable.figure("mannequin")
    session, skeleton = Session(document_of(figure, "mannequin")), figure.skeleton
    hips = np.array(figure.rest.origins[skeleton.index("root")])
    _drag(session, "root", hips + np.array([0.0, -0.42, -0.25]))
    sits = np.array(session.document.pose.origins[skeleton.index("root")])
    for joint, side in (("hand_r", -1.0), ("hand_l", 1.0)):
        _drag(session, joint, np.array(to) * (side, 1.0, 1.0))
    frames, rest = session.document.pose.world_from_joint, figure.rest.world_from_joint
    assert np.linalg.norm(frames[skeleton.index("root"), :3, 3] - sits) < 0.02
    up = {joint: (frames[skeleton.index(joint), :3, :3] @ rest[skeleton.index(joint), :3, :3].T)[:, 1]
          for joint in ("pelvis", "chest")}  # fmt: skip
    leans = {joint: np.degrees(np.arctan2(own[2], own[1])) for joint, own in up.items()}
    assert leans["pelvis"] > -15
    assert -25 < leans["chest"] < 90
    assert session.outcome.distances.max() > 0.1
    assert session.outcome.solution is not None
    assert session.outcome.solution.status != posable.Status.REACHED
