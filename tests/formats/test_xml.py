"""XML from strangers: lines kept, entities refused, depth, size and numbers limited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from posable.errors import FileError, FileTooLargeError
from posable.formats.xml import MAX_BYTES, Element, read_xml


def parsed(folder: Path, text: str | bytes) -> Element:
    file = folder / "some.xml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_xml(file)


def test_elements_keep_order_attributes_and_lines(tmp_path: Path) -> None:
    root = parsed(tmp_path, '<?xml version="1.0"?>\n<a x="1">\n<b/><c y="ü"/>\n\n<b><d/></b></a>')
    assert [(one.tag, one.line) for one in root.walk()] == [("a", 2), ("b", 3), ("c", 3), ("b", 5), ("d", 5)]
    assert [one.line for one in root.all("b")] == [3, 5]
    assert root.child("c") is root.children[1]
    assert root.child("d") is None
    assert root.children[1].text("y") == "ü"


def test_comments_may_hold_anything_and_keep_the_lines(tmp_path: Path) -> None:
    root = parsed(tmp_path, "<a><!-- two -- dashes\n\n<b> & -->\n<c/><!----><!-->--><d/></a>")
    assert [(one.tag, one.line) for one in root.children] == [("c", 4), ("d", 4)]


@pytest.mark.parametrize("before", ["\n\n", "<!-- made by hand -->\n\n", " \n<!-- two\nlines -->"])
def test_a_declaration_may_stand_after_blank_lines_and_comments(before: str, tmp_path: Path) -> None:
    root = parsed(tmp_path, f'{before}<?xml version="1.0"?>\n<a><b/></a>')
    assert (root.tag, root.line) == ("a", before.count("\n") + 2)


def test_prefixes_need_no_declaration(tmp_path: Path) -> None:
    assert parsed(tmp_path, "<a><xacro:b/></a>").children[0].tag == "xacro:b"


@pytest.mark.parametrize("text", ['<?xml version="1.0" encoding="latin-1"?><a x="ü"/>', '<a x="ü"/>'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_text_is_utf8_else_latin_1_whatever_it_declares(text: str, encoding: str, tmp_path: Path) -> None:
    assert parsed(tmp_path, text.encode(encoding)).text("x") == "ü"


LAUGHS = '<!DOCTYPE a [<!ENTITY l "ha">' + "".join(f'<!ENTITY l{k} "{"&l;" * 10}">' for k in range(9)) + "]><a>&l8;</a>"
REFUSED = {
    LAUGHS: "some.xml:1: declares a document type (<!DOCTYPE …>), which posable does not accept; delete",
    '\n<!DOCTYPE a SYSTEM "file://etc/passwd"><a/>': "some.xml:2: declares a document type",
    "<a>&bomb;</a>": "some.xml:1: is not well-formed XML (undefined entity); correct it or export the file again",
    "<a>\n<b></a>": "some.xml:2: is not well-formed XML (mismatched tag)",
    "<a>\n": "some.xml:2: is not well-formed XML (no element found)",
    "": "some.xml:1: is not well-formed XML (no element found)",
    "<a/><b/>": "some.xml:1: is not well-formed XML (junk after document element)",
    '<a x="1" x="2"/>': "some.xml:1: is not well-formed XML (duplicate attribute)",
    "<a><!-- never closed": "some.xml:1: is not well-formed XML (unclosed token)",
    "<a>\0</a>": "some.xml: contains NUL bytes, so it is not a text file; export it again",
    "<a>" * 1_001 + "</a>" * 1_001: "some.xml:1: nests elements more than 1,000 levels deep",
    "<a>" + "<b/>" * 100_000 + "</a>": "some.xml: declares 100,001 XML elements; posable accepts at most 100,000",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused_with_place_and_cure(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="^" + re.escape(message)):
        parsed(tmp_path, text)


def test_files_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "some.xml").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(FileTooLargeError, match="declares 67,108,865 bytes; posable accepts at most 67,108,864"):
        read_xml(tmp_path / "some.xml")


def test_many_comment_marks_take_no_time_to_refuse(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not well-formed"):
        parsed(tmp_path, "<a>" + "<!--" * 1_000_000)


def test_numbers(tmp_path: Path) -> None:
    one = parsed(tmp_path, '<a n=" 1 -2.5e-1\t3 " single="7" far="-inf" empty=""/>')
    assert one.numbers("n", 3) == one.point("n") == (1.0, -0.25, 3.0)
    assert one.numbers("n", 1, 4) == (1.0, -0.25, 3.0)
    listed = parsed(tmp_path, '<a n="1, 2 ,3, " decimal="1,5 2 3"/>')
    assert listed.numbers("n", 3) == (1.0, 2.0, 3.0)  # ARMAR-6's file has such commas
    with pytest.raises(FileError, match="'1,5' is not a number"):
        listed.numbers("decimal", 3)
    assert one.numbers("none", 3) is None
    assert one.point("none", (1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
    assert one.number("single", 0.0) == 7.0
    assert one.number("none", 4.0) == 4.0
    assert one.number("far", 0.0, infinite=True) == float("-inf")
    assert one.limits(-1e15, 1e14) == (float("-inf"), 1e14)
    assert one.limits(2.0, 2.0) == (2.0, 2.0)


def test_messages_stay_short(tmp_path: Path) -> None:
    problem = str(parsed(tmp_path, "<a/>").error("x" * 401))
    assert problem == f"some.xml:1: {'x' * 400} …"
    assert str(parsed(tmp_path, "<a/>").error("x" * 400)).endswith("x")


def test_numbers_that_are_none(tmp_path: Path) -> None:
    one = parsed(tmp_path, '<a n="1 2 x" nan="nan" far="1e999" empty=" "/>')
    for act, message in (
        (lambda: one.numbers("n", 3), "some.xml:1: <a> n: 'x' is not a number"),
        (lambda: one.numbers("n", 2), "some.xml:1: <a> n: it needs 2 numbers, not '1 2 x'"),
        (lambda: one.numbers("n", 4, 6), "some.xml:1: <a> n: it needs 4 to 6 numbers, not '1 2 x'"),
        (lambda: one.number("nan", 0, infinite=True), "some.xml:1: <a> nan: 'nan' is not a number"),
        (lambda: one.number("far", 0), "some.xml:1: <a> far: '1e999' is not a plausible length or angle"),
        (lambda: one.text("empty"), 'some.xml:1: <a> needs empty="…"'),
        (lambda: one.text("none"), 'some.xml:1: <a> needs none="…"'),
        (lambda: one.limits(2.0, 1.0), "some.xml:1: <a>: the lower limit 2 is above the upper limit 1; exchange them"),
    ):
        with pytest.raises(FileError, match="^" + re.escape(message) + "$"):
            act()
