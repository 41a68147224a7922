"""Pictures of a motion: joint curves, the heights of feet with their contacts, and a film with contacts in color."""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from posable.clips import Clip
from posable.errors import FileError, PosableError, UnsupportedFileError
from posable.figures import Figure, Roles
from posable.figures import roles as find_roles
from posable.files import atomic_path, write_atomically
from posable.motion import MotionChange, MotionReport
from posable.motion.feet import Contacts, Terrain, contacts
from posable.motion.feet.contact_detection import heights_over, runs
from posable.motion.gait_metrics import leg_curves
from posable.spatial import Array
from posable.view.camera import Camera, View
from posable.view.charts import COLORS, Chart, font
from posable.view.overlay import Ink
from posable.view.pictures import Shot, check_pose, check_size, writer_for
from posable.view.renderer import MOVING, Image
from posable.view.scene import Scene

_LEGS = ("blue", "red", "green", "orange", "violet", "ink")
_PARTS = {"heel": "blue", "ball": "green", "toe": "orange"}
_CURVES = {"thigh": "thigh, forward (°)", "knee": "knee, bent (°)", "ankle": "ankle, toes up (°)"}
_PANEL = (760, 300)
_BAR = 14.0  # height of a contact's bar in a film, pixels of 720 rows
_FASTEST = 30.0  # frames a second of the film
_FRAMED = 60
_OFF, _TITLE = (168, 172, 178), (22, 52, 84)


@dataclass(frozen=True, eq=False)
class Shown:
    """A clip to be drawn, with what is known of its feet. title: what it is called in the pictures."""

    figure: Figure
    clip: Clip
    title: str
    found: Roles | None = None
    terrain: Terrain | None = None

    @cached_property
    def roles(self) -> Roles:
        """Which joint is which part."""
        return find_roles(self.figure) if self.found is None else self.found

    @cached_property
    def contacts(self) -> Contacts:
        """When heel, ball and toe of each foot touch the ground."""
        return contacts(self.clip, self.terrain, figure=self.figure, roles=self.roles)

    def heights(self) -> list[dict[str, Array]]:
        """Per foot: part → `[frame]` cm over the ground, for a leg of 0.88 m."""
        found = []
        for sole in self.contacts.soles:
            poses, clip = self.clip.poses, self.clip
            places = {"heel": sole.heel_places(poses), "ball": sole.ball_places(poses), "toe": sole.toe_places(poses)}
            rest = {"heel": sole.heel_height, "ball": sole.ball_height if self.terrain is not None else 0.0, "toe": 0.0}
            over = {
                part: 100 * (heights_over(place, clip, self.terrain, sole) - rest[part]) / sole.scale
                for part, place in places.items()
                if part != "heel" or sole.heel is not None
            }
            found.append(over)
        return found


def curve_chart(shown: Sequence[Shown]) -> Image:
    """The angles of thighs, knees and ankles over time, one column for each of the clips, a color for each leg."""
    every = [leg_curves(one.clip, one.contacts.soles, one.roles.forward) for one in shown]
    rows = []
    for name, label in _CURVES.items():
        span = _span([own[name] for own in every])
        if span is None:
            continue
        charts = []
        for one, own in zip(shown, every, strict=True):
            chart = _panel(one, span, label)
            for leg, angles in enumerate(own[name]):
                if np.isfinite(angles).all():
                    chart.line(np.stack([one.clip.times, angles], axis=1), _LEGS[leg % len(_LEGS)])
            _legend(chart, [sole.name for sole in one.contacts.soles], _LEGS, one.clip.seconds, span)
            charts.append(chart.image)
        rows.append(np.hstack(charts))
    return np.vstack(rows) if rows else _panel(shown[0], (0.0, 1.0), "no knees").image


def foot_chart(shown: Sequence[Shown]) -> Image:
    """How high heel, ball and toe of each foot are over the ground; bars below the curves are their contacts."""
    every = [one.heights() for one in shown]
    high = max(float(line.max()) for own in every for foot in own for line in foot.values())
    span = (-0.28 * max(high, 5.0), 1.08 * max(high, 5.0))
    rows = []
    for foot in range(max(map(len, every))):
        charts = [_foot_panel(one, own, foot, span) for one, own in zip(shown, every, strict=True)]
        rows.append(np.hstack(charts))
    return np.vstack(rows)


