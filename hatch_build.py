"""What a package holds beside its sources: the studio's page, and kernels compiled where Numba is at hand."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/posable/studio/static/index.html")
BASIC_PATH = (
    ("reach", "-o", "reach.glb", "--picture", "reach.png"),
    ("convert", "reach.glb", "reach.bvh"),
    ("reach", "reach.glb", "-o", "again.glb"),
    ("reach", "reach.bvh", "-o", "again.bvh"),
    ("render", "reach.glb", "-o", "render.png"),
)
"""The commands of posable whose kernels a wheel brings along."""


class PackageHook(BuildHookInterface):
    """Builds the page where a clone lacks it, and compiles kernels where that can be done."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both to the package. Raises RuntimeError where the page cannot be built."""
        self._kernels: Path | None = None
        build_page(Path(self.root))
        if self.target_name == "wheel" and version == "standard" and can_compile():
            self._kernels = Path(tempfile.mkdtemp(prefix="posable-kernels-"))
            self.app.display_info("posable: compiling kernels for this wheel (a minute or two) ...")
            compile_kernels(Path(self.root), self._kernels)
            build_data["force_include"][str(self._kernels / "posable-kernels")] = "posable/compiled/shipped"

    def finalize(self, *_: Any) -> None:
        """Remove what is in the package now."""
        if self._kernels is not None:
            shutil.rmtree(self._kernels, ignore_errors=True)


def can_compile() -> bool:
    """Whether the packages that posable runs on are here; POSABLE_SHIP_KERNELS=0 says no, and 1 that they must be."""
    switch = os.environ.get("POSABLE_SHIP_KERNELS")
    found = all(importlib.util.find_spec(name) for name in ("numba", "scipy", "PIL", "av", "click", "rich"))
    if switch == "1" and not found:
        raise RuntimeError("POSABLE_SHIP_KERNELS=1 needs posable's dependencies here: pip install --no-build-isolation")
    return found and switch != "0"


def compile_kernels(root: Path, cache: Path) -> None:
    """Run BASIC_PATH so that its kernels, for any x86-64-v3 processor, are left in the folder `cache`."""
    target = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}
    own = {"PYTHONPATH": str(root / "src"), "POSABLE_CACHE": str(cache), "POSABLE_QUIET": "1"}
    with tempfile.TemporaryDirectory() as results:
        for words in (*(("posable", *words) for words in BASIC_PATH), ("posable.studio.warming",)):
            line = [sys.executable, "-m", *words]
            subprocess.run(line, cwd=results, env={**os.environ, **target, **own}, check=True)


def build_page(root: Path) -> None:
    """A clone has the built page; `npm` makes it where someone removed it."""
    page, sources = root / PAGE, root / "web"
    if page.exists():
        return
    npm = shutil.which("npm")
    if npm is None or not sources.is_dir():
        raise RuntimeError(f"{PAGE} is missing: take a fresh clone, or install Node.js so that it can be built")
    for words in (("ci",), ("run", "build")):
        subprocess.run([npm, *words], cwd=sources, check=True)
    if not page.exists():
        raise RuntimeError(f"npm run build in {sources} made no {PAGE}; see its messages above")
