"""Options that are tried leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.session import Session

TRIED = [{"comfort": True}, {"balance": False}, {"gravity": 0.5}, {"elasticity": 1.0}]


@pytest.mark.parametrize("tried", TRIED, ids=lambda one: next(iter(one)))
def test_an_option_that_is_tried_and_put_back_leaves_no_trace(session: Session, tried: dict[str, Any]) -> None:
    x, y, z = session.document.goal("left hand").position
    session.handle(b.GoalsMove({"left hand": (x + 0.5, y + 0.2, z + 0.3)}, {}))
    before = session.document
    back = c.OptionsSet(**{name: getattr(before.options, name) for name in tried})
    session.handle(c.OptionsSet(**tried))
    once = session.document.pose.q
    assert np.abs(once - before.pose.q).max() > 1e-3
    session.handle(c.OptionsSet(keep_apart=True, **tried))
    session.handle(c.OptionsSet(keep_apart=False))
    assert np.abs(session.document.pose.q - once).max() < 1e-3, "the same from wherever it comes"
    session.handle(back)
    assert (session.document.pose.q == before.pose.q).all()
    assert [goal.position for goal in session.document.goals] == [goal.position for goal in before.goals]
    session.handle(b.GoalsMove({"left hand": (x, y, z)}, {}))
    moved = session.document.pose.q
    session.handle(c.OptionsSet(**tried))
    session.handle(back)
    assert (session.document.pose.q == moved).all(), "as it was posed in between"
