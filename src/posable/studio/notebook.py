"""`posable.show`: a figure or a motion in the browser, or in a notebook."""

from __future__ import annotations

import base64
import html
import json
import sys
import tempfile
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import posable

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
<script>{viewer}</script>
</body>
</html>
"""


def page_of(
    figure: posable.Figure,
    motion: posable.Pose | posable.Clip | None = None,
    ground: tuple[np.ndarray, np.ndarray] | None = None,
) -> str:
    """The page as text. ground: vertices `[n, 3]`, in the figure's axes, and faces of the ground.

    Raises PosableError where the viewer was not built into this copy of posable.
    """
    if not _VIEWER.is_file():
        raise posable.PosableError(
            "the viewer is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.glb"
        posable.save(path, figure, motion)
        glb = base64.b64encode(path.read_bytes()).decode("ascii")
    viewer = _VIEWER.read_text(encoding="utf-8").replace("</script", "<\\/script")
    title = html.escape(figure.name or "posable")
    return _PAGE.format(title=title, glb=glb, ground=_ground_json(ground, figure.skeleton.up), viewer=viewer)


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
    """A page of one file that plays a figure: a notebook shows it inline, `save` writes it."""

    text: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the page: one file that needs no other file and no network."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = 'style="width:100%;height:480px;border:0;border-radius:8px" title="a posable figure"'
        return f'<iframe {frame} srcdoc="{html.escape(self.text)}"></iframe>'


def show(
    what: posable.Figure | posable.Clip | posable.Pose,
    motion: posable.Clip | posable.Pose | None = None,
    *,
    browser: bool | None = None,
) -> Page:
    """Show a figure, a clip or a pose: a page that plays it in the browser, or inline in a notebook.

    what: a figure, as it rests and with its clips; or a clip or pose, on bare bones. motion: what the figure does.
    browser: whether to open a browser window; by default, outside notebooks.
    Raises PosableError for a batch of poses, or where the viewer was not built.
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
