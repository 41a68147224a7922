"""Markers from C3D in each of its encodings, written here byte by byte from the format's description, and from TRC."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from posable.errors import FileError, FileTooLargeError, PosableError, UnsupportedFileError
from posable.formats import load_markers
from posable.motion.markers import Markers

MACHINES = {"Intel": 84, "DEC": 85, "MIPS": 86}
PLACES = np.array([[[1.5, -2.0, 300.25], [0, 0, 0]], [[7.75, 1e3, -0.5], [4.0, 5.0, 6.0]], [[2, 2, 2], [-1, -2, -3]]])


def number(value: float, machine: int) -> bytes:
    """A 32-bit float. DEC: 4 × the value as IEEE has it, its two words exchanged."""
    if machine == 85:
        raw = struct.pack("<f", 4 * value)
        return raw[2:] + raw[:2]
    return struct.pack(">f" if machine == 86 else "<f", value)


def parameter(name: str, kind: int, sizes: tuple[int, ...], body: bytes, machine: int) -> bytes:
    """An entry of group 1."""
    word = ">h" if machine == 86 else "<h"
    tail = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + body + b"\0"
    return struct.pack("bb", len(name), 1) + name.encode() + struct.pack(word, len(tail) + 2) + tail


def c3d_bytes(machine: int, scale: float, *, units: str = "mm", analogue: int = 3, frames: int | None = None) -> bytes:
    """A file with two points, A and B, of which B is not seen in the first frame."""
    order = ">" if machine == 86 else "<"
    count = len(PLACES) if frames is None else frames
    texts = [("UNITS", (len(units),), units), ("LABELS", (4, 2), "A   B   "), ("Y_SCREEN", (2,), "+Z")]
    entries = [parameter(name, -1, sizes, text.encode(), machine) for name, sizes, text in texts]
    entries += [parameter("SCALE", 4, (), number(scale, machine), machine)]
    entries += [parameter("RATE", 4, (), number(120, machine), machine)]
    group = struct.pack("bb", 5, -1) + b"POINT" + struct.pack(order + "h", 3) + b"\0"
    block = bytes([1, 80, 1, machine]) + group + b"".join(entries) + b"\0\0"
    header = struct.pack("BB", 2, 80) + struct.pack(order + "5H", 2, analogue, 1, count, 0) + number(scale, machine)
    header += struct.pack(order + "2H", 3, 1) + number(120, machine)
    rows = b""
    for n, frame in enumerate(PLACES):
        for k, place in enumerate(frame):
            seen = not (n == 0 and k == 1)
            if scale < 0:
                rows += b"".join(number(v, machine) for v in (*place, 0.0 if seen else -1.0))
            else:
                rows += struct.pack(order + "4h", *np.round(place / scale).astype(int), 0 if seen else -1)
        rows += b"".join(number(9.0, machine) if scale < 0 else struct.pack(order + "h", 9) for _ in range(analogue))
    return header.ljust(512, b"\0") + block.ljust(512, b"\0") + rows


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
@pytest.mark.parametrize("scale", [-1.0, 0.25])
def test_every_encoding(tmp_path: Path, machine: int, scale: float) -> None:
    (tmp_path / "walk.c3d").write_bytes(c3d_bytes(machine, scale))
    markers = load_markers(tmp_path / "walk.c3d")
    assert (markers.labels, markers.fps, markers.up, markers.name) == (("A", "B"), 120.0, "z", "walk")
    expected = PLACES / 1000
    expected[0, 1] = np.nan
    np.testing.assert_allclose(markers.positions, expected, atol=1e-9)
    assert markers.seen.tolist() == [[True, False], [True, True], [True, True]]


@pytest.mark.parametrize(("units", "metres"), [("m", 1.0), ("cm", 0.01), ("in", 0.0254), ("cubits", 1.0)])
def test_units_become_metres(tmp_path: Path, units: str, metres: float) -> None:
    (tmp_path / "a.c3d").write_bytes(c3d_bytes(84, -1.0, units=units))
    np.testing.assert_allclose(load_markers(tmp_path / "a.c3d").of("A"), PLACES[:, 0] * metres)


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "is empty; export or copy it again"),
        (b"\x02", "is not a C3D file"),
        (b"\x02\x50" + bytes(2000), "parameter section is missing or of an unknown machine"),
        (c3d_bytes(84, -1.0)[:-40], "declares 3 frames and ends after 2; copy or export it again"),
        (c3d_bytes(84, -1.0, frames=60000), "declares 60,000 frames and ends after 3"),
        (c3d_bytes(84, -1.0).replace(number(-1.0, 84), bytes(4)), "has no points"),
        (c3d_bytes(84, -1.0)[:530] + b"\x7f" * 494, "is cut short in its parameters"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, raw: bytes, complaint: str) -> None:
    (tmp_path / "bad.c3d").write_bytes(raw)
    with pytest.raises(FileError, match=complaint):
        load_markers(tmp_path / "bad.c3d")


def test_no_mutation_breaks_the_reader(tmp_path: Path) -> None:
    rng, whole = np.random.default_rng(0), c3d_bytes(84, -1.0)
    for _ in range(300):
        raw = bytearray(whole)
        for place in rng.integers(0, 1024, rng.integers(1, 8)):
            raw[place] = rng.integers(256)
        (tmp_path / "bad.c3d").write_bytes(bytes(raw[: rng.integers(1, len(raw) + 1)]))
        try:
            load_markers(tmp_path / "bad.c3d")
        except (FileError, PosableError) as problem:
            assert "bad" in str(problem)


TRC = (
    "PathFileType\t4\t(X/Y/Z)\ttrial.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "60\t60\t2\t2\tmm\t60\t1\t2\n"
    "Frame#\tTime\tLASI\t\t\tRASI\t\t\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
    "\n"
    "1\t0.0\t100\t200\t300\t\t\t\n"
    "2\t0.016667\t101\t201\t301\t-5\t-6.5\t7e1\n"
)


def test_a_table_of_markers(tmp_path: Path) -> None:
    (tmp_path / "trial.trc").write_text(TRC)
    markers = load_markers(tmp_path / "trial.trc")
    assert (markers.labels, markers.fps, markers.up, markers.name) == (("LASI", "RASI"), 60.0, "y", "trial")
    np.testing.assert_allclose(markers.of("LASI"), [[0.1, 0.2, 0.3], [0.101, 0.201, 0.301]])
    np.testing.assert_allclose(markers.of("RASI"), [[np.nan] * 3, [-0.005, -0.0065, 0.07]])


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("PathFileType", "Hello", r"bad.trc:1: is not a TRC file"),
        ("60\t60\t2\t2", "0\t60\t2\t2", r"bad.trc:3: declares 0 for DataRate"),
        ("60\t60\t2\t2", "60\t60\t2\tmany", r"bad.trc:3: has no number for NumMarkers"),
        ("RASI", "", r"bad.trc:4: has 1 markers, but NumMarkers is 2"),
        ("201", "high", r"bad.trc:8: has 'high' instead of a number"),
        (TRC[TRC.index("1\t0.0") :], "\n", r"bad.trc:7: has no frames"),
        (TRC[TRC.index("2\t0.0") :], "\n", r"bad.trc: declares 2 frames and ends after 1; copy or export it again"),
        ("\tmm\t", "\tparsec\t", r"bad.trc:3: its Units are 'parsec'; write one of mm, cm, dm, m, in, ft"),
    ],
)
def test_a_bad_table_says_where(tmp_path: Path, before: str, after: str, complaint: str) -> None:
    (tmp_path / "bad.trc").write_text(TRC.replace(before, after))
    with pytest.raises(FileError, match=complaint):
        load_markers(tmp_path / "bad.trc")


def test_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "huge.trc").write_text(TRC.replace("\t2\tmm", "\t99999999\tmm").replace("RASI", "\t".join(["x"] * 10)))
    with pytest.raises((FileError, FileTooLargeError), match="has 11 markers, but NumMarkers is 99999999"):
        load_markers(tmp_path / "huge.trc")
    with pytest.raises(UnsupportedFileError, match=r"markers are read from .c3d and .trc"):
        load_markers(tmp_path / "walk.bvh")


def test_markers_are_checked_and_named() -> None:
    markers = Markers(("A", "B"), PLACES, 30)
    with pytest.raises(PosableError, match="no marker is called 'a1'; did you mean A"):
        markers.of("a1")
    with pytest.raises(PosableError, match="the label 'A' comes twice"):
        Markers(("A", "A"), PLACES, 30)
    with pytest.raises(PosableError, match=r"positions are frames × 1 markers × 3, not \(3, 2, 3\)"):
        Markers(("A",), PLACES, 30)
    with pytest.raises(PosableError, match="fps must be above 0, not 0"):
        Markers(("A", "B"), PLACES, 0)
    assert markers.renamed({"A": "hip"}).labels == ("hip", "B")
    np.testing.assert_array_equal(markers.only(["B"]).positions, PLACES[:, 1:])
    assert len(markers.trim(1 / 30, 2 / 30)) == 2
    with pytest.raises(PosableError, match=r"last 0.0666667 s, not 0 to 9 s"):
        markers.trim(0, 9)


def test_short_gaps_are_filled_and_long_ones_stay() -> None:
    times = np.arange(100) / 50
    path = np.stack([times, times**2, np.sin(times)], axis=1)[:, None]
    gappy = path.copy()
    gappy[20:25], gappy[50:80], gappy[:3] = np.nan, np.nan, np.nan
    filled = Markers(("A",), gappy, 50).filled(0.2)
    np.testing.assert_allclose(filled.positions[20:25], path[20:25], atol=1e-4)
    assert np.isnan(filled.positions[50:80]).all()
    assert np.isnan(filled.positions[:3]).all()
    np.testing.assert_array_equal(filled.positions[25:50], path[25:50])


@pytest.mark.parametrize(
    ("name", "labels", "frames", "tallest"),
    [("Sample_Static.c3d", 141, 275, 1.85), ("walkingOptiTrack.c3d", 12, 3361, 0.4),
     ("sample_propulsion.c3d", 41, 700, None), ("sample_probing_acromion_R.c3d", 41, 140, None)],
)  # fmt: skip
def test_real_recordings(shared: Path, name: str, labels: int, frames: int, tallest: float | None) -> None:
    markers = load_markers(shared / "markers" / name)
    assert (len(markers.labels), len(markers), markers.up) == (labels, frames, "z")
    if tallest:
        assert np.nanmax(markers.positions[..., 2]) == pytest.approx(tallest, rel=0.01)
    steps = np.linalg.norm(np.diff(markers.positions, axis=0), axis=-1) * markers.fps
    assert np.nanmedian(steps) < 3  # m/s: people, not noise
