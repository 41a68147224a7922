"""The skin: weights as colours, the brush, and the binding of a mesh that has no joints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

HAND = "left hand"

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer


def weights(viewer: Viewer, folder: Path, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """`[vertex, 3]` and `[vertex]` of the figure that the page has: its vertices, and their weights of a joint."""
    key = viewer.page.evaluate("sessionStorage.getItem('posable.key')")
    answer = viewer.context.request.get(viewer.page.url + "api/figure.glb", headers={"X-Posable-Key": key})
    (folder / "shown.glb").write_bytes(answer.body())
    figure = posable.load(folder / "shown.glb")
    skin = figure.skins[0]
    own = skin.joints == figure.skeleton.index(joint)
    return skin.vertices, np.where(own, skin.weights, 0).sum(axis=1)


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
