"""BVH files whose joints carry positions: which replace the OFFSET and which are added, decided joint by joint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from formats.plain_bvh import load_text, read_plain

import posable

Point = tuple[float, float, float]

# A person of 1.75 m in centimetres as Bandai-Namco's files have it: a still root, the hips travel, six channels each.
BONES: dict[str, tuple[str | None, Point]] = {
    "joint_Root": (None, (0, 0, 0)),
    "Hips": ("joint_Root", (0, 94, -452)),
    "Spine": ("Hips", (0, 16, 0)),
    "Chest": ("Spine", (0, 18, 1)),
    "Neck": ("Chest", (0, 22, -2)),
    "Head": ("Neck", (0, 12, 2)),
    **{
        f"{name}_{side}": (above if above in ("Chest", "Hips") else f"{above}_{side}", (x * way, y, z))
        for side, way in (("L", 1), ("R", -1))
        for name, above, (x, y, z) in (
            ("Shoulder", "Chest", (3, 18, 0)), ("UpperArm", "Shoulder", (14, 0, 0)),
            ("LowerArm", "UpperArm", (27, 0, 0)), ("Hand", "LowerArm", (25, 0, 0)),
            ("UpperLeg", "Hips", (9, -5, 0)), ("LowerLeg", "UpperLeg", (0, -41, 1)),
            ("Foot", "LowerLeg", (0, -40, -1)), ("Toes", "Foot", (0, -7, 13)),
        )
    },
}  # fmt: skip
FRAMES = 40


def hips_path() -> np.ndarray:
    """`[frame, 3]`: at walking height, from the start to somewhere else."""
    t = np.linspace(0, 1, FRAMES)
    return np.stack([20 * t, 90 + 2 * np.sin(20 * t), -10 + 120 * t], axis=1)


def bvh(
    added: frozenset[str] = frozenset(),
    offsets: Mapping[str, Point] | None = None,
    *,
    scale: float = 1.0,
    noise: float = 0.0,
    only: frozenset[str] | None = None,
) -> str:
    """The text of a file. added: joints whose positions are displacements. only: the joints below the root with any."""
    rng = np.random.default_rng(3)
    stated = {name: offset for name, (_, offset) in BONES.items()} | dict(offsets or {})
    columns: list[np.ndarray] = []

    def joint(name: str, depth: int) -> list[str]:
        x, y, z = (scale * c for c in stated[name])
        has = depth == 0 or only is None or name in only
        turns = "Zrotation Xrotation Yrotation"
        where = hips_path() if name == "Hips" else np.tile(BONES[name][1], (FRAMES, 1)).astype(float)
        where = scale * (where + noise * rng.normal(size=where.shape))
        columns.extend(
            ([where - (x, y, z) if name in added else where] if has else [])
            + [5 * (depth > 0) * rng.normal(size=(FRAMES, 3))]
        )
        lines = [f"{'JOINT' if depth else 'ROOT'} {name}", "{", f"OFFSET {x} {y} {z}"]
        lines += [f"CHANNELS 6 Xposition Yposition Zposition {turns}" if has else f"CHANNELS 3 {turns}"]
        for child, (above, _) in BONES.items():
            lines += joint(child, depth + 1) if above == name else []
        return [*lines, "}"]

    hierarchy = joint("joint_Root", 0)
    rows = np.concatenate(columns, axis=1)
    frames = [" ".join(f"{x:.6f}" for x in row) for row in rows]
    return "\n".join(["HIERARCHY", *hierarchy, "MOTION", f"Frames: {FRAMES}", "Frame Time: 0.033333", *frames, ""])


def lengths(figure: posable.Figure) -> np.ndarray:
    """`[frame, joint]` from each joint below the hips to its parent."""
    origins, parents = figure.clips[0].poses.origins, figure.skeleton.parents
    return np.linalg.norm(origins[:, 2:] - origins[:, parents[2:]], axis=-1)


def true_lengths() -> np.ndarray:
    """`[joint]` in the file's order, which is depth first."""
    return np.array([np.linalg.norm(offset) for name, offset in in_order()][2:])


def in_order() -> list[tuple[str, Point]]:
    found: list[tuple[str, Point]] = []

    def visit(name: str) -> None:
        found.append((name, BONES[name][1]))
        for child, (above, _) in BONES.items():
            if above == name:
                visit(child)

    visit("joint_Root")
    return found


EVERY = frozenset(BONES)
BELOW = EVERY - {"joint_Root"}


