"""`posable doctor`: what this machine has, and whether posable works on it."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, NamedTuple

import click

import posable
from posable.cli import options
from posable.cli.terminal import say


class Check(NamedTuple):
    """A test of something that must work on every machine."""

    name: str
    run: Callable[[Path], str]
    """Run the test with its files in this folder, and describe the result."""


@click.command("doctor", short_help="Report what this machine has, and test posable on it")
@options.as_json
def command(as_json: bool) -> None:
    """Report what this machine has, and test posable on it: the content of a bug report.

    Solves a problem, writes a file and reads it again, draws a picture and a film, in a temporary folder. Exit status 1
    if one of them fails.
    """
    facts = dict(_facts())
    if not as_json:
        say(*(f"{name:8} {value}" for name, value in facts.items()), "")
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="posable-doctor-") as folder:
        for check in CHECKS:
            results.append(_tried(check, Path(folder)))
            if not as_json:
                mark = "ok    " if results[-1]["works"] else "FAILS "
                say(f"{mark} {check.name}: {results[-1]['told']} ({results[-1]['seconds']:.1f} s)")
    if as_json:
        say(json.dumps({"machine": facts, "checks": results}))
    failed = [result["check"] for result in results if not result["works"]]
    if failed:
        raise posable.PosableError(f"{', '.join(failed)}: failed; please report it with all of the above")
    if not as_json:
        say("", "posable works here.")


def _facts() -> Iterator[tuple[str, str]]:
    from posable.compiled.cache import PLAIN_KERNELS, SHIPPED, cache_folder, folder_name

    yield "posable", f"{posable.__version__}, in {Path(posable.__file__).parent}"
    yield "Python", f"{platform.python_version()}, {sys.executable}"
    yield "machine", f"{platform.machine()}, {os.cpu_count()} cores; {platform.platform()}"
    for extra, packages in _packages().items():
        have = [f"{name} {_version(name)}" for name in packages if _version(name)]
        lack = [name for name in packages if not _version(name)]
        cure = f"not installed: {', '.join(lack)}" + (f' (pip install "posable[{extra}]")' if extra else "")
        yield extra or "needs", "; ".join(filter(None, [", ".join(have), cure if lack else ""]))
    source = Path(posable.__file__).parent / "skeleton/batches.py"
    folder = cache_folder(source)
    made = "came compiled with posable" if (SHIPPED / folder_name(source)).is_dir() else "compiled at first use"
    kept = f"kept in {folder.parent}" if folder is not None else "not kept: no folder that only you can write to"
    slow = "; slow versions, because posable does not know this version of Numba" if PLAIN_KERNELS else ""
    yield "kernels", f"{made}, {kept}{slow}"


def _packages() -> dict[str, list[str]]:
    """{extra, "" for required packages: names of packages}, without those for tests and development."""
    found: dict[str, list[str]] = {}
    for line in requires("posable") or []:
        name, extra = re.match(r"[\w.-]+", line), re.search(r"extra == [\"'](\w+)", line)
        group = extra[1] if extra else ""
        if name and name[0] != "posable" and group not in ("dev", "test"):
            found.setdefault(group, []).append(name[0])
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _tried(check: Check, folder: Path) -> dict[str, Any]:
    began = time.perf_counter()
    try:
        told, works = check.run(folder), True
    except Exception as problem:  # any failure is part of the report
        last = traceback.extract_tb(problem.__traceback__)[-1]
        told, works = f"{type(problem).__name__}: {problem} ({Path(last.filename).name}, line {last.lineno})", False
    return {"check": check.name, "works": works, "told": told, "seconds": time.perf_counter() - began}


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise posable.PosableError(what)


def _solve(_: Path) -> str:
    figure = posable.figure("mannequin")
    goals = [posable.Reach("index_tip_r", (-0.25, 1.3, 0.45)), posable.Natural()]
    solution = posable.solve(figure.rest, goals, frozen=["root"])
    _must(solution.status == posable.Status.REACHED, f"the doorbell is not reached: {solution.describe()}")
    again = posable.solve(figure.rest, goals, frozen=["root"])
    _must(bool((again.pose.q == solution.pose.q).all()), "the same problem has two answers")
    return f"{solution.describe()}, in {1e6 * again.seconds:.0f} µs"


def _file(folder: Path) -> str:
    figure = posable.load(posable.sample("knight.glb"))
    posable.save(folder / "knight.glb", figure, figure.rest)
    same = posable.load(folder / "knight.glb")
    _must(same.skeleton.joints == figure.skeleton.joints, "a figure that was written has other joints")
    return f"{len(same.skeleton.joints)} joints written and read again"


def _picture(folder: Path) -> str:
    from PIL import Image

    figure = posable.figure("mannequin")
    posable.picture(figure, figure.rest, folder / "a.png", size=(160, 200))
    with Image.open(folder / "a.png") as image:
        colors = len(image.convert("RGB").getcolors(1 << 20) or ())
    _must(colors > 50, f"a picture has {colors} colours")
    return f"{colors:,} colours"


def _film(folder: Path) -> str:
    figure = posable.figure("mannequin")
    raised = figure.rest.with_joint("forearm_r", 0.5)
    clip = posable.motion.move(figure.rest, raised, 0.2)
    posable.film(figure, clip, folder / "a.mp4", size=(96, 128), progress=False)
    return f"{len(clip)} frames, {(folder / 'a.mp4').stat().st_size:,} bytes"


CHECKS = (Check("solve", _solve), Check("file", _file), Check("picture", _picture), Check("film", _film))
