"""The page about adding a goal, followed to the letter."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from solvers.chains import mixture

import posable

PAGE = Path(__file__).parents[2] / "docs/internals/add-a-goal.md"


@pytest.fixture(scope="module")
def clasp() -> Any:
    (code,) = re.findall(r"   ```python\n(.*?)   ```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module: dict[str, Any] = {"__name__": __name__}
    exec(compile(textwrap.dedent(code), PAGE.name, "exec", dont_inherit=True), module)
    return module["Clasp"]


def test_the_goal_of_the_page_keeps_the_laws(clasp: Any) -> None:
    skeleton = mixture()
    poses, h = skeleton.random_pose(np.random.default_rng(0), (3,)), 1e-6
    goal = clasp("end", "hinge", (0.1, 0.2, 0.3))
    columns = [
        (goal.residual(poses.plus(v)) - goal.residual(poses.plus(-v))) / (2 * h) for v in h * np.eye(skeleton.dof)
    ]
    np.testing.assert_allclose(goal.jacobian(poses), np.stack(columns, axis=-1), atol=5e-8)
    frame = poses.world_from_joint[:, skeleton.index("hinge")]
    wanted = frame[:, :3, :3] @ np.array([0.1, 0.2, 0.3]) + frame[:, :3, 3]
    np.testing.assert_allclose(goal.residual(poses), wanted - poses.origins[:, skeleton.index("end")], atol=1e-12)


def test_the_goal_of_the_page_is_solved_tracked_and_eased(clasp: Any) -> None:
    figure = posable.figure("mannequin")
    offsets = np.linspace((0.0, 0.1, 0.05), (0.05, 0.15, 0.0), 5)
    prepared = posable.prepare(figure.skeleton, [clasp("hand_l", "hand_r", offsets[0])], frozen=["root"])
    assert prepared.solve(figure.rest).status is posable.Status.REACHED
    assert prepared.solve(figure.rest, [offsets]).pose.shape == (5,)
    eased = prepared.track(figure.rest, [offsets], ease=0.2).goals[0].distance
    np.testing.assert_allclose(eased, 0.0, atol=1e-6)
    begin = prepared.track(figure.rest, [offsets], ease=0.2).pose[0]
    np.testing.assert_allclose(begin.origins, figure.rest.origins, atol=1e-5)
    with pytest.raises(posable.GoalError, match=r"Clasp\('hand_l'\): offset must end in shape \(3,\), not \(2,\)"):
        clasp("hand_l", "hand_r", (0.0, 1.0))