def report_film(
    shown: Sequence[Shown],
    path: str | Path,
    *,
    size: tuple[int, int] = (640, 480),
    fps: float | None = None,
    camera: Camera | View = "three_quarter",
    overwrite: bool = True,
) -> None:
    """A film (.mp4 or .gif) of the clips side by side, with their contacts in color and as bars that fill with time.

    size: of one panel, pixels, even. fps: frames a second, at most 30 unless given. Clips of unlike length end on their
    last frame. Raises UnsupportedFileError for another ending, PosableError for a size or fps that is none, FileError.
    """
    write = writer_for(path)
    check_size(size)
    if size[0] % 2 or size[1] % 2:
        raise PosableError(f"a panel of a film needs an even width and height, not {size[0]} × {size[1]}")
    if fps is not None and not 0 < fps <= 240:
        raise PosableError(f"a film runs at more than 0 and at most 240 frames a second, not {fps}")
    rate = fps or min(one.clip.fps / math.ceil(one.clip.fps / _FASTEST - 1e-9) for one in shown)
    panels = [FilmPanel(one, size, camera) for one in shown]
    count = int(max(one.clip.seconds for one in shown) * rate + 1e-9) + 1
    with atomic_path(path, overwrite=overwrite) as beside:
        frames = (np.hstack([panel.at(k / rate) for panel in panels]) for k in range(count))
        write(beside, frames, rate, (size[0] * len(panels), size[1]))


class FilmPanel:
    """One clip before its camera."""

    def __init__(self, shown: Shown, size: tuple[int, int], camera: Camera | View) -> None:
        self.shown = shown
        clip = shown.clip
        for k in (0, len(clip) - 1):
            check_pose(shown.figure, clip.poses[k])
        framed = [clip.poses[int(k)] for k in np.unique(np.linspace(0, len(clip) - 1, _FRAMED).astype(int))]
        seen = {"skeleton": True, "terrain": shown.terrain}
        self._shot = Shot.of(Scene(shown.figure), framed, size, (), camera, MOVING, **seen)

    def at(self, seconds: float) -> Image:
        """The image `[height, width, 3]` at a time."""
        clip = self.shown.clip
        frame = min(round(seconds * clip.fps), len(clip) - 1)
        image = self._shot.take(clip.poses[frame], ())
        self._draw_soles(image, frame)
        self._draw_bars(image, frame)
        return _titled(image, self.shown.title)

    def _draw_soles(self, image: Image, frame: int) -> None:
        """The outline of each sole, and a dot for heel, ball and toe: in color while they touch."""
        touching, pose = self.shown.contacts, self.shown.clip.poses[frame]
        ink = Ink(image)
        for foot, sole in enumerate(touching.soles):
            corners = self._shot.renderer.pixels(sole.corner_places(pose)[[0, 1, 3, 2, 0]])
            for start, end in pairwise(corners):
                ink.line(start, end, 2.0)
            ink.lay(COLORS["green"] if touching.any[foot, frame] else _OFF, 0.9)
            for part, place in (("heel", sole.heel_places), ("ball", sole.ball_places), ("toe", sole.toe_places)):
                if getattr(touching, part)[foot, frame]:
                    ink.dot(self._shot.renderer.pixels(place(pose)), 6.0)
                    ink.lay(COLORS[_PARTS[part]], 0.95)

    def _draw_bars(self, image: Image, frame: int) -> None:
        """When each foot touches, along the lower edge; what is past is strong."""
        touching = self.shown.contacts
        ink, (height, width) = Ink(image), image.shape[:2]
        count = touching.any.shape[1]
        left, across, thick = 0.02 * width, 0.96 * width, _BAR * ink.scale
        for foot in range(len(touching.soles)):
            y = height - thick * (len(touching.soles) - foot + 0.4)
            for start, end in runs(touching.any[foot]):
                for first, last, opacity in ((start, min(end, frame + 1), 0.95), (max(start, frame + 1), end, 0.3)):
                    if last > first:
                        ink.line((left + across * first / count, y), (left + across * last / count, y), 0.55 * _BAR)
                        ink.lay(COLORS[_LEGS[foot % len(_LEGS)]], opacity)
        x = left + across * (frame + 1) / count
        ink.line((x, height - thick * (len(touching.soles) + 0.8)), (x, height - 2), 2.0)
        ink.lay(COLORS["ink"], 0.9)


def _panel(shown: Shown, span: tuple[float, float], label: str) -> Chart:
    seconds = max(shown.clip.seconds, 1e-3)
    return Chart((0.0, seconds), span, _PANEL, title=shown.title, names=("seconds", label))


def _foot_panel(shown: Shown, heights: Sequence[dict[str, Array]], foot: int, span: tuple[float, float]) -> Image:
    if foot >= len(heights):
        return np.full((_PANEL[1], _PANEL[0], 3), 250, np.uint8)
    touching, times = shown.contacts, shown.clip.times
    chart = _panel(shown, span, f"{touching.soles[foot].name}: cm over the ground")
    for row, (part, color) in enumerate(_PARTS.items()):
        if part in heights[foot]:
            chart.line(np.stack([times, heights[foot][part]], axis=1), color)
        level = span[0] * (0.3 + 0.22 * row)
        for start, end in runs(getattr(touching, part)[foot]):
            chart.line([(times[start], level), (times[end - 1], level)], color, 7.0)
    _legend(chart, list(heights[foot]), [_PARTS[part] for part in heights[foot]], shown.clip.seconds, span)
    return chart.image


