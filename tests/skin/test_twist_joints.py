"""Joints that share a twist: what they do in every pose, what is saved of them, and what they are for."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from smooth_body import smooth_body

import posable
from posable.figures.rebuild import scaled
from posable.skeleton import Axis, Follow, Joint, Pose, Skeleton, forward_kinematics
from posable.skin import Skin
from posable.skin.weights import with_twist_joints
from posable.spatial import Array, matrix_from_wxyz, normalized, wxyz_about, wxyz_multiply

BODY = smooth_body()
SKIN = BODY.skins[0]
WRIST = ("forearm_l", "hand_l", "hand_l")
SHOULDER = ("upper_arm_l", "forearm_l", "upper_arm_l")


def twisted(skeleton: Skeleton, limb: tuple[str, str, str], degrees: float) -> Pose:
    """At rest but for the limb's ball, turned about the limb's bone."""
    start, end, ball = limb
    rest = Pose(skeleton, skeleton.rest_coordinates)
    bone = normalized(rest.origins[skeleton.index(end)] - rest.origins[skeleton.index(start)])
    axis = rest.world_from_joint[skeleton.index(ball), :3, :3].T @ bone
    return rest.with_joint(ball, wxyz_multiply(rest.of(ball), wxyz_about(axis, np.radians(degrees))))


def section(skin: Skin, pose: Pose, limb: tuple[str, str, str], share: float) -> float:
    """The area of the limb's section at a share of its bone."""
    start, end = (pose.origins[skin.skeleton.index(name)] for name in limb[:2])
    places, bone = skin.deform(pose).astype(float), normalized(end - start)
    middle = start + share * (end - start)
    off = (places - middle) @ bone
    faces = skin.faces[np.linalg.norm(places[skin.faces].mean(axis=1) - middle, axis=1) < 0.12]
    cut = faces[(off[faces] > 0).any(axis=1) & ~(off[faces] > 0).all(axis=1)]
    ends: list[list[Array]] = []
    for face in cut:
        pairs = [(a, b) for a, b in zip(face, np.roll(face, 1), strict=True) if (off[a] > 0) != (off[b] > 0)]
        ends.append([places[a] + off[a] / (off[a] - off[b]) * (places[b] - places[a]) for a, b in pairs])
    lines = np.array(ends) - np.mean(ends, axis=(0, 1))
    return 0.5 * float(np.linalg.norm(np.cross(lines[:, 0], lines[:, 1]), axis=1).sum())


def kept(skin: Skin, limb: tuple[str, str, str], degrees: float) -> float:
    """The least share of a section's area, along the limb, that a twist leaves."""
    still, turned = (twisted(skin.skeleton, limb, angle) for angle in (0.0, degrees))
    shares = (0.05, 0.25, 0.5, 0.75, 0.98)
    return min(section(skin, turned, limb, share) / section(skin, still, limb, share) for share in shares)


def test_a_twisted_wrist_keeps_its_section() -> None:
    shared = with_twist_joints(SKIN)
    assert kept(SKIN, WRIST, 90) < 0.55 and kept(SKIN, WRIST, 179.9) < 0.01
    assert kept(shared, WRIST, 90) > 0.92 and kept(shared, WRIST, 179.9) > 0.73
    assert kept(shared, SHOULDER, 90) > 0.92 and kept(shared, SHOULDER, 179.9) > 0.73
    more = with_twist_joints(SKIN, 6)
    assert kept(more, WRIST, 179.9) > 0.92


def test_without_twist_the_skin_is_as_it_was() -> None:
    shared = with_twist_joints(SKIN, 4, influences=8)
    assert shared.skeleton.joints[: len(SKIN.skeleton.joints)] == SKIN.skeleton.joints
    pose = BODY.rest.with_joint("forearm_l", 1.2).with_joint("shin_r", 0.9)
    np.testing.assert_allclose(shared.deform(Pose(shared.skeleton, pose.q)), SKIN.deform(pose), atol=2e-6)
    assert shared.weights.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert "3 joints each" not in shared.notes[-1] and "4 joints each along upper_arm_l" in shared.notes[-1]
    roles = posable.roles(posable.Figure(shared.skeleton)).joints
    assert roles == posable.roles(posable.Figure(SKIN.skeleton)).joints
    uses = {name: use for name, (use, _) in zip(shared.skeleton.joints, shared.skeleton.parts.body.uses, strict=True)}
    assert uses["forearm_twist_1_l"] == uses["thigh_twist_4_r"] == "twist"


