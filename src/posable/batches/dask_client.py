"""The Dask client of a batch: of workers on this machine, or of a scheduler that is named."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import posable
from posable.batches.places import optional

_LOCAL_DASK_CONFIG = {
    "distributed.scheduler.worker-saturation": 2.0,  # one file in reserve, so that no worker waits
    "distributed.scheduler.allowed-failures": 1,
    "distributed.scheduler.work-stealing": False,  # no worker has more than two files
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,  # its memory grows, and it takes time
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.log-length": 10,
    "distributed.deploy.lost-worker-timeout": "1h",  # on a busy machine a worker takes long to return
    "distributed.admin.tick.limit": "1h",  # a kernel may run long
}


class _LostConnections(logging.Filter):
    """Leaves out that connections to workers were lost which were ended at once."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and type(record.exc_info[1]).__name__ == "CommClosedError")


_LOST_CONNECTIONS = _LostConnections()


@contextlib.contextmanager
def client_of(workers: int, scheduler: str | None) -> Iterator[Any]:
    """A client of the given scheduler, or of workers that take work from this process alone."""
    distributed, dask = optional("distributed"), optional("dask")
    logging.getLogger("asyncio").addFilter(_LOST_CONNECTIONS)  # for good: losses are reported late
    if scheduler is not None:
        where = {"scheduler_file": scheduler} if scheduler.endswith(".json") else {"address": scheduler}
        try:
            client = distributed.Client(**where)
        except (OSError, ValueError, TimeoutError) as problem:
            raise posable.PosableError(f"no scheduler answers at {scheduler}: {problem}") from problem
        with client:
            yield client
        return
    with (
        tempfile.TemporaryDirectory(prefix="posable-batch-", ignore_cleanup_errors=True) as scratch,
        dask.config.set({**_LOCAL_DASK_CONFIG, "temporary-directory": scratch}),
        _main_hidden(),
        _cluster(workers, scratch) as cluster,
        distributed.Client(cluster) as client,
    ):
        try:
            yield client
        finally:
            _end_workers(cluster)


@contextlib.contextmanager
def _main_hidden() -> Iterator[None]:
    """Processes that start meanwhile do not import the caller's script, which would begin the batch once more there.

    Python imports it in every process that it spawns; workers need nothing of it.
    """
    own = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = own


def _cluster(workers: int, scratch: str) -> Any:
    """Workers on this machine. An interrupt waits until they have started, since only then can they be ended."""
    distributed = optional("distributed")

    def start() -> Any:
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, memory_limit=0, local_directory=scratch,
            security=distributed.Security.temporary(), dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False}, silence_logs=50,
        )  # fmt: skip

    with ThreadPoolExecutor(1) as aside:
        starting = aside.submit(start)
        try:
            return starting.result()
        except BaseException:  # Ctrl-C reaches starting workers as well, and then they do not start
            with contextlib.suppress(Exception), starting.result() as cluster:
                _end_workers(cluster)
            raise


def _end_workers(cluster: Any) -> None:
    """End the processes at once: Dask would wait for their work."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid:
            with contextlib.suppress(OSError):
                os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
