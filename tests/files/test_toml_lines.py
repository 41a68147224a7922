"""TOML tables that know their lines; the faults that every TOML file may have."""

from __future__ import annotations

from pathlib import Path

import pytest

from posable.errors import FileError, FileTooLargeError
from posable.files import read_tables, toml_lines


def tables(folder: Path, text: str) -> tuple[toml_lines.Table, list[tuple[str, toml_lines.Table]]]:
    path = folder / "a.toml"
    path.write_bytes(text.encode())
    return read_tables(path, ("joint", "chain"))


def test_entries_come_in_the_order_of_the_file_with_their_lines(tmp_path: Path) -> None:
    text = 'x = 1\n\n[[chain]] # a remark\ny = 2\n  [[ joint ]]\n"z" = 3\n w = 4\n[[chain]]\nname = "tail"\n'
    top, entries = tables(tmp_path, text)
    assert top.content == {"x": 1}
    assert top.lines == {"x": 1}
    assert [(section, table.line, table.what) for section, table in entries] == [
        ("chain", 3, "chain 1"), ("joint", 5, "joint 1"), ("chain", 8, "chain 'tail'"),
    ]  # fmt: skip
    assert entries[1][1].lines == {"w": 7}
    assert str(entries[0][1].error("is odd", "y")) == "a.toml:4: chain 1: is odd"


def test_windows_line_ends_count_alike(tmp_path: Path) -> None:
    _, entries = tables(tmp_path, "x = 1\r\n[[joint]]\r\ny = 2\r\n")
    assert entries[0][1].line == 2
    assert entries[0][1].lines == {"y": 3}


def test_headings_inside_texts_do_no_harm(tmp_path: Path) -> None:
    _, entries = tables(tmp_path, 'x = """\n[[joint]]\n"""\n[[joint]]\ny = 2\n')
    assert [(table.line, table.content) for _, table in entries] == [(None, {"y": 2})]
    _, inline = tables(tmp_path, "joint = [{ a = 1 }, { a = 2 }]\n")
    assert [table.content["a"] for _, table in inline] == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = = 2\n", r"a.toml:2: is not valid TOML \(Invalid value\)"),
        ("x = 1\nx = 2\n", r"a.toml:2: is not valid TOML \(Cannot overwrite a value\)"),
        ("x = ", r"a.toml: is not valid TOML \(Invalid value \(at end of document\)\)"),
        ("x = 0001", "a.toml:1: is not valid TOML"),
        (f"x = {'9' * 5000}", "a.toml: is not valid TOML .Exceeds the limit"),
        ("[joint]\nx = 1\n", r"a.toml: joint must be written as \[\[joint\]\], once for each"),
        ("x = 1\njoint = 3\n", r"a.toml:2: joint must be written as \[\[joint\]\], once for each"),
        ("joint = [1]\n", r"a.toml:1: joint must be written as \[\[joint\]\]"),
        (f"x = {'[' * 100_000}", "a.toml: has brackets nested too deeply"),
        (f"x = {'{a=' * 100_000}", "a.toml: has brackets nested too deeply"),
    ],
)
def test_each_fault_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        tables(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "a." * 500_000 + "b = 1",
        "1 . " * 500_000 + "b = 1",
        "x = {" + "a." * 500_000 + "b = 1}",
        "[" + "a." * 500_000 + "b]",
        ("a." * 900 + "b = 1\n") * 9,
    ],
    ids=["bare", "digits", "inline", "heading", "many lines"],
)
def test_keys_of_very_many_parts_are_refused_at_once(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileError, match=r"has keys with too many parts \(a\.b\.c…\)"):
        tables(tmp_path, text)


def test_numbers_are_not_taken_for_dotted_keys(tmp_path: Path) -> None:
    numbers = ", ".join(["1.25", "-0.5e-3", "3.0"] * 20_000)
    top, _ = tables(tmp_path, f"x = [\n{numbers}\n]\n")
    assert len(top.content["x"]) == 60_000


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_lines, "MAX_TOML_BYTES", 3)
    with pytest.raises(FileTooLargeError, match="declares 5 bytes; posable accepts at most 3"):
        tables(tmp_path, "x = 1")