def test_the_turn_is_the_share_of_the_balls_twist() -> None:
    axis = Axis((0, 0, 1), follow=Follow("hand", gain=0.25, offset=0.1))
    joints = [Joint("arm", "free"), Joint("hand", "ball", "arm", (0, 0, 1), wxyz=(0.5, 0.5, 0.5, 0.5)),
              Joint("between", "twist", "arm", (0, 0, 0.5), axes=(axis,))]  # fmt: skip
    skeleton = Skeleton(joints)
    assert skeleton.dof == 9
    rng = np.random.default_rng(0)
    pose = skeleton.random_pose(rng, (70,))  # many: the kernels side by side
    arm, hand, between = np.moveaxis(pose.world_from_joint, 1, 0)
    rest = matrix_from_wxyz((0.5, 0.5, 0.5, 0.5))
    turned = np.swapaxes(arm[:, :3, :3], 1, 2) @ hand[:, :3, :3] @ rest.T
    w = np.sqrt(np.maximum(1 + np.trace(turned, axis1=1, axis2=2), 0)) / 2
    angle = 2 * np.arctan2((turned[:, 1, 0] - turned[:, 0, 1]) / (4 * w), w)
    expected = arm[:, :3, :3] @ matrix_from_wxyz(wxyz_about((0, 0, 1), 0.25 * angle + 0.1))
    np.testing.assert_allclose(between[:, :3, :3], expected, atol=1e-6)
    np.testing.assert_allclose(between[:, :3, 3], arm[:, :3, 3] + 0.5 * arm[:, :3, 2], atol=1e-12)
    out = np.empty((70, 3, 3, 4), np.float32)
    np.testing.assert_allclose(
        forward_kinematics(skeleton, pose.q, out), pose.world_from_joint[..., :3, :], rtol=0, atol=1e-5
    )
    np.testing.assert_allclose(pose[3].world_from_joint, pose.world_from_joint[3])
    larger = scaled(posable.Figure(skeleton), 2.0).skeleton
    assert larger.definitions[2].axes[0].follow == Follow("hand", gain=0.25, offset=0.1)


def test_joints_that_cannot_share_a_twist() -> None:
    hand = [Joint("arm", "ball"), Joint("hand", "ball", "arm", (0, 0, 1))]
    follow = Follow("hand")
    slides = Joint("between", "slide", "arm", axes=(Axis((0, 0, 1), slide=True, follow=follow),))
    with pytest.raises(posable.SkeletonError, match="'between' follows the twist of 'hand': it needs exactly one axis"):
        Skeleton([*hand, slides])
    turns = Joint("between", "twist", "arm", axes=(Axis((0, 0, 1), follow=follow),))
    with pytest.raises(posable.SkeletonError, match="'sleeve' hangs on 'between', which shares the twist of a ball"):
        Skeleton([*hand, turns, Joint("sleeve", "ball", "between")])
    with pytest.raises(posable.SkinError, match="no arm or leg has a twist to share"):
        with_twist_joints(with_twist_joints(SKIN))
    with pytest.raises(posable.SkinError, match=re.escape("a number from 1 to 8, not 9")):
        with_twist_joints(SKIN, 9)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["glb", "usda", "fbx"])
def test_clips_that_are_saved_have_keys_for_them(ending: str, tmp_path: Path) -> None:
    """Played by joints alone, as other programs do, and by posable's own, which move them in new poses as well."""
    skin = with_twist_joints(SKIN, 2)
    figure = posable.Figure(skin.skeleton, skins=(skin,))
    turns = np.stack([twisted(skin.skeleton, WRIST, angle).q for angle in np.linspace(0, 120, 9)])
    clip = posable.Clip(skin.skeleton, turns, 10.0, "turn")
    posable.save(tmp_path / f"a.{ending}", figure, clip)
    read = posable.load(tmp_path / f"a.{ending}")
    assert not [note for note in read.notes if "twist" in note]
    order = [read.skeleton.joints.index(name) for name in skin.skeleton.joints]
    frames = read.clips[0].poses.world_from_joint[:, order]
    np.testing.assert_allclose(frames, clip.poses.world_from_joint, atol=2e-5)
    back = np.linalg.inv(frames[-1, skin.skeleton.index("forearm_l"), :3, :3])
    own = back @ frames[-1, skin.skeleton.index("forearm_twist_1_l"), :3, :3]
    assert np.degrees(np.arccos((np.trace(own) - 1) / 2)) == pytest.approx(60, abs=0.01)
    if ending != "fbx":  # it states no kinds of joints
        again = twisted(read.skeleton, WRIST, 90)
        joint = read.skeleton.index("forearm_twist_2_l")
        expected = twisted(skin.skeleton, WRIST, 90).world_from_joint[skin.skeleton.index("forearm_twist_2_l")]
        np.testing.assert_allclose(again.world_from_joint[joint], expected, atol=2e-5)
        walk = posable.walk(read, "human", 2)
        assert walk.skeleton.twists is not None


def test_text_descriptions_state_them(tmp_path: Path) -> None:
    skeleton = with_twist_joints(SKIN, 2).skeleton
    posable.save(tmp_path / "a.toml", posable.Figure(skeleton))
    assert posable.load(tmp_path / "a.toml").skeleton == skeleton
