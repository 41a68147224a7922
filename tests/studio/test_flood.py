"""The studio under a flood of messages, in short: `python -m benchmarks.studio_flood` measures a whole minute."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from posable.studio.web import STATIC


@pytest.mark.skipif(sys.platform != "linux", reason="reads a process's memory as Linux has it")
@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the studio's page is not built here")
@pytest.mark.parametrize(
    "hard", [pytest.param(False, id="drags"), pytest.param(True, id="all kinds", marks=pytest.mark.slow)]
)
def test_in_a_flood_the_sixteenth_viewer_is_served_and_no_other(monkeypatch: pytest.MonkeyPatch, hard: bool) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    from benchmarks.studio_flood import KNOCKING, measure

    found = measure(2.0, 9000.0, hard, pause=0.05)
    assert found.waits and found.answered and found.knocks
    assert found.admitted == 0 and len(found.refusals) == KNOCKING * len(found.waits)
    assert max(found.memory) - found.memory[0] < 64
