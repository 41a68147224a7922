"""What posable's motion reaches, goal by goal: `python -m benchmarks.motion`."""

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # times are of one core, and these are read once, when NumPy is loaded
