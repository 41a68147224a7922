"""Weights of the problems of a batch as the rows of numbers that kernels read beside the targets."""

from __future__ import annotations

import numpy as np

from posable.goals.term_arrays import TOLERANCE, WEIGHT
from posable.solvers.problem import Structure, soft_scale
from posable.spatial import Array


def weight_rows(s: Structure, weights: Array) -> Array:
    """`[problem, numbers]` for `restarts.weigh`, from `weights [problem, goal]`: weight and tolerance of every term,
    the springs' weights for each freedom, the pull of gravity. The goals of the structure have the weight 1.
    """
    count, hard, soft = len(weights), list(s.wishes.hard_at), list(s.wishes.soft_at)
    own = np.repeat(weights[:, hard], [len(rows) for rows in s.wishes.rows_of], axis=1)
    tolerances = np.where(own > 0, s.problem.measures[:, TOLERANCE], np.inf)
    terms = np.stack([own * s.problem.measures[:, WEIGHT], tolerances], axis=-1)
    draws = weights[:, soft, None] * np.array([spring.weight for spring in s.wishes.springs]).reshape(
        -1, s.skeleton.dof
    )
    forces = [goal.weight_force(s.skeleton) for goal in s.wishes.soft]
    pulls = weights[:, soft] @ np.array([np.zeros(3) if one is None else one for one in forces]).reshape(-1, 3)
    scale = np.array([soft_scale(draw, pull, s.problem.levels) for draw, pull in zip(draws, pulls, strict=True)])
    parts = terms, draws * scale[:, None, None], pulls * scale[:, None]
    return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)
