"""`posable bind`: a bare mesh with a skeleton file becomes a figure that moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from smooth_body import smooth_body

import posable
from benchmarks import posed_bodies
from posable.skeleton import Joint, Skeleton

BODY = smooth_body()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the mannequin's surface as an OBJ, and its skeleton alone."""
    folder = tmp_path_factory.mktemp("bind")
    skin = BODY.skins[0]
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in skin.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in skin.faces + 1]
    (folder / "body.obj").write_text("\n".join(lines))
    posable.save(folder / "bones.glb", posable.Figure(BODY.skeleton))
    return folder


@pytest.mark.slow
def test_a_mesh_on_the_skeleton_of_a_file(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    ran = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "man.glb", "--sheet", "man.png", "--json")
    assert ran.status == 0, ran.err
    told = ran.json
    assert told["wrote"] == ["man.glb", "man.png"] and told["vertices"] == len(BODY.skins[0].vertices)
    bound = posable.load(tmp_path / "man.glb")
    assert bound.skeleton.joints == BODY.skeleton.joints
    assert bound.skins[0].weights.shape[1] <= 4
    pose = BODY.rest.plus(np.random.default_rng(0).uniform(-0.2, 0.2, BODY.skeleton.dof)).clamped()
    apart = np.linalg.norm(
        bound.skins[0].deform(posable.Pose(bound.skeleton, pose.q)) - BODY.skins[0].deform(pose), axis=1
    )
    assert np.median(apart) < 0.01  # metres: two good bindings of one body
    again = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "man.glb")
    assert again.status == 1 and "man.glb: already exists; choose another name, or add --force" in again.err


@pytest.mark.slow
def test_only_some_joints_or_all_but_some(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    ran = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "a.glb", "--only", "hips", "--only", "head")
    assert ran.status == 0, ran.err
    skin = posable.load(tmp_path / "a.glb").skins[0]
    assert {skin.skeleton.joints[j] for j in skin.used_joints} == {"root", "head"}
    ran = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "b.glb", "--without", "left hand", "--json")
    assert ran.status == 0, ran.err
    skin = posable.load(tmp_path / "b.glb").skins[0]
    left_out = {"hand_l"} - {skin.skeleton.joints[j] for j in skin.used_joints}
    assert left_out == {"hand_l"}
    assert any("were left out as asked: 'hand_l'" in note for note in ran.json["notes"])
    ran = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "c.glb", "--without", "tail")
    assert ran.status == 1 and "tail" in ran.err and "Traceback" not in ran.err


@pytest.mark.slow
def test_what_was_bound_to_the_bones_of_a_game_character_walks(
    run: Callable[..., Any], folder: Path, tmp_path: Path
) -> None:
    """The donor has a skin of its own, and targets and poles that move none of it."""
    more = [Joint("IK_foot_l", "ball", BODY.skeleton.joints[0], (0.1, 0, 0.1)),
            Joint("pole_l", "ball", BODY.skeleton.joints[0], (0.1, 0, 0.9))]  # fmt: skip
    bones = Skeleton([*BODY.skeleton.definitions, *more], BODY.skeleton.up)
    own = BODY.skins[0]
    inverse = np.concatenate([own.inverse_bind, np.tile(np.eye(4), (2, 1, 1))])
    skin = posable.Skin(bones, own.vertices, own.faces, own.joints, own.weights, inverse)
    posable.save(tmp_path / "donor.glb", posable.Figure(bones, skins=(skin,)))
    ran = run("bind", folder / "body.obj", tmp_path / "donor.glb", "-o", "man.glb", "--weights", "new")
    assert ran.status == 0, ran.err
    assert "moved no skin in the figure they are from" in ran.out and "'pole_l'" in ran.out
    ran = run("walk", tmp_path / "man.glb", "-o", "walk.glb")
    assert ran.status == 0, ran.err


@pytest.mark.slow
def test_weights_of_a_donor_with_the_same_faces_or_the_same_shape(
    run: Callable[..., Any], folder: Path, tmp_path: Path
) -> None:
    own = BODY.skins[0]
    posable.save(tmp_path / "donor.glb", BODY)
    ran = run("bind", folder / "body.obj", tmp_path / "donor.glb", "-o", "copy.glb")
    assert ran.status == 0 and "same faces as the donor's" in ran.out, ran.err
    copied = posable.load(tmp_path / "copy.glb").skins[0]
    table = posable.skin.weights.weight_table(own)
    np.testing.assert_allclose(posable.skin.weights.weight_table(copied), table, atol=2e-2)
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in own.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in own.faces[::2] + 1]
    (tmp_path / "half.obj").write_text("\n".join(lines))
    ran = run("bind", tmp_path / "half.obj", tmp_path / "donor.glb", "-o", "near.glb")
    assert ran.status == 0 and "weights of the closest points" in ran.out, ran.err
    lines = [f"v {x:.6f} {y:.6f} {z + 3:.6f}" for x, y, z in own.vertices] + lines[len(own.vertices) :]
    (tmp_path / "away.obj").write_text("\n".join(lines))
    ran = run("bind", tmp_path / "away.obj", tmp_path / "donor.glb", "-o", "none.glb", "--weights", "donor")
    assert ran.status == 1 and "neither the faces of SKELETON's skin nor lies on it" in ran.err


