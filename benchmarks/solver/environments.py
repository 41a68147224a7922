"""The peers' own environments: made by `venv` and `pip` (or `npm`), and the scripts that run in them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.solver.problems import Problem
from benchmarks.solver.trees import Array

ROOT = Path(__file__).parents[2]
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB", "RAYON")
INSTALL_SECONDS = 1200
OURS = "posable"


class MissingPeerError(Exception):
    """A peer that is not there or does not run; its words go into the table."""


@dataclass(frozen=True)
class Peer:
    """packages: what pip (or npm, where `node`) is asked for."""

    name: str
    module: str
    packages: tuple[str, ...]
    node: bool = False


@dataclass(frozen=True)
class Answers:
    """q `[done, coordinate]`, microseconds `[done]`, what the peer says of itself, and arrays beside that."""

    q: Array
    microseconds: Array
    about: Mapping[str, str]
    more: Mapping[str, Array]


PEERS = {
    peer.name: peer
    for peer in (
        Peer("roboticstoolbox", "roboticstoolbox", ("roboticstoolbox-python",)),
        Peer("placo", "placo", ("placo",)),
        Peer("mink", "mink", ("mink", "daqp")),
        Peer("pink", "pink", ("pin-pink", "daqp")),
        Peer("EAIK", "eaik", ("EAIK",)),
        Peer("ikpy", "ikpy", ("ikpy[jax]",)),
        Peer("pybvh", "pybvh", ("pybvh",)),
        Peer("bvhio", "bvhio", ("bvhio",)),
        Peer("three.js CCD", "three", ("three",), node=True),
        Peer("GMR's scheme", "gmr", ("mink", "daqp")),
        Peer("holosoma", "holosoma", ("holosoma-retargeting", "mujoco==3.4.0")),  # with 4.0 its hinges stay still
        Peer("posable in JavaScript", "javascript", (), node=True),
    )
}


@dataclass(frozen=True)
class Environments:
    """Where the environments are, and whether missing ones are made."""

    folder: Path
    install: bool

    def run(self, name: str, problem: Problem, work: Path, seconds: float) -> Answers:
        """The answers of a peer, or of posable itself in this environment. Raises MissingPeerError."""
        return self.ask(name, problem.write(work, seconds), 10 * seconds + 600)

    def ask(self, name: str, asked: Path, limit: float, ours: str = "ours") -> Answers:
        """The same for a question that is written already. limit: seconds. ours: the module that asks posable."""
        answers = asked.with_name(f"{name.replace(' ', '_')}.npz")
        answers.unlink(missing_ok=True)
        self._call([*self._command(name, ours), str(asked), str(answers)], limit)
        with np.load(answers) as found:
            arrays = dict(found)
        q, microseconds, about = (arrays.pop(name) for name in ("q", "microseconds", "about"))
        return Answers(q, microseconds, json.loads(str(about)), arrays)

    def _command(self, name: str, ours: str) -> list[str]:
        if name == OURS:
            return [sys.executable, "-P", "-m", f"benchmarks.peers.{ours}"]
        peer = PEERS[name]
        if peer.node and not peer.packages:
            return [sys.executable, "-P", "-m", f"benchmarks.peers.{peer.module}"]
        if peer.node:
            return [sys.executable, "-P", "-m", f"benchmarks.peers.{peer.module}", str(self._node_folder(peer))]
        return [str(self._python(peer)), "-P", "-m", f"benchmarks.peers.{peer.module}"]

    def _python(self, peer: Peer) -> Path:
        """The interpreter of the peer's environment, which is made if need be."""
        own = self.folder / peer.module
        python = own / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        stamp = own / "installed.txt"
        if self.install and not (stamp.exists() and stamp.read_text() == "\n".join(peer.packages)):
            print(f"installing {' '.join(peer.packages)}", file=sys.stderr)
            self._call([sys.executable, "-m", "venv", str(own)], INSTALL_SECONDS)
            self._call([str(python), "-m", "pip", "install", "-q", *peer.packages], INSTALL_SECONDS)
            stamp.write_text("\n".join(peer.packages))
        if not python.exists():
            raise MissingPeerError("not installed")
        return python

    def _node_folder(self, peer: Peer) -> Path:
        own = self.folder / peer.module
        if not shutil.which("node"):
            raise MissingPeerError("node is not on the path")
        if self.install and not (own / "node_modules").exists():
            own.mkdir(parents=True, exist_ok=True)
            (own / "package.json").write_text('{"private": true, "type": "module"}\n')
            self._call(["npm", "install", "--silent", *peer.packages], INSTALL_SECONDS, own)
        if not (own / "node_modules").exists():
            raise MissingPeerError("not installed")
        return own

    def _call(self, command: list[str], limit: float, folder: Path | None = None) -> None:
        """Run with one thread each. Raises MissingPeerError with what the command complained of."""
        threads = {f"{kind}_NUM_THREADS": "1" for kind in THREADS}
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, **threads, "PYTHONPATH": path, "POSABLE_QUIET": "1"}
        try:
            ran = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise MissingPeerError(str(problem).splitlines()[0]) from problem
        if ran.returncode:
            lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
            named = [line for line in lines if line.split(":")[0].endswith(("Error", "Exception"))]
            raise MissingPeerError([f"left with {ran.returncode}", *lines, *named][-1][:200])
