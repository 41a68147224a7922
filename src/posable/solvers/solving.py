"""The entry to all solvers, and methods by name, as people type them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from posable.errors import GoalError, MethodError, check_kind, near_names
from posable.goals import Custom, Goal, SoftGoal
from posable.skeleton import Pose, Skeleton
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.methods import METHODS, Method
from posable.solvers.packing import standing_values
from posable.solvers.per_chain import PerChain
from posable.solvers.prepared import Prepared, check_start
from posable.solvers.problem import Options, as_goals, build_structure
from posable.solvers.solution import Solution

AnyGoal = Goal | SoftGoal | Custom
"""The members of a list of goals."""

Chosen = LeastSquares | Method | PerChain
AnyMethod = LeastSquares | Method | Mapping[str | None, LeastSquares | Method]
"""The types of `method`."""


def solve(
    start: Pose,
    goals: Sequence[AnyGoal],
    *,
    method: AnyMethod | None = None,
    tolerance: float = 1e-6,
    angle_tolerance: float = 1e-5,
    max_iterations: int = 100,
    restarts: int = 20,
    seed: int = 0,
    frozen: Sequence[str] = (),
    trace: bool = False,
) -> Solution:
    """The pose that meets `goals`, searched from `start`; if they cannot be met, the best pose, with the reason.

    Args:
        start: One pose or a batch; its leading axes broadcast with those of the targets, and a batch uses all cores. A
            start outside the limits is first moved inside.
        goals: The goals.
        method: How to solve; `LeastSquares()` if None, which alone uses restarts. A mapping {effector joint: method}
            solves different chains differently, in its order, after the goals of joints that it does not name (see
            docs/methods/per-chain.md).
        tolerance: Distance, in the figure's length unit, within which a position counts as reached.
        angle_tolerance: Angle in radians within which a rotation counts as reached.
        max_iterations: Most iterations of one attempt.
        restarts: Number of seeded further attempts where the first one fails; the nearest to the start wins.
        seed: Seed of the restarts; the same seed gives the same answer.
        frozen: Joints ("root") or single axes ("spine.x") that must not move.
        trace: Keep every intermediate pose in `solution.trace`.

    Returns:
        The solution. Out of reach is a status, not an error.

    Raises:
        GoalError, UnknownJointError, PoseError: For an invalid goal, joint name or start pose.

    Example:
        >>> solution = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))], frozen=["root"])
        >>> solution.describe()
        'reached: every goal is met'
    """
    check_start(start)
    options = _options(tolerance, angle_tolerance, max_iterations, restarts, seed, _names(frozen))
    asked = as_goals(goals)
    prepared = _prepared(start.skeleton, _Asked(asked), _chosen(method), options)
    return prepared.solve_values(start, standing_values(asked), trace)


def prepare(
    skeleton: Skeleton,
    goals: Sequence[AnyGoal],
    *,
    method: AnyMethod | None = None,
    tolerance: float = 1e-6,
    angle_tolerance: float = 1e-5,
    max_iterations: int = 100,
    restarts: int = 20,
    seed: int = 0,
    frozen: Sequence[str] = (),
) -> Prepared:
    """Prepare goals for many solves on this skeleton: `prepared.solve(start, targets)` sets nothing up anew.

    Args:
        skeleton: The skeleton.
        goals: The goals; their own targets apply where none is given later.
        method: How to solve; `LeastSquares()` if None, which alone uses restarts. A mapping {effector joint: method}
            solves different chains differently, in its order, after the goals of joints that it does not name (see
            docs/methods/per-chain.md).
        tolerance: Distance, in the figure's length unit, within which a position counts as reached.
        angle_tolerance: Angle in radians within which a rotation counts as reached.
        max_iterations: Most iterations of one attempt.
        restarts: Number of seeded further attempts where the first one fails; the nearest to the start wins.
        seed: Seed of the restarts; the same seed gives the same answer.
        frozen: Joints ("root") or single axes ("spine.x") that must not move.

    Raises:
        GoalError, UnknownJointError: As `solve`.

    Example:
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))], frozen=["root"])
        >>> solution = prepared.solve(figure.rest, [(-0.3, 1.3, 0.3)])
    """
    check_kind(skeleton, Skeleton, "goals are prepared for a Skeleton", "it is figure.skeleton", GoalError)
    options = _options(tolerance, angle_tolerance, max_iterations, restarts, seed, _names(frozen))
    return _fresh(skeleton, as_goals(goals), _chosen(method), options)


def shared_preparation(
    skeleton: Skeleton, goals: Sequence[AnyGoal], *, max_iterations: int = 100, restarts: int = 20
) -> Prepared:
    """As `prepare`, but one for all goals of the same structure, whose targets are given with each solve."""
    options = _options(1e-6, 1e-5, max_iterations, restarts, 0, ())
    return _prepared(skeleton, _Asked(as_goals(goals)), _DEFAULT, options)


_options = lru_cache(maxsize=64)(Options)


class _Asked:
    """A list of goals, equal to every other one of the same structure: they share one `Prepared`."""

    __slots__ = ("goals", "key")

    def __init__(self, goals: tuple[AnyGoal, ...]) -> None:
        self.goals = goals
        self.key = tuple([goal.structure() for goal in goals])

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


@lru_cache(maxsize=64)
def _prepared(skeleton: Skeleton, asked: _Asked, method: Chosen, options: Options) -> Prepared:
    return _fresh(skeleton, asked.goals, method, options)


def _fresh(skeleton: Skeleton, goals: tuple[AnyGoal, ...], method: Chosen, options: Options) -> Prepared:
    return Prepared(build_structure(skeleton, goals, options), method)


def _names(frozen: Sequence[str]) -> tuple[str, ...]:
    if isinstance(frozen, str):
        return (frozen,)
    try:
        hash(names := tuple(frozen))
    except TypeError as problem:
        raise GoalError(f'frozen takes a list of names, ["root", "spine.x"], not {frozen!r}') from problem
    return names


def _chosen(method: AnyMethod | None) -> Chosen:
    if method is None:
        return _DEFAULT
    if isinstance(method, Mapping):
        return PerChain.of(method)
    if not isinstance(method, LeastSquares | Method):
        raise MethodError(
            f"{method!r} is not a method; methods are LeastSquares, {', '.join(METHODS)}, "
            "as in posable.solvers.Fabrik()"
        )
    return method


_DEFAULT = LeastSquares()


NAMES = ("LeastSquares", *METHODS)
"""Of all methods, the default first."""

_SHORT = {
    "ls": "LeastSquares",
    "dls": "DampedLeastSquares",
    "ccd": "CyclicDescent",
    "jacobiantranspose": "Transpose",
    "cycliccoordinatedescent": "CyclicDescent",
    "spring": "SpringIK",
    "spline": "SplineIK",
}


def method_named(name: str) -> LeastSquares | Method:
    """The method that `name` means, with its usual parameters: "CyclicDescent", "cyclic-descent", "ccd".

    Args:
        name: A method's name in any spelling, or its initials.

    Raises:
        MethodError: If no method is called so; it suggests the closest names.

    Example:
        >>> posable.solvers.method_named("ccd").__class__.__name__
        'CyclicDescent'
    """
    key = "".join(letter for letter in name.lower() if letter.isalnum())
    by_key = {one.lower(): one for one in NAMES} | _SHORT
    if key not in by_key:
        near = dict.fromkeys(by_key[one] for one in near_names(key, by_key))
        guess = f"did you mean {' or '.join(near)}? " if near else ""
        raise MethodError(f"no method is called {name!r}; {guess}Methods are {', '.join(NAMES)}")
    chosen = by_key[key]
    return LeastSquares() if chosen == "LeastSquares" else METHODS[chosen]()
