"""The page's own tests and its linter, where Node and what they need are there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


def run(program: str, *words: str) -> None:
    """Run a program of the page's packages in its folder. Skips where it is not there."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not on the PATH, so the page's own tests are not run")
    script = WEB / "node_modules" / program
    if not script.is_file():
        pytest.skip("web/node_modules is not there, so the page's own tests are not run: `npm ci` in web/ brings it")
    ended = subprocess.run([node, str(script), *words], cwd=WEB, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.slow
def test_the_pages_arithmetic_and_codec() -> None:
    run("vitest/vitest.mjs", "run")


def test_the_linter_finds_nothing() -> None:
    run("@biomejs/biome/bin/biome", "lint", "--error-on-warnings", "src", "tools", "dev")
