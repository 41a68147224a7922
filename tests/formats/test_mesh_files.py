"""OBJ, STL and DAE as robots refer to them: right triangles in, one clear message otherwise."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest
from formats.mutation import damaged

from posable.errors import FileError, FileTooLargeError, PosableError, UnsupportedFileError
from posable.formats.mesh_files import MAX_BYTES, read_mesh

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 0], [1, 0, 0], [1, 1, 0.5]]], np.float32)
TRIANGLE_TEXT = "facet normal 0 0 1\nouter loop\n{}\nendloop\nendfacet\n"


def binary_stl(corners: np.ndarray, header: bytes = b"any words") -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 1, *triangle.ravel(), 7) for triangle in corners)
    return header.ljust(80, b"\0") + struct.pack("<I", len(corners)) + body


def text_stl(corners: np.ndarray) -> bytes:
    facets = [TRIANGLE_TEXT.format("\n".join(f"vertex {x} {y} {z}" for x, y, z in one)) for one in corners]
    return ("solid thing\n" + "".join(facets) + "endsolid thing\n").encode()


def written(folder: Path, name: str, content: bytes | str) -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(
    "content",
    [binary_stl(CORNERS), binary_stl(CORNERS, b"solid in name only"), text_stl(CORNERS)],
    ids=["binary", "binary that begins like text", "text"],
)
def test_stl_of_both_kinds(content: bytes, tmp_path: Path) -> None:
    vertices, faces = read_mesh(written(tmp_path, "a.STL", content))
    assert (vertices.dtype, faces.dtype) == (np.float32, np.int32)
    assert len(vertices) == 4  # corners that coincide are one vertex
    np.testing.assert_array_equal(vertices[faces], CORNERS)


def test_an_stl_of_no_triangles_is_an_empty_mesh(tmp_path: Path) -> None:
    for content in (binary_stl(CORNERS[:0]), text_stl(CORNERS[:0])):
        vertices, faces = read_mesh(written(tmp_path, "a.stl", content))
        assert (vertices.shape, faces.shape) == ((0, 3), (0, 3))


def test_obj_with_polygons_textures_and_negative_indices(tmp_path: Path) -> None:
    text = "# words\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nv 0 1 0\nf 1/1 2/1/1 3//1 4\ng x\nf -1 -2 -3\nf 1 2\n"
    vertices, faces = read_mesh(written(tmp_path, "a.obj", text))
    assert vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3], [3, 2, 1]]


@pytest.mark.parametrize("name", ["spot", "makehuman_base_raw", "penguin", "plain_wolf"])
def test_real_objs_as_an_independent_reader_has_them(name: str, shared: Path) -> None:
    igl = pytest.importorskip("igl", reason="the judge of meshes is not installed (pip install posable[test])")
    path = shared / "meshes" / f"{name}.obj"
    vertices, faces = read_mesh(path)
    theirs, quads = igl.read_triangle_mesh(str(path))
    np.testing.assert_allclose(vertices, theirs, atol=1e-6)
    assert faces.tolist() == quads.tolist()


REFUSED = {
    ("a.ply", b""): "a.ply: is neither OBJ nor STL; convert the mesh to one of them",
    (
        "a.stl",
        b"solid x\nvertex 1 2 3\n",
    ): "a.stl: has 1 corners, which is not a multiple of three; export it again",
    ("a.stl", b"solid x\nvertex 1 2 z\n"): "a.stl: a vertex is not three finite numbers; export the mesh again",
    (
        "a.stl",
        b"\0" * 80 + b"\xff" * 4,
    ): "a.stl: declares 4,294,967,295 triangles, more than fit into its 84 bytes; export it",
    ("a.stl", b"short"): "a.stl: declares 0 triangles, more than fit into its 5 bytes; export it again",
    ("a.stl", binary_stl(CORNERS * np.float32("nan"))): "a.stl: has a vertex that is not three finite numbers; export",
    ("a.obj", "v 1 2 3\n".encode("utf-16")): "a.obj: is text in UTF-16; save it as UTF-8",
    ("a.obj", b"v 1 2 3\nv 1 2\n"): "a.obj:2: a vertex is not three finite numbers; export the mesh again",
    ("a.obj", b"v 1 2 inf\n"): "a.obj:1: a vertex is not three finite numbers; export the mesh again",
    ("a.obj", b"v 1 2 3\nf 1 1 2\n"): "a.obj:2: a face refers to vertex 2, but only 1 precede it",
    ("a.obj", b"f 0 0 0\n"): "a.obj:1: a face refers to vertex 0, but only 0 precede it",
    ("a.obj", b"v 1 2 3\nf 1 -2 1\n"): "a.obj:2: a face refers to vertex -2, but only 1 precede it",
    ("a.obj", b"f a b c\n"): "a.obj:1: a face has the corner 'a', which is not a number",
}


@pytest.mark.parametrize(("file", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused_with_place_and_cure(file: tuple[str, bytes], message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="^" + re.escape(message)):
        read_mesh(written(tmp_path, *file))


def test_other_formats_and_large_files(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFileError, match="neither OBJ nor STL"):
        read_mesh(written(tmp_path, "a.ply", b"ply"))
    with (tmp_path / "a.obj").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(FileTooLargeError, match="declares 67,108,865 bytes"):
        read_mesh(tmp_path / "a.obj")
    with pytest.raises(
        FileTooLargeError, match=r"declares 1,000,0\d\d vertices or triangles; posable accepts at most 1,000,000"
    ):
        read_mesh(written(tmp_path, "b.obj", "v 0 0 0\n" * 3 + ("f" + " 1" * 101 + "\n") * 10_200))
    stl = b"\0" * 80 + struct.pack("<I", 1_000_001) + b"\0" * 50 * 1_000_001
    with pytest.raises(FileTooLargeError, match="declares 1,000,001 triangles; posable accepts at most 1,000,000"):
        read_mesh(written(tmp_path, "c.stl", stl))


DAE = """<COLLADA><asset><unit meter="0.01"/><up_axis>{up}</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array>0 0 0 1 0 0 1 1 0 0 1 0</float_array><accessor stride="3"/></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{polygons}</mesh></geometry></library_geometries><library_nodes><node id="n"><scale>2 2 2</scale>
<instance_geometry url="#g"/></node></library_nodes><library_visual_scenes><visual_scene>
<node><translate>0 0 5</translate><rotate>0 0 1 90</rotate><instance_node url="#n"/></node>
<node><matrix>1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes></COLLADA>"""
_INPUTS = '<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>'
POLYGONS = [
    f"<triangles>{_INPUTS}<p>0 9 1 9 2 9 0 9 2 9 3 9</p></triangles>",
    f"<polylist>{_INPUTS}<vcount>4</vcount><p>0 9 1 9 2 9 3 9</p></polylist>",
    f"<polygons>{_INPUTS}<p>0 9 1 9 2 9</p><p>0 9 2 9 3 9</p></polygons>",
]


@pytest.mark.parametrize("polygons", POLYGONS, ids=["triangles", "polylist", "polygons"])
def test_dae_is_drawn_as_its_scene_places_it(polygons: str, tmp_path: Path) -> None:
    vertices, faces = read_mesh(written(tmp_path, "a.dae", DAE.format(up="Z_UP", polygons=polygons)))
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]
    wanted = [[0, 0, 5], [0, 2, 5], [-2, 2, 5], [-2, 0, 5], [7, 0, 0], [8, 0, 0], [8, 1, 0], [7, 1, 0]]
    np.testing.assert_allclose(vertices, 0.01 * np.array(wanted), atol=1e-8)
    same, _ = read_mesh(written(tmp_path, "b.dae", DAE.format(up="Y_UP", polygons=polygons)))
    np.testing.assert_array_equal(same, vertices)  # as RViz and Gazebo do


@pytest.mark.parametrize(
    ("polygons", "message"),
    [
        (POLYGONS[0].replace("3 9<", "4 9<"), "a face refers to vertex 4, but there are 4; export it again"),
        (POLYGONS[0].replace("3 9<", "x 9<"), "<p> is not a list of finite numbers; export the mesh again"),
        (POLYGONS[1].replace("<vcount>4", "<vcount>5"), "<polylist>: <vcount> and <p> do not fit each other; export"),
        (POLYGONS[0].replace("#v", "#w"), "<input> refers to '#w', which is not in the file"),
    ],
)
def test_a_dae_that_does_not_hold_together_is_refused(polygons: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=re.escape(message)):
        read_mesh(written(tmp_path, "a.dae", DAE.format(up="Z_UP", polygons=polygons)))


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_meshes_are_refused(tmp_path: Path) -> None:
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3 2\nf 1 2 4\nf -1 4//2 3\nf 2 3 4 1\n"
    outcomes = {True: 0, False: 0}
    dae = DAE.format(up="Z_UP", polygons=POLYGONS[1]).encode()
    seeds = (("a.obj", obj), ("a.stl", text_stl(CORNERS)), ("b.stl", binary_stl(CORNERS)), ("a.dae", dae))
    for name, seed in seeds:
        for index in range(100):
            file = written(tmp_path, name, damaged([seed], 0, index))
            try:
                vertices, faces = read_mesh(file)
            except PosableError:
                outcomes[False] += 1
            else:
                assert faces.size == 0 or 0 <= faces.min() <= faces.max() < len(vertices)
                outcomes[True] += 1
    assert min(outcomes.values()) > 10
