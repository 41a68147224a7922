"""Still pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from posable.clips import Clip
from posable.errors import PosableError, PoseError, UnsupportedFileError, check_kind, printable
from posable.figures import Figure
from posable.figures.terrain import Terrain
from posable.files import atomic_path, generator
from posable.goals import Goal
from posable.skeleton import Pose
from posable.view.backdrop import Stage
from posable.view.camera import Camera, View
from posable.view.front import front_of
from posable.view.overlay import draw_marks, draw_skeleton, marks_of
from posable.view.renderer import MOVING, STILL, Image, Quality, Renderer
from posable.view.scene import Mesh, Scene, obstacle_vertices, obstacles_of
from posable.view.terrain_block import Ground

LARGEST = 8192
"""The most pixels a picture may be wide or high."""


def picture(
    figure: Figure,
    pose: Pose | None = None,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (960, 720),
    goals: Sequence[Goal] = (),
    camera: Camera | View = "three_quarter",
    skeleton: bool = True,
    skin: bool = True,
    blend: str = "auto",
    terrain: Terrain | None = None,
    overwrite: bool = True,
) -> Image:
    """Draw a shaded picture of a figure.

    Args:
        figure: The figure.
        pose: A single pose; None is the rest pose.
        path: A .png file to write as well, or None.
        size: Width and height in pixels.
        goals: Goals whose targets are marked, and whose obstacles are drawn.
        camera: A camera, or a view ("three_quarter", "front" or "side") of where the figure faces, framed on it and its
            goals.
        skeleton: Draw the bones over the skin.
        skin: False draws solid bones instead of the skin and the display shapes.
        blend: Deformation, as for `Skin.deform`; "auto" is centres of rotation for skins that `posable.bind` made, and
            linear for those of files, as engines show them.
        terrain: The ground to draw as a block; None is a level floor.
        overwrite: Whether an existing file may be replaced.

    Returns:
        `[height, width, 3]` sRGB bytes.

    Raises:
        PosableError: For an invalid size or blend.
        PoseError: For a batch of poses, or a pose of another skeleton.
        TerrainError: For a terrain with another up axis.
        FileError: If the file cannot be written.

    Example:
        >>> pixels = posable.picture(figure, size=(64, 48))
        >>> pixels.shape
        (48, 64, 3)
    """
    pose = figure.rest if pose is None else pose
    check_pose(figure, pose)
    check_size(size)
    if path is not None and Path(path).suffix.lower() != ".png":
        raise UnsupportedFileError(path, "a picture is written as .png; give it that ending")
    scene = Scene(figure, skin=skin, blend=blend)
    shot = Shot.of(scene, [pose], size, goals, camera, STILL, skeleton=skeleton, terrain=terrain)
    return draw_to(path, lambda: shot.take(pose, goals), overwrite=overwrite)


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene before a camera: one for a picture, one for all frames of a film. ground: what it stands on. obstacles:
    what stands about it.
    """

    scene: Scene
    renderer: Renderer
    skeleton: bool = True
    ground: Ground = field(default_factory=Ground.none)
    obstacles: Mesh = field(default_factory=Mesh.none)

    @classmethod
    def of(
        cls,
        scene: Scene,
        poses: Sequence[Pose],
        size: tuple[int, int],
        goals: Sequence[Goal],
        camera: Camera | View,
        quality: Quality,
        *,
        skeleton: bool,
        terrain: Terrain | None = None,
    ) -> Shot:
        """The shot that holds the scene in all the `poses`, and its goals."""
        up, about = scene.figure.skeleton.up, obstacles_of(goals)
        outline = np.concatenate([scene.outline(pose) for pose in poses])
        every = [own for pose in poses if (own := scene.feet(pose)) is not None]
        feet = np.concatenate(every) if every else None
        ground = Ground.none() if terrain is None else Ground.under(terrain, outline, scene.figure)
        if not isinstance(camera, Camera):
            last = max((count for goal in goals for count in goal.frames()), default=1) - 1
            frames = np.unique(np.linspace(0, last, _FRAMED).astype(int)).tolist()
            places = [mark.place for pose in poses for mark in marks_of(goals, pose)]
            places += [mark.place for frame in frames for mark in marks_of(goals, poses[0], frame)]
            points = np.concatenate([outline, np.reshape(places, (-1, 3)), obstacle_vertices(about).astype(float)])
            front = front_of(scene.figure, poses)
            camera = ground.camera(points, outline if feet is None else feet, up, camera, size[0] / size[1], front)
        stage = Stage.around(outline, up, feet, ground.base)
        return cls(scene, Renderer(stage, camera, size, quality), skeleton, ground, Mesh.obstacles(about))

    @cached_property
    def _mesh(self) -> Mesh:
        return self.scene.mesh.beside(self.ground.mesh).beside(self.obstacles)

    def take(self, pose: Pose, goals: Sequence[Goal], frame: int = 0, camera: Camera | None = None) -> Image:
        """The image of a pose. frame: of the motion, for targets and obstacles that move. camera: None for its own."""
        about = obstacle_vertices(obstacles_of(goals, frame))
        renderer = self.renderer if camera is None else self.renderer.through(camera)
        image = renderer.draw(self._mesh, np.concatenate([self.scene.placed(pose), self.ground.vertices, about]))
        if self.skeleton and not self.scene.bare:
            draw_skeleton(image, renderer, self.scene.bones, pose)
        draw_marks(image, renderer, marks_of(goals, pose, frame), pose)
        return image


def check_size(size: tuple[int, int]) -> None:
    """Check width and height in pixels."""
    whole = len(size) == 2 and all(isinstance(n, (int, np.integer)) for n in size)
    if not whole or not all(16 <= n <= LARGEST for n in size):
        raise PosableError(f"a size is (width, height), whole pixels from 16 to {LARGEST}, not {size!r}")


