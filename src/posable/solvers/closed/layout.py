"""Where things stand in the one flat array that describes an arm to the kernels."""

from __future__ import annotations

FAMILY = 0  # one of the families below
ONE_OVER_SIZE = 1  # lengths inside are in sizes of the arm
MIRRORED = 2  # whether the arm is solved from its end to its base
LEFT, RIGHT = 3, 15  # two transforms, nine numbers of the turn and three of the offset each
JOINTS = 27

# Of each joint, in the order of solving.
A, D, COS_ALPHA, SIN_ALPHA, COS_BETA, SIN_BETA = range(6)
SIGN, SHIFT = 6, 7  # the coordinate is SIGN · (angle of the link) + SHIFT
LOWER, UPPER, COORDINATE = 8, 9, 10
JOINT = 11
ARM = JOINTS + 6 * JOINT

# Families of arms with a spherical wrist, by what makes the first three axes easy.
SECOND_AND_THIRD_PARALLEL = 0
FIRST_AND_SECOND_PARALLEL = 1
FIRST_AND_SECOND_MEET = 2
ANY_THREE = 3
# Arms with three parallel axes, by which, and where the last ones meet.
SECOND_TO_FOURTH_PARALLEL = 4
FIRST_TO_THIRD_PARALLEL = 5
FIRST_TO_THIRD_PARALLEL_EARLY = 6  # the fourth and fifth meet, not the fifth and sixth

MOST_BRANCHES = 8
CANDIDATES = 24  # what the formulas may give before copies are taken out
POLISHING = 92  # numbers that a step of polishing, or a quartic, works with
SCRATCH = 12 + 12 * CANDIDATES + POLISHING
