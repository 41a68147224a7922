"""posable's solver beside its peers, in one command.

    python -m benchmarks.solver [--sets A,C] [--quick] [--no-install]

Run it from the repository's root on an idle machine. It makes an environment for each peer (once), runs every problem
set through posable and all peers that can take part, one thread each, judges the answers by forward kinematics of its
own, and writes Markdown tables.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.peers.protocol import PASSES, PASSES_SECONDS
from benchmarks.solver.environments import ROOT, Environments
from benchmarks.solver.judge import ANGLE, POSITION
from benchmarks.solver.runs import Bench
from benchmarks.solver.sets import SETS
from benchmarks.solver.table import Section, machine

HEAD = f"""# posable's solver beside its peers

Made by `python -m benchmarks.solver`. Success: within {POSITION:g} m and {ANGLE:g} rad of every target and inside the
limits, judged by forward kinematics in plain NumPy that shares nothing with any solver. Times are of single calls from
Python on one core, warmed up, for posable and its peers alike: each call is timed up to {PASSES} times, as far as all
go into {PASSES_SECONDS:g} s, and the median counts; × is the time in relation to posable's first row. "Outside limits"
counts answers with a joint more than 1e-9 outside. Peers stop just inside these tolerances; those without restarts of
their own are given further starts, uniform in the limits.

"""


def main() -> None:
    """Run the chosen sets and write the tables as they come."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        environments = Environments(options.peers_folder, not options.no_install)
        work = options.work_folder or Path(folder)
        bench = Bench(environments, work, options.data, options.seconds, options.quick)
        sections: list[Section] = []
        for section in _sections(options.sets, bench):
            sections.append(section)
            print(section.markdown())
            body = "\n".join(one.markdown() for one in sections)
            options.output.write_text(f"{HEAD}{machine()}.\n\n{body}", encoding="utf-8")


def _sections(letters: list[str], bench: Bench) -> Iterator[Section]:
    for letter in letters:
        yield from SETS[letter](bench)


def _options() -> argparse.Namespace:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=_letters, default=list(SETS), help=f"some of {','.join(SETS)}")
    parser.add_argument("--quick", action="store_true", help="few problems of each set, to see that all of it runs")
    parser.add_argument("--seconds", type=float, default=60, help="a peer answers as much of a set as fits in these")
    parser.add_argument("--peers-folder", type=Path, default=cache / "posable-peers", help="the peers' environments")
    parser.add_argument("--no-install", action="store_true", help="use the environments that are there")
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve(), help="robots, recordings")
    parser.add_argument("--work-folder", type=Path, help="keep problems and answers here")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/RESULTS.md")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is not there; --data names the folder with robots, mocap and characters")
    return options


def _letters(text: str) -> list[str]:
    letters = [word.strip() for word in text.split(",")]
    for letter in letters:
        if letter not in SETS:
            raise argparse.ArgumentTypeError(f"{letter!r} is no set; choose from {', '.join(SETS)}")
    return letters


if __name__ == "__main__":
    main()
