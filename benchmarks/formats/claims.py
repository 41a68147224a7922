"""Rows of the table, and the claims that tests hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One claim. met: None where it was not measured."""

    claim: str
    aim: str
    measured: str
    met: bool | None

    def line(self) -> str:
        """The row in Markdown."""
        mark = {None: "–", True: "✓", False: "✗"}[self.met]
        return f"| {self.claim} | {self.aim} | {self.measured} | {mark} |\n"


_TESTS = (
    ("damaged files of each format", "posable's errors, ≤ 5 s, ≤ 500 MB", "`python -m benchmarks.attack`"),
    ("FBX: read, posed, written", "the rest stays", "`tests/formats/test_fbx_writer.py`"),
    ("USD passes usd-core's checker; joints, skins as UsdSkel has them", "1e-5", "`tests/formats/test_usd_writer.py`"),
    ("VRM 0 and 1 rewritten", "every extension byte for byte", "`tests/formats/test_vrm.py`"),
    ("recordings with five label sets", "≤ 5 mm rms, ≤ 45° a frame", "`tests/motion/markers/test_label_sets.py`"),
    ("refusals list what was understood", "all labels", "`tests/motion/markers/test_fitting.py`"),
    ("shuffled labels found by distances", "≥ 95 %", "`tests/motion/markers/test_label_sets.py`"),
    ("landmarks of CMU's people, 3 cm of noise in depth, a tenth missing", "≤ 25 mm, skate ≤ 1 cm/s",
     "`tests/motion/key_points/test_from_key_points.py`"),
    ("six conventions of key points", "all names understood", "`tests/motion/key_points/test_from_key_points.py`"),
)  # fmt: skip
HELD = "## What tests hold\n\n| claim | aim | test |\n|---|---|---|\n" + "".join(
    f"| {' | '.join(row)} |\n" for row in _TESTS
)
