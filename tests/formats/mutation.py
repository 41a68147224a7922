"""Attack a reader with damaged files: only a figure or a PosableError may come out, in bounded time and memory.

A test takes the fixture `attack` (tests/conftest.py) and gives small valid files: `attack(".bvh", [path, content])`.

POSABLE_FUZZ sets how many damaged files each attack makes (200 if it is not set; 5000 in the long run). Run as a
program, this file is the one subprocess of an attack: it loads the valid files first (so that everything is imported
and compiled), then limits its own memory, and loads one damaged file after another. Damaged file number i depends on
the seed and i alone.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

EVERYDAY_COUNT = 200
MEMORY_BYTES = 500 * 2**20
CPU_SECONDS = 5.0  # of the process, so that a busy machine changes nothing
HANG_SECONDS = 120  # by the clock: a reader that waits for ever
MOST_FAILURES = 5
LARGEST = 4 * 2**20
CHILD_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1", "POSABLE_QUIET": "1"}

NUMBER = re.compile(rb"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
WORD = re.compile(rb"[A-Za-z_][\w.:-]*")
QUOTED = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")
ODD_NUMBERS = b"nan inf -inf 1e308 -1e308 -1 0 999999999999 2147483648 1e-320 0x10 1,5".split()
ODD_VALUES = (b"null", b"true", b"[]", b"{}", b'""', b'"x"', b"-7", b"1e999", b"[[[0]]]", b'"\\u0000"', b"NaN")
ODD_JSON: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2.5, 10**12, 2**31, 2**63, 10**400, 1e308, "", "x", "../../etc/passwd", "data:,",
    "data:;base64,AAAA", [], {}, [0], [[]], [0, 0, 0], {"x": 1}, [None], 5121, 5126, 5125, "VEC3", "MAT4", "SCALAR",
)  # fmt: skip
NESTED = (b"{", b"[", b"(", b"<a>", b"JOINT a {", b'{"a":', b"<body>", b'def "a" {', b"[[", b"{a={")


@dataclass(frozen=True)
class Outcome:
    """How many damaged files were loaded all the same, and how many refused with a PosableError."""

    loaded: int
    refused: int


def attack(
    suffix: str,
    seeds: Sequence[Path | bytes],
    count: int | None = None,
    seed: int = 0,
    companions: Mapping[str, Path | bytes] | None = None,
    *,
    folder: Path,
    stem: str = "attacked",
) -> Outcome:
    """Load `count` damaged variants of valid files, named `stem + suffix`, `companions` (name → content) beside them.

    Fails the test if a valid file does not load, or a damaged one ends in anything but a figure or a PosableError
    (another exception, over 500 MB, over 5 s, a crash); the offending bytes are then in `folder`.
    """
    if sys.platform == "win32":
        pytest.skip("memory limits of a process need a Unix system")
    arena = folder / f"attack{suffix}-{seed}"
    for inner in ("seeds", "files"):
        (arena / inner).mkdir(parents=True)
    for k, content in enumerate(seeds):
        (arena / "seeds" / f"{k:03}").write_bytes(_content(content))
    for name, content in (companions or {}).items():
        (arena / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (arena / "files" / name).write_bytes(_content(content))
    count = int(os.environ.get("POSABLE_FUZZ", EVERYDAY_COUNT)) if count is None else count
    (arena / "order.json").write_text(json.dumps({"file": stem + suffix, "count": count, "seed": seed}))
    command, environment = [sys.executable, __file__, str(arena)], {**os.environ, **CHILD_ENVIRONMENT}
    return _judged(arena, subprocess.run(command, env=environment, capture_output=True, check=False))


def _content(content: Path | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _judged(arena: Path, child: subprocess.CompletedProcess[bytes]) -> Outcome:
    written = arena / "report.jsonl"
    report = [json.loads(line) for line in written.read_text().splitlines()] if written.exists() else []
    if len(report) == 1 and "loaded" in report[0] and child.returncode == 0:
        return Outcome(**report[0])
    failures = [line for line in report if "index" in line]
    if child.returncode and (arena / "current").exists():
        last_words = child.stderr.decode(errors="replace")[-3000:]
        current = int((arena / "current").read_text())
        failures.append({"index": current, "what": f"the process ended with {child.returncode}:\n{last_words}"})
    if not failures:
        pytest.fail(f"the attack did not start:\n{child.stderr.decode(errors='replace')[-4000:]}")
    order = json.loads((arena / "order.json").read_text())
    seeds = _seeds_of(arena)
    lines = []
    for failure in failures:
        offender = arena / f"offender-{failure['index']}{Path(order['file']).suffix}"
        offender.write_bytes(damaged(seeds, order["seed"], failure["index"]))
        lines.append(f"{offender}: {failure['what']}")
    pytest.fail("\n".join(lines))


def _seeds_of(arena: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted((arena / "seeds").iterdir())]


def damaged(seeds: Sequence[bytes], seed: int, index: int) -> bytes:
    """Damaged file number `index`: one valid file with one to three wounds."""
    rng = random.Random(f"{seed}:{index}")
    content = seeds[index % len(seeds)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if content[:4] == b"glTF" and rng.random() < 0.75:
            content = _wounded_glb(content, rng)
        elif content[:1] == b"{" and rng.random() < 0.6:
            content = _wounded_json_text(content, rng)
        else:
            content = rng.choice(WOUNDS)(content, rng)
        content = content[:LARGEST]
    return content


def _span(content: bytes, rng: random.Random, longest: int = 400) -> tuple[int, int]:
    start = rng.randrange(len(content) + 1)
    return start, min(len(content), start + 1 + int(longest * rng.random() ** 3))


def _truncated(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 2, 8, 64)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.choice((0, 255, 10, 32, rng.randrange(256)))
    return bytes(changed)


def _chunk_deleted(content: bytes, rng: random.Random) -> bytes:
    start, end = _span(content, rng)
    return content[:start] + content[end:]


def _chunk_repeated(content: bytes, rng: random.Random) -> bytes:
    start, end = _span(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 2, 10, 1000)) + content[end:]


def _lines_deleted(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    start = rng.randrange(len(lines) + 1)
    return b"".join(lines[:start] + lines[start + rng.choice((1, 1, 2, 5, 50)) :])


def _line_repeated(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    start = rng.randrange(len(lines))
    span = lines[start : start + rng.choice((1, 1, 2, 3, 4, 20))]
    most = 1 + LARGEST // (1 + sum(map(len, span)))
    return b"".join(lines[:start] + span * min(most, rng.choice((2, 2, 3, 100, 3000))) + lines[start + len(span) :])


def _lines_swapped(content: bytes, rng: random.Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def _found(pattern: re.Pattern[bytes], content: bytes, rng: random.Random) -> tuple[int, int]:
    """Where `pattern` next stands from a random place on (or anywhere before, or nothing)."""
    found = pattern.search(content, rng.randrange(len(content) + 1)) or pattern.search(content)
    return found.span() if found else (len(content), len(content))


def _replaced(content: bytes, span: tuple[int, int], new: bytes) -> bytes:
    return content[: span[0]] + new + content[span[1] :]


def _number_replaced(content: bytes, rng: random.Random) -> bytes:
    return _replaced(content, _found(NUMBER, content, rng), rng.choice(ODD_NUMBERS))


def _value_replaced(content: bytes, rng: random.Random) -> bytes:
    return _replaced(content, _found(rng.choice((NUMBER, QUOTED, WORD)), content, rng), rng.choice(ODD_VALUES))


def _token_copied(content: bytes, rng: random.Random) -> bytes:
    """One word, number or quoted text takes the place of another: wrong references, cycles, doubled names."""
    pattern = rng.choice((NUMBER, QUOTED, WORD))
    source = _found(pattern, content, rng)
    return _replaced(content, _found(pattern, content, rng), content[slice(*source)])


def _tokens_swapped(content: bytes, rng: random.Random) -> bytes:
    a, b = sorted((_found(WORD, content, rng), _found(NUMBER, content, rng)))
    return content[: a[0]] + content[slice(*b)] + content[a[1] : b[0]] + content[slice(*a)] + content[b[1] :]


def _nested(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(NESTED) * rng.choice((1, 50, 3000, 100_000)) + content[place:]


def _long_run(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    filler = rng.choice((b" ", b"\n", b"9", b"x", b"0 ", b"\xff", b"\t\r"))
    return content[:place] + filler * rng.choice((1, 400, 300_000)) + content[place:]


WOUNDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _truncated, _flipped, _chunk_deleted, _chunk_repeated, _lines_deleted, _line_repeated, _lines_swapped,
    _number_replaced, _number_replaced, _number_replaced, _value_replaced, _token_copied, _token_copied,
    _tokens_swapped, _nested, _long_run,
)  # fmt: skip


def _wounded_glb(content: bytes, rng: random.Random) -> bytes:
    """A GLB with one value of its JSON, one length, or some floats of its buffer changed; otherwise well-formed."""
    if len(content) < 20:
        return content
    size = min(struct.unpack_from("<I", content, 12)[0], len(content) - 20)
    text, rest = content[20 : 20 + size], content[20 + size :]
    kind = rng.random()
    if kind < 0.7:
        text = _wounded_json_text(text, rng)
        text += b" " * (-len(text) % 4)
        return _glb_header(20 + len(text) + len(rest), len(text)) + text + rest
    wounded = bytearray(content)
    in_buffer = kind >= 0.85 and len(rest) >= 16
    places = [28 + size + 4 * rng.randrange((len(rest) - 8) // 4)] if in_buffer else [8, 12, 16, 20 + size, 24 + size]
    odd = rng.choice((0, 1, 3, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FC00000, 0x7F800000, len(content) * 2, rng.getrandbits(32)))
    place = rng.choice([p for p in places if p + 4 <= len(wounded)])
    struct.pack_into("<I", wounded, place, odd)
    return bytes(wounded)


def _glb_header(total: int, text_size: int) -> bytes:
    return b"glTF" + struct.pack("<IIII", 2, total, text_size, 0x4E4F534A)


def _wounded_json_text(text: bytes, rng: random.Random) -> bytes:
    try:
        document = json.loads(text)
        _wound_json(document, rng)
        return json.dumps(document).encode()
    except (ValueError, RecursionError):
        return rng.choice(WOUNDS)(text, rng)


def _wound_json(document: Any, rng: random.Random) -> None:
    """Change one entry: another value or type, that of another entry with the same key (cycles), gone, or doubled."""
    entries = list(_entries(document))
    if not entries:
        return
    owner, key = rng.choice(entries)
    act = rng.random()
    alike = [o[k] for o, k in entries if k == key and type(o) is type(owner)]
    if act < 0.5:
        owner[key] = rng.choice(ODD_JSON)
    elif act < 0.75:
        owner[key] = rng.choice(alike)
    elif act < 0.85 and isinstance(owner[key], int):
        owner[key] = owner[key] + rng.choice((-1, 1, 4, 1000))
    elif act < 0.93 and isinstance(owner, list):
        owner.extend([owner[key]] * rng.choice((1, 3, 20 if isinstance(owner[key], dict | list) else 1000)))
    else:
        del owner[key]


def _entries(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every (owner, key) of a JSON document, not by recursion."""
    waiting = [document]
    while waiting:
        owner = waiting.pop()
        keys = list(owner) if isinstance(owner, dict) else range(len(owner)) if isinstance(owner, list) else ()
        for key in keys:
            yield owner, key
            waiting.append(owner[key])


