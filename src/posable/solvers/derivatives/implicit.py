"""Derivatives of a solution, by the implicit function theorem at its active limits (Krantz and Parks 2003).

Where every goal is met, the solution moves by the least motion that keeps them met, each freedom weighted by its
stiffness, as the solver's own steps do: δq = −D⁻¹Jᵀ (J D⁻¹ Jᵀ)⁺ ∂r/∂θ δθ. Where they are not all met, it stays at the
minimum of E = ½ Σ w |r|² on its active limits: δq = −H⁺ ∂(∇E)/∂θ δθ, H the second derivative of E, and of the cones'
limits times their multipliers.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.compiled.threads import cores, in_threads
from posable.errors import GoalError, PoseError
from posable.goals.terms import POLE, SIGHT
from posable.skeleton import Pose
from posable.solvers.default.kernels.active_limits import limit_sides
from posable.solvers.default.kernels.workspace import LOCKED, RESISTANCE, UNIT
from posable.solvers.derivatives.derivative_kernels import pull_met
from posable.solvers.derivatives.energy import STEP, Energy
from posable.solvers.problem import Structure
from posable.solvers.reference.limits import swing_and_twist
from posable.spatial import Array

_SECOND_DIFFERENCE_STEP = 1e-4  # of a difference of second order
_LEAST_CURVATURE = 1e-6  # of the largest: a smaller curvature of E counts as 0
_PROBE_DISTANCE = 0.3  # radians and reaches: distance of the poses at which the usual rank is computed
_PER_THREAD = 32  # poses below which a second thread costs more than it saves
_LEAST_LIMIT_FORCE = 1e-6  # of the largest: a freedom with a smaller force against its limit is close to leaving it
_LEAST_MOTION = 1e-7  # radians per radian: a freedom that moves less stays at its limit


class Cotangents(NamedTuple):
    """The derivative of a loss by the inputs of a solve.

    Example:
        >>> solution = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.3, 1.2, 0.4))], frozen=["root"])
        >>> pulled = posable.gradients.Derivative(solution).pull(np.ones(figure.skeleton.dof))
        >>> pulled.targets[0].shape, pulled.weights.shape
        ((3,), (1,))
    """

    targets: tuple[Array, ...]
    """For each goal `[..., k]`: by its target's position, and by its rotation as a rotation vector in the world."""
    weights: Array
    """`[..., goal]`; 0 where every goal is met."""
    start: Array
    """`[..., dof]` by the starting pose of the solve, as far as the goals leave it free."""
    offsets: Array
    """`[..., joint, 3]` by each joint's offset, its rest translation in its parent's frame; 0 for free joints."""


class Solved(Protocol):
    """A `Solution`."""

    pose: Pose

    @property
    def stated(self) -> tuple[Structure, Array, Array | None]: ...

    @property
    def reached(self) -> NDArray[np.bool_]: ...


