"""USD against UsdSkel itself: joints, skins and animation at every time code; and what is refused, with its cure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.errors import FileError, UnsupportedFileError
from posable.spatial import transform

pytest.importorskip("pxr", reason="usd-core is not installed")
from formats.usd_stages import MADE, stage_file
from pxr import Sdf, Usd, UsdGeom, UsdSkel, UsdUtils, Vt

BOUND_FILES = ("arm.usda", "skinnedArm.usda", "lbs.usda")


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """UsdSkel as judge warns about test stages; that is not what is tested."""
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    yield
    delegate.TakeUncoalescedDiagnostics()


# --- the judge --------------------------------------------------------------------------------------------------------


def judged_joints(stage: Any, skeleton: Any, time: float | None) -> np.ndarray:
    """world_from_joint in metres, as UsdSkel computes it (with scales); at rest where time is None."""
    cache = UsdSkel.Cache()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(skeleton)
    code = Usd.TimeCode.EarliestTime() if time is None else Usd.TimeCode(time)
    matrices = query.ComputeJointWorldTransforms(UsdGeom.XformCache(code), atRest=time is None)
    meters = np.diag([UsdGeom.GetStageMetersPerUnit(stage)] * 3 + [1.0])
    return meters @ np.swapaxes(np.array(matrices), 1, 2)


def judged_points(stage: Any, mesh: str, time: float) -> np.ndarray:
    """The vertices of a skinned mesh in the world, in metres, as UsdSkel computes them."""
    cache = UsdSkel.Cache()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            root = UsdSkel.Root(prim)
            cache.Populate(root, Usd.PrimDefaultPredicate)
            for binding in cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate):
                for target in binding.GetSkinningTargets():
                    if target.GetPrim().GetName() == mesh:
                        return _skinned(stage, cache.GetSkelQuery(binding.GetSkeleton()), target, time)
    raise AssertionError(mesh)


def _skinned(stage: Any, query: Any, target: Any, time: float) -> np.ndarray:
    points = UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get()
    moved = Vt.Vec3fArray(points)
    assert target.ComputeSkinnedPoints(query.ComputeSkinningTransforms(time), moved, time)
    world = np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(query.GetPrim())).T
    return UsdGeom.GetStageMetersPerUnit(stage) * (np.array(moved, float) @ world[:3, :3].T + world[:3, 3])


def agrees_with_judge(path: Path, tolerance: float = 1e-6) -> posable.Figure:
    """Every joint (origin and rotation, scales aside) and every skinned vertex at every frame; the joints at rest."""
    figure, stage = posable.load(path), Usd.Stage.Open(str(path))
    skeletons = [p for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton) and UsdSkel.Skeleton(p).GetJointsAttr().Get()]
    size = max(figure.skeleton.reach, figure.height)
    times: list[float | None] = [None]
    if figure.clips:
        assert figure.clips[0].fps == stage.GetTimeCodesPerSecond()
        times += [stage.GetStartTimeCode() + k for k in range(len(figure.clips[0]))]
    for k, time in enumerate(times):
        pose = figure.rest if time is None else figure.clips[0].poses[k - 1]
        wanted = np.concatenate([judged_joints(stage, UsdSkel.Skeleton(prim), time) for prim in skeletons])
        assert np.abs(pose.origins - wanted[:, :3, 3]).max() < tolerance * size
        turned = pose.world_from_joint[:, :3, :3] @ np.linalg.inv(figure.rest.world_from_joint[:, :3, :3])
        rest = np.concatenate([judged_joints(stage, UsdSkel.Skeleton(prim), None) for prim in skeletons])
        assert (
            np.abs(turned @ rest[:, :3, :3] - wanted[:, :3, :3]).max() < 5 * tolerance * np.abs(wanted[:, :3, :3]).max()
        )
        for skin in figure.skins:
            if time is not None:
                points = judged_points(stage, skin.name, time)
                assert np.abs(skin.deform(pose) - points).max() < tolerance * size
    return figure


# --- real files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOUND_FILES)
def test_real_files_agree_with_usdskel(shared: Path, name: str) -> None:
    figure = agrees_with_judge(shared / "usd" / name, 1e-6 if name == "lbs.usda" else 3e-5)
    assert figure.skins
    assert len(figure.clips[0]) in (10, 30)


@pytest.mark.parametrize("name", ["arm.usda", "skinnedArm.usda"])
def test_rotations_that_are_rounded_in_the_file_are_what_differs(shared: Path, tmp_path: Path, name: str) -> None:
    """UsdSkel takes (0.7071, 0.7071, 0, 0) as it is, 1e-5 short of a rotation; posable brings it to length 1."""
    text = (shared / "usd" / name).read_text()
    agrees_with_judge(stage_file(tmp_path, text, ("0.7071", "0.70710678")), 1e-6)


def test_skins_meet_the_baked_vertices(shared: Path) -> None:
    figure = posable.load(shared / "usd/lbs.usda")
    baked = Usd.Stage.Open(str(shared / "usd/lbs.baked.usda"))
    assert [skin.name for skin in figure.skins] == ["Mesh", "MeshWithFaceVaryingNormals", "MeshWithNormals"]
    for skin in figure.skins:
        mesh = baked.GetPrimAtPath(f"/Root/{skin.name}")
        found = skin.deform(figure.clips[0].poses)
        for frame in range(30):
            world = np.array(UsdGeom.XformCache(frame + 1.0).GetLocalToWorldTransform(mesh)).T
            points = (
                np.array(UsdGeom.Mesh(mesh).GetPointsAttr().Get(frame + 1.0), float) @ world[:3, :3].T + world[:3, 3]
            )
            assert np.abs(found[frame] - 0.01 * points).max() < 1e-5 * 0.02


def test_a_real_file_is_read_in_full(shared: Path) -> None:
    figure = posable.load(shared / "usd/arm.usda")
    assert figure.skeleton.up == "z"
    assert figure.skeleton.joints == ("Shoulder", "Elbow", "Hand")
    assert figure.skeleton.index("Shoulder/Elbow/Hand") == 2
    assert [joint.kind for joint in figure.skeleton.definitions] == ["free", "ball", "ball"]
    assert figure.skins[0].faces.shape == (20, 3)
    assert figure.clips["Anim1"].fps == 24
    assert figure.notes == ("the file states no metersPerUnit; USD's default, centimetres, was assumed",)
    stated = posable.load(shared / "usd/skinnedArm.usda")
    assert stated.notes == ()
    assert stated.skeleton.up == "y"
    assert np.allclose(stated.rest.origins[2], (0, 0, 0.04))


def test_a_file_without_joints_is_refused(shared: Path) -> None:
    with pytest.raises(
        UnsupportedFileError, match=r"populate.usda: has no skeleton with joints \(UsdSkel\) and no mesh; export it"
    ):
        posable.load(shared / "usd/populate.usda")


BARE = """#usda 1.0
(
    defaultPrim = "Bear"
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "Bear"
{
    double3 xformOp:translate = (0, 0, 100)
    double3 xformOp:scale = (-2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    def Mesh "body"
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0)]
        color3f[] primvars:displayColor = [(1, 0, 0)]
    }
    def Mesh "helper"
    {
        uniform token purpose = "guide"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (10, 0, 0), (10, 10, 0)]
    }
    def Mesh "hidden"
    {
        token visibility = "invisible"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (10, 0, 0), (10, 10, 0)]
    }
}
"""


def test_meshes_without_a_skeleton_are_one_body(tmp_path: Path) -> None:
    """A bare mesh, as `posable rig` wants it, was refused."""
    path = tmp_path / "bear.usda"
    path.write_text(BARE)
    figure = posable.load(path)
    assert (figure.skeleton.joints, figure.skeleton.up) == (("Bear",), "z")
    assert figure.notes == ("the file has no skeleton (UsdSkel): its meshes follow one joint",)
    assert [skin.name for skin in figure.skins] == ["body"]
    mesh = posable.load_mesh(path)
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), (0.2, 0.2, 0), atol=1e-7)
    assert mesh.vertices[:, 2] == pytest.approx(1.0)
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normals[:, 2] > 0).all()  # as in the file, though its x axis is mirrored
    assert mesh.colors is not None and mesh.colors[0] == pytest.approx((1, 0, 0))


def test_meshes_that_no_joint_moves_are_told_beside_a_skeleton(tmp_path: Path) -> None:
    """Blender writes a hat that hangs on a bone as such a mesh: it was gone, in silence."""
    hat = BARE.partition('def Mesh "body"')[2].replace("{", "{\n", 1)
    path = stage_file(tmp_path, MADE + '\ndef Mesh "Cap"' + hat.rpartition("}")[0])
    (note,) = posable.load(path).notes
    assert note.startswith("1 meshes follow no joint and are not part of the figure: Cap; bind each")


def test_meshes_without_a_skeleton_must_fit_their_faces(tmp_path: Path) -> None:
    path = tmp_path / "bear.usda"
    path.write_text(BARE.replace("[0, 1, 2, 3]", "[0, 1, 2, 9]"))
    with pytest.raises(FileError, match=r"mesh /Bear/body: a face index lies outside 0 … 3"):
        posable.load(path)


@pytest.mark.parametrize("suffix", [".usd", ".usdc", ".usdz"])
def test_other_containers_hold_the_same(shared: Path, tmp_path: Path, suffix: str) -> None:
    source, copy = shared / "usd/lbs.usda", tmp_path / f"lbs{suffix}"
    if suffix == ".usdz":
        assert UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(source)), str(copy))
    else:
        Sdf.Layer.FindOrOpen(str(source)).Export(str(copy))
    wanted, figure = posable.load(source), posable.load(copy)
    assert figure.skeleton == wanted.skeleton
    assert (figure.clips[0].q == wanted.clips[0].q).all()
    assert (figure.skins[1].deform(figure.clips[0].at(0.7)) == wanted.skins[1].deform(wanted.clips[0].at(0.7))).all()


# --- made stages ------------------------------------------------------------------------------------------------------


def test_a_made_stage_agrees_with_usdskel(tmp_path: Path) -> None:
    """Scaled and moving parents, scaled joints, one that shifts, a subset of animated joints, another joint order."""
    figure = agrees_with_judge(stage_file(tmp_path), tolerance=2e-6)
    assert figure.skeleton.joints == ("hip", "knee", "tip", "hip/tip")
    assert [joint.kind for joint in figure.skeleton.definitions] == ["free", "ball", "ball", "free"]
    assert figure.skeleton.definitions[3].active == (False, False, False, True, True, True)
    assert figure.skeleton.definitions[0].active is None
    assert len(figure.clips["Wave"]) == 7
    assert figure.clips[0].fps == 12
    assert figure.name == "made"
    assert np.allclose(figure.skeleton.definitions[0].position, (0.5, 1, 1.5))


@pytest.mark.parametrize(("x", "y", "z"), [(-3, 3, 3), (3, 2, 1), (-1, -2, -3)], ids=["mirror", "uneven", "inside out"])
def test_scales_of_every_kind_stay_behind_in_the_skin(tmp_path: Path, x: int, y: int, z: int) -> None:
    rest = ("((0,3,0,0),(-3,0,0,0),(0,0,3,0),(0,0,1,1))", f"((0,{x},0,0),({-y},0,0,0),(0,0,{z},0),(0,0,1,1))")
    figure = agrees_with_judge(stage_file(tmp_path, MADE, rest, ("(3, 3, 3)", f"({x}, {y}, {z})")), tolerance=3e-6)
    assert figure.notes == ()


def test_polygons_become_triangles_that_face_outwards(tmp_path: Path) -> None:
    body, hat = posable.load(stage_file(tmp_path)).skins
    assert body.faces.tolist() == [[2, 1, 0], [3, 2, 0], [4, 3, 0], [5, 1, 0]]
    assert hat.faces.tolist() == [[0, 1, 2]]


def test_weights_follow_the_joint_order_of_the_mesh(tmp_path: Path) -> None:
    body, hat = posable.load(stage_file(tmp_path)).skins
    assert body.joints[:2].tolist() == [[3, 2], [2, 0]]
    assert hat.joints.tolist() == [[1, 3]] * 3
    assert np.allclose(hat.weights, [[0.75, 0.25]] * 3)


def test_colors_become_srgb(tmp_path: Path) -> None:
    body, hat = posable.load(stage_file(tmp_path)).skins
    assert body.colors is not None and hat.colors is not None
    assert np.allclose(body.colors, [[1, 0.7353570, 0]] * 6, atol=1e-6)
    assert np.allclose(hat.colors, np.eye(3))
    faceted = stage_file(
        tmp_path, MADE, ('[(1, 0, 0), (0, 1, 0), (0, 0, 1)] (interpolation = "vertex")', "[(1,0,0), (0,1,0)]")
    )
    assert posable.load(faceted).skins[1].colors is None


def test_several_skeletons_become_one_figure(tmp_path: Path) -> None:
    second = (
        MADE[MADE.index("def SkelRoot") :]
        .replace("Creature", "Other")
        .replace('"Body"', '"Coat"')
        .replace('"Hat"', '"Cap"')
    )
    path = stage_file(tmp_path, MADE + second.replace("(0.6, 0, 0.8, 0)", "(0.8, 0, 0, 0.6)"))
    figure = agrees_with_judge(path, tolerance=2e-6)
    assert figure.skeleton.joints == ("hip", "knee", "tip", "hip/tip", "hip_2", "hip/knee", "hip/knee/tip", "tip_2")
    assert figure.skeleton.parents.tolist() == [-1, 0, 1, 0, -1, 4, 5, 4]
    assert [skin.name for skin in figure.skins] == ["Body", "Hat", "Coat", "Cap"]
    assert figure.notes == ("2 skeletons were merged into one figure: Skel, Skel",)


def test_a_stage_without_animation_has_no_clip(tmp_path: Path) -> None:
    figure = agrees_with_judge(stage_file(tmp_path, MADE, ("def SkelAnimation", "class SkelAnimation")), tolerance=2e-6)
    assert figure.clips == ()
    assert [joint.kind for joint in figure.skeleton.definitions] == ["free", "ball", "ball", "ball"]


def test_animations_that_do_not_play_are_clips_too(tmp_path: Path) -> None:
    wave = MADE[MADE.index("def SkelAnimation") : MADE.index("    }\n    def Mesh")]
    other = wave.replace('"Wave"', '"Nod"').replace(" 6:", " 3:") + wave.replace('"Wave"', '"Odd"').replace(
        "hip/", "x/"
    )
    figure = posable.load(stage_file(tmp_path, MADE, (wave, wave + other)))
    assert [(clip.name, len(clip)) for clip in figure.clips] == [("Wave", 7), ("Nod", 4)]
    assert np.allclose(figure.clips["Nod"].poses.origins[0], figure.clips["Wave"].poses.origins[0])
    damaged = other.replace("[(1, 0, 0), (0, 0, 1)]", "[(1, 0, 0)]", 1)
    figure = posable.load(stage_file(tmp_path, MADE, (wave, wave + damaged)))
    assert [clip.name for clip in figure.clips] == ["Wave"]
    (note,) = figure.notes
    assert "Nod is not played and was left out" in note and "a different number of values" in note
    unbound = posable.load(stage_file(tmp_path, MADE, ("rel skel:animationSource", "rel nothing")))
    assert [(clip.name, len(clip)) for clip in unbound.clips] == [("Wave", 7)]


def test_joint_names_and_blend_shapes_and_normals_are_read(tmp_path: Path) -> None:
    shapes = """
        rel skel:blendShapeTargets = [</Creature/Hat/Up>, </Creature/Hat/Out>, </Creature/Hat/Gone>]
        uniform token[] skel:blendShapes = ["up", "out", "gone"]
        normal3f[] normals = [(0,0,1), (0,1,0), (1,0,0)] (interpolation = "vertex")
        def BlendShape "Up" { uniform vector3f[] offsets = [(0,0,1)]
            uniform int[] pointIndices = [2]
        }
        def BlendShape "Out" { uniform vector3f[] offsets = [(1,0,0), (2,0,0), (3,0,0)]
        }
        int[] faceVertexCounts = [3]"""
    named = (
        "uniform matrix4d[] bind",
        'uniform token[] jointNames = ["hip", "the knee", "end", "end 2"]\nuniform matrix4d[] bind',
    )
    path = stage_file(tmp_path, MADE, ("\n        int[] faceVertexCounts = [3]", shapes), named)
    figure = posable.load(path)
    assert figure.skeleton.joints == ("hip", "the knee", "end", "end 2")
    hat = figure.skins[1]
    assert hat.morph_names == ("up", "out")
    assert hat.morphs is not None and hat.normals is not None
    assert hat.morphs[:, :, 2].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert hat.morphs[1, :, 0].tolist() == [1, 2, 3]
    assert hat.normals.tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert "mesh Hat names a blend shape that is missing; it was left out" in figure.notes
    with pytest.raises(FileError, match=r"/Creature/Hat/Up does not fit the 3 points of its mesh; export it again"):
        posable.load(stage_file(tmp_path, path.read_text(), ("pointIndices = [2]", "pointIndices = [3]")))


def test_frames_run_from_key_to_key_where_no_range_is_stated(tmp_path: Path) -> None:
    unranged = ("    startTimeCode = 0\n    endTimeCode = 6\n", "")
    assert len(posable.load(stage_file(tmp_path, MADE, unranged, (" 6:", " 4:"))).clips[0]) == 5


def test_transforms_that_are_missing_are_told_by_the_others(tmp_path: Path) -> None:
    without_bind = posable.load(stage_file(tmp_path, MADE, ("bindTransforms", "someTransforms")))
    assert "Skel has no bindTransforms; its rest pose was used instead" in without_bind.notes
    path = stage_file(tmp_path, MADE, ("restTransforms", "someTransforms"))
    without_rest = posable.load(path)
    assert "Skel has no restTransforms; its bind pose was used instead" in without_rest.notes
    assert np.allclose(without_rest.rest.origins[2] - without_rest.rest.origins[0], (0, 0, 2))
    with pytest.raises(
        FileError, match=r"/Creature/Skel has neither restTransforms nor bindTransforms; export it again"
    ):
        posable.load(stage_file(tmp_path, MADE, ("restTransforms", "a"), ("bindTransforms", "b")))


def test_changing_scales_are_told(tmp_path: Path) -> None:
    growing = "half3[] scales.timeSamples = {0: [(1,1,1), (3,3,3)], 6: [(1,1,1), (6,6,6)]}"
    path = stage_file(tmp_path, MADE, ("half3[] scales = [(1, 1, 1), (3, 3, 3)]", growing))
    (note,) = posable.load(path).notes
    assert note == "the animation of Skel changes scales (by up to 100%); joints of posable keep theirs"


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        (
            "timeCodesPerSecond = 12",
            "timeCodesPerSecond = -3",
            "the file declares -3.0 time codes per second; 24 was assumed",
        ),
        (
            "int[] holeIndices",
            'uniform token primvars:skel:skinningMethod = "dualQuaternion"\nint[] holeIndices',
            "skin 'Body' asks for dual quaternion blending; it was read as any other",
        ),
        (
            'SkelAnimation "Wave"\n        {',
            'SkelAnimation "Wave"\n        {\nuniform token[] blendShapes = ["smile"]',
            "the animation moves blend shapes too; they were left out",
        ),
        ('def Mesh "Hat"', 'def Points "Hat"', "skinned prims that are not meshes were left out: Hat"),
        ("[1,0, .5,.5", "[-1,0, .5,.5", "skin 'Body': 1 of 6 vertices had negative or non-finite weights, taken as 0"),
    ],
)
def test_what_is_mended_or_left_out_is_told(tmp_path: Path, before: str, after: str, note: str) -> None:
    assert note in posable.load(stage_file(tmp_path, MADE, (before, after))).notes


def test_the_rest_pose_is_rigid(tmp_path: Path) -> None:
    """A scale of 3 on the knee stays in the skin's binding and leaves the skeleton a skeleton."""
    figure = posable.load(stage_file(tmp_path))
    for matrix in figure.rest.world_from_joint:
        assert np.allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-12)
    knee = figure.skeleton.definitions[1]
    assert np.allclose(transform(knee.position, knee.wxyz)[:3, 3], (0, 0, 1))
