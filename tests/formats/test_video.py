"""A video, seen by an estimator in a process of its own."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from posable.errors import FileError, PosableError
from posable.formats import pose_estimator, video
from posable.motion.key_points import names_of

_HEAD = json.dumps({"size": [640, 480], "fps": 25, "frames": 3})
_PERSON = {name: [[0.1 * k, 0.2, 0.3, 0.9] for k in range(33)] for name in ("landmarks", "world_landmarks")}
_SEEN = json.dumps([_PERSON, _PERSON])
_NONE = json.dumps([None, None])


def _estimator(tmp_path: Path, *lines: str, then: str = "") -> list[str]:
    """A command that prints these lines."""
    script = tmp_path / "estimator.py"
    script.write_text(f"import sys\nfor line in {list(lines)!r}:\n    print(line)\n{then}\n")
    return [sys.executable, str(script)]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"\0frames")
    return path


def test_frames_become_key_points(tmp_path: Path, film: Path) -> None:
    counted: list[tuple[int, int]] = []
    command = _estimator(tmp_path, "a warning", _HEAD, _SEEN, _NONE, json.dumps([None, _PERSON]))
    points = video.key_points_of_video(film, estimator=command, progress=lambda *at: counted.append(at))
    assert (len(points), points.fps, points.size) == (3, 25.0, (640.0, 480.0))
    assert counted == [(1, 3), (2, 3), (3, 3)]
    assert points.positions[0, 5] == pytest.approx([0.5, 0.2, 0.3])
    assert points.weights[:, 0].tolist() == [0.9, 0.0, 0.9]
    assert points.image is not None
    assert np.isnan(points.image[1]).all()


def test_an_estimator_of_ones_own_may_look_at_the_picture_alone(tmp_path: Path, film: Path) -> None:
    alone, both = (
        video.key_points_of_video(film, estimator=_estimator(tmp_path, _HEAD, line, "null"))
        for line in (json.dumps(_PERSON), _SEEN)
    )
    np.testing.assert_allclose(alone.positions, both.positions)
    np.testing.assert_allclose(alone.weights, both.weights)


@pytest.mark.parametrize(
    ("lines", "then", "why"),
    [
        ((), "", "not a video"), ((json.dumps({"size": [0, 0]}),), "", "not a video"),
        ((_HEAD, _NONE), "", "shows no person"), ((_HEAD, '[{"landmarks": []}, null]'), "", "something else than 33"),
        ((_HEAD, "null"), "", "shows no person"),
        ((_HEAD,), "sys.exit('no such codec')", r"failed \(status 1\): no such codec"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_sentence(
    tmp_path: Path, film: Path, lines: tuple[str, ...], then: str, why: str
) -> None:
    with pytest.raises(PosableError, match=why):
        video.key_points_of_video(film, estimator=_estimator(tmp_path, *lines, then=then))


def test_the_estimator_ends_with_an_interruption(tmp_path: Path, film: Path) -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    command = _estimator(tmp_path, _HEAD, _SEEN, then="sys.stdout.flush()\nimport time\ntime.sleep(600)")
    with pytest.raises(KeyboardInterrupt):
        video.key_points_of_video(film, estimator=command, progress=interrupt)


def test_without_its_environment_it_is_refused(tmp_path: Path, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_DATA", str(tmp_path / "own"))
    assert not video.is_made()
    with pytest.raises(PosableError, match="is not installed; posable video installs it"):
        video.key_points_of_video(film)
    with pytest.raises(FileError, match="no such file"):
        video.key_points_of_video(tmp_path / "gone.mp4")


@pytest.mark.skipif(os.name == "nt", reason="folders have no modes")
def test_an_environment_that_others_could_change_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_DATA", str(tmp_path / "own"))
    folder = video.environment_folder()
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(PosableError, match="could be changed by other users"):
        video.is_made()


def test_an_environment_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSABLE_DATA", str(tmp_path / "own"))
    with pytest.raises(PosableError, match=r"could not be made: .* cannot be run"):
        video.make_environment(str(tmp_path / "no-python"))
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no venv here >&2\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(PosableError, match="could not be made: no venv here; check"):
        video.make_environment(str(broken))
    assert not list((tmp_path / "own").iterdir())
    assert not video.is_made()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("walk.bvh", b"HIERARCHY\n", "is a figure or a motion (.bvh), not a video; posable info describes it"),
        ("walk.c3d", b"\x02P\0", "is a recording of markers (.c3d), not a video; posable fit"),
        ("notes.mp4", b"a text\n", "is text, not a video; give an MP4"),
        ("none.mp4", b"", "is empty, not a video"),
    ],
)
def test_what_is_not_a_video_is_named_as_what_it_is(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileError, match=re.escape(words)):
        video.key_points_of_video(path)


class _Landmark(NamedTuple):
    x: float
    y: float
    z: float
    visibility: float


def test_the_mirror_image_is_told_as_the_picture_is() -> None:
    """The estimator's own script: what it finds in a mirror image has its sides and its x as in the picture."""
    rng = np.random.default_rng(0)
    picture = [_Landmark(*row) for row in rng.random((33, 4)).tolist()]
    names = names_of("mediapipe33")
    other = {name: k for k, name in enumerate(names) if name != "-"}
    swap = {"left": "right", "right": "left"}
    mirror = list(picture)
    for name, k in other.items():
        side, _, part = name.partition("_")
        mirror[other[f"{swap[side]}_{part}"] if side in swap else k] = picture[k]._replace(x=1.0 - picture[k].x)
    plain = pose_estimator.told(SimpleNamespace(landmark=picture), 640.0, 480.0, None)
    found = pose_estimator.told(SimpleNamespace(landmark=mirror), 640.0, 480.0, 640.0)
    known = list(other.values())
    assert np.array(found)[known] == pytest.approx(np.array(plain)[known])
