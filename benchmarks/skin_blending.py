"""Skin blending beside NumPy and SciPy, and beside copying the same bytes.

    python benchmarks/skin_blending.py

One thread (a single pose has no more), fresh memory for every answer, 60 joints, 4 influences; the best of many runs,
compiled code warm. "Same bytes" is `np.copyto` of 48 bytes a vertex: a place read, four joints and weights, a place
written.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

import posable
from posable.skin import Skin

JOINTS, INFLUENCES = 60, 4


def best(call: Callable[[], object], seconds: float = 1.5) -> float:
    """The least time of a call, milliseconds."""
    call()
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 3:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


HEAD = "vertices|same bytes|linear|× bytes|dual quaternion|× bytes|einsum|SciPy CSR|einsum / linear"


def main() -> None:
    print(
        platform.machine(),
        f"Python {platform.python_version()}, numpy {np.__version__}, posable {posable.__version__}\n",
    )
    print(f"| {HEAD.replace('|', ' | ')} |\n|{'---|' * (HEAD.count('|') + 1)}")
    for count in (10_000, 100_000, 1_000_000):
        print(row(count))


def row(count: int) -> str:
    """Times of one mesh size, milliseconds."""
    skin, pose = sample(count)
    source, copy = np.ones(12 * count, np.float32), np.empty(12 * count, np.float32)
    bytes_ = best(lambda: np.copyto(copy, source))
    linear = best(lambda: skin.deform(pose))
    dual = best(lambda: skin.deform(pose, "dual_quaternion"))
    matrices = skin.matrices(pose)[:, :3].astype(np.float32)
    ones = np.concatenate([skin.vertices, np.ones((count, 1), np.float32)], axis=1)
    einsum = best(lambda: np.einsum("vk,vkij,vj->vi", skin.weights, matrices[skin.joints], ones, optimize=True))
    sparse = blend_matrix(skin, ones)
    stacked = np.ascontiguousarray(matrices.transpose(0, 2, 1).reshape(-1, 3))
    csr = best(lambda: sparse @ stacked)
    return (
        f"| {count:,} | {bytes_:.3f} | {linear:.3f} | {linear / bytes_:.2f} | {dual:.3f} | {dual / bytes_:.2f} |"
        f" {einsum:.1f} | {csr:.2f} | {einsum / linear:.0f} |"
    )


def sample(count: int) -> tuple[Skin, posable.Pose]:
    """A chain's skin: neighbours in the mesh follow neighbouring joints."""
    rng = np.random.default_rng(0)
    joints = [posable.Joint("j0", "ball", None)]
    joints += [posable.Joint(f"j{i}", "ball", f"j{i - 1}", (0, 0, 0.1)) for i in range(1, JOINTS)]
    skeleton = posable.Skeleton(joints)
    base = np.sort(rng.integers(0, JOINTS - INFLUENCES, count))
    index = base[:, None] + rng.permuted(np.tile(np.arange(INFLUENCES), (count, 1)), axis=1)
    bind = np.linalg.inv(posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    places = rng.normal(size=(count, 3))
    skin = Skin(skeleton, places, np.zeros((0, 3)), index, rng.dirichlet(np.ones(INFLUENCES), count), bind)
    return skin, skeleton.random_pose(rng)


def blend_matrix(skin: Skin, ones: np.ndarray) -> csr_array:
    """`[vertex, 4 × joint]`: weights times homogeneous places (libigl's lbs_matrix)."""
    count = len(skin.vertices)
    columns = (4 * skin.joints[:, :, None] + np.arange(4)).reshape(count, -1)
    values = (skin.weights[:, :, None] * ones[:, None]).reshape(count, -1)
    rows = np.arange(0, values.size + 1, values.shape[1])
    return csr_array((values.ravel(), columns.ravel(), rows), shape=(count, 4 * len(skin.skeleton.joints)))


if __name__ == "__main__":
    main()
