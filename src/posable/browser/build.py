"""Builds the WebAssembly module: `python -m posable.browser.build`, with ziglang from PyPI for its linker and libm."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from posable.compiled.cache import kernel_sources
from posable.errors import MissingExtraError

PACKAGE = Path(__file__).parents[1]
BUILT = Path(__file__).parent / "static"
LAYOUT = PACKAGE.parents[1] / "web/solver/src/layout.ts"
EXPORTS = {
    "room": "IDIDI",
    "place": "DIDDD",
    "move": "IDDDD",
    "solve": "DIDIDIDDDI",
    "track": "DIDIDIDDDDDI",
    "held": "DIDIDIDDD",
    "left": "DIDIDIDDD",
    "bend": "DIDIIDD",
    "propose": "DIDIFIDFDIDIIIDDDDD",
    "reach": "DIDIFIDIDIIDDDD",
    "draw": "DIDIFIDIIDDDDD",
    "hang": "DIDIFIDIIDD",
    "skin_linear": "DDIFFHFFFF",
    "skin_dual": "DDIFFHFFFFF",
}
"""Of every export the types of its arrays: doubles, 64-bit integers, floats, 16-bit integers."""


def sources() -> list[Path]:
    """The files that the module is made of: the entries, and what of posable their kernels can depend on."""
    return sorted(kernel_sources(Path(__file__).with_name("entries.py")) | {Path(__file__)})


def source_hash() -> str:
    """SHA-256 of those files, with their names."""
    total = hashlib.sha256()
    for path in sources():
        total.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def packed_module() -> bytes:
    """The module as the script for pages holds it."""
    return base64.b64encode((BUILT / "solver.wasm.gz").read_bytes())


def _entries() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """The exported kernels with the types of their arguments. Imports kernels: only once the target is set."""
    from posable.browser import entries
    from posable.compiled.numba_internals import types

    flat = {letter: kind[::1] for letter, kind in (("D", types.float64), ("I", types.int64), ("F", types.float32))}
    flat["H"] = types.uint16[::1]
    return {name: (getattr(entries, name), tuple(flat[letter] for letter in kinds)) for name, kinds in EXPORTS.items()}


def layout() -> str:
    """The constants that JavaScript writes and reads the arrays by, as TypeScript: one truth, stated in Python."""
    from posable.browser import entries
    from posable.goals import target_kinds, term_arrays, terms
    from posable.natural import arm_kernel, body, habits, natural, start_kernel
    from posable.skeleton import tables
    from posable.solvers import problem, solution, standing
    from posable.solvers.closed import limb
    from posable.solvers.default import flat_tables
    from posable.solvers.default.kernels import descent

    fields = (*tables.Packed._fields, *problem.Problem._fields)
    own = {
        "HEAD": flat_tables._HEAD, "MOST": flat_tables.MOST, "RESTARTS": flat_tables.RESTARTS, "SEED": flat_tables.SEED,
        "MOTIONS": flat_tables._MOTIONS, "LEVELS": flat_tables._LEVELS,
        "TABLES": [name for name in fields if name not in ("scale", "motions", "levels")],
        "KINDS": {n: getattr(terms, n) for n in ("POSITION", "ROTATION", "SIGHT", "REGION", "LEANING", "POLE")},
        "FORMS": {n: getattr(terms, n) for n in ("POINT", "WXYZ", "FRAME")},
        "ANGLE": term_arrays.ANGLE, "SOFTER": term_arrays.SOFTER, "CONSTANTS": term_arrays.CONSTANTS,
        "CODES": {n: getattr(tables, n) for n in ("SCALAR", "BALL", "FREE")},
        "OUTCOMES": {n: getattr(descent, n) for n in ("REACHED", "STATIONARY", "STALLED", "EXHAUSTED")},
        "ENDED": {n: getattr(entries, n) for n in ("OUTCOME", "ITERATIONS", "FAULT", "FAULTY_TERM")},
        "STATUS": {one.name: one.value for one in solution.Status},
        "LIMB": limb.LIMB,
        "SEGMENTS": body.SEGMENTS, "PARENTS": body.PARENTS, "POINTS": body.POINTS, "TURNS": len(body.TURNS),
        "ENDS": sorted(body.ENDS), "SIDED": body.SIDED, "HIPS": start_kernel.HIPS,
        "LIMBS": {n: getattr(arm_kernel, n) for n in ("TRUNK", "ASKED_ARM", "IDLE_ARM", "IDLE_LEG")},
        "KEEPS": {n: getattr(start_kernel, n) for n in ("NOTHING", "ARMS", "USUAL", "ALL")},
        "NATURAL": {
            "ROOT": natural.ROOT, "REACHES": natural.REACHES,
            "UPRIGHT": natural.UPRIGHT, "FLAT": habits.FLAT,
            "UPRIGHT_WITHIN": target_kinds.turn_constants(natural.UPRIGHT_WITHIN),
            "SLACK": natural.SLACK, "LIFTED": natural.LIFTED, "MOST": standing.MOST, "LAST": standing.LAST,
            "BALANCE": standing.BALANCE,
        },
    }  # fmt: skip
    lines = ["// Written by posable.browser.build from the Python sources: not to be edited.", ""]
    lines += [f"export const {name} = {json.dumps(value)} as const;" for name, value in own.items()]
    return "\n".join(lines) + "\n"


def link(module: bytes, zig: Path) -> bytes:
    """The object file with the few functions of libm that it calls (musl's, under the MIT licence)."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "kernels.o"), Path(folder, "solver.wasm")
        given.write_bytes(module)
        exports = [f"-Wl,--export={name}" for name in (*EXPORTS, "__heap_base")]
        options = ["-O2", "-g0", "-s", "-mexec-model=reactor", "-Wl,--no-entry", "-Wl,-z,stack-size=1048576"]
        line = [str(zig), "cc", "-target", "wasm32-wasi", *options, *exports, str(given), "-o", str(made)]
        subprocess.run(line, check=True, capture_output=True, cwd=folder)
        return made.read_bytes()


def main() -> None:
    """Write the module, the hash of its sources and the constants."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise MissingExtraError("wasm", "building the WebAssembly module")
    from posable.compiled.numba_internals import aim_at_wasm, wasm_object

    aim_at_wasm()
    content = link(wasm_object(_entries()), Path(spec.origin).parent / "zig")
    BUILT.mkdir(exist_ok=True)
    (BUILT / "solver.wasm.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    (BUILT / "build.json").write_text(json.dumps({"sources": source_hash()}) + "\n", encoding="utf-8")
    LAYOUT.parent.mkdir(parents=True, exist_ok=True)
    LAYOUT.write_text(layout(), encoding="utf-8")
    print(f"{len(content):,} bytes into {BUILT / 'solver.wasm.gz'}")


if __name__ == "__main__":
    main()
