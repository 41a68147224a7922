"""One pipeline over many files, on many processors or machines: `posable.batch`."""

from posable.batches.engine import Batch, batch

__all__ = ["Batch", "batch"]
