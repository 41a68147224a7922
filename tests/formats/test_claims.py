"""Small files that claim much: refused, or read, within 500 MB in any case."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from formats.mutation import CHILD_ENVIRONMENT, MEMORY_BYTES

GLTF: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "nodes": [{"children": [1], "name": "a"}, {"mesh": 0, "name": "b"}],
    "scenes": [{"nodes": [0]}],
    "scene": 0,
}


def _gltf(folder: Path, **content: Any) -> Path:
    (folder / "claim.gltf").write_text(json.dumps({**GLTF, **content}))
    return folder / "claim.gltf"


def _empty(count: int, kind: str = "VEC3", component: int = 5126) -> dict[str, Any]:
    """An accessor without a buffer: zeros."""
    return {"componentType": component, "type": kind, "count": count}


def shared_accessor(folder: Path) -> Path:
    """The 3.5 kB file that took 4.3 GB."""
    primitives = [{"attributes": {"POSITION": 0}}] * 60
    return _gltf(folder, accessors=[_empty(2_700_000)], meshes=[{"primitives": primitives}])


def shared_influences(folder: Path) -> Path:
    attributes = {"POSITION": 0, **{f"{name}_{k}": n for n, name in ((1, "JOINTS"), (2, "WEIGHTS")) for k in range(60)}}
    accessors = [_empty(15_000), _empty(15_000, "VEC4", 5123), _empty(15_000, "VEC4")]
    nodes = [{"children": list(range(1, 300))}, *({"mesh": 0, "skin": 0} for _ in range(299))]
    skins = [{"joints": [0]}]
    return _gltf(
        folder, accessors=accessors, meshes=[{"primitives": [{"attributes": attributes}]}], nodes=nodes, skins=skins
    )


def shared_morphs(folder: Path) -> Path:
    primitive = {"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}] * 2000}
    nodes = [{"children": list(range(1, 1000))}, *({"mesh": 0} for _ in range(999))]
    return _gltf(folder, accessors=[_empty(1000)], meshes=[{"primitives": [primitive]}], nodes=nodes)


def shared_keys(folder: Path) -> Path:
    channels = [{"sampler": 0, "target": {"node": 0, "path": "translation"}}] * 3000
    samplers = [{"input": 1, "output": 0}]
    accessors = [_empty(100_000), _empty(100_000, "SCALAR")]
    return _gltf(
        folder, accessors=accessors, animations=[{"channels": channels, "samplers": samplers}], meshes=[], nodes=[{}]
    )


def _blank_png(side: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((side + 1) * side), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def blank_images(folder: Path) -> Path:
    (folder / "blank.png").write_bytes(_blank_png(4096))
    count = 40
    primitives = [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": k} for k in range(count)]
    return _gltf(
        folder,
        accessors=[_empty(3), _empty(3, "VEC2")],
        meshes=[{"primitives": primitives}],
        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": k}}} for k in range(count)],
        textures=[{"source": k} for k in range(count)],
        images=[{"uri": "blank.png"}] * count,
    )


USD = """#usda 1.0
(
    defaultPrim = "r"
    metersPerUnit = 1
    startTimeCode = 0
    endTimeCode = {end}
    upAxis = "Y"
)
def SkelRoot "r" {{
    def Skeleton "s" (prepend apiSchemas = ["SkelBindingAPI"]) {{
        uniform token[] joints = [{joints}]
        uniform matrix4d[] bindTransforms = [{frames}]
        uniform matrix4d[] restTransforms = [{frames}]
        rel skel:animationSource = </r/s/a>
        def SkelAnimation "a" {{
            uniform token[] joints = [{joints}]
            float3[] translations.timeSamples = {{ 0: [{places}], 1: [{places}] }}
            quatf[] rotations = [{turns}]
            half3[] scales = [{ones}]
        }}
    }}
{meshes}
}}
"""
MESH = """
    def Mesh "m{k}" (prepend apiSchemas = ["SkelBindingAPI"] {more}) {{
        rel skel:skeleton = </r/s>
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [{points}]
        int[] primvars:skel:jointIndices = [{indices}] (elementSize = {size}; interpolation = "{how}")
        float[] primvars:skel:jointWeights = [{weights}] (elementSize = {size}; interpolation = "{how}")
    }}
