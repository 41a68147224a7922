"""Derivatives: of forward kinematics, of deformed skins, and of solutions by targets, weights, starts and bone lengths.

`kinematics_vjp` and `skin_vjp` pull cotangents back through a pose; `Derivative` through a solve, by the implicit
function theorem: nothing of the solve itself is differentiated, so it does not matter how the solution was found.

Example:
    >>> solution = posable.solve(figure.rest, [posable.Reach("hand_r", (-0.3, 1.2, 0.4))], frozen=["root"])
    >>> derivative = posable.gradients.Derivative(solution)
    >>> derivative.pull(np.ones(figure.skeleton.dof)).targets[0].shape
    (3,)
"""

from posable.gradients.arrays import ArrayCotangents, ArraySolve
from posable.solvers.derivatives.bodies import Pulled, kinematics_vjp, skin_vjp
from posable.solvers.derivatives.implicit import Cotangents, Derivative

__all__ = ["ArrayCotangents", "ArraySolve", "Cotangents", "Derivative", "Pulled", "kinematics_vjp", "skin_vjp"]
