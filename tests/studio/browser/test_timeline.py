"""Keys in the timeline: chosen, boxed, dragged, copied, rippled, deleted, pasted; curves; playing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

HAND, OTHER = "left hand", "right hand"
ALL = 0  # the row of whole poses


def frames_of(viewer: Viewer, goal: str = HAND) -> list[int]:
    return [key["frame"] for key in viewer.goal(goal)["keys"]]


def go_to(viewer: Viewer, frame: int) -> None:
    viewer.field("Frame", str(frame), ".transport")
    viewer.wait(lambda: viewer.document["frame"] == frame, f"frame {frame}")


def spot(viewer: Viewer, frame: float, row: int) -> np.ndarray:
    """`[2]` pixels of a frame in a row of the sheet; row 0 holds whole poses, the goals follow."""
    box = viewer.page.locator("canvas.keys").bounding_box()
    assert box is not None
    first, last = viewer.document["range"]
    scale = (box["width"] - 40) / (last - first)
    return np.array([box["x"] + 20 + (frame - first) * scale, box["y"] + 24 + 24 * row + 12])


def row(viewer: Viewer, goal: str) -> int:
    return 1 + [one["name"] for one in viewer.document["goals"]].index(goal)


def click(viewer: Viewer, frame: float, at: int) -> None:
    viewer.page.mouse.click(*spot(viewer, frame, at))


def slide(viewer: Viewer, frame: int, at: int, to: int, keys: tuple[str, ...] = ()) -> None:
    start = spot(viewer, frame, at)
    x, y = spot(viewer, to, at) - start
    viewer.pull(start, (float(x), float(y)), keys=keys)


def told(viewer: Viewer) -> list[object]:
    """All that tests of the timeline change."""
    return [viewer.document["range"], *(goal["keys"] for goal in viewer.document["goals"])]


def curve_spot(viewer: Viewer, frame: float, values: list[float], index: int) -> np.ndarray:
    """`[2]` pixels of one of these values at a frame, where the curves of no others are shown."""
    box = viewer.page.locator("canvas.keys").bounding_box()
    assert box is not None
    low, high = min(values), max(values)
    margin = max((high - low) * 0.15, 0.02 * max(1, abs(high)))
    share = (high + margin - values[index]) / (high - low + 2 * margin)
    return np.array([spot(viewer, frame, ALL)[0], box["y"] + 30 + share * (box["height"] - 38)])


def set_keys(viewer: Viewer) -> None:
    """Keys of the left hand at 0, 20 and 40, and of the right one at 20."""
    viewer.renew()
    for goal, frame in ((HAND, 0), (HAND, 20), (OTHER, 20), (HAND, 40)):
        go_to(viewer, frame)
        viewer.handle(goal).click()
        if frame:
            viewer.drag(goal, (10 if goal == HAND else -10, -30 if frame == 20 else 20))
        viewer.press("k")
        viewer.wait(lambda: frame in frames_of(viewer, goal), f"the key of {goal} at {frame}")  # noqa: B023


@pytest.fixture(scope="module")
def once(opened: Viewer) -> list[object]:
    """The keys that all tests here begin with, set by mouse and keyboard."""
    set_keys(opened)
    return told(opened)


@pytest.fixture
def keyed(opened: Viewer, once: list[object]) -> Iterator[Viewer]:
    """What a test before did is undone, as far as the keys."""
    while opened.document["can_undo"] and told(opened) != once:
        opened.undo()
    if told(opened) != once:
        set_keys(opened)
    opened.settle()
    yield opened
    assert opened.problems == []


@pytest.mark.slow
def test_keys_are_clicked_dragged_copied_and_rippled(keyed: Viewer) -> None:
    slide(keyed, 20, row(keyed, HAND), 25)
    keyed.wait(lambda: frames_of(keyed) == [0, 25, 40], "the key at 25")
    assert frames_of(keyed, OTHER) == [20]
    slide(keyed, 25, row(keyed, HAND), 30, keys=("Alt",))
    keyed.wait(lambda: frames_of(keyed) == [0, 25, 30, 40], "the copy at 30")
    slide(keyed, 30, row(keyed, HAND), 35, keys=("Shift",))
    keyed.wait(lambda: frames_of(keyed) == [0, 25, 35, 45], "the keys after it make room")
    keyed.press("Control+z")
    keyed.wait(lambda: frames_of(keyed) == [0, 25, 30, 40], "one undo for the whole drag")


@pytest.mark.slow
def test_a_whole_pose_moves_by_its_column_and_a_box_chooses_what_is_deleted(keyed: Viewer) -> None:
    slide(keyed, 20, ALL, 30)
    keyed.wait(lambda: frames_of(keyed) == [0, 30, 40] and frames_of(keyed, OTHER) == [30], "the column at 30")
    start, above = spot(keyed, 25, row(keyed, HAND)), np.array([0, 6])
    x, y = spot(keyed, 45, row(keyed, OTHER)) - start + 2 * above
    keyed.pull(start - above, (float(x), float(y)))
    keyed.press("Delete")
    keyed.wait(lambda: frames_of(keyed) == [0] and frames_of(keyed, OTHER) == [], "the boxed keys are gone")


@pytest.mark.slow
def test_keys_are_copied_and_pasted_at_the_frame_and_change_their_curve(keyed: Viewer) -> None:
    click(keyed, 20, row(keyed, HAND))
    keyed.press("Control+c")
    go_to(keyed, 60)
    keyed.press("Control+v")
    keyed.wait(lambda: frames_of(keyed) == [0, 20, 40, 60], "the pasted key")
    pasted, copied = keyed.goal(HAND)["keys"][3], keyed.goal(HAND)["keys"][1]
    assert pasted["position"] == copied["position"]
    keyed.page.get_by_title("Interpolation from the selected keys to the next").select_option("step")
    keyed.wait(lambda: keyed.goal(HAND)["keys"][1]["interpolation"] == "step", "the step")
    assert keyed.goal(HAND)["keys"][2]["interpolation"] == "cubic"


@pytest.mark.slow
def test_curves_have_keys_and_handles_to_drag(keyed: Viewer) -> None:
    keyed.page.get_by_role("button", name="Curves").click()
    for channel in ("x", "z"):
        keyed.page.locator(".channels").get_by_label(channel, exact=True).uncheck()
    values = [key["position"][1] for key in keyed.goal(HAND)["keys"]]
    at = curve_spot(keyed, 20, values, 1)
    keyed.pull(at, (0, 15))
    keyed.wait(lambda: keyed.goal(HAND)["keys"][1]["position"][1] < values[1] - 1e-3, "a lower key")
    keyed.press("Control+z")
    keyed.wait(lambda: keyed.goal(HAND)["keys"][1]["position"][1] == values[1], "the undo")
    keyed.frames()  # until the curve is drawn so
    keyed.page.mouse.click(*at)  # chooses it: its handles show, along the slope between its neighbours
    keyed.frames()
    scale = spot(keyed, 1, 0)[0] - spot(keyed, 0, 0)[0]
    rise = (at[1] - curve_spot(keyed, 20, [*values, values[1] + (values[2] - values[0]) / 40], 3)[1]) / scale
    handle = at + 42 / np.hypot(1, rise) * np.array([1, -rise])
    keyed.pull(handle, (-8, -24))
    steeper = (values[2] - values[0]) / 40 * keyed.document["fps"] + 0.1
    keyed.wait(lambda: (keyed.goal(HAND)["keys"][1]["velocity"] or [0, -np.inf])[1] > steeper, "the handle")
    for channel in ("x", "z"):
        keyed.page.locator(".channels").get_by_label(channel, exact=True).check()
    keyed.page.get_by_role("button", name="Keys", exact=True).click()


@pytest.mark.slow
def test_a_pole_is_keyed_and_has_curves(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.page.get_by_role("button", name="Pole").click()
    viewer.wait(lambda: viewer.goal(HAND)["pole"] is not None, "the pole")
    viewer.press("k")
    go_to(viewer, 20)
    viewer.drag(HAND, (20, 60), kind="pole")
    viewer.press("k")
    viewer.wait(lambda: frames_of(viewer) == [0, 20] and viewer.clip is not None, "two keys")
    viewer.settle()
    first, last = viewer.goal(HAND)["keys"]
    assert first["position"] == last["position"] and first["pole"] != last["pole"]
    assert viewer.clip is not None
    assert np.abs(viewer.clip.rotations[20] - viewer.clip.rotations[0]).max() > 0.01  # the elbow swings
    viewer.page.get_by_role("button", name="Curves").click()
    for channel in ("x", "y", "z"):
        viewer.page.locator(".channels").get_by_label(channel, exact=True).uncheck()
    viewer.page.locator(".channels").get_by_label("pole y", exact=True).check()
    viewer.frames()
    start = curve_spot(viewer, 20, [key["pole"][1] for key in (first, last)], 1)
    viewer.pull(start, (0, -20))
    viewer.wait(lambda: viewer.goal(HAND)["keys"][1]["pole"][1] > last["pole"][1] + 1e-3, "the raised pole")
    viewer.page.locator(".channels").get_by_label("pole y", exact=True).uncheck()
    for channel in ("x", "y", "z"):
        viewer.page.locator(".channels").get_by_label(channel, exact=True).check()
    viewer.page.get_by_role("button", name="Keys", exact=True).click()


@pytest.mark.slow
def test_auto_key_is_seen_and_keys_what_is_moved(viewer: Viewer) -> None:
    light = viewer.page.locator(".auto-key")
    assert "off" in light.inner_text()
    viewer.press("a")
    viewer.wait(lambda: viewer.document["auto_key"], "auto-key")
    assert "on" in light.inner_text() and "lit" in (light.get_attribute("class") or "")
    go_to(viewer, 10)
    viewer.drag(HAND, (10, -30))
    viewer.wait(lambda: frames_of(viewer) == [10], "the key")
    assert frames_of(viewer, OTHER) == []
    viewer.press("a")
    viewer.wait(lambda: not viewer.document["auto_key"], "auto-key off")


@pytest.mark.slow
def test_it_plays_at_a_speed_loops_or_stops_and_is_scrubbed(keyed: Viewer) -> None:
    frame = keyed.page.get_by_label("Frame", exact=True)
    keyed.field("to", "40", ".transport")
    keyed.wait(lambda: keyed.document["range"] == [0, 40], "the range")
    keyed.page.get_by_title("Playback speed").select_option("4")
    keyed.press("Home")
    keyed.press(" ")
    seen = []
    keyed.wait(lambda: bool(seen.append(int(frame.input_value())) or seen[-1] < max(seen)), "it comes round again")
    keyed.page.get_by_role("button", name="Loop").click()
    keyed.wait(lambda: keyed.document["frame"] == 40, "it stops at the end")
    assert keyed.page.get_by_role("button", name="Play", exact=True).is_visible()
    at_end = keyed.turn("upper_arm_l")
    start = spot(keyed, 40, 0)
    start[1] -= 24
    keyed.pull(start, (float(spot(keyed, 10, 0)[0] - start[0]), 0))
    keyed.wait(lambda: keyed.document["frame"] == 10, "the frame under the mouse")
    keyed.settle()
    assert abs(keyed.turn("upper_arm_l") @ at_end) < 0.9999
    keyed.page.get_by_role("button", name="Loop").click()
    keyed.page.get_by_title("Playback speed").select_option("1")


@pytest.mark.slow
def test_a_frame_typed_while_it_plays_stops_there(keyed: Viewer) -> None:
    keyed.press("Home")
    keyed.press(" ")
    keyed.page.get_by_role("button", name="Pause", exact=True).wait_for()
    frame = keyed.page.get_by_label("Frame", exact=True)
    frame.click()
    shown = frame.input_value()
    keyed.wait(lambda: frame.input_value() != shown, "it plays on under the cursor")
    keyed.page.keyboard.type("33")
    assert frame.input_value() == "33"
    assert keyed.page.get_by_role("button", name="Play", exact=True).is_visible()
    keyed.press("Enter")
    keyed.wait(lambda: keyed.document["frame"] == 33, "the frame that was typed")
    keyed.settle()
    assert frame.input_value() == "33"
    frame.blur()


@pytest.mark.slow
def test_a_frame_typed_past_the_end_goes_to_the_last_one_and_scrolls_nothing(keyed: Viewer) -> None:
    last = keyed.document["range"][1]
    go_to(keyed, last)
    sheet = keyed.page.locator("canvas.keys")
    keyed.settle()
    before = sheet.screenshot()
    keyed.field("Frame", str(5 * last), ".transport")
    keyed.page.locator(".working", has_text=f"the motion ends at frame {last}").wait_for()
    keyed.settle()
    assert keyed.document["frame"] == last
    assert sheet.screenshot() == before, "the keys stay where they were"


@pytest.mark.slow
def test_field_and_playhead_never_go_back_to_what_the_session_said_before(keyed: Viewer) -> None:
    """Both show the frame that was asked for last, until the session has answered all."""
    field = keyed.page.get_by_role("textbox", name="Frame", exact=True)
    frames = keyed.page.evaluate(
        """async () => {
          const [sheet, seen] = [document.querySelector('canvas.keys'), []];
          const field = document.querySelector('.transport .Frame input');
          const box = sheet.getBoundingClientRect();
          const point = (kind, x) => sheet.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: box.y + 8, button: 0, buttons: 1, pointerId: 1, bubbles: true }));
          sheet.setPointerCapture = () => {};
          point('pointerdown', box.x + 30);
          for (let x = 30; x < box.width - 60; x += 6) {
            point('pointermove', box.x + x);
            await new Promise((done) => setTimeout(done, 8));
            seen.push(Number(field.value));
          }
          point('pointerup', box.x + box.width - 60);
          sheet.dispatchEvent(new PointerEvent('lostpointercapture', { pointerId: 1 }));
          delete sheet.setPointerCapture;
          for (let k = 0; k < 60; k++) {
            await new Promise((done) => setTimeout(done, 20));
            seen.push(Number(field.value));
          }
          return seen;
        }"""  # noqa: E501
    )
    assert frames[-1] > 60 and np.all(np.diff(frames) >= 0), frames
    keyed.settle()
    assert keyed.document["frame"] == frames[-1]
    for _ in range(2):  # the second time it is at the end already: the document has no news
        field.fill("500")
        field.press("Enter")
        keyed.wait(lambda: field.input_value() == str(keyed.document["range"][1]), "the end of what plays")
    assert keyed.document["frame"] == keyed.document["range"][1]
    keyed.field("to", "130", ".transport")  # the sheet shows its whole range again, for the tests that follow
    keyed.wait(lambda: keyed.document["range"][1] == 130, "another range")


@pytest.mark.slow
def test_ghosts_and_paths_are_drawn(keyed: Viewer) -> None:
    go_to(keyed, 20)
    keyed.handle(HAND).click()
    plain = keyed.picture()
    for key, ink in (("t", "the path"), ("o", "the ghosts")):
        keyed.press(key)
        drawn = keyed.picture()
        assert (np.abs(drawn - plain).max(axis=-1) > 40).sum() > 40, ink
        keyed.press(key)


@pytest.mark.slow
def test_in_the_curves_a_key_moves_in_time_and_turns(keyed: Viewer) -> None:
    keyed.handle(HAND).click()
    keyed.page.get_by_role("button", name="Curves").click()
    names = keyed.page.locator(".names.channels")
    for channel in ("x", "z"):
        names.get_by_label(channel, exact=True).uncheck()
    try:
        heights = [key["position"][1] for key in keyed.goal(HAND)["keys"]]
        start = curve_spot(keyed, 20, heights, 1)
        keyed.pull(start, (float(spot(keyed, 26, ALL)[0] - start[0]), 0.0))
        keyed.wait(lambda: frames_of(keyed) == [0, 26, 40], "the key at 26")
        assert [key["position"][1] for key in keyed.goal(HAND)["keys"]] == pytest.approx(heights)
        keyed.undo()
        keyed.wait(lambda: frames_of(keyed) == [0, 20, 40], "the key where it was")
        keyed.settle()  # the curve is drawn there again
        start = curve_spot(keyed, 20, heights, 1)
        keyed.pull(start, (float(spot(keyed, 24, ALL)[0] - start[0]), -12.0))
        keyed.wait(lambda: frames_of(keyed) == [0, 24, 40], "the key at 24")
        assert keyed.goal(HAND)["keys"][1]["position"][1] > heights[1] + 0.005
        keyed.undo()
        keyed.wait(lambda: frames_of(keyed) == [0, 20, 40], "one undo for both")
        names.get_by_label("y", exact=True).uncheck()
        names.get_by_label("turn z", exact=True).check()
        turned = keyed.goal(HAND)["keys"][1]["rotation"]
        box = keyed.page.locator("canvas.keys").bounding_box()
        assert box is not None
        place = next(
            (spot(keyed, 20, ALL)[0], box["y"] + y)
            for y in range(30, int(box["height"]) - 6, 5)
            if _is_key(keyed, spot(keyed, 20, ALL)[0], box["y"] + y)
        )
        keyed.pull(np.array(place), (0.0, -15.0))
        keyed.wait(lambda: keyed.goal(HAND)["keys"][1]["rotation"] != turned, "another rotation")
    finally:
        for channel, on in (("x", True), ("y", True), ("z", True), ("turn z", False)):
            names.get_by_label(channel, exact=True).set_checked(on)
        keyed.page.get_by_role("button", name="Keys", exact=True).click()


def _is_key(viewer: Viewer, x: float, y: float) -> bool:
    """Whether a press there chooses a key."""
    viewer.page.mouse.click(x, y)
    viewer.frames(2)
    return viewer.page.get_by_title("Interpolation from the selected keys to the next").is_enabled()


@pytest.mark.slow
def test_keys_loop_and_the_camera_stays_while_a_motion_in_its_place_is_scrubbed(keyed: Viewer) -> None:
    keyed.page.get_by_role("button", name="Cyclic keys").click()
    keyed.wait(lambda: keyed.document["cyclic"], "the loop")
    keyed.settle()
    first, last = keyed.document["range"]
    assert keyed.clip is not None
    np.testing.assert_allclose(keyed.clip.rotations[last - first], keyed.clip.rotations[0], atol=2e-3)
    feet = []
    for frame in (0, 20, 35):
        go_to(keyed, frame)
        keyed.settle()
        feet.append(keyed.place("left foot"))
    assert np.abs(np.array(feet) - feet[0]).max() < 1.0


def test_the_key_at_the_frame_is_copied_where_none_is_chosen(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    viewer.press("k")
    viewer.wait(lambda: frames_of(viewer) == [0], "the first key")
    viewer.page.evaluate("document.activeElement?.blur()")
    viewer.press("Escape")
    viewer.handle(HAND).click()
    viewer.press("Control+c")
    go_to(viewer, 30)
    viewer.press("Control+v")
    viewer.wait(lambda: frames_of(viewer) == [0, 30], "its copy")
