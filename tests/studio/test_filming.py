"""Films from the page's camera, which goes along with a figure that walks as it does while the page plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import commands as c
from posable.studio.exporting import Drawing, View, job_of
from posable.studio.film_cameras import following, with_all_in
from posable.studio.opening import document_of
from posable.studio.playback import Player, ground_of
from posable.studio.session import Session
from posable.view import Camera
from posable.view.terrain_block import Ground

EYE = Camera((3.0, 1.0, 0.0), (0.0, 1.0, 0.0))


def roots(clip: posable.Clip) -> np.ndarray:
    return clip.poses.world_from_joint[:, 0, :3, 3]


def going(metres: float, frames: int = 61) -> tuple[posable.Figure, posable.Clip]:
    """The mannequin shifted ahead and up, as on stairs, and swaying aside."""
    figure = posable.figure("mannequin")
    q = np.tile(figure.rest.q, (frames, 1))
    at = np.linspace(0.0, 1.0, frames)
    q[:, 0] += 0.05 * np.sin(20 * at)
    q[:, 1] += 0.5 * metres * at
    q[:, 2] += metres * at
    return figure, posable.Clip(figure.skeleton, q, 30.0)


def test_the_camera_goes_along_with_who_walks_and_not_with_a_sway() -> None:
    figure, clip = going(3.0)
    start = roots(clip)[0]
    cameras = following(EYE, tuple(start.tolist()), clip, figure.height)
    moved = np.array([camera.position for camera in cameras]) - EYE.position
    off = roots(clip) - start - moved
    assert np.hypot(off[:, 0], off[:, 2]).max() < 0.21 * figure.height
    assert np.abs(off[:, 1]).max() < 0.07 * figure.height
    assert np.allclose([camera.target for camera in cameras] - moved, EYE.target), "it does not turn"
    figure, clip = going(0.0)
    assert following(EYE, tuple(start.tolist()), clip, figure.height) == [EYE] * len(clip)


@pytest.mark.parametrize("kind", ["mp4", "png"])
def test_a_request_says_whether_it_does(kind: str, tmp_path: Path) -> None:
    _, clip = going(3.0)
    document = Session().document
    asked = {"eye": "3,1,0", "target": "0,1,0", "fov": "40"}
    for more in ({}, {"along": "0,0.965,0"}):
        view = View.of({**asked, **more}, "y")
        job = job_of(kind, document, Player(), tmp_path, tmp_path, view)
        job = type(job)(kind, job.path, document, clip if kind == "mp4" else document.pose, view, tmp_path)
        cameras = Drawing.of(job).cameras
        assert (cameras is not None and len(cameras) == len(clip)) == (bool(more) and kind == "mp4")
    with pytest.raises(posable.PosableError):
        View.of({**asked, "along": "0,1"}, "y")


def shown_within(camera: Camera, points: np.ndarray, size: tuple[int, int]) -> bool:
    pixels = camera.project(points, size)
    return bool((pixels[:, 2] > 0).all() and (pixels[:, :2] > 0).all() and (pixels[:, :2] < np.array(size)).all())


def test_a_walker_who_comes_nearer_is_not_cut_off() -> None:
    figure, clip = going(3.0)
    document, size = document_of(figure, "mannequin"), (776, 536)
    height, start = figure.height, tuple(figure.rest.origins[0].tolist())
    near = Camera((0.0, 0.5 * height, 1.62 * height), (0.0, 0.5 * height, 0.0), field_of_view=38.0)
    cameras = following(near, start, clip, height)
    bodies = {k: figure.skins[0].deform(posable.Pose(figure.skeleton, clip.q[k])) for k in range(0, len(clip), 10)}
    assert shown_within(near, figure.skins[0].deform(figure.rest), size)
    assert not all(shown_within(cameras[k], points, size) for k, points in bodies.items()), "cut off"
    held = with_all_in(cameras, document, clip, near, size)
    assert all(shown_within(held[k], points, size) for k, points in bodies.items())
    back = np.array([one.position for one in held]) - [one.position for one in cameras]
    assert np.ptp(back, axis=0).max() < 1e-9, "as much at every frame: nothing zooms"


def test_who_looks_at_a_face_sees_no_more() -> None:
    figure, clip = going(3.0)
    face = Camera((0.0, 1.6, 0.8), (0.0, 1.6, 0.0), field_of_view=38.0)
    cameras = following(face, tuple(figure.rest.origins[0].tolist()), clip, figure.height)
    assert with_all_in(cameras, document_of(figure, "mannequin"), clip, face, (640, 480)) is cameras


def test_the_camera_goes_along_with_hips_whose_root_stays() -> None:
    figure, clip = going(3.0)
    world = posable.Joint("world", "fixed")
    hung = [world, *(replace(one, parent=one.parent or "world") for one in figure.skeleton.definitions)]
    skeleton = posable.Skeleton(hung, figure.skeleton.up)
    walk = posable.Clip(skeleton, clip.q, clip.fps)
    start = tuple(figure.rest.origins[0].tolist())
    cameras = following(EYE, start, walk, figure.height)
    assert cameras[-1].position[2] - EYE.position[2] > 3.0 - 0.21 * figure.height


def test_a_film_shows_the_stairs_as_far_as_the_page(tmp_path: Path) -> None:
    """However short the range that is filmed: the page shows them three reaches further than the figure goes."""
    session = Session()
    session.handle(c.TerrainSet({"kind": "stairs", "rise": 0.15, "run": 0.3, "count": 12}))
    session.handle(c.WalkMake(6))
    session.handle(c.TimelineSet(range=(0, 10)))
    document, player = session.document, session.player
    shown = ground_of(document)
    assert shown is not None
    for kind in ("mp4", "png"):
        terrain = Drawing.of(job_of(kind, document, player, tmp_path, tmp_path)).terrain
        assert terrain is not None
        block = Ground.under(terrain, document.pose.origins, document.figure)
        for extreme in (np.min, np.max):
            film, page = (extreme(one[:, [0, 2]], axis=0) for one in (block.vertices, shown[0]))
            assert np.abs(film - page).max() < 0.2 * document.figure.height, "but for a part of a tile"
