"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from formats.mutation import Outcome
from formats.mutation import attack as attack_format


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real test files beside the checkout."""
    folder = (Path(__file__).parents[1] / "../shared/data").resolve()
    if not folder.is_dir():
        pytest.skip("the real test files are not here (../shared/data beside the checkout)")
    return folder


@pytest.fixture
def attack(tmp_path: Path) -> Callable[..., Outcome]:
    """`formats.mutation.attack` that keeps what breaks a reader in this test's `tmp_path`."""
    return partial(attack_format, folder=tmp_path)
