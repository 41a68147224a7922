"""FBX in: containers, transforms, curves, skins, roles; ufbx is the judge of real files."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.fbx_texts import TICKS, curve, document, model, moving
from formats.mutation import Outcome

from posable import Figure, roles
from posable.errors import FileError, UnsupportedFileError
from posable.formats import load, save
from posable.formats.fbx.ascii import read_ascii
from posable.formats.fbx.binary import MAGIC, read_binary, write_binary
from posable.formats.fbx.tree import Element
from posable.spatial import matrix_from_wxyz

ARM = model(1, "upper", ("Lcl Translation", (0, 100, 0))) + model(2, "lower", ("Lcl Translation", (30, 0, 0)))
TREE = '"OO",1,0\n"OO",2,1'


def opened(folder: Path, content: bytes) -> Figure:
    path = folder / "made.fbx"
    path.write_bytes(content)
    return load(path)


def moved(folder: Path, curves: str, links: str = '"OP",30,22,"d|X"', **said: Any) -> np.ndarray:
    """x of the joint `lower` in centimetres, in each of 31 frames."""
    objects, connections = moving(curves, links, **said)
    figure = opened(folder, document(ARM + objects, f"{TREE}\n{connections}"))
    (clip,) = figure.clips
    assert (clip.name, clip.fps, len(clip)) == ("walk", 30, 31)
    return _x(figure)


def _x(figure: Figure) -> np.ndarray:
    return 100 * figure.clips[0].poses.origins[:, figure.skeleton.index("lower"), 0]


# Containers.


def test_lengths_become_metres_and_limbs_joints(tmp_path: Path) -> None:
    figure = opened(tmp_path, document(ARM, TREE))
    assert [(j.name, j.kind, j.parent) for j in figure.skeleton.definitions] == [
        ("upper", "free", None), ("lower", "ball", "upper"),
    ]  # fmt: skip
    np.testing.assert_allclose(figure.rest.origins, [[0, 1, 0], [0.3, 1, 0]], atol=1e-15)
    assert figure.skeleton.up == "y" and not figure.notes


def test_texts_numbers_arrays_and_comments_of_ascii() -> None:
    text = b'; a comment\nA: 1,-2.5,"x &quot;y&quot;",T {\n B: *3 {\n  a: 1,2,\n3 ; more\n }\n'
    text += b' C: inf,-1.#IND, 1e-3\n}\nD: ,"z"\n'
    a, d = read_ascii(Path("x.fbx"), text).top
    assert list(a.values) == [1, -2.5, 'x "y"', "T"] and list(d.values) == ["z"]
    np.testing.assert_array_equal(a.array("B"), [1, 2, 3])
    np.testing.assert_array_equal(a.find("C").numbers(), [np.inf, np.nan, 1e-3])  # type: ignore[union-attr]


@pytest.mark.parametrize("version", [7400, 7500])
def test_what_is_written_is_read(version: int) -> None:
    inner = Element("Inner", "dS", (np.arange(50.0), "name\0\1Model"))
    tree = [Element("Outer", "ILDCR", (3, -(2**40), 0.1, 84, b"\xff\0"), [inner, Element("Empty")])]
    found = read_binary(Path("x.fbx"), write_binary(Path("x.fbx"), version, tree))
    (outer,) = found.top
    assert found.version == version and outer.codes == "ILDCR" and list(outer.values) == list(tree[0].values)
    assert [one.name for one in outer.children] == ["Inner", "Empty"] and outer.children[0].text(1) == "name\0\1Model"
    np.testing.assert_array_equal(outer.children[0].values[0].numbers(), np.arange(50.0))
    again = write_binary(Path("x.fbx"), version, found.top)
    assert again == write_binary(Path("x.fbx"), version, tree)


def test_big_endian_and_packed_arrays() -> None:
    packed = zlib.compress(np.arange(5, dtype=">i8").tobytes())
    value = b"l" + struct.pack(">III", 5, 1, len(packed)) + packed
    start = 27
    end = start + 13 + 1 + len(value)
    content = MAGIC + b"\x1a\1" + struct.pack(">I", 7100) + struct.pack(">IIIB", end, 1, len(value), 1) + b"A" + value
    (only,) = read_binary(Path("x.fbx"), content + bytes(13)).top
    np.testing.assert_array_equal(only.numbers(), range(5))


def _binary(*values: bytes, count: int | None = None) -> bytes:
    """A file of one element A with these packed values."""
    joined = b"".join(values)
    end = 27 + 13 + 1 + len(joined)
    head = struct.pack("<IIIB", end, len(values) if count is None else count, len(joined), 1)
    return MAGIC + b"\x1a\0" + struct.pack("<I", 7100) + head + b"A" + joined + bytes(13)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"", "is empty"),
        (MAGIC + b"\x1a\0", "ends within its header"),
        (_binary(count=9), "damaged or cut off at byte"),
        (_binary(b"?" + bytes(8)), "damaged or cut off at byte"),
        (b"A: {\n" * 40, r":33: its elements are more than 32 deep"),
        (b'A: "never', ":1: a text has no closing quote"),
        (b"A: 1\n}", ":2: '}' is not an element"),
        (b"A: {\n", "ends within an element"),
        (b"\0" * 300, "is not an FBX file"),
        (document("", ""), "has no nodes"),
        (document(ARM, '"OO",1,2\n"OO",2,1'), "is its own ancestor"),
        (document(model(1, "a", ("Lcl Translation", (1e300, 0, 0))), ""), "'a' is not finite"),
        (document(ARM, TREE, settings='P: "UnitScaleFactor", "double", "Number", "",0'), "UnitScaleFactor is 0"),
    ],
)
def test_damaged_files_are_refused_with_the_place(tmp_path: Path, content: bytes, wanted: str) -> None:
    with pytest.raises(FileError, match=wanted):
        opened(tmp_path, content)


def test_a_version_of_another_format_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFileError, match=r"FBX of version 9000; posable reads 5000 to 7700: export it again"):
        opened(tmp_path, document(ARM, TREE, version=9000))


def test_sizes_that_a_file_claims_are_checked_before_memory_is_taken() -> None:
    bomb = zlib.compress(bytes(10**6))
    huge = b"d" + struct.pack("<III", 2**31, 1, len(bomb)) + bomb
    with pytest.raises(FileError, match="bytes of arrays"):
        read_binary(Path("x.fbx"), _binary(huge)).top[0].numbers()
    short = b"d" + struct.pack("<III", 10**6, 1, len(bomb)) + bomb
    with pytest.raises(FileError, match="is cut off"):
        read_binary(Path("x.fbx"), _binary(short)).top[0].numbers()


# Transforms.


def test_pivots_offsets_and_rotations_in_their_order(tmp_path: Path) -> None:
    """T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹, by matrices."""
    rng = np.random.default_rng(0)
    names = ["RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot", "PreRotation", "PostRotation"]
    said = {name: rng.uniform(-40, 40, 3) for name in ("Lcl Translation", "Lcl Rotation", *names)}
    said["Lcl Scaling"] = rng.uniform(0.5, 2, 3)
    own = model(2, "lower", *((k, v.tolist()) for k, v in said.items()), more='P: "RotationOrder", "enum", "", "",4')
    figure = opened(tmp_path, document(ARM.split("Model: 2")[0] + own, TREE))

    def shift(name: str, sign: float = 1) -> np.ndarray:
        matrix = np.eye(4)
        matrix[:3, 3] = sign * said[name]
        return matrix

    def spin(name: str, order: str) -> np.ndarray:
        matrix = np.eye(4)
        for letter in order:  # the first axis acts first
            x = np.radians(said[name]["xyz".index(letter)])
            i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[letter]
            step = np.eye(4)
            step[i, i], step[i, j], step[j, i], step[j, j] = np.cos(x), -np.sin(x), np.sin(x), np.cos(x)
            matrix = step @ matrix
        return matrix

    turn = spin("PreRotation", "xyz") @ spin("Lcl Rotation", "zxy") @ spin("PostRotation", "xyz").T
    wanted = shift("Lcl Translation") @ shift("RotationOffset") @ shift("RotationPivot") @ turn
    wanted = wanted @ shift("RotationPivot", -1) @ shift("ScalingOffset") @ shift("ScalingPivot")
    wanted = wanted @ np.diag([*said["Lcl Scaling"], 1]) @ shift("ScalingPivot", -1)
    found = figure.rest.world_from_joint[1]
    np.testing.assert_allclose(found[:3, 3], 0.01 * wanted[:3, 3] + [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(found[:3, :3], turn[:3, :3], atol=1e-12)


@pytest.mark.parametrize(("mode", "wanted"), [(1, 0.1 + 2 * 0.3), (0, 0.1 + 2 * 0.3), (2, 0.1 + 0.3)])
def test_inherit_modes_say_what_a_scale_does_to_grandchildren(tmp_path: Path, mode: int, wanted: float) -> None:
    """The middle has scale 2 and stands at 0.1; its child's child, at 0.3 in the child, has that mode's scale above."""
    more = f'P: "InheritType", "enum", "", "",{mode}'
    nodes = (
        model(1, "root", ("Lcl Translation", (10, 0, 0)), ("Lcl Scaling", (2, 2, 2)))
        + model(2, "child", more=more)
        + model(3, "tip", ("Lcl Translation", (30, 0, 0)))
    )
    figure = opened(tmp_path, document(nodes, '"OO",1,0\n"OO",2,1\n"OO",3,2'))
    assert figure.rest.origins[2, 0] == pytest.approx(wanted, abs=1e-12)
    assert not figure.notes


@pytest.mark.parametrize(
    ("axes", "up", "wanted"),
    [
        ((0, 1, 1, 1, 2, 1), "y", (0.1, 0.2, 0.3)),
        ((0, 1, 2, 1, 1, -1), "z", (0.1, 0.2, 0.3)),
        ((1, 1, 0, 1, 2, -1), "y", (0.2, 0.1, -0.3)),
        ((0, 1, 1, 1, 2, -1), "y", (0.1, 0.2, -0.3)),
    ],
)
def test_axes(tmp_path: Path, axes: tuple[int, ...], up: str, wanted: tuple[float, ...]) -> None:
    """y or z up stays as it is; others, and left-handed files, become right-handed with y up."""
    names = ("CoordAxis", "CoordAxisSign", "UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign")
    settings = "".join(f'P: "{k}", "int", "Integer", "",{v}\n' for k, v in zip(names, axes, strict=True))
    figure = opened(tmp_path, document(model(1, "a", ("Lcl Translation", (10, 20, 30))), '"OO",1,0', settings=settings))
    assert figure.skeleton.up == up
    np.testing.assert_allclose(figure.rest.origins[0], wanted, atol=1e-15)
    assert np.linalg.det(figure.rest.world_from_joint[0, :3, :3]) == pytest.approx(1)


# Curves.


def test_straight_and_stepped_keys(tmp_path: Path) -> None:
    half = [(0, 0), (0.5, 10), (1, 0)]
    x = moved(tmp_path, curve(30, half))
    np.testing.assert_allclose(x[:16], np.arange(16) * 10 / 15, atol=1e-9)
    steps = moved(tmp_path, curve(30, half, flags=2))
    np.testing.assert_allclose(steps, [0] * 15 + [10] * 15 + [0], atol=1e-9)
    ahead = moved(tmp_path, curve(30, half, flags=2 | 0x100))
    np.testing.assert_allclose(ahead[[0, 1, 15, 16, 30]], [0, 10, 10, 0, 0], atol=1e-9)


def test_a_cubic_key_follows_its_slopes(tmp_path: Path) -> None:
    x = moved(tmp_path, curve(30, [(0, 0), (1, 10)], flags=8 | 0x400, attributes="6.0,-4.0,0,0"))
    t = np.arange(31) / 30
    hermite = 6 * (t**3 - 2 * t**2 + t) + 10 * (3 * t**2 - 2 * t**3) - 4 * (t**3 - t**2)
    np.testing.assert_allclose(x, hermite, atol=2e-5)  # FBX's third is 0.333333


def test_weights_bend_time(tmp_path: Path) -> None:
    """Handles half the interval long, against the Bézier curve they make."""
    bits = struct.unpack("<f", struct.pack("<I", 5000 | 5000 << 16))[0]
    flags = 8 | 0x400 | 0x1000000 | 0x2000000
    x = moved(tmp_path, curve(30, [(0, 0), (1, 10)], flags=flags, attributes=f"0.0,0.0,{bits!r},0.0"))
    u = np.linspace(0, 1, 100_001)
    time = 1.5 * (1 - u) ** 2 * u + 1.5 * (1 - u) * u**2 + u**3
    value = 10 * (3 * (1 - u) * u**2 + u**3)
    np.testing.assert_allclose(x, np.interp(np.arange(31) / 30, time, value), atol=1e-4)


@pytest.mark.parametrize(
    ("letter", "count", "wanted"),
    [("C", -1, [2, 2, 2]), ("R", -1, [1, 0, 1]), ("R", 1, [1, 2, 2]), ("M", -1, [1, 0, 1]), ("A", -1, [3, 4, 5]),
     ("K", -1, [3, 4, 5])],
)  # fmt: skip
def test_after_the_last_key(tmp_path: Path, letter: str, count: int, wanted: list[float]) -> None:
    """Keys from 0 to 2 in a fifth of a second; values a half, one and one and a half turns later."""
    more = f"Post-Extrapolation: {{\nType: {letter}\nRepetition: {count}\n}}"
    x = moved(tmp_path, curve(30, [(0, 0), (0.2, 2)], more=more))
    np.testing.assert_allclose(x[[9, 12, 15]], wanted, atol=1e-6)


def test_layers_add_and_mix(tmp_path: Path) -> None:
    """A second layer at half weight adds 4 · ½ to 10, or mixes 10 and 4 to 7."""
    for blend, wanted in ((0, 12.0), (1, 4.0), (2, 7.0)):
        objects, links = moving(curve(30, [(0, 10), (1, 10)]) + curve(31, [(0, 4), (1, 4)]), '"OP",30,22,"d|X"')
        objects += (
            f'AnimationLayer: 41, "AnimLayer::Top", "" {{\nProperties70: {{\nP: "Weight", "Number", "", "A",50\n'
            f'P: "BlendMode", "enum", "", "",{blend}\n}}\n}}\nAnimationCurveNode: 42, "AnimCurveNode::T", "" {{\n}}\n'
        )
        links += '\n"OO",41,20\n"OO",42,41\n"OP",42,2,"Lcl Translation"\n"OP",31,42,"d|X"'
        x = _x(opened(tmp_path, document(ARM + objects, f"{TREE}\n{links}")))
        np.testing.assert_allclose(x, wanted, atol=1e-9)


def test_an_animation_without_end_is_sampled_coarsely(tmp_path: Path) -> None:
    objects, links = moving(curve(30, [(0, 0), (10**6, 10)]), '"OP",30,22,"d|X"')
    objects = objects.replace(f'"",{TICKS}\n', f'"",{TICKS * 10**6}\n')
    figure = opened(tmp_path, document(ARM + objects, f"{TREE}\n{links}"))
    assert len(figure.clips[0]) < 300_000 and "claims a very long time" in figure.notes[0]


# Skins and roles.


def test_a_cluster_binds_and_a_mesh_follows(tmp_path: Path) -> None:
    mesh = """Geometry: 5, "Geometry::skin", "Mesh" {
Vertices: *12 {
a: 0,100,0,30,100,0,60,100,0,60,110,0
}
PolygonVertexIndex: *4 {
a: 0,1,2,-4
}
}
Model: 6, "Model::skin", "Mesh" {
}
Deformer: 7, "Deformer::", "Skin" {
}
Deformer: 8, "SubDeformer::", "Cluster" {
Indexes: *2 {
a: 2,3
}
Weights: *2 {
a: 1,0.5
}
Transform: *16 {
a: 1,0,0,0,0,1,0,0,0,0,1,0,-30,-100,0,1
}
}
"""
    links = '"OO",6,0\n"OO",5,6\n"OO",7,5\n"OO",8,7\n"OO",2,8'
    figure = opened(tmp_path, document(ARM + mesh, f"{TREE}\n{links}"))
    (skin,) = figure.skins
    assert (skin.name, skin.faces.tolist()) == ("skin", [[0, 1, 2], [0, 2, 3]])
    rest = [[0, 1, 0], [0.3, 1, 0], [0.6, 1, 0], [0.6, 1.1, 0]]  # the first two have no weights, and stay
    np.testing.assert_allclose(skin.deform(figure.rest), rest, atol=1e-6)
    turned = figure.rest.with_joint("lower", (0.5**0.5, 0, 0, 0.5**0.5))
    np.testing.assert_allclose(skin.deform(turned)[:3], [*rest[:2], [0.3, 1.3, 0]], atol=1e-6)


def test_a_humanik_character_states_the_roles(shared: Path) -> None:
    figure = load(shared / "fbx/maya_human_ik_6100_ascii.fbx")
    found = roles(figure)
    assert found["hips"] == "Character1_Hips" and found["hand_l"] == "Character1_LeftHand"
    assert figure.skeleton.definitions[figure.skeleton.index("Character1_LeftUpLeg")].aliases[0] == "leftUpperLeg"


# ufbx on real files.


def judged(path: Path, stack: int = 0) -> dict[str, Any]:
    """What ufbx says, from a process of its own."""
    pytest.importorskip("ufbx")
    command = [sys.executable, str(Path(__file__).with_name("fbx_judge.py")), str(path), str(stack)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def judged_worlds(said: dict[str, Any], local: list[np.ndarray]) -> list[np.ndarray]:
    """World positions `[..., 3]` of all nodes, in metres, by ufbx's local transforms and inherit modes."""
    linear: list[Any] = []
    plain, scales, positions = [], [], []
    for i, own in enumerate(local):
        shift, turn, scale = own[..., :3], matrix_from_wxyz(own[..., 3:7]), own[..., 7:]
        parent, heir = said["parents"][i], said["heirs"][i]
        base, above = (linear[parent], positions[parent]) if parent >= 0 else (np.eye(3), np.zeros(3))
        if parent >= 0 and said["modes"][i]:
            base, shift = plain[parent], shift * scales[parent]
            scale = scale * scales[heir] if heir >= 0 else scale
        plain.append(base @ turn)
        scales.append(scale)
        linear.append(plain[i] * scale[..., None, :])
        positions.append(above + (base @ shift[..., None])[..., 0])
    return [said["meters"] * one for one in positions]


