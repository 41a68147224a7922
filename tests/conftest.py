"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from formats.mutation import Outcome
from formats.mutation import attack as attack_format
from real_files import SHARED, RealFiles


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real test files: `shared / "robots/panda.urdf"` is that file, or skips the test where there is none."""
    return RealFiles(SHARED)


@pytest.fixture
def attack(tmp_path: Path) -> Callable[..., Outcome]:
    """`formats.mutation.attack` that keeps what breaks a reader in this test's `tmp_path`."""
    return partial(attack_format, folder=tmp_path)
