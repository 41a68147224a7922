"""Without Numba's inner parts the answers are the same."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import posable
from posable.compiled import KNOWN_NUMBA, plain, records, simd_float, spatial_vectors, views
from posable.compiled.decorators import kernel
from posable.compiled.numba_internals import types

SOLVES = """
import json
import sys
import numpy as np
import posable
from posable.compiled import PLAIN_KERNELS

arm, figure = posable.figure("arm7"), posable.figure("mannequin")
tip, rng = arm.skeleton.joints[-1], np.random.default_rng(0)
many = posable.Pose(arm.skeleton, arm.skeleton.random_coordinates(rng, (80,))).origins[:, -1]
answers = {}

def solve(name, start, goals, **more):
    answers[name] = posable.solve(start, goals, **more).pose.q.ravel().tolist()

hand = posable.Reach("hand_r", (-0.3, 1.3, 0.4))
solve("plain", arm.rest, [posable.Reach(tip, many[0])])
solve("batch", arm.rest, [posable.Reach(tip, many)])
solve("comfort", figure.rest, [hand, posable.Comfort()], frozen=["root"])
solve("priority", figure.rest, [hand, posable.Reach("hand_l", (2.0, 1.3, 0.4), priority=1)])
solve("pole", figure.rest, [hand, posable.Pole("hand_r", (-1.0, 1.1, -0.3))], frozen=["root", "spine", "chest"])
path = many[:1] * np.linspace(1.0, 0.9, 12)[:, None]
answers["track"] = posable.track(arm.rest, [posable.Reach(tip, path)], fps=30.0).q.ravel().tolist()
closed = posable.figure("arm6")
place = closed.rest.plus((-0.6, -0.4, -0.8, -0.7, 0.4, -0.7)).world_from_joint[-1]
solve("closed form", closed.rest, [posable.Place("tool", place)])
bent = figure.rest.with_joint("root", (0.0, 0.96, 0.0, 0.996, 0.0, 0.0, 0.087))
for blend in ("linear", "dual_quaternion"):
    answers[blend] = figure.skins[0].deform(bent, blend)[::50].ravel().tolist()
answers["is plain"] = [float(PLAIN_KERNELS), float("numba.core" in sys.modules)]
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_every_name_that_posable_takes_has_a_plain_form() -> None:
    modules = {f"posable.compiled.{name}" for name in plain.STANDS_FOR}
    package = Path(posable.__file__).parent
    inside = {package / "compiled" / f"{name}.py" for name in plain.STANDS_FOR}
    inside.add(package / "browser" / "build.py")  # makes the module for browsers, which needs Numba's insides
    missing = []
    for file in set(package.rglob("*.py")) - inside:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                missing += [(file.name, one.name) for one in node.names if not hasattr(plain, one.name)]
    assert not missing


def test_a_fresh_installation_gets_a_numba_that_is_known() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (bounds,) = (one for one in project["dependencies"] if one.startswith("numba"))
    major, minor = KNOWN_NUMBA[-1].split(".")
    assert bounds == f"numba>={KNOWN_NUMBA[0]},<{major}.{int(minor) + 1}"


def sums(m: Any) -> Any:
    """A kernel's body over spatial vectors of module `m`."""
    spatial_vector, dot, zero_vector = m.spatial_vector, m.dot, m.zero_vector

    def body(x, y):
        a, b, c = spatial_vector(x, 2.0, 3.0, y, 5.0, 6.0), spatial_vector(0.5, y, x, 1.0, 0.25, 2.0), zero_vector()
        c = c + a * x - b
        return dot(a, b), dot(a, c), dot(c, c)

    return body


def skinned(m: Any) -> Any:
    """A kernel's body over matrices and dual quaternions of module `m`."""
    scaled, plus_scaled, moved, carried = m.scaled, m.plus_scaled, m.moved, m.carried
    matrix_at, dual_at, entries = m.matrix_at, m.dual_at, m.entries

    def body(matrices, duals, weight, x, y, z):
        matrix = plus_scaled(scaled(weight, matrix_at(matrices, 0, 0)), weight, matrix_at(matrices, 1, 1))
        dual = plus_scaled(scaled(weight, dual_at(duals, 0, 1)), weight, dual_at(duals, 1, 0))
        return moved(matrix, x, y, z), carried(dual, x, y, z), entries(dual)[3]

    return body


def in_memory(m: Any, window: Any, as_whole: Any, fields: dict[str, Any]) -> Any:
    """A kernel's body over a record of two views."""
    make = m.record_maker(m.RecordType("Two", fields))

    def body(memory):
        record = make(memory, (window(memory, 24, (2, 3)), window(memory, 30, (2, 1, 2))))
        record.cube[1, 0, 1] += record.table[1, 2]
        return memory[33], record.cube[1, 0, 0], as_whole(memory)[32], record.table.sum()

    return body


def flat(result: Any) -> list[float]:
    return [number for part in result for number in (flat(part) if isinstance(part, tuple) else [part])]


@pytest.mark.slow
def test_plain_forms_give_the_same_numbers() -> None:
    rng = np.random.default_rng(0)
    own, other = kernel(sums(spatial_vectors)), numba.njit(sums(plain))
    np.testing.assert_allclose(flat(other(0.3, -0.7)), flat(own(0.3, -0.7)), rtol=1e-14)
    matrices, duals = rng.normal(size=(2, 32)).astype(np.float32), rng.normal(size=(2, 16)).astype(np.float32)
    given = matrices, duals, *np.array([0.4, 1.0, -2.0, 0.5], np.float32)
    own, other = kernel(skinned(simd_float)), numba.njit(skinned(plain))
    np.testing.assert_allclose(flat(other(*given)), flat(own(*given)), rtol=1e-5)
    memory, fields = rng.normal(size=40), {"table": types.float64[:, ::1], "cube": types.float64[:, :, ::1]}
    own = kernel(in_memory(records, views.window, views.as_whole, fields))
    other = numba.njit(in_memory(plain, plain.window, plain.as_whole, fields))
    assert flat(other(memory.copy())) == flat(own(memory.copy()))


def answers(tmp_path: Path, **environment: str) -> dict[str, np.ndarray]:
    own = {"POSABLE_QUIET": "1", **environment}
    run = subprocess.run([sys.executable, "-c", SOLVES], env={**os.environ, **own}, capture_output=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr.decode()
    return {name: np.array(numbers) for name, numbers in json.loads(run.stdout.splitlines()[-1]).items()}


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("POSABLE_PLAIN_TEST"),
    reason="plain kernels take over ten minutes to compile: POSABLE_PLAIN_TEST=1 runs this",
)
def test_plain_kernels_find_the_same_answers(tmp_path: Path) -> None:
    own, plain = answers(tmp_path), answers(tmp_path, POSABLE_PLAIN_KERNELS="1")
    assert own.pop("is plain")[0] == 0.0 and plain.pop("is plain")[0] == 1.0
    assert set(own) == set(plain)
    for name, numbers in own.items():
        single = name in {"linear", "dual_quaternion"}  # precision of skins
        np.testing.assert_allclose(plain[name], numbers, rtol=0, atol=2e-6 if single else 1e-9, err_msg=name)
