"""`posable.batch`: sends files to Dask's workers, and writes their outcomes to the manifest."""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

import posable
from posable.batches.dask_client import client_of
from posable.batches.manifest import NAME, Manifest, Task
from posable.batches.places import Place, digest, fetched, find_inputs, optional
from posable.batches.steps import Step, read_step, ready, takes_meshes, writes
from posable.batches.working import TOPIC, Pipeline, do, plugin
from posable.compiled.threads import cores
from posable.files import files_noted, sweep
from posable.formats.mesh_files import MESH_SUFFIXES
from posable.formats.table import endings, states_unit, unit_for

_ROBOT_SUFFIXES = (".urdf", ".xml", ".mjcf")
_FILES_PER_WORKER = 3  # least number of files queued at the scheduler for each worker, so that none waits
_MAX_FILES_PER_WORKER = 32
_SECONDS_PER_WORKER = 0.5  # work queued for each worker: many short files are sent at once, which costs less for each
_POLL_SECONDS = 0.2  # between two looks for results
_RECOUNT_SECONDS = 5.0  # between two counts of the workers
_MAX_RESENDS = 2  # of a file that crashed its worker or was lost with the scheduler


@dataclass
class Batch:
    """The result of a batch.

    Args:
        inputs: How many files were found.
        done: How many were done now.
        kept: How many were done before and unchanged.
        failed: The reason of every file that failed, by its name.
        manifest: Where the table of all files is.

    Example:
        >>> posable.batches.Batch(2, 1, 0, {"a.bvh": "is empty"}).remaining
        0
    """

    inputs: int
    done: int = 0
    kept: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    manifest: str = ""

    @property
    def remaining(self) -> int:
        """How many files remain."""
        return self.inputs - self.done - self.kept - len(self.failed)

    def count(self, name: str, outcome: dict[str, Any]) -> None:
        """Count an input by its outcome."""
        if outcome["status"] == "failed":
            self.failed[name] = outcome["reason"]
        elif outcome["status"] == "same":
            self.kept += 1
        else:
            self.done += 1


def batch(
    inputs: str | Path | Sequence[str | Path],
    steps: str | Sequence[str],
    out: str | Path,
    *,
    to: str | Path | None = None,
    format: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    timeout: float = 1800.0,
    memory: float = 2.0,
    unit: str | None = None,
    up: str | None = None,
    root: str | None = None,
    clip: str | None = None,
    again: bool = False,
    overwrite: bool = False,
    progress: Callable[[Batch], None] | None = None,
) -> Batch:
    """Process every file of a folder by the same steps, on several processors or machines.

    Steps are commands of `posable` with their options: retarget, walk, ground, plant, reach, convert, mirror, resample,
    report and bind. Files are independent: one that crashes, hangs or is broken fails with its reason, and all others
    go on. Outputs are written as a whole, under the inputs' names below `out`. The table `manifest.parquet` there has a
    row for each input; a second run processes what is missing or changed. The bytes of outputs do not depend on the
    number of workers.

    Args:
        inputs: Files, folders, or patterns such as `"recordings/**/*.bvh"`; also of archives and object stores, as
            fsspec names them: `"s3://bucket/**/*.bvh"`, `"zip://**/*.bvh::recordings.zip"`.
        steps: The steps, such as ["retarget --plant", "report"].
        out: The folder of the outputs, here or "s3://bucket/folder". Steps that only report make only the table.
        to: The file of the figure that `retarget` moves, or to whose skeleton `bind` binds.
        format: Suffix of the outputs ("npz", "csv", "parquet", "glb", "bvh", …); None is npz for a robot (URDF, MJCF)
            and glb for others.
        workers: Processes on this machine, each with one thread; None is one for each processor.
            0 works in this process, without Dask and limits, for debugging.
        scheduler: The address of a Dask scheduler ("tls://host:8786", or the path of its JSON file) instead.
        timeout: Time limit for each file in seconds.
        memory: Memory limit for each file in gigabytes, beyond what its worker already uses.
        unit: Length unit of the files that state none (BVH, ASF), as in `posable.load`.
        up: "y" or "z", the axis that is up in the inputs, as in `posable.load`.
        root: "free" or "fixed" for the root of the inputs, as in `posable.load`.
        clip: The clip of each input by name; None is the first.
        again: Whether finished files are processed again.
        overwrite: Whether files that this batch did not make may be replaced.
        progress: Called after each file, with the result so far.

    Returns:
        How many files were done, kept and failed, and why.

    Raises:
        PosableError: For inputs that match nothing, unknown steps or options, and another batch in the same folder.
        FileError: Where nothing can be written.
        MissingExtraError: Without the extra `batch`.

    Example:
        >>> posable.save("recordings.bvh", figure, clip)
        >>> posable.batch("*.bvh", "mirror", "out", format="bvh", workers=0).done
        1
    """
    place = Place(str(out))
    texts = [steps] if isinstance(steps, str) else list(steps)
    given = {"to": None if to is None else str(to), "unit": unit, "up": up, "root": root, "clip": clip}
    chosen, read = _made_ready(texts, given["to"], unit)
    suffix = _suffix(chosen, format, given["to"])
    key = _key({"steps": texts, "suffix": suffix, **given, "to": None}, read)
    limits = {"seconds": timeout, "gigabytes": memory, "overwrite": overwrite}
    pipeline = Pipeline(secrets.token_hex(6), chosen, place, suffix, unit, up, root, clip, **limits)
    patterns = [inputs] if isinstance(inputs, str | Path) else list(inputs)
    if not patterns:
        raise posable.PosableError("a batch needs inputs; give files, folders or patterns")
    if workers is not None and workers < 0:
        raise posable.PosableError(f"workers is a number of processes, 0 or more, not {workers}")
    if workers != 0 and any(str(one).startswith("memory:") for one in (*patterns, out)):
        raise posable.PosableError("workers cannot see memory://, which belongs to this process; give workers=0")
    known = (*MESH_SUFFIXES, ".glb") if takes_meshes(chosen) else endings(lambda one: one.reads)
    found = find_inputs([str(one) for one in patterns], place, known)
    unit_for(found[0].name, unit, *(one.name for one in found), to or found[0].name)
    place.check()
    with place.locked():
        manifest = Manifest(place, json.dumps({"steps": texts, **given}), key)
        tasks = manifest.plan(found, suffix, again=again, overwrite=overwrite)
        told = Batch(len(found), kept=len(found) - len(tasks) - len(manifest.refused), manifest=f"{place.url}/{NAME}")
        for row in manifest.refused:
            told.count(row["input"], row)
        manifest.write()
        try:
            for task, outcome in _outcomes(pipeline, tasks, workers, scheduler):
                manifest.finish(task, outcome)
                told.count(task.found.url, outcome)
                if progress is not None:
                    progress(told)
        finally:
            _swept(place, tasks)
            manifest.write()
    return told


