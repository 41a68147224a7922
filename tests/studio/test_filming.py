"""Films from the page's camera, which goes along with a figure that walks as it does while the page plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio.exporting import Drawing, View, following, job_of
from posable.studio.playback import Player
from posable.studio.session import Session
from posable.view import Camera

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
