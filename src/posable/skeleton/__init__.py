"""What can move, and where it is: joints, the skeleton, poses, forward kinematics."""

from posable.skeleton.joint import Axis, Cone, Follow, Joint
from posable.skeleton.kinematics import forward_kinematics, forward_kinematics_blocks
from posable.skeleton.names import find_joint, name_key
from posable.skeleton.pose import Pose
from posable.skeleton.skeleton import MAX_JOINTS, Skeleton
from posable.skeleton.tables import Tables

__all__ = [
    "MAX_JOINTS",
    "Axis",
    "Cone",
    "Follow",
    "Joint",
    "Pose",
    "Skeleton",
    "Tables",
    "find_joint",
    "forward_kinematics",
    "forward_kinematics_blocks",
    "name_key",
]
