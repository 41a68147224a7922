"""Reading what strangers wrote: said clearly, and never outside the file's own folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from posable.errors import FileError, FileTooLargeError
from posable.files import check_count, check_file, read_bytes, read_text, sibling


def test_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\0\1\2")
    assert read_bytes(path) == read_bytes(str(path)) == b"\0\1\2"
    check_file(path, 3)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"caf\xc3\xa9\r\n", "café\r\n"), (b"\xef\xbb\xbfmark", "mark"), (b"caf\xe9", "café"), (b"", ""),
        ("café\n".encode("utf-16"), "café\n"), (b"\xfe\xff" + "頭".encode("utf-16-be"), "頭"),
    ],
)  # fmt: skip
def test_text_of_any_age(tmp_path: Path, raw: bytes, text: str) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    assert read_text(tmp_path / "a.txt") == text


def test_letters_that_were_guessed_are_noted(tmp_path: Path) -> None:
    for letters, guessed in (("caf\u00e9".encode("latin-1"), True), ("頭".encode("shift-jis"), True), (b"caf", False)):
        (tmp_path / "a.txt").write_bytes(letters)
        notes: list[str] = []
        read_text(tmp_path / "a.txt", notes=notes)
        assert bool(notes) == guessed
    assert read_text(tmp_path / "a.txt") == "caf"


def test_text_with_zero_bytes_is_refused(tmp_path: Path) -> None:
    for raw in (b"HIER\0ARCHY", b"\xff\xfe\0\0H\0\0\0"):  # the second is UTF-32
        (tmp_path / "a.bvh").write_bytes(raw)
        with pytest.raises(FileError, match=r"^a.bvh: contains NUL bytes, so it is not a text file; export it again"):
            read_text(tmp_path / "a.bvh")


def test_nul_bytes_after_the_text_are_dropped(tmp_path: Path) -> None:
    """As in pybullet's humanoid.urdf."""
    (tmp_path / "a.urdf").write_bytes(b"<robot/>\r\n\0")
    assert read_text(tmp_path / "a.urdf") == "<robot/>\r\n"


@pytest.mark.parametrize("read", [read_bytes, read_text, check_file])
def test_what_is_not_there_or_no_file(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(FileError, match=r"^gone.glb: no such file \(.*gone.glb\); check the name and the folder"):
        read(tmp_path / "gone.glb")
    with pytest.raises(FileError, match="is not a regular file; give the file itself"):
        read(tmp_path)
    with pytest.raises(FileError, match=r"^/: is not a regular file"):
        read("/")
    with pytest.raises(FileError, match=r"cannot be read .*name too long"):
        read(tmp_path / ("x" * 300))


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe.bvh")
    with pytest.raises(FileError, match="is not a regular file"):
        read_bytes(tmp_path / "pipe.bvh")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.bvh").write_text("HIERARCHY")
    monkeypatch.setattr(Path, "read_bytes", lambda _: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(FileError, match=r"a.bvh: cannot be read \(Permission denied\)"):
        read_text(tmp_path / "a.bvh")


def test_size_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge.glb"
    with path.open("wb") as file:
        file.truncate(2**40)  # a terabyte of nothing
    for read in (read_bytes, read_text, check_file):
        with pytest.raises(
            FileTooLargeError, match="declares 1,099,511,627,776 bytes; posable accepts at most 536,870,912"
        ):
            read(path)


def test_counts() -> None:
    check_count("a.bvh", 10, 10, "frames")
    check_count("a.bvh", 0, 10, "frames")
    with pytest.raises(FileTooLargeError, match=r"^a.bvh: declares 11 frames; posable accepts at most 10 in one file"):
        check_count("a.bvh", 11, 10, "frames")
    with pytest.raises(FileError, match=r"^a.bvh: declares -1 frames; export it again"):
        check_count("a.bvh", -1, 10, "frames")


def test_siblings(tmp_path: Path) -> None:
    inner = tmp_path / "in"
    inner.mkdir()
    for relative in ("a.png", "./deep/../a.png", "deep/er/a.png", "..png", str(inner / "a.png")):
        assert inner in sibling(inner / "model.gltf", relative).parents
    assert sibling(inner / "model.gltf", "a b.png") == inner / "a b.png"


@pytest.mark.parametrize(
    "relative", ["../secret", "a/../../secret", "/etc/passwd", "..", "", ".", "link/secret", "link"]
)
def test_siblings_that_lead_out(tmp_path: Path, relative: str) -> None:
    inner = tmp_path / "in"
    inner.mkdir()
    (tmp_path / "secret").write_text("")
    (inner / "link").symlink_to(tmp_path)
    with pytest.raises(FileError, match=r"model.gltf: refers to .*, outside its own folder; put the file beside it"):
        sibling(inner / "model.gltf", relative)


@pytest.mark.parametrize(
    ("relative", "message"),
    [
        ("a\0b", "refers to a file name that contains a NUL byte"),
        ("\ud800.png", "refers to .*, which is not a file name"),
    ],
)
def test_siblings_that_are_no_names(tmp_path: Path, relative: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        sibling(tmp_path / "model.gltf", relative)


def test_a_link_that_leads_to_itself_is_refused_or_harmless(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    try:
        found = sibling(tmp_path / "model.gltf", "loop/a.png")
    except FileError:
        return
    assert tmp_path in found.parents
