"""Makes the pictures of docs/studio.md: `PYTHONPATH=tests python docs/make_studio_pictures.py` (needs Chromium)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from studio.browser.viewer import Server, Viewer, chromium

IMAGES = Path(__file__).parent / "images"
HAND = "left hand"


def main() -> None:
    """The page in its states, light and dark."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        server.start()
        try:
            light = Viewer(browser, server.address, (1280, 800), "light")
            for show in (dragged, out_of_reach, walking):
                light.renew()
                show(light)
            light.close()
            dark = Viewer(browser, server.address, (1280, 800), "dark")
            for show in (limited, keyed, painted):
                dark.renew()
                show(dark)
            dark.close()
        finally:
            server.stop()


def dragged(viewer: Viewer) -> None:
    """A hand, and the arm that follows."""
    viewer.drag("right hand", (-60, -120))
    shot(viewer, "studio_drag")


def out_of_reach(viewer: Viewer) -> None:
    """A target beyond the arm."""
    viewer.drag(HAND, (260, -140))
    viewer.wait(lambda: bool(viewer.status["limits"]), "the reason")
    shot(viewer, "studio_short")


def walking(viewer: Viewer) -> None:
    """A walk up stairs, in the middle of it."""
    for title in ("Walk", "Ground"):
        viewer.page.locator("summary", has_text=title).click()
    viewer.page.get_by_label("Ground", exact=True).select_option("stairs")
    viewer.choose("Gait: proud")
    viewer.page.get_by_role("button", name="Walk", exact=True).click()
    viewer.wait(lambda: viewer.clip is not None, "the walk")
    viewer.settle()
    viewer.field("Frame", "70", ".transport")
    viewer.page.locator("aside.left").evaluate("panel => panel.scrollTo(0, 0)")
    shot(viewer, "studio_walk")


def limited(viewer: Viewer) -> None:
    """Cone and twist of a shoulder, with their grips."""
    viewer.choose("Select joint upper_arm_l")
    shot(viewer, "studio_limits")


def keyed(viewer: Viewer) -> None:
    """Keys of a hand as curves, with its path and ghosts."""
    for frame, by in ((0, (0, 0)), (30, (40, -120)), (60, (-60, 30))):
        viewer.field("Frame", str(frame), ".transport")
        viewer.handle(HAND).click()
        if frame:
            viewer.drag(HAND, by)
        viewer.press("k")
        viewer.wait(lambda: viewer.goal(HAND)["keys"][-1:] and viewer.goal(HAND)["keys"][-1]["frame"] == frame, "a key")  # noqa: B023
    viewer.field("Frame", "30", ".transport")
    for key in "to":
        viewer.press(key)
    viewer.page.get_by_role("button", name="Curves").click()
    shot(viewer, "studio_curves")
    for key in "to":
        viewer.press(key)


def painted(viewer: Viewer) -> None:
    """Weights of a forearm, with the brush in the hand."""
    viewer.choose("Select joint forearm_l")
    viewer.press("w")
    viewer.page.get_by_label("Paint").check()
    x, y = viewer.place(HAND)
    viewer.page.mouse.move(x - 14, y - 22)
    shot(viewer, "studio_weights")


def shot(viewer: Viewer, name: str) -> None:
    """The whole page, drawn at rest."""
    viewer.page.wait_for_timeout(2000)
    viewer.page.screenshot(path=IMAGES / f"{name}.png")
    Image.open(IMAGES / f"{name}.png").convert("P", palette=Image.Palette.ADAPTIVE, colors=256).save(
        IMAGES / f"{name}.png", optimize=True
    )


if __name__ == "__main__":
    main()
