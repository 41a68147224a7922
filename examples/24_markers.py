"""Markers and key points become motion: a recording (here one that we make ourselves) drives the mannequin."""

import numpy as np

import posable

figure = posable.figure("mannequin")
walk = posable.walk(figure, steps=3, fps=60)

# What a motion-capture system would have seen: two markers a limb, three on the trunk and the head, 2 mm of noise.
places = {"root": 3, "chest": 3, "head": 3, "upper_arm": 2, "forearm": 2, "hand": 3, "thigh": 2, "shin": 2, "foot": 3}
rng = np.random.default_rng(1)
table = {}
for joint in figure.skeleton.joints:
    for k in range(places.get(joint.removesuffix("_l").removesuffix("_r"), 0)):
        table[f"{joint}{k + 1}"] = posable.Attachment(joint, tuple(rng.uniform(-0.08, 0.08, 3)))
world = walk.poses.world_from_joint
seen = np.empty((len(walk), len(table), 3))
for m, one in enumerate(table.values()):
    frame = world[:, figure.skeleton.index(one.joint)]
    seen[:, m] = frame[:, :3, :3] @ one.offset + frame[:, :3, 3]
seen = 1.08 * seen + rng.normal(0, 0.002, seen.shape)  # the person is 8 % taller than the mannequin
seen[20:26, 4] = np.nan  # a gap
markers = posable.Markers(tuple(table), seen, 60.0, "y", "walk")

# A spread lets the fit move a marker on its segment; lengths are found by themselves.
loose = {label: posable.Attachment(one.joint, one.offset, spread=0.02) for label, one in table.items()}
fit = posable.fit_markers(figure, markers, loose)
print(f"{fit.rms * 1000:.1f} mm rms, {fit.figure.height / figure.height:.2f} times as tall")
print("\n".join(fit.text().splitlines()[:4]))  # of each marker; these are the first
posable.save("fitted.glb", fit.figure, fit.clip)
posable.picture(fit.figure, fit.clip.poses[60], "fitted.png")
posable.Attachments(fit.attachments).save("where.toml")

# A pose estimator gives joints' places only: the same from key points.
joints = ("root", "chest", "head", "upper_arm_l", "forearm_l", "hand_l", "upper_arm_r", "forearm_r", "hand_r")
joints += ("thigh_l", "shin_l", "foot_l", "toe_l", "thigh_r", "shin_r", "foot_r", "toe_r")
points = walk.poses.origins[:, [figure.skeleton.index(joint) for joint in joints]]
clip = posable.pose_from_points(figure, points, joints, fps=60.0)
again = clip.poses.origins[:, [figure.skeleton.index(joint) for joint in joints]]
print(f"key points are met to {1000 * np.linalg.norm(again - points, axis=-1).max():.1f} mm")
