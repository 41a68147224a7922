"""Films: frames, size and speed, read back with PyAV and Pillow; what is refused; nothing incomplete stays."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from view.drawables import arm

import posable
from posable.errors import FileError, PosableError, PoseError, UnsupportedFileError
from posable.view import pictures as films
from posable.view.overlay import marks_of
from posable.view.pictures import Shot
from posable.view.renderer import MOVING
from posable.view.scene import Scene

SIZE = (96, 64)


def waving(frames: int = 12, fps: float = 24.0) -> tuple[posable.Figure, posable.Clip]:
    figure = arm()
    angles = np.linspace(0, 1.5, frames)
    return figure, posable.Clip(figure.skeleton, np.stack([angles, -angles], axis=1), fps)


def decoded(path: Path) -> tuple[list[np.ndarray], av.VideoStream, dict[str, str]]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return [f.to_ndarray(format="rgb24") for f in container.decode(stream)], stream, dict(container.metadata)


def test_an_mp4_has_the_frames_size_and_speed_of_the_clip(tmp_path: Path) -> None:
    figure, clip = waving()
    posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=False)
    frames, stream, notes = decoded(tmp_path / "wave.mp4")
    assert len(frames) == len(clip) == 12 and frames[0].shape == (64, 96, 3)
    assert (
        stream.average_rate == 24 and stream.codec_context.name == "h264" and stream.codec_context.pix_fmt == "yuv420p"
    )
    assert notes["comment"] == f"made by posable {posable.__version__}"
    assert list(tmp_path.iterdir()) == [tmp_path / "wave.mp4"]


def test_the_frames_are_the_shots_and_the_camera_stands_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure, clip = waving()
    shots: list[np.ndarray] = []
    take = Shot.take

    def kept(self: Shot, *args: object) -> np.ndarray:
        shots.append(take(self, *args))  # pyright: ignore[reportArgumentType]
        return shots[-1]

    monkeypatch.setattr(Shot, "take", kept)
    posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=False)
    frames, _, _ = decoded(tmp_path / "wave.mp4")
    assert np.mean([np.abs(f.astype(int) - s).mean() for f, s in zip(frames, shots, strict=True)]) < 3
    assert np.abs(shots[0].astype(int) - shots[-1])[:20, :20].max() <= 1, "the wall behind does not move"
    assert (shots[0] != shots[-1]).any()


def test_a_camera_for_each_frame_goes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame is what that camera sees; in the light of the first, so that nothing flickers."""
    figure, clip = waving()
    shots: list[np.ndarray] = []
    take = Shot.take
    monkeypatch.setattr(Shot, "take", lambda *args: shots.append(take(*args)) or shots[-1])
    cameras = [posable.view.Camera((0.1 * k, 0.5, 4.0), (0.1 * k, 0.5, 0.0)) for k in range(len(clip))]
    posable.film(figure, clip, tmp_path / "along.mp4", size=SIZE, camera=cameras, progress=False)
    apart = [np.abs(shots[0].astype(int) - shot).mean() for shot in shots]
    assert apart[-1] > 1.0
    shots.clear()
    posable.film(figure, clip, tmp_path / "still.mp4", size=SIZE, camera=[cameras[0]] * 12, progress=False)
    still = shots[:]
    shots.clear()
    posable.film(figure, clip, tmp_path / "one.mp4", size=SIZE, camera=cameras[0], progress=False)
    assert all((one == other).all() for one, other in zip(still, shots, strict=True))
    with pytest.raises(PosableError, match="one for each of its 12 frames, not 3"):
        posable.film(figure, clip, tmp_path / "no.mp4", camera=cameras[:3])


def test_a_gif_has_them_too_and_loops(tmp_path: Path) -> None:
    figure, clip = waving(fps=30.0)
    posable.film(figure, clip, tmp_path / "wave.gif", size=(95, 63), progress=False)
    with Image.open(tmp_path / "wave.gif") as found:
        assert found.n_frames == 12 and found.size == (95, 63) and found.info["loop"] == 0  # pyright: ignore
        assert found.info["comment"].decode() == f"made by posable {posable.__version__}"
        durations = []
        for k in range(12):
            found.seek(k)
            durations.append(found.info["duration"])
        assert set(durations) == {30, 40} and sum(durations) == 400, "hundredths of a second, without drift"
        last = np.asarray(found.convert("RGB")).astype(int)
    found_shot = _last_shot(figure, clip, (95, 63))
    assert np.abs(last - found_shot).mean() < 6


def _last_shot(figure: posable.Figure, clip: posable.Clip, size: tuple[int, int]) -> np.ndarray:
    poses = [clip.poses[k] for k in range(len(clip))]
    return (
        Shot.of(films.Scene(figure), poses, size, (), "three_quarter", films.MOVING, skeleton=True)
        .take(poses[-1], ())
        .astype(int)
    )


@pytest.mark.parametrize(
    ("own", "asked", "ending", "expected", "count"),
    [
        (120.0, None, "mp4", 60, 6),
        (120.0, 30.0, "mp4", 30, 3),
        (24.0, 48.0, "mp4", 48, 23),
        (100.0, None, "gif", 50, 6),
        (12.5, None, "mp4", 12.5, 12),
    ],
)
def test_the_speed_can_be_chosen_and_stays_watchable(
    tmp_path: Path, own: float, asked: float | None, ending: str, expected: float, count: int
) -> None:
    figure, clip = waving(fps=own)
    path = tmp_path / f"wave.{ending}"
    posable.film(figure, clip, path, size=SIZE, fps=asked, progress=False)
    if ending == "mp4":
        frames, stream, _ = decoded(path)
        assert float(stream.average_rate or 0) == pytest.approx(expected) and len(frames) == count
    else:
        with Image.open(path) as found:
            assert found.n_frames == count and found.info["duration"] == 1000 / expected  # pyright: ignore


