"""Internal forces that move a figure after it has reached its target: elasticity, comfort and weight."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posable.goals import Balance, Comfort, Spring
from posable.goals.soft import outside
from posable.skeleton import Joint, Pose, Skeleton
from posable.solvers.methods.jacobian_steps import inverse_step
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

_LEAST_FORCE = 1e-150  # smaller forces are ignored
_ACTIVE_SET_ROUNDS = 3  # of finding the active limits
_CORRECTIONS = 6
_MAX_STEP = 0.2  # radians, or reaches: the largest step of a freedom


@dataclass(frozen=True, eq=False)
class Settling:
    """The forces inside a figure: the springs of its joints, soft goals, and weight.

    spring: of the joints. gravity: the strength. heavy: the same joints, each with a mass. softest: the sum of the soft
    goals' weights against the strongest of them, 1 or 0.
    """

    spring: Spring
    gravity: float
    heavy: Skeleton
    softest: float

    @property
    def stiffest(self) -> float:
        """A bound on the stiffness: the growth of the forces with a freedom's motion."""
        return float(self.spring.weight.max(initial=0.0)) + self.softest + 0.5 * self.gravity * self.heavy.dof

    def energy(self, task: Task, pose: Pose) -> Array:
        """`[problem]`: half the springs' bends squared, by weight, and the height of the centre of mass in reaches."""
        energy = 0.5 * (self.spring.weight * self._bend(task, pose) ** 2).sum(axis=-1) + task.pull(pose)[1]
        if self.gravity:
            fall = _WEIGHT.residual(Pose.trusted(self.heavy, pose.q))[..., "xyz".index(pose.skeleton.up)]
            energy = energy - self.gravity * fall / pose.skeleton.reach
        return energy

    def forces(self, task: Task, pose: Pose) -> Array:
        """`[problem, dof]`: minus the derivative of the energy, per radian and per reach."""
        force = self.spring.weight * self._bend(task, pose) + task.pull(pose)[0]
        if self.gravity:
            fall = _WEIGHT.jacobian(Pose.trusted(self.heavy, pose.q))[..., "xyz".index(pose.skeleton.up), :]
            force = force + self.gravity * fall * task.unit / pose.skeleton.reach
        return np.where(task.free, force, 0.0)

    def _bend(self, task: Task, pose: Pose) -> Array:
        """The tangent from the poses to the equilibrium of the joints' own springs."""
        return outside(self.spring, Pose.trusted(pose.skeleton, self.spring.q).minus(pose)) / task.unit


_WEIGHT = Balance((0.0, 0.0, 0.0), height=True)  # minus its residual is the position of the centre of mass


def settling_of(structure: Structure, gravity: float) -> Settling | None:
    """The forces inside a figure; None without any."""
    skeleton, soft = structure.skeleton, bool(structure.goal_set.soft)
    weight = np.array([_own_weight(joint) for joint in skeleton.definitions for _ in range(joint.dof)], float)
    settling = Settling(Comfort().spring(skeleton)._replace(weight=weight), gravity, _heavy(skeleton), float(soft))
    return settling if settling.stiffest > _LEAST_FORCE else None


def _own_weight(joint: Joint) -> float:
    """The weight of a joint's own spring: its elasticity; 1 where only a comfortable range is stated."""
    if joint.floating:
        return 0.0
    return joint.elasticity or float(joint.comfort is not None)


def _heavy(skeleton: Skeleton) -> Skeleton:
    """The skeleton with a mass for every joint: an unstated one follows from the length of its bone, with the mean mass
    per length of the stated ones.
    """
    bones = [_bone(skeleton, j) for j in range(len(skeleton.joints))]
    lengths = np.array([np.linalg.norm(bone) for bone in bones])
    masses = np.array([joint.mass or 0.0 for joint in skeleton.definitions])
    stated = lengths[masses > 0].sum()
    share = masses.sum() / stated if stated > 0 else 1.0
    joints = [
        joint if joint.mass else replace(joint, mass=float(share * length), mass_center=tuple((bone / 2).tolist()))
        for joint, bone, length in zip(skeleton.definitions, bones, lengths, strict=True)
    ]
    return Skeleton(joints, skeleton.up)