@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize(
    "added", [frozenset(), BELOW, frozenset({"Spine", "Head", "Foot_L"})], ids=["replaced", "added", "mixed"]
)
def test_bones_and_hips_are_where_they_were_recorded(
    tmp_path: Path, added: frozenset[str], noise: float, scale: float
) -> None:
    """Also with noise of a tenth of the shortest bone, in centimetres and metres."""
    figure = load_text(tmp_path, bvh(added, scale=scale, noise=noise))
    poses = figure.clips[0].poses
    np.testing.assert_allclose(poses.origins[:, 1], scale * hips_path(), atol=scale * (1e-4 + 5 * noise))
    np.testing.assert_allclose(lengths(figure).mean(axis=0), scale * true_lengths(), rtol=1e-3 + 0.15 * noise)
    assert figure.skeleton.up == "y"


def test_the_example_of_three_joints_is_read_as_positions(tmp_path: Path) -> None:
    """Hips that travel far from a large OFFSET do not outvote the joint that equals its own."""
    six = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    text = f"""HIERARCHY
ROOT Root
{{
OFFSET 0 0 0
{six}
JOINT Hips
{{
OFFSET 0 94 -452
{six}
JOINT Spine
{{
OFFSET 0 16 0
{six}
End Site
{{
OFFSET 0 10 0
}}
}}
}}
}}
MOTION
Frames: 2
Frame Time: 0.033333
0 0 0 0 0 0 0 90 -10 0 0 0 0 16 0 0 0 0
0 0 0 0 0 0 0 91 -10 0 0 0 0 16 0 0 0 0
"""
    figure = load_text(tmp_path, text)
    np.testing.assert_allclose(figure.clips[0].poses.origins[0], [(0, 0, 0), (0, 90, -10), (0, 106, -10)])
    assert figure.skeleton.up == "y"


@pytest.mark.parametrize(("added", "adds"), [(frozenset(), False), (frozenset({"Hips"}), True)])
def test_positions_of_the_hips_alone_are_judged_by_their_height(
    tmp_path: Path, added: frozenset[str], adds: bool
) -> None:
    figure = load_text(tmp_path, bvh(added, {"Hips": (0, 94, 0)}, only=frozenset({"Hips"})))
    np.testing.assert_allclose(figure.clips[0].poses.origins[:, 1], hips_path(), atol=1e-4)
    assert any("displacements" in note for note in figure.notes) == adds


def test_offsets_of_nothing_are_taken_from_the_positions(tmp_path: Path) -> None:
    """Then the bones have their lengths at rest, too."""
    figure = load_text(tmp_path, bvh(offsets=dict.fromkeys(BELOW, (0.0, 0.0, 0.0))))
    np.testing.assert_allclose(lengths(figure).mean(axis=0), true_lengths(), rtol=1e-4)
    rest = figure.rest.origins
    np.testing.assert_allclose(
        np.linalg.norm(rest[2:] - rest[figure.skeleton.parents[2:]], axis=-1), true_lengths(), rtol=1e-4
    )
    assert "stay elsewhere, which is taken as their OFFSET (Spine, Chest, Neck …)" in figure.notes[0]


def test_what_was_decided_is_noted(tmp_path: Path) -> None:
    count = len(BELOW)
    assert load_text(tmp_path, bvh()).notes == (
        "positions of joints below the root were read as replacing their OFFSET: "
        f"{count - 1} equal it, 1 travel (Hips)",
    )
    assert load_text(tmp_path, bvh(frozenset({"Spine", "Head"}))).notes == (
        "positions of joints below the root were read as replacing their OFFSET: "
        f"{count - 3} equal it, 1 travel (Hips)",
        "positions of joints below the root were read as displacements from their OFFSET: 2 are about 0",
    )


def test_what_travels_may_be_moved_and_what_stays_may_not(tmp_path: Path) -> None:
    skeleton = load_text(tmp_path, bvh()).skeleton
    assert skeleton.definitions[skeleton.index("Hips")].active is None
    assert skeleton.definitions[0].active == (False,) * 3 + (True,) * 3
    assert skeleton.definitions[skeleton.index("Spine")].active == (False,) * 3 + (True,) * 3


@pytest.mark.parametrize(
    "added", [frozenset(), BELOW, frozenset({"Spine", "Head", "Foot_L"})], ids=["replaced", "added", "mixed"]
)
def test_a_file_comes_back_with_its_numbers(tmp_path: Path, added: frozenset[str]) -> None:
    figure = load_text(tmp_path, bvh(added))
    path = tmp_path / "written.bvh"
    posable.save(path, figure)
    before, after = read_plain(tmp_path / "file.bvh"), read_plain(path)
    assert after.channels == before.channels
    np.testing.assert_allclose(np.array(after.offsets), np.array(before.offsets), atol=1e-6)
    np.testing.assert_allclose(after.values, before.values, atol=1e-5)
    back = posable.load(path)
    np.testing.assert_allclose(back.clips[0].poses.origins, figure.clips[0].poses.origins, atol=1e-5)
