"""Automatic weights beside Blender's and the artists', and how long they take.

    python benchmarks/skin_weights.py [--data …]

Prints two Markdown tables. Accuracy: the shared plain meshes with the bones that Blender was given; L1 is Σ |a − b|
over the joints, 0 … 2, the mean over vertices; "beyond noise" takes off Blender's own spread over scales, vertex by
vertex. Speed: the best of several runs, kernels compiled; the meshes are CesiumMan's, every triangle cut into four once
and twice.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from unittest import mock

import numpy as np

import posable
from posable.skeleton import Joint, Skeleton
from posable.skin import Skin
from posable.skin.binding.binding_bones import Bones

NAMES = ("wolf", "cesiumman", "mh_game_engine")
SHARED = Path(__file__).parents[1] / "../shared/data"
RUNS = 5


def skeleton_of(kept: dict[str, np.ndarray], most: int | None = None) -> Skeleton:
    """The first `most` bones of an answer of Blender's, parents first."""
    names, heads = kept["joint_names"].tolist(), kept["bone_head"].astype(float)
    joints: dict[str, Joint] = {}
    waiting = list(range(len(names)))
    while waiting:
        bone = waiting.pop(0)
        parent = int(kept["joint_parents"][bone])
        if parent >= 0 and names[parent] not in joints:
            waiting.append(bone)
            continue
        position = heads[bone] - heads[parent] if parent >= 0 else heads[bone]
        joints[names[bone]] = Joint(names[bone], "ball", names[parent] if parent >= 0 else None, tuple(position))
    return Skeleton(list(joints.values())[:most])


def bones_of(kept: dict[str, np.ndarray], skeleton: Skeleton) -> Bones:
    """The bones that Blender was given; from the skeleton alone posable would draw one to each child."""
    order, count = (
        [kept["joint_names"].tolist().index(name) for name in skeleton.joints],
        np.arange(len(skeleton.joints)),
    )
    lines = kept["bone_head"][order].astype(float), kept["bone_tail"][order].astype(float)
    return Bones(count, *lines, count, np.asarray(skeleton.parents), np.zeros(len(count)))


def weights_of(skin: Skin, names: list[str]) -> np.ndarray:
    """`[vertex, bone]`, in the order of `names`."""
    table = np.zeros((len(skin.vertices), len(skin.skeleton.joints)))
    np.add.at(table, (np.arange(len(table))[:, None], skin.joints), skin.weights)
    return table[:, [skin.skeleton.index(name) for name in names]]


def finer(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every triangle cut into four at the middles of its edges."""
    ends = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges, index = np.unique(ends, axis=0, return_inverse=True)
    a, b, c = (index.reshape(-1) + len(vertices)).reshape(3, -1)
    u, v, w = faces.T
    corners = [(u, a, c), (a, v, b), (c, b, w), (a, b, c)]
    middles = vertices[edges].mean(axis=1)
    return np.concatenate([vertices, middles]), np.concatenate([np.stack(corner, axis=1) for corner in corners])


def seconds(vertices: np.ndarray, faces: np.ndarray, skeleton: Skeleton, method: str) -> tuple[float, float]:
    """The best of the runs: by the clock, and of the processor."""
    runs = []
    for _ in range(RUNS):
        clock, processor = time.perf_counter(), time.process_time()
        posable.bind((vertices, faces), skeleton, method)
        runs.append((time.perf_counter() - clock, time.process_time() - processor))
    return min(run[0] for run in runs), min(run[1] for run in runs)


def print_accuracy(answers: dict[str, dict[str, np.ndarray]]) -> None:
    """L1 to Blender's weights and to the artists', by method and number of influences."""
    print(
        "| mesh | method, influences | L1 to Blender | beyond noise | same dominant joint | L1 to artist | Blender's |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, kept in answers.items():
        blender, artist, skeleton = kept["weights"], kept["artist_weights"], skeleton_of(kept)
        for method, influences in (("heat", 8), ("heat", 4), ("voxel", 8), ("voxel", 4)):
            mesh = kept["vertices"], kept["faces"]
            with mock.patch.object(Bones, "of", mock.Mock(return_value=bones_of(kept, skeleton))):
                skin = posable.bind(mesh, skeleton, method, influences=influences)
            found = weights_of(skin, kept["joint_names"].tolist())
            apart = np.abs(found - blender).sum(axis=1)
            beyond = np.maximum(apart - kept["scale_spread"], 0).mean()
            same = (found.argmax(axis=1) == blender.argmax(axis=1)).mean()
            theirs = np.abs(blender - artist).sum(axis=1).mean()
            ours = np.abs(found - artist).sum(axis=1).mean()
            print(
                f"| {name} | {method}, {influences} | {apart.mean():.4f} | {beyond:.4f} | {same:.1%} | "
                f"{ours:.3f} | {theirs:.3f} |"
            )


def print_speed(kept: dict[str, np.ndarray]) -> None:
    """Seconds by number of vertices and method."""
    skeleton = skeleton_of(kept)
    vertices, faces = kept["vertices"].astype(float), kept["faces"]
    print(f"\n| vertices × {len(skeleton.joints)} joints | method | seconds | of the processor |\n|---|---|---|---|")
    for level in range(3):
        if level:
            vertices, faces = finer(vertices, faces)
        for method in ("heat", "voxel"):
            clock, processor = seconds(vertices, faces, skeleton, method)
            print(f"| {len(vertices):,} | {method} | {clock:.3f} | {processor:.3f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED, help="the folder of shared files")
    folder = parser.parse_args().data / "reference"
    read = {name: dict(np.load(folder / f"blender_weights_{name}.npz")) for name in NAMES}
    print_accuracy(read)
    print_speed(read["cesiumman"])
