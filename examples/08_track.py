"""An arm draws an eight, twice: freely, and with joints that must not be quick; each is a clip in a GLB."""

import numpy as np

import posable

arm = posable.figure("arm7")
fps = 60.0
seconds = np.arange(121) / fps
round_trip = 2 * np.pi * seconds / seconds[-1]
center = arm.rest.origins[arm.skeleton.index("tool")]
eight = center + np.stack([0.0 * round_trip, 0.15 * np.sin(round_trip), 0.1 * np.sin(2 * round_trip)], axis=-1)

goals = [posable.Reach("tool", eight)]  # [frame, 3]: the leading axis is time
for name, speed in (("eight", None), ("slow_eight", 0.6)):
    clip = posable.track(arm.rest, goals, fps=fps, speed=speed)
    quickest = np.abs(np.diff(clip.q, axis=0)).max() * fps
    missed = np.linalg.norm(clip.poses.origins[:, -1] - eight, axis=-1).max()
    print(f"{name}: quickest joint {quickest:.2f} rad/s, at most {missed:.1e} m beside the line")
    posable.save(f"{name}.glb", arm, clip)

# The same with what came of every frame.
prepared = posable.prepare(arm.skeleton, goals)
solution = prepared.track(arm.rest, fps=fps, speed=0.6)
late = np.flatnonzero(solution.status)
print(f"{len(late)} of {len(eight)} frames miss the line for the speed limit")
