"""What the figures of the course show of posable's own work: `TRACES` makes one dictionary for each lesson.

`docs/make_site.py` writes them beside the pages as scripts, since a page that is read from disk may load nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import posable
import posable.solvers
from posable.clips import trim

BODY = (
    "root", "spine", "chest", "neck", "head", "clavicle_l", "upper_arm_l", "forearm_l", "hand_l", "index_tip_l",
    "clavicle_r", "upper_arm_r", "forearm_r", "hand_r", "index_tip_r", "thigh_l", "shin_l", "foot_l", "toe_l",
    "thigh_r", "shin_r", "foot_r", "toe_r",
)  # fmt: skip
"""The joints of the mannequin that a small drawing can show."""


def as_script(lesson: str, trace: dict[str, Any]) -> str:
    """A trace as a page can load it from disk."""
    return f"course.traces[{lesson!r}] = {json.dumps(trace, separators=(',', ':'))};\n"


def rounded(values: Any, digits: int = 5) -> Any:
    """Nested lists of an array, with no more digits than a drawing shows."""
    return np.round(np.asarray(values, float), digits).tolist()


def arm(*lengths: float, kind: Literal["hinge", "ball"] = "hinge", limit: float = np.inf) -> posable.Skeleton:
    """An arm in the xy plane: bones of these lengths, which weigh as much, each turned against the one before."""
    joints, parent, at = [], None, 0.0
    for k, length in enumerate(lengths):
        axes = (posable.Axis((0.0, 0.0, 1.0), lower=-limit, upper=limit),) if kind == "hinge" else ()
        weight = {"mass": length, "mass_center": (length / 2, 0.0, 0.0)}
        joints.append(posable.Joint(f"joint_{k}", kind, parent, (at, 0.0, 0.0), axes=axes, **weight))
        parent, at = f"joint_{k}", length
    return posable.Skeleton([*joints, posable.Joint("tip", "fixed", parent, (at, 0.0, 0.0))])


def straight(skeleton: posable.Skeleton, *angles: float) -> posable.Pose:
    """A pose of such an arm by its angles, of balls by their turns about z."""
    if skeleton.definitions[0].kind == "hinge":
        return posable.Pose(skeleton, np.array(angles))
    halves = np.array(angles) / 2
    none = np.zeros_like(halves)
    return posable.Pose(skeleton, np.stack([np.cos(halves), none, none, np.sin(halves)], axis=1).ravel())


def traced(start: posable.Pose, tip: str, target: tuple[float, float], method: Any, **options: Any) -> dict[str, Any]:
    """Every pose of a solve as points in the plane `[step, joint, 2]`, and the target."""
    goal = [posable.Reach(tip, (*target, 0.0))]
    solution = posable.solve(start, goal, method=method, trace=True, **options)
    assert solution.trace is not None
    return {"points": rounded(solution.trace.origins[..., :2]), "target": target, "reached": bool(solution.status == 0)}


def body() -> dict[str, Any]:
    """The joints of the mannequin from in front, and which hangs from which."""
    figure = posable.figure("mannequin")
    index = [int(figure.skeleton.index(name)) for name in BODY]
    parents = [_parent(figure.skeleton, joint, index) for joint in index]
    return {"names": BODY, "parents": parents, "rest": rounded(figure.rest.origins[index, :2])}


def _parent(skeleton: posable.Skeleton, joint: int, shown: list[int]) -> int:
    """Which of the joints shown is the nearest above one of them; -1 for the root."""
    above = int(skeleton.parents[joint])
    while above >= 0 and above not in shown:
        above = int(skeleton.parents[above])
    return shown.index(above) if above >= 0 else -1


def doorbell() -> dict[str, Any]:
    """The forty steps of the cartoon arm."""
    figure = posable.figure("doorbell_arm")
    method = posable.solvers.PseudoInverse(gain=0.1)
    return traced(figure.rest, "hand", (30.0, -40.0), method, tolerance=2.0)


def limits() -> dict[str, Any]:
    """The default solver on an arm with limits, to a target in reach and to one that is not."""
    start = straight(arm(1.0, 0.8, 0.6, limit=1.2), 0.9, 0.4, 0.3)
    targets = {"inside": (0.45, 1.45), "outside": (2.3, 1.4)}
    return {name: traced(start, "tip", target, posable.LeastSquares()) for name, target in targets.items()}


def sweeps() -> dict[str, Any]:
    """Cyclic descent and FABRIK, bare, on six bones."""
    bent, lengths, target = (1.2, -0.4, -0.3, -0.3, -0.2, -0.2), (0.5, 0.45, 0.4, 0.35, 0.3, 0.25), (-0.9, 0.8)
    methods: dict[str, tuple[Literal["hinge", "ball"], Any]] = {
        "cyclicDescent": ("hinge", posable.solvers.CyclicDescent(help=False)),
        "fabrik": ("ball", posable.solvers.Fabrik(help=False)),
    }
    return {
        name: traced(straight(arm(*lengths, kind=kind), *bent), "tip", target, method, tolerance=1e-3)
        for name, (kind, method) in methods.items()
    }


def forces() -> dict[str, Any]:
    """A snake drawn by a virtual force, then let settle by its elasticity; a rope that hangs by its weight."""
    snake = arm(*[0.25] * 12)
    start = straight(snake, 2.9, *[-0.75, 0.75] * 5, -0.6)
    plain = traced(start, "tip", (1.6, 1.2), posable.solvers.VirtualForce(sensitivity=0.05), tolerance=0.01)
    rope = straight(arm(*[0.25] * 12), -1.2, *[0.2] * 11)
    hung = []
    for x in np.linspace(0.6, 2.7, 22):
        rope = posable.solve(rope, [posable.Reach("tip", (x, 0.3, 0.0)), posable.Gravity()]).pose
        hung.append(rope.origins[:, :2])
    return {"snake": plain, "rope": rounded(hung)}


def surface() -> dict[str, Any]:
    """Gradient descent on two bones, from four starts."""
    skeleton, method = arm(1.0, 0.8), posable.solvers.GradientDescent(0.1, 1e-6, adaptive=True)
    starts = ((-0.6, 0.2), (2.4, 1.0), (0.9, -2.6), (0.2, 2.8))
    runs = []
    for start in starts:
        goal = [posable.Reach("tip", (0.6, 1.1, 0.0))]
        pose = straight(skeleton, *start)
        solution = posable.solve(pose, goal, method=method, tolerance=1e-3, max_iterations=300, trace=True)
        assert solution.trace is not None
        runs.append(rounded(solution.trace.q, 6))
    return {"target": (0.6, 1.1), "runs": runs}


def walks() -> dict[str, Any]:
    """Characters from the side: `[frame, joint, 2]` of one stride."""
    figure = posable.figure("mannequin")
    index = [int(figure.skeleton.index(name)) for name in BODY]
    made = {}
    for name in ("human", "sad", "sneaky", "jaunty", "zombie"):
        loop = posable.walk(figure, name, steps=4, starts=False, stops=False)
        clip = trim(loop, 0.0, loop.seconds / 2)
        side = clip.poses.origins[:, index][..., [2, 1]]
        side[..., 0] -= side[:1, :1, 0]
        made[name] = {"fps": clip.fps, "points": rounded(side, 3)}
    return {"names": BODY, "parents": body()["parents"], "walks": made}


def tube(rings: int = 25, around: int = 16) -> tuple[posable.Mesh, posable.Skeleton]:
    """A tube of two bones along x, with closed ends, and its skeleton."""
    along, turn = np.linspace(-1.0, 1.0, rings), np.linspace(0.0, 2 * np.pi, around, endpoint=False)
    circle = 0.22 * np.stack([np.zeros_like(turn), np.cos(turn), np.sin(turn)], axis=-1)
    sides = along[:, None, None] * (1.0, 0.0, 0.0) + circle
    vertices = np.concatenate([sides.reshape(-1, 3), [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    ring, step = np.meshgrid(np.arange(rings - 1) * around, np.arange(around), indexing="ij")
    a, b = (ring + step).ravel(), (ring + (step + 1) % around).ravel()
    faces = [np.stack([a, b, a + around], 1), np.stack([b, b + around, a + around], 1)]
    ends, last = np.arange(around), (rings - 1) * around
    faces.append(np.stack([(ends + 1) % around, ends, np.full(around, rings * around)], 1))
    faces.append(np.stack([last + ends, last + (ends + 1) % around, np.full(around, rings * around + 1)], 1))
    joints = [
        posable.Joint("shoulder", "ball", None, (-1.0, 0.0, 0.0)),
        posable.Joint("elbow", "ball", "shoulder", (1.0, 0.0, 0.0)),
        posable.Joint("hand", "fixed", "elbow", (1.0, 0.0, 0.0)),
    ]
    return posable.Mesh(vertices, np.concatenate(faces)), posable.Skeleton(joints)


def skin() -> dict[str, Any]:
    """A tube bound by posable: its rings `[ring, around, 3]` and how much of each vertex is the elbow's."""
    mesh, skeleton = tube()
    weights = posable.skin.weights.weight_table(posable.bind(mesh, skeleton))
    elbow = 1.0 - weights[:, 0]
    return {"rings": rounded(mesh.vertices[:-2].reshape(25, 16, 3)), "elbow": rounded(elbow[:-2].reshape(25, 16), 6)}