class Derivative:
    """The derivative of a solution by targets, weights, start and bone lengths.

    It is the derivative of the solve that begins at the solution (without restarts). It takes goals with targets in one
    priority: soft goals, `Natural`, `Custom`, `Balance`, `KeepApart` and goals with a region are not supported.

    Args:
        solution: One solve or a batch `[...]`.

    Raises:
        GoalError: For goals that are not supported.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.3, 1.2, 0.4))]
        >>> solution = posable.solve(figure.rest, goals, frozen=["root"])
        >>> derivative = posable.gradients.Derivative(solution)
        >>> derivative.by_target(0).shape  # radians of each freedom for a metre of the target
        (94, 3)
    """

    def __init__(self, solution: Solved) -> None:
        self._structure, numbers, weights = solution.stated
        self._shape, self._count = solution.pose.shape, len(self._structure.goal_set.goals)
        _check(self._structure)
        if 0 in self._shape:
            raise GoalError("nothing was solved, so there is no derivative: the batch is empty")
        skeleton = self._structure.skeleton
        pose = Pose.trusted(skeleton, solution.pose.q.reshape(-1, skeleton.coordinates))
        numbers = np.broadcast_to(numbers, (len(pose.q), numbers.shape[-1]))
        met = np.broadcast_to(solution.reached, self._shape).reshape(-1)
        energy = Energy(self._structure, numbers, weights)
        met_ones, others = np.flatnonzero(met), np.flatnonzero(~met).tolist()
        self._cases: list[tuple[NDArray[np.int64], _Met | _Unmet]] = []
        if len(met_ones):
            self._cases.append((met_ones, _Met(energy.only(met_ones), pose[met_ones])))
        for n in others:
            own = np.array([n])
            self._cases.append((own, _Unmet(energy.only(own), pose[own])))

    @property
    def exists(self) -> NDArray[np.bool_]:
        """`[...]` whether the derivative exists: not where a freedom at its limit is close to leaving it or to being
        held, and not where the pose has lost a direction (a straight arm).
        """
        found = np.zeros(sum(len(which) for which, _ in self._cases), bool)
        for which, case in self._cases:
            found[which] = case.exists
        return found.reshape(self._shape)

    def by_target(self, goal: int) -> Array:
        """`[..., dof, k]` the derivative of the pose (along `pose.plus`) by the target of this goal: k is 3 for a
        position, 3 for a rotation (a rotation vector in the world), 6 for both. NaN where it does not exist.
        """
        if not -self._count <= goal < self._count:
            raise GoalError(f"there is no goal {goal}; {self._count} were solved for")
        return self._gathered([case.by_target(goal % self._count) for _, case in self._cases])

    def pull(self, cotangent: ArrayLike) -> Cotangents:
        """Pull a loss back through the solve (a vector–Jacobian product). NaN where the derivative does not exist.

        Args:
            cotangent: `[..., dof]` the derivative of the loss along `pose.plus` at the solution.

        Raises:
            PoseError: If the shape does not fit.
        """
        given, dof = np.asarray(cotangent, float), self._structure.skeleton.dof
        if given.shape != (*self._shape, dof):
            raise PoseError(f"a cotangent of this solution has the shape {(*self._shape, dof)}, not {given.shape}")
        flat = given.reshape(-1, dof)
        pulled = [case.pull(flat[which]) for which, case in self._cases]
        *targets, weights, start, offsets = (self._gathered(list(part)) for part in zip(*pulled, strict=True))
        return Cotangents(tuple(targets), weights, start, offsets)

    def _gathered(self, found: list[Array]) -> Array:
        """The results of all cases as one batch; NaN without a derivative."""
        whole = np.full((self.exists.size, *found[0].shape[1:]), np.nan)
        for (which, _), own in zip(self._cases, found, strict=True):
            known = self.exists.reshape(-1)[which]
            whole[which[known]] = own[known]
        return whole.reshape(*self._shape, *whole.shape[1:])


def _check(structure: Structure) -> None:
    """GoalError for goals without a derivative here."""
    goal_set = structure.goal_set
    for k, goal in enumerate(goal_set.goals):
        name = type(goal).__name__
        if k not in goal_set.hard_at:
            raise GoalError(f"{name} has no derivative here; solve without it")
        if goal.within is not None or any(row.is_contact or row.on_mass for row in goal.rows(structure.skeleton)):
            raise GoalError(f"{goal._label}: regions, balance and collision avoidance have no derivative here")
    if structure.problem.levels:
        raise GoalError("goals of several priorities have no derivative here; give them one, with weights")


