"""A batch: what is done, named, kept, refused and told, file by file, in this process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.batches.engine import _outcomes
from posable.batches.manifest import Task
from posable.batches.places import Found, Place
from posable.batches.working import Pipeline

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two recordings of one name in two folders, and what is no recording."""
    monkeypatch.chdir(tmp_path)
    figure = posable.figure("mannequin")
    for folder, steps in (("a", 2), ("b", 3)):
        (tmp_path / "in" / folder).mkdir(parents=True)
        clip = posable.walk(figure, steps=steps)
        posable.save(tmp_path / "in" / folder / "walk.bvh", figure, clip)
    (tmp_path / "in/a/broken.bvh").write_text("nothing")
    return tmp_path / "in"


def run(*inputs: Any, steps: Any = "mirror", **options: Any) -> Any:
    return posable.batch(inputs or ["in/**/*.bvh"], steps, "out", **{"workers": 0, "format": "npz", **options})


def rows(folder: str = "out") -> Any:
    return pandas.read_parquet(f"{folder}/manifest.parquet").set_index("output")


def outputs() -> dict[str, bytes]:
    return {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*") if path.suffix == ".npz"}


def test_every_file_is_done_under_its_own_name_and_a_broken_one_fails_alone(recordings: Path) -> None:
    told = run()
    assert (told.inputs, told.done, told.kept, told.remaining) == (3, 2, 0, 0)
    assert list(told.failed) == [str(recordings / "a/broken.bvh")]
    assert "HIERARCHY" in told.failed[str(recordings / "a/broken.bvh")]
    assert sorted(outputs()) == ["a/walk.npz", "b/walk.npz"]
    source = posable.load(recordings / "a/walk.bvh").clips[0]
    found = np.load("out/a/walk.npz")
    np.testing.assert_array_equal(found["coordinates"], posable.clips.mirror(source).q)
    row = rows().loc["a/walk.npz"]
    assert (row.status, row.reason, row.frames, row.version) == ("done", "", len(source), posable.__version__)
    assert json.loads(row.options)["steps"] == ["mirror"]
    assert rows().loc["a/broken.npz"].status == "failed"


def test_a_second_run_does_what_is_missing_or_changed(recordings: Path) -> None:
    run()
    first = outputs()
    told = run()
    assert (told.done, told.kept, len(told.failed)) == (0, 2, 1)
    Path("out/a/walk.npz").unlink()
    assert (run().done, outputs()) == (1, first)
    os.utime(recordings / "b/walk.bvh", (1, 1))  # touched, not changed
    assert (run().done, run().kept) == (0, 2)
    (recordings / "b/walk.bvh").write_bytes((recordings / "a/walk.bvh").read_bytes())
    assert run().done == 1
    assert outputs()["b/walk.npz"] == outputs()["a/walk.npz"]
    assert run(steps=["mirror", "resample --fps 10"]).done == 2
    assert run(steps=["mirror", "resample --fps 10"], again=True).done == 2
    assert rows().status.value_counts().to_dict() == {"done": 2, "failed": 1}
    (recordings / "a/broken.bvh").write_bytes((recordings / "b/walk.bvh").read_bytes())
    assert (run(steps=["mirror", "resample --fps 10"]).done, len(rows())) == (1, 3)


@pytest.mark.slow
def test_what_an_option_names_is_part_of_what_may_change(recordings: Path) -> None:
    Path("ground.toml").write_text('kind = "plane"\n')
    assert run(steps="report --terrain ground.toml").done == 2
    assert run(steps="report --terrain ground.toml").done == 0
    Path("ground.toml").write_text('kind = "plane"\nheight = -0.01\n')
    assert run(steps="report --terrain ground.toml").done == 2
    figure = posable.figure("mannequin")
    posable.save("to.glb", figure)
    assert run(steps="retarget", to="to.glb").done == 2
    assert run(steps="retarget", to="to.glb").done == 0
    posable.save("to.glb", figure, figure.rest.with_joint("forearm_r", 0.5))
    assert run(steps="retarget", to="to.glb").done == 2
    assert recordings.exists()


def test_a_users_files_stay(recordings: Path) -> None:
    Path("out/a").mkdir(parents=True)
    Path("out/a/walk.npz").write_text("mine")
    told = run()
    assert "is there already and not from this batch" in told.failed[str(recordings / "a/walk.bvh")]
    assert (Path("out/a/walk.npz").read_text(), told.done) == ("mine", 1)
    assert run().failed.keys() == told.failed.keys()  # a second run makes it no less the user's
    assert run(overwrite=True).done == 1
    Path("out/b/walk.npz").write_text("edited")  # the batch's once, and changed since
    told = run(again=True)
    assert (told.done, Path("out/b/walk.npz").read_text()) == (1, "edited")
    Path("other").mkdir()
    Path("other/manifest.parquet").write_text("mine")
    with pytest.raises(posable.FileError, match="not a batch's table"):
        posable.batch("in", "mirror", "other", workers=0)
    assert Path("other/manifest.parquet").read_text() == "mine"


def test_what_a_batch_ended_by_force_has_left_is_its_own(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It claims its outputs before it makes them."""
    from posable.batches.manifest import Manifest

    with monkeypatch.context() as patch:
        writes = Manifest.write
        patch.setattr(Manifest, "write", lambda self: writes(self) if self._waiting and not self._fresh else None)
        assert run().done == 2
    assert set(rows().status) == {"waiting"}
    assert run().done == 2
    assert not list(Path("out").rglob(".*"))
    assert recordings.exists()


def test_inputs_of_one_name_do_not_collide(recordings: Path) -> None:
    (recordings / "a/broken.bvh").unlink()
    posable.save(
        recordings / "a/walk.glb", posable.figure("mannequin"), posable.walk(posable.figure("mannequin"), steps=2)
    )
    (recordings / "a/WALK.bvh").write_bytes((recordings / "a/walk.bvh").read_bytes())
    assert run("in").done == 4
    names = sorted(outputs())
    assert len({name.casefold() for name in names}) == 4
    assert run("in").kept == 4
    assert sorted(outputs()) == names
    assert run("in/a/walk.bvh", "in/b/walk.bvh").kept == 2


def test_outputs_are_no_inputs(recordings: Path) -> None:
    told = posable.batch("**/*.bvh", "mirror", "in/out", format="bvh", workers=0)
    assert told.done == 2
    assert posable.batch("**/*.bvh", "mirror", "in/out", format="bvh", workers=0).inputs == 3
    assert recordings.exists()


def test_reports_are_columns(recordings: Path) -> None:
    (recordings / "a/broken.bvh").unlink()
    told = run(steps=["report", "mirror", "report"])
    assert told.done == 2
    clip = posable.load(recordings / "a/walk.bvh").clips[0]
    wanted = {one.name: one.value for one in posable.motion.motion_report(clip).measures()}
    row = rows().loc["a/walk.npz"]
    assert row.report_steps == wanted["steps"]
    assert row.report_skate == wanted["skate"]
    assert abs(row.report2_skate - wanted["skate"]) < 1e-6
    alone = posable.batch("in", "report", "only", workers=0)
    assert (alone.done, sorted(path.name for path in Path("only").iterdir())) == (2, ["manifest.parquet"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"steps": "retarget"}, "needs a figure: name its file with --to"),
        ({"steps": "bind"}, "needs a figure: name its file with --to"),
        ({"steps": "reach"}, "needs a goal"),
        ({"steps": ["mirror", "bind"]}, "bind can only be the first step"),
        ({"steps": []}, "needs a step to do"),
        ({"steps": "report --terrain no.toml"}, "no such file"),
        ({"format": "docx"}, "not .docx"),
        ({"to": "no.urdf"}, "no such file"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_done(recordings: Path, options: Any, reason: str) -> None:
    with pytest.raises(posable.PosableError, match=reason):
        run(**options)
    assert not Path("out").exists()
    assert recordings.exists()


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("no/**/*.bvh", "there is no folder .*/no"),
        ("in/*.fbx", "matches no file; put it in quotation marks"),
        ("in/no.bvh", "no such file or folder"),
        ("empty", "holds no file that ends in"),
        ("nowhere://x", "cannot be opened"),
    ],
)
def test_inputs_that_are_not_there_are_named(recordings: Path, pattern: str, reason: str) -> None:
    Path("empty").mkdir()
    with pytest.raises(posable.PosableError, match=reason):
        run(pattern)
    assert not Path("out").exists()
    assert recordings.exists()


def test_a_folder_is_for_one_batch_at_a_time(recordings: Path) -> None:
    def again(_: Any) -> None:
        with pytest.raises(posable.PosableError, match="another batch writes to out"):
            run()

    assert run(progress=again).done == 2
    assert recordings.exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(recordings: Path) -> None:
    Path("out").mkdir(mode=0o555)
    with pytest.raises(posable.FileError, match="no permission"):
        run()
    assert recordings.exists()


def test_a_full_disk_fails_a_file_and_leaves_nothing(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced = Path.replace

    def full(self: Path, target: Path) -> Path:
        if str(target).endswith("a/walk.npz"):
            raise OSError(28, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", full)
    told = run()
    assert "No space left on device" in told.failed[str(recordings / "a/walk.bvh")]
    assert sorted(outputs()) == ["b/walk.npz"]
    assert not list(Path("out").rglob(".*"))


def test_ctrl_c_leaves_what_is_done(recordings: Path) -> None:
    def interrupt(told: Any) -> None:
        if told.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(progress=interrupt)
    assert sorted(outputs()) == ["a/walk.npz"]
    assert rows().loc["b/walk.npz"].status == "waiting"
    assert (run().done, run().kept) == (1, 2)
    assert recordings.exists()


def test_archives_are_read_and_object_stores_written(recordings: Path) -> None:
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.write(recordings / "a/walk.bvh", "x/walk.bvh")
        archive.write(recordings / "b/walk.bvh", "y/walk.bvh")
        archive.write(recordings / "b/walk.bvh", "../../evil.bvh")
    run("in/*/walk.bvh")
    store = fsspec.filesystem("memory")
    told = posable.batch("zip://**/*.bvh::all.zip", "mirror", "memory://bucket/out", format="npz", workers=0)
    assert told.done == 2
    assert store.cat_file("/bucket/out/x/walk.npz") == Path("out/a/walk.npz").read_bytes()
    assert not [name for name in store.find("/bucket") if "evil" in name]
    again = posable.batch("zip://**/*.bvh::all.zip", "mirror", "memory://bucket/out", format="npz", workers=0)
    assert (again.done, again.kept) == (0, 2)
    store.pipe({"/in/walk.bvh": (recordings / "a/walk.bvh").read_bytes()})
    assert posable.batch("memory://in/*.bvh", "mirror", "back", format="npz", workers=0).done == 1
    assert Path("back/walk.npz").read_bytes() == Path("out/a/walk.npz").read_bytes()
    with pytest.raises(posable.PosableError, match="is of this process alone"):
        posable.batch("memory://in/*.bvh", "mirror", "back")
    with pytest.raises(posable.PosableError, match="an archive cannot be written"):
        posable.batch("in", "mirror", "zip://out::new.zip", workers=0)
    store.rm("/bucket", recursive=True)


def test_walks_poses_and_bindings_are_steps_too(recordings: Path) -> None:
    figure = posable.figure("mannequin")
    posable.save("in/one.glb", figure)
    told = posable.batch("in/one.glb", "walk --steps 2 --fps 20", "walks", workers=0)
    assert told.done == 1
    assert posable.load("walks/one.glb").clips[0].fps == pytest.approx(20, rel=0.2)
    goal = "reach --goal hand_r=-0.4,1.2,0.3"
    assert posable.batch("in/one.glb", goal, "poses", workers=0).done == 1
    assert posable.batch("in/one.glb", [goal, "report"], "none", workers=0).failed
    assert recordings.exists()


@pytest.mark.slow
def test_the_command_tells_and_fails_where_a_file_failed(recordings: Path, run_command: Callable[..., Any]) -> None:
    ran = run_command("batch", "in/**/*.bvh", "--do", "mirror", "-o", "out", "--workers", "0", "--format", "npz")
    assert ran.returncode == 1
    assert "2 of 3 files done, 0 unchanged since, 1 failed." in ran.stdout
    assert "HIERARCHY" in ran.stdout
    (recordings / "a/broken.bvh").unlink()
    ran = run_command("batch", "in", "--do", "mirror", "-o", "out", "--workers", "0", "--format", "npz", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "inputs": 2,
        "done": 0,
        "kept": 2,
        "failed": {},
        "wrote": ["out/manifest.parquet"],
    }
    assert run_command("batch", "in", "--do", "miror", "-o", "out").returncode == 1


@pytest.fixture
def run_command() -> Callable[..., Any]:
    def run_words(*words: str) -> Any:
        return subprocess.run([sys.executable, "-m", "posable", *words], capture_output=True, text=True, check=False)

    return run_words


class Odd(Pipeline):
    """Does with a file what the file is called after."""

    def outcome(self, task: Task, scratch: str | None = None) -> dict[str, Any]:
        del scratch
        kind = task.found.name
        if kind == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "hang":
            time.sleep(600)
        kept = [np.ones(2**22) for _ in range(40)] if kind == "hog" else []
        while kept:
            time.sleep(1)
        return {"status": "done", "reason": os.environ["POSABLE_THREADS"]}


@pytest.mark.slow
def test_what_crashes_hangs_or_eats_memory_fails_alone() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    pipeline = Odd("odd", (), Place("."), "", None, None, None, None, 30.0, 0.8, overwrite=False)
    names = ["crash", "a", "hang", "b", "hog", "c", "crash", *"defgh"]
    tasks = [Task(Found(f"{k}/{name}", name, ""), "") for k, name in enumerate(names)]
    found = {task.found.url: outcome for task, outcome in _outcomes(pipeline, tasks, 2, None)}
    assert len(found) == len(names)
    for url, outcome in found.items():
        reason = {"crash": "crashed its worker", "hang": "took longer than 30 s", "hog": "needed more than 0.8 GB"}
        wanted = reason.get(url.partition("/")[2])
        assert outcome["status"] == ("failed" if wanted else "done"), (url, outcome["reason"])
        assert (wanted or "1") in outcome["reason"], url  # workers have one thread each


@pytest.mark.slow
def test_bytes_do_not_depend_on_workers_or_their_order(recordings: Path) -> None:
    posable.save("to.glb", posable.figure("mannequin"))
    told = {"steps": ["retarget --plant", "report"], "to": "to.glb"}
    run("in/b", "in/a", **told)
    run("in/b", **told, again=True)
    alone = outputs()
    assert run(**told, again=True, workers=2).done == 2
    assert outputs() == alone
    assert recordings.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such signal")
def test_ctrl_c_ends_workers_at_once_and_leaves_nothing_unfinished(recordings: Path) -> None:
    for number in range(600):
        (recordings / f"b/{number:03d}.bvh").write_bytes((recordings / "b/walk.bvh").read_bytes())
    line = [sys.executable, "-m", "posable", "batch", "in/b", "--do", "retarget --plant", "--to", "in/b/walk.bvh"]
    line += ["-o", "out", "--format", "npz", "--workers", "2"]
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # which a run in a shell's background does not
    with subprocess.Popen(line, start_new_session=True, stderr=subprocess.PIPE, text=True, preexec_fn=heeds) as process:
        while process.poll() is None and not outputs():
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 130, told
    done = [name for name, row in rows().iterrows() if row.status == "done"]
    assert set(done) <= set(outputs())  # the last may be whole before it is told
    assert len(done) < 601
    assert all(len(np.load(f"out/{name}")["seconds"]) for name in outputs())
    assert not list(Path("out").rglob(".*"))


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom posable.cli import main\n"
        "try: main(['batch', '--help'])\nexcept SystemExit: pass\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"dask", "distributed", "fsspec", "pyarrow", "pandas", "numba"} & set(loaded.splitlines()[-1].split())
