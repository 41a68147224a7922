"""Panels that fold and split, from a large screen to a phone; bones, ghosts and keys on a path as one sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studio.browser.viewer import Viewer

HAND = "left hand"


@pytest.fixture
def sized(viewer: Viewer) -> Iterator[Viewer]:
    """A page whose size is set back."""
    before = viewer.page.viewport_size
    assert before is not None
    yield viewer
    viewer.page.set_viewport_size(before)
    viewer.frames(4)


def box(viewer: Viewer, part: str) -> dict[str, float]:
    found = viewer.page.locator(part).first.bounding_box()
    assert found is not None, part
    return {side: float(found[side]) for side in ("x", "y", "width", "height")}


@pytest.mark.parametrize(
    "widths",
    [(800, 1000, 1100, 1280, 1920), pytest.param((860, 1060, 1200, 1500, 1900, 2300, 2560), marks=pytest.mark.slow)],
)
def test_the_toolbar_fits_the_width(sized: Viewer, widths: tuple[int, ...]) -> None:
    sized.handle(HAND).click()  # its switch says IK
    for width in widths:
        sized.page.set_viewport_size({"width": width, "height": 900})
        sized.frames(6)
        for bar in (".toolbar", ".transport"):
            wide, shown = sized.page.locator(bar).evaluate("bar => [bar.scrollWidth, bar.clientWidth]")
            assert wide <= shown, f"the buttons at the end of {bar} are cut off at {width}"


@pytest.mark.slow
def test_what_has_no_room_on_a_narrow_page_is_in_the_menu_more(sized: Viewer) -> None:
    sized.page.set_viewport_size({"width": 800, "height": 700})
    sized.frames(6)
    for bar in (".toolbar", ".transport"):
        spare = sized.page.locator(f"{bar} .spare[data-action], {bar} .spare [data-action]")
        names = [one.get_attribute("aria-label") for one in spare.all()]
        assert len(names) > 6 and not any(one.is_visible() for one in spare.all())
        sized.page.locator(f"{bar} .more").get_by_role("button", name="More").click()
        items = sized.page.locator(f"{bar} .more").get_by_role("menuitem")
        said = items.all_inner_texts()
        assert all(any(str(name) in one for one in said) for name in names), (names, said)
        inside = box(sized, f"{bar} .more .menu-list")
        assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 800
        assert inside["y"] >= 0 and inside["y"] + inside["height"] <= 700
        sized.press("Escape")


@pytest.mark.parametrize("size", [(2560, 1300), (1280, 800), (1000, 700), (800, 600), (390, 760)])
def test_every_size_has_room_for_the_figure(sized: Viewer, size: tuple[int, int]) -> None:
    sized.page.set_viewport_size({"width": size[0], "height": size[1]})
    sized.frames(6)
    view = box(sized, ".viewport")
    assert view["width"] > 0.5 * size[0] and view["height"] > 0.45 * size[1]
    assert view["x"] >= 0 and view["x"] + view["width"] <= size[0] + 1
    play = box(sized, ".tool.play")
    assert play["x"] + play["width"] <= size[0] and play["y"] + play["height"] <= size[1]
    assert sized.page.locator(".wide-word").first.is_visible() == (size[0] >= 1900), "words where there is room"
    sides = [sized.page.locator(f".side.{name}").is_visible() for name in ("left", "right")]
    assert sides == [size[0] > 500] * 2, "a phone only looks"
    assert sized.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_names_of_joints_and_layers_are_read_on_a_tablet(sized: Viewer) -> None:
    sized.page.set_viewport_size({"width": 800, "height": 1024})
    sized.frames(6)
    names = sized.page.locator(".tree-name, .layer-name")
    rooms = names.evaluate_all("(parts) => parts.map((part) => [part.textContent, part.scrollWidth, part.clientWidth])")
    assert len(rooms) > 50 and [name for name, wide, shown in rooms if wide > shown] == []


COLOURS = """() => [...document.querySelectorAll('button:not([data-action=theme]), summary, .row')].map((part) => {
  const { backgroundColor, color } = getComputedStyle(part);
  return `${part.ariaLabel || part.textContent}: ${color} on ${backgroundColor}`;
})"""


@pytest.mark.slow
def test_a_theme_has_its_colours_at_once(viewer: Viewer) -> None:
    """Texts are never in the new one's colour on the old one's, as they would be if backgrounds went over slowly."""
    for _ in range(2):
        at_once = viewer.page.evaluate(
            f"() => (document.querySelector('[data-action=theme]').click(), {COLOURS.replace('() =>', '(() =>')})())"
        )
        viewer.page.wait_for_timeout(500)
        assert at_once == viewer.page.evaluate(COLOURS)


PARTS = {"left": "The left panel", "right": "The right panel", "time": "The timeline"}


@pytest.mark.parametrize(
    ("name", "part", "by"),
    [("left", ".side.left", (60, 0)), ("right", ".side.right", (-60, 0)), ("time", ".timeline", (0, -60))],
)
def test_panels_are_split_by_mouse_and_keys_and_fold(viewer: Viewer, name: str, part: str, by: tuple[int, int]) -> None:
    edge, along = f".split.{name}", "height" if name == "time" else "width"
    before, at = box(viewer, part)[along], box(viewer, edge)
    viewer.pull(np.array([at["x"] + at["width"] / 2, at["y"] + at["height"] / 2]), by)
    viewer.frames(4)
    wide = box(viewer, part)[along]
    assert wide == pytest.approx(before + 60, abs=3)
    viewer.page.locator(edge).focus()
    viewer.press({"left": "ArrowLeft", "right": "ArrowRight", "time": "ArrowDown"}[name])
    viewer.frames(4)
    assert box(viewer, part)[along] == pytest.approx(wide - 16, abs=3)
    view = box(viewer, ".viewport")
    viewer.press("Enter")
    viewer.frames(4)
    larger = box(viewer, ".viewport")
    assert larger["width"] * larger["height"] > 1.05 * view["width"] * view["height"]
    viewer.page.get_by_role("button", name=PARTS[name]).click()
    viewer.frames(4)
    assert box(viewer, part)[along] == pytest.approx(wide - 16, abs=3)
    viewer.page.evaluate("localStorage.removeItem('posable.sizes')")


def test_bones_are_solid(viewer: Viewer) -> None:
    skin = viewer.picture()
    viewer.press("b")
    bones = viewer.picture()
    changed = (np.abs(bones - skin).max(axis=2) > 25).sum()
    viewer.press("b")
    assert changed > 2500, "lines of one pixel would change a tenth"


def yellow(viewer: Viewer) -> int:
    """How many pixels have the colour of limits."""
    red, green, blue = np.moveaxis(viewer.picture(), 2, 0)
    return int(((red > 190) & (green > 140) & (green < 215) & (blue < 120)).sum())


@pytest.mark.slow
def test_a_limb_whose_goal_is_chosen_is_not_buried_in_its_limits(viewer: Viewer) -> None:
    bare = yellow(viewer)  # a wooden figure is yellow too
    viewer.choose("Select joint hand_l")
    limits = yellow(viewer) - bare
    viewer.choose("Select goal left hand")
    assert yellow(viewer) - bare < 0.25 * limits and limits > 40


@pytest.mark.slow
def test_ghosts_are_shapes_and_a_key_on_the_path_is_dragged(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: viewer.goal(HAND)["keys"], "the first key")
    viewer.field("Frame", "30", ".transport")
    viewer.wait(lambda: viewer.document["frame"] == 30, "the frame")
    viewer.drag(HAND, (60, -150))
    viewer.press("k")
    viewer.wait(lambda: len(viewer.goal(HAND)["keys"]) == 2, "the second key")
    viewer.field("Frame", "15", ".transport")
    viewer.wait(lambda: viewer.document["frame"] == 15, "the frame between")
    viewer.settle()
    plain = viewer.picture()
    viewer.press("o")
    ghosts = viewer.picture()
    assert (np.abs(ghosts - plain).max(axis=2) > 12).sum() > 4000
    viewer.press("o")
    viewer.press("t")
    viewer.frames(4)
    dots = viewer.page.locator(".path-key")
    assert dots.count() == 2
    spot = dots.nth(1).bounding_box()
    assert spot is not None
    before, other = (np.array(key["position"]) for key in reversed(viewer.goal(HAND)["keys"]))

    def moved() -> float:
        return float(np.abs(np.array(viewer.goal(HAND)["keys"][1]["position"]) - before).max())

    viewer.pull(np.array([spot["x"] + 12, spot["y"] + 12]), (40, -20))
    viewer.wait(lambda: moved() > 0.03, "the key elsewhere")
    np.testing.assert_allclose(viewer.goal(HAND)["keys"][0]["position"], other)
    viewer.settle()
    viewer.undo()
    viewer.wait(lambda: np.allclose(viewer.goal(HAND)["keys"][1]["position"], before), "one step back")
    dots.nth(0).click()
    viewer.wait(lambda: viewer.document["frame"] == 0, "the frame of the key that is clicked")
    viewer.press("t")
