"""Key points of a video, by an estimator in a separate process and environment."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from posable.errors import FileError, PosableError
from posable.files import cannot_be_swapped, check_count, check_file, is_private
from posable.formats.key_points import MAX_FRAMES, positive
from posable.formats.table import MARKERS, endings
from posable.motion.key_points import KeyPoints
from posable.motion.key_points.mixed_sides import averaged

PACKAGE = "mediapipe==0.10.21"
"""Its wheel contains its models; it needs NumPy 1, and therefore a separate environment."""
MEGABYTES = 250
"""About how much is downloaded for it."""

MAX_BYTES = 64 * 2**30
"""The largest video that is taken."""

_PYTHONS = ((3, 9), (3, 12))  # first and last Python for which the estimator has wheels
_SCRIPT = Path(__file__).with_name("pose_estimator.py")
_LANDMARKS = 33
_HEAD_BYTES = 1024  # of a file, by which a video is distinguished from text
_SHOWN_LINES = 12  # of the output of a failed run


def environment_folder() -> Path:
    """Where the estimator's environment is or will be: under the user's folder of application data, or POSABLE_DATA."""
    chosen = os.environ.get("POSABLE_DATA")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path("~/AppData/Local").expanduser()) / "posable"
    elif sys.platform == "darwin":
        base = Path("~/Library/Application Support/posable").expanduser()
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path("~/.local/share").expanduser()) / "posable"
    return base.absolute() / f"estimator-{PACKAGE.replace('==', '-')}"


def python_of(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def is_made() -> bool:
    """Whether the estimator's environment exists. Raises PosableError for one that others could have modified."""
    folder = environment_folder()
    if not folder.exists():
        return False
    _check_own(folder)
    return python_of(folder).exists()


def _check_own(folder: Path) -> None:
    if not (is_private(folder) and cannot_be_swapped(folder)):
        raise PosableError(
            f"{folder} could be changed by other users, so what is in it is not run; delete it, or set POSABLE_DATA to "
            "a folder of your own"
        )


def make_environment(python: str | None = None) -> Path:
    """Make the estimator's environment, at once or not at all, and return its folder.

    Args:
        python: The interpreter to make it with; None for a Python from 3.9 to 3.12.

    Raises:
        PosableError: Where it cannot be made; says why and what to do.
    """
    folder = environment_folder()
    try:
        folder.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    except OSError as problem:
        raise PosableError(f"{folder.parent} cannot be made ({problem.strerror}); set POSABLE_DATA") from problem
    _check_own(folder.parent)
    unfinished = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:12]}")
    try:
        _run([python or _interpreter(), "-m", "venv", str(unfinished)], "an environment could not be made")
        options = ["--no-input", "--disable-pip-version-check", "--only-binary", ":all:", "--quiet"]
        own = str(python_of(unfinished))
        _run([own, "-m", "pip", "install", *options, PACKAGE], f"{PACKAGE} could not be installed")
        _run([own, "-I", "-c", "import mediapipe, cv2"], f"{PACKAGE} does not run here")
        unfinished.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.replace(folder)
    except OSError as problem:
        raise PosableError(f"{folder} cannot be written ({problem.strerror or problem})") from problem
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _interpreter() -> str:
    """A Python that the estimator has wheels for."""
    first, last = _PYTHONS
    if first <= sys.version_info[:2] <= last:
        return sys.executable
    for minor in range(last[1], first[1] - 1, -1):
        if found := shutil.which(f"python3.{minor}"):
            return found
    raise PosableError(
        f"{PACKAGE} needs a Python from {first[0]}.{first[1]} to {last[0]}.{last[1]}, and none is on the PATH; install "
        f"python{last[0]}.{last[1]}"
    )


