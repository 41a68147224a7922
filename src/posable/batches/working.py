"""The work of a worker: one file after another through the steps, independently, with limits on time and memory."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import posable
from posable.batches.manifest import Task
from posable.batches.places import Place, digest, fetched, optional
from posable.batches.steps import Step, Work, done, takes_meshes
from posable.formats.table import states_unit

TOPIC = "posable.batch"
_WATCH_SECONDS = 0.1  # between two checks of time and memory
_REASON_SECONDS = 0.5  # for the reason to be sent before a worker ends itself


@dataclass(frozen=True)
class Pipeline:
    """Everything that workers need to know about a batch.

    suffix: of outputs, "" if none are made. seconds, gigabytes: limits for each file, the latter beyond the
        worker's own memory.
    """

    name: str
    steps: tuple[Step, ...]
    place: Place
    suffix: str
    unit: str | None
    up: Any
    root: Any
    clip: str | None
    seconds: float
    gigabytes: float
    overwrite: bool

    def outcome(self, task: Task, scratch: str | None = None) -> dict[str, Any]:
        """The outcome of a file, as columns of the manifest, also for an error."""
        began = time.monotonic()
        told: dict[str, Any] = {"reason": ""}
        try:
            told |= self._done(task, told, scratch)
        except MemoryError:
            told |= {"status": "failed", "reason": "out of memory"}
        except (posable.PosableError, OSError) as problem:
            told |= {"status": "failed", "reason": str(problem)}
        except Exception as mistake:  # posable's own or a library's: only this file fails
            told |= {"status": "failed", "reason": f"{type(mistake).__name__}: {mistake}"}
        return {**told, "seconds": time.monotonic() - began}

    def _done(self, task: Task, told: dict[str, Any], scratch: str | None) -> dict[str, Any]:
        with fetched(task.found.url, scratch) as path:
            told["hash"] = digest(path)
            if task.known == told["hash"]:
                return {"status": "same"}
            work = Work(path, self.clip)
            if not takes_meshes(self.steps):
                unit = None if states_unit(path) else self.unit
                work.figure = posable.load(path, unit=unit, up=self.up, root=self.root)
            done(work, self.steps)
            output = self._written(work, task, scratch)
        motion = work.motion or work.figure.main_clip
        moves = isinstance(motion, posable.Clip)
        length = {"frames": len(motion), "fps": motion.fps} if moves else {"frames": 1 if motion else 0}
        return {"status": "done", "output_hash": output, **length, **work.measures}

    def _written(self, work: Work, task: Task, scratch: str | None) -> str:
        """The SHA-256 of the output; "" if none is made."""
        if not self.suffix:
            return ""

        def may_replace(there: str) -> bool:
            return self.overwrite or task.again or task.own == there or (task.claimed and not task.own)

        with self.place.to_write(task.output, may_replace, scratch) as path:
            posable.save(path, work.figure, work.motion)
            return digest(path)


# Under Dask: a plugin keeps the pipelines of a worker, and each file is watched.


_PIPELINES: dict[str, Pipeline] = {}


def plugin(pipeline: Pipeline) -> Any:
    """The plugin that sends a pipeline to every worker, also to those that start later."""
    distributed = optional("distributed")

    class Knows(distributed.WorkerPlugin):
        name = f"posable-{pipeline.name}"

        def __init__(self) -> None:
            self.pipeline = pipeline

        def setup(self, worker: Any) -> None:
            del worker
            know(self.pipeline)

        def teardown(self, worker: Any) -> None:
            del worker
            forget(self.pipeline.name)

    return Knows()


def know(pipeline: Pipeline) -> None:
    """Keep a pipeline in this worker, which works with a single thread from now on."""
    os.environ["POSABLE_THREADS"] = "1"
    _PIPELINES[pipeline.name] = pipeline


def forget(name: str) -> None:
    """Forget a pipeline."""
    _PIPELINES.pop(name, None)


def do(name: str, task: Task) -> dict[str, Any] | None:
    """Process a file in a worker; None if the worker does not know the pipeline, because the scheduler has forgotten
    it.
    """
    pipeline = _PIPELINES.get(name)
    if pipeline is None:
        return None
    worker = optional("distributed").get_worker()

    def tell(reason: str) -> None:
        worker.log_event(TOPIC, {"batch": name, "input": task.found.url, "reason": reason})

    with _watched(pipeline, tell):
        return pipeline.outcome(task, worker.local_directory)


@contextlib.contextmanager
def _watched(pipeline: Pipeline, tell: Callable[[str], None]) -> Iterator[None]:
    """End this process if the block takes more time or memory than the pipeline allows for a file."""
    process, ended = optional("psutil").Process(), threading.Event()
    began, most = time.monotonic(), process.memory_info().rss + pipeline.gigabytes * 2**30

    def watch() -> None:
        while not ended.wait(_WATCH_SECONDS):
            if time.monotonic() - began > pipeline.seconds:
                reason = f"took longer than {pipeline.seconds:g} s (--timeout)"
            elif process.memory_info().rss > most:
                reason = f"needed more than {pipeline.gigabytes:g} GB of memory (--memory)"
            else:
                continue
            tell(reason)
            if not ended.wait(_REASON_SECONDS):
                os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
