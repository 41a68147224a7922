"""Files of key points: JSON of OpenPose, AlphaPose and MediaPipe, CSV, NPY, and the labelled points of TRC and C3D."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np

from posable.errors import FileError, PosableError, UnsupportedFileError
from posable.files import check_count, check_file, path_of, read_text
from posable.formats import c3d, trc
from posable.formats.defaults import LARGEST_NUMBER
from posable.motion.key_points import KeyPoints, convention_of, conventions, names_of, site_of
from posable.spatial import Array

MAX_FRAMES = 1_000_000
_MARKER_FILES = {".trc": trc.read, ".c3d": c3d.read}
ENDINGS = (".json", ".csv", ".npy", *_MARKER_FILES)
_FPS = 30.0
_FLAT_JSON = {18: "openpose18", 17: "coco17", 25: "openpose25", 26: "halpe26"}
"""The conventions of the lists of x, y and confidence, by the number of points."""
_PARTS = re.compile(r"^(.*?)[\s_.:/\-]*(x|y|z|c|conf|confidence|score|likelihood|visibility|presence)$", re.IGNORECASE)
_TIMES = ("time", "t", "seconds", "timestamp")


def load_key_points(
    path: str | Path,
    *,
    convention: str | None = None,
    fps: float | None = None,
    size: tuple[float, float] | None = None,
    axes: Literal["camera", "y", "z"] | None = None,
) -> KeyPoints:
    """Read the key points of a person from a pose estimator.

    Args:
        path: A folder of OpenPose's JSON files, or a .json (OpenPose, AlphaPose, MediaPipe), .csv, .npy, .trc or .c3d.
        convention: Names the points of files that do not: mediapipe33, coco17, openpose18, halpe26, openpose25, h36m17,
            smpl24; None goes by their number.
        fps: Frames per second of files that do not say; None is 30.
        size: Width and height of the picture in pixels, for files that do not say.
        axes: The axes of landmarks in space ("camera", or what points up); None is what the file says, or how the
            person stands in it.

    Returns:
        The key points. Of several persons in a picture the largest, then who is nearest to it in the next.

    Raises:
        FileError: If the file is invalid or names no points that are understood.
        UnsupportedFileError: For another suffix.

    Example:
        >>> np.save("points.npy", np.random.default_rng(0).random((60, 17, 2)) * 500)
        >>> points = posable.load_key_points("points.npy", convention="coco17", fps=25.0)
    """
    path = path_of(path)
    if path.is_dir():
        return _flat_people(path, [_json(one) for one in _folder(path)], convention, fps or _FPS, size)
    check_file(path)
    suffix = path.suffix.lower()
    if suffix not in ENDINGS:
        raise UnsupportedFileError(path, f"key points are read from a folder of JSON files, or {', '.join(ENDINGS)}")
    try:
        if suffix == ".json":
            return _from_json(path, convention, fps, size, axes)
        if suffix == ".csv":
            return _from_csv(path, convention, fps, size, axes)
        if suffix == ".npy":
            return _from_array(path, _array(path), convention, fps or _FPS, size, axes)
        markers = _MARKER_FILES[suffix](path)
        up = axes or _axes_of(markers.labels, markers.positions) or markers.up
        return KeyPoints(markers.labels, markers.positions, markers.fps, axes=up, name=path.stem)
    except FileError:
        raise
    except PosableError as problem:
        raise FileError(path, str(problem)) from problem


def _folder(path: Path) -> list[Path]:
    """The JSON files of a folder in the order of the numbers in their names."""
    found = [one for one in path.iterdir() if one.suffix.lower() == ".json"]
    if not found:
        raise FileError(path, "holds no .json file; give the folder that the pose estimator wrote, or one file")
    check_count(path, len(found), MAX_FRAMES, "files")
    return sorted(found, key=lambda one: ([int(n) for n in re.findall(r"\d+", one.stem)], one.name))


def _json(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as problem:
        raise FileError(path, f"is not JSON ({problem}); export it again") from problem


def _from_json(path: Path, convention: str | None, fps: float | None, size: Any, axes: Any) -> KeyPoints:
    content = _json(path)
    if isinstance(content, dict) and "people" in content:
        return _flat_people(path, [content], convention, fps or _FPS, size)
    if isinstance(content, list) and content and isinstance(content[0], dict):
        if "keypoints" in content[0]:
            return _flat_people(path, _by_picture(content), convention, fps or _FPS, size)
        if "people" in content[0]:
            return _flat_people(path, content, convention, fps or _FPS, size)
    frames = content.get("frames") if isinstance(content, dict) else content
    if not isinstance(frames, list) or not frames:
        raise FileError(path, "holds no frames; posable reads the JSON of OpenPose, AlphaPose and MediaPipe")
    check_count(path, len(frames), MAX_FRAMES, "frames")
    head = content if isinstance(content, dict) else {}
    rate = fps or positive(head.get("fps")) or _FPS
    size = size or _pair(head.get("size")) or _pair([head.get("width"), head.get("height")])
    flat, world = (_landmarks(path, frames, kind) for kind in (False, True))
    if flat is None and world is None:
        raise FileError(path, "holds no landmarks of x and y in its frames; export it again")
    return _mediapipe(path, flat, world, convention, rate, size, axes)


def positive(value: Any) -> float | None:
    """The number where it is one above 0, else None."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e9
    return float(value) if good else None


