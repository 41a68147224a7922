"""What a release holds: one version, nothing that does not belong there."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import posable

ROOT = Path(__file__).parents[1]
LARGEST = 12e6


def test_the_version_is_stated_once_and_cited() -> None:
    assert re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE) == [
        posable.__version__
    ]
    assert not re.search(r'^version = "', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"## {posable.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_wheel_and_the_sdist(tmp_path: Path) -> None:
    """Built in the environment that runs the tests: what it needs for that (hatchling) is a test dependency."""
    build = f"import hatchling.build as h; h.build_wheel(r'{tmp_path}'); h.build_sdist(r'{tmp_path}')"
    own = {**os.environ, "POSABLE_SHIP_KERNELS": "0"}  # compiling them takes minutes
    ran = subprocess.run([sys.executable, "-c", build], cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    (wheel,), (sdist,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    assert posable.__version__ in wheel.name and posable.__version__ in sdist.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert wheel.stat().st_size < LARGEST
    assert not [name for name in names if name.endswith(".map") or "tests/" in name or "node_modules" in name]
    for needed in ("posable/studio/static/index.html", "posable/natural/human.npz", "posable/sample_files/LICENCES.md"):
        assert needed in names
    licences = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    recipe = (ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8").partition("license_file:\n")[2]
    assert licences == set(re.findall(r"^    - (.*)$", recipe, re.MULTILINE)) > {"LICENSE"}
    with tarfile.open(sdist) as archive:
        own = [name.partition("/")[2] for name in archive.getnames()]
    assert {"README.md", "LICENSE", "CHANGELOG.md", "hatch_build.py", "web/package.json", "tests/test_release.py"} <= {
        *own
    }
    if (ROOT / ".git").exists():
        kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
        there = {name for name in kept.stdout.split("\0") if name and (ROOT / name).exists()}
        assert there <= {*own}, "the tests of an unpacked sdist need all that is in the repository"
    assert not [name for name in own if "node_modules" in name or name.endswith(".pyc")]


POSIX_ONLY = {"getuid", "geteuid", "fork", "mkfifo", "chown", "O_NOFOLLOW", "O_NONBLOCK", "SIGHUP", "SIGKILL", "killpg"}
POSIX_MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty"}


@pytest.mark.slow
def test_what_only_some_systems_have_is_listed() -> None:
    """Each place was read for Windows and macOS; docs/internals/release.md says what happens there."""
    listed = set(re.findall(r"^\| `([\w/.]+)`", (ROOT / "docs/internals/release.md").read_text("utf-8"), re.MULTILINE))
    found = set()
    for path in sorted((ROOT / "src/posable").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.Attribute) and node.attr in POSIX_ONLY
            taken = isinstance(node, ast.Import) and bool({one.name for one in node.names} & POSIX_MODULES)
            told = isinstance(node, ast.Constant) and node.value in (POSIX_MODULES | POSIX_ONLY)
            moved = isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.rename", "os.replace", "shutil.move")
            assert not moved, f"{path.name}: pathlib's replace() works on every system"
            if named or taken or told:
                found.add(path.relative_to(ROOT / "src/posable").as_posix())
    assert found == listed


def test_the_recipe_for_conda_asks_for_what_the_package_does() -> None:
    """Names are the same in both worlds for all of them."""
    recipe = (ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run = recipe.partition("\n  run:\n")[2].partition("\n\n")[0]
    asked = [line.strip().removeprefix("- ") for line in run.splitlines()]
    assert asked[0] == "python >=${{ python_min }}"
    assert [one.replace(" ", "") for one in asked[1:]] == project["project"]["dependencies"]
    assert f'python_min: "{project["project"]["requires-python"].removeprefix(">=")}"' in recipe
    assert f'version: "{posable.__version__}"' in recipe
    assert [f"- {one.replace('>=', ' >=')}" in recipe for one in project["build-system"]["requires"]] == [True]
    (script,) = project["project"]["scripts"].items()
    assert f"- {script[0]} = {script[1]}" in recipe


def test_whoever_comes_to_the_repository_finds_what_a_release_promises() -> None:
    """Where to report, how to cite, what a release is made of."""
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8").lower()
    assert "report" in security and "version" in security
    for form in ("bug.yml", "wish.yml"):
        assert re.search(r"^name: .+", (ROOT / ".github/ISSUE_TEMPLATE" / form).read_text("utf-8"), re.MULTILINE)
    assert "posable doctor" in (ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text("utf-8")
    told = (ROOT / "docs/internals/release.md").read_text("utf-8")
    needed = ("recipe/recipe.yaml", "twine check", "sdist", "posable doctor", "CITATION.cff")
    assert all(word in told for word in needed)


def test_the_module_that_compiles_a_wheels_kernels_knows_the_studios_commands_on_its_own() -> None:
    """It ended in a KeyError, and with it every build of a wheel with kernels."""
    code = "import posable.studio.warming as w; print(len(w.apply.__globals__['_EDITS']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) > 10
