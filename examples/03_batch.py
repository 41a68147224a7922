"""A thousand reaches in one call: poses and targets broadcast over leading axes."""

import numpy as np

import posable

arm = posable.figure("arm7")
skeleton = arm.skeleton
tip = skeleton.joints[-1]

rng = np.random.default_rng(0)
somewhere = posable.Pose(skeleton, skeleton.random_coordinates(rng, (1000,)))
targets = somewhere.origins[:, -1]  # [1000, 3], all of them within reach

solution = posable.solve(arm.rest, [posable.Reach(tip, targets)])
reached = np.asarray(solution.status) == posable.Status.REACHED
off = np.linalg.norm(solution.pose.origins[:, -1] - targets, axis=-1)
print(f"{reached.sum()} of {len(targets)} reached, the worst is {off.max():.1e} m off")
print(solution.describe((int(np.argmax(off)),)))
