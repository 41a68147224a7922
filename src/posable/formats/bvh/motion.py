"""The MOTION of a BVH file: its numbers, read by a compiled scanner, and its angles as quaternions."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.errors import FileError
from posable.formats.bvh.commas import CURE
from posable.formats.defaults import LARGEST_NUMBER
from posable.spatial import Array
from posable.spatial.kernels import multiply_wxyz

_FRAMES = re.compile(r"\s*+frames?(?!\s*time)\s*+:?\s*+([^\s:]\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*+frame\s*+time\s*+:?\s*+([^\s:]\S*)", re.IGNORECASE)
_POWERS = 10.0 ** np.arange(309)
_DONE, _ENDED, _CROWDED, _BAD = range(4)
_RATE_RANGE = 10.0, 1000.0  # a frame time in this range is a frame rate
_LEAST_FRAME_TIME, _MAX_FRAME_TIME = 1e-5, 1000.0  # s: beyond these, nothing is recorded
_USUAL_FPS = np.array([24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 200.0, 240.0])  # fps
SINGLE_FRAME_FPS = 30.0
"""Frame rate of a single frame without a usable frame time."""


@dataclass(frozen=True)
class Motion:
    """`values [frame, channel]` as in the file (degrees), at `fps`, and the reader's notes."""

    values: Array
    fps: float
    notes: tuple[str, ...] = ()


def parse_motion(path: Path, text: str, start: int, line: int, channels: int) -> Motion | None:
    """The frames after the word MOTION, which ends at `start` in `line`, or None. Raises FileError with the line."""
    found = _FRAMES.match(text, start)
    if found is None:
        if text[start:].strip():
            raise FileError(path, 'the line "Frames: <count>" must follow MOTION', line=line)
        return None
    frames_line = line + text.count("\n", start, found.start(1))
    frames = _frame_count(path, found[1], frames_line)
    if frames == 0:
        _refuse_rows(path, text, found.end(), channels, frames_line)
    if frames == 0 or channels == 0:
        return None
    fps, begin, notes = _frame_rate(path, text, found.end(), frames_line, frames)
    if (
        frames * channels > (len(text) - begin + 1) // 2
    ):  # a number and the following space take at least two characters
        raise _shortage(path, text, begin, frames_line, frames, channels)
    values = np.empty((frames, channels))
    letters = np.frombuffer(text[begin:].encode(), np.uint8)
    outcome, _, _, place = scan_frames(letters, values)
    if outcome == _BAD:
        raise _bad_number(path, text, begin, letters, place)
    if outcome != _DONE:
        raise _shortage(path, text, begin, frames_line, frames, channels)
    if letters[place:].tobytes().strip():
        notes = (*notes, f"more numbers follow the frames that the file declares ({frames}); they were left out")
    return Motion(values, fps, notes)


def _refuse_rows(path: Path, text: str, start: int, channels: int, line: int) -> None:
    """Raise FileError where numbers follow although the file declares 0 frames."""
    time = _FRAME_TIME.match(text, start)
    rows = len(text[time.end() if time else start :].split()) // max(channels, 1)
    if rows and channels:
        raise FileError(path, f"declares 0 frames, but {rows:,} follow; write Frames: {rows}", line=line)


def _frame_count(path: Path, word: str, line: int) -> int:
    if not re.fullmatch(r"\d{1,18}", word):
        raise FileError(path, f"Frames: needs a whole number of at least 0, not {word[:40]!r}", line=line)
    return int(word)


def _frame_rate(path: Path, text: str, start: int, line: int, frames: int) -> tuple[float, int, tuple[str, ...]]:
    """(frame rate, start of the numbers, notes)."""
    found = _FRAME_TIME.match(text, start)
    if found is None:
        raise FileError(path, 'the line "Frame Time: <seconds>" must follow Frames', line=line)
    line += text.count("\n", start, found.start(1))
    try:
        seconds = float(found[1])
    except ValueError:
        seconds = math.nan
    if frames > 1 and _RATE_RANGE[0] <= seconds <= _RATE_RANGE[1]:
        millis = seconds % 1 > 0 and np.abs(1000 / seconds / _USUAL_FPS - 1).min() < 0.005
        what = "milliseconds" if millis else "frames a second"
        note = f"each frame would last {found[1][:40]} s: that was taken as {what}"
        return 1000 / seconds if millis else seconds, found.end(), (note,)
    if (_LEAST_FRAME_TIME if frames > 1 else 1e-9) <= seconds <= (_MAX_FRAME_TIME if frames > 1 else 1e9):
        return 1.0 / seconds, found.end(), ()
    if frames > 1 or math.isnan(seconds):
        span = f" of {_LEAST_FRAME_TIME:g} to {_MAX_FRAME_TIME:g}" if seconds > 0 else " above 0"
        problem = f"Frame Time: needs a number of seconds{span}, not {found[1][:40]!r}; 0.0333333 is 30 frames a second"
        raise FileError(path, problem, line=line)
    return SINGLE_FRAME_FPS, found.end(), (f"its single frame states a time of {found[1][:40]} s; taken as 1/30 s",)


