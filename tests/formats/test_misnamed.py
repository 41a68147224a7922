"""A file whose name ends as another format's is named as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import posable


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("a.glb", b"HIERARCHY\nROOT hip\n", r"^a.glb: holds BVH, though its name ends in .glb; rename it to a.bvh"),
        ("a.bvh", b"glTF\2\0\0\0", r"^a.bvh: holds glTF, though its name ends in .bvh; rename it to a.glb"),
        ("a.urdf", b"Kaydara FBX Binary  \0", r"^a.urdf: holds FBX, .* rename it to a.fbx"),
        ("a.fbx", b"version https://git-lfs.github.com/spec/v1\n", r"^a.fbx: is a pointer of Git LFS"),
        ("a.bvh", b"\n<!DOCTYPE html>\n<html>", r"^a.bvh: is a web page"),
        ("a.vrm", b"glTF\2\0\0\0", r"^a.vrm: (?!holds)"),
    ],
)
def test_content_of_another_format(tmp_path: Path, name: str, raw: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(posable.FileError, match=message):
        posable.load(tmp_path / name)


def test_a_file_that_cannot_be_opened_keeps_its_own_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.bvh").write_text("HIERARCHY\n")
    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(posable.FileError, match=r"^a.bvh: cannot be read \(Permission denied\)"):
        posable.load(tmp_path / "a.bvh")


def test_a_bare_mesh_is_sent_to_rig(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text("v 0 0 0\n")
    with pytest.raises(posable.FileError, match=r"posable rig gives it one, posable bind that of another file"):
        posable.load(tmp_path / "a.obj")
