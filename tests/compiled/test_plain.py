"""Without Numba's inner parts the answers are the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

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
for blend in ("linear", "dual"):
    answers[blend] = figure.skins[0].deform(bent, blend)[::50].ravel().tolist()
answers["is plain"] = [float(PLAIN_KERNELS), float("numba.core" in sys.modules)]
print(json.dumps(answers))
"""


def answers(tmp_path: Path, **environment: str) -> dict[str, np.ndarray]:
    own = {"POSABLE_QUIET": "1", **environment}
    run = subprocess.run([sys.executable, "-c", SOLVES], env={**os.environ, **own}, capture_output=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr.decode()
    return {name: np.array(numbers) for name, numbers in json.loads(run.stdout.splitlines()[-1]).items()}


@pytest.mark.slow  # plain kernels take minutes to compile
def test_plain_kernels_find_the_same_answers(tmp_path: Path) -> None:
    own, plain = answers(tmp_path), answers(tmp_path, POSABLE_PLAIN_KERNELS="1")
    assert own.pop("is plain")[0] == 0.0 and plain.pop("is plain")[0] == 1.0
    assert set(own) == set(plain)
    for name, numbers in own.items():
        single = name in {"linear", "dual"}  # precision of skins
        np.testing.assert_allclose(plain[name], numbers, rtol=0, atol=2e-6 if single else 1e-9, err_msg=name)
