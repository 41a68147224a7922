"""Different chains of one figure solved by different methods in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.errors import MethodError
from posable.goals import Goal
from posable.goals.term_arrays import TOLERANCE, WEIGHT
from posable.skeleton import Pose, Skeleton
from posable.solvers.default.kernels.descent import EXHAUSTED, REACHED, STATIONARY
from posable.solvers.default.least_squares import LeastSquares
from posable.solvers.engine import ITERATIONS, NO_FAULT, OUTCOME, TRACED, Batch, Engine, Fault
from posable.solvers.methods import Method
from posable.solvers.methods.task import Task
from posable.solvers.packing import Targets
from posable.solvers.problem import Structure, build_structure
from posable.spatial import Array


@dataclass(frozen=True)
class PerChain:
    """A mapping {effector joint: method} as a value. The method under None solves the goals of all joints not named.

    Raises MethodError for keys that are not the name of a joint.
    """

    methods: tuple[tuple[str | None, LeastSquares | Method], ...]

    @classmethod
    def of(cls, mapping: Mapping[str | None, LeastSquares | Method]) -> PerChain:
        """From the mapping that `posable.solve` takes; the order is kept."""
        for key in mapping:
            if not (key is None or isinstance(key, str)):
                raise MethodError(f"method: {key!r} is not the name of a joint; a mapping is {{joint: method}}")
        return cls(tuple(mapping.items()))

    def without(self, skeleton: Skeleton, joints: set[int]) -> PerChain:
        """The same for goals that do not concern these joints."""
        return PerChain(tuple(own for own in self.methods if own[0] is None or skeleton.index(own[0]) not in joints))

    def engine(self, structure: Structure) -> Engine:
        """The engine for a structure, each part by its own method. Raises MethodError where one cannot."""
        return InTurn(structure, self._parts(structure))

    def _parts(self, structure: Structure) -> tuple[_Part, ...]:
        skeleton, named = structure.skeleton, self._named(structure.skeleton)
        own = {joint: own_joints(structure, joint) for joint in named}
        parts = [_part(structure, joint, method, own[joint]) for joint, method in named.items()]
        goal_set, taken = structure.goal_set, {joint for joints in own.values() for joint in joints}
        if not (goal_set.soft or goal_set.custom or any(end_of(skeleton, goal) not in named for goal in goal_set.hard)):
            return tuple(parts)
        others = tuple(j for j in range(len(skeleton.joints)) if j not in taken)
        rest = dict(self.methods).get(None, LeastSquares())
        return (_part(structure, None, rest, others, tuple(named)), *parts)

    def _named(self, skeleton: Skeleton) -> dict[int, LeastSquares | Method]:
        found: dict[int, LeastSquares | Method] = {}
        for name, method in self.methods:
            if name is not None:
                joint = skeleton.index(name)
                if joint in found:
                    raise MethodError(f"method: {skeleton.joints[joint]!r} is named twice; give it one method")
                found[joint] = method
        return found


class _Part(NamedTuple):
    """Some of the goals, and the engine that solves them."""

    engine: Engine
    goals: tuple[int, ...]  # of the hard ones
    rest: bool  # whether it has the soft goals


def own_joints(structure: Structure, effector: int) -> tuple[int, ...]:
    """The joints that serve an effector alone: upwards from it, to the first that carries another goal's joint.

    Raises MethodError for an effector that has no goal, or no joint of its own.
    """
    skeleton, rows = structure.skeleton, structure.goal_set.rows
    name = skeleton.joints[effector]
    if all(row.joint != effector for row in rows):
        ends = dict.fromkeys(goal.joint for goal in structure.goal_set.hard if goal.joint)
        has = f"goals are of {', '.join(map(repr, ends))}" if ends else "no joint has any"
        raise MethodError(f"method: {name!r} has a method but no goal; {has}")
    others = {j for row in rows if row.joint != effector for j in (row.joint, row.other, row.third) if j >= 0}
    shared = {j for other in others for j in skeleton.chain(other)}
    found = []
    for j in reversed(skeleton.chain(effector)):
        if j in shared:
            break
        found.append(j)
    if not structure.free[[d for j in found for d in skeleton.freedom_range(j)]].any():
        raise MethodError(
            f"method: no joint that may move is {name!r}'s own: all carry other goals too, or are frozen; "
            f"leave {name!r} out of the mapping"
        )
    return tuple(found)


def end_of(skeleton: Skeleton, goal: Goal) -> int:
    """The joint of a goal; -1 for one of the whole figure."""
    return skeleton.index(goal.joint) if goal.joint else -1


def _part(
    structure: Structure, effector: int | None, method: object, joints: tuple[int, ...], named: tuple[int, ...] = ()
) -> _Part:
    """The goals of one effector, or all but those of the `named` ones, moving `joints` only."""
    skeleton, goal_set = structure.skeleton, structure.goal_set
    ends = [end_of(skeleton, goal) for goal in goal_set.hard]
    chosen = tuple(k for k, end in enumerate(ends) if (end not in named if effector is None else end == effector))
    goals = [goal_set.hard[k] for k in chosen]
    still = tuple(name for j, name in enumerate(skeleton.joints) if j not in joints)
    options = replace(structure.options, frozen=(*structure.options.frozen, *still))
    if not isinstance(method, LeastSquares | Method):
        raise MethodError(f"method: {method!r} is not a method; a mapping is {{joint: method}}")
    others = (*goal_set.soft, *goal_set.custom) if effector is None else ()
    try:
        engine = method.engine(build_structure(skeleton, (*goals, *others), options))
    except MethodError as problem:
        whose = "the goals of joints not named" if effector is None else repr(skeleton.joints[effector])
        raise MethodError(f"method of {whose}: {problem}") from problem
    return _Part(engine, chosen, effector is None)


class InTurn:
    """Runs the parts of a `PerChain` one after the other, each from the end of the last one."""

    def __init__(self, structure: Structure, parts: tuple[_Part, ...]) -> None:
        self.structure = structure
        self._parts = parts
        self.route = ", then ".join(str(part.engine.route) for part in parts)
        self._slices = Targets(structure.skeleton, structure.goal_set).parts

    def most_traced(self) -> int:
        return 1 + sum(part.engine.most_traced() for part in self._parts)

    def run(self, batch: Batch, out: Array, counts: NDArray[np.int64], traces: Array) -> Fault:
        numbers, springs = batch.numbers, batch.springs
        Targets(self.structure.skeleton, self.structure.goal_set).goals_of(numbers, springs)  # raises errors by name
        out[:] = Pose.trusted(self.structure.skeleton, np.array(batch.starts)).clamped().q
        counts[:] = 0
        if traces.shape[1]:
            traces[:, 0], counts[:, TRACED] = out, 1
        exhausted = np.zeros(len(out), bool)
        for part in self._parts:
            own = np.zeros_like(counts)
            way = np.empty((len(out), part.engine.most_traced() if traces.shape[1] else 0, out.shape[1]))
            given = Batch(out.copy(), self._numbers(part, numbers), springs if part.rest else None)
            part.engine.run(given, out, own, way)
            exhausted |= own[:, OUTCOME] == EXHAUSTED
            counts[:, ITERATIONS] += own[:, ITERATIONS]
            _append(traces, counts, way, own)
        counts[:, OUTCOME] = self._outcomes(out, numbers, exhausted)
        return NO_FAULT

    def follow(self, batch: Batch, steps: Array | None, out: Array, counts: NDArray[np.int64]) -> Fault:
        numbers, springs = batch.numbers, batch.springs
        if steps is not None:
            raise MethodError("a method for each chain keeps no limits of speed or acceleration; LeastSquares does")
        Targets(self.structure.skeleton, self.structure.goal_set).goals_of(numbers, springs)
        counts[:], q = 0, batch.starts
        exhausted = np.zeros(len(out), bool)
        for n in range(len(out)):
            frame, own = slice(n, n + 1), np.zeros((1, 3), np.int64)
            for part in self._parts:
                spring_poses = springs[frame] if springs is not None and part.rest else None
                given = Batch(np.array(q), self._numbers(part, numbers[frame]), spring_poses)
                part.engine.follow(given, None, out[frame], own)
                exhausted[n] |= own[0, OUTCOME] == EXHAUSTED
                counts[n, ITERATIONS] += own[0, ITERATIONS]
                q = out[frame]
        counts[:, OUTCOME] = self._outcomes(out, numbers, exhausted)
        return NO_FAULT

    def on(self, structure: Structure) -> InTurn:
        parts = [(part, self._part_of(part, structure)) for part in self._parts]
        kept = [part._replace(engine=part.engine.on(own)) for part, own in parts if _asks(own)]
        return InTurn(structure, tuple(kept))

    def _part_of(self, part: _Part, structure: Structure) -> Structure:
        """A part's structure, with the limits and the switched-off goals of the whole structure."""
        own, rows = part.engine.structure, structure.goal_set.rows_of
        first = np.cumsum([0, *map(len, rows)])
        terms = [t for k in part.goals for t in range(first[k], first[k + 1])]
        measures = own.problem.measures.copy()
        for column in (WEIGHT, TOLERANCE):
            measures[:, column] = structure.problem.measures[terms, column]
        return own.on(structure.skeleton)._replace(problem=own.problem._replace(measures=measures))

    def _numbers(self, part: _Part, numbers: Array) -> Array:
        """The targets of a part's goals, concatenated as its own kernels read them."""
        chosen = [numbers[:, self._slices[k]] for k in part.goals]
        found = np.concatenate([np.zeros((len(numbers), 0)), *chosen], axis=1)
        return found if found.shape[1] else np.zeros((len(numbers), 3))

    def _outcomes(self, q: Array, numbers: Array, exhausted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The outcome of all parts together: a part may have moved the effector of another one."""
        met = Task(self.structure, numbers, None).measure(Pose.trusted(self.structure.skeleton, np.array(q))).met
        return np.where(met, REACHED, np.where(exhausted, EXHAUSTED, STATIONARY))


def _asks(structure: Structure) -> bool:
    return bool(structure.switched_on.any() or structure.goal_set.soft or structure.goal_set.custom)


def _append(traces: Array, counts: NDArray[np.int64], way: Array, own: NDArray[np.int64]) -> None:
    """Append the trace of a part, which begins at the end of the one before, without repeating that pose."""
    if not traces.shape[1]:
        return
    for n, (at, more) in enumerate(zip(counts[:, TRACED], own[:, TRACED], strict=True)):
        skip = int(more > 0 and np.array_equal(way[n, 0], traces[n, at - 1]))
        traces[n, at : at + more - skip] = way[n, skip:more]
        counts[n, TRACED] += more - skip
