"""`posable.show`: a figure or a motion in the browser, or in a notebook."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import sys
import tempfile
import webbrowser
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import numpy as np

import posable
from posable.browser.record import live_parts

_VIEWER = Path(__file__).with_name("static") / "viewer.js"
_PAGE = """\
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
{live}<script>{viewer}</script>
</body>
</html>
"""


def page_of(
    figure: posable.Figure,
    motion: posable.Pose | posable.Clip | None = None,
    ground: tuple[np.ndarray, np.ndarray] | None = None,
) -> str:
    """The page as text. ground: vertices `[n, 3]`, in the figure's axes, and faces of the ground.

    Where there is no motion to play, the page has handles, and solves what is dragged by itself.

    Raises PosableError where the viewer was not built into this copy of posable.
    """
    viewer = _viewer()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.glb"
        posable.save(path, figure, motion)
        glb = base64.b64encode(path.read_bytes()).decode("ascii")
        saved = posable.load(path)
    title = html.escape(figure.name or "posable")
    live = "" if saved.clips else live_parts(saved.skeleton)
    return _PAGE.format(title=title, glb=glb, live=live, ground=_ground_json(ground, figure.skeleton.up), viewer=viewer)


def _viewer() -> str:
    """The viewer's source, as it may stand in a page. Raises PosableError where it was not built into this copy."""
    if not _VIEWER.is_file():
        raise posable.PosableError(
            "the viewer is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/"
        )
    return _VIEWER.read_text(encoding="utf-8").replace("</script", "<\\/script")


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

    The cell that shows the first one brings the viewer, of nearly a megabyte, into the notebook; the others take it
    from there.
    """

    text: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the page: one file that needs no other file and no network."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = 'style="width:100%;height:480px;border:0;border-radius:8px" title="a posable figure"'
        viewer = _viewer()
        link = _LINK.replace("KEY", hashlib.sha256(viewer.encode()).hexdigest()[:12])
        brought = ""
        if _carries_viewer(_cell()):
            source = json.dumps(viewer).replace("</", "<\\/")
            brought = f"<script>{_KEEP.replace('SOURCE', source)}</script>".replace("KEY", link.split("'")[1])
        page = self.text.replace(f"<script>{viewer}</script>", f"<script>{link}</script>")
        return f'{brought}<iframe {frame} srcdoc="{html.escape(page)}"></iframe>'


_KEEP = "(window.posableViewers ??= {})['KEY'] = SOURCE"
_LINK = """const key = 'KEY'
const run = (tries) => {
  const source = parent.posableViewers?.[key]
  if (source) document.body.append(Object.assign(document.createElement('script'), { textContent: source }))
  else if (tries) setTimeout(run, 100, tries - 1)
  else document.body.append('The viewer is in the first cell that showed a figure: run that cell again.')
}
run(50)"""
_carriers: list[str] = []


def _cell() -> str:
    """The cell of the notebook that runs, "" where that is not known."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    parent = getattr(shell, "get_parent", dict)()
    return str(parent.get("metadata", {}).get("cellId", ""))


def _carries_viewer(cell: str) -> bool:
    """Whether what a cell shows brings the viewer: the first that shows anything does, also when it is run again."""
    if not _carriers:
        _carriers.append(cell)
        return True
    return bool(cell) and cell in _carriers


def drawn(thing: posable.Pose | posable.Figure | posable.Clip) -> bytes | str | None:
    """What a notebook shows of a value: a picture (PNG) of a pose or figure, a player (HTML) of a clip; None of a
    batch.
    """
    if isinstance(thing, posable.Clip):
        return show(thing, browser=False)._repr_html_()
    if isinstance(thing, posable.Pose) and thing.shape:
        return None
    from PIL import Image

    figure = thing if isinstance(thing, posable.Figure) else posable.Figure(thing.skeleton)
    image, file = (
        posable.picture(figure, thing if isinstance(thing, posable.Pose) else None, size=(480, 360)),
        BytesIO(),
    )
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()


def show(
    what: posable.Figure | posable.Clip | posable.Pose,
    motion: posable.Clip | posable.Pose | None = None,
    *,
    browser: bool | None = None,
) -> Page:
    """Show a figure, a clip or a pose: a page that plays it in the browser, or inline in a notebook.

    Args:
        what: A figure, as it rests and with its clips; or a clip or pose, on bare bones.
        motion: What the figure does.
        browser: Whether to open a browser window; None does so outside notebooks.

    Raises:
        PosableError: For a batch of poses, or where the viewer was not built.

    Example:
        >>> page = posable.show(figure, clip, browser=False)
        >>> page.save("walk.html")
    """
    figure = what if isinstance(what, posable.Figure) else posable.Figure(what.skeleton, getattr(what, "name", ""))
    page = Page(page_of(figure, motion if isinstance(what, posable.Figure) else what))
    if browser is None:
        browser = "ipykernel" not in sys.modules
    if browser:
        with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", delete=False) as file:
            file.write(page.text)
        webbrowser.open(Path(file.name).as_uri())
    return page
