"""The page's own tests, where Node and what they need are there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
RUNNER = WEB / "node_modules/vitest/vitest.mjs"


def test_the_pages_arithmetic_and_codec() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not on the PATH, so the page's own tests are not run")
    if not RUNNER.is_file():
        pytest.skip("web/node_modules is not there, so the page's own tests are not run: `npm ci` in web/ brings it")
    ended = subprocess.run([node, str(RUNNER), "run"], cwd=WEB, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
