"""Files of every format dropped onto the page: each stands there with goals, and a drag moves it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import posable

if TYPE_CHECKING:
    from playwright.sync_api import FileChooser
    from studio.browser.viewer import Viewer

CREATURES = Path(__file__).parents[3] / "examples/creatures"


def as_it_is(path: Path, _folder: Path) -> Path:
    return path


def in_a_folder(path: Path, folder: Path) -> Path:
    (folder / "robot/urdf").mkdir(parents=True)
    shutil.copy(path, folder / "robot/urdf")
    return folder / "robot"


def zipped(path: Path, folder: Path) -> Path:
    return Path(shutil.make_archive(str(folder / "packed"), "zip", in_a_folder(path, folder)))


def moves(viewer: Viewer) -> None:
    """Drag a goal that hangs in the air, else the last one: something turns or slides, were it only aside."""
    goals = viewer.document["goals"]
    goal = next((one for one in goals if one["enabled"] and not one["pinned"]), goals[-1])
    moved = 0.0
    for by in ((8, -14), (-14, -8), (14, 8)):
        before = parts(viewer)
        viewer.drag(goal["name"], by)
        moved = max(moved, float(np.abs(parts(viewer) - before).max()))
        if moved > 1e-3:
            return
    raise AssertionError(f"nothing moves: {viewer.said()}")


def parts(viewer: Viewer) -> np.ndarray:
    """Turns and places of all joints in their parents, in a row."""
    pose = viewer.pose
    assert pose is not None
    places = pose.root if pose.translations is None else pose.translations
    return np.concatenate([pose.rotations.ravel(), places.ravel()])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "dressed"),
    [
        ("characters/Q_PlatformerHumanoid.glb", as_it_is),
        ("characters/rigged_simple.gltf", as_it_is),
        ("characters/cryptovoxels.vrm", as_it_is),
        ("robots/kuka_iiwa.urdf", in_a_folder),
        ("robots/prismatic.urdf", zipped),
        ("robots/dmc_swimmer.xml", as_it_is),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_file_of_each_format(
    viewer: Viewer, shared: Path, tmp_path: Path, file: str, dressed: Callable[[Path, Path], Path]
) -> None:
    figures, name = viewer.figures, viewer.document["name"]
    viewer.drop(dressed(shared / file, tmp_path))
    viewer.wait(lambda: viewer.figures > figures, f"{file}, which is not {name}")
    viewer.settle()
    assert viewer.document["goals"] and viewer.page.locator(".notice.bad").count() == 0
    moves(viewer)


@pytest.mark.slow
def test_a_mesh_without_joints_in_a_file_that_could_have_some_is_asked_about(viewer: Viewer, shared: Path) -> None:
    name = viewer.document["name"]
    viewer.drop(shared / "fbx/blender_suzanne_multimaterial_7400_binary.fbx")
    asked = viewer.page.get_by_role("dialog", name="What to do with it")
    title = asked.get_by_role("heading", name="blender_suzanne_multimaterial_7400_binary.fbx has no joints")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth"), "its end is cut off"
    assert viewer.document["name"] == name
    asked.get_by_role("button", name="Put it into the scene").click()
    viewer.wait(lambda: len(viewer.document["props"]) == 1, "the thing in the scene")
    assert viewer.document["name"] == name
    viewer.undo()


@pytest.mark.slow
def test_a_text_description(viewer: Viewer) -> None:
    viewer.drop(CREATURES / "spider.toml")
    viewer.wait(lambda: "spider" in viewer.document["name"], "the spider")
    viewer.settle()
    moves(viewer)


@pytest.mark.slow
def test_a_motion_is_put_onto_the_figure_or_opened_by_itself(viewer: Viewer, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    walk = posable.walk(figure, posable.Gait.load("human"), 2, fps=30)
    posable.save(tmp_path / "stroll.bvh", figure, walk)
    figures = viewer.figures
    viewer.drop(tmp_path / "stroll.bvh")
    viewer.page.get_by_role("button", name="Retarget it to mannequin").click()
    viewer.page.locator(".status-bar .working", has_text="retargeting stroll.bvh to mannequin").wait_for()
    viewer.wait(lambda: viewer.document["clip"] is not None and viewer.clip is not None, "the motion on the mannequin")
    viewer.page.get_by_role("button", name="Pause").click()  # it plays at once
    viewer.settle()
    assert viewer.figures == figures and viewer.clip is not None
    way = walk.poses.origins[-1, 0] - walk.poses.origins[0, 0]
    np.testing.assert_allclose(viewer.clip.roots[-1] - viewer.clip.roots[0], way, atol=0.03)
    viewer.undo()
    viewer.drop(tmp_path / "stroll.bvh")
    viewer.page.get_by_role("button", name="Open it as a figure").click()
    viewer.wait(lambda: viewer.figures > figures and viewer.document["clip"] is not None, "the figure of the file")
    viewer.page.get_by_role("button", name="Pause").click()


@pytest.mark.slow
def test_a_long_retargeting_says_how_far_it_is_and_is_cancelled(viewer: Viewer, shared: Path, tmp_path: Path) -> None:
    head, frames = (shared / "mocap/wave_hello.bvh").read_text().split("Frame Time:")
    rate, *rows = frames.splitlines()
    rows = [row for row in rows if row.strip()] * 20  # long enough to be cancelled
    head = re.sub(r"Frames:\s*\d+", f"Frames: {len(rows)}", head)
    (tmp_path / "long.bvh").write_text("\n".join([f"{head}Frame Time:{rate}", *rows]))
    viewer.drop(tmp_path / "long.bvh")
    viewer.page.get_by_role("button", name="Retarget it to mannequin").click()
    viewer.page.locator(".status-bar .working", has_text=re.compile(r"\d+ %, .* left")).wait_for()
    viewer.page.locator(".status-bar .working").get_by_role("button", name="Cancel").click()
    viewer.page.locator(".notice", has_text="nothing has changed").wait_for()
    assert viewer.document["clip"] is None


@pytest.mark.slow
def test_a_figure_whose_motion_has_the_name_of_the_last_plays_and_what_is_undone_can_be_redone(
    viewer: Viewer, shared: Path
) -> None:
    for answer in ("Retarget it to mannequin", "Open it as a figure"):
        clip = viewer.clip
        viewer.drop(shared / "mocap/asfamc/02.asf", shared / "mocap/asfamc/02_01.amc")
        viewer.page.get_by_role("button", name=answer).click()
        viewer.wait(lambda clip=clip: viewer.document["clip"] == "02" and viewer.clip is not clip, answer)
        viewer.page.get_by_role("button", name="Pause").click()
    viewer.wait(lambda: viewer.document["name"] == "02", "the figure of the file")
    viewer.settle()
    steps = 0
    while viewer.document["can_undo"]:
        viewer.undo()
        steps += 1
    while viewer.document["can_redo"]:
        rev = viewer.rev
        viewer.press("Control+Shift+z")
        viewer.wait(lambda rev=rev: viewer.rev > rev, "the redo")
        viewer.settle()
        steps -= 1
    assert steps == 0 and viewer.document["name"] == "02"


@pytest.mark.slow
def test_a_mesh_becomes_the_ground_of_a_walk(viewer: Viewer, tmp_path: Path) -> None:
    """A ramp of 10 degrees."""
    rise = np.tan(np.radians(10))
    corners = [(x, z * rise, z) for z in (-5, 15) for x in (-5, 5)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + ["f 1 3 2", "f 2 3 4"]
    (tmp_path / "ramp.obj").write_text("\n".join(lines))
    viewer.drop(tmp_path / "ramp.obj")
    viewer.page.get_by_label("Its unit").select_option("1")  # guessed for a person: 20 m are taken for 2
    viewer.page.get_by_role("button", name="Walk on it").click()
    viewer.wait(lambda: viewer.document["terrain"] == {"kind": "mesh", "name": "ramp"}, "the ramp")
    viewer.choose("Walk six steps")
    viewer.page.get_by_role("button", name="Pause").click()
    viewer.settle()
    assert viewer.clip is not None
    x, y, z = viewer.clip.roots[-1] - viewer.clip.roots[0]
    assert z > 1 and abs(x) < 0.1 and abs(y / z - rise) < 0.03


def test_what_is_no_figure_is_refused_in_a_sentence(viewer: Viewer, tmp_path: Path) -> None:
    (tmp_path / "broken.glb").write_bytes(b"glTF\2\0\0\0")
    viewer.drop(tmp_path / "broken.glb")
    viewer.page.locator(".notice.bad").wait_for()
    assert "broken" in viewer.page.locator(".notice.bad").inner_text()
    assert viewer.document["name"] == "mannequin" and not viewer.document["can_undo"]
    viewer.page.get_by_role("button", name="Dismiss").first.click()


def file_chooser(viewer: Viewer) -> FileChooser:
    """The browser's own, by the shortcut; a key that the page is too busy to take is pressed again."""
    from playwright.sync_api import TimeoutError as Late

    for _ in range(4):
        try:
            with viewer.page.expect_file_chooser(timeout=20_000) as waiting:
                viewer.press("Control+o")
        except Late:
            continue
        return waiting.value
    raise AssertionError("Control+o opens no file chooser")