def _made_ready(texts: Sequence[str], to: str | None, unit: str | None) -> tuple[tuple[Step, ...], list[str]]:
    """The prepared steps, and the SHA-256 of all files that they depend on."""
    steps = [read_step(text) for text in texts]
    if not steps:
        raise posable.PosableError("a batch needs a step; give at least one, such as 'retarget'")
    if any(step.name == "bind" for step in steps[1:]):
        raise posable.PosableError("bind can only be the first step: its inputs are bare meshes")
    with files_noted() as read, contextlib.ExitStack() as held:
        own = None if to is None or states_unit(to) else unit
        figure = None if to is None else posable.load(held.enter_context(fetched(to)), unit=own)
        made = tuple(ready(step, figure) for step in steps)
        return made, sorted(map(digest, read))


def _suffix(steps: Sequence[Step], format: str | None, to: str | None) -> str:
    """The suffix of the outputs. Raises PosableError for one that cannot be written."""
    if not writes(steps):
        return ""
    robot = to is not None and to.lower().endswith(_ROBOT_SUFFIXES)
    suffix = f".{(format or ('npz' if robot else 'glb')).lower().lstrip('.')}"
    written = endings(lambda one: one.writes)
    if suffix not in written:
        raise posable.PosableError(f"posable writes {', '.join(written)}, not {suffix}; choose another --format")
    return suffix


