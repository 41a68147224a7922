"""The columns of the arrays that state a problem to the compiled solver."""

from __future__ import annotations

# Columns of `Problem.used`; the second is whether a joint moves what is to be reached or turned, so that it is worth
# trying elsewhere.
USED, LEADS = range(2)
# Columns of `Problem.spans`: the joint at the end, whose sums are in memory; the range of motions; the parent of its
# first joint, and whether that is the end of the span before, so that sums are handed on in registers.
TIP, FIRST_MOTION, END_MOTION, ABOVE_SPAN, PASSES = range(5)
# Columns of `Problem.plain`.
FREEDOM_AT, COORDINATE_AT = range(2)
# Columns of `Problem.freedom`.
LOCKED, UNIT, RESISTANCE, EASE, SLIDING = range(5)
# Rows of `Problem.springs`, per spring.
BELOW, ABOVE, DRAW = 0, 1, 2