@pytest.mark.parametrize("ending", ["fbx", "usd", "usda", "usdc", "usdz", "vrm"])
def test_a_file_is_chosen_or_dropped_in_every_format_of_whole_figures(
    viewer: Viewer, shared: Path, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"{ending} figure.{ending}"
    if ending == "vrm":  # which are written from others alone
        shutil.copy(shared / "characters/cryptovoxels.vrm", path)
    else:
        posable.save(path, posable.figure("mannequin"))
    chooser = file_chooser(viewer)
    assert f".{ending}" in (chooser.element.get_attribute("accept") or "").split(",")
    chooser.set_files(path)
    viewer.wait(lambda: viewer.document["name"] == path.stem, "the file that was chosen")
    viewer.undo()
    viewer.drop(path)
    viewer.wait(lambda: viewer.document["name"] == path.stem, "the file that was dropped")
    viewer.settle()
    assert viewer.page.locator(".notice.bad").count() == 0


def test_a_file_that_is_gone_when_it_is_sent_is_said_to_be(viewer: Viewer, tmp_path: Path) -> None:
    figure = posable.figure("mannequin")
    posable.save(tmp_path / "stroll.bvh", figure, posable.walk(figure, steps=2))
    viewer.drop(tmp_path / "stroll.bvh")
    choice = viewer.page.get_by_role("button", name="Retarget it to mannequin")
    choice.wait_for()
    (tmp_path / "stroll.bvh").unlink()
    choice.click()
    viewer.page.locator(".notice.bad", has_text="stroll.bvh could not be sent").wait_for()
