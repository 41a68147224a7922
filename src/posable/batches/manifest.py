"""The table of a batch, `manifest.parquet`: the outcome of every input, so that finished ones are not repeated."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import posable
from posable.batches.places import Found, Place, opened, optional, safe
from posable.errors import FileError
from posable.files import MAX_FILE_BYTES, atomic_path

NAME = "manifest.parquet"
_TEXTS = ("input", "output", "status", "reason", "hash", "stamp", "output_hash", "key", "options", "version")
_MARK = b"posable.batch"
_WRITE_PAUSE_FACTOR = 20.0  # least pause between two writings of the manifest, as a multiple of the time that one takes


@dataclass(frozen=True)
class Task:
    """A file to process.

    output: its name below the folder of the outputs, "" where no file is made. known: the SHA-256 of the input
    from which the existing output was made, "" to make it in any case. own: SHA-256 of the existing output, if this
    batch made it. claimed: whether an existing output of unknown SHA-256 comes from a batch that was ended by force.
    again: whether an existing output may come from an earlier try in this batch that never reported.
    """

    found: Found
    output: str
    known: str = ""
    own: str = ""
    claimed: bool = False
    again: bool = False


class Manifest:
    """The rows of all inputs: those kept from before, those done now and those that wait."""

    def __init__(self, place: Place, options: str, key: str) -> None:
        self._place, self._arrow = place, optional("pyarrow")
        self._common = {"options": options, "key": key, "version": posable.__version__}
        self._kept = self._read()
        self._waiting: dict[str, Task] = {}
        self._old: dict[str, dict[str, Any]] = {}
        self._parts: list[Any] = []
        self._fresh: list[dict[str, Any]] = []
        self._next = 0.0

    def plan(self, inputs: Iterable[Found], suffix: str, *, again: bool, overwrite: bool) -> list[Task]:
        """The tasks. Every output gets a unique name, which stays the same from batch to batch.

        An existing output that no batch made fails its input, unless `overwrite`. suffix: "" makes no files.
        """
        columns = ("input", "output", "status", "hash", "stamp", "output_hash", "key")
        before = {row["input"]: row for row in self._kept.select(columns).to_pylist()}
        there = self._place.names()
        taken = {row["output"].casefold() for row in before.values()} | {NAME}
        tasks, replaced = [], set()
        for found in inputs:
            row = before.get(found.url, {})
            name = _output_name(found, suffix, row.get("output") or "", taken)
            current = row.get("status") == "done" and row["key"] == self._common["key"] and not again
            current = current and (not suffix or name in there)
            if current and row["stamp"] == found.stamp:
                continue
            replaced.add(found.url)
            own, waits = row.get("output_hash") or "", row.get("status") == "waiting"
            if reason := _refusal(found, name, name in there and not (own or waits or overwrite)):
                self._fresh.append(self._row(found, "", "failed", reason=reason))
                continue
            tasks.append(Task(found, name, row["hash"] if current else "", own, waits))
        looked_at = self._arrow.array([task.found.url for task in tasks if task.known], self._arrow.string())
        among = optional("pyarrow.compute").is_in(self._kept.column("input"), value_set=looked_at)
        self._old = {row["input"]: row for row in self._kept.filter(among).to_pylist()}
        self._kept = self._without(replaced)
        self._waiting = {task.found.url: task for task in tasks}
        return tasks

    @property
    def refused(self) -> list[dict[str, Any]]:
        """Rows of inputs that failed before processing."""
        return list(self._fresh)

    def finish(self, task: Task, outcome: dict[str, Any]) -> None:
        """Record the outcome of a file ("same": as in the last batch), and write the manifest now and then."""
        del self._waiting[task.found.url]
        if outcome["status"] == "same":
            row = {**self._old[task.found.url], "stamp": task.found.stamp}
        else:
            row = self._row(task.found, task.output, **{"output_hash": task.own, **outcome})
        self._fresh.append(row)
        if time.monotonic() > self._next:
            self.write()

    def write(self) -> None:
        """Write the table as a whole, in the order of the inputs. Raises FileError."""
        began = time.monotonic()
        table = self.table().sort_by("input")
        table = table.replace_schema_metadata({_MARK: posable.__version__.encode()})
        parquet = optional("pyarrow.parquet")
        if self._place.local is not None:
            with atomic_path(self._place.local / NAME) as beside:
                parquet.write_table(table, beside)
        else:
            whole = io.BytesIO()
            parquet.write_table(table, whole)
            fs, root = opened(self._place.url)
            fs.pipe_file(f"{root.rstrip('/')}/{NAME}", whole.getvalue())
        self._next = time.monotonic() + max(5.0, _WRITE_PAUSE_FACTOR * (time.monotonic() - began))

    def table(self) -> Any:
        """All rows as an Arrow table."""
        if self._fresh:
            self._parts.append(self._as_table(self._fresh))
            self._fresh = []
        waiting = [self._row(one.found, one.output, "waiting", output_hash=one.own) for one in self._waiting.values()]
        parts = [self._kept, *self._parts, self._as_table(waiting)]
        whole = self._arrow.concat_tables(parts, promote_options="default")
        self._parts = (
            self._parts
            if len(self._parts) < 100
            else [self._arrow.concat_tables(self._parts, promote_options="default").combine_chunks()]
        )
        return whole

    def _row(self, found: Found, output: str, status: str, **more: Any) -> dict[str, Any]:
        return {"input": found.url, "output": output, "status": status, "stamp": found.stamp, **self._common, **more}

    def _as_table(self, rows: list[dict[str, Any]]) -> Any:
        pa = self._arrow
        kinds = {
            **dict.fromkeys(_TEXTS, pa.string()),
            "seconds": pa.float64(),
            "frames": pa.int64(),
            "fps": pa.float64(),
        }
        measured = {name: pa.float64() for row in rows for name in row if name not in kinds}
        return pa.Table.from_pylist(rows, pa.schema([*kinds.items(), *measured.items()]))

    def _without(self, urls: set[str]) -> Any:
        keeps = [url not in urls for url in self._kept.column("input").to_pylist()]
        return self._kept.filter(self._arrow.array(keeps, self._arrow.bool_()))

    def _read(self) -> Any:
        """The rows of the batches before. Raises FileError for a file of that name that no batch wrote."""
        fs, root = opened(self._place.url)
        path = f"{root.rstrip('/')}/{NAME}"
        if not fs.exists(path):
            return self._as_table([])
        not_ours = "already exists and was not written by a batch; choose another folder"
        try:
            if fs.size(path) > MAX_FILE_BYTES * 8:
                raise FileError(path, not_ours)
            table = optional("pyarrow.parquet").read_table(io.BytesIO(fs.cat_file(path)))
        except (self._arrow.ArrowException, OSError) as problem:
            raise FileError(path, not_ours) from problem
        if _MARK not in (table.schema.metadata or {}) or not {*_TEXTS} <= {*table.column_names}:
            raise FileError(path, not_ours)
        return table.replace_schema_metadata(None)


def _refusal(found: Found, name: str, occupied: bool) -> str:
    """Why an input gets no output; "" if it gets one."""
    if name and not safe(found.name):
        return "its name leads out of the folder, so it gets no output"
    return f"{name} already exists and is not from this batch; --force overwrites it" if occupied else ""


def _output_name(found: Found, suffix: str, before: str, taken: set[str]) -> str:
    """A name that no other input has, nor differs from another's in case alone; "" where no files are made."""
    if not suffix:
        return ""
    if before and safe(before) and PurePosixPath(before).suffix == suffix:
        return before
    path = PurePosixPath(found.name)
    names = (str(path.with_suffix(suffix)), f"{path}{suffix}", *(f"{path}_{n}{suffix}" for n in range(2, 10_000)))
    name = next(one for one in names if one.casefold() not in taken)
    taken.add(name.casefold())
    return name