def test_goals_are_marked_and_the_skeleton_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure, clip = waving(2)
    seen: list[np.ndarray] = []
    take = Shot.take
    monkeypatch.setattr(Shot, "take", lambda self, *a: seen.append(take(self, *a)) or seen[-1])
    for more in (
        {},
        {"goals": [posable.Reach("elbow", (0.3, 0, 0.6))]},
        {"skeleton": False},
        {"camera": posable.view.Camera((4, 0, 1), (0, 0, 0.5), (0, 0, 1))},
    ):  # pyright: ignore
        posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=False, **more)
    plain, marked, bare, aside = seen[::2]
    assert (plain != marked).any() and (plain != bare).any() and (plain != aside).any()


def test_a_target_that_moves_is_marked_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    figure, path = arm(), np.array([[0.3, 0.2, 0.9], [-0.3, 0.2, 0.9], [-0.3, 0.4, 1.2]])
    goals = [posable.Reach("elbow", path), posable.LookAt("elbow", (0.5, 0.3, 0.9))]
    found = [[mark.place.tolist() for mark in marks_of(goals, figure.rest, frame)] for frame in (0, 1, 2, 7)]
    assert [one[0] for one in found] == [*path.tolist(), path[-1].tolist()]
    assert all(one[1] == [0.5, 0.3, 0.9] for one in found)
    drawn: list[int] = []
    monkeypatch.setattr("posable.view.pictures.marks_of", lambda _, __, frame=0: drawn.append(frame) or [])
    shot = Shot.of(Scene(figure), [figure.rest], SIZE, goals, "front", MOVING, skeleton=True)
    shot.take(figure.rest, goals, 2)
    assert drawn[-1] == 2 and {0, 1, 2} <= set(drawn[:-1]), "the camera sees the whole path"


def test_without_h264_an_older_codec_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(av, "codecs_available", av.codecs_available - {"libx264"})
    figure, clip = waving(4)
    posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=False)
    frames, stream, _ = decoded(tmp_path / "wave.mp4")
    assert len(frames) == 4 and stream.codec_context.name == "mpeg4"


@pytest.mark.parametrize("ending", ["mp4", "gif"])
def test_an_interrupted_film_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    figure, clip = waving()
    taken = 0
    take = Shot.take

    def interrupted(self: Shot, *args: object) -> np.ndarray:
        nonlocal taken
        taken += 1
        if taken == 5:
            raise KeyboardInterrupt
        return take(self, *args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Shot, "take", interrupted)
    kept = tmp_path / f"kept.{ending}"
    kept.write_bytes(b"kept")
    for path in (tmp_path / f"wave.{ending}", kept):
        taken = 0
        with pytest.raises(KeyboardInterrupt):
            posable.film(figure, clip, path, size=SIZE, progress=False)
    assert list(tmp_path.iterdir()) == [kept] and kept.read_bytes() == b"kept"


def test_progress_is_shown_on_the_error_stream_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    figure, clip = waving(3)
    posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=True)
    shown = capsys.readouterr()
    assert "film wave.mp4" in shown.err and not shown.out
    posable.film(figure, clip, tmp_path / "wave.mp4", size=SIZE, progress=False)
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_filmed_is_refused(tmp_path: Path) -> None:
    figure, clip = waving(3)
    path = tmp_path / "wave.mp4"
    for name in ("wave.png", "wave.avi", "wave"):
        with pytest.raises(UnsupportedFileError, match=rf"{name}: a film is written as .mp4 or .gif, not"):
            posable.film(figure, clip, tmp_path / name)
    with pytest.raises(PosableError, match=r"an .mp4 needs an even width and height, not 95 × 64"):
        posable.film(figure, clip, path, size=(95, 64))
    with pytest.raises(PosableError, match="whole pixels from 16"):
        posable.film(figure, clip, path, size=(4, 4))
    for fps in (0.0, -1.0, float("nan"), 1000.0):
        with pytest.raises(PosableError, match="more than 0 and at most 240 frames a second"):
            posable.film(figure, clip, path, fps=fps)
    with pytest.raises(PosableError, match="at most 50 frames a second, not 60"):
        posable.film(figure, clip, tmp_path / "wave.gif", fps=60)
    with pytest.raises(PoseError, match="belongs to another skeleton"):
        posable.film(posable.Figure(posable.Skeleton([posable.Joint("root", "free")], "y")), clip, path)
    path.write_bytes(b"kept")
    with pytest.raises(FileError, match="already exists"):
        posable.film(figure, clip, path, overwrite=False)
    assert path.read_bytes() == b"kept"


def test_a_function_is_told_how_far_a_film_is(tmp_path: Path) -> None:
    figure, clip = waving(4, 10.0)
    told: list[float] = []
    posable.film(figure, clip, tmp_path / "still.gif", size=(32, 24), progress=told.append)
    assert told == [0.0, 0.25, 0.5, 0.75, 1.0], "at first that the scene is ready"
