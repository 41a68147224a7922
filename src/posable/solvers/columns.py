"""The columns of the arrays that state a problem to the compiled solver."""

from __future__ import annotations

# Columns of `Problem.used`; what a joint takes part in: sums of its own or of several children in memory, and whether
# the joint before it in the list is its parent, to which sums are handed on in registers.
USED, STORED, PASSES = 0, 1, 2
# Columns of `Problem.freedom`.
LOCKED, UNIT, RESISTANCE, EASE, SLIDING = range(5)
# Rows of `Problem.springs`, per spring.
BELOW, ABOVE, DRAW = 0, 1, 2
