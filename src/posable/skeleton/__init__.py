"""Joints, the skeleton, poses and forward kinematics."""

from posable.skeleton.joint import Axis, Cone, Follow, Joint
from posable.skeleton.kinematics import forward_kinematics, forward_kinematics_blocks, joints_below
from posable.skeleton.names import find_joint, name_key
from posable.skeleton.placements import RotationForm, pose_from_rotations, rotations_of
from posable.skeleton.skeleton import Pose, Skeleton
from posable.skeleton.symmetry import Symmetry, symmetry_of
from posable.skeleton.tables import MAX_JOINTS, Tables

__all__ = [
    "MAX_JOINTS",
    "Axis",
    "Cone",
    "Follow",
    "Joint",
    "Pose",
    "RotationForm",
    "Skeleton",
    "Symmetry",
    "Tables",
    "find_joint",
    "forward_kinematics",
    "forward_kinematics_blocks",
    "joints_below",
    "name_key",
    "pose_from_rotations",
    "rotations_of",
    "symmetry_of",
]
