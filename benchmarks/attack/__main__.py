"""Attacks on posable, in one command.

    python -m benchmarks.attack [--only files,arguments,…] [--reader .usda] [--share 0.1] [--seed 0] [--write]

Run it from the repository's root, on Linux. In full it makes 5,000 damaged files for each reader, 20,000 calls and 200
kills, which takes two hours of one processor; --share makes that many times fewer. --write puts the table into
`docs/internals/trust.md`. What fails is printed, kept in --folder where it is a file, and the status is 1.
"""

from __future__ import annotations

import argparse
import collections
import resource
import sys
import tempfile
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import hypothesis

from benchmarks.attack import arguments, files, processes
from benchmarks.solver.table import machine

PAGE = files.ROOT / "docs/internals/trust.md"
BEGIN, END = "<!-- the table begins -->\n", "<!-- the table ends -->\n"
HEAD = ("| attack | tried | failed | survived | | run |", "|---|---:|---:|---:|---|---|")
FILES, CALLS, MEMORY = 5000, 20_000, 6 * 2**30
PROCESSES = {
    "kills": (processes.kills, 200, "kill -9 while a file is written"),
    "endings": (processes.endings, 60, "SIGTERM, SIGHUP and Ctrl-C while a command writes"),
    "disk": (processes.full_disk, 100, "a full disk while a file is written"),
    "cache": (processes.cache, 40, "folders of others instead of the cache, links, a full disk"),
    "terminal": (processes.terminal, 200, "names that steer a terminal, in every command's output"),
}


class Row(NamedTuple):
    """One line of the table."""

    attack: str
    tried: int
    failed: int
    survived: str


def main() -> None:
    """Run the chosen attacks, print and write the table."""
    options = _options()
    warnings.simplefilter("ignore")
    failures = 0
    for row, failed in _attacks(options):
        failures += len(failed)
        print(*row, *(f"\n    {one}" for one in failed), flush=True)
        if options.write:
            _write(row, options)
    sys.exit(bool(failures))


def _attacks(options: argparse.Namespace) -> Iterator[tuple[Row, list[str]]]:
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, (attack, count, what) in PROCESSES.items():  # these fork, and go first: nothing has begun a thread
        if name in options.only:
            with tempfile.TemporaryDirectory() as folder:
                tried, failed = attack(_part(count, options), options.seed, Path(folder))
            yield Row(what, tried, len(failed), ""), failed
    if "files" in options.only:
        made = options.folder / "made"
        made.mkdir(exist_ok=True)
        for reader in (one for one in files.readers(made) if options.reader in one.name):
            totals, failed = files.attack(reader, _part(FILES, options), options.seed, options.folder)
            told = f"{totals['loaded']:,} read and saved, {totals['refused']:,} refused"
            yield Row(f"damaged {reader.name}", sum(totals.values()) + len(failed), len(failed), told), failed
    if "arguments" in options.only:
        yield _calls(_part(CALLS, options), options.seed)


def _calls(count: int, seed: int) -> tuple[Row, list[str]]:
    """`count` calls; of what fails alike only the first is told."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tried, failed = 0, collections.Counter[str]()
    told: dict[str, str] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(arguments.calls())
    def run(call: arguments.Call) -> None:
        nonlocal tried
        tried += 1
        if outcome := call.outcome():
            key = f"{call.case.name}: {outcome[:40]}"
            failed[key] += 1
            told.setdefault(key, f"{call!r} ends in {outcome}")

    run()
    row = Row(f"odd arguments of {len(arguments.cases())} functions", tried, failed.total(), "")
    return row, list(told.values())


def _part(count: int, options: argparse.Namespace) -> int:
    return max(1, round(count * options.share))


def _write(row: Row, options: argparse.Namespace) -> None:
    """Put a row into the page, in the place of the one that it had there; the others stay."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table, _, rest = rest.partition(END)
    lines = {line.split("|")[1].strip(): line for line in table.splitlines() if line.startswith("| ")}
    lines.pop("attack", None)
    numbers = f"{row.tried:,} | {row.failed:,} | {row.tried - row.failed:,}"
    when = f"{datetime.now(UTC):%Y-%m-%d}, seed {options.seed}"
    lines[row.attack] = f"| {row.attack} | {numbers} | {row.survived} | {when} |"
    text = "\n".join([*HEAD, *lines.values()])
    PAGE.write_text(f"{head}{BEGIN}{text}\n\n{machine()}.\n{END}{rest}", encoding="utf-8")


def _options() -> argparse.Namespace:
    every = [*PROCESSES, "files", "arguments"]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description="Attacks on posable.")
    parser.add_argument("--only", type=lambda text: text.split(","), default=every, help=f"some of {','.join(every)}")
    parser.add_argument("--reader", default="", help="of the files only those with this in their name, as .usda")
    parser.add_argument("--share", type=float, default=1.0, help="of the full counts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "posable-attack")
    parser.add_argument("--write", action="store_true", help="put the table into docs/internals/trust.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
