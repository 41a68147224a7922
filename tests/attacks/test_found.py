"""What the attacks have found, each by itself."""

from __future__ import annotations

import contextlib
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import posable
from benchmarks.attack.arguments import arm
from posable import clips, motion, solvers
from posable.figures import Shape

REST, CLIP = arm().rest, arm().clips[0]
POINT = (0.5, 1.5, 0.3)


def test_an_empty_batch_is_described() -> None:
    solution = posable.solve(REST, [posable.Reach("hand", np.zeros((0, 3)))])
    assert solution.describe() == "nothing was solved: the batch is empty"


def test_roles_and_attachments_pickle() -> None:
    roles = posable.roles(posable.figure("mannequin"))
    again = pickle.loads(pickle.dumps(roles))
    assert dict(again) == dict(roles) and again.legs == roles.legs and dict(again.confidence) == dict(roles.confidence)
    table = posable.Attachments({"a": posable.Attachment("head")})
    assert dict(pickle.loads(pickle.dumps(table))) == dict(table)


@pytest.mark.parametrize("weight", [1e200, 1e300])
def test_a_weight_may_be_enormous(weight: float) -> None:
    goal = posable.Reach("hand", POINT, weight=weight)
    found = posable.solve(REST, [goal], method=solvers.GradientDescent(), max_iterations=3)
    assert np.isfinite(found.pose.q).all()


def test_an_ease_may_be_as_short_as_numbers_are() -> None:
    prepared = posable.prepare(REST.skeleton, [posable.Reach("hand", POINT)])
    targets = [np.tile(POINT, (3, 1))]
    eased = prepared.track(REST, targets, fps=1e-8, ease=1e-320)
    assert np.array_equal(eased.pose.q, prepared.track(REST, targets, fps=1e-8).pose.q)


def test_children_may_be_counted_in_decimals(tmp_path: Path) -> None:
    """JSON knows no integers: a node's child may be 1.0."""
    path, figure = tmp_path / "a.gltf", posable.load(posable.sample("wolf.glb"))
    posable.save(path, figure)
    content = json.loads(path.read_text())
    for node in content["nodes"]:
        if "children" in node:
            node["children"] = [float(child) for child in node["children"]]
    path.write_text(json.dumps(content))
    assert posable.load(path).skeleton.joints == figure.skeleton.joints


def test_an_empty_batch_may_be_eased() -> None:
    prepared = posable.prepare(REST.skeleton, [posable.Reach("hand", POINT)])
    assert prepared.track(REST, [np.zeros((0, 8, 3))], ease=6.5).pose.shape == (0, 8)


def test_a_gravity_may_be_as_small_as_numbers_are() -> None:
    found = posable.solve(REST, [posable.Reach("hand", POINT)], method=solvers.VirtualForce(gravity=5e-324))
    assert np.isfinite(found.pose.q).all()


