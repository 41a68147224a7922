"""A report as a text with plots: a folder, a Markdown file, or one HTML file that holds everything."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path

from posable.errors import FileError, UnsupportedFileError
from posable.files import write_atomically
from posable.motion import MotionChange, MotionReport
from posable.view.renderer import Image
from posable.view.report import Shown, curve_chart, foot_chart

_PLOTS = {"curves": "Joint angles", "feet": "Heights of the feet, and their contacts"}
_STYLE = "body{font:15px sans-serif;margin:2em;color:#163454}td,th{padding:.2em .8em;text-align:left}img{width:100%}"

Told = tuple[str, MotionReport]  # what a clip is called, and its numbers


def pages_of(output: Path) -> dict[str, Path]:
    """What a report to `output` writes: "text" and, beside all but an .html, the plots by their names.

    Raises UnsupportedFileError for another ending, FileError for a folder that is a file.
    """
    suffix = output.suffix.lower()
    if suffix == ".html":
        return {"text": output}
    if suffix == ".md":
        return {"text": output, **{name: output.with_name(f"{output.stem}_{name}.png") for name in _PLOTS}}
    if suffix:
        raise UnsupportedFileError(output, "a report is a folder, or ends in .md or .html")
    if output.is_file():
        raise FileError(output, "is a file; a report without an ending is a folder")
    return {"text": output / "report.md", **{name: output / f"{name}.png" for name in _PLOTS}}


def write_report(
    output: Path, told: Sequence[Told], shown: Sequence[Shown], change: MotionChange | None, *, overwrite: bool = False
) -> None:
    """Write the numbers and the plots of one clip, or of source and result side by side. Raises as `pages_of` does."""
    pages = pages_of(output)
    images = {"curves": curve_chart(shown), "feet": foot_chart(shown)}
    try:
        pages["text"].parent.mkdir(exist_ok=True)
    except OSError as problem:
        raise FileError(output, f"cannot be written ({problem.strerror}); check that the folder exists") from problem
    for name, image in images.items():
        if name in pages:
            write_atomically(pages[name], _png(image), overwrite=overwrite)
    if output.suffix.lower() == ".html":
        text = _html(told, change, images)
    else:
        text = _markdown(told, change, {name: pages[name].name for name in images})
    write_atomically(pages["text"], text, overwrite=overwrite)


def plain_table(told: Sequence[Told]) -> str:
    """The numbers in columns, for a terminal."""
    return "\n".join(_plain_row(cells) for cells in _cells(told))


def sentence(change: MotionChange) -> str:
    """What a result changed of its source, in words."""
    return (
        f"Changed from the source: pelvis moved {100 * change.pelvis_p95:.2f} cm (95th percentile); "
        f"{change.most_turned} turned most, {change.joints_rms:.2f}° rms; knee jerk × {change.knee_jerk:.2f}; "
        f"bones longer or shorter by {change.bones:.0e} of the reach."
    )


def _cells(told: Sequence[Told]) -> list[list[str]]:
    """The rows of the table, its head first."""
    rows = [["measure", *(title for title, _ in told), "unit", "what it is"]]
    for same in zip(*(report.measures() for _, report in told), strict=True):
        values = ["—" if one.value is None else f"{one.value:.3g}" for one in same]
        rows.append([same[0].label, *values, same[0].unit, same[0].help])
    return rows


def _plain_row(cells: Sequence[str]) -> str:
    return f"{cells[0]:<26}{''.join(f'{cell[-18:]:>20}' for cell in cells[1:-2])}  {cells[-2]}".rstrip()


def _abouts(told: Sequence[Told]) -> list[str]:
    return [
        f"{title}: {one.name or 'clip'}, {one.frames} frames at {one.fps:g} a second, {one.seconds:.2f} s; "
        f"a leg is {one.leg:.4g} long; lengths below are for one of 0.88 m"
        for title, one in told
    ]


def _markdown(told: Sequence[Told], change: MotionChange | None, plots: dict[str, str]) -> str:
    head, *rows = [f"| {' | '.join(cells)} |" for cells in _cells(told)]
    lines = [f"# {told[-1][0]}", "", *(f"- {line}" for line in _abouts(told)), "", head]
    lines += ["|" + "---|" * (len(told) + 3), *rows, ""]
    lines += [] if change is None else [sentence(change), ""]
    for name, title in _PLOTS.items():
        lines += [f"## {title}", "", f"![{title}]({plots[name]})", ""]
    return "\n".join(lines)


def _html(told: Sequence[Told], change: MotionChange | None, images: dict[str, Image]) -> str:
    def row(cells: Sequence[str], tag: str = "td") -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"

    head, *rows = _cells(told)
    title = html.escape(told[-1][0])
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{title}</title><style>{_STYLE}</style>",
        f"<h1>{title}</h1><ul>{_each(_abouts(told), 'li')}</ul>",
        f"<table>{row(head, 'th')}{''.join(map(row, rows))}</table>",
        "" if change is None else _each([sentence(change)], "p"),
    ]
    for name, words in _PLOTS.items():
        code = base64.b64encode(_png(images[name])).decode()
        parts.append(f"<h2>{words}</h2><img alt='{words}' src='data:image/png;base64,{code}'>")
    return "\n".join(parts) + "</html>\n"


def _each(lines: Sequence[str], tag: str) -> str:
    return "".join(f"<{tag}>{html.escape(line)}</{tag}>" for line in lines)


def _png(image: Image) -> bytes:
    from PIL import Image as Pillow

    held = io.BytesIO()
    Pillow.fromarray(image).save(held, format="PNG")
    return held.getvalue()
