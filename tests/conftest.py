"""What tests of several packages share."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from formats.mutation import Outcome
from formats.mutation import attack as attack_format
from real_files import SHARED, RealFiles

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MARKED: pytest.StashKey[dict[Path, list[bool]]] = pytest.StashKey()
"""Of every module that was collected: of each of its tests, in order, whether it is marked slow."""


BROWSER_TEST = 50
"""How many tests without a browser take as long as one in a browser."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Note which tests are slow, before `-m` leaves any out; then the longest modules run first.

    A worker takes one module after the other. With a long one at the end, the other workers would be idle.
    """
    marked = config.stash.setdefault(MARKED, {})
    for item in items:
        marked.setdefault(item.path, []).append(item.get_closest_marker("slow") is not None)
    yield
    if hasattr(config, "workerinput"):
        lengths: Counter[Path] = Counter()
        for item in items:
            lengths[item.path] += BROWSER_TEST if "chrome" in getattr(item, "fixturenames", ()) else 1
        items.sort(key=lambda item: lengths[item.path], reverse=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell each worker whether the whole suite runs."""
    node.workerinput["whole"] = node.config.args_source is pytest.Config.ArgsSource.TESTPATHS


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Before a worker's first test of a whole run, compile its share of the kernels that many modules need."""
    told = getattr(session.config, "workerinput", {})
    if told.get("whole"):
        from common_kernels import compile_share  # not in the controller, which only hands tests out

        compile_share(int(told["workerid"].removeprefix("gw")), told["workercount"])


@pytest.fixture(scope="session")
def marked_slow(pytestconfig: pytest.Config) -> dict[Path, list[bool]]:
    """Of every module that was collected: of each of its tests whether it is marked slow."""
    return pytestconfig.stash[MARKED]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real test files: `shared / "robots/panda.urdf"` is that file, or skips the test where there is none."""
    return RealFiles(SHARED)


@pytest.fixture
def attack(tmp_path: Path) -> Callable[..., Outcome]:
    """`formats.mutation.attack` that keeps what breaks a reader in this test's `tmp_path`."""
    return partial(attack_format, folder=tmp_path)


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    """A worker's only browser, since Playwright starts once in a thread; tests are skipped where it is missing."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed, so no browser is driven")
    if shutil.which("chromium") is None:
        pytest.skip("Debian's chromium is not on the PATH, so no browser is driven")
    from studio.browser.viewer import chromium

    with chromium() as browser:
        yield browser