def _bone(skeleton: Skeleton, j: int) -> Array:
    """`[3]`: from the joint to its first child, or to its first tip."""
    children, tips = skeleton.children(j), skeleton.definitions[j].tips
    if children:
        return np.array(skeleton.tables.offset[children[0]])
    return np.array(tips[0]) if tips else np.zeros(3)


def settled(
    task: Task, pose: Pose, measured: Measured, forces: Array, rate: Array, touched: NDArray[np.bool_]
) -> tuple[Pose, Array]:
    """(the poses after a step along the forces, the strength `[problem]` of the forces that moved them).

    The contact of the effectors with their targets cancels the forces' effect on them: (1 − J⁺J) F. touched:
    `[problem]` where contact exists already; the effectors are then projected back onto it. Before that no freedom
    moves by more than the remaining distance (in reaches), so that the targets dominate. Forces that would push a joint
    over its limit are removed.
    """
    jacobian, left = _asked(task, pose, measured)
    pushes, held = rate[:, None] * forces, np.zeros(forces.shape, bool)
    for _ in range(_ACTIVE_SET_ROUNDS):
        held |= _pushed_over(pose, _across(np.where(held[:, None], 0.0, jacobian), np.where(held, 0.0, pushes)))
    step = _across(np.where(held[:, None], 0.0, jacobian), np.where(held, 0.0, pushes))
    size = np.abs(step).max(axis=1, initial=0.0)
    furthest = np.where(touched, _MAX_STEP, np.minimum(_MAX_STEP, np.linalg.norm(left, axis=1)))
    step *= np.minimum(1.0, furthest / np.maximum(size, 1e-300))[:, None]
    return _brought_back(task, pose.plus(step * task.unit), held, touched), size / rate


def _brought_back(task: Task, pose: Pose, held: NDArray[np.bool_], touched: NDArray[np.bool_]) -> Pose:
    """The poses with their effectors projected back onto the targets, by J⁺ e, where they had touched them."""
    for _ in range(_CORRECTIONS):
        pose = pose.clamped()
        measured = task.measure(pose)
        off = touched & ~measured.met
        if not off.any():
            break
        jacobian, left = _asked(task, pose, measured)
        step = inverse_step(np.where(held[:, None], 0.0, jacobian), left)
        step *= np.minimum(1.0, _MAX_STEP / np.maximum(np.abs(step).max(axis=1, initial=0.0), 1e-300))[:, None]
        pose = pose.plus(np.where(off[:, None], step, 0.0) * task.unit)
    return pose


def _asked(task: Task, pose: Pose, measured: Measured) -> tuple[Array, Array]:
    """(J, e) of J δ = e, rows by the root of their weight, lengths and slides in reaches."""
    weights = np.sqrt(measured.weights)
    return weights[:, None] * task.jacobian(pose, measured) * task.unit, weights * measured.residual


def _across(jacobian: Array, pushes: Array) -> Array:
    """(1 − J⁺J) F."""
    return pushes - inverse_step(jacobian, (jacobian @ pushes[..., None])[..., 0])


def _pushed_over(pose: Pose, step: Array) -> Array:
    """`[problem, dof]` which freedoms are at a limit and would be pushed over it."""
    skeleton = pose.skeleton
    kept = pose.plus(np.sign(step) * 1e-9 * np.where(skeleton.slides, skeleton.reach, 1.0)).clamped().minus(pose)
    stopped = kept * np.sign(step) <= 0.5e-9 * np.where(skeleton.slides, skeleton.reach, 1.0)
    return stopped & (step != 0)
