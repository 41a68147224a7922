"""The code on the pages about methods runs as it stands, one block after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from posable import Solution

PAGES = sorted((Path(__file__).parents[3] / "docs/methods").glob("*.md"))
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_CODE = [page for page in PAGES if _BLOCK.search(page.read_text(encoding="utf-8"))]


def test_there_are_pages_with_code() -> None:
    assert len(WITH_CODE) >= 6


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_the_code_on_a_page_runs(page: Path) -> None:
    names: dict[str, object] = {}
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, str(page), "exec"), names)
    solution = names["solution"]
    assert isinstance(solution, Solution)
    assert solution.describe()
