"""The files that come with posable: they are there, small, licensed, and do what they are for."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from pygltflib import GLTF2

import posable
from posable.errors import UnknownSampleError

FOLDER = Path(posable.sample("knight.glb")).parent
NAMES = {one.name for one in posable.samples()}


def test_the_list_is_the_folder() -> None:
    beside = {"LICENCES.md", "Apache-2.0.txt", "__init__.py", "shipped.py"}
    assert {path.name for path in FOLDER.iterdir() if path.is_file()} - beside == NAMES
    assert sum(one.path.stat().st_size for one in posable.samples()) < 3e6


def test_every_sample_has_a_licence_that_the_page_of_licences_names() -> None:
    page = (FOLDER / "LICENCES.md").read_text(encoding="utf-8")
    for one in posable.samples():
        (row,) = (line for line in page.splitlines() if line.startswith(f"| {one.name} |"))
        assert one.licence.replace("CC0-1.0", "CC0 1.0") in row
    assert "obtained from mocap.cs.cmu.edu" in page and "NSF EIA-0196217" in page
    assert (FOLDER / "Apache-2.0.txt").read_text(encoding="utf-8").rstrip().endswith("limitations under the License.")


def test_an_unknown_name_suggests_the_closest() -> None:
    with pytest.raises(
        UnknownSampleError, match=r"^no sample is called 'Knigth.glb'; did you mean knight\.glb\? choose"
    ):
        posable.sample("Knigth.glb")
    with pytest.raises(UnknownSampleError, match=r"^no sample is called 'q'; choose from knight\.glb, wolf\.glb, "):
        posable.sample("q")


@pytest.mark.parametrize(
    ("name", "joints", "clips", "height"),
    [
        ("knight.glb", 42, 6, (2.4, 2.6)),
        ("wolf.glb", 53, 12, (2.6, 2.8)),
        ("walk.bvh", 31, 1, (1.3, 1.8)),
        ("panda.urdf", 13, 0, (1.0, 1.1)),
        ("g1.urdf", 39, 0, (1.2, 1.3)),
    ],
)
def test_figures_load(name: str, joints: int, clips: int, height: tuple[float, float]) -> None:
    figure = posable.load(posable.sample(name), unit="cm" if name.endswith(".bvh") else None)
    assert (len(figure.skeleton.joints), len(figure.clips)) == (joints, clips)
    assert height[0] < figure.height < height[1]


def test_the_mesh_loads() -> None:
    mesh = posable.load_mesh(posable.sample("person.obj"))
    assert (len(mesh.vertices), len(mesh.faces)) == (1605, 3168)


def test_the_walk_is_a_persons_in_centimetres() -> None:
    clip = posable.load(posable.sample("walk.bvh"), unit="cm").clips[0]
    hips = clip.q[:, :3]
    assert clip.fps == pytest.approx(30, abs=1e-3) and len(clip) == 131
    assert 0.85 < hips[:, 1].mean() < 1.0  # hips 0.9 m above the ground
    assert 0.8 < (hips[-1, 2] - hips[0, 2]) / clip.seconds < 1.6  # metres a second, a walk


@pytest.mark.slow
def test_the_knight_is_valid_and_its_clips_move_it() -> None:
    document = GLTF2().load(str(posable.sample("knight.glb")))
    assert document is not None
    views, blob = document.bufferViews, document.binary_blob()
    assert all(view.byteOffset % 4 == 0 and view.byteOffset + view.byteLength <= len(blob) for view in views)
    assert document.buffers[0].byteLength == len(blob)
    assert {accessor.bufferView for accessor in document.accessors} < set(range(len(views)))
    image = views[document.images[0].bufferView]
    assert blob[image.byteOffset :].startswith(b"\x89PNG")
    figure = posable.load(posable.sample("knight.glb"))
    assert {clip.name for clip in figure.clips} == {clip.name for clip in document.animations}
    for clip in figure.clips:
        assert np.ptp(clip.poses.origins[:, figure.skeleton.index("hand.r")], axis=0).max() > 1e-3


@pytest.mark.slow
def test_they_are_cut_from_the_originals(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    maker = importlib.import_module("docs.make_samples")
    maker.cut_knight(shared / "characters/Knight.glb", tmp_path / "knight.glb")
    assert (tmp_path / "knight.glb").read_bytes() == posable.sample("knight.glb").read_bytes()
    whole, cut = (posable.load(path) for path in (shared / "characters/Knight.glb", tmp_path / "knight.glb"))
    for clip in cut.clips:
        moved = whole.clips[clip.name].poses.world_from_joint
        np.testing.assert_allclose(clip.poses.world_from_joint, moved, atol=1e-6)
    text = (shared / "mocap/cmu_12_01_walk.bvh").read_text(encoding="utf-8")
    assert maker.thin_walk(text) == posable.sample("walk.bvh").read_text(encoding="utf-8")