def _run(command: Sequence[str], failed: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    except OSError as problem:
        raise PosableError(f"{failed}: {command[0]} cannot be run ({problem.strerror})") from problem
    if done.returncode:
        why = "\n".join((done.stderr or done.stdout).strip().splitlines()[-_SHOWN_LINES:])
        raise PosableError(f"{failed}: {why or f'status {done.returncode}'}; check the network, and try again")


def check_video(path: Path) -> None:
    """Raise FileError for a file that is missing, too large, or of a kind that is plainly not a video."""
    check_file(path, MAX_BYTES)
    suffix = path.suffix.lower()
    if suffix in endings(lambda one: one.reads):
        raise FileError(path, f"is a figure or a motion ({suffix}), not a video; posable info describes it")
    if suffix in MARKERS:
        raise FileError(path, f"is a recording of markers ({suffix}), not a video; posable fit moves a figure by it")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as problem:
        raise FileError(path, f"cannot be read ({problem.strerror or problem})") from problem
    if b"\0" not in head:  # the sizes at the beginning of every container of video hold zero bytes
        raise FileError(path, f"is {'text' if head else 'empty'}, not a video; give an MP4, MOV, AVI or WEBM")


def key_points_of_video(
    path: str | Path,
    *,
    progress: Callable[[int, int], None] | None = None,
    estimator: Sequence[str] | None = None,
) -> KeyPoints:
    """What an estimator sees of a person in a video.

    Args:
        path: The video.
        progress: Called with the number of frames done and of all, which is 0 where the video does not say.
        estimator: The command that is given the video; None for MediaPipe in its own environment.

    Returns:
        MediaPipe's 33 points, in space and in the picture.

    Raises:
        FileError: If the video cannot be read, or shows no person.
        PosableError: If the estimator fails, or its environment has not been made.
    """
    path = Path(path)
    check_video(path)
    if estimator is None:
        if not is_made():
            raise PosableError("the pose estimator is not installed; posable video installs it after asking")
        estimator = [str(python_of(environment_folder())), "-I", str(_SCRIPT)]
    lines = _estimated([*estimator, str(path.absolute())])
    head = next(lines, None)
    size, fps, told = (head.get(key) if isinstance(head, dict) else None for key in ("size", "fps", "frames"))
    width, height = (positive(n) for n in size) if isinstance(size, list) and len(size) == 2 else (None, None)
    if width is None or height is None:
        raise FileError(path, "is not a video that can be read; convert it to MP4")
    rate = positive(fps) or 30.0
    count = int(positive(told) or 0)
    frames = []
    for line in lines:
        frames.append(_frame(path, line))
        check_count(path, len(frames), MAX_FRAMES, "frames")
        if progress is not None:
            progress(len(frames), max(count, len(frames)) if count else 0)
    if not frames or not np.isfinite(seen := np.array(frames)).any():
        raise FileError(path, "shows no person that the pose estimator finds; film the whole person, in good light")
    passes = [
        KeyPoints.of(
            "mediapipe33", own[:, 1, :, :3], rate, confidence=np.nan_to_num(own[:, 1, :, 3]), image=own[:, 0, :, :2],
            size=(width, height), name=path.stem,
        ) for own in (seen[:, 0], seen[:, 1])
    ]  # fmt: skip
    return averaged(*passes)


def _frame(path: Path, line: Any) -> Any:
    """`[2, 2, 33, 4]` of the picture and its mirror image: pixels and metres, NaN where no person is seen.

    An estimator of the user's own may look at the picture alone.
    """
    both = line if isinstance(line, list) and len(line) == 2 else [line, line]
    return np.stack([_person(path, one) for one in both])


def _person(path: Path, seen: Any) -> Any:
    """`[2, 33, 4]` pixels and metres, NaN where no person is seen."""
    if seen is None:
        return np.full((2, _LANDMARKS, 4), np.nan)
    try:
        found = np.array([seen["landmarks"], seen["world_landmarks"]], float)
    except (KeyError, TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (2, _LANDMARKS, 4):
        raise FileError(path, f"the pose estimator gave something else than {_LANDMARKS} landmarks")
    return found


def _estimated(command: Sequence[str]) -> Iterator[Any]:
    """What the estimator prints, line by line; it is ended with this process's interest in it."""
    with tempfile.TemporaryFile("w+", errors="replace") as told:
        try:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=told, stdin=subprocess.DEVNULL, text=True, encoding="utf-8"
            )
        except OSError as problem:
            raise PosableError(f"the pose estimator cannot be run ({problem.strerror}): {command[0]}") from problem
        try:
            assert process.stdout is not None
            for line in process.stdout:
                with contextlib.suppress(ValueError):
                    yield json.loads(line)
            if process.wait():
                told.seek(0)
                why = "\n".join(told.read().strip().splitlines()[-_SHOWN_LINES:])
                raise PosableError(f"the pose estimator failed (status {process.returncode}): {why}")
        finally:
            process.kill()
            process.wait()
            process.stdout.close() if process.stdout is not None else None
