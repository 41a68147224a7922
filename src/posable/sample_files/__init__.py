"""Files to try things on: `posable.samples()` lists them, `posable.sample("knight.glb")` is the path of one."""

from posable.sample_files.shipped import Sample, sample, samples

__all__ = ["Sample", "sample", "samples"]
