"""The columns of the arrays that state a problem to the compiled solver."""

from __future__ import annotations

# Columns of `Problem.used`; what a joint takes part in: sums of its own or of several children in memory, whether the
# joint before it in the list is its parent, to which sums are handed on in registers, and whether it moves what is to
# be reached or turned, so that it is worth trying elsewhere.
USED, STORED, PASSES, LEADS = range(4)
# Columns of `Problem.freedom`.
LOCKED, UNIT, RESISTANCE, EASE, SLIDING = range(5)
# Rows of `Problem.springs`, per spring.
BELOW, ABOVE, DRAW = 0, 1, 2
