"""Normal equations of observed and held points."""

from __future__ import annotations

import numpy as np

import posable
from posable.motion.key_points.convention_tables import attachments_of
from posable.motion.key_points.point_rows import Held, PointRows, Seen
from posable.motion.whole_clip.clip_problem import ClipProblem


def test_they_are_those_of_the_derivative_of_the_residuals() -> None:
    figure, rng = posable.figure("mannequin"), np.random.default_rng(0)
    clip = posable.clips.trim(posable.walk(figure, steps=2), 0, 0.1)
    names = ["nose", "left_shoulder", "left_wrist", "right_hip", "right_knee", "right_heel"]
    carriers, offsets = attachments_of(figure, names)
    shape = len(clip), len(names)
    seen = Seen(
        carriers,
        offsets,
        rng.normal(size=(*shape, 3, 3)),
        rng.normal(size=(*shape, 3)),
        rng.random(shape),
        rng.normal(size=(*shape, 3, 3)),
    )
    held = Held(carriers[-2:], offsets[-2:], rng.normal(size=(len(clip), 2, 3)), rng.random((len(clip), 2)))
    problem = ClipProblem(clip, PointRows(figure.skeleton, seen).holding(held), None, 0.0, 0.0)
    start, step = problem.at(np.zeros((len(clip), len(problem.free)))), 1e-6
    model = problem.system(start)
    columns = []
    for c in range(len(problem.free)):
        more = np.zeros((len(clip), figure.skeleton.dof))
        more[:, problem.free[c]] = step
        up, down = (problem.rows.evaluate(clip.poses.plus(sign * more))[0] for sign in (1.0, -1.0))
        columns.append((up - down) / (2 * step))
    jacobian = np.stack(columns, axis=-1)
    weights = problem.rows.weights
    blocks = np.einsum("tk,tkic,tkid->tcd", weights, jacobian, jacobian)
    gradient = np.einsum("tk,tkic,tki->tc", weights, jacobian, start.residual)
    np.testing.assert_allclose(model.blocks, blocks, atol=1e-7 * np.abs(blocks).max())
    np.testing.assert_allclose(model.gradient, gradient, atol=1e-7 * np.abs(gradient).max())
