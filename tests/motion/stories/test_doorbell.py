"""The doorbell's story: who stops, who rings, where the eyes go, and feet that stand throughout."""

from __future__ import annotations

import numpy as np
import pytest
from motion.gait.measuring import shown

from posable.clips import Clip, below
from posable.figures import figure
from posable.motion.feet import foot_metrics
from posable.motion.gait import walk
from posable.motion.stories import Story, tell
from posable.motion.stories.doorbell_story import BELL, DEEP, house
from posable.spatial import normalized
from posable.view import Camera

PERSON = figure("mannequin")
SKELETON = PERSON.skeleton
NECK = SKELETON.freedom_mask(below(SKELETON, "neck"))


@pytest.fixture(scope="module")
def story() -> Story:
    return tell("doorbell")


@pytest.fixture(scope="module")
def clip(story: Story) -> Clip:
    """What the person does."""
    return Clip(SKELETON, story.clip.q[:, : SKELETON.coordinates], story.clip.fps)


@pytest.fixture(scope="module")
def pressed(story: Story) -> np.ndarray:
    """`[frame]` metres by which the button is in."""
    return story.clip.poses.of("house/button")[:, 0]


def _frames(story: Story) -> tuple[int, int]:
    """Of the stop and of the start."""
    stops, leaves = (round(event.seconds * story.clip.fps) for event in story.clip.events)
    return stops, leaves


def _speeds(clip: Clip) -> np.ndarray:
    """`[frame − 1, dof]` of every freedom."""
    return clip.poses[1:].minus(clip.poses[:-1]) * clip.fps


def test_the_camera_sees_the_whole_person_from_the_first_step_to_the_last(story: Story, clip: Clip) -> None:
    camera = Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
    width, height = 640, 480
    for pose in clip.poses[::10]:
        x, y, depth = camera.project(PERSON.skins[0].deform(pose), (width, height)).T
        assert min(depth.min(), x.min(), y.min()) > 0 and x.max() < width and y.max() < height


def test_the_button_is_where_the_bell_is_and_goes_a_centimetre_into_the_wall() -> None:
    built = house((0.1, 1.3, 0.5))
    assert built.skeleton.joints == ("wall", "button")
    assert (built.skeleton.lower, built.skeleton.upper) == (0.0, 0.01)
    pressed = built.rest.with_joint("button", 0.01)
    np.testing.assert_allclose(pressed.origins[1], (0.1, 1.3, 0.51), atol=1e-12)


@pytest.mark.slow
def test_the_whole_figure_is_the_person_before_the_house(story: Story) -> None:
    joints = story.figure.skeleton.joints
    assert joints[: len(SKELETON.joints)] == tuple(f"person/{name}" for name in SKELETON.joints)
    assert joints[len(SKELETON.joints) :] == ("house/wall", "house/button")
    assert [event.name for event in story.clip.events] == ["stops", "leaves"]


@pytest.mark.slow
def test_in_every_frame_some_point_of_a_sole_stands_still_and_none_sinks(clip: Clip) -> None:
    seen = shown(PERSON, clip)
    moves = [np.linalg.norm(np.diff(sole, axis=0), axis=2).min(axis=1) for sole in seen.soles]
    assert np.minimum(*moves).max() * seen.body.length * clip.fps < 1e-3  # F1: 0.1 cm/s
    assert seen.lowest.min() * seen.body.length > -2e-3


@pytest.mark.slow
def test_feet_do_not_skate_and_while_it_rings_they_do_not_move_at_all(story: Story, clip: Clip) -> None:
    assert foot_metrics(clip, figure=PERSON).skate < 1e-3
    stops, leaves = _frames(story)
    coming = foot_metrics(Clip(SKELETON, clip.q[: leaves + 1], clip.fps), figure=PERSON)
    assert coming.drift < 1e-3
    for sole in shown(PERSON, Clip(SKELETON, clip.q[stops : leaves + 1], clip.fps)).soles:
        assert np.ptp(sole, axis=0).max() < 1e-9


