"""An exported page opened from disk: its handles are dragged, and what the page has solved is checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable
from posable.browser.record import live_parts
from posable.figures import merge_figures
from posable.motion.transfer.over_the_feet import convex_hull, out_of_hulls
from posable.studio.balancing import body_of
from posable.studio.widget import Posing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LivePage = Callable[..., "Page"]


@pytest.fixture
def live_page(chrome: Browser) -> Iterator[LivePage]:
    """A page of a file whose figure can be dragged; `page_from_disk` says what it must not do."""
    from studio.browser.viewer import page_from_disk

    def opened(path: Path, size: tuple[int, int] = (800, 600)) -> Page:
        page = pages.enter_context(page_from_disk(chrome, path, size))
        page.wait_for_function("window.posableLive", timeout=60_000)
        return page

    with ExitStack() as pages:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dragged"), [("mannequin", "hand_r"), ("arm6", "tool")])
def test_a_figure_is_dragged_in_a_page_from_disk(live_page: LivePage, tmp_path: Path, name: str, dragged: str) -> None:
    figure = posable.figure(name)
    posable.show(figure, browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    rest = figure.rest.origins
    x, y = page.evaluate("name => posableLive.screen(name)", dragged)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x - 4 * step, y - 12 * step)
    page.mouse.up()
    assert page.evaluate("posableLive.status") == "reached"
    assert np.abs(np.array(page.evaluate("name => posableLive.screen(name)", dragged)) - (x - 32, y - 96)).max() < 1
    pose = posable.Pose(figure.skeleton, list(page.evaluate("Array.from(posableLive.pose)")))
    where = np.array(page.evaluate("name => posableLive.position(name)", dragged))
    joint = figure.skeleton.index(dragged)
    assert np.abs(pose.origins[joint] - where).max() < 1e-9  # the page's forward kinematics is Python's
    assert np.linalg.norm(pose.origins[joint] - rest[joint]) > 0.05
    for foot in ("foot_l", "foot_r") if name == "mannequin" else ():
        assert np.abs(pose.origins[figure.skeleton.index(foot)] - rest[figure.skeleton.index(foot)]).max() < 1e-4
    page.keyboard.press("r")
    assert page.evaluate("posableLive.figure.rest.every((one, i) => one === posableLive.pose[i])")


@pytest.mark.slow
def test_a_person_moves_in_a_page_as_a_person(live_page: LivePage, tmp_path: Path) -> None:
    """A hand is taken far down and ahead: the trunk goes along, feet stand flat, and Python has the same pose."""
    figure = posable.figure("mannequin")
    posable.show(figure, browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    posing, pose, skeleton = Posing(figure), figure.rest, figure.skeleton
    for x, y, z in ((-0.1, -0.3, 0.2), (-0.1, -0.7, 0.45)):
        script = """([x, y, z]) => {
            const live = posableLive
            live.balances = false // which Python does not keep
            live.hold("hand_r")
            live.rest ??= live.dots.get("hand_r").position.clone()
            const to = live.rest.clone()
            to.set(to.x + x, to.y + y, to.z + z)
            live.reach("hand_r", to)
            return [Array.from(live.pose), to.toArray()]
        }"""
        found, to = page.evaluate(script, [x, y, z])
        pose = posing.solved(pose, {"hand_r": to}, ["hand_r"]).pose
        assert np.abs(np.array(found) - pose.q).max() < 1e-7
    page.screenshot(path=str(tmp_path / "page.png"))
    head, foot = skeleton.index("head"), skeleton.index("foot_l")
    assert pose.origins[head, 2] > figure.rest.origins[head, 2] + 0.15
    assert np.abs(pose.world_from_joint[foot] - figure.rest.world_from_joint[foot]).max() < 1e-4


LED = """to => {
    const live = posableLive, from = live.dots.get("hand_r").position.clone(), at = from.clone().set(...to), poses = []
    live.hold("hand_r")
    for (let k = 1; k <= 60; k++) {
        live.reach("hand_r", from.clone().lerp(at, k / 60))
        poses.push(Array.from(live.pose))
    }
    return [poses, live.status]
}"""


@pytest.mark.slow
def test_a_hand_stops_in_a_page_where_the_figure_still_stands(live_page: LivePage, tmp_path: Path) -> None:
    """Pinned feet and a hand that was met made a plank, its centre of mass 15 cm ahead of the toes. B allows that."""
    figure = posable.figure("mannequin")
    posable.show(figure, browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    body, skeleton = body_of(figure), figure.skeleton
    corners = np.vstack([sole.corner_places(figure.rest) for sole in body.soles])[:, [0, 2]]
    masses = np.array([joint.mass for joint in body.heavy.skeleton.definitions])

    def led(to: tuple[float, float, float]) -> tuple[list[posable.Pose], float, str]:
        """The poses, how far the centre of mass is out of the soles in the end, and what is said."""
        found, said = page.evaluate(LED, list(to))
        poses = [posable.Pose(skeleton, q) for q in found]
        world = poses[-1].world_from_joint
        centers = (world[:, :3, :3] @ body.centers[..., None])[..., 0] + world[:, :3, 3]
        center = (masses @ centers / masses.sum())[None, [0, 2]]
        return poses, float(out_of_hulls(center, convex_hull(corners)[None])[0][0]), said

    hand, feet = skeleton.index("hand_r"), [skeleton.index(f"foot_{side}") for side in "lr"]
    for to in ((-0.2, 0.9, 1.2), (-1.3, 1.2, 0.1)):
        poses, out, said = led(to)
        assert out < 0.0 and said.endswith("% of the figure's size short: further, it would tip over")
        steps = np.linalg.norm(np.diff([pose.origins[hand] for pose in poses], axis=0), axis=1)
        assert steps.max() < 0.03, "the hand does not leap"
        assert np.abs(poses[-1].origins[feet] - figure.rest.origins[feet]).max() < 1e-4
        poses, out, said = led((-0.3, 1.1, 0.4))
        np.testing.assert_allclose(poses[-1].origins[hand], (-0.3, 1.1, 0.4), atol=2e-3)
        assert said == "reached" and out < 0.0
    page.keyboard.press("b")
    _, out, said = led((-0.2, 0.9, 1.2))
    assert out > 0.1 and said == "reached"


PLAYED = """() => {
    const live = posableLive
    const at = (name) => live.figure.position(live.pose, name)
    const [spot, head] = [live.screen("hand_r"), live.screen("head")]
    return { hand: at("hand_r"), foot: at("foot_l"), pose: Array.from(live.pose), spot, head }
}"""

# Between two steps of a script the motion goes on, and the handle is no longer where it was seen.
TAKEN_AT_ONCE = """() => {
    const [clientX, clientY] = posableLive.screen("hand_r")
    document.querySelector("canvas").dispatchEvent(new PointerEvent("pointerdown", { clientX, clientY, bubbles: true }))
}"""


@pytest.mark.slow
def test_a_page_that_plays_a_motion_stops_where_a_handle_is_taken(live_page: LivePage, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    clip = posable.walk(figure, steps=4)
    posable.show(figure, clip, browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    page.wait_for_function("window.posableLive && document.querySelector('input[type=range]').value > 0.2")
    page.get_by_role("button", name="Pause").click()
    slider = page.get_by_label("Time")
    slider.fill("1")
    found = page.evaluate(PLAYED)
    frame = round(clip.fps)
    pose = clip.poses[frame]
    assert np.abs(np.array(found["pose"]) - pose.q).max() < 1e-6, "the handles are where the motion is"
    page.get_by_role("button", name="Play").click()  # a handle is taken while it runs
    page.evaluate(TAKEN_AT_ONCE)
    assert page.get_by_role("button", name="Play").count() == 1, "it stops"
    taken = page.evaluate(PLAYED)
    start, head = np.array(taken["spot"]), np.array(taken["head"])
    for step in range(1, 7):  # towards the head, which every frame of the walk can reach
        page.mouse.move(*(start + step / 15 * (head - start)))
    page.mouse.up()
    moved = page.evaluate(PLAYED)
    assert page.evaluate("posableLive.status") == "reached"
    assert np.linalg.norm(np.subtract(moved["hand"], taken["hand"])) > 0.08
    assert np.linalg.norm(np.subtract(moved["foot"], taken["foot"])) < 1e-3
    near = np.abs(clip.q - np.array(taken["pose"])).max(axis=1)
    assert near.min() < 1e-6, "it was dragged from a frame of the motion"
    page.screenshot(path=str(tmp_path / "dragged.png"))
    slider.fill("1")
    again = page.evaluate(PLAYED)
    assert np.abs(np.array(again["pose"]) - pose.q).max() < 1e-6, "the motion is as it was"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["characters/RobotExpressive_quantized", "rigs/dinosaurs_pack_Triceratops"])
def test_figures_of_packed_files_and_of_skins_askew_stand_in_a_page(
    live_page: LivePage, shared: Path, tmp_path: Path, name: str
) -> None:
    """The first one is packed by meshoptimizer and was not shown; the other one hovered by a quarter of its size."""
    figure = posable.load(shared / f"{name}.glb")
    posable.show(figure, figure.rest, browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    said = page.evaluate(STANDING)
    lowest = min(skin.deform(figure.rest)[:, 1].min() for skin in figure.skins)
    assert said["ground"] == pytest.approx(min(0.0, lowest), abs=0.02 * figure.height)
    assert said["lowest"] == pytest.approx(lowest, abs=0.02 * figure.height)


STANDING = """() => {
    const { scene } = posableLive.stage, at = scene.position.clone()
    let [figure, lowest] = [posableLive.joints[0].node, Infinity]
    while (figure.parent !== scene) figure = figure.parent
    figure.traverse((mesh) => {
        for (let k = 0; mesh.isMesh && k < mesh.geometry.attributes.position.count; k++)
            lowest = Math.min(lowest, mesh.getVertexPosition(k, at).applyMatrix4(mesh.matrixWorld).y)
    })
    return { lowest, ground: scene.children[0].position.y }
}"""

SEEN = """() => {
    const bars = Math.min(...[...document.querySelectorAll(".bar")].map((bar) => bar.getBoundingClientRect().top))
    const at = posableLives.flatMap((live) => live.told.handles.map((name) => live.screen(name)))
    return [at, [innerWidth, bars]]
}"""


@pytest.mark.slow
def test_each_of_two_figures_is_dragged_in_a_page_and_seen_whole(live_page: LivePage, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    both = merge_figures({"one": figure, "two": figure}, {"two": (1.5, 0.0, 0.0)})
    posable.show(both, posable.motion.move(both.rest, both.rest, 1.0), browser=False).save(tmp_path / "page.html")
    page = live_page(tmp_path / "page.html")
    for width, height in ((800, 600), (390, 700)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.get_by_role("button", name="Pause").click()  # it is framed when there is something to play
        at, least = page.evaluate(SEEN)
        assert len(at) == 12 and np.min(at) > 0 and np.all(np.max(at, axis=0) < least), "no handle is under a bar"
    before = page.evaluate("posableLives.map((live) => Array.from(live.pose))")
    x, y = page.evaluate("posableLives[1].screen('two/hand_r')")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y + 30)
    page.mouse.up()
    poses, said = page.evaluate("[posableLives.map((live) => Array.from(live.pose)), posableLives[1].status]")
    assert said == "reached" and poses[0] == before[0] and poses[1] != before[1]
    page.get_by_role("button", name="Reset").click()
    assert page.evaluate("posableLives.map((live) => Array.from(live.pose))") == before
    balance = page.get_by_role("button", name="Balance")
    balance.click()
    assert balance.get_attribute("aria-pressed") == "false"
    assert page.evaluate("posableLives.map((live) => live.balances)") == [False, False]


def test_a_page_has_handles_with_and_without_a_motion() -> None:
    figure = posable.figure("arm6")
    clip = posable.motion.move(figure.rest, figure.rest.plus(np.full(6, 0.3)), 0.2)
    assert 'id="live"' in posable.show(figure, browser=False).text
    assert 'id="live"' in posable.show(figure, clip, browser=False).text


def test_the_hips_are_dragged_where_they_are_and_not_by_a_root_on_the_floor(shared: Path) -> None:
    skeleton = posable.load(shared / "characters/RobotExpressive.glb").skeleton
    told = json.loads(live_parts(skeleton, {}))
    assert posable.roles(skeleton)["hips"] not in told["handles"] and told["loose"][-1] in told["handles"]
    hips = skeleton.index(told["loose"][-1])
    height = posable.Pose(skeleton, skeleton.rest_coordinates).origins[:, 1]
    assert 0.2 < height[hips] / height.max() < 0.7
    assert told["loose"][-1] in told["frozen"]
