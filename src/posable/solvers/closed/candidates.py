"""What the families of arms hand on: six link angles each, as cosines and sines, to be measured and sorted later."""

from __future__ import annotations

from posable.solvers.closed.layout import COORDINATE, JOINT, JOINTS, SHIFT, SIGN
from posable.spatial.compile import inner_kernel
from posable.spatial.lanes import sine_cosine


@inner_kernel
def note(candidates, count, c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6):
    """Write down a candidate; the new count."""
    if count >= candidates.shape[0]:
        return count
    row = candidates[count]
    row[0], row[1], row[2], row[3], row[4], row[5] = c1, s1, c2, s2, c3, s3
    row[6], row[7], row[8], row[9], row[10], row[11] = c4, s4, c5, s5, c6, s6
    return count + 1


@inner_kernel
def note_start(arm, start_q, start):
    """The link angles of the start pose into `start [12]`: the choice where any will do."""
    for k in range(6):
        j = JOINTS + JOINT * k
        s, c = sine_cosine(arm[j + SIGN] * (start_q[int(arm[j + COORDINATE])] - arm[j + SHIFT]))
        start[2 * k], start[2 * k + 1] = c, s
