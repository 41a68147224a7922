"""What becomes of workers when the system ends a batch, and of files whose worker or scheduler went away."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import posable
from posable.batches.dask_client import client_of
from posable.batches.engine import _Sent
from posable.batches.manifest import Task
from posable.batches.places import Found, Place
from posable.batches.steps import read_step
from posable.batches.working import Pipeline
from posable.cli.terminal import Ended, ending_in_order

pytest.importorskip("distributed")


@pytest.mark.skipif(os.name == "nt", reason="has no such signal")
def test_workers_that_are_being_started_when_the_batch_is_ended_are_ended_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else they go on in a folder that is removed under them, or make it anew."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    asked, ended = threading.Event(), []

    class Cluster:
        def __init__(self, local_directory: str, **_: Any) -> None:
            self.place, self.workers = Path(local_directory), {}
            os.kill(os.getpid(), signal.SIGTERM)
            asked.wait()
            (self.place / "worker").mkdir()

        def __enter__(self) -> Cluster:
            return self

        def __exit__(self, *_: object) -> None:
            ended.append(self.place)

    monkeypatch.setattr("distributed.LocalCluster", Cluster)
    monkeypatch.setattr(Ended, "__init__", lambda *_: asked.set())
    with pytest.raises(Ended), ending_in_order(), client_of(2, None):
        pass
    assert len(ended) == 1 and not list(tmp_path.iterdir())


def test_a_file_that_is_sent_again_may_replace_what_its_lost_try_wrote(tmp_path: Path) -> None:
    """The output is whole, but worker or scheduler went away before that was told."""
    figure, source = posable.figure("mannequin"), tmp_path / "walk.bvh"
    posable.save(source, figure, posable.walk(figure, steps=2))
    pipeline = Pipeline(
        "lost", (read_step("mirror"),), Place(str(tmp_path / "out")), ".npz", None, None, None, None, 30.0, 2.0, False
    )
    task = Task(Found(str(source), "walk.bvh", ""), "walk.npz")
    assert pipeline.outcome(task)["status"] == "done"
    assert "already exists" in pipeline.outcome(task)["reason"]
    client = SimpleNamespace(status="running", register_plugin=lambda _: None)
    sent = _Sent(client, pipeline, [])
    sent._again(task)
    assert pipeline.outcome(sent._waiting[0])["status"] == "done"
