"""The attack on readers has teeth: it notices every wrong ending, and its damage is reproducible and damaging."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from formats.mutation import CPU_SECONDS, Outcome, _failure, damaged
from formats.plain_bvh import ARM

import posable

FIGURE = posable.Figure(posable.Skeleton([posable.Joint("a", "fixed")]))


def a_glb() -> bytes:
    text = json.dumps(
        {"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {}], "buffers": [{"byteLength": 8}]}
    ).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", 8, 0x004E4942) + bytes(8)
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def loading(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> str | None:
    monkeypatch.setattr(posable, "load", lambda _: act())
    return _failure(Path("no such folder/any.bvh"), 1.0)


def raising(problem: BaseException) -> Callable[[], object]:
    def act() -> object:
        raise problem

    return act


def endless() -> object:
    while True:
        pass


def test_figures_and_our_own_errors_are_the_only_good_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loading(monkeypatch, lambda: FIGURE) == ""
    assert loading(monkeypatch, raising(posable.FileError("a.bvh", "bad"))) is None
    assert "a list came out" in (loading(monkeypatch, list) or "")
    for problem in (
        MemoryError(),
        RecursionError(),
        KeyError("x"),
        SystemExit(1),
        UnicodeDecodeError("utf-8", b"", 0, 1, ""),
    ):
        assert type(problem).__name__ in (loading(monkeypatch, raising(problem)) or "")


@pytest.mark.slow
def test_a_load_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CPU_SECONDS == 5.0
    assert "took more than 1 s" in (loading(monkeypatch, endless) or "")


@pytest.mark.slow
def test_an_attack_with_files_that_are_not_valid_fails(attack: Callable[..., Outcome]) -> None:
    with pytest.raises(pytest.fail.Exception, match="valid file 0 does not load: it is refused"):
        attack(".bvh", [b"junk"], 3)


@pytest.mark.parametrize("seed", [ARM.encode(), a_glb(), b'{"nodes": [{"children": [0, 1]}, {}]}'])
def test_damage_is_reproducible_varied_and_bounded(seed: bytes) -> None:
    files = [damaged([seed], 7, i) for i in range(300)]
    assert files == [damaged([seed], 7, i) for i in range(300)]
    assert files != [damaged([seed], 8, i) for i in range(300)]
    assert sum(file != seed for file in files) > 250
    assert len(set(files)) > 200
    assert max(map(len, files)) <= 4 * 2**20


def test_a_damaged_glb_is_often_still_a_glb_with_other_json() -> None:
    seed, whole = a_glb(), 0
    for i in range(300):
        file = damaged([seed], 0, i)
        if (
            file != seed
            and file[:4] == b"glTF"
            and len(file) > 20
            and struct.unpack_from("<I", file, 8)[0] == len(file)
        ):
            size = struct.unpack_from("<I", file, 12)[0]
            whole += file[20 : 20 + size].strip().endswith(b"}")
    assert whole > 60