@pytest.mark.slow
def test_it_comes_in_one_gait_and_goes_in_another(story: Story, clip: Clip) -> None:
    stops, leaves = _frames(story)
    jaunty = walk(PERSON, "jaunty", path=[(0.0, -2.9), (0.0, 0.0)])
    own = clip.poses[: stops + 1].minus(jaunty.poses)[:, ~NECK]
    assert np.abs(own).max() < 1e-9
    pelvis = clip.poses.origins[:, 0]
    quick, slow = (
        np.linalg.norm(np.diff(way[:, [0, 2]], axis=0), axis=1).max() for way in (pelvis[:stops], pelvis[leaves:])
    )
    assert slow < 0.75 * quick
    nods = clip.poses.world_from_joint[:, SKELETON.index("head"), 1, 2]  # how far up the face looks
    assert nods[10] - nods[-40] > np.sin(np.radians(20))


@pytest.mark.slow
def test_it_turns_round_and_walks_away(story: Story, clip: Clip) -> None:
    stops, leaves = _frames(story)
    ahead = clip.poses.world_from_joint[:, 0, :3, 2]
    assert ahead[stops : leaves + 1, 2].min() > 0.99
    assert ahead[-1, 2] < -0.99
    pelvis = clip.poses.origins[:, 0]
    np.testing.assert_allclose(pelvis[leaves, [0, 2]], (0.0, 0.0), atol=0.02)
    assert pelvis[-1, 2] < -2.0


@pytest.mark.slow
def test_nothing_of_it_goes_into_the_wall_or_the_door(story: Story, clip: Clip) -> None:
    skin = PERSON.skins[0].deform(clip.poses)
    boards = [shape for shape in story.figure.shapes if shape.joint == "house/wall" and shape.kind == "box"]
    for board in boards:
        middle, half = np.array(board.position), np.array(board.size) / 2
        inside = (half - np.abs(skin - middle)).min(axis=-1)
        assert inside.max() < 1e-3


@pytest.mark.slow
def test_nothing_jumps_where_the_parts_meet(story: Story, clip: Clip) -> None:
    speeds = _speeds(clip)
    changes = np.abs(np.diff(speeds, axis=0))  # of the speed at frame n + 1, radians and metres a second
    stops, leaves = _frames(story)
    for seam in (stops, leaves):
        assert changes[seam - 2 : seam + 2].max() < 0.6
    assert changes[stops - 1 : leaves].max() < 0.9, "the arm goes there and back without a snap"
    assert np.abs(speeds[stops - 1 : stops + 1]).max() < 0.4, "it stands"


@pytest.mark.slow
def test_the_fingertip_is_on_the_button_as_long_as_it_is_in(clip: Clip, pressed: np.ndarray) -> None:
    tip = clip.poses.origins[:, SKELETON.index("index_tip_r")]
    inside = pressed > 0
    assert inside.sum() / clip.fps > 0.4
    assert np.diff(np.flatnonzero(inside)).max() == 1, "it rings once"
    face = np.array(BELL) + pressed[:, None] * (0.0, 0.0, 1.0)
    assert np.linalg.norm(tip - face, axis=1)[inside].max() < 1e-3
    assert pressed.max() == pytest.approx(DEEP, abs=1e-5)
    assert tip[:, 2].max() < BELL[2] + DEEP + 1e-5


@pytest.mark.slow
def test_the_finger_that_rings_is_stretched_out_and_the_others_are_curled(clip: Clip, pressed: np.ndarray) -> None:
    rings = clip.poses[int(np.argmax(pressed))]
    assert np.abs([rings.of(f"index_{k}_r")[0] for k in (1, 2, 3)]).max() < 0.65
    assert min(float(rings.of(f"{name}_2_r")[0]) for name in ("middle", "ring", "pinky")) > 1.0
    along = normalized(rings.origins[SKELETON.index("index_tip_r")] - rings.origins[SKELETON.index("index_1_r")])
    assert along[2] > np.cos(np.radians(25))


@pytest.mark.slow
def test_it_looks_at_the_bell_while_it_rings(story: Story, clip: Clip, pressed: np.ndarray) -> None:
    head = clip.poses.world_from_joint[:, SKELETON.index("head")]
    to_bell = normalized(np.array(BELL) - head[:, :3, 3])
    off = np.linalg.norm(head[:, :3, 2] - to_bell, axis=1)
    stops, _ = _frames(story)
    rung = int(np.flatnonzero(pressed > 0)[-1])
    assert off[stops : rung + 1].max() < 1e-3
    assert off[0] > 0.1 and off[-1] > 1.0
