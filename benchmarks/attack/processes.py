"""Kills while a file is written, full disks, hostile folders in the place of the cache, names that steer a terminal.

Each attack takes a count, a seed and an empty folder, and returns (how many tries, what failed).
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

import posable
from posable.cli import main
from posable.files import access

Outcome = tuple[int, list[str]]


def kills(count: int, seed: int, folder: Path) -> Outcome:
    """Processes that write one file over and over are killed: it is whole, and what they leave is swept."""
    rng, failures, path = random.Random(seed), [], folder / "a.glb"
    versions = [_figure(length) for length in (1.0, 2.0)]
    whole = []
    for figure in versions:
        posable.save(path, figure, figure.clips[0])
        whole.append(path.read_bytes())
    for k in range(count):
        child = os.fork()
        if not child:
            while True:
                for figure in versions:
                    posable.save(path, figure, figure.clips[0])
        time.sleep(0.001 + 0.04 * rng.random())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if path.read_bytes() not in whole:
            failures.append(f"kill {k}: the file is neither the old nor the new one")
    access._swept.clear()
    posable.save(path, versions[0], versions[0].clips[0])
    failures += [f"{left.name} was left behind" for left in folder.iterdir() if left != path]
    return count, failures


def endings(count: int, seed: int, folder: Path) -> Outcome:
    """Commands are ended by SIGTERM, SIGHUP and Ctrl-C: the status says so, and nothing is left behind."""
    rng, failures = random.Random(seed), []
    figure = _figure(1.0)
    posable.save(folder / "in.glb", figure, figure.clips[0])
    for k in range(count):
        number = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)[k % 3]
        # Where the child would raise KeyboardInterrupt in code of the parent, the signal waits.
        signal.pthread_sigmask(signal.SIG_BLOCK, [number])
        child = os.fork()
        if not child:
            _run_until_ended(folder, number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        time.sleep(0.1 * rng.random())
        status = os.waitstatus_to_exitcode(_ended(child, number))
        if status not in (128 + number, -number):  # the latter between two commands
            failures.append(f"{number.name}: status {status}")
    failures += [f"{left.name} was left behind" for left in folder.iterdir() if left.name not in ("in.glb", "out.glb")]
    return count, failures


def _ended(child: int, number: int) -> int:
    """The status of a process that is sent a signal; again after ten seconds, since Python drops one that comes just as
    a command gives its handler back.
    """
    while True:
        os.kill(child, number)
        for _ in range(1000):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return status
            time.sleep(0.01)


def _run_until_ended(folder: Path, number: int) -> NoReturn:
    """Run one command again and again; end this process with the status of the first that does not succeed."""
    status = 1
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup ignores
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
            status = _first_failure(["convert", str(folder / "in.glb"), str(folder / "out.glb"), "--force"])
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    finally:
        os._exit(status)


def _first_failure(words: list[str]) -> int:
    while True:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                main(words)
        except SystemExit as end:
            if end.code:
                return int(end.code)


def full_disk(count: int, seed: int, folder: Path) -> Outcome:
    """No file may grow beyond so many bytes: an error of posable's own, and the old file stands."""
    rng, failures, figure = random.Random(seed), [], _figure(1.0)
    acts: dict[str, Callable[[Path], object]] = {
        ending: lambda path: posable.save(path, figure, None if path.suffix == ".toml" else figure.clips[0])
        for ending in (".glb", ".gltf", ".bvh", ".toml")
    }
    acts[".md"] = lambda path: access.write_atomically(path, "x" * 300)
    for k in range(count):
        ending = list(acts)[k % len(acts)]
        path, most = folder / f"a{ending}", int(200 * rng.random() ** 2)
        path.write_bytes(b"before")
        child = os.fork()
        if not child:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            try:
                acts[ending](path)
            except posable.FileError:
                os._exit(0)
            except BaseException:
                os._exit(2)
            os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status or path.read_bytes() != b"before":
            failures.append(f"{ending} within {most} bytes: status {status}, {path.read_bytes()[:20]!r}")
        path.unlink()
    failures += [f"{left.name} was left behind" for left in folder.iterdir()]
    return count, failures


_KERNEL = """
import posable.compiled.cache as cache
from posable.compiled.decorators import kernel
def double(x):
    return 2.0 * x
print(kernel(double)(1.0))
"""


