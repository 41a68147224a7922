"""A dinosaur's neck, hard to bend at the body and limp at the head, beside one that is the same all along."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import posable
import posable.figures

tapering = posable.load(Path(__file__).parent / "creatures/dinosaur_neck.toml")  # elasticity from 1 down to 0.05
even = posable.Skeleton(
    [replace(joint, elasticity=min(joint.elasticity, 0.05)) for joint in tapering.skeleton.definitions]
)
uniform = replace(tapering, skeleton=even, skins=tuple(skin.on(even) for skin in tapering.skins))

leaf = np.array((1.2, 3.2, 2.2))
poses = []
for name, neck in (("tapering", tapering), ("uniform", uniform)):
    goals = [posable.Reach("head", leaf, tip=(0.0, -0.05, 0.5)), posable.Comfort()]
    solution = posable.solve(neck.rest, goals)
    bends = np.degrees(np.linalg.norm(solution.pose.q[:32].reshape(16, 2), axis=1))
    share = bends[:8].sum() / bends.sum()
    print(f"{name}: {solution.describe()}; {share:.0%} of its bend is in the half at the body")
    print("  degrees, joint by joint:", bends.round().astype(int).tolist())
    poses.append(solution.pose.q)

both = posable.figures.merge_figures({"tapering": tapering, "uniform": uniform}, {"uniform": (3.2, 0.0, 0.0)})
marks = [posable.Reach("tapering/head", leaf), posable.Reach("uniform/head", np.add(leaf, (3.2, 0.0, 0.0)))]
posable.picture(both, posable.Pose(both.skeleton, np.concatenate(poses)), "necks.png", size=(640, 400), goals=marks)
