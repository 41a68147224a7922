"""Calls of the public functions with odd arguments: a result, or an error of posable's own, is all that may come out.

A call is valid but for one to three arguments, each replaced by something odd of its kind: a number by NaN or 1e300,
an array by one of another shape, a name by one that is not there. For a thing of another kind altogether Python's own
errors are fair too.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np

import posable
from posable import clips, motion, skin, solvers

SECONDS = 60.0  # of processor time that a call may take, its kernels compiled too
NUMBERS = (math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e-320, 1e-9, 0.5, 3.0, 1e5, 1e9, 1e15, 1e30, 1e300, -1e300)
COUNTS = (-(2**63), -1, 0, 1, 2, 3, 2**31, 2**63, 10**30, 0.5, math.nan, math.inf)
NAMES = ("", "x", "\0", "\x1b[2J", "hand", "../..", "ü" * 300, "\ud800", "Root", "hand.r ")
STRANGERS = (None, "x", object(), b"x", {}, [], True, 1 + 2j)
"""Of another kind than what is asked for: Python's own errors are fair."""


@dataclass(frozen=True)
class Case:
    """A function and arguments that it takes."""

    function: Callable[..., Any]
    valid: Mapping[str, Any]

    @property
    def name(self) -> str:
        return getattr(self.function, "__qualname__", str(self.function))


@dataclass(frozen=True)
class Call:
    """One call. strange: whether an argument is of another kind altogether."""

    case: Case
    changed: Mapping[str, Any]
    strange: bool

    def __repr__(self) -> str:
        return f"{self.case.name}({', '.join(f'{name}={_shown(value)}' for name, value in self.changed.items())})"

    def outcome(self) -> str:
        """ "" where it is as it must be, else what came out."""
        try:
            with _limited(), contextlib.redirect_stderr(io.StringIO()), np.errstate(all="ignore"):
                return _unsound(self.case.function(**{**self.case.valid, **self.changed}))
        except posable.PosableError as error:
            return "" if str(error) else "an error without a message"
        except BaseException as error:
            fair = self.strange and isinstance(error, TypeError | AttributeError | ValueError)
            return "" if fair else f"{type(error).__name__}: {error}"[:300]


def calls() -> st.SearchStrategy[Call]:
    """Calls of all cases."""

    @st.composite
    def call(draw: st.DrawFn) -> Call:
        case = draw(st.sampled_from(cases()))
        names = draw(st.lists(st.sampled_from(sorted(case.valid)), min_size=1, max_size=3, unique=True))
        odd = {name: draw(_odd(case.valid[name])) for name in names}
        return Call(
            case, {name: value for name, (value, _) in odd.items()}, any(strange for _, strange in odd.values())
        )

    return call()


def _odd(valid: Any) -> st.SearchStrategy[tuple[Any, bool]]:
    """(value, whether it is of another kind) in place of a valid one."""
    stranger = st.sampled_from(STRANGERS).map(lambda value: (value, True))
    if isinstance(valid, bool) or not isinstance(valid, int | float | str | np.ndarray):
        return stranger
    kinds = {int: st.sampled_from(COUNTS), float: st.one_of(st.sampled_from(NUMBERS), st.floats(-1e3, 1e3))}
    if isinstance(valid, str):
        fitting = st.one_of(st.sampled_from(NAMES), st.text(max_size=8))
    elif isinstance(valid, np.ndarray):
        fitting = _arrays(valid)
    else:
        fitting = kinds[type(valid)]
    return st.integers(0, 9).flatmap(lambda k: stranger if k == 0 else fitting.map(lambda value: (value, False)))


@st.composite
def _arrays(draw: st.DrawFn, valid: np.ndarray) -> np.ndarray:
    """An array with a number that is odd, or of another shape."""
    act, found = draw(st.integers(0, 6)), np.array(valid)
    if act <= 2 and found.size:
        place = draw(st.integers(0, found.size - 1))
        if found.dtype.kind == "f":
            found.reshape(-1)[place] = draw(st.sampled_from(NUMBERS))
        else:
            found.reshape(-1)[place] = draw(st.sampled_from((-1, 0, 10**9, -(2**31))))
        return found
    if act == 3:
        factors = (0, -1) if found.dtype.kind == "i" else NUMBERS
        with np.errstate(invalid="ignore"):
            return found * draw(st.sampled_from(factors))
    if act == 4:
        return found[:0]
    if act == 5:
        return found[..., :-1] if found.ndim else np.zeros(2)
    return np.broadcast_to(found, (draw(st.integers(0, 2)), *found.shape)).copy()