class _Poison:
    """What makes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


def cache(count: int, seed: int, folder: Path) -> Outcome:
    """Folders that others could write to hold pickles of theirs: none is ever read. A full disk costs one line."""
    del seed
    folder = folder.resolve()
    failures, marker = [], folder / "owned"
    script = folder / "kernel.py"
    script.write_text(_KERNEL)
    hostile = {name: act for name, act in _ARRANGEMENTS.items() if name != "another user's" or os.getuid() == 0}
    for k in range(count):
        name = list(hostile)[k % len(hostile)]
        base = folder / f"{k}" / "above" / "base"
        base.mkdir(parents=True, mode=0o700)
        ran = _cached(script, base)
        (kept,) = (path for path in base.rglob("*") if path.is_file())
        kept.write_bytes(pickle.dumps(_Poison(marker)))
        if not k:
            _cached(script, base)
            if not marker.exists():
                failures.append("the poison has no effect where it should: this attack proves nothing")
            marker.unlink(missing_ok=True)
            kept.write_bytes(pickle.dumps(_Poison(marker)))
        hostile[name](base, kept)
        ran = _cached(script, base)
        if marker.exists() or ran.stdout != "2.0\n":
            failures.append(f"{name}: {'its pickle was read' if marker.exists() else ran.stderr[-200:]}")
        marker.unlink(missing_ok=True)
    base = folder / "full"
    base.mkdir()
    ran = _cached(script, base, limit="ulimit -f 0; ")
    if ran.stdout != "2.0\n" or ran.stderr.count("\n") > 2 or "Traceback" in ran.stderr:
        failures.append(f"full disk: {ran.stdout!r} {ran.stderr[-300:]!r}")
    return count + 1, failures


def _cached(script: Path, base: Path, limit: str = "") -> subprocess.CompletedProcess[str]:
    temporary = base.parent / "temporary"
    temporary.mkdir(exist_ok=True, mode=0o700)
    environment = {**os.environ, "POSABLE_CACHE": str(base), "TMPDIR": str(temporary)}
    command = ["bash", "-c", f'{limit}exec "$@"', "-", sys.executable, str(script)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _linked(folder: Path) -> None:
    """The folder moves elsewhere, and a link stands in its place."""
    elsewhere = folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(elsewhere)


_ARRANGEMENTS: dict[str, Callable[[Path, Path], object]] = {
    "the base is everyone's": lambda base, _: base.chmod(0o777),
    "the base is the group's": lambda base, _: base.chmod(0o770),
    "the folder above is everyone's": lambda base, _: base.parent.chmod(0o777),
    "posable's folder is everyone's": lambda base, _: (base / "posable-kernels").chmod(0o777),
    "the kernels' folder is everyone's": lambda _, kept: kept.parent.chmod(0o777),
    "a link for posable's folder": lambda base, _: _linked(base / "posable-kernels"),
    "a link for the kernels' folder": lambda _, kept: _linked(kept.parent),
    "another user's": lambda base, _: os.chown(base / "posable-kernels", 65534, 65534),
}


def terminal(count: int, seed: int, folder: Path) -> Outcome:
    """Joints, figures and files with names that steer a terminal: no command prints them as they are."""
    rng, failures = random.Random(seed), []
    unfit = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
    for k in range(count):
        bad = "".join(
            rng.choice(("\x1b[2J", "\x1b]0;x\x07", "\x9b31m", "\r", "\x08", "\u202e", "[red]", "a", "\x7f"))
            for _ in range(5)
        )
        axis = posable.Axis((0, 0, 1), lower=-1.0, upper=1.0)
        joints = [posable.Joint(f"{bad}0", axes=(axis,)), posable.Joint(f"{bad}1", "fixed", f"{bad}0", (1, 0, 0))]
        path = folder / f"{bad.replace('/', '')}{k}.glb"
        posable.save(path, posable.Figure(posable.Skeleton(joints), bad))
        words = rng.choice(
            (
                ["info", path, "--joints"],
                ["reach", path, "--goal", f"{bad}1=1,1,0", "-o", folder / f"{bad}.glb", "--force"],
                ["convert", path, folder / f"{bad}.toml", "--force"],
                ["info", bad],
                [bad],
                ["reach", path, "--goal", f"{bad}=1,1,0"],
                ["render", path, "-o", f"{bad}.x"],
            )
        )
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
            main([str(word) for word in words])
        if found := unfit.search(said.getvalue()):
            failures.append(f"{words[0]!r} prints {found[0]!r}")
        for left in folder.iterdir():
            left.unlink()
    return count, failures


def _figure(length: float) -> posable.Figure:
    figure = posable.figure("arm6")
    skeleton = figure.skeleton
    q = skeleton.random_coordinates(np.random.default_rng(int(length)), (400,))
    return posable.Figure(skeleton, "a", clips=[posable.Clip(skeleton, q, 30.0, "c")])  # type: ignore[arg-type]
