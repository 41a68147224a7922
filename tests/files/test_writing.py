"""Whole files or none."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from posable.errors import FileError
from posable.files import atomic_path, write_atomically


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
