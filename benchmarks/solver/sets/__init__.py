"""The problem sets, by letter: each gives sections of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.solver.runs import Bench
from benchmarks.solver.sets.arms import arms, throughput, tracking
from benchmarks.solver.sets.hopeless import hopeless
from benchmarks.solver.sets.limits import limits
from benchmarks.solver.sets.mixed import mixed
from benchmarks.solver.sets.people import people
from benchmarks.solver.sets.recordings import recordings
from benchmarks.solver.sets.tentacles import tentacles
from benchmarks.solver.sets.whole_body import whole_body
from benchmarks.solver.table import Section

SETS: dict[str, Callable[[Bench], Iterator[Section]]] = {
    "A": arms,
    "B": throughput,
    "C": tracking,
    "D": whole_body,
    "E": people,
    "F": tentacles,
    "G": hopeless,
    "H": limits,
    "M": mixed,
    "BVH": recordings,
}
