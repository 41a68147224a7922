"""Every pose in which an arm holds its tool in one place, by formulas instead of a search."""

import numpy as np

import posable
import posable.solvers.closed

arm = posable.figure("arm6")
closed = posable.solvers.closed.ClosedForm.of(arm.skeleton, "tool")
assert closed is not None  # this arm has a spherical wrist; None for an arm without a closed form

place = arm.rest.plus((-0.6, -0.4, -0.8, -0.7, 0.4, -0.7)).world_from_joint[-1]
ways, count = closed.branches(place, arm.rest)  # [8, 6], the nearest to rest first; the rest are not numbers
for way in range(int(count)):
    pose = posable.Pose(arm.skeleton, ways[way])
    off = np.abs(pose.world_from_joint[-1] - place).max()
    print(f"way {way + 1}: {np.degrees(ways[way]).round().astype(int).tolist()} degrees, off by {off:.0e}")
    posable.picture(arm, pose, f"way_{way + 1}.png", size=(240, 180))

solution = posable.solve(arm.rest, [posable.Place("tool", place)])
print("the solver takes the first:", bool(np.allclose(solution.pose.q, ways[0])), "iterations:", solution.iterations)

# Two bones in a plane, by the law of cosines: both ways to bend.
angles, left = posable.solvers.closed.two_bone_angles((1.2, 0.4), first=1.0, second=0.8)
print("elbow up or down:", np.degrees(angles).round(1).tolist(), "distance left:", left)
