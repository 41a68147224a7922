"""The skin: weights as colours, the brush, and the binding of a mesh that has no joints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

HAND = "left hand"

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from studio.browser.viewer import Server, Viewer


def weights(viewer: Viewer, folder: Path, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """`[vertex, 3]` and `[vertex]` of the figure that the page has: its vertices, and their weights of a joint."""
    key = viewer.page.evaluate("sessionStorage.getItem('posable.key')")
    answer = viewer.context.request.get(viewer.page.url + "api/figure.glb", headers={"X-Posable-Key": key})
    (folder / "shown.glb").write_bytes(answer.body())
    figure = posable.load(folder / "shown.glb")
    skin = figure.skins[0]
    own = skin.joints == figure.skeleton.index(joint)
    return skin.vertices, np.where(own, skin.weights, 0).sum(axis=1)


@pytest.mark.slow
def test_a_brush_changes_weights_on_both_sides(viewer: Viewer, tmp_path: Path) -> None:
    plain = viewer.picture()
    viewer.choose("Select joint forearm_l")
    viewer.press("w")
    assert (np.abs(viewer.picture() - plain).max(axis=-1) > 40).mean() > 0.02  # the skin in other colours
    _, left = weights(viewer, tmp_path, "upper_arm_l")
    _, right = weights(viewer, tmp_path, "upper_arm_r")
    viewer.choose("Select joint upper_arm_l")
    viewer.page.get_by_label("Paint").check()
    viewer.page.get_by_label("strength").fill("1")
    viewer.page.get_by_label("strength").press("Enter")
    elbow = viewer.place("upper_arm_l", "joint") * 0.4 + viewer.place(HAND) * 0.6
    viewer.pull(elbow, (12, 8))
    viewer.wait(lambda: viewer.document["can_undo"], "the stroke")
    vertices, painted = weights(viewer, tmp_path, "upper_arm_l")
    _, other = weights(viewer, tmp_path, "upper_arm_r")
    assert (painted - left).max() > 0.2 and (painted - left).min() > -1e-6
    there = vertices[np.argmax(painted - left)]
    assert there[0] > 0
    mirrored = np.argmin(np.linalg.norm(vertices - there * [-1, 1, 1], axis=1))
    assert abs((other - right)[mirrored] - (painted - left).max()) < 0.05
    viewer.press("Control+z")
    viewer.wait(lambda: not viewer.document["can_undo"], "the undo")
    np.testing.assert_allclose(weights(viewer, tmp_path, "upper_arm_l")[1], left, atol=1e-6)
    viewer.page.get_by_label("Paint").uncheck()
    viewer.press("w")


@pytest.mark.slow
def test_a_dropped_mesh_without_joints_is_bound_and_bends(viewer: Viewer, tmp_path: Path) -> None:
    """The mannequin's own mesh, as a scanner would give it."""
    skin = posable.figure("mannequin").skins[0]
    lines = [f"v {x} {y} {z}" for x, y, z in skin.vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (skin.faces + 1).tolist()]
    (tmp_path / "scanned.obj").write_text("\n".join(lines))
    figures = viewer.figures
    viewer.drop(tmp_path / "scanned.obj")
    viewer.page.get_by_role("button", name="Add a skeleton").click()
    viewer.wait(lambda: viewer.figures > figures, "the bound figure")
    viewer.settle()
    vertices, arm = weights(viewer, tmp_path, viewer.goal(HAND)["joint"])
    assert arm.max() > 0.9 and (vertices[arm > 0.5, 0] > 0.5).all()
    before = viewer.picture()
    viewer.drag(HAND, (-20, -60))
    assert (np.abs(viewer.picture() - before).max(axis=-1) > 40).sum() > 500  # the proof bend