REFUSED = {
    "fps of resample": (lambda: CLIP.resample(1e9), posable.PoseError, "exceed"),
    "fps of a clip": (lambda: posable.Clip(CLIP.skeleton, CLIP.q, 1e-320), posable.PoseError, "fps must be from 1e-9"),
    "fps of a walk": (lambda: posable.walk(posable.figure("mannequin"), fps=1e-9), posable.PosableError, "fps must be"),
    "fps of track": (
        lambda: posable.track(REST, [posable.Reach("hand", np.zeros((3, 3)))], fps=1e300, speed=1.0),
        posable.PosableError,
        "fps must be",
    ),
    "smoothing": (lambda: clips.smooth(CLIP, 1e5), posable.PoseError, "smoothing removes"),
    "smoothing of track": (
        lambda: posable.track(REST, [posable.Reach("hand", np.zeros((9, 3)))], smooth=1e5),
        posable.PoseError,
        "smoothing removes",
    ),
    "evened": (lambda: clips.evened(CLIP.poses, -np.inf), posable.PoseError, "smoothing removes"),
    "time warp": (lambda: clips.time_warp(CLIP, {0.0: 0.0, 0.2: 1e15}), posable.PoseError, "exceed"),
    "a long step": (
        lambda: REST.plus(np.full(REST.skeleton.dof, 1e300)),
        posable.PoseError,
        "finite number below 1e15",
    ),
    "steps of stairs": (lambda: posable.Terrain.stairs(0.1, 0.3, np.inf), posable.TerrainError, "count"),  # type: ignore[arg-type]
    "a trace": (
        lambda: posable.solve(REST, [posable.Reach("hand", POINT)], trace=True, max_iterations=2**31),
        posable.GoalError,
        "ask for fewer with max_iterations",
    ),
    "damping": (lambda: solvers.DampedLeastSquares(damping=1e300), posable.MethodError, "at most 1e100"),
    "sensitivity": (lambda: solvers.VirtualForce(sensitivity=1e300), posable.MethodError, "at most 1e6"),
    "gravity": (lambda: solvers.VirtualForce(gravity=1e15), posable.MethodError, "from 0 to 1e6"),
    "points of a leg": (
        lambda: motion.leg_points([], 0.1, 0.1, thigh=0.4, shin=0.4, foot=0.1),
        posable.PosableError,
        "do not broadcast",
    ),
    "a direction": (
        lambda: posable.LookAt("hand", POINT, forward=[[0, 0, 1.0]]),
        posable.GoalError,
        r"forward is one of shape \(3,\)",
    ),
    "a tolerance of a clip": (
        lambda: motion.solve_clip(CLIP, [], tolerance=-np.inf),
        posable.GoalError,
        "tolerance must be a number of at least 0",
    ),
    "steps of a clip": (
        lambda: motion.solve_clip(CLIP, [], max_iterations=np.inf),  # type: ignore[arg-type]
        posable.GoalError,
        "max_iterations must be",
    ),
    "several tips": (
        lambda: posable.Reach("hand", POINT, tip=np.zeros((2, 3))),
        posable.GoalError,
        r"tip is one of shape \(3,\)",
    ),
    "thousands of shapes": (
        lambda: posable.save(
            "no such folder/a.glb", posable.Figure(arm().skeleton, shapes=(Shape("hand", "sphere", (1.0,)),) * 4001)
        ),
        posable.FileTooLargeError,
        "4,001 shapes",
    ),
    "smoothing of weights": (
        lambda: posable.bind(posable.load_mesh(posable.sample("person.obj")), arm().skeleton, smoothing=2**63),
        posable.SkinError,
        "at most 10,000",
    ),
    "positions for other rotations": (
        lambda: posable.pose_from_rotations(
            CLIP.skeleton, posable.rotations_of(REST)[0], np.zeros((2, len(CLIP.skeleton.joints), 3))
        ),
        posable.PoseError,
        "do not fit rotations",
    ),
    "times as near as numbers are": (
        lambda: clips.time_warp(CLIP, {0.0: 0.0, 0.2: 1e-320}),
        posable.PoseError,
        "two or more increasing times",
    ),
    "an overlap": (lambda: clips.join(CLIP, CLIP, np.inf), posable.PoseError, "too long"),
    "a loop": (lambda: clips.find_loop(CLIP, np.inf), posable.PoseError, "no part of inf s"),
    "a loop of nan": (lambda: clips.find_loop(CLIP, np.nan), posable.PoseError, "no part of nan s"),
    "a shape beyond single precision": (
        lambda: posable.save(
            "no such folder/a.glb",
            posable.Figure(arm().skeleton, shapes=(Shape("hand", "box", (1e308, 1.0, 1.0)),)),
        ),
        posable.FileError,
        "cannot hold",
    ),
    "a weight beyond floats": (
        lambda: posable.Reach("hand", (0.0, 1.0, 1.0), weight=10**400),
        posable.GoalError,
        "weight",
    ),
    "a pose beyond floats": (lambda: posable.Pose(arm().skeleton, [10**400]), posable.PoseError, "not numbers"),
    "a rate beyond floats": (lambda: posable.Clip(REST.skeleton, REST.q[None], fps=10**400), posable.PoseError, "fps"),
    "a gait beyond floats": (lambda: posable.Gait(width=10**400), posable.PosableError, "width"),
    "a share of nobody": (
        lambda: posable.LookAt("hand", (0.0, 1.0, 1.0), share=0.5),  # type: ignore[arg-type]
        posable.GoalError,
        "what other joints take",
    ),
    "one joint of many": (lambda: posable.KeepApart(joints=3), posable.GoalError, "names of joints"),  # type: ignore[arg-type]
    "a model of another kind": (
        lambda: posable.Natural(model={}),  # type: ignore[arg-type]
        posable.GoalError,
        "a learnt Model",
    ),
    "several trajectories in one clip": (
        lambda: posable.track(REST, [posable.Reach("hand", np.zeros((2, 8, 3)))], fps=30.0, smooth=0.1),
        posable.GoalError,
        "one axis of frames",
    ),
    "a gait": (lambda: posable.Gait(width=None), posable.PosableError, "width must be given"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_meant_is_refused(what: str) -> None:
    act, error, words = REFUSED[what]
    with pytest.raises(error, match=words):
        act()


def test_a_cylinder_as_thin_as_numbers_are_is_saved(tmp_path: Path) -> None:
    shape = Shape("hand", "cylinder", (1e-320, 1e300))
    with contextlib.suppress(posable.FileError):
        posable.save(tmp_path / "a.glb", posable.Figure(arm().skeleton, shapes=(shape,)))


def test_what_is_read_of_a_damaged_file_can_be_saved(tmp_path: Path) -> None:
    """A frame rate in a file's own notes that no format can state."""
    path = tmp_path / "a.gltf"
    posable.save(path, arm(), CLIP)
    damaged = path.read_text().replace('"fps": 30.0', '"fps": 1e-320').replace('"fps":30.0', '"fps":1e-320')
    assert damaged != path.read_text()
    path.write_text(damaged)
    try:
        figure = posable.load(path)
    except posable.FileError:
        return
    posable.save(tmp_path / "b.glb", figure)