"""


def _usd(folder: Path, joints: int, meshes: str = "", end: int = 1) -> Path:
    names = ", ".join(f'"j{k}"' for k in range(joints))
    text = USD.format(
        end=end,
        joints=names,
        frames=", ".join(["((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))"] * joints),
        places=", ".join(["(0,0,0)"] * joints),
        turns=", ".join(["(1,0,0,0)"] * joints),
        ones=", ".join(["(1,1,1)"] * joints),
        meshes=meshes,
    )
    (folder / "claim.usda").write_text(text)
    return folder / "claim.usda"


def _mesh(k: int, points: int, influences: int, how: str = "constant") -> str:
    listed = ", ".join(["(0,1,2)"] * points)
    numbers = ", ".join(["0"] * influences), ", ".join(["1"] * influences)
    return MESH.format(k=k, more="", points=listed, indices=numbers[0], weights=numbers[1], size=influences, how=how)


def usd_long_time(folder: Path) -> Path:
    return _usd(folder, 50, end=99_000)


def usd_bind_matrices(folder: Path) -> Path:
    return _usd(folder, 5000, "".join(_mesh(k, 3, 1) for k in range(3000)))


def usd_influences(folder: Path) -> Path:
    return _usd(folder, 1, "".join(_mesh(k, 4000, 4000) for k in range(20)))


def usd_references(folder: Path) -> Path:
    copies = "".join(f'    def Mesh "c{k}" (prepend references = </r/m0>) {{ }}\n' for k in range(3000))
    return _usd(folder, 1, _mesh(0, 20_000, 1) + copies)


def usdz_overlapping(folder: Path) -> Path:
    """Two hundred entries of one package that share their bytes: each holds all that follow."""
    content, entries = b"#usda 1.0\n" + b" " * (8 * 2**20), []
    for k in range(200):
        facts = struct.pack("<5H3I2H", 20, 0, 0, 0, 0, zlib.crc32(content), len(content), len(content), 10, 0)
        name = f"la{k:03}.usda".encode()
        content = b"PK\x03\x04" + facts + name + content
        entries.append((facts, name, len(content)))
    listed = b"".join(
        b"PK\x01\x02" + struct.pack("<H", 20) + facts + struct.pack("<3H2I", 0, 0, 0, 0, len(content) - size) + name
        for facts, name, size in entries
    )
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, len(entries), len(entries), len(listed), len(content), 0)
    (folder / "claim.usdz").write_bytes(content + listed + tail)
    return folder / "claim.usdz"


def trc_padded_rows(folder: Path) -> Path:
    count = 5000
    head = f"PathFileType\t4\nDataRate NumMarkers Units\n100 {count} m\n"
    labels = "Frame#\tTime\t" + "\t".join(f"m{k}" for k in range(count))
    (folder / "claim.trc").write_text(f"{head}{labels}\n\n" + "1\t0\n" * 15_000)
    return folder / "claim.trc"


def c3d_overlapping(folder: Path) -> Path:
    """Parameters that each claim the rest of the file."""
    raw = bytearray(4 * 2**20)
    raw[:2], raw[512:516] = b"\x02\x50", b"\0\0\xff\x54"
    at = 516
    while at + 16 < 512 * 256:
        raw[at : at + 11] = struct.pack("<bb2sHbB3B", 2, 1, b"ab", 9, 1, 3, 255, 255, 40)
        at += 2 + 2 + 9
    (folder / "claim.c3d").write_bytes(raw)
    return folder / "claim.c3d"


def bvh_frames(folder: Path) -> Path:
    joint = "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
    (folder / "claim.bvh").write_text(f"HIERARCHY\n{joint}MOTION\nFrames: 999999999999\nFrame Time: 0.01\n0 0 0\n")
    return folder / "claim.bvh"


def stl_triangles(folder: Path) -> Path:
    (folder / "claim.stl").write_bytes(bytes(80) + struct.pack("<I", 0xFFFFFFF0) + bytes(50))
    return folder / "claim.stl"


def obj_fans(folder: Path) -> Path:
    (folder / "claim.obj").write_text("v 0 0 0\n" * 3 + ("f" + " 1" * 999 + "\n") * 2000)
    return folder / "claim.obj"


def toml_tubes(folder: Path) -> Path:
    skin = '[[skin]]\nfrom = "c_1"\nto = "c_600"\nradius = 0.1\nsides = 256\nrings = 33\n'
    chain = 'posable = 1\n[[chain]]\nname = "c"\ncount = 600\nstep = [0, 0.1, 0]\naxis = "x"\n'
    (folder / "claim.toml").write_text(chain + skin * 100)
    return folder / "claim.toml"


def toml_chains(folder: Path) -> Path:
    chains = (f'[[chain]]\nname = "c{k}"\ncount = 10000\naxis = "x"\nstep = [0, 1, 0]\n' for k in range(11))
    (folder / "claim.toml").write_text("posable = 1\n" + "".join(chains))
    return folder / "claim.toml"


def toml_bind_matrices(folder: Path) -> Path:
    chains = (f'[[chain]]\nname = "c{k}"\ncount = 10000\naxis = "x"\nstep = [0, 1, 0]\n' for k in range(2))
    skin = '[[skin]]\nfrom = "c0_1"\nto = "c0_2"\nradius = 0.1\n'
    (folder / "claim.toml").write_text("posable = 1\n" + "".join(chains) + skin * 100)
    return folder / "claim.toml"


def urdf_meshes(folder: Path) -> Path:
    (folder / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n" * 10_000 + "f 1 2 3\n" * 30_000)
    visual = '<visual><geometry><mesh filename="m.obj"/></geometry></visual>'
    (folder / "claim.urdf").write_text(f'<robot name="r"><link name="a">{visual * 9000}</link></robot>')
    return folder / "claim.urdf"


def mjcf_meshes(folder: Path) -> Path:
    (folder / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n" * 10_000 + "f 1 2 3\n" * 30_000)
    geoms = '<geom type="mesh" mesh="m"/>' * 9000
    body = f'<worldbody><body name="a"><joint name="j" axis="0 0 1"/>{geoms}</body></worldbody>'
    (folder / "claim.xml").write_text(f'<mujoco><asset><mesh name="m" file="m.obj"/></asset>{body}</mujoco>')
    return folder / "claim.xml"


CLAIMS: tuple[Callable[[Path], Path], ...] = (
    shared_accessor, shared_influences, shared_morphs, shared_keys, blank_images, usd_long_time, usd_bind_matrices,
    usd_influences, usd_references, usdz_overlapping, trc_padded_rows, c3d_overlapping, bvh_frames, stl_triangles,
    obj_fans, toml_tubes, toml_chains, toml_bind_matrices, urdf_meshes, mjcf_meshes,
)  # fmt: skip

LOADED = {"blank_images"}
"""What is read all the same, without what is too large."""

CHILD = """
import gc, sys
from pathlib import Path
import numba, posable
import posable.formats.bvh, posable.formats.gltf, posable.formats.meshes, posable.formats.table
import posable.formats.urdf, posable.formats.mjcf, posable.formats.toml, posable.formats.mesh_files
import posable.formats.usd.skin, posable.formats.usd.skeleton, posable.formats.usd.layers
load = dict.fromkeys((".trc", ".c3d"), posable.load_markers) | dict.fromkeys((".stl", ".obj"), posable.load_mesh)
def taken(what):
    status = Path("/proc/self/status").read_text()
    return int(status.partition(what + ":")[2].split()[0]) * 1024
