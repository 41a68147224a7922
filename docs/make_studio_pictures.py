"""Makes the pictures of docs/studio.md: `PYTHONPATH=tests python docs/make_studio_pictures.py` (needs Chromium)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from studio.browser.viewer import Server, Viewer, chromium

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """The page with a dragged hand, then with one out of reach."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        server.start()
        try:
            viewer = Viewer(browser, server.address, (1280, 800), "light")
            viewer.drag("right hand", (-60, -120))
            shot(viewer, "studio_drag")
            viewer.drag("left hand", (260, -140))
            shot(viewer, "studio_short")
            viewer.close()
        finally:
            server.stop()


def shot(viewer: Viewer, name: str) -> None:
    """The whole page, drawn at rest."""
    viewer.page.wait_for_timeout(1500)
    viewer.page.screenshot(path=IMAGES / f"{name}.png")
    Image.open(IMAGES / f"{name}.png").convert("P", palette=Image.Palette.ADAPTIVE, colors=256).save(
        IMAGES / f"{name}.png", optimize=True
    )


if __name__ == "__main__":
    main()
