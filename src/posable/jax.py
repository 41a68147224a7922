"""Solves in JAX: `solver` makes a function that differentiates, batches and compiles; the solve runs on the host."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from posable.errors import MissingExtraError
from posable.gradients import ArraySolve
from posable.solvers import Prepared

try:  # by name: a plain `import jax` here is this very file to a type checker where JAX is not installed
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
except ImportError as problem:
    raise MissingExtraError("jax", "posable.jax") from problem


def solver(prepared: Prepared) -> Callable[..., Any]:
    """A function of arrays for JAX, `solve(start, targets)`, with the derivative of `posable.gradients.Derivative`.

    It takes `start [coordinates]` and a list with one array per goal, of the shape of its target, and gives the
    coordinates of the solution; `jax.vmap` makes one batch of it, `jax.grad` and `jax.jit` work. Where there is no
    derivative it is 0. JAX counts in single precision unless `jax_enable_x64` is set.

    Args:
        prepared: Goals on a skeleton, made ready by `posable.prepare`.

    Raises:
        MissingExtraError: Where JAX is not installed, when this module is imported.

    Example:
        >>> import posable.jax
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
        >>> solve = posable.jax.solver(prepared)
        >>> height = jax.grad(lambda target: solve(figure.rest.q, [target])[1])(jax.numpy.array([-0.3, 1.3, 0.3]))
    """
    arrays = ArraySolve(prepared)

    def forward(start: Any, *targets: Any) -> Any:
        return np.asarray(arrays(start, targets), start.dtype)

    def backward(q: Any, cotangent: Any, *targets: Any) -> Any:
        found = arrays.pull(q, targets, None, cotangent)
        return tuple(np.asarray(one, q.dtype) for one in (found.start, *found.targets))

    @jax.custom_vjp
    def solve(start: Any, targets: Sequence[Any]) -> Any:
        start = jnp.asarray(start, float)
        shape = jax.ShapeDtypeStruct(start.shape, start.dtype)
        return jax.pure_callback(forward, shape, start, *targets, vmap_method="broadcast_all")

    def solve_forward(start: Any, targets: Sequence[Any]) -> Any:
        q = solve(start, targets)
        return q, (q, tuple(targets), isinstance(targets, list))

    def solve_backward(kept: Any, cotangent: Any) -> Any:
        q, targets, as_list = kept
        shapes = tuple(jax.ShapeDtypeStruct(one.shape, q.dtype) for one in (q, *targets))
        start, *found = jax.pure_callback(backward, shapes, q, cotangent, *targets, vmap_method="broadcast_all")
        return start, list(found) if as_list else tuple(found)

    solve.defvjp(solve_forward, solve_backward)
    return solve