@pytest.mark.slow
def test_a_stroke_shows_while_it_is_drawn_and_only_weights_are_sent(viewer: Viewer) -> None:
    viewer.choose("Select joint upper_arm_l")
    viewer.press("w")
    viewer.page.get_by_label("Paint").check()
    viewer.page.get_by_label("strength").fill("1")
    viewer.page.get_by_label("strength").press("Enter")
    elbow = viewer.place("upper_arm_l", "joint") * 0.4 + viewer.place(HAND) * 0.6
    plain, figures = viewer.picture(), viewer.figures
    around = tuple(slice(int(v) - 40, int(v) + 40) for v in reversed(elbow - _corner(viewer)))
    mouse = viewer.page.mouse
    mouse.move(*elbow)
    viewer.frames()
    mouse.down()
    for k in range(1, 6):
        mouse.move(*(elbow + np.array([3, 2]) * k))
        viewer.frames(2)
    drawn = viewer.picture()
    assert not viewer.document["can_undo"], "the button is still down"
    assert (np.abs(drawn - plain)[around].max(axis=-1) > 40).sum() > 100
    mouse.up()
    viewer.wait(lambda: viewer.document["can_undo"], "the stroke")
    viewer.frames(10)
    mouse.move(5, 5)
    taken = viewer.picture()
    assert (np.abs(taken - plain)[around].max(axis=-1) > 40).sum() > 100
    assert (np.abs(taken - drawn)[around].max(axis=-1) > 60).mean() < 0.1, "but for the brush"
    viewer.press("Control+z")
    viewer.wait(lambda: not viewer.document["can_undo"], "the undo")
    viewer.frames(10)
    assert (np.abs(viewer.picture() - plain).max(axis=-1) > 40).sum() < 20
    assert viewer.figures == figures, "the figure was not sent again"
    assert (viewer.picture()[around].max(axis=-1) > 70).mean() > 0.2, "no weight is no black"
    viewer.page.get_by_label("Paint").uncheck()
    viewer.press("w")


def _corner(viewer: Viewer) -> np.ndarray:
    box = viewer.page.locator(".viewport > canvas").bounding_box()
    assert box is not None
    return np.array([box["x"], box["y"]])


@pytest.mark.slow
def test_a_joint_of_the_skeleton_is_dragged_and_renamed(viewer: Viewer) -> None:
    viewer.choose("Select joint forearm_l")
    side = viewer.page.locator(".side.right")
    side.get_by_label("Edit the skeleton").check()
    viewer.settle()
    y = side.get_by_role("group", name="At rest").get_by_role("textbox", name="y", exact=True)
    before, figures = float(y.input_value()), viewer.figures
    viewer.pull(viewer.part("forearm_l", "move along y", "joint"), (0, -15))
    viewer.wait(lambda: viewer.figures > figures, "the figure with the joint elsewhere")
    viewer.settle()
    viewer.wait(lambda: float(y.input_value()) > before + 0.01, "its new place")
    side.get_by_label("Name of the joint").fill("elbow_l")
    side.get_by_label("Name of the joint").press("Enter")
    viewer.wait(lambda: "elbow_l" in [joint["name"] for joint in viewer.document["joints"]], "the new name")
    viewer.frames(10)
    assert side.locator("summary", has_text="Joint: elbow_l").count() == 1
    viewer.drag(HAND, (10, -40))
    viewer.choose("Select joint elbow_l")
    side.get_by_label("Edit the skeleton").uncheck()


SHADERS = """(() => {
  const { prototype } = WebGL2RenderingContext, give = prototype.shaderSource;
  window.shaders = [];
  prototype.shaderSource = function (shader, text) { window.shaders.push(text); return give.call(this, shader, text); };
})()"""


@pytest.mark.slow
def test_a_hinge_that_is_edited_rests_and_shows_the_bones(viewer: Viewer) -> None:
    """Its arrows were hidden and shown again at every picture, so that none was ever drawn well."""
    viewer.choose("Select joint forearm_l")
    plain = viewer.picture()
    viewer.page.get_by_label("Edit the skeleton").check()
    assert (np.abs(viewer.picture() - plain).max(axis=-1) > 40).mean() > 0.01, "all bones over the skin"
    viewer.page.wait_for_timeout(1500)
    drawn = "document.querySelector('[data-figure=fps]').innerText"
    viewer.wait(lambda: not viewer.page.evaluate(drawn), "a picture at rest")
    viewer.page.get_by_label("Edit the skeleton").uncheck()


def test_without_a_graphics_card_no_shader_bends_the_skin(chrome: Browser, server: Server, viewer: Viewer) -> None:
    """A vertex shader, run by the processor, would bend most vertices several times."""
    from studio.browser.viewer import Viewer

    del viewer  # which has taken back what others have opened
    own = Viewer(chrome, server.address, script=SHADERS)
    try:
        own.settle()
        before = own.picture()
        own.drag("left hand", (20, -60))
        assert np.abs(own.picture() - before).max() > 60, "the skin is drawn, and goes with the hand"
        bends = "shaders.filter((text) => text.includes('#define USE_SKINNING')).length"
        assert own.page.evaluate("shaders.length") > 4
        assert own.page.evaluate(bends) == 0
    finally:
        own.close()
    assert own.problems == []
