"""holosoma-retargeting (OmniRetarget): an interaction mesh kept frame by frame, with its own settings for LAFAN.

The wheel can move a G1 and a T1. It holds meshes and a URDF of an H1, but neither that robot's MJCF nor a table of
which of its links follow which part, so that an H1 is refused.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.protocol import keep, stay_on_one_core

TOLERANCE, GROUND = 0.02, (-10.0, 10.0)  # of feet that stand, and how far the ground goes: what it advises for LAFAN
NAMES = {
    "hips": "Spine1", "upper_leg_l": "LeftUpLeg", "upper_leg_r": "RightUpLeg", "lower_leg_l": "LeftLeg",
    "lower_leg_r": "RightLeg", "foot_l": "LeftFoot", "foot_r": "RightFoot", "upper_arm_l": "LeftArm",
    "upper_arm_r": "RightArm", "lower_arm_l": "LeftForeArm", "lower_arm_r": "RightForeArm", "hand_l": "LeftHand",
    "hand_r": "RightHand",
}  # fmt: skip
TOES = ("LeftToeBase", "RightToeBase")
FACING = ("Hips", "Spine")  # between the hips and between the shoulders: by these it finds how the first frame stands
ROOT = "holosoma_retargeting"


class Holosoma:
    """One robot: "g1" or "t1"."""

    def __init__(self, robot: str) -> None:
        own = importlib.import_module(f"{ROOT}.examples.robot_retarget")
        kinds = importlib.import_module(f"{ROOT}.config_types.data_type")
        self._own = own
        self._robot = own.RobotConfig(robot_type=robot)
        self._data = kinds.MotionDataConfig(
            data_format="lafan", robot_type=robot, demo_joints=[*NAMES.values(), *TOES, *FACING]
        )
        self._task = own.TaskConfig(object_name="ground", ground_range=GROUND)
        self._settings = own.RetargeterConfig(foot_sticking_tolerance=TOLERANCE)

    def solved(self, joints: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """`[frame, coordinate]` and the hinges' names, for places `[frame, part, 3]` of the robot's size."""
        own: Any = self._own
        constants = own.create_task_constants(self._robot, self._data, self._task, "robot_only")
        ground, _, _ = own.setup_object_data("robot_only", constants, None, 1.0, self._task, False)
        options = own.build_retargeter_kwargs_from_config(self._settings, constants, None, "robot_only")
        retargeter = own.InteractionMeshRetargeter(**options)
        joints = own.preprocess_motion_data(joints, retargeter, list(TOES), 1.0)
        still = np.tile([[1.0, 0, 0, 0, 0, 0, 0]], (len(joints), 1))
        start, _, objects, joints, still = own.initialize_robot_pose(
            "robot_only", "lafan", joints, still, constants, retargeter, self._task, False, Path(), ""
        )
        sticks = own.extract_foot_sticking_sequence_velocity(joints, retargeter.demo_joints, list(TOES))
        q = retargeter.retarget_motion(
            human_joint_motions=joints, object_poses=still, object_poses_augmented=objects,
            object_points_local_demo=ground, object_points_local=ground, foot_sticking_sequences=sticks,
            q_a_init=start, q_nominal_list=None, original=True, dest_res_path=io.BytesIO(),
        )[0]  # fmt: skip
        model = retargeter.robot_model
        return q, [model.joint(j).name for j in range(model.njnt)][1:]


def main() -> None:
    """Answer the question that the command line names."""
    stay_on_one_core()
    with np.load(sys.argv[1]) as asked:
        robot = Path(str(asked["robot"])).stem.split("_")[0]
        parts, names = asked["parts"].tolist(), asked["joints"].tolist()
        Holosoma(robot)  # it says so itself where it has no table of that robot
        places = [_places(asked, k, parts) for k in range(int(asked["count"]))]
    os.chdir(Path(str(importlib.import_module(ROOT).__file__)).parent)
    answers, taken = [], []
    with contextlib.redirect_stdout(sys.stderr):
        for joints in places:
            method = Holosoma(robot)
            began = time.process_time_ns()
            q, hinges = method.solved(joints)
            taken.append(time.process_time_ns() - began)
            answers.append(np.concatenate([q[:, :7], q[:, 7:][:, [hinges.index(name) for name in names]]], axis=1))
    versions = ", ".join(f"{name} {version(name)}" for name in ("holosoma-retargeting", "cvxpy", "mujoco"))
    keep(np.concatenate(answers), np.array(taken), "as it advises for LAFAN", versions)


def _places(asked: Any, k: int, parts: list[str]) -> np.ndarray:
    """`[frame, part, 3]` in the order of `NAMES`, then toes: of the size of the robot's legs, about its first place."""
    human, scale = asked[f"human_{k}"], asked[f"scales_{k}"][0]
    placed = [human[:, parts.index(part)] for part in NAMES] + list(np.moveaxis(asked[f"toes_{k}"], 1, 0))
    for limb in ("upper_leg", "upper_arm"):
        placed.append(np.mean([human[:, parts.index(f"{limb}_{side}")] for side in "lr"], axis=0))
    every = scale * np.stack(placed, axis=1)
    every[..., :2] -= every[:1, :1, :2]
    return every


if __name__ == "__main__":
    main()