class _Met:
    """Solutions in which every goal is met."""

    def __init__(self, energy: Energy, pose: Pose) -> None:
        self.energy, self.pose = energy, pose
        freedom, skeleton, count = energy.structure.problem.freedom, pose.skeleton, len(pose.q)
        self._root = np.sqrt(energy.counts)
        self._give = np.where(freedom[:, LOCKED] > 0, 0.0, freedom[:, UNIT] ** 2 / freedom[:, RESISTANCE])
        self._expected = self._usual_rank()
        self._sides, self._ways = np.zeros((count, skeleton.dof)), np.zeros((count, skeleton.dof, 3))
        limit_sides(skeleton.packed, np.ascontiguousarray(pose.q), skeleton.reach, self._sides, self._ways)
        self._balls = np.zeros(skeleton.dof, np.int64)
        for j, joint in enumerate(skeleton.definitions):
            if joint.cone is not None:
                self._balls[list(skeleton.freedom_range(j))] = 1, 2, 3
        self._exists: NDArray[np.bool_] | None = None

    def _usual_rank(self) -> int:
        """The rank of the goals about the first pose; a gaze has two directions, a pole one."""
        skeleton, rows = self.pose.skeleton, self.energy.structure.goal_set.rows
        away = np.random.default_rng(0).normal(size=(3, skeleton.dof)) * _PROBE_DISTANCE * np.sqrt(self._give)
        poses = self.pose[0].plus(away)
        asked = []
        for row in rows:
            if row.kind in (SIGHT, POLE):
                continue
            part = slice(3, 6) if row.is_rotation else slice(0, 3)
            asked.append(poses.jacobian(skeleton.joints[row.joint], row.constants[:3] or (0.0, 0.0, 0.0))[:, part])
        rank = 0
        if asked:
            jacobian = np.concatenate(asked, axis=1) * np.sqrt(self._give)
            rank = int(np.linalg.matrix_rank(jacobian, rtol=1e-6).max())
        more = sum({SIGHT: 2, POLE: 1}.get(row.kind, 0) for row in rows)
        return min(rank + more, int((self._give > 0).sum()))

    @property
    def exists(self) -> NDArray[np.bool_]:
        """`[pose]`."""
        if self._exists is None:
            self._run(np.zeros((len(self._root), len(self._give))), self._root[..., None][..., :0])
        assert self._exists is not None
        return self._exists

    def _run(self, v: Array, asked: Array) -> tuple[Array, Array, Array, Array, Array]:
        """`pull_met` on every core: (force, start, `places`, offsets, moves)."""
        q, numbers = np.ascontiguousarray(self.pose.q), np.ascontiguousarray(self.energy.numbers)
        count, dof, joints = len(q), len(self._give), len(self.pose.skeleton.joints)
        force, start, offsets = np.empty_like(self._root), np.empty((count, dof)), np.empty((count, joints, 3))
        places = np.empty((count, len(self.energy.terms.terms), 3))
        moves, exists = np.empty((count, dof, asked.shape[2])), np.zeros(count, np.bool_)

        def run(part: slice) -> None:
            pull_met(
                self.pose.skeleton.packed, self.energy.terms, q[part], numbers[part], self._root[part], self._give,
                self._expected, self._sides[part], self._ways[part], self._balls, v[part], asked[part], force[part],
                start[part], places[part], offsets[part], moves[part], exists[part],
            )  # fmt: skip

        threads = min(cores(), 1 + count // _PER_THREAD)
        in_threads(run, count, min(count, 4 * threads) if threads > 1 else 1, threads)
        self._exists = exists
        return force, start, places, offsets, moves

    def by_target(self, goal: int) -> Array:
        """`[pose, dof, k]`."""
        asked = self._root[..., None] * self.energy.residual_by_target(self.pose, goal)
        return self._run(np.zeros((len(asked), len(self._give))), asked)[4]

    def pull(self, v: Array) -> list[Array]:
        """By each target, the weights, the start and the offsets."""
        energy = self.energy
        force, start, places, offsets, _ = self._run(v, self._root[..., None][..., :0])
        targets = [energy.by_target(self.pose, force, places, goal) for goal in range(energy.weights.shape[1])]
        return [*targets, np.zeros_like(energy.weights), start, offsets]


class _Unmet:
    """One solution that minimises the error of goals that it does not meet."""

    def __init__(self, energy: Energy, pose: Pose) -> None:
        self.energy, self.pose = energy, pose
        freedom = energy.structure.problem.freedom
        unit, basis, sides = freedom[:, UNIT], *(one[0] for one in _limit_basis(pose))
        pushed = basis.T @ (-energy.gradient(pose)[0] * unit)
        largest = float(np.abs(pushed).max(initial=0.0))
        held = (
            (sides == 2) | ((sides != 0) & (pushed * sides > _LEAST_LIMIT_FORCE * largest)) | (freedom[:, LOCKED] > 0)
        )
        give = unit / np.sqrt(freedom[:, RESISTANCE])  # the same for all of a ball
        self.basis = (give[:, None] * basis)[:, ~held]
        self.hessian = self._second_derivative() + self._bent_limits(pushed / unit, sides, held)
        values, vectors = np.linalg.eigh(self.hessian)
        least = _LEAST_CURVATURE * float(np.abs(values).max(initial=0.0))
        used = values > least
        self.inverse = (vectors[:, used] / values[used]) @ vectors[:, used].T
        self.exists = np.array(
            [not (values < -least).any() and not self._leaves_a_limit(((sides != 0) & ~held)[~held])]
        )

    def _about(self, directions: Array) -> Pose:
        """Poses a little before and after along each column."""
        both = np.stack([-STEP * directions.T, STEP * directions.T], axis=1).reshape(-1, len(directions))
        return Pose.trusted(self.pose.skeleton, np.repeat(self.pose.q, len(both), axis=0)).plus(both)

    def _second_derivative(self) -> Array:
        """`[free, free]` of E."""
        slopes = self.energy.gradient(self._about(self.basis)) @ self.basis
        found = (slopes[1::2] - slopes[::2]) / (2.0 * STEP)
        return 0.5 * (found + found.T)

    def _bent_limits(self, pushed: Array, sides: Array, held: NDArray[np.bool_]) -> Array:
        """`[free, free]` the contribution of the limits of cones: their multipliers times their curvature."""
        skeleton = self.pose.skeleton
        total = np.zeros((skeleton.dof, skeleton.dof))
        for j, joint in enumerate(skeleton.definitions):
            own = list(skeleton.freedom_range(j))
            for which in (0, 1) if joint.cone is not None else ():
                d = own[which]
                if sides[d] and held[d] and pushed[d] * sides[d] > 0:
                    total[np.ix_(own, own)] += abs(pushed[d]) * self._bend(j, which, float(sides[d]))
        return self.basis.T @ total @ self.basis

    def _bend(self, j: int, which: int, side: float) -> Array:
        """`[3, 3]` the second derivative of a ball's swing or twist along its own rotation vector."""
        skeleton = self.pose.skeleton
        own, ways = skeleton.freedom_range(j), np.eye(3) * _SECOND_DIFFERENCE_STEP

        def angle(turn: Array) -> float:
            tangent = np.zeros(skeleton.dof)
            tangent[list(own)] = turn
            return side * swing_and_twist(skeleton, self.pose[0].plus(tangent), j)[which]

        return np.array([[angle(a + b) - angle(a - b) - angle(b - a) + angle(-a - b) for a in ways] for b in ways]) / (
            4.0 * _SECOND_DIFFERENCE_STEP**2
        )

    def _leaves_a_limit(self, loose: NDArray[np.bool_]) -> bool:
        """Whether one of the `loose` directions, at a limit but not pushed against it, would move with the targets."""
        if not loose.any():
            return False
        moves = np.abs(np.hstack([self._moves(goal) for goal in range(self.energy.weights.shape[1])])).max(axis=1)
        return bool((moves[loose] > _LEAST_MOTION * moves.max()).any())

    def _moves(self, goal: int) -> Array:
        """`[free, k]` the derivative of the free directions by a target."""
        pairs, lengths = self.energy.before_and_after(goal)
        change = [
            self.energy.gradient(self.pose, after) - self.energy.gradient(self.pose, told) for told, after in pairs
        ]
        return -self.inverse @ (self.basis.T @ np.concatenate(change).T) / (2.0 * lengths)

    def by_target(self, goal: int) -> Array:
        """`[1, dof, k]`."""
        return (self.basis @ self._moves(goal))[None]

    def pull(self, v: Array) -> list[Array]:
        """By each target, the weights, the start and the offsets."""
        energy, asked = self.energy, self.basis.T @ v[0]
        way = -self.basis @ (self.inverse @ asked)
        residual, jacobian = energy.at(self.pose)
        slope = energy.counts[0] * residual[0] * (jacobian[0] @ way)
        weights = np.bincount(energy.goal_of, slope, minlength=energy.weights.shape[1])[None] / energy.weights
        size = max(float(np.abs(way).max(initial=0.0)), 1e-300)
        sides = self._about(way[:, None] / size)
        before, after = energy.by_offsets(sides, energy.counts * energy.at(sides)[0])
        targets = [self.by_target(k)[0].T @ v[0] for k in range(energy.weights.shape[1])]
        start = v[0] - np.linalg.pinv(self.basis).T @ (self.hessian @ (self.inverse @ asked))
        return [*(one[None] for one in targets), weights, start[None], (size * (after - before) / (2.0 * STEP))[None]]


def _limit_basis(pose: Pose) -> tuple[Array, Array]:
    """(`[pose, dof, dof]` columns: the directions that limits follow, of coned balls swing, twist and neither; `[pose,
    dof]` the side on which each is at its limit).
    """
    skeleton, count = pose.skeleton, len(pose.q)
    sides, rows = np.zeros((count, skeleton.dof)), np.zeros((count, skeleton.dof, 3))
    limit_sides(skeleton.packed, np.ascontiguousarray(pose.q), skeleton.reach, sides, rows)
    basis = np.broadcast_to(np.eye(skeleton.dof), (count, skeleton.dof, skeleton.dof))
    coned = [skeleton.freedom_range(j) for j, joint in enumerate(skeleton.definitions) if joint.cone is not None]
    basis = basis.copy() if coned else basis
    for own in coned:
        basis[:, own.start : own.stop, own.start : own.stop] = np.swapaxes(rows[:, own.start : own.stop], 1, 2)
    return basis, sides
