"""Run as a program: open USD layers with limited memory, binary ones with all their values.

USD's reader of binary layers trusts the sizes in a damaged file, and that of text keeps endless messages: they may
allocate gigabytes or crash. Here that ends only this process. Arguments: memory limit (bytes), seconds of processor
time, "open" or "read" (all values, too; text is parsed when it is opened), layers. Exit status 0: the layers can be
opened; otherwise the output gives the reason, unless it crashed: REFUSED if USD refuses a layer in order.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path
from typing import Any

REFUSED = 3


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: no limits there, but a crash still ends this process alone
        return
    status = Path("/proc/self/statm")
    taken = int(status.read_text().split()[5]) * resource.getpagesize() if status.exists() else 2**30
    for what, most in ((resource.RLIMIT_DATA, taken + memory), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # a system without this limit
            resource.setrlimit(what, (most, most))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read_all(layer: Any) -> None:
    paths: list[Any] = []
    layer.Traverse("/", paths.append)  # must not raise
    for path in paths:
        spec = layer.GetObjectAtPath(path)
        for key in spec.ListInfoKeys() if spec else ():
            if key != "timeSamples":
                spec.GetInfo(key)
        for time in layer.ListTimeSamplesForPath(path):
            layer.QueryTimeSample(path, time)


def main(memory: str, seconds: str, how: str, *layers: str) -> int:
    """Open each layer; returns REFUSED if USD refuses one, 1 where memory ends."""
    sdf, tf, _ = (
        importlib.import_module(f"pxr.{name}") for name in ("Sdf", "Tf", "Usd")
    )  # imported before the limit is set
    _limit(int(memory), int(seconds))
    for name in layers:
        try:
            layer = sdf.Layer.FindOrOpen(name)
            if layer and how == "read":
                _read_all(layer)
        except (tf.ErrorException, UnicodeDecodeError, MemoryError) as problem:
            print(str(problem)[:1000])
            return 1 if isinstance(problem, MemoryError) else REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
