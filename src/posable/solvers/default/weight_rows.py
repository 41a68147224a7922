"""Weights of the problems of a batch as the rows of numbers that kernels read beside the targets."""

from __future__ import annotations

import numpy as np

from posable.goals import Goal, SoftGoal
from posable.goals.term_arrays import TOLERANCE, WEIGHT
from posable.solvers.problem import Structure, soft_scale
from posable.spatial import Array


def weight_rows(s: Structure, weights: Array) -> Array:
    """`[problem, numbers]` for `restarts.weigh`, from `weights [problem, goal]`: weight and tolerance of every term,
    the springs' weights for each freedom, the pull of gravity. The goals of the structure have the weight 1.
    """
    goals, count = s.wishes.goals, len(weights)
    hard = [k for k, goal in enumerate(goals) if isinstance(goal, Goal)]
    own = np.repeat(weights[:, hard], [len(rows) for rows in s.wishes.rows_of], axis=1)
    tolerances = np.where(own > 0, s.problem.measures[:, TOLERANCE], np.inf)
    terms = np.stack([own * s.problem.measures[:, WEIGHT], tolerances], axis=-1)
    soft = [k for k, goal in enumerate(goals) if isinstance(goal, SoftGoal)]
    draws = weights[:, soft, None] * np.array([spring.weight for spring in s.wishes.springs]).reshape(len(soft), -1)
    pulls = weights[:, soft] @ np.array([goal.pull(s.skeleton) for goal in s.wishes.soft]).reshape(len(soft), 3)
    scale = np.array([soft_scale(draw, pull, s.problem.levels) for draw, pull in zip(draws, pulls, strict=True)])
    parts = terms, draws * scale[:, None, None], pulls * scale[:, None]
    return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)
