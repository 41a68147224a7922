"""Damaged files: every reader loads a file or refuses it with an error of posable's own, within 500 MB and 5 s.

The damage and the limits are those of the tests (`tests/formats/mutation.py`); what is loaded is saved, too.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import posable

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests"))

from formats.mutation import CHILD_ENVIRONMENT, damaged, opened  # noqa: E402  (a module of the tests)
from formats.test_mesh_files import DAE, POLYGONS  # noqa: E402
from formats.usd_stages import MADE  # noqa: E402

DATA = ROOT / "tests/data"
OWN = {".fbx"}
"""Of these only the tests' files and those made here are seeds: the smallest of others say least."""
LARGEST = 2**20  # of a seed: larger ones make an attack slow and no sharper


@dataclass(frozen=True)
class Reader:
    """What is attacked: files of one ending, made of valid ones; companions lie beside them. kind: what is special."""

    ending: str
    seeds: tuple[Path, ...]
    companions: Mapping[str, Path] = field(default_factory=dict)
    kind: str = ""

    @property
    def name(self) -> str:
        """As the table calls it."""
        return f"{self.ending} files{self.kind and f' {self.kind}'}"


def readers(made: Path) -> Iterator[Reader]:
    """Every reader, with valid files of its format; those that nobody has left are written into the folder `made`."""
    _make(made)
    acclaim = {"attacked.asf": DATA / "mocap/asfamc/02.asf"}
    for ending, folder, companions in (
        (".glb", "characters", {}), (".gltf", "characters", {}), (".vrm", "characters", {}),
        (".vrma", "characters", {}),
        (".usda", "usd", {}), (".usdc", "usd", {}), (".usdz", "usd", {}), (".bvh", "mocap", {}), (".asf", "mocap", {}),
        (".amc", "mocap", acclaim), (".urdf", "robots", {}), (".xml", "robots", {}), (".toml", "rigs", {}),
        (".c3d", "markers", {}), (".trc", "markers", {}), (".obj", "meshes", {}), (".stl", "meshes", {}),
        (".fbx", "fbx", {}), (".dae", "meshes", {}),
    ):  # fmt: skip
        places = (DATA / folder, *((ROOT / "../shared/data" / folder,) if ending not in OWN else ()), made)
        found = sorted(
            {
                path.name: path for place in places for path in place.rglob(f"*{ending}") if path.parent.name != "own"
            }.values(),
            key=_size,
        )
        small = tuple(path for path in found if 0 < _size(path) <= LARGEST)[:3]
        if small:
            yield Reader(ending, small, companions)
    for packing, pattern in (("packed by meshopt", "quad_skin_meshopt*"), ("packed by Draco", "quad_skin_draco*")):
        yield Reader(".glb", tuple(sorted((DATA / "packed").glob(pattern))), kind=packing)
    yield Reader(".usda", (made / "own" / "made.usda",), kind="of posable's own")


_FACET = "facet\nouter loop\n{}endloop\nendfacet\n"
_TRC = """PathFileType\t4\tx
DataRate\tNumFrames\tNumMarkers\tUnits
100\t9\t2\tmm
Frame#\tTime\tA\t\t\tB
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

"""


def _make(folder: Path) -> None:
    """Small valid files of the formats of which the tests have none."""
    posable.save(folder / "made.toml", posable.figure("arm6"))
    rope = posable.figure("tentacle")
    swing = 0.3 * np.sin(np.arange(20)[:, None] / 3 + np.arange(rope.skeleton.dof))
    posable.save(folder / "made.fbx", rope, posable.Clip(rope.skeleton, rope.rest.plus(swing).q, 30.0, "swing"))
    (folder / "own").mkdir(exist_ok=True)
    posable.save(folder / "own" / "made.usda", posable.load(DATA / "characters/SimpleSkin.gltf"))
    for name, polygons in zip(("triangles", "polylist", "polygons"), POLYGONS, strict=True):
        (folder / f"{name}.dae").write_text(DAE.format(up="Y_UP", polygons=polygons))
    corners = np.random.default_rng(0).normal(size=(20, 3, 3)).astype("<f4")
    rows = b"".join(bytes(12) + one.tobytes() + bytes(2) for one in corners)
    (folder / "made.stl").write_bytes(bytes(80) + struct.pack("<I", len(corners)) + rows)
    facets = (_FACET.format("".join(f"vertex {x} {y} {z}\n" for x, y, z in one)) for one in corners)
    (folder / "text.stl").write_text(f"solid s\n{''.join(facets)}endsolid s\n")
    (folder / "made.trc").write_text(_TRC + "".join(f"{k}\t{k / 100}\t1\t2\t3\t4\t5\t6\n" for k in range(9)))
    with zipfile.ZipFile(folder / "made.usdz", "w", zipfile.ZIP_STORED) as package:
        package.writestr("first.usda", MADE)
    (folder / "text.usda").write_text(MADE)
    with contextlib.suppress(ImportError):
        importlib.import_module("pxr.Sdf").Layer.FindOrOpen(str(folder / "text.usda")).Export(str(folder / "made.usdc"))


def _size(path: Path) -> int:
    return path.stat().st_size


def attack(reader: Reader, count: int, seed: int, folder: Path) -> tuple[dict[str, int], list[str]]:
    """({loaded, refused}, failures) of `count` damaged files. What fails is kept in `folder`."""
    arena, seeds, totals, failures, first = folder / reader.name[1:], [], {"loaded": 0, "refused": 0}, [], 0
    shutil.rmtree(arena, ignore_errors=True)
    for inner in ("seeds", "files"):
        (arena / inner).mkdir(parents=True)
    for k, path in enumerate(_valid(reader, arena)):
        seeds.append(path.read_bytes())
        (arena / "seeds" / f"{k:03}").write_bytes(seeds[-1])
    while seeds and first < count and len(failures) < 20:
        order = {"file": f"attacked{reader.ending}", "count": count, "seed": seed, "first": first}
        (arena / "order.json").write_text(json.dumps(order))
        command = [sys.executable, str(ROOT / "tests/formats/mutation.py"), str(arena)]
        ran = subprocess.run(command, env={**os.environ, **CHILD_ENVIRONMENT}, capture_output=True, check=False)
        report = [json.loads(line) for line in (arena / "report.jsonl").read_text().splitlines()]
        for line in report:
            if "index" in line:
                name = f"{reader.ending[1:]}-{seed}-{line['index']}{reader.ending}"
                (folder / name).write_bytes(damaged(seeds, seed, line["index"]))
                failures.append(f"{name}: {line['what'].strip().splitlines()[-1]}")
            else:
                totals = {what: totals[what] + line[what] for what in totals}
        current = int((arena / "current").read_text())
        if ran.returncode:
            failures.append(f"file {current}: the process ended with {ran.returncode}")
        first = current + 1
    return totals, failures


def _valid(reader: Reader, arena: Path) -> Iterator[Path]:
    """The seeds that load, each by itself in the place of the damaged files."""
    for name, path in reader.companions.items():
        (arena / "files" / name).write_bytes(path.read_bytes())
    for path in reader.seeds:
        target = arena / "files" / f"attacked{reader.ending}"
        target.write_bytes(path.read_bytes())
        try:
            opened(target)
        except posable.PosableError:
            continue
        yield path