def natural() -> dict[str, Any]:
    """A hand led past the body: the same goals, without and with what people do; `[frame, joint, 2]` from aside."""
    figure = posable.figure("mannequin")
    index = [int(figure.skeleton.index(name)) for name in BODY]
    turn = 0.6  # the view, radians about the vertical
    view = np.array([[np.cos(turn), 0.0, -np.sin(turn)], [0.0, 1.0, 0.0]])
    share = np.linspace(0.0, 1.0, 41)[:, None]
    path = np.array((-0.75, 1.75, 0.25)) * (1 - share) + np.array((0.25, 0.35, 0.45)) * share
    reach = posable.Reach("index_tip_r", path)
    feet = [
        posable.Place(foot, figure.rest.world_from_joint[figure.skeleton.index(foot)]) for foot in ("foot_l", "foot_r")
    ]
    shown = {"names": BODY, "parents": body()["parents"], "target": rounded(path @ view.T, 4)}
    for name, more in (("plain", []), ("natural", [posable.Natural()])):
        pose = posable.solve(figure.rest, [reach, *feet, *more]).pose
        tip = pose.origins[:, figure.skeleton.index("index_tip_r")]
        shown[name] = rounded(pose.origins[:, index] @ view.T, 4)
        shown[f"{name}_missed"] = float(np.linalg.norm(tip - path, axis=1).max())
    return shown


TRACES: dict[str, Callable[[], dict[str, Any]]] = {
    "01-forward-kinematics": body,
    "03-jacobian": doorbell,
    "04-damping-and-limits": limits,
    "05-cyclic-descent-and-fabrik": sweeps,
    "06-forces-and-gravity": forces,
    "07-gradient-descent": surface,
    "08-walking": walks,
    "09-skin": skin,
    "10-natural-poses": lambda: {"body": body(), **natural()},
}
"""By the name of the lesson's page."""
