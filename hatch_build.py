"""Sees to it that a package holds the studio's page: built where it is not, and never left out in silence."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/posable/studio/static/index.html")


class PageHook(BuildHookInterface):
    """A clone has the built page; `npm` makes it where someone removed it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's own signature)
        """Build the page unless it is there. Raises RuntimeError where it cannot be built."""
        page, sources = Path(self.root, PAGE), Path(self.root, "web")
        if page.exists():
            return
        npm = shutil.which("npm")
        if npm is None or not sources.is_dir():
            raise RuntimeError(f"{PAGE} is missing: take a fresh clone, or install Node.js so that it can be built")
        for words in (("ci",), ("run", "build")):
            subprocess.run([npm, *words], cwd=sources, check=True)
        if not page.exists():
            raise RuntimeError(f"npm run build in {sources} made no {PAGE}; see its messages above")
