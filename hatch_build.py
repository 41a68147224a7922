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
FIRST_USE = (
    "reach -o reach.glb --picture reach.png",
    "convert reach.glb reach.bvh",
    "reach reach.glb -o again.glb",
    "reach reach.bvh -o again.bvh",
    "render reach.glb -o render.png",
    "samples knight.glb walk.bvh panda.urdf person.obj g1.urdf -o .",
    "info knight.glb",
    "reach knight.glb --goal hand.r=-0.7,1.3,0.4 --look head=-0.7,1.3,0.4 --picture knight.png",
    "reach walk.bvh --unit cm --clip walk --frame 30 --goal RightHand=-0.3,1.3,-0.2 -o posed.bvh",
    "reach panda.urdf --goal panda_joint8=0.4,0.2,0.5 --film panda.mp4",
    "walk knight.glb --gait sad --steps 4 -o sad.glb --film sad.mp4",
    "retarget walk.bvh knight.glb -o knight_walk.glb",
    "retarget walk.bvh g1.urdf -o robot.glb",
    "rig person.obj -o person.glb --page person.html",
    "ground knight_walk.glb --clip walk -o standing.glb",
    "compare",
    "bench",
)
"""The commands of posable whose kernels a wheel brings along: those of the README."""

LIBRARY = """
import numpy as np
import posable
figure = posable.figure("mannequin")
target = (-0.3, 1.2, 0.4)
for held in ({"frozen": ["root"]}, {}):
    for count in ((), (40,)):
        places = np.broadcast_to(target, (*count, 3))
        posable.solve(figure.rest, [posable.Reach("hand_r", places)], **held)
        posable.solve(figure.rest, [posable.Reach("hand_r", places), posable.Natural()], **held)
        posable.solve(figure.rest, [posable.Reach("hand_r", places), posable.Gravity()], **held)
path = np.linspace(target, (-0.1, 1.3, 0.4), 20)
posable.track(figure.rest, [posable.Reach("hand_r", path)], frozen=["root"])
posable.track(figure.rest, [posable.Reach("hand_r", path), posable.Natural()])
figure.rest.jacobian("hand_r")
figure.skins[0].deform(figure.rest, blend="dual_quaternion")
posable.picture(figure, figure.rest, "rest.png", goals=[posable.Reach("hand_r", target)])
bow = posable.motion.reach(figure.rest, [posable.Reach("hand_r", target)], seconds=0.5, frozen=["root"])
posable.save("bow.glb", figure, bow)
"""
"""A script whose kernels come along too: goals of every sort, one by one, in batches and over time."""


class PackageHook(BuildHookInterface):
    """Builds the page where a clone lacks it, and compiles kernels where that can be done."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both to the package. Raises RuntimeError where the page cannot be built."""
        self._kernels: Path | None = None
        build_page(Path(self.root))
        if self.target_name == "wheel" and version == "standard" and can_compile():
            self._kernels = Path(tempfile.mkdtemp(prefix="posable-kernels-"))
            self.app.display_info("posable: compiling kernels for this wheel (three minutes or so) ...")
            for python in filter(None, (sys.executable, *os.environ.get("POSABLE_SHIP_PYTHONS", "").split(os.pathsep))):
                compile_kernels(Path(self.root), self._kernels, python)
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


def compile_kernels(root: Path, cache: Path, python: str) -> None:
    """Leave the kernels of a first use, for this Python and any x86-64-v3 processor, in the folder `cache`."""
    target = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}
    own = {"PYTHONPATH": str(root / "src"), "POSABLE_CACHE": str(cache), "POSABLE_QUIET": "1"}
    lines = [["-m", *line.split()] for line in (*("posable " + line for line in FIRST_USE), "posable.studio.warming")]
    with tempfile.TemporaryDirectory() as results:
        for line in (*lines, ["-c", LIBRARY]):
            subprocess.run([python, *line], cwd=results, env={**os.environ, **target, **own}, check=True)
    for part in cache.rglob("*.bc"):  # see posable.compiled.cache: PART_ENDING
        part.unlink()


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