def _shown(value: Any) -> str:
    return repr(value).replace("\n", "")[:80]


def _unsound(result: Any) -> str:
    """What is wrong with a result: numbers that are not finite in poses."""
    poses = [result, *(getattr(result, name, None) for name in ("pose", "clip", "poses"))]
    for one in poses:
        q = getattr(one, "q", None)
        if isinstance(one, posable.Pose | posable.Clip) and not np.isfinite(q).all():
            return "a pose that is not finite"
    return ""


class _TooLong(BaseException):
    pass


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def end(*_: object) -> None:
        raise _TooLong(f"took more than {SECONDS:g} s of processor time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1.0)  # again and again: an exception in a callback is lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@functools.cache
def cases() -> tuple[Case, ...]:
    """Every function with arguments that it takes."""
    found = (*_of_goals(), *_of_solvers(), *_of_figures(), *_of_clips(), *_of_motion(), *_of_skin(), *_of_files())
    return tuple(Case(function, valid) for function, valid in found)


@functools.cache
def arm() -> posable.Figure:
    """Three hinges with limits and a ball, a clip of ten frames, and no mesh."""
    joints = [
        posable.Joint("root", "free"),
        posable.Joint("shoulder", "ball", "root", (0, 1, 0)),
        posable.Joint(
            "elbow", parent="shoulder", position=(1, 0, 0), axes=(posable.Axis((0, 0, 1), lower=0.0, upper=2.0),)
        ),
        posable.Joint("wrist", parent="elbow", position=(0.8, 0.3, 0), axes=(posable.Axis((0, 0, 1)),)),
        posable.Joint("hand", "fixed", "wrist", (0.3, 0, 0)),
    ]
    skeleton = posable.Skeleton(joints)
    poses = skeleton.random_pose(np.random.default_rng(0), (10,))
    return posable.Figure(skeleton, "arm", clips=[posable.Clip(skeleton, poses.q, 30.0, "c")])  # type: ignore[arg-type]


_Found = Iterator[tuple[Callable[..., Any], dict[str, Any]]]
_POINT, _TURN, _FRAME = np.array([0.5, 1.5, 0.3]), np.array([0.8, 0.6, 0.0, 0.0]), np.eye(4)


def _solved(goal: Callable[..., Any], method: Any = None) -> Callable[..., Any]:
    """A solve with a goal made of the arguments."""

    def solve(**given: Any) -> Any:
        options = {"method": method, "restarts": 1, "frozen": ["root"]}
        solution = posable.solve(arm().rest, [goal(**given)], **options)  # type: ignore[arg-type]
        solution.describe() if solution.pose.shape == () or 0 in solution.pose.shape else None
        return solution

    solve.__qualname__ = f"solve {goal.__name__}" + (f" by {type(method).__name__}" if method else "")
    return solve


def _of_goals() -> _Found:
    hand = {"joint": "hand", "weight": 1.0, "priority": 0}
    yield _solved(posable.Reach), {**hand, "target": _POINT, "tip": np.zeros(3)}
    yield _solved(posable.Orient), {**hand, "wxyz": _TURN}
    yield (
        _solved(posable.Place),
        {"joint": "hand", "world_from_joint": _FRAME, "position_weight": 1.0, "rotation_weight": 1.0},
    )
    yield _solved(posable.LookAt), {**hand, "point": _POINT, "forward": np.array([0.0, 0.0, 1.0]), "limit": 1.0}
    yield _solved(posable.Pole), {**hand, "towards": _POINT, "middle": "elbow", "first": "shoulder"}
    yield (
        _kept_apart,
        {"obstacles": np.array([[0.5, 1, 0, 1.5, 1, 0, 0.1]]), "margin": 0.1, "weight": 1.0},
    )
    yield _solved(posable.Comfort), {"weight": 1e-3, "values": {"elbow": 1.0}}
    yield _solved(posable.Torsion), {"weight": 1e-3}
    moved = np.linspace(0.0, 0.5, 9)[:, None] * np.ones(arm().skeleton.dof)
    yield _learnt, {"q": arm().rest.plus(moved).q, "target": _POINT, "strength": 1.0, "keep": True}
    for name in solvers.__all__:
        method = getattr(solvers, name)
        if isinstance(method, type) and issubclass(method, solvers.Method) and method is not solvers.Method:
            yield _solved(posable.Reach, method()), {**hand, "target": _POINT}
    weighted = posable.prepare(
        arm().skeleton, [posable.Reach("hand", _POINT), posable.Orient("hand", _TURN)], restarts=1
    )
    for act in (weighted.solve, weighted.track):
        two = np.tile(_POINT, (2, 1)), np.tile(_TURN, (2, 1))
        yield (
            lambda act=act, **given: act(arm().rest, [given["point"], given["turn"]], weights=[given["weight"], None]),
            {"point": two[0], "turn": two[1], "weight": np.ones(2)},
        )


def _kept_apart(**given: Any) -> Any:
    rest = posable.with_capsules(posable.figure("mannequin")).rest
    return posable.solve(rest, [posable.Reach("hand.r", _POINT), posable.KeepApart(**given)], restarts=0)


def _learnt(q: Any, target: Any, **given: Any) -> Any:
    learnt = posable.Natural.learn(arm(), [posable.Clip(arm().skeleton, q, 30.0)])
    return posable.solve(learnt.rest, [posable.Reach("hand", target), posable.Natural(**given)])


def _of_solvers() -> _Found:
    goals = [posable.Reach("hand", _POINT)]
    options = {"tolerance": 1e-6, "angle_tolerance": 1e-5, "max_iterations": 100, "seed": 0, "frozen": ["root"]}
    yield posable.solve, {"start": arm().rest, "goals": goals, **options, "trace": False, "method": None}
    yield posable.prepare, {"skeleton": arm().skeleton, "goals": goals, **options}
    yield (
        posable.compare,
        {"figure": arm(), "goals": goals, "methods": ["Newton"], "tolerance": 1e-6, "max_iterations": 10},
    )
    for method, given in (
        (solvers.GradientDescent, {"learning_rate": 0.1, "sampling_distance": 1e-7, "threshold": 0.1, "slowing": 0.5}),
        (solvers.DampedLeastSquares, {"damping": 0.1}),
        (solvers.PseudoInverse, {"gain": 0.1}),
        (solvers.Newton, {"epsilon": 1e-6, "stop": "residual"}),
        (solvers.CyclicDescent, {"max_turn": 0.5, "order": "tip_first"}),
        (solvers.VirtualForce, {"at_once": True}),
        (solvers.VirtualForce, {"sensitivity": 0.5, "gravity": 0.0}),
        (solvers.SpringIK, {"twist": 0.0}),
    ):

        def by(made: Any = method, **given: Any) -> Any:
            return posable.solve(arm().rest, goals, method=made(**given), max_iterations=20, frozen=["root"])

        by.__qualname__ = f"solve by {method.__name__}"
        yield by, given
    path = np.linspace(_POINT, _POINT + 0.2, 8)
    yield (
        lambda target, **given: posable.track(arm().rest, [posable.Reach("hand", target)], **given),
        {
            "target": path,
            "fps": 30.0,
            "speed": 2.0,
            "acceleration": 9.0,
            "smooth": 0.0,
            "ease": 0.0,
            "max_iterations": 10,
        },
    )


def _jointed(**given: Any) -> Any:
    return posable.Skeleton([posable.Joint("a", "fixed"), posable.Joint(**given)])


def _of_figures() -> _Found:
    rest = arm().rest.q
    yield posable.Axis, {"direction": np.array([0.0, 0, 1]), "lower": -1.0, "upper": 1.0, "name": "x", "reference": 0.0}
    yield posable.Cone, {"axis": np.array([0.0, 0, 1]), "swing": 1.0, "twist": np.array([-1.0, 1.0])}
    body = {"position": np.ones(3), "ease": 0.1, "stiffness": 0.1, "kind": "ball", "mass": 1.0}
    yield _jointed, {"name": "b", "parent": "a", **body}
    yield posable.Pose, {"skeleton": arm().skeleton, "q": rest}
    yield posable.forward_kinematics, {"skeleton": arm().skeleton, "q": np.tile(rest, (3, 1)), "threads": 1}
    yield arm().rest.plus, {"v": np.zeros(arm().skeleton.dof)}
    yield arm().rest.jacobian, {"joint": "hand", "tip": np.zeros(3)}
    yield arm().skeleton.index, {"name": "hand"}
    turns, places = posable.rotations_of(arm().rest)
    yield (
        posable.pose_from_rotations,
        {"skeleton": arm().skeleton, "rotations": turns, "positions": places, "form": "6d"},
    )
    yield posable.with_masses, {"figure": posable.figure("mannequin"), "density": 1000.0}
    yield posable.figure, {"name": "mannequin"}
    yield posable.sample, {"name": "knight.glb"}
    yield posable.Terrain.plane, {"height": 0.0, "normal": np.array([0.0, 1, 0])}
    yield posable.Terrain.slope, {"degrees": 10.0, "height": 0.0}
    yield posable.Terrain.stairs, {"rise": 0.2, "run": 0.3, "count": 3}
    yield posable.Terrain.field, {"heights": np.zeros((4, 4)), "spacing": 0.5}
    yield posable.Terrain.mesh, {"vertices": np.eye(3), "faces": np.array([[0, 1, 2]])}


def _of_clips() -> _Found:
    clip, rest = arm().clips[0], arm().rest
    yield posable.Clip, {"skeleton": arm().skeleton, "q": clip.q, "fps": 30.0, "name": "a"}
    yield (
        lambda **given: posable.Keys(arm().skeleton, **given).clip(),
        {"times": np.array([0.0, 0.2, 0.5]), "q": clip.q[:3], "interpolation": "cubic"},
    )
    yield clip.resample, {"fps": 60.0}
    yield clip.at, {"seconds": np.array([0.1, 0.2])}
    yield clips.trim, {"clip": clip, "start": 0.1, "end": 0.2}
    yield clips.join, {"first": clip, "second": clip, "overlap": 0.1}
    yield clips.loop, {"clip": clip, "seconds": 0.1}
    yield clips.smooth, {"clip": clip, "seconds": 0.1}
    yield clips.find_loop, {"clip": clip, "shortest": 0.1}
    yield clips.reduce_keys, {"clip": clip, "tolerance": 0.005, "interpolation": "cubic"}
    yield lambda a, b: clips.time_warp(clip, {0.0: a, 0.2: b}), {"a": 0.0, "b": 0.4}
    yield clips.blend, {"base": clip, "over": clip, "weight": np.ones(10)}
    yield clips.add, {"base": clip, "extra": clip, "weight": 0.5}
    yield clips.between, {"start": rest, "end": clip.poses[3], "share": 0.5}
    yield clips.evened, {"pose": clip.poses, "frames": 2.0}
    yield clips.below, {"skeleton": arm().skeleton, "joint": "elbow"}


def _of_motion() -> _Found:
    clip, rest, goals = arm().clips[0], arm().rest, [posable.Reach("hand", _POINT)]
    yield motion.move, {"start": rest, "end": clip.poses[3], "seconds": 0.5, "hold": 0.1, "fps": 30.0}
    yield motion.reach, {"start": rest, "goals": goals, "seconds": 0.5, "bow": 0.2, "hold": 0.1, "fps": 30.0}
    chased = [posable.Reach("hand", np.tile(_POINT, (10, 1)))]
    yield motion.chase, {"start": rest, "goals": chased, "steps": 3, "fps": 30.0, "tolerance": 1e-6}
    yield motion.fade, {"clip": clip, "start": 0.1, "end": 0.2, "seconds": 0.1}
    yield motion.planar_walker, {"thigh": 0.45, "shin": 0.43, "foot": 0.15}
    yield motion.quadratic, {"begin": 0.0, "end": 1.0, "share": 0.5, "value": 0.3, "at": np.linspace(0, 1, 4)}
    legs = {"thigh": 0.45, "shin": 0.43, "foot": 0.15}
    yield motion.leg_points, {"toe": np.zeros(2), "alpha": 0.1, "beta": 0.1, **legs}
    yield motion.double_support, {"toe1": np.zeros(2), "toe2": np.array([0.5, 0]), "beta1": 0.3, "beta2": 0.2, **legs}
    yield motion.FootLock, {"lock_speed": 0.3, "release_speed": 1.0, "half_life": 0.05, "pelvis": "lowest"}
    points = arm().skeleton.random_pose(np.random.default_rng(1), (4,)).origins
    yield (
        posable.pose_from_points,
        {"skeleton": arm().skeleton, "points": points, "joints": arm().skeleton.joints, "fps": 30.0},
    )
    track = posable.Reach("hand", np.tile(_POINT, (10, 1)))
    yield (
        motion.solve_clip,
        {"source": clip, "goals": [track], "stay": 1e-3, "smooth": 1e-8, "tolerance": 1e-4, "max_iterations": 3},
    )
    yield motion.overlay, {"clip": clip, "goals": {posable.Reach("hand", _POINT): np.ones(10)}}
    yield posable.Markers, {"labels": ("a", "b"), "positions": np.zeros((4, 2, 3)), "fps": 100.0, "up": "z"}
    yield (
        posable.Gait,
        {"name": "a", "step": 0.6, "cadence": 2.0, "stance": 0.6, "lift": 0.02, "knee": 8.0},
    )
    yield _walked, {"steps": 2, "fps": 30.0, "speed": 1.0, "step": 0.6, "lift": 0.03, "width": 0.5, "turn": 0.0}


def _walked(*, steps: Any, fps: Any, turn: Any, **gait: Any) -> Any:
    return posable.walk(posable.figure("mannequin"), posable.Gait(**gait), steps=steps, fps=fps, turn=turn)


def _of_skin() -> _Found:
    grid = np.stack(np.meshgrid(np.linspace(-0.1, 2.3, 12), [0.9, 1.4], [-0.1, 0.1]), axis=-1).reshape(-1, 3)
    faces = np.array([[k, k + 1, k + 2] for k in range(len(grid) - 2)], np.int32)
    yield posable.Mesh, {"vertices": grid, "faces": faces, "name": "m", "up": "y"}
    mesh = posable.Mesh(grid, faces)
    yield posable.bind, {"mesh": mesh, "skeleton": arm().skeleton, "method": "voxel", "influences": 4, "smoothing": 0}
    yield skin.mend_weights, {"weights": np.ones((4, 2)), "name": "m"}
    weights, joints = np.ones((len(grid), 1), np.float32), np.zeros((len(grid), 1), np.int32)
    binding = {"joints": joints, "weights": weights, "inverse_bind": np.tile(np.eye(4), (5, 1, 1))}
    yield (
        lambda **given: posable.Skin(arm().skeleton, **given).deform(arm().rest),
        {"vertices": grid.astype(np.float32), "faces": faces, **binding},
    )


def _of_files() -> _Found:
    """Saving what can be made, in every format that is written, and reading it again."""
    for ending in (".glb", ".gltf", ".bvh", ".toml"):

        def saved(ending: str = ending, **given: Any) -> Any:
            made = posable.Clip(arm().skeleton, given["q"], given["fps"], given["name"]) if ending != ".toml" else None
            figure = posable.Figure(arm().skeleton, given["name"])
            with tempfile.TemporaryDirectory() as folder:
                posable.save(Path(folder) / f"a{ending}", figure, made)
                return posable.load(Path(folder) / f"a{ending}").rest

        saved.__qualname__ = f"save and load {ending}"
        yield saved, {"q": arm().clips[0].q, "fps": 30.0, "name": "a"}
    figure = posable.figure("mannequin")
    yield posable.picture, {"figure": figure, "size": np.array([64, 48]), "blend": "linear"}
    yield posable.load, {"path": str(posable.sample("walk.bvh")), "unit": "cm", "root": "free"}
