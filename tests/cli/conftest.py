"""Running `posable` in this process, in an empty folder, and small figures to run it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import posable
from posable.cli import main

BVH = """HIERARCHY
ROOT hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT chest
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT arm
    {
      OFFSET 20 0 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT hand
      {
        OFFSET 30 0 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 10 0 0
        }
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.05
0 90 0 0 0 0 0 0 0 0 0 0 0 0 0
0 90 0 0 0 0 10 0 0 20 0 0 0 0 0
5 90 0 0 0 0 20 0 0 40 0 0 0 0 0
"""


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `posable` with the given words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSABLE_QUIET", "1")  # whether kernels are cached already is no matter here

    def run_words(*words: object) -> Ran:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(int(left.value.code or 0), captured.out, captured.err)

    return run_words


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    """A text figure: three hinges about z in a row along x, a metre apart, the elbow limited to 0 … 2 rad."""
    axis, elbow = posable.Axis((0, 0, 1)), posable.Axis((0, 0, 1), lower=0.0, upper=2.0)
    skeleton = posable.Skeleton(
        [
            posable.Joint("shoulder", axes=(axis,)),
            posable.Joint("elbow", parent="shoulder", position=(1, 0, 0), axes=(elbow,)),
            posable.Joint("wrist", parent="elbow", position=(1, 0, 0), axes=(axis,)),
            posable.Joint("tip", "fixed", "wrist", (1, 0, 0)),
        ]
    )
    posable.save(tmp_path / "arm.toml", posable.Figure(skeleton, name="arm"))
    return tmp_path / "arm.toml"


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """A BVH recording in centimetres: a floating root and three balls, three frames at 20 fps."""
    (tmp_path / "person.bvh").write_text(BVH)
    return tmp_path / "person.bvh"
