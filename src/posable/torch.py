"""Solves in PyTorch: `solver` makes a function that differentiates; the solve runs on the processor."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from posable.errors import MissingExtraError
from posable.gradients import ArraySolve
from posable.solvers import Prepared

try:  # by name, as in `posable.jax`
    torch: Any = importlib.import_module("torch")
except ImportError as problem:
    raise MissingExtraError("torch", "posable.torch") from problem


def solver(prepared: Prepared) -> Callable[..., Any]:
    """A function of tensors, `solve(start, targets)`, with the derivative of `posable.gradients.Derivative`.

    It takes `start [..., coordinates]` and a list with one tensor per goal, `[..., *shape of its target]`, and gives
    the coordinates of the solutions; a batch uses all cores. Where there is no derivative it is 0.

    Args:
        prepared: Goals on a skeleton, made ready by `posable.prepare`.

    Raises:
        MissingExtraError: Where PyTorch is not installed, when this module is imported.

    Example:
        >>> import posable.torch
        >>> prepared = posable.prepare(figure.skeleton, [posable.Reach("hand_r", (-0.4, 1.2, 0.3))])
        >>> target = torch.tensor([-0.3, 1.3, 0.3], requires_grad=True)
        >>> posable.torch.solver(prepared)(torch.tensor(figure.rest.q), [target])[1].backward()
    """
    arrays = ArraySolve(prepared)

    class Solve(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, start: Any, *targets: Any) -> Any:
            q = torch.from_numpy(arrays(_array(start), [_array(one) for one in targets]).copy()).to(start)
            ctx.save_for_backward(q, start, *targets)
            return q

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            q, start, *targets = ctx.saved_tensors
            found = arrays.pull(_array(q), [_array(one) for one in targets], None, _array(cotangents[0]))
            by_start = torch.from_numpy(found.start).to(start)
            by_start = by_start.sum_to_size(start.shape)
            return by_start, *(torch.from_numpy(g).to(t) for g, t in zip(found.targets, targets, strict=True))

    def solve(start: Any, targets: Sequence[Any]) -> Any:
        return Solve.apply(start, *targets)

    return solve


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().double().numpy()
