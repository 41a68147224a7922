"""Problems that Python has solved, as JSON for `web/solver/test/compare.mjs`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import posable
from posable.browser import figure_record
from posable.skeleton import Skeleton
from posable.solvers.closed.limb import Limb
from posable.solvers.default.flat_tables import flatten
from posable.spatial import Array

Said = dict[str, Any]
FIGURES = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
EXACT = {"tolerance": 1e-10, "angle_tolerance": 1e-10, "restarts": 0}


def column_by_column(matrix: Array) -> list[float]:
    """A frame `[4, 4]` as JavaScript has it."""
    return np.asarray(matrix).T.ravel().tolist()


def _draw(skeleton: Skeleton, rng: np.random.Generator, pose: posable.Pose, far: float) -> tuple[posable.Goal, Said]:
    """A goal that `pose` meets, unless `far` moves it away, and the same for JavaScript."""
    moving = [j for j, joint in enumerate(skeleton.joints) if len(skeleton.chain(j)) > 1]
    j = int(rng.choice(moving))
    name, frame = skeleton.joints[j], pose.world_from_joint[j]
    weight, tip = float(rng.choice([1.0, 0.4])), (rng.normal(size=3) * 0.02 * skeleton.reach).tolist()
    said: Said = {"joint": name, "weight": weight}
    kind = str(rng.choice(["Reach", "Reach", "Reach", "Orient", "Place", "LookAt"]))
    aside = far * skeleton.reach * rng.normal(size=3)
    if kind == "Orient":
        wxyz = posable.spatial.wxyz_from_matrix(frame[:3, :3])
        return posable.Orient(name, wxyz, weight=weight), {**said, "kind": kind, "target": wxyz.tolist()}
    if kind == "Place":
        matrix = frame.copy()
        matrix[:3, 3] += aside
        goal = posable.Place(name, matrix, position_weight=weight, rotation_weight=0.5 * weight)
        return goal, {**said, "kind": kind, "target": column_by_column(matrix), "rotationWeight": 0.5 * weight}
    if kind == "LookAt":
        point, forward = frame[:3, 3] + skeleton.reach * rng.normal(size=3), [0.0, 0.6, 0.8]
        goal = posable.LookAt(name, point, forward=forward, weight=weight)
        return goal, {**said, "kind": kind, "target": point.tolist(), "forward": forward}
    point = frame[:3, :3] @ tip + frame[:3, 3] + aside
    priority = int(rng.random() < 0.15)
    goal = posable.Reach(name, point, tip=tip, weight=weight, priority=priority)
    return goal, {**said, "kind": kind, "target": point.tolist(), "tip": tip, "priority": priority}


def _solved(
    skeleton: Skeleton,
    goals: list[posable.Goal],
    said: list[Said],
    frozen: list[str],
    start: posable.Pose | None = None,
    since: list[Any] | None = None,
    origin: posable.Pose | None = None,
) -> Said:
    start = start or posable.Pose(skeleton, skeleton.rest_coordinates)
    prepared = posable.prepare(skeleton, goals, frozen=frozen, **EXACT)
    engine = prepared.engine
    prepared.engine = engine.on(prepared.structure)  # without the closed forms of arms, which the module has not
    prepared._one = None
    began = None
    if origin is not None and since is not None:
        began = origin, [None if one is None else one - 0.03 for one in since]
    if prepared._proposals:
        prepared._proposals.short = None  # a page leaves shorter steps to the session
    solution = prepared.solve(start, since=since, origin=began)
    ints, floats = flatten(skeleton.packed, prepared.structure.problem, prepared.structure.options)
    others = [prepared.solve(one, since=since, origin=began).pose for one in _near(start)]
    left = [max(float(goal.distance or 0.0), float(goal.angle or 0.0)) for goal in solution.goals]
    return {
        "goals": said,
        "options": {"tolerance": 1e-10, "angleTolerance": 1e-10, "restarts": 0, "frozen": frozen},
        "start": start.q.tolist(),
        "since": None if since is None else _flat(since),
        "origin": None if began is None else {"pose": began[0].q.tolist(), "targets": _flat(began[1])},
        "ints": ints.tolist(),
        "floats": [None if math.isinf(value) else value for value in floats.tolist()],
        "q": solution.pose.q.tolist(),
        "sways": max(_apart(one, solution.pose) for one in others),
        "status": str(solution.status),
        "left": left,
    }


def _near(start: posable.Pose) -> list[posable.Pose]:
    """Poses so close to it that only rounding tells them apart."""
    rng = np.random.default_rng(0)
    return [posable.Pose(start.skeleton, start.q + 1e-13 * rng.normal(size=start.q.shape)) for _ in range(4)]


def _apart(one: posable.Pose, other: posable.Pose) -> float:
    return float(np.abs(one.q - other.q).max())


def _flat(targets: list[Any]) -> list[Any]:
    return [None if one is None else np.ravel(one).tolist() for one in targets]


def problems_of(name: str, skeleton: Skeleton, count: int, seed: int) -> Said:
    """Random problems on a figure: one to four goals, some out of reach, some soft."""
    rng, made = np.random.default_rng(seed), []
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    for n in range(count):
        drawn = skeleton.random_pose(rng)
        pose = rest.plus(drawn.minus(rest) * rng.uniform(0.1, 0.6))
        far = 0.6 if n % 5 == 4 else 0.0
        pairs = [_draw(skeleton, rng, pose, far) for _ in range(int(rng.integers(1, 5)))]
        if rng.random() < 0.2:
            pairs.append((posable.Stay(rest), {"kind": "Stay", "target": rest.q.tolist()}))
        frozen = ["root"] if rng.random() < 0.5 else []
        made.append(_solved(skeleton, [goal for goal, _ in pairs], [one for _, one in pairs], frozen))
    return {"name": name, "record": figure_record(skeleton), "problems": made}


_ASKED = ("hand_r", "hand_l", "head", "foot_r", "foot_l", "hips")


def natural_of(skeleton: Skeleton, count: int, seed: int) -> list[Said]:
    """What people do with the rest, from the rest pose, from other poses, and on from there as in a drag."""
    rng, made = np.random.default_rng(seed), []
    rest, joints = posable.Pose(skeleton, skeleton.rest_coordinates), posable.roles(skeleton)
    for n in range(count):
        asked = [joints[role] for role in rng.permutation(_ASKED[: 3 + n % 4])[: 1 + n % 3]]
        keep, strength = [None, None, True, False][n % 4], [1.0, 1.0, 0.6][n % 3]
        manner = posable.Natural(strength, keep=keep)
        goals, said = [], []
        for name in asked:
            near = rest.origins[skeleton.index(name)] + 0.12 * skeleton.reach * rng.normal(size=3)
            goals.append(posable.Reach(name, near, priority=int(n % 5 == 0)))
            said.append({"kind": "Reach", "joint": name, "target": near.tolist(), "priority": int(n % 5 == 0)})
        if n % 6 == 1:
            goals.append(posable.LookAt(joints["head"], (0.5, 1.0, 2.0)))
            said.append({"kind": "LookAt", "joint": joints["head"], "target": [0.5, 1.0, 2.0]})
        goals.append(manner)
        said.append({"kind": "Natural", "target": None, "strength": strength, "keep": keep})
        frozen = [["root"], []][n % 2]
        before = _solved(skeleton, goals, said, frozen)
        start = posable.Pose(skeleton, before["q"])
        made.append(before)
        since = [None if g["target"] is None else np.array(g["target"]) for g in said]
        moved = [goal.with_target(goal.given + 0.02 * rng.normal(size=3)) for goal in goals[:-1]]
        told = [{**one, "target": goal.given.tolist()} for one, goal in zip(said, moved, strict=False)]
        for origin in (None, rest):
            made.append(_solved(skeleton, [*moved, manner], [*told, said[-1]], frozen, start, since, origin))
    return made


def tracks_of(skeleton: Skeleton, natural: bool = False) -> list[Said]:
    """A smooth path of both hands, free and with limits of speed."""
    start = posable.Pose(skeleton, skeleton.rest_coordinates)
    goals: list[posable.Goal] = [posable.Reach("hand_r", (0, 0, 0)), posable.Reach("hand_l", (0, 0, 0))]
    said = [{"kind": "Reach", "joint": name, "target": [0, 0, 0]} for name in ("hand_r", "hand_l")]
    frozen = [] if natural else ["root"]
    if natural:
        goals.append(posable.Natural())
        said.append({"kind": "Natural", "target": None, "strength": 1.0, "keep": None})
    prepared = posable.prepare(skeleton, goals, frozen=frozen, **EXACT)
    ints, floats = flatten(skeleton.packed, prepared.structure.problem, prepared.structure.options)
    wave = np.sin(np.linspace(0, 3, 40))[:, None] * np.array([[0.05, 0.15, 0.2]])
    targets = [
        start.origins[skeleton.index(name)] + wave * [[side, -1, 1]] for name, side in (("hand_r", 1), ("hand_l", -1))
    ]
    made = []
    for speed in (None, 2.0):
        solution = prepared.track(start, [*targets, None][: len(goals)], fps=30.0, speed=speed)
        steps = [] if speed is None else [speed / 30] * skeleton.dof + [1e30] * skeleton.dof
        made.append(
            {
                "goals": said,
                "options": {"tolerance": 1e-10, "angleTolerance": 1e-10, "restarts": 0, "frozen": frozen},
                "ints": ints.tolist(),
                "floats": [None if math.isinf(value) else value for value in floats.tolist()],
                "start": start.q.tolist(),
                "frames": [[*frame, None][: len(goals)] for frame in np.stack(targets, axis=1).tolist()],
                "steps": steps,
                "q": solution.pose.q.ravel().tolist(),
                "reached": solution.reached.tolist(),
            }
        )
    return made


def limbs_of(skeleton: Skeleton) -> list[Said]:
    """An arm bent to targets in reach and beyond, with a pole and without."""
    names = {"upper": "upper_arm_r", "middle": "forearm_r", "end": "hand_r"}
    limb, start = Limb(skeleton, *names.values()), posable.Pose(skeleton, skeleton.rest_coordinates)
    made = []
    for n in range(6):
        rng = np.random.default_rng(n)
        target = start.origins[skeleton.index("upper_arm_r")] + rng.normal(size=3) * 0.25
        pole = rng.normal(size=3) if n % 2 else None
        pose, left = limb.reach(start, target, pole)
        said = {
            **names,
            "start": start.q.tolist(),
            "target": target.tolist(),
            "q": pose.q.tolist(),
            "left": float(left),
        }
        made.append(said | ({} if pole is None else {"pole": pole.tolist()}))
    return made


def skins_of(figure: posable.Figure) -> list[Said]:
    """The first skin in a random pose, blended both ways."""
    skin, pose = figure.skins[0], figure.skeleton.random_pose(np.random.default_rng(5))
    said = {
        "vertices": skin.vertices.ravel().tolist(),
        "joints": skin.joints.ravel().tolist(),
        "weights": skin.weights.ravel().tolist(),
        "inverseBind": [x for matrix in skin.inverse_bind for x in column_by_column(matrix)],
        "q": pose.q.tolist(),
    }
    return [
        said | {"blend": blend, "out": skin.deform(pose, blend).ravel().tolist()}
        for blend in ("linear", "dual_quaternion")
    ]