def _pair(value: Any) -> tuple[float, float] | None:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        width, height = positive(value[0]), positive(value[1])
        return (width, height) if width and height else None
    return None


# MediaPipe and similar formats: in each frame a list of points with x, y, z and visibility.


def _landmarks(path: Path, frames: list[Any], world: bool) -> Array | None:
    """`[frame, point, 4]` x, y, z and visibility, NaN in frames without; None where no frame has any."""
    rows = [_points_of(frame, world) for frame in frames]
    count = max((len(row) for row in rows if row is not None), default=0)
    if not count:
        return None
    out = np.full((len(rows), count, 4), np.nan)
    for at, row in zip(out, rows, strict=True):
        for k, point in enumerate(row or ()):
            try:
                at[k] = _four(point)
            except (KeyError, TypeError, ValueError) as problem:
                raise FileError(
                    path, f"has a landmark that is not a point ({str(point)[:60]}); export it again"
                ) from problem
    out[~(np.abs(out) < LARGEST_NUMBER)] = np.nan
    return out


def _points_of(frame: Any, world: bool) -> list[Any] | None:
    """The landmarks of a frame, of the first person; None for none."""
    if isinstance(frame, dict):
        named = {re.sub(r"[^a-z]", "", key.lower()): value for key, value in frame.items()}
        keys = ("poseworldlandmarks", "worldlandmarks") if world else ("poselandmarks", "landmarks", "keypoints")
        frame = next((named[key] for key in keys if named.get(key)), None)
    elif world:
        return None
    if isinstance(frame, dict):
        frame = frame.get("landmark")
    while isinstance(frame, list) and len(frame) == 1 and isinstance(frame[0], list):
        frame = frame[0]
    if (
        isinstance(frame, list)
        and frame
        and isinstance(frame[0], list)
        and isinstance(next(iter(frame[0]), None), list | dict)
    ):
        frame = frame[0]
    return frame if isinstance(frame, list) and frame else None


def _four(point: Any) -> list[float]:
    if isinstance(point, dict):
        sure = next((point[key] for key in ("visibility", "score", "confidence") if point.get(key) is not None), 1.0)
        return [float(point["x"]), float(point["y"]), float(point.get("z") or 0.0), float(sure)]
    numbers = [float(x) for x in point]
    return [*numbers[:3], *[0.0] * (3 - len(numbers)), numbers[3] if len(numbers) > 3 else 1.0][:4]


def _mediapipe(
    path: Path, flat: Array | None, world: Array | None, convention: str | None, fps: float, size: Any, axes: Any
) -> KeyPoints:
    given = world if world is not None else flat
    assert given is not None
    names = _names(path, given.shape[1], convention)
    image = None
    if flat is not None:
        relative = np.nanmax(np.abs(flat[..., :2])) < 4.0  # shares of the picture, as in MediaPipe
        size = size or ((1.0, 1.0) if relative else None)
        image = flat[..., :2] * (size if relative and size else (1.0, 1.0))
    if world is None:
        assert image is not None
        return KeyPoints(names, image, fps, confidence=given[..., 3], size=size, name=path.stem)
    axes = axes or _axes_of(names, world[..., :3]) or "camera"
    image = image if image is not None and image.shape[1] == len(names) and size else None
    more = {"image": image, "size": size} if axes == "camera" else {}
    return KeyPoints(names, world[..., :3], fps, confidence=world[..., 3], axes=axes, name=path.stem, **more)


