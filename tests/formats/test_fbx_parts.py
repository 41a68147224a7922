"""Parts of the FBX reader by themselves: values that repeat, angles in every order, scales that are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats.fbx_texts import document, model

import posable
from posable.formats.fbx.binary import read_binary, write_binary
from posable.formats.fbx.transforms import ORDERS, wxyz_from_degrees
from posable.formats.fbx.tree import Element
from posable.spatial import Array, wxyz_about, wxyz_multiply


def test_values_that_a_file_repeats_are_read_once() -> None:
    rows = [Element("P", "SD", ("scale", size)) for size in (1.0, 1.0, 2.0)]
    found = read_binary(Path("x.fbx"), write_binary(Path("x.fbx"), 7400, [Element("All", "", (), rows)])).top[0]
    first, second, third = (row.values for row in found.children)
    assert first is second
    assert tuple(first) == ("scale", 1.0)
    assert tuple(third) == ("scale", 2.0)


@pytest.mark.parametrize("order", range(7))
def test_angles_turn_about_fixed_axes_one_after_the_other(order: int) -> None:
    rng = np.random.default_rng(order)
    quarters = 90.0 * rng.integers(-8, 9, (200, 3))
    degrees: Array = np.concatenate([rng.uniform(-720.0, 720.0, (200, 3)), quarters]).astype(float)
    wanted = np.tile([1.0, 0.0, 0.0, 0.0], (len(degrees), 1))
    for axis in ORDERS[order]:
        k = "xyz".index(axis)
        wanted = wxyz_multiply(wxyz_about(np.eye(3)[k], np.radians(degrees[:, k])), wanted)
    np.testing.assert_allclose(wxyz_from_degrees(order, degrees), wanted, atol=1e-13)
    np.testing.assert_allclose(wxyz_from_degrees(order, np.array(degrees[0], float)), wanted[0], atol=1e-13)


@pytest.mark.parametrize(("mode", "told"), [(1, True), (2, False)])
def test_uneven_scales_that_shear_what_turns_below_are_told(tmp_path: Path, mode: int, *, told: bool) -> None:
    """An armature 25 % taller than wide played 2 % of its height off, in silence."""
    more = f'P: "InheritType", "enum", "", "",{mode}'
    nodes = model(1, "root", ("Lcl Scaling", (1, 1.25, 1))) + model(2, "arm", more=more)
    path = tmp_path / "tall.fbx"
    path.write_bytes(document(nodes, '"OO",1,0\n"OO",2,1'))
    notes = posable.load(path).notes
    assert any("non-uniform scales are above moving ones (root)" in note for note in notes) == told
