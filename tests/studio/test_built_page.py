"""The page that a package holds: built from the sources beside it, small, licensed, and alone."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "src/posable/studio/static"
WEB = Path(__file__).parents[2] / "web"
MOST_BYTES = 1_900_000
NAMES_ONLY = {"www.w3.org"}  # namespaces of SVG, XHTML and MathML


def text_files() -> list[Path]:
    return [path for path in sorted(STATIC.rglob("*")) if path.suffix in {".html", ".js", ".css", ".svg", ".json"}]


def source_hash() -> str:
    """As web/tools/sources.mjs has it."""
    paths = [path for folder in ("src", "public") for path in (WEB / folder).rglob("*") if path.is_file()]
    paths += [WEB / name for name in ("index.html", "package-lock.json", "vite.config.ts")]
    digest = hashlib.sha256()
    for name in sorted(path.relative_to(WEB).as_posix().encode() for path in paths):
        digest.update(name + b"\0" + (WEB / name.decode()).read_bytes() + b"\0")
    return digest.hexdigest()


def test_it_is_built_from_the_sources_beside_it() -> None:
    if not WEB.is_dir():
        pytest.skip("the page's sources are not here (a package without web/)")
    told = json.loads((STATIC / "build.json").read_text())["sources"]
    assert told == source_hash(), "web/ has changed since the page was built: run `npm ci && npm run build` in web/"


def test_the_lock_file_has_an_entry_for_every_package_on_every_system_and_names_no_registry() -> None:
    """npm 11 refuses a lock file in which the packages of other systems are missing."""
    if not WEB.is_dir():
        pytest.skip("the page's sources are not here (a package without web/)")
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    installed = {path.rpartition("node_modules/")[2] for path in packages if path}
    for path, package in packages.items():
        wanted = {**package.get("dependencies", {}), **package.get("optionalDependencies", {})}
        assert set(wanted) <= installed, path
        assert "resolved" not in package, path


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) <= MOST_BYTES


def test_every_bundled_part_comes_with_its_version_and_licence() -> None:
    versions = json.loads((STATIC / "build.json").read_text())["versions"]
    licences = (STATIC / "LICENSES.txt").read_text().split("-" * 80)
    assert {"three", "preact", "@preact/signals"} <= set(versions)
    for name, version in versions.items():
        own = [text for text in licences if text.strip().startswith(f"{name} {version}\n")]
        assert len(own) == 1 and "Permission is hereby granted" in own[0], name


def test_the_page_asks_for_nothing_but_its_own_files() -> None:
    page = (STATIC / "index.html").read_text()
    asked = re.findall(r"""(?:src|href)=["']([^"']+)["']""", page)
    assert asked and all((STATIC / name).is_file() for name in asked)


def test_no_other_host_is_spoken_of() -> None:
    for path in text_files():
        hosts = set(re.findall(r"(?:https?|wss?)://([\w.-]+)", path.read_text()))
        assert hosts <= NAMES_ONLY, (path.name, sorted(hosts - NAMES_ONLY))
        assert not re.search(r"""(?:url\(|@import|import\()\s*["']?//""", path.read_text()), path.name


def test_source_maps_are_whole_where_they_are() -> None:
    """What a script says of its map is there; the viewer, nearly all of it three, has none."""
    for script in STATIC.rglob("*.js"):
        for named in re.findall(r"sourceMappingURL=(\S+)", script.read_text()):
            assert json.loads((script.parent / named).read_text())["mappings"]