def test_the_joints_of_a_donor_go_with_a_body_of_another_shape() -> None:
    body = posed_bodies.Body(BODY, posable.Mesh.of(BODY.skins[0]), dict(posable.roles(BODY).joints))
    mesh, truth = posed_bodies.POSES["long limbs"](body)
    skin = posable.skin.weights.skin_of_donor(BODY.skins, mesh, 4)
    assert skin is not None and "every joint went with" in skin.notes[0]
    places = posable.Pose(skin.skeleton, skin.skeleton.rest_coordinates).origins
    off = {role: np.linalg.norm(places[skin.skeleton.index(joint)] - truth[role])
           for role, joint in posable.roles(BODY).joints.items()}  # fmt: skip
    assert max(off.values()) < 0.03 and np.mean(list(off.values())) < 0.01, off  # metres
    np.testing.assert_allclose(skin.deform(posable.Figure(skin.skeleton).rest), mesh.vertices, atol=1e-5)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["body.obj", "-o", "x.glb"], 2, "SKELETON"),
        (["body.obj", "bones.glb", "--template", "biped", "-o", "x.glb"], 2, "--template"),
        (["body.obj", "bones.glb", "--rigid", "sword", "-o", "x.glb"], 2, "'sword' must be the number of a piece"),
        (["body.obj", "bones.glb", "--rigid", "7=head", "-o", "x.glb"], 1, "rigid names piece 7"),
        (["none.obj", "bones.glb", "-o", "x.glb"], 1, "none.obj: no such file"),
        (["body.obj", "bones.glb", "-o", "x.glb", "--sheet", "x.bmp"], 2, "must end in .png or .mp4 or .gif"),
    ],
)
def test_refused(
    run: Callable[..., Any], folder: Path, tmp_path: Path, words: list[str], status: int, said: str
) -> None:
    there = [str(folder / word) if (folder / word).exists() else word for word in words]
    ran = run("bind", *there)
    assert ran.status == status and said in ran.err
    assert "Traceback" not in ran.err and not (tmp_path / "x.glb").exists()


@pytest.mark.slow
def test_twist_joints_on_request(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    ran = run("bind", folder / "body.obj", folder / "bones.glb", "-o", "a.glb", "--twist")
    assert ran.status == 0 and "3 joints each along upper_arm_l, upper_arm_r, forearm_l" in ran.out, ran.err
    bound = posable.load(tmp_path / "a.glb")
    assert bound.skeleton.joints[: len(BODY.skeleton.joints)] == BODY.skeleton.joints
    assert {"forearm_twist_3_l", "thigh_twist_3_r"} <= {bound.skeleton.joints[j] for j in bound.skins[0].used_joints}
    assert bound.skins[0].weights.shape[1] <= 4
    ran = run("bind", folder / "body.obj", tmp_path / "a.glb", "-o", "b.glb", "--twist", "1")
    assert ran.status == 1 and "no arm or leg has a twist to share that no twist joint shares yet" in ran.err


def scaled(folder: Path, name: str, factor: float) -> Path:
    """The body's OBJ with other numbers."""
    rows = [line.split() for line in (folder / "body.obj").read_text().splitlines()]
    lines = [" ".join(["v", *(f"{float(x) * factor:.6f}" for x in row[1:])] if row[0] == "v" else row) for row in rows]
    (folder / name).write_text("\n".join(lines))
    return folder / name


@pytest.mark.slow
def test_a_mesh_in_another_unit_is_told_and_mended(run: Callable[..., Any], folder: Path, tmp_path: Path) -> None:
    """A body of decimetres on bones of metres was bound without a word: all of its limbs to the nearest bone."""
    large = scaled(folder, "dm.obj", 10.0)
    ran = run("bind", large, folder / "bones.glb", "-o", "a.glb", "--json")
    assert ran.status == 0, ran.err
    assert any("give both in one unit (--mesh-unit, --unit)" in note for note in ran.json["notes"])
    ran = run("bind", large, folder / "bones.glb", "--mesh-unit", "dm", "-o", "b.glb", "--json")
    assert ran.status == 0, ran.err
    assert not any("unit" in note for note in ran.json["notes"])
    skin = posable.load(tmp_path / "b.glb").skins[0]
    np.testing.assert_allclose(np.ptp(skin.vertices, axis=0), np.ptp(BODY.skins[0].vertices, axis=0), rtol=1e-5)


@pytest.mark.slow
def test_a_file_that_states_its_unit_takes_no_other(run: Callable[..., Any], folder: Path) -> None:
    posable.save(folder / "body.glb", BODY)
    ran = run("bind", folder / "body.glb", folder / "bones.glb", "--mesh-unit", "dm", "-o", "c.glb")
    assert ran.status == 1 and "body.glb states its unit; --mesh-unit is for OBJ and STL: leave it out" in ran.err