def _bad_number(path: Path, text: str, begin: int, letters: np.ndarray, place: int) -> FileError:
    before = letters[:place].tobytes()
    word = letters[place : place + 400].tobytes().split(maxsplit=1)[0].decode(errors="replace")
    cure = CURE if "," in word else "; correct it, or delete its frame and lower the number after Frames:"
    line = text.count("\n", 0, begin) + before.count(b"\n") + 1
    return FileError(path, f"{word[:40]!r} is not a finite number below 1e15{cure}", line=line)


def _shortage(path: Path, text: str, begin: int, frames_line: int, frames: int, channels: int) -> FileError:
    """The error for incomplete frames: a line of another length, or fewer frames than declared."""
    line, whole = text.count("\n", 0, begin) + 1, 0
    rows = text[begin:].rstrip().split("\n")
    for k, row in enumerate(rows):
        count = len(row.split())
        if count not in (0, channels):
            cut = whole and k + 1 == len(rows) and count < channels
            cure = f"cut off there; set Frames: to {whole} to do without it" if cut else "export the file again"
            problem = f"this line has {count} numbers, but a frame has {channels} channels; {cure}"
            return FileError(path, problem, line=line)
        whole += count > 0
        line += 1
    return FileError(
        path,
        f"declares {frames:,} frames, but only {whole:,} follow; the file is truncated: export it again, or write "
        f"Frames: {whole}",
        line=frames_line,
    )


@inner_kernel
def times_power_of_ten(value, exponent):
    """value · 10^exponent; a division for negative exponents, whose powers are not exact."""
    if exponent >= 0:
        return value * _POWERS[min(exponent, 308)] * _POWERS[min(max(exponent - 308, 0), 308)]
    return value / _POWERS[min(-exponent, 308)] / _POWERS[min(max(-exponent - 308, 0), 308)]


@shared_kernel
def scan_number(text, i):
    """(value, index after it) of the decimal number at `text[i]`, ASCII codes; the index is -1 if it is not a
    number.
    """
    n = text.shape[0]
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    mantissa, exponent, digits = np.int64(0), 0, 0
    fraction = False
    while i < n:
        d = np.int64(text[i]) - 48
        if 0 <= d <= 9:
            digits += 1
            if mantissa < 10**17:
                mantissa = 10 * mantissa + d
                exponent -= fraction
            else:
                exponent += not fraction
        elif text[i] == 46 and not fraction:
            fraction = True
        else:
            break
        i += 1
    if digits == 0:
        return 0.0, -1
    if i < n and (text[i] == 69 or text[i] == 101):
        i += 1
        down = i < n and text[i] == 45
        if i < n and (down or text[i] == 43):
            i += 1
        power, digits = 0, 0
        while i < n and 48 <= text[i] <= 57:
            power = min(10 * power + np.int64(text[i]) - 48, 10**6)
            digits += 1
            i += 1
        if digits == 0:
            return 0.0, -1
        exponent += -power if down else power
    value = times_power_of_ten(float(mantissa), exponent)
    return -value if negative else value, i


@kernel
def scan_frames(text, out):
    """Fill `out [frame, channel]` with the numbers in `text` (UTF-8 bytes); every frame must begin on a new line.

    Returns (result code, frame, channel, index in the text).
    """
    i, n = 0, text.shape[0]
    for frame in range(out.shape[0]):
        for channel in range(out.shape[1]):
            fresh = frame == 0
            while i < n and text[i] <= 32:
                fresh = fresh or text[i] == 10 or text[i] == 13
                i += 1
            if i == n:
                return _ENDED, frame, channel, i
            if channel == 0 and not fresh:
                return _CROWDED, frame, channel, i
            value, after = scan_number(text, i)
            if after < 0 or (after < n and text[after] > 32) or not -LARGEST_NUMBER < value < LARGEST_NUMBER:
                return _BAD, frame, channel, i
            out[frame, channel] = value
            i = after
    return _DONE, out.shape[0], 0, i


@kernel
def fill_rotations(values, columns, axes, starts, q):
    """Write wxyz at `q[:, starts[k]:]`: rotations by `values[:, columns[k]]` degrees about moving `axes[k]`, in
    order.
    """
    half = math.pi / 360.0
    for frame in range(values.shape[0]):
        for k in range(starts.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for turn in range(columns.shape[1]):
                angle = half * values[frame, columns[k, turn]]
                s, axis = math.sin(angle), axes[k, turn]
                w, x, y, z = multiply_wxyz(
                    w, x, y, z, math.cos(angle), s * (axis == 0), s * (axis == 1), s * (axis == 2)
                )
            c = starts[k]
            q[frame, c], q[frame, c + 1], q[frame, c + 2], q[frame, c + 3] = w, x, y, z