def _legend(chart: Chart, names: Sequence[str], colors: Sequence[str], width: float, span: tuple[float, float]) -> None:
    for n, name in enumerate(names):
        place = (width * (0.98 - 0.11 * (len(names) - 1 - n)), span[1] - 0.06 * (span[1] - span[0]))
        chart.note(place, name, colors[n % len(colors)], anchor="rm")


def _span(curves: Sequence[Array]) -> tuple[float, float] | None:
    """A range slightly larger than that of all values; None without values."""
    values = np.concatenate([one[np.isfinite(one)] for one in curves])
    if not len(values):
        return None
    room = max(0.12 * float(np.ptp(values)), 1.0)
    return float(values.min() - room), float(values.max() + room)


def _titled(image: Image, title: str) -> Image:
    from PIL import Image as Pillow
    from PIL import ImageDraw

    drawn = Pillow.fromarray(image)
    size = max(image.shape[0] / 24, 10.0)
    ImageDraw.Draw(drawn).text((size / 2, size / 2), title, fill=_TITLE, font=font(size))
    return np.array(drawn)


# A report as a text with plots: a folder, a Markdown file, or one HTML file that holds everything.


_PLOTS = {"curves": "Joint angles", "feet": "Heights of the feet, and their contacts"}
STYLE = "body{font:15px sans-serif;margin:2em;color:#163454}td,th{padding:.2em .8em;text-align:left}img{width:100%}"

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
            write_atomically(pages[name], png_bytes(image), overwrite=overwrite)
    if output.suffix.lower() == ".html":
        text = _html(told, change, images)
    else:
        text = _markdown(told, change, {name: pages[name].name for name in images})
    write_atomically(pages["text"], text, overwrite=overwrite)


def plain_table(told: Sequence[Told]) -> str:
    """The numbers in columns, for a terminal."""
    wide = min(max(18, *(len(title) for title, _ in told)), 40)
    return "\n".join(_plain_row(cells, wide) for cells in _cells(told))


def sentence(change: MotionChange) -> str:
    """What a result changed of its source, in words."""
    return (
        f"Changed from the source: pelvis moved {100 * change.pelvis_p95:.2f} cm (95th percentile); "
        f"{change.most_turned} turned most, {change.joints_rms:.2f}° rms; knee jerk × {change.knee_jerk:.2f}; "
        f"bones longer or shorter by {change.bones:.0e} of the reach."
    )


def _cells(told: Sequence[Told]) -> list[list[str]]:
    """The rows of the table, its head first."""
    rows = [["measure", *(title for title, _ in told), "unit", "compare with", "what it is"]]
    for same in zip(*(report.measures() for _, report in told), strict=True):
        values = ["—" if one.value is None else f"{one.value:.3g}" for one in same]
        rows.append([same[0].label, *values, same[0].unit, same[0].usual, same[0].help])
    return rows


def _plain_row(cells: Sequence[str], wide: int) -> str:
    columns = "".join(f"{cell[-wide:]:>{wide + 2}}" for cell in cells[1:-3])
    return f"{cells[0]:<26}{columns}  {cells[-3]:<18}{cells[-2]}".rstrip()


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
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{title}</title><style>{STYLE}</style>",
        f"<h1>{title}</h1><ul>{each(_abouts(told), 'li')}</ul>",
        f"<table>{row(head, 'th')}{''.join(map(row, rows))}</table>",
        "" if change is None else each([sentence(change)], "p"),
    ]
    for name, words in _PLOTS.items():
        parts += [f"<h2>{words}</h2>", shown_in_page(images[name], words)]
    return "\n".join(parts) + "</html>\n"


def each(lines: Sequence[str], tag: str) -> str:
    """Lines of text as elements of a page."""
    return "".join(f"<{tag}>{html.escape(line)}</{tag}>" for line in lines)


def shown_in_page(image: Image, words: str) -> str:
    """The image as an element of a page that needs no other file."""
    code = base64.b64encode(png_bytes(image)).decode()
    return f"<img alt='{html.escape(words)}' src='data:image/png;base64,{code}'>"


def png_bytes(image: Image) -> bytes:
    """The image as a PNG."""
    from PIL import Image as Pillow

    held = io.BytesIO()
    Pillow.fromarray(image).save(held, format="PNG")
    return held.getvalue()