# OpenPose and AlphaPose: people in pictures, each a list of x, y and confidence.


def _by_picture(results: list[Any]) -> list[Any]:
    """AlphaPose's results as OpenPose's: {"people": [{"pose_keypoints_2d": …}]} of each picture."""
    pictures: dict[str, list[Any]] = {}
    for one in results:
        if isinstance(one, dict):
            pictures.setdefault(str(one.get("image_id")), []).append({"pose_keypoints_2d": one.get("keypoints")})
    ordered = sorted(pictures, key=lambda name: ([int(n) for n in re.findall(r"\d+", name)], name))
    return [{"people": pictures[name]} for name in ordered]


def _flat_people(path: Path, frames: list[Any], convention: str | None, fps: float, size: Any) -> KeyPoints:
    rows: list[Array | None] = []
    before: Array | None = None
    for frame in frames:
        people = frame.get("people") if isinstance(frame, dict) else None
        people = [own for own in map(_person, people if isinstance(people, list) else ()) if own is not None]
        chosen = _chosen(people, before)
        before = chosen if chosen is not None else before
        rows.append(chosen)
    count = max((len(row) for row in rows if row is not None), default=0)
    if not count:
        raise FileError(path, "shows no person: pose_keypoints_2d is missing in every frame")
    known = np.full((len(rows), count, 3), np.nan)
    for at, row in zip(known, rows, strict=True):
        if row is not None:
            at[: len(row)] = row
    if convention is None and count in _FLAT_JSON:
        convention = _FLAT_JSON[count]
    known[known[..., 2] <= 0] = np.nan
    return KeyPoints(
        _names(path, count, convention), known[..., :2], fps, confidence=known[..., 2], size=size, name=path.stem
    )


def _person(person: Any) -> Array | None:
    """`[point, 3]` x, y and confidence; None for anything else."""
    numbers = person.get("pose_keypoints_2d", person.get("pose_keypoints")) if isinstance(person, dict) else None
    try:
        found = np.array(numbers, float)
    except (TypeError, ValueError):
        return None
    if found.ndim != 1 or not len(found) or len(found) % 3:
        return None
    points = found.reshape(-1, 3)
    points[~(np.abs(points) < LARGEST_NUMBER).all(axis=1)] = 0.0  # of no confidence
    return points


def _chosen(people: list[Array], before: Array | None) -> Array | None:
    """The person nearest to the one in the frame before; at first, the largest."""
    seen = [own for own in people if (own[:, 2] > 0).sum() > 3]
    if not seen:
        return None
    if before is None:
        return max(seen, key=lambda own: float(np.ptp(own[own[:, 2] > 0, :2], axis=0).max()))
    return min(seen, key=lambda own: _apart(own, before))


def _apart(own: Array, before: Array) -> float:
    both = (own[:, 2] > 0) & (before[: len(own), 2] > 0) if len(own) == len(before) else np.zeros(len(own), bool)
    if not both.any():
        return float("inf")
    return float(np.median(np.linalg.norm(own[both, :2] - before[both, :2], axis=1)))


# Tables and arrays.


def _from_csv(path: Path, convention: str | None, fps: float | None, size: Any, axes: Any) -> KeyPoints:
    text = read_text(path)
    check_count(path, text.count("\n"), MAX_FRAMES, "lines")
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) < 2:
        raise FileError(path, "has no frames below its first line, which names the columns", line=max(len(rows), 1))
    head = [cell.strip() for cell in rows[0]]
    columns: dict[str, dict[str, int]] = {}
    for k, cell in enumerate(head):
        if found := _PARTS.match(cell):
            part = found[2].lower()
            columns.setdefault(found[1], {})[part if part in ("x", "y", "z") else "c"] = k
    names = [name for name, own in columns.items() if name and {"x", "y"} <= own.keys()]
    if not names:
        raise FileError(path, "its first line names no columns such as left_knee_x, left_knee_y, left_knee_z", line=1)
    table = np.array([_cells(path, n, row, len(head)) for n, row in enumerate(rows[1:], 2) if any(row)])
    depth = all("z" in columns[name] for name in names)
    parts = ("x", "y", "z") if depth else ("x", "y")
    places = np.stack([table[:, [columns[name][part] for part in parts]] for name in names], axis=1)
    sure = np.stack([table[:, columns[n]["c"]] if "c" in columns[n] else np.ones(len(table)) for n in names], axis=1)
    if convention is not None and len(names_of(convention)) == len(names):
        names = list(names_of(convention))
    rate = fps or _rate(head, table)
    axes = (axes or _axes_of(names, places)) if depth else None
    return KeyPoints(tuple(names), places, rate, confidence=sure, axes=axes or "camera", size=size, name=path.stem)


