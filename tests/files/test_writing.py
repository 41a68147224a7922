"""Whole files or none."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from posable.errors import FileError
from posable.files import access, atomic_path, write_atomically

only_on_unix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("content", ["Grüße\n", "Grüße\n".encode()])
def test_text_and_bytes(tmp_path: Path, content: str | bytes) -> None:
    write_atomically(tmp_path / "a.txt", content)
    write_atomically(str(tmp_path / "a.txt"), content)
    assert (tmp_path / "a.txt").read_bytes() == "Grüße\n".encode()
    assert names(tmp_path) == ["a.txt"]


def test_a_new_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.txt", "x")
    (tmp_path / "b.txt").write_text("x")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == stat.S_IMODE((tmp_path / "b.txt").stat().st_mode)


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, MemoryError])
def test_a_failure_leaves_everything_as_it_was(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "a.glb"
    for before in (False, True):
        if before:
            path.write_text("before")
        with pytest.raises(failure), atomic_path(path) as beside:
            assert beside.parent == tmp_path and beside.suffix == ".glb"
            beside.write_text("half")
            raise failure
        assert names(tmp_path) == (["a.glb"] if before else [])
    assert path.read_text() == "before"


def test_nothing_is_seen_before_the_end(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "a.glb") as beside:
        beside.write_text("whole")
        assert not (tmp_path / "a.glb").exists()
    assert (tmp_path / "a.glb").read_text() == "whole"


@only_on_unix
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "link.txt").symlink_to("deep/a.txt")
    for content in ("new", "again"):  # the first time there is nothing there
        write_atomically(tmp_path / "link.txt", content)
        assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "deep/a.txt").read_text() == content
        assert names(tmp_path / "deep") == ["a.txt"]
    with pytest.raises(FileError, match="already exists"):
        write_atomically(tmp_path / "link.txt", "x", overwrite=False)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match=r"^loop: .*[Ll]oop|leads to itself"):
        write_atomically(tmp_path / "loop", "x")
    assert (tmp_path / "loop").is_symlink()


@only_on_unix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_a_file_keeps_its_mode_and_is_never_open_to_more(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    path.chmod(mode)
    with atomic_path(path) as beside:
        beside.write_text("after")
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    assert path.read_text() == "after" and stat.S_IMODE(path.stat().st_mode) == mode


@only_on_unix
def test_pipes_and_devices_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    (tmp_path / "null.bvh").symlink_to("/dev/null")
    for path in (tmp_path / "pipe.bvh", tmp_path / "null.bvh", Path("/dev/null")):
        with pytest.raises(FileError, match="is a pipe or a device; give the name of a file"):
            write_atomically(path, "x")
    assert stat.S_ISFIFO((tmp_path / "pipe.bvh").stat().st_mode) and Path("/dev/null").is_char_device()


KILLED = """
import os, signal, sys
from posable.files import atomic_path
with atomic_path(sys.argv[1]) as beside:
    beside.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@only_on_unix
def test_what_a_killed_process_left_is_swept_and_nothing_else_is(tmp_path: Path) -> None:
    strange = [".a.posable-0123.txt", "a.posable-0123456789ab.txt", ".a-0123456789ab.txt", "b.txt"]
    for name in strange:
        (tmp_path / name).write_text("the user's")
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "a.txt")], check=False)
    (stale,) = (tmp_path / name for name in names(tmp_path) if name not in strange)
    access._swept.clear()
    with atomic_path(tmp_path / "b.txt") as beside:
        beside.write_text("whole")
        assert not stale.exists()
        access._swept.clear()
        write_atomically(tmp_path / "c.txt", "x")  # sweeps too, but not what is being written
    assert names(tmp_path) == sorted([*strange, "c.txt"]) and (tmp_path / "b.txt").read_text() == "whole"


def test_overwriting_only_if_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write_atomically(path, "first", overwrite=False)
    with pytest.raises(FileError, match=r"^a.glb: already exists; choose another name, or allow overwriting \(--force"):
        write_atomically(path, "second", overwrite=False)
    assert path.read_text() == "first"
    write_atomically(path, "second")
    assert path.read_text() == "second"


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder; give a file name"):
        write_atomically(tmp_path, "x")
    with pytest.raises(
        FileError, match=r"^a.glb: cannot be written \(No such file or directory\); check that the folder"
    ):
        write_atomically(tmp_path / "gone" / "a.glb", "x")
    with pytest.raises(FileError, match="is not a valid file name"):
        write_atomically(tmp_path / "a\0.glb", "x")


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"a.glb: cannot be written \(No space left on device\)"),
        atomic_path(tmp_path / "a.glb"),
    ):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == []


def test_text_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a.bvh: cannot be written: it contains a name that is not valid Unicode"):
        write_atomically(tmp_path / "a.bvh", "JOINT \ud800")
    assert names(tmp_path) == []
