"""Arrows and rings of the gizmo, on goals and on joints that are turned by hand, and the grips of joint limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from posable.spatial import rotation_vector_from_wxyz, wxyz_from_rotation_vector, wxyz_inverse, wxyz_multiply

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from studio.browser.viewer import Viewer

HAND = "left hand"
SNAP_TURN, SNAP_MOVE = np.pi / 12, 0.05  # of a figure of 1.75 m
TILT = np.array([0.0, 0.0, 0.5])  # of the hand, where its axes are others than the world's


def place_of(viewer: Viewer) -> np.ndarray:
    return np.array(viewer.goal(HAND)["position"])


def turn_of(viewer: Viewer) -> np.ndarray:
    return np.array(viewer.goal(HAND)["rotation"])


def middle(handle: Locator) -> np.ndarray:
    """`[2]` pixels."""
    box = handle.bounding_box()
    assert box is not None
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def tilted(viewer: Viewer) -> None:
    """The hand turned about z, by its number, and chosen."""
    viewer.handle(HAND).click()
    degrees = viewer.page.locator("fieldset", has_text="Rotation").first.get_by_label("z", exact=True)
    degrees.fill(str(np.degrees(TILT[2])))
    degrees.press("Enter")
    tilt = wxyz_from_rotation_vector(TILT)
    viewer.wait(lambda: abs(turn_of(viewer) @ tilt) > 1 - 1e-6, "the tilt")
    viewer.handle(HAND).click()


@pytest.fixture
def local(viewer: Viewer) -> Viewer:
    """The hand tilted, and the gizmo along its own axes."""
    tilted(viewer)
    viewer.press("l")
    viewer.wait(lambda: viewer.document["space"] == "local", "local axes")
    viewer.frames(3)  # until the gizmo lies so
    return viewer


@pytest.mark.slow
def test_an_arrow_moves_along_its_axis_and_ctrl_snaps_to_the_grid(viewer: Viewer) -> None:
    viewer.handle(HAND).click()
    before = place_of(viewer)
    viewer.pull(viewer.part(HAND, "move along y"), (0, -30))
    viewer.wait(lambda: viewer.document["can_undo"], "the move")
    moved = place_of(viewer) - before
    assert moved[1] > 0.02 and np.abs(moved[[0, 2]]).max() < 1e-6
    viewer.pull(viewer.part(HAND, "move along y"), (0, -37), keys=("Control",))
    viewer.wait(lambda: place_of(viewer)[1] > before[1] + moved[1] + 0.01, "the second move")
    grid = place_of(viewer)[1] / SNAP_MOVE
    assert abs(grid - round(grid)) < 1e-4


@pytest.mark.slow
def test_local_arrows_go_along_the_hand(local: Viewer) -> None:
    before = place_of(local)
    local.pull(local.part(HAND, "move along x"), (30, 10))
    local.wait(lambda: np.linalg.norm(place_of(local) - before) > 0.02, "the move")
    moved = place_of(local) - before
    along = np.array([np.cos(TILT[2]), np.sin(TILT[2]), 0.0])
    np.testing.assert_allclose(moved - along * (moved @ along), 0, atol=1e-5)


@pytest.mark.slow
def test_a_ring_turns_about_its_axis_of_the_world_and_snaps(viewer: Viewer) -> None:
    tilted(viewer)
    viewer.tool("rotate")
    before = turn_of(viewer)
    viewer.pull(viewer.part(HAND, "turn about y"), (40, 0), keys=("Control",))
    viewer.wait(lambda: abs(turn_of(viewer) @ before) < 0.999, "the turn")
    turned = rotation_vector_from_wxyz(wxyz_multiply(turn_of(viewer), wxyz_inverse(before)))
    np.testing.assert_allclose(turned[[0, 2]], 0, atol=1e-5)
    assert abs(turned[1] / SNAP_TURN - round(turned[1] / SNAP_TURN)) < 1e-4
    viewer.tool("move")


@pytest.mark.slow
def test_local_rings_turn_about_the_hand(local: Viewer) -> None:
    local.tool("rotate")
    before = turn_of(local)
    local.pull(local.part(HAND, "turn about y"), (40, 0))
    local.wait(lambda: abs(turn_of(local) @ before) < 0.999, "the turn")
    turned = rotation_vector_from_wxyz(wxyz_multiply(wxyz_inverse(before), turn_of(local)))
    np.testing.assert_allclose(turned[[0, 2]], 0, atol=1e-5)
    local.tool("move")


@pytest.mark.slow
def test_a_joint_turns_by_its_rings_and_takes_its_goal_along(viewer: Viewer) -> None:
    viewer.choose("Select joint upper_arm_l")
    before, hand = viewer.turn("upper_arm_l"), place_of(viewer)
    viewer.pull(viewer.part("upper_arm_l", "turn about z", "joint"), (0, -40))
    viewer.wait(lambda: abs(viewer.turn("upper_arm_l") @ before) < 0.999, "the turn")
    viewer.wait(lambda: float(np.linalg.norm(place_of(viewer) - hand)) > 0.02, "the goal of the hand goes along")
    assert abs(viewer.turn("forearm_l")[0]) > 0
    assert "every goal is met" in viewer.said()


def test_a_joint_turns_by_its_number(viewer: Viewer) -> None:
    viewer.choose("Select joint forearm_l")
    angle = viewer.page.get_by_label("angle", exact=False).first
    before = viewer.turn("forearm_l")
    angle.fill("90")
    angle.press("Enter")
    viewer.wait(lambda: abs(viewer.turn("forearm_l") @ before) < 0.99, "the turn")
    viewer.settle()
    viewer.wait(lambda: angle.input_value() == "90.0", "the number")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("joint", "grip", "by", "entry"),
    [
        ("shin_l", "upper", (-20, -10), ("axes", 0, "upper")),
        ("upper_arm_l", "swing", (15, 15), ("cone", "swing")),
        ("hand_l", "twist upper", (25, 25), ("cone", "upper")),
    ],
)
def test_limits_are_dragged_by_their_grips(
    viewer: Viewer, joint: str, grip: str, by: tuple[float, float], entry: tuple[str | int, ...]
) -> None:
    def limit() -> float:
        found = viewer.joint(joint)["limits"]
        for name in entry:
            found = found[name]
        return found

    viewer.choose(f"Select joint {joint}")
    handle = viewer.page.locator(f'.handle.limit[data-limit$="{grip}"]').first
    before, start = limit(), middle(handle)
    viewer.pull(start, by)
    viewer.wait(lambda: abs(limit() - before) > 0.02, "another limit")
    viewer.wait(lambda: np.linalg.norm(middle(handle) - start) > 3, "the grip where the limit is now")


@pytest.mark.slow
def test_handles_lie_over_the_grips_of_limits(viewer: Viewer) -> None:
    """A goal whose handle a grip covered could not be taken."""
    viewer.choose("Select joint forearm_l")
    viewer.page.locator('.handle.limit[title^="forearm_l x upper"]').wait_for()
    after = "grip.compareDocumentPosition(handle) & Node.DOCUMENT_POSITION_FOLLOWING"
    every = f"handle => [...document.querySelectorAll('.handle.limit')].every((grip) => {after})"
    assert viewer.handle("left hand").evaluate(every)


@pytest.mark.slow
def test_the_limit_that_holds_is_lit(viewer: Viewer) -> None:
    """A far target is held back by limits; the grip of each such end is lit, and those of a free joint are not."""
    viewer.choose("Keep the balance")  # no more, so that limits hold it
    viewer.wait(lambda: not viewer.document["options"]["balance"], "the switch")
    viewer.drag(HAND, (260, -120))
    viewer.wait(lambda: bool(viewer.status["limits"]), "joints at their limits")
    lit = viewer.page.locator(".handle.limit.active")
    viewer.choose(f"Select joint {viewer.status['limits'][0]}")
    lit.first.wait_for()
    assert "holds it" in (lit.first.get_attribute("title") or "")
    assert viewer.page.locator(".right summary", has_text="at its limit").count() == 1
    free = next(name for name in ("shin_r", "forearm_r", "head") if name not in viewer.status["limits"])
    viewer.choose(f"Select joint {free}")
    viewer.page.locator(f'.handle.limit[title^="{free}"]').first.wait_for()
    assert lit.count() == 0


@pytest.mark.slow
def test_a_hinge_has_the_one_ring_that_turns_it(viewer: Viewer) -> None:
    for joint, rings in (("forearm_l", 1), ("chest", 3)):
        viewer.page.get_by_label("Find a joint").fill(joint)
        viewer.page.get_by_role("treeitem", name=joint, exact=True).click()
        viewer.page.get_by_label("Find a joint").fill("")
        viewer.frames(4)
        middle = viewer.place(joint, "joint")
        found = set()
        for reach in (20, 30, 40, 50, 60, 70, 80):
            for step in range(24):
                turn = 2 * np.pi * step / 24
                viewer.page.mouse.move(*(middle + reach * np.array([np.cos(turn), np.sin(turn)])))
                viewer.frames(1)
                if "turn about" in viewer.hint():
                    found.add(viewer.hint().split("·")[0])
        assert len(found) == rings, found
        viewer.press("Escape")