def _key(options: dict[str, Any], files: list[str]) -> str:
    """A hash of what the outputs depend on besides their inputs: version, options, and the files that these name."""
    told = json.dumps([posable.__version__, options, files], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()


def _swept(place: Place, tasks: Sequence[Task]) -> None:
    """Remove incomplete files of processes that were ended."""
    if place.local is not None:
        for folder in {str(PurePosixPath(task.output).parent) for task in tasks if task.output}:
            sweep((place.local / folder).resolve(), again=True)


# On Dask.


Outcomes = Iterator[tuple[Task, dict[str, Any]]]


def _outcomes(pipeline: Pipeline, tasks: Sequence[Task], workers: int | None, scheduler: str | None) -> Outcomes:
    """The outcome of each file, as it arrives."""
    if not tasks:
        return
    if workers == 0 and scheduler is None:
        yield from ((task, pipeline.outcome(task)) for task in tasks)
        return
    wanted = min(workers or cores(), len(tasks))
    with client_of(wanted, scheduler) as client:
        try:
            yield from _Sent(client, pipeline, tasks).outcomes()
        except optional("distributed").comm.CommClosedError as problem:
            raise posable.PosableError(
                f"the connection to the scheduler was lost: {problem}; run the batch again to continue"
            ) from problem


class _Sent:
    """The files that were sent to Dask."""

    def __init__(self, client: Any, pipeline: Pipeline, tasks: Sequence[Task]) -> None:
        self._client, self._pipeline = client, pipeline
        self._waiting = list(reversed(tasks))
        self._lost: dict[str, int] = {}
        self._workers, self._counted = 1, 0.0
        self._pace = _SECONDS_PER_WORKER  # recent seconds per file
        self._held: dict[str, tuple[Task, Any]] = {}
        self._news: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._registered = plugin(pipeline)

    def outcomes(self) -> Outcomes:
        self._client.register_plugin(self._registered)
        self._client.subscribe_topic(TOPIC, self._heard)
        self._send()
        while self._held:
            news = self._arrived()
            well = {url: one for url, one in news.items() if getattr(one, "status", "") == "finished"}
            brought = self._client.gather(well, errors="skip")
            for url, one in news.items():
                task, sent = self._held.pop(url)
                if isinstance(one, str):
                    sent.cancel()
                outcome = brought.get(url) or _why(one)
                self._pace += 0.1 * ((outcome or {}).get("seconds", self._pace) - self._pace)
                if outcome is None and self._lost.get(url, 0) < _MAX_RESENDS:
                    self._again(task)
                else:
                    yield task, outcome or {"status": "failed", "reason": "crashed its worker, again and again"}
            self._send()

    def _send(self) -> None:
        if time.monotonic() > self._counted:  # counting asks the scheduler
            self._workers = max(1, sum(self._client.nthreads().values()))
            self._counted = time.monotonic() + _RECOUNT_SECONDS
        are_suspects = bool(self._waiting) and self._was_lost(self._waiting[-1])
        # One suspect for each worker, so that a file that crashes it takes no other file along.
        ahead = (
            1
            if are_suspects
            else int(min(max(_SECONDS_PER_WORKER / max(self._pace, 1e-6), _FILES_PER_WORKER), _MAX_FILES_PER_WORKER))
        )
        most = self._workers * ahead
        room = most - len(self._held)
        if not self._waiting or 2 * room < most:
            return
        tasks: list[Task] = []
        while len(tasks) < room and self._waiting and self._was_lost(self._waiting[-1]) == are_suspects:
            tasks.append(self._waiting.pop())
        keys = [f"posable-{self._pipeline.name}-{secrets.token_hex(8)}" for _ in tasks]
        names = [self._pipeline.name] * len(tasks)
        for task, future in zip(tasks, self._client.map(do, names, tasks, key=keys, pure=False), strict=True):
            self._held[task.found.url] = task, future
            future.add_done_callback(lambda one, url=task.found.url: self._news.put((url, one)))

    def _was_lost(self, task: Task) -> bool:
        return task.found.url in self._lost

    def _arrived(self) -> dict[str, Any]:
        """What has arrived for the files sent: the future, or the reason for which a worker ended itself."""
        arrived = {}
        with contextlib.suppress(queue.Empty):
            url, one = self._news.get(timeout=_POLL_SECONDS)
            while True:
                if url in self._held:
                    arrived.setdefault(url, one)
                url, one = self._news.get_nowait()
        return arrived

    def _heard(self, event: tuple[float, dict[str, str]]) -> None:
        message = event[1]
        if message["batch"] == self._pipeline.name:
            self._news.put((message["input"], message["reason"]))

    def _again(self, task: Task) -> None:
        self._lost[task.found.url] = self._lost.get(task.found.url, 0) + 1
        if self._client.status == "closed":
            raise posable.PosableError("the connection to the scheduler was lost; run the batch again to continue")
        with contextlib.suppress(OSError):  # a worker that ends meanwhile: the scheduler tells the next one
            self._client.register_plugin(self._registered)
        task = replace(task, again=True)  # it may have been written before its worker or scheduler was lost
        self._waiting.insert(0, task)  # after all others, so that a file that crashes its worker delays no other


def _why(future: Any) -> dict[str, Any] | None:
    """Why a future has no result, as an outcome; None if another try may succeed.

    It was lost with the scheduler, or its worker died again and again: perhaps by the file in front of it.
    """
    if isinstance(future, str):
        return {"status": "failed", "reason": future}
    problem = future.exception() if future.status == "error" else None
    if problem is None or type(problem).__name__ == "KilledWorker":
        return None
    return {"status": "failed", "reason": f"{type(problem).__name__}: {problem}"}
