"""The built site, and a browser that opens it from disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from docs_site.reader import ROOT, Reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripts of docs/ can be imported."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))


@pytest.fixture(scope="module")
def site() -> Path:
    """The built site; what a build before this one made is not made again."""
    for needed in ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "sphinx-mathjax-offline"):
        if find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed, so there is no site to look at: pip install '.[docs]'")
    command = [sys.executable, str(ROOT / "docs/make_site.py"), "--run-nothing"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ROOT / "build/site"


@pytest.fixture(scope="module")
def opened(site: Path, chrome: Browser) -> Iterator[Reader]:
    own = Reader(chrome, site)
    yield own
    own.page.context.close()


@pytest.fixture
def reader(opened: Reader) -> Iterator[Reader]:
    """One who finds nothing wrong in any page that the test opens."""
    opened.problems.clear()
    yield opened
    assert opened.problems == []