class _TooSlow(BaseException):
    """Not an Exception, so that no reader can take it for a fault of the file."""


def _too_slow(*_: object) -> None:
    raise _TooSlow


def _main(arena: Path) -> None:
    order, seeds = json.loads((arena / "order.json").read_text()), _seeds_of(arena)
    file = arena / "files" / order["file"]
    for k, content in enumerate(seeds):
        file.write_bytes(content)
        if (what := _failure(file, 600.0)) != "":
            raise SystemExit(f"valid file {k} does not load: {what or 'it is refused'}")
    ceiling = _memory_ceiling()
    counts, failures = {"loaded": 0, "refused": 0}, 0
    with (arena / "report.jsonl").open("w") as report:
        for index in range(order.get("first", 0), order["count"]):
            file.write_bytes(damaged(seeds, order["seed"], index))
            (arena / "current").write_text(str(index))
            with _limited(ceiling):
                what = _failure(file, CPU_SECONDS)
            if what:
                failures += 1
                report.write(json.dumps({"index": index, "what": what}) + "\n")
                report.flush()
            else:
                counts["refused" if what is None else "loaded"] += 1
            if failures == MOST_FAILURES:
                break
        report.write(json.dumps(counts) + "\n")


def _memory_ceiling() -> int | None:
    """How much address space a load may take: what there is now and 500 MB. None where that cannot be known."""
    import resource

    gc.collect()
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[0]) * resource.getpagesize() + MEMORY_BYTES if status.exists() else None