for path in map(Path, sys.argv[1:]):
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = taken("VmRSS")
    try:
        load.get(path.suffix, posable.load)(path)
        outcome = "loaded"
    except posable.PosableError as error:
        outcome = f"refused: {error}"
    except MemoryError:
        outcome = "out of memory"
    print(path.parent.name, taken("VmHWM") - before, outcome, flush=True)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """By claim: bytes taken, and what came out. One process loads them all."""
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("this system does not tell the peak memory of a process")
    paths = []
    for claim in CLAIMS:
        folder = tmp_path_factory.mktemp("claims") / claim.__name__
        folder.mkdir()
        paths.append(str(claim(folder)))
    limited = f'ulimit -v {8 * 2**20}; exec "$@"'  # so that a reader without a limit harms nobody
    done = subprocess.run(
        ["bash", "-c", limited, "-", sys.executable, "-c", CHILD, *paths],
        env={**os.environ, **CHILD_ENVIRONMENT},
        capture_output=True,
        text=True,
        check=False,
    )
    found = (line.split(" ", 2) for line in done.stdout.splitlines())
    return {name: (int(size), said) for name, size, said in found} | {"errors": (0, done.stderr[-2000:])}


@pytest.mark.parametrize("claim", [claim.__name__ for claim in CLAIMS])
def test_a_small_file_takes_little_memory(outcomes: dict[str, tuple[int, str]], claim: str) -> None:
    assert claim in outcomes, outcomes["errors"][1]
    size, said = outcomes[claim]
    assert size < MEMORY_BYTES and said != "out of memory", (size, said)
    if claim not in LOADED:
        assert re.search(r"^refused: .*(declares|overlap)", said), said