def assert_agrees(figure: Figure, path: Path) -> None:
    """Every joint is where ufbx has its node: at rest, and in every frame of the first animation."""
    said = judged(path)
    names = said["names"]
    pairs = [(j, names.index(one)) for j, one in enumerate(figure.skeleton.joints) if names.count(one) == 1]
    local = [np.array(one) for one in said["local"]]
    rest = judged_worlds(said, local)
    for j, i in pairs:
        np.testing.assert_allclose(figure.rest.origins[j], rest[i], atol=1e-5 * (figure.height or 1))
    if said["moved"] and figure.clips:
        clip = figure.clips[said["stacks"][0][0]]
        own = [np.array(said["moved"].get(str(i), [one])) for i, one in enumerate(local)]
        worlds = judged_worlds(said, own)
        found = clip.poses.origins
        size = np.linalg.norm(np.ptp(found.reshape(-1, 3), axis=0)) or 1.0
        for j, i in pairs:
            np.testing.assert_allclose(found[:, j], np.broadcast_to(worlds[i], found[:, j].shape), atol=1e-5 * size)


@pytest.mark.parametrize(
    "name",
    [
        "maya_scale_no_inherit_step_7700_ascii", "maya_scale_no_inherit_6100_ascii", "maya_game_sausage_6100_ascii",
        "max7_blend_cube_5000_binary", "maya_anim_layers_over_acc_7500_ascii", "maya_pivots_7500_binary",
        "maya_rotation_order_7500_ascii", "maya_interpolation_modes_6100_binary", "maya_zero_scale_pivot_6100_ascii",
        "motionbuilder_sausage_rrss_7700_binary", "maya_cube_big_endian_7100_binary",
    ],
)  # fmt: skip
def test_joints_are_where_ufbx_has_them(shared: Path, name: str) -> None:
    path = shared / "fbx" / f"{name}.fbx"
    assert_agrees(load(path), path)


@pytest.mark.slow
def test_every_tangent_is_as_ufbx_has_it(shared: Path) -> None:
    folder = shared / "fbx"
    for path in sorted(folder.glob("*tangent*.fbx")):
        figure = load(path)
        if any("a very long time" in note for note in figure.notes):  # days, and so not in the file's own frames
            assert max(len(clip) for clip in figure.clips) < 1_000_000
        else:
            assert_agrees(figure, path)


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_files_are_refused(attack: Callable[..., Outcome], shared: Path, tmp_path: Path) -> None:
    objects, links = moving(curve(30, [(0, 0), (1, 10)], flags=8), '"OP",30,22,"d|X"')
    text = document(ARM + objects, f"{TREE}\n{links}")
    figure = opened(tmp_path, text)
    written = tmp_path / "written.fbx"
    save(written, Figure(figure.skeleton, clips=figure.clips))
    seeds = [text, written, shared / "fbx/maya_scale_no_inherit_6100_ascii.fbx"]
    outcome = attack(".fbx", seeds)
    assert outcome.refused > 0 and outcome.loaded > 0
