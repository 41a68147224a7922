"""Everything that can be taken home, asked for in the page and read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest
from PIL import Image

import posable

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from studio.browser.viewer import Viewer

HAND, JOINT = "left hand", "hand_l"
LAST = 6
NAMES = {"PNG": "Export picture", "MP4": "Export film (MP4)", "GIF": "Export film (GIF)"}


@pytest.fixture(scope="module")
def moving(opened: Viewer) -> Viewer:
    """A hand that goes up within a few frames."""
    opened.renew()
    opened.handle(HAND).click()
    opened.press("k")
    opened.field("to", str(LAST), ".transport")
    opened.field("Frame", str(LAST), ".transport")
    opened.wait(lambda: opened.document["frame"] == LAST and opened.document["range"] == [0, LAST], "the last frame")
    opened.drag(HAND, (20, -60))
    opened.press("k")
    opened.wait(lambda: len(opened.goal(HAND)["keys"]) == 2, "two keys")
    return opened


@pytest.fixture
def exported(moving: Viewer, tmp_path: Path) -> Iterator[Path]:
    """The folder that downloads go to."""
    yield tmp_path
    assert moving.problems == []


def export(viewer: Viewer, kind: str, folder: Path) -> Path:
    with viewer.page.expect_download() as waiting:
        viewer.choose("Save the session" if kind == "session" else NAMES.get(kind, f"Export {kind}"))
        if kind in NAMES:
            viewer.page.get_by_role("button", name="Export", exact=True).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def rises(clip: posable.Clip, joint: str) -> float:
    places = clip.poses.origins[:, clip.skeleton.index(joint)]
    return float(places[-1, 1] - places[0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["GLB", "BVH"])
def test_files_of_motion_hold_the_clip(moving: Viewer, exported: Path, kind: str) -> None:
    path = export(moving, kind, exported)
    assert path.name == f"mannequin.{kind.lower()}"
    figure = posable.load(path)
    clip = figure.clips[0]
    assert len(clip) == LAST + 1 and clip.fps == pytest.approx(30)
    first, last = (np.array(key["position"]) for key in moving.goal(HAND)["keys"])
    assert rises(clip, JOINT) == pytest.approx(last[1] - first[1], abs=2e-3)
    assert bool(figure.skins) == (kind == "GLB")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["MP4", "GIF"])
def test_films_hold_every_frame(moving: Viewer, exported: Path, kind: str) -> None:
    with av.open(str(export(moving, kind, exported))) as film:
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    assert len(frames) == LAST + 1
    assert np.abs(frames[-1] - frames[0]).max() > 60


def skin(picture: np.ndarray) -> np.ndarray:
    """Where a picture shows the mannequin, which is warmer than all about it."""
    return picture[..., 0] - picture[..., 2] > 40


@pytest.mark.slow
def test_a_picture_is_what_one_sees_without_bones(moving: Viewer, exported: Path) -> None:
    moving.press("3")
    moving.frames(3)
    with Image.open(export(moving, "PNG", exported)) as picture:
        made = np.asarray(picture.convert("RGB")).astype(int)
    seen = moving.picture()
    moving.press("1")
    box = moving.page.locator(".viewport > canvas").bounding_box()
    assert box is not None and abs(made.shape[1] - box["width"]) <= 1 and abs(made.shape[0] - box["height"]) <= 1
    here, there = skin(made[: len(seen), : seen.shape[1]]), skin(seen[: len(made), : made.shape[1]])
    assert here.sum() > 5000
    assert (here & there).sum() / (here | there).sum() > 0.9


def test_a_size_may_be_chosen_and_bones_asked_for(moving: Viewer, exported: Path) -> None:
    pictures = []
    for bones in (False, True):
        moving.choose("Export picture")
        box = moving.page.locator("dialog.export")
        box.get_by_label("Size").select_option(label="640 × 480")
        box.get_by_role("switch", name="Bones over the skin").set_checked(bones)
        with moving.page.expect_download() as waiting:
            box.get_by_role("button", name="Export", exact=True).click()
        path = exported / f"{bones}.png"
        waiting.value.save_as(path)
        with Image.open(path) as picture:
            assert picture.size == (640, 480)
            pictures.append(np.asarray(picture.convert("RGB")).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=-1) > 40).sum() > 200
    moving.choose("Export picture")
    moving.page.get_by_role("switch", name="Bones over the skin").set_checked(False)
    moving.page.get_by_label("Size").select_option(label="as the view")
    moving.press("Escape")


@pytest.mark.slow
def test_the_session_goes_on_while_a_film_is_made_and_the_film_can_be_cancelled(moving: Viewer) -> None:
    told = moving.page.locator(".working")
    moving.field("to", "400", ".transport")
    moving.choose("Export film (MP4)")
    moving.page.get_by_role("button", name="Export", exact=True).click()
    moving.wait(lambda: "starting the renderer" in "".join(told.all_inner_texts()), "what is prepared, at once")
    moving.wait(lambda: "building the scene" in "".join(told.all_inner_texts()), "and how that goes on")
    moving.wait(lambda: "left" in "".join(told.all_inner_texts()), "how long it takes")
    said = told.inner_text()
    assert "left" in said and "MP4" in said
    before = moving.goal("right hand")["position"]
    moving.pull(moving.place("right hand"), (-20, -40))
    moving.wait(lambda: moving.goal("right hand")["position"] != before, "the hand where it was dragged")
    assert "%" in told.inner_text(), "the film is still being made"
    assert float(told.inner_text().split("… ")[1].split(" %")[0]) < 90
    moving.page.get_by_role("button", name="Cancel").click()
    moving.wait(lambda: "cancelled" in "".join(told.all_inner_texts()), "what has become of it")
    moving.wait(lambda: not told.count(), "nothing at work")
    assert "cancelled" in moving.page.locator(".notices").inner_text()
    moving.undo()
    moving.undo()
    moving.handle(HAND).click()


@pytest.mark.slow
def test_a_film_goes_along_with_who_walks(moving: Viewer, exported: Path) -> None:
    """At the end of the walk the figure had left the picture, while the page goes along with it."""
    viewer = moving
    viewer.choose("Walk six steps")
    viewer.page.get_by_text("Remove the keys").click()
    viewer.wait(lambda: viewer.clip is not None and len(viewer.clip.roots) > 40, "the walk")
    viewer.press("3")
    with av.open(str(export(viewer, "MP4", exported))) as film:
        frames = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    shown = [(frame[..., 0] - frame[..., 2] > 40).sum() for frame in frames]  # wood, in a blue room
    viewer.undo()
    assert shown[-1] > 0.6 * max(shown)


@pytest.mark.slow
def test_a_session_opens_again_by_drop(moving: Viewer, exported: Path) -> None:
    path = export(moving, "session", exported)
    keys, range_ = moving.goal(HAND)["keys"], moving.document["range"]
    moving.choose("Delete keys or goal")
    moving.wait(lambda: HAND not in [goal["name"] for goal in moving.document["goals"]], "one goal fewer")
    moving.drop(path)
    moving.wait(lambda: HAND in [goal["name"] for goal in moving.document["goals"]], "the session as it was kept")
    assert moving.goal(HAND)["keys"] == keys and moving.document["range"] == range_
    moving.undo()
    moving.undo()
    assert moving.goal(HAND)["keys"] == keys


@pytest.mark.slow
def test_a_page_plays_from_a_file(moving: Viewer, exported: Path, chrome: Browser) -> None:
    from studio.browser.viewer import page_from_disk

    path = export(moving, "HTML", exported)
    with page_from_disk(chrome, path, (480, 360)) as page:
        page.locator("canvas").wait_for()
        time = page.locator(".bar span")
        said = time.inner_text()
        page.wait_for_function("said => document.querySelector('.bar span').textContent !== said", arg=said)
        page.get_by_role("button", name="Pause").click()
        slider = page.get_by_label("Time")
        seen = []
        for share in ("0", "0.19"):
            slider.fill(share)
            seen.append(np.asarray(Image.open(_shot(page, exported)).convert("RGB")).astype(int))
    assert np.abs(seen[1] - seen[0]).max() > 60
    # The lines of the ground, beside the figure, are the same at all times.
    ground = [picture[-150:-110, :140].max(axis=-1) for picture in seen]
    assert np.ptp(ground[0]) > 15, "there are lines"
    assert np.abs(ground[1] - ground[0]).max() < 6


def _shot(page: object, folder: Path) -> Path:
    page.locator("canvas").screenshot(path=folder / "page.png")  # type: ignore[attr-defined]
    return folder / "page.png"
