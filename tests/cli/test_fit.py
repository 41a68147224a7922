"""`posable fit`: markers to a figure with a clip, the table written, edited and given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import posable

_TRC = """PathFileType\t4\t(X/Y/Z)\tt.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits
30\t30\t2\t2\tm
Frame#\tTime\t{0}\t\t\t{1}
\t\tX1\tY1\tZ1\tX2\tY2\tZ2
1\t0\t0.1\t1\t0\t-0.1\t1\t0
2\t0.03\t0.1\t1\t0\t-0.1\t1\t0
"""


@pytest.mark.slow
def test_a_recording_becomes_a_figure_with_a_clip(run: Callable[..., Any], shared: Path) -> None:
    recording = shared / "markers/Sample_Static.c3d"
    ran = run("fit", recording, "-o", "out.glb", "--attachments-out", "where.toml")
    assert ran.status == 0, ran.err
    assert "marker" in ran.out.splitlines()[0]
    assert "left out (has no name): *111" in ran.out
    figure = posable.load("out.glb")
    assert len(figure.clips[0]) == 275
    ran = run("fit", recording, "-o", "again.glb", "--attachments", "where.toml", "--json")
    told = json.loads(ran.out)
    assert told["rms"] < 0.015
    assert told["markers"]["LASI"]["frames"] == 275
    assert run("fit", recording, "-o", "out.glb").status == 1


def test_what_cannot_be_fitted_is_told_in_one_sentence(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "none.trc").write_text(_TRC.format("Q1", "Q2"), encoding="utf-8")
    ran = run("fit", tmp_path / "none.trc", "-o", tmp_path / "out.glb")
    assert ran.status == 1
    assert "no label names a part of this figure; the labels are Q1, Q2" in ran.err
    assert not (tmp_path / "out.glb").exists()
    (tmp_path / "where.toml").write_text("[markers.Q1]\njoint = 'nose'\n", encoding="utf-8")
    ran = run("fit", tmp_path / "none.trc", "-o", tmp_path / "out.glb", "--attachments", tmp_path / "where.toml")
    assert ran.status == 1
    assert "where.toml" in ran.err
    assert "nose" in ran.err
    assert run("fit", tmp_path / "gone.c3d", "-o", tmp_path / "out.glb").status == 1
