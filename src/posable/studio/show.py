"""`posable.show`: a figure or a motion in the browser, or in a notebook."""

from __future__ import annotations

import html
import sys
import tempfile
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path

import posable
from posable.studio.pages import page_of


@dataclass(frozen=True)
class Page:
    """A page that plays a figure: a notebook shows it as it is, `save` writes it to be sent to somebody."""

    text: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the page, one file that needs no other and no network."""
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
    """Show a figure, a clip or a pose: a page of its own that plays in the browser, or inline in a notebook.

    what: a figure, as it rests and with its clips; or a clip or pose, on bare bones. motion: what the figure does.
    browser: whether to open a browser window; unless given, where this is no notebook.
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