def _cells(path: Path, line: int, row: list[str], count: int) -> list[float]:
    found = []
    for cell in [*row, *[""] * (count - len(row))][:count]:
        try:
            found.append(float(cell) if cell.strip() else np.nan)
        except ValueError:
            if cell.strip()[:1].isdigit() or cell.strip()[:1] in "+-.":
                raise FileError(path, f"has {cell.strip()[:40]!r} instead of a number", line=line) from None
            found.append(np.nan)
    return found


def _rate(head: list[str], table: Array) -> float:
    """Frames a second by the column of times, 30 without one."""
    for k, cell in enumerate(head):
        if cell.lower() in _TIMES and len(table) > 1:
            step = float(np.median(np.diff(table[:, k])))
            step = step / 1000 if step > 1 else step  # milliseconds
            if 1e-4 < step < 10:
                return 1.0 / step
    return _FPS


def _array(path: Path) -> Array:
    try:
        check_file(path)
        found = np.lib.format.open_memmap(path, mode="r")  # not read: its head may claim more than the file holds
    except (ValueError, OSError, EOFError) as problem:
        raise FileError(path, f"is not a NumPy array ({problem}); save it with numpy.save") from problem
    if not isinstance(found, np.ndarray) or found.ndim != 3 or found.dtype.kind not in "fiu":
        raise FileError(path, "must hold one array of numbers, frames × points × 2, 3 or 4")
    return found.astype(float)


def _from_array(path: Path, given: Array, convention: str | None, fps: float, size: Any, axes: Any) -> KeyPoints:
    names = _names(path, given.shape[1], convention)
    wide = given.shape[2]
    if wide not in (2, 3, 4):
        raise FileError(path, f"has {wide} numbers for each point; give x, y (and z), and confidence")
    sure = given[..., 3] if wide == 4 else None
    if wide == 3 and _is_confidence(given):
        sure, given = given[..., 2], given[..., :2]
    places = given[..., :3]
    told = (axes or _axes_of(names, places) or "camera") if places.shape[2] == 3 else "camera"
    return KeyPoints(names, places, fps, confidence=sure, axes=told, size=size, name=path.stem)


def _is_confidence(given: Array) -> bool:
    """Whether the third number of each point is a confidence beside pixels."""
    third = given[..., 2][np.isfinite(given[..., 2])]
    return bool(len(third) and third.min() >= 0 and third.max() <= 1 and np.nanmax(given[..., :2]) > 20)


def _names(path: Path, count: int, convention: str | None) -> tuple[str, ...]:
    convention = convention or convention_of(count)
    if convention is None:
        alike = [name for name in conventions() if len(names_of(name)) == count]
        which = f"as {' and '.join(alike)} have" if alike else f"as none of {', '.join(conventions())} has"
        raise FileError(path, f"has {count} points, {which}; name the convention (convention=, --convention)")
    names = names_of(convention)
    if len(names) != count:
        raise FileError(path, f"has {count} points and {convention} has {len(names)}; name another convention")
    return names


def _axes_of(names: Any, places: Array) -> Literal["camera", "y", "z"] | None:
    """The axes of landmarks, by the person's stance; None if unknown."""
    sites = [site_of(name) for name in names]
    upper = [k for k, site in enumerate(sites) if site is not None and site.on in ("upper_arm", "head", "neck")]
    lower = [k for k, site in enumerate(sites) if site is not None and site.on in ("lower_leg", "foot", "upper_leg")]
    seen = np.isfinite(places[:, upper]).any(axis=(1, 2)) & np.isfinite(places[:, lower]).any(axis=(1, 2))
    if not (upper and lower and seen.any()):
        return None
    above, below = (np.nanmean(places[seen][:, own], axis=1) for own in (upper, lower))
    rise = np.nanmedian(above - below, axis=0)
    axis = int(np.argmax(np.abs(rise)))
    if axis == 0:
        return None
    return "z" if axis == 2 else "y" if rise[1] > 0 else "camera"
