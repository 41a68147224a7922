"""A page of one file that holds a figure and plays it anywhere, from a disk as from a server."""

from __future__ import annotations

import base64
import html
import json
import tempfile
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
    """The page as text. ground: vertices `[n, 3]`, in the figure's axes, and faces of what it stands on.

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
    return _PAGE.format(title=title, glb=glb, ground=_told(ground, figure.skeleton.up), viewer=viewer)


def _told(ground: tuple[np.ndarray, np.ndarray] | None, up: str) -> str:
    """As JSON, its y upright as in the GLB."""
    if ground is None:
        return "null"
    vertices, faces = ground
    upright = vertices if up == "y" else vertices[:, [0, 2, 1]] * (1, 1, -1)
    told = {"vertices": np.round(upright, 4).ravel().tolist(), "faces": faces.ravel().tolist()}
    return json.dumps(told, separators=(",", ":"))
