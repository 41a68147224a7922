"""Damaged glTF, GLB, VRM and VRMA files: a figure or a posable error, in bounded time and memory."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from formats.gltf_models import arm
from formats.mutation import Outcome


def _seeds(folder: Path) -> list[Path]:
    model = arm()
    model.animation(2, "rotation", [0, 0.5], [[0, 0, 0, 1], [0.6, 0, 0, 0.8]])
    model.animation(1, "translation", [0, 0.5], [[0, 0, 0]] * 6, "CUBICSPLINE")
    own = {"kind": "ball", "cone": {"axis": [0, 1, 0], "swing": 1.0}, "comfort": [[None, 1.0]] * 3, "tips": [[0, 1, 0]]}
    model.raw["nodes"][2]["extras"] = {"posable": own}
    model.raw["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": model.view(struct.pack("<H", 2)), "componentType": 5123},
        "values": {"bufferView": model.view(struct.pack("<3f", 1, 2, 3))},
    }
    return [model.glb(folder, "seed.glb"), model.gltf(folder, "seed.gltf")]


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_damaged_gltf(attack: Callable[..., Outcome], shared: Path, tmp_path: Path, suffix: str) -> None:
    glb, gltf = _seeds(tmp_path)
    real = {".glb": [glb, shared / "characters/quad_skin.glb"], ".gltf": [gltf, shared / "characters/SimpleSkin.gltf"]}
    outcome = attack(suffix, real[suffix])
    assert outcome.refused > 20
    assert outcome.loaded > 0


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_vrm(attack: Callable[..., Outcome], shared: Path) -> None:
    assert attack(".vrm", [shared / "characters/cryptovoxels.vrm"]).refused > 0


@pytest.mark.fuzz
def test_damaged_vrma(attack: Callable[..., Outcome], shared: Path) -> None:
    assert attack(".vrma", [shared / "characters/test.vrma"]).refused > 0
