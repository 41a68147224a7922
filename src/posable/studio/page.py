"""A page of one file that plays a figure, and how the pages of a notebook share the viewer."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

import numpy as np

import posable
from posable.browser.record import SCRIPT, live_parts, network_text, script_text
from posable.formats.gltf.without_draco import without_draco
from posable.studio.balancing import body_shape
from posable.studio.company import Part, parts_or_whole, whole
from posable.studio.human_range import figure_in_range

_VIEWER = Path(__file__).with_name("static") / "viewer.js"
_PAGE_START = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body>
<script type="model/gltf-binary" id="figure">{glb}</script>
<script type="application/json" id="ground">{ground}</script>
{live}"""
_LIVE = '<script type="application/json" id="{id}">{told}</script>\n'
_PAGE_END = "\n</body>\n</html>\n"


def page_of(
    figure: posable.Figure,
    motion: posable.Pose | posable.Clip | None = None,
    ground: tuple[np.ndarray, np.ndarray] | None = None,
    *,
    human_limits: bool = True,
    apart: bool = True,
) -> Page:
    """The page. ground: vertices `[n, 3]`, in the figure's axes, and faces of the ground. human_limits: whether a
    person that states no limits is dragged with those of `posable.with_human_limits`.

    The page has handles, and solves what is dragged by itself: the pose, or that at which a motion was stopped. Of
    several merged figures, each has its own handles and moves as if it were alone, unless `apart` is False.

    Raises PosableError where the viewer was not built into this copy of posable.
    """
    _viewer()
    glb = base64.b64encode(shown_glb(figure, motion)).decode("ascii")
    start = motion if isinstance(motion, posable.Pose) else None
    clip = motion if isinstance(motion, posable.Clip) else None
    if motion is None and figure.clips:
        clip = figure.main_clip
    figures = parts_or_whole(figure) if apart else (whole(figure),)
    parts = [_live_part(part, start, clip, human_limits=human_limits) for part in figures]
    elements = [element for element in parts if element]
    live = "".join(_LIVE.format(id=f"live-{k}" if k else "live", told=told) for k, told in enumerate(elements))
    title = html.escape(figure.name or "posable")
    return Page(_PAGE_START.format(title=title, glb=glb, live=live, ground=_ground_json(ground, figure.skeleton.up)))


def shown_glb(figure: posable.Figure, motion: posable.Pose | posable.Clip | None = None) -> bytes:
    """The GLB that a page shows: of a figure that was read from a GLB its own, with what the page can decode alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.glb"
        posable.save(path, figure, motion)
        return without_draco(path.read_bytes())


def _live_part(part: Part, start: posable.Pose | None, clip: posable.Clip | None, *, human_limits: bool) -> str:
    """What the page needs so that one figure can be dragged; "" if it cannot be. start, clip: of all figures."""
    figure = part.figure
    begins = None if start is None else part.pose(start)
    plays = None if clip is None else replace(clip, skeleton=figure.skeleton, q=part.pose(clip.poses).q)
    shown = plays.poses if plays is not None else begins or figure.rest
    dragged = figure_in_range(figure, shown) if human_limits else figure
    return live_parts(dragged.skeleton, body_shape(figure), begins, plays)


def _viewer() -> str:
    """The viewer's source, as it may stand in a page. Raises PosableError where it was not built into this copy."""
    if not _VIEWER.is_file():
        raise posable.PosableError(
            "the viewer is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/"
        )
    return script_text(_VIEWER)


def shared_viewer() -> tuple[str, str]:
    """(a hash, solver, network and viewer as one script): what all pages of a notebook share. Raises as `page_of`."""
    source = f"{script_text(SCRIPT)};\n{network_text()};\n{_viewer()}" if SCRIPT.is_file() else _viewer()
    return hashlib.sha256(source.encode()).hexdigest()[:12], source


def _ground_json(ground: tuple[np.ndarray, np.ndarray] | None, up: str) -> str:
    """The ground as JSON, with y up as in the GLB."""
    if ground is None:
        return "null"
    vertices, faces = ground
    upright = vertices if up == "y" else vertices[:, [0, 2, 1]] * (1, 1, -1)
    arrays = {"vertices": np.round(upright, 4).ravel().tolist(), "faces": faces.ravel().tolist()}
    return json.dumps(arrays, separators=(",", ":"))


@dataclass(frozen=True)
class Page:
    """A page of one file that plays a figure: a notebook shows it inline, `save` writes it.

    The cell that shows the first one brings the viewer, of 1.5 megabytes, into the notebook; the others take it
    from there.
    """

    before: str = field(repr=False)

    @property
    def live(self) -> bool:
        """Whether the figure can be dragged."""
        return ' id="live">' in self.before

    @property
    def text(self) -> str:
        """The whole page, which needs no other file and no network."""
        scripts = [script_text(SCRIPT)] if self.live else []
        if self.live and '"body":{' in self.before:  # a person
            scripts.append(network_text())
        solver = "".join(f"<script>{script}</script>\n" for script in scripts)
        return f"{self.before}{solver}<script>{_viewer()}</script>{_PAGE_END}"

    def linked(self) -> str:
        """The page for a frame of a notebook: it takes solver and viewer from there."""
        return f"{self.before}<script>{_LINK_SCRIPT.replace('KEY', shared_viewer()[0])}</script>{_PAGE_END}"

    def save(self, path: str | Path) -> None:
        """Write the page: one file that needs no other file and no network."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = 'style="width:100%;height:480px;border:0;border-radius:8px" title="a posable figure"'
        key, viewer = shared_viewer()
        brought = ""
        if _includes_viewer(_running_cell()):
            source = json.dumps(viewer).replace("</", "<\\/")
            brought = f"<script>{_STORE_SCRIPT.replace('SOURCE', source).replace('KEY', key)}</script>"
        return f'{brought}<iframe {frame} srcdoc="{html.escape(self.linked())}"></iframe>'


_STORE_SCRIPT = "(window.posableViewers ??= {})['KEY'] = SOURCE"
_LINK_SCRIPT = """const key = 'KEY'
const run = (tries) => {
  const source = parent.posableViewers?.[key]
  if (source) document.body.append(Object.assign(document.createElement('script'), { textContent: source }))
  else if (tries) setTimeout(run, 100, tries - 1)
  else document.body.append('The viewer is not in this notebook: run the first cell that showed a figure again.')
}
run(100)"""
_viewer_cells: list[str] = []


def _running_cell() -> str:
    """The id of the running notebook cell; "" if unknown."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    parent = getattr(shell, "get_parent", dict)()
    return str(parent.get("metadata", {}).get("cellId", ""))


def _includes_viewer(cell: str) -> bool:
    """Whether a cell's output includes the viewer: that of the first one with a figure does, also when run again."""
    if not _viewer_cells:
        _viewer_cells.append(cell)
        return True
    return bool(cell) and cell in _viewer_cells


def png_of(
    figure: posable.Figure,
    motion: posable.Pose | posable.Clip | None,
    goals: Sequence[posable.Goal] = (),
) -> str:
    """A picture of a figure in its pose, or in the middle of a motion: PNG in base64, as notebooks store it."""
    from PIL import Image

    pose = motion.poses[len(motion) // 2] if isinstance(motion, posable.Clip) else motion
    file = BytesIO()
    Image.fromarray(posable.picture(figure, pose, size=(480, 360), goals=goals)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")
