"""What `pytest` leaves to `pytest -m slow`: a tenth of the tests at most, and no module as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def marked(marked_slow: dict[Path, list[bool]]) -> dict[Path, list[bool]]:
    """The same, where all tests were collected."""
    missing = set((ROOT / "tests").rglob("test_*.py")) - set(marked_slow)
    if missing:
        pytest.skip(f"only a part of the tests was collected, without {min(missing).name}")
    return marked_slow


def test_nine_tests_of_ten_run_by_default(marked: dict[Path, list[bool]]) -> None:
    tests = [slow for of_module in marked.values() for slow in of_module]
    assert sum(tests) <= 0.1 * len(tests)


def test_some_test_of_every_module_runs_by_default(marked: dict[Path, list[bool]]) -> None:
    assert [path.name for path, of_module in marked.items() if all(of_module)] == []


def test_continuous_integration_runs_the_slow_ones_as_well() -> None:
    steps = re.findall(r"^check (.*)$", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)
    assert steps[-1] == "pytest -m slow"