@contextmanager
def _limited(ceiling: int | None) -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (ceiling or soft, hard))
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def opened(file: Path) -> Any:
    """What is in the file: a figure, markers or a mesh, by its ending."""
    import posable
    from posable.formats.collada import read_dae

    readers = dict.fromkeys((".c3d", ".trc"), posable.load_markers) | dict.fromkeys((".obj", ".stl"), posable.load_mesh)
    readers |= {".dae": lambda path: posable.Mesh(*read_dae(path))}
    return readers.get(file.suffix, posable.load)(file)


def _load_and_save(file: Path) -> Any:
    """What is in the file; a figure is then written in every format, or refused."""
    import posable

    loaded = opened(file)
    for ending in (".glb", ".bvh", ".toml", ".fbx", ".usda") if isinstance(loaded, posable.Figure) else ():
        motion = loaded.clips[0] if loaded.clips and ending != ".toml" else None
        with suppress(posable.PosableError):
            posable.save(file.with_name(f"saved{ending}"), loaded, motion)
    return loaded


def _failure(file: Path, seconds: float) -> str | None:
    """Load the file, and save it: "" for a figure, None where it is refused, else what went wrong."""
    import traceback

    import numba  # noqa: F401  (part of the baseline)

    import posable

    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        loaded = _load_and_save(file)
        fits = isinstance(loaded, posable.Figure | posable.Markers | posable.Mesh)
        return "" if fits else f"a {type(loaded).__name__} came out"
    except posable.PosableError:
        return None
    except _TooSlow:
        return f"took more than {seconds:g} s of processor time:\n{traceback.format_exc()[-1500:]}"
    except BaseException:
        return traceback.format_exc()[-1500:]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
