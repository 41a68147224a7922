"""Films: a clip before a fixed camera, as MP4 or GIF."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from rich.console import Console
from rich.progress import track

from posable.clips import Clip
from posable.errors import PosableError, UnsupportedFileError
from posable.figures import Figure
from posable.files import atomic_path
from posable.goals import Goal
from posable.motion.feet import Terrain
from posable.view.camera import Camera, View
from posable.view.pictures import Shot, check_pose, check_size, made_by
from posable.view.renderer import MOVING, Image
from posable.view.scene import Scene

_FRAMED = 90  # at most so many poses, evenly over the clip, decide where the camera stands
_FASTEST = 60.0  # frames a second that are shown unless more are asked for
_FASTEST_GIF = 50.0  # browsers slow faster ones down
_BT709 = 1  # its number in ITU-T H.273


def film(
    figure: Figure,
    clip: Clip,
    path: str | Path,
    *,
    size: tuple[int, int] = (640, 480),
    fps: float | None = None,
    goals: Sequence[Goal] = (),
    camera: Camera | View = "three_quarter",
    skeleton: bool = True,
    blend: str = "linear",
    terrain: Terrain | None = None,
    overwrite: bool = True,
    progress: bool = True,
) -> None:
    """Write a film of a clip: .mp4 (H.264) or .gif, by the ending of `path`.

    size: width and height in pixels, even for .mp4. fps: frames a second; if None the clip's own, or an even part of
        it that is at most 60 (50 in a .gif).
    goals: marked where they want their joints.
    camera: one, or the name of a view that is framed on the whole motion; it stands still.
    skeleton: draw the bones through the skin. blend: as for `Skin.deform`.
    terrain: the ground to draw where the figure goes, as a block; the empty stage has a level floor.
    overwrite: False refuses a file that is there.
    progress: a bar on the error stream, where that is a terminal.
    Raises UnsupportedFileError for another ending, PosableError for a size or fps that is none, PoseError,
    TerrainError for a terrain of another up axis, FileError.
    """
    write = writer_for(path)
    check_size(size)
    if not isinstance(clip, Clip):
        raise PosableError(f"a film shows a Clip, not a {type(clip).__name__}; posable.picture shows a pose")
    check_pose(figure, clip.poses[0])
    rate = _checked_rate(clip, fps, _FASTEST_GIF if write is _write_gif else math.inf)
    if write is _write_mp4 and (size[0] % 2 or size[1] % 2):
        raise PosableError(f"an .mp4 needs an even width and height, not {size[0]} × {size[1]}; add or take a pixel")
    with atomic_path(path, overwrite=overwrite) as beside:
        poses = clip.poses if rate == clip.fps else clip.resample(rate).poses
        sampled = np.unique(np.linspace(0, len(poses) - 1, _FRAMED).astype(int))
        shown = {"skeleton": skeleton, "terrain": terrain}
        shot = Shot.of(Scene(figure, blend=blend), [poses[k] for k in sampled], size, goals, camera, MOVING, **shown)
        console = Console(stderr=True)
        console.quiet = not (progress and console.is_terminal)
        frames = track(range(len(poses)), f"film {Path(path).name}", console=console, transient=True)
        write(beside, (shot.take(poses[k], goals) for k in frames), rate, size)


def writer_for(path: str | Path) -> Callable[[Path, Iterator[Image], float, tuple[int, int]], None]:
    """What writes (path, frames, frames a second, size) by the ending. Raises UnsupportedFileError for another one."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".mp4", ".gif"):
        raise UnsupportedFileError(path, f"a film is written as .mp4 or .gif, not {suffix or 'without an ending'}")
    return _write_mp4 if suffix == ".mp4" else _write_gif


def _checked_rate(clip: Clip, fps: float | None, fastest: float) -> float:
    if fps is None:
        limit = min(_FASTEST, fastest)
        return clip.fps / math.ceil(clip.fps / limit - 1e-9)
    if not 0 < fps <= min(240.0, fastest):
        raise PosableError(f"a film runs at more than 0 and at most {min(240.0, fastest):g} frames a second, not {fps}")
    return float(fps)


def _write_mp4(path: Path, frames: Iterator[Image], fps: float, size: tuple[int, int]) -> None:
    import av  # only films need it, and it is slow to load
    from av.video.reformatter import ColorRange, Colorspace

    rate = Fraction(fps).limit_denominator(10_000)
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        container.metadata["comment"] = made_by()
        if "libx264" in av.codecs_available:
            stream = container.add_stream("libx264", rate, options={"crf": "17", "preset": "medium"})
        else:
            stream = container.add_stream("mpeg4", rate, options={"qscale": "2"})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.color_range, context.colorspace = ColorRange.MPEG, Colorspace.ITU709
        context.color_primaries = context.color_trc = _BT709
        for image in frames:
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            container.mux(stream.encode(picture.reformat(format="yuv420p", dst_colorspace=Colorspace.ITU709)))
        container.mux(stream.encode(None))


def _write_gif(path: Path, frames: Iterator[Image], fps: float, _size: tuple[int, int]) -> None:
    """256 colors, chosen from the first frame for all; a fixed fine pattern hides the steps and does not flicker."""
    first = next(frames)
    palette = Pillow.fromarray(first).quantize(256, Pillow.Quantize.MEDIANCUT, kmeans=2, dither=Pillow.Dither.NONE)

    def reduced() -> Iterator[Pillow.Image]:
        yield _dithered(first, palette)
        for image in frames:
            yield _dithered(image, palette)

    ends = 0
    images = reduced()
    durations: list[int] = []
    start = next(images)
    rest = list(images)
    for k in range(len(rest) + 1):
        until = round((k + 1) * 100 / fps) * 10
        durations.append(until - ends)
        ends = until
    start.save(
        path,
        format="GIF",
        save_all=True,
        append_images=rest,
        duration=durations,
        loop=0,
        comment=made_by().encode(),
        optimize=False,
    )


def _dithered(image: Image, palette: Pillow.Image) -> Pillow.Image:
    rows, columns = image.shape[:2]
    pattern = np.tile(_PATTERN, (rows // 8 + 1, columns // 8 + 1))[:rows, :columns, None]
    noisy = np.clip(image + pattern, 0, 255).astype(np.uint8)
    return Pillow.fromarray(noisy).quantize(palette=palette, dither=Pillow.Dither.NONE)


def _bayer(order: int) -> np.ndarray:
    """The ordered dither matrix, 0 … 1 (Bayer 1973)."""
    matrix = np.zeros((1, 1))
    for _ in range(order):
        matrix = np.block([[4 * matrix, 4 * matrix + 2], [4 * matrix + 3, 4 * matrix + 1]])
    return matrix / matrix.size


_PATTERN = (_bayer(3) - 0.5) * 7.0
