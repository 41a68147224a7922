"""Still pictures: what they show, what is in the file, what is refused."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from view.drawables import arm

import posable
from posable.errors import FileError, PosableError, PoseError, UnsupportedFileError
from posable.spatial import transform
from posable.view import Camera
from posable.view.scene import obstacles_of

SIZE = (160, 120)
CAMERA = Camera((5, 2.5, 1.4), (0, 0, 0.6), (0, 0, 1), 20)


def orange(image: np.ndarray) -> np.ndarray:
    """Where a pixel has the color of a target's mark."""
    return np.abs(image.astype(int) - (226, 62, 28)).max(axis=-1) < 40


def violet(image: np.ndarray) -> np.ndarray:
    return np.abs(image.astype(int) - (108, 66, 193)).max(axis=-1) < 40


def test_a_picture_is_an_array_of_the_size_asked_for_and_the_same_every_time() -> None:
    one, other = (posable.picture(arm(), size=SIZE) for _ in range(2))
    assert one.shape == (120, 160, 3) and one.dtype == np.uint8
    assert (one == other).all()
    assert np.ptp(one.astype(int).sum(axis=2)) > 200


def test_the_file_holds_the_picture_and_says_what_made_it(tmp_path: Path) -> None:
    path = tmp_path / "arm.PNG"
    image = posable.picture(arm(), path=path, size=SIZE)
    with Image.open(path) as found:
        assert found.format == "PNG" and found.info["Software"] == f"made by posable {posable.__version__}"
        assert (np.asarray(found) == image).all()
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_needs_no_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of a wheel are compiled before posable is installed anywhere."""

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    posable.picture(arm(), path=tmp_path / "arm.png", size=SIZE)
    posable.save(tmp_path / "rest.toml", posable.figure("doorbell_arm"))
    assert f"posable {posable.__version__}" in (tmp_path / "rest.toml").read_text("utf-8")


@pytest.mark.parametrize("place", [(0.5, 0.3, 0.9), (-0.4, -0.3, 1.2)])
def test_a_reach_is_marked_where_its_target_is_seen(place: tuple[float, float, float]) -> None:
    figure = arm()
    goals = [posable.Reach("elbow", place)]
    plain, marked = (posable.picture(figure, size=(480, 360), camera=CAMERA, goals=g) for g in ((), goals))
    x, y, _ = CAMERA.project(place, (480, 360))
    assert orange(marked)[int(y), int(x)] and not orange(plain)[int(y), int(x)]
    turn = np.linspace(0, 2 * np.pi, 40)
    ring = orange(marked)[(y + 6 * np.sin(turn)).astype(int), (x + 6 * np.cos(turn)).astype(int)]
    assert ring.mean() > 0.4, "a ring of ten pixels' radius in a picture of 720 lines (no smaller than six)"
    changed = (marked != plain).any(axis=2)
    elbow = CAMERA.project(figure.rest.origins[figure.skeleton.index("elbow")], (480, 360))
    rows, columns = np.nonzero(changed)
    across, along = (x - elbow[0], y - elbow[1])
    off = np.abs((columns + 0.5 - x) * along - (rows + 0.5 - y) * across) / np.hypot(across, along)
    near = np.hypot(columns + 0.5 - x, rows + 0.5 - y) < 12
    assert (near | (off < 3)).all(), "only the mark and the line from its joint are drawn"
    between = changed[int((y + elbow[1]) / 2) - 12 : int((y + elbow[1]) / 2) + 12, :]
    assert between.any(), "a line leads from the joint to the target"


def test_obstacles_are_drawn_where_they_are() -> None:
    figure = posable.with_capsules(arm())
    ball, rod = (0.5, 0.3, 0.9, 0.5, 0.3, 0.9, 0.12), (-0.6, -0.4, 1.0, -0.6, 0.4, 1.0, 0.05)
    goals = [posable.KeepApart(obstacles=[ball, rod])]
    plain, drawn = (posable.picture(figure, size=(480, 360), camera=CAMERA, goals=g) for g in ((), goals))
    changed = (plain != drawn).any(axis=2)
    for place in (ball[:3], rod[:3], rod[3:6], (-0.6, 0.0, 1.0)):
        x, y, _ = CAMERA.project(place, (480, 360)).astype(int)
        assert changed[y, x]
    size = np.hypot(*(CAMERA.project((0.62, 0.3, 0.9), (480, 360)) - CAMERA.project(ball[:3], (480, 360)))[:2])
    x, y, _ = CAMERA.project(ball[:3], (480, 360)).astype(int)
    assert changed[y - int(0.8 * size) : y, x].all(), "a solid ball"
    moving = posable.KeepApart(obstacles=[[ball], [rod]])
    np.testing.assert_allclose(obstacles_of([moving], 1), [rod])
    np.testing.assert_allclose(obstacles_of([moving], 7), [rod])
    placed = posable.KeepApart(obstacles=[ball], relative_to=transform((1, 0, 0)))
    np.testing.assert_allclose(obstacles_of([placed, posable.Reach("elbow", (0, 0, 0))])[0, :3], (1.5, 0.3, 0.9))


def test_look_and_orientation_have_marks_of_their_own() -> None:
    figure = arm()
    look = posable.picture(figure, size=(480, 360), camera=CAMERA, goals=[posable.LookAt("elbow", (0.5, 0.3, 0.9))])
    x, y, _ = CAMERA.project((0.5, 0.3, 0.9), (480, 360)).astype(int)
    assert violet(look)[y, x] and not orange(look).any()
    frame = posable.picture(figure, size=(480, 360), camera=CAMERA, goals=[posable.Orient("elbow", (1, 0, 0, 0))])
    origin = figure.rest.origins[figure.skeleton.index("elbow")]
    for axis, channel in zip(np.eye(3), range(3), strict=True):
        x, y, _ = CAMERA.project(origin + 0.07 * axis, (480, 360)).astype(int)
        around = frame[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).astype(int)
        assert (around[:, channel] - np.delete(around, channel, axis=1).max(axis=1)).max() > 60


def test_a_mark_behind_the_camera_is_not_drawn() -> None:
    behind = posable.picture(arm(), size=SIZE, camera=CAMERA, goals=[posable.Reach("elbow", (9.0, 4.5, 2.0))])
    assert (behind == posable.picture(arm(), size=SIZE, camera=CAMERA)).all()


def test_a_view_may_be_named() -> None:
    figure = arm()
    quarter, front, side = (posable.picture(figure, size=SIZE, camera=v) for v in ("three_quarter", "front", "side"))
    assert (quarter == posable.picture(figure, size=SIZE)).all()
    assert (front != side).any() and (front != quarter).any() and (side != quarter).any()
    with pytest.raises(PosableError, match="'above' is not a view; choose from three_quarter, front, side"):
        posable.picture(figure, size=SIZE, camera="above")  # pyright: ignore[reportArgumentType]


def test_framing_takes_in_the_goals() -> None:
    far = posable.picture(arm(), size=SIZE, goals=[posable.Reach("elbow", (0, 3.0, 1.0))])
    assert orange(far).any()


def test_the_skeleton_shows_through_and_can_be_left_out() -> None:
    figure = arm()
    shown, hidden = (posable.picture(figure, size=(480, 360), camera=CAMERA, skeleton=s) for s in (True, False))
    x, y, _ = CAMERA.project(figure.rest.origins[figure.skeleton.index("elbow")], (480, 360)).astype(int)
    assert shown[y, x].astype(int).sum() < hidden[y, x].astype(int).sum() - 60
    changed = (shown != hidden).any(axis=2).mean()
    assert 0.0005 < changed < 0.02


def test_without_skin_the_bones_are_drawn_solid() -> None:
    with_skin, bones = (posable.picture(arm(), size=SIZE, camera=CAMERA, skin=s) for s in (True, False))
    bare = posable.picture(arm(shapes=False), size=SIZE, camera=CAMERA)
    assert (with_skin != bones).any() and (bones == bare).all()


def test_a_pose_is_shown_as_it_is() -> None:
    figure = arm()
    bent = figure.rest.with_joint("shoulder", 1.2)
    assert (posable.picture(figure, bent, size=SIZE) != posable.picture(figure, size=SIZE)).any()


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((0, 100), "whole pixels from 16 to 8192"),
        ((100, 9000), r"not \(100, 9000\)"),
        ((100.0, 100), "whole pixels"),
        ((100,), "width, height"),
    ],
)
def test_a_size_that_is_none_is_refused(size: tuple, message: str) -> None:
    with pytest.raises(PosableError, match=message):
        posable.picture(arm(), size=size)


def test_poses_that_cannot_be_shown_are_refused() -> None:
    figure = arm()
    with pytest.raises(PoseError, match=r"one pose, not a batch of shape \(3,\); index it"):
        posable.picture(figure, posable.Pose(figure.skeleton, np.zeros((3, 2))))
    with pytest.raises(PoseError, match=r"a picture shows a Pose, not Solution; a solution's pose is solution.pose"):
        posable.picture(figure, posable.solve(figure.rest, []))  # pyright: ignore
    other = posable.Skeleton([posable.Joint("root", "free")], "y")
    with pytest.raises(PoseError, match="belongs to another skeleton"):
        posable.picture(figure, posable.Pose(other, other.rest_coordinates))


def test_paths_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFileError, match=r"arm.jpg: a picture is written as .png"):
        posable.picture(arm(), path=tmp_path / "arm.jpg")
    with pytest.raises(FileError, match="check that the folder exists"):
        posable.picture(arm(), path=tmp_path / "nowhere/arm.png", size=SIZE)
    path = tmp_path / "arm.png"
    path.write_bytes(b"kept")
    with pytest.raises(FileError, match="already exists"):
        posable.picture(arm(), path=path, size=SIZE, overwrite=False)
    assert path.read_bytes() == b"kept"
    posable.picture(arm(), path=path, size=SIZE)
    assert path.read_bytes() != b"kept"


def test_a_camera_inside_the_figure_or_under_the_ground_still_sees() -> None:
    for camera in (
        Camera((0, 0, 0.5), (1, 0, 0.5), (0, 0, 1), 60),
        Camera((3, 0, -1), (0, 0, 0.5), (0, 0, 1), 40),
        Camera((0.1, 0, 4), (0, 0, 0), (0, 0, 1)),
    ):
        image = posable.picture(arm(), size=SIZE, camera=camera)
        assert np.ptp(image.astype(int)) > 20
