# ruff: noqa: E501  (models and messages stand in one line each)
"""What MJCF bodies look like, against MuJoCo: solids, colours, meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats.mjcf_models import SOLIDS, TETRAHEDRON, body, loaded

from posable.spatial import transform

mujoco = pytest.importorskip("mujoco", reason="the judge of MJCF is not installed (pip install posable[test])")


def test_solids_stand_where_mujoco_puts_them(tmp_path: Path) -> None:
    figure, model = loaded(tmp_path, SOLIDS), mujoco.MjModel.from_xml_string(SOLIDS)
    state = mujoco.MjData(model)
    mujoco.mj_kinematics(model, state)
    kinds = {2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box"}
    shown = [i for i in range(1, model.ngeom) if model.geom_group[i] < 3 and model.geom_rgba[i, 3] > 0]
    assert len(figure.shapes) == len(shown) == 11
    for shape, i in zip(figure.shapes, shown, strict=True):
        assert shape.kind == kinds[int(model.geom_type[i])]
        world = figure.rest.world_from_joint[0] @ transform(shape.position, shape.wxyz)
        np.testing.assert_allclose(world[:3, 3], state.geom_xpos[i], atol=1e-9)
        np.testing.assert_allclose(world[:3, :3], state.geom_xmat[i].reshape(3, 3), atol=1e-9)
        factors = {"box": (2, 2, 2), "capsule": (1, 2), "cylinder": (1, 2)}.get(shape.kind, (1, 1, 1))
        np.testing.assert_allclose(shape.size, (model.geom_size[i] * (*factors, 0)[:3])[: len(shape.size)], atol=1e-12)
        np.testing.assert_allclose(shape.color, model.geom_rgba[i, :3], atol=1e-7)


def test_the_colour_of_a_material(tmp_path: Path) -> None:
    text = body('<geom size="1" material="red"/>').replace(
        "<worldbody>", '<asset><material name="red" rgba="1 0 0 1"/></asset><worldbody>'
    )
    assert loaded(tmp_path, text).shapes[1].color == (1, 0, 0)


def test_meshes_beside_the_model_become_a_skin(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/tetra.obj").write_text(TETRAHEDRON)
    asset = '<compiler meshdir="meshes"/><asset><mesh file="tetra.obj" scale="1 2 -3" refpos="1 2 3" refquat="1 1 0.5 0"/><mesh name="gone" file="gone.stl"/></asset>'
    inside = (
        '<geom type="mesh" mesh="tetra" pos="1 2 3" euler="20 30 40" rgba="1 0 0 1"/><geom type="mesh" mesh="gone"/>'
    )
    text = body(inside + "<joint/>").replace("<worldbody>", asset + "<worldbody>")
    figure = loaded(tmp_path, text)
    assert figure.notes == ("without the mesh gone.stl: not beside the file, or in its package, as OBJ, STL or DAE",)
    text = text.replace('<geom type="mesh" mesh="gone"/>', "").replace('<mesh name="gone" file="gone.stl"/>', "")
    model = mujoco.MjModel.from_xml_string(text.replace('"meshes"', '""'), {"tetra.obj": TETRAHEDRON.encode()})
    state = mujoco.MjData(model)
    mujoco.mj_kinematics(model, state)
    theirs = model.mesh_vert @ state.geom_xmat[1].reshape(3, 3).T + state.geom_xpos[1]
    ours = figure.skins[0].deform(figure.rest)
    order = [int(np.argmin(np.linalg.norm(theirs - point, axis=1))) for point in ours]
    np.testing.assert_allclose(ours, theirs[order], atol=1e-6)
    volume = (
        np.einsum(
            "fi,fi->",
            np.cross(ours[figure.skins[0].faces[:, 0]], ours[figure.skins[0].faces[:, 1]]),
            ours[figure.skins[0].faces[:, 2]],
        )
        / 6
    )
    assert volume == pytest.approx(1.0, abs=1e-5)  # positive: the mirrored faces are turned back outwards
    assert figure.skins[0].colors is not None
    assert figure.skins[0].colors[0].tolist() == [1, 0, 0]


FOLDERS = {
    "meshdir": ('<compiler meshdir="parts"/>', "t.obj", "parts/t.obj"),
    "assetdir": ('<compiler assetdir="parts/deep"/>', "t.obj", "parts/deep/t.obj"),
    "meshdir over assetdir": ('<compiler assetdir="other" meshdir="parts/deep"/>', "t.obj", "parts/deep/t.obj"),
    "strippath": ('<compiler meshdir="parts" strippath="true"/>', "gone/t.obj", "parts/t.obj"),
    "a path of its own": ("", "parts/deep/t.obj", "parts/deep/t.obj"),
}


@pytest.mark.parametrize(("compiler", "name", "place"), FOLDERS.values(), ids=FOLDERS.keys())
def test_where_meshes_lie(compiler: str, name: str, place: str, tmp_path: Path) -> None:
    """The one in the right place has twice the size of those around."""
    for file in ("t.obj", "parts/t.obj", "parts/deep/t.obj"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(TETRAHEDRON.replace("1 0 0", "2 0 0") if file == place else TETRAHEDRON)
    asset = f'<default><mesh scale="1 1 3"/></default><asset><mesh file="{name}"/></asset>'
    text = body('<geom type="mesh" mesh="t"/>', compiler=compiler).replace("<worldbody>", asset + "<worldbody>")
    assert loaded(tmp_path, text).skins[0].vertices.max(axis=0).tolist() == [2, 1, 3]