def check_pose(figure: Figure, pose: Pose) -> None:
    """Refuse a batch, what is not a pose, and a pose that belongs to another skeleton."""
    cure = "a solution's pose is solution.pose" if hasattr(pose, "pose") else ""
    check_kind(figure, Figure, "what is shown is a Figure", "posable.load opens a file")
    check_kind(pose, Pose, "a picture shows a Pose", cure, PoseError)
    if pose.skeleton.joints != figure.skeleton.joints:
        raise PoseError("the pose belongs to another skeleton than the figure's; retarget it first")
    if pose.shape:
        raise PoseError(
            f"a picture shows one pose, not a batch of shape {pose.shape}; index it, or make a film of a clip"
        )


def made_by() -> str:
    """What the files say of who made them."""
    return f"made by {generator()}"


def draw_to(path: str | Path | None, draw: Callable[[], Image], *, overwrite: bool) -> Image:
    """What `draw` draws, also written to `path` if given; it is not drawn where it could not be. Raises FileError."""
    if path is None:
        return draw()
    with atomic_path(path, overwrite=overwrite) as beside:
        image = draw()
        _write_png(beside, image)
    return image


def _write_png(path: Path, image: Image) -> None:
    """The image as a .png that says who made it."""
    from PIL import Image as Pillow
    from PIL.PngImagePlugin import PngInfo

    note = PngInfo()
    note.add_text("Software", made_by())
    # Level 4 takes half the time of Pillow's usual 6, for a file an eighth larger.
    Pillow.fromarray(image).save(path, format="PNG", pnginfo=note, compress_level=4)


# Films: a clip before a camera, as MP4 or GIF.


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
    camera: Camera | View | Sequence[Camera] = "three_quarter",
    skeleton: bool = True,
    blend: str = "auto",
    terrain: Terrain | None = None,
    overwrite: bool = True,
    progress: bool | Callable[[float], None] = True,
) -> None:
    """Render a clip as a film.

    Args:
        figure: The figure.
        clip: The clip.
        path: The file: .mp4 (H.264) or .gif.
        size: Width and height in pixels, even for .mp4.
        fps: Frames per second; None is the clip's own, or an integer fraction of it of at most 60 (50 for .gif).
        goals: Goals whose targets are marked, and whose obstacles are drawn, where they are in each frame.
        camera: A camera, or a view framed on the whole motion; it does not move. Or one for each frame of the clip.
        skeleton: Draw the bones over the skin.
        blend: Deformation, as for `Skin.deform`; "auto" is centres of rotation for skins that `posable.bind` made, and
            linear for those of files, as engines show them.
        terrain: The ground to draw as a block; None is a level floor.
        overwrite: Whether an existing file may be replaced.
        progress: Show a progress bar on stderr if that is a terminal; or a function, which is called with the part that
            is done, 0 to 1: when the scene is ready for the first frame, and after each frame.

    Raises:
        UnsupportedFileError: For another suffix.
        PosableError: For an invalid size or fps, or another number of cameras than of frames.
        PoseError: For a clip of another skeleton.
        TerrainError: For a terrain with another up axis.
        FileError: If the file cannot be written.

    Example:
        >>> posable.film(figure, clip, "walk.gif", size=(64, 48))
    """
    write = writer_for(path)
    check_size(size)
    check_kind(clip, Clip, "a film shows a Clip", "posable.picture shows a pose")
    check_pose(figure, clip.poses[0])
    rate = _checked_rate(clip, fps, _FASTEST_GIF if write is _write_gif else math.inf)
    if write is _write_mp4 and (size[0] % 2 or size[1] % 2):
        raise PosableError(f"an .mp4 needs an even width and height, not {size[0]} × {size[1]}; add or take a pixel")
    first, cameras = _cameras(camera, len(clip))
    with atomic_path(path, overwrite=overwrite) as beside:
        poses = clip.poses if rate == clip.fps else clip.resample(rate).poses
        sampled = np.unique(np.linspace(0, len(poses) - 1, _FRAMED).astype(int))
        shown = {"skeleton": skeleton, "terrain": terrain}
        shot = Shot.of(Scene(figure, blend=blend), [poses[k] for k in sampled], size, goals, first, MOVING, **shown)
        console = Console(stderr=True)
        console.quiet = callable(progress) or not (progress and console.is_terminal)
        frames = track(range(len(poses)), f"film {escape(printable(Path(path).name))}", console=console, transient=True)
        pace = clip.fps / rate
        if callable(progress):
            progress(0.0)

        def taken(k: int) -> Image:
            frame = round(k * pace)
            own = None if cameras is None else cameras[min(frame, len(cameras) - 1)]
            image = shot.take(poses[k], goals, frame, own)
            if callable(progress):
                progress((k + 1) / len(poses))
            return image

        write(beside, (taken(k) for k in frames), rate, size)


def writer_for(path: str | Path) -> Callable[[Path, Iterator[Image], float, tuple[int, int]], None]:
    """What writes (path, frames, frames a second, size) by the ending. Raises UnsupportedFileError for another one."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".mp4", ".gif"):
        raise UnsupportedFileError(path, f"a film is written as .mp4 or .gif, not {suffix or 'without an ending'}")
    return _write_mp4 if suffix == ".mp4" else _write_gif


def _cameras(camera: Camera | View | Sequence[Camera], count: int) -> tuple[Camera | View, Sequence[Camera] | None]:
    """The first camera, or the view; and the camera of each frame of the clip, None where one serves for all."""
    if isinstance(camera, Camera | str):
        return camera, None
    if len(camera) != count:
        raise PosableError(f"a film has one camera, or one for each of its {count} frames, not {len(camera)}")
    return camera[0], camera


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
