"""Characters walk: each gait is a few numbers; along a curve, up stairs, as a loop, and one's own gait in a file."""

import numpy as np

import posable

figure = posable.figure("mannequin")
foot = figure.skeleton.index("toe_l")

for name in ("human", "sad", "sneaky"):
    clip = posable.walk(figure, name, steps=6)
    way = clip.poses.origins[-1, 0, 2] - clip.poses.origins[0, 0, 2]
    moves = np.linalg.norm(np.diff(clip.poses.origins[:, foot], axis=0), axis=1)
    print(f"{name}: {way:.2f} m in {clip.seconds:.1f} s, the left foot stands still in {np.sum(moves < 1e-6)} frames")

# A character of one's own: a text file that says what every number does.
proud_giant = posable.Gait.load("giant").with_(name="proud_giant", lean=-6, nod=-10)
proud_giant.save("proud_giant.toml")
clip = posable.walk(figure, "proud_giant.toml", path=[[0, 0], [0.5, 1.5], [2, 3], [4, 3.2]])
posable.save("curve.glb", figure, clip)
print(
    f"the path ends at (4, 3.2), the walk at ({clip.poses.origins[-1, 0, 0]:.1f}, {clip.poses.origins[-1, 0, 2]:.1f})"
)

# Up stairs, a tread a step.
stairs = posable.Terrain.stairs(rise=0.16, run=0.3, count=5, start=(0, 0, 0.6))
up = posable.walk(figure, "human", steps=8, terrain=stairs)
posable.save("stairs.glb", figure, up)
print(f"the hips rise by {up.poses.origins[-1, 0, 1] - up.poses.origins[0, 0, 1]:.1f} m")
posable.picture(figure, up.poses[len(up) // 2], "stairs.png", size=(400, 300), terrain=stairs)

# A loop, and the gait found again in it.
loop = posable.walk(figure, "jaunty", steps=6, starts=False, stops=False)
found = posable.fit_gait(loop, "curves")
print(f"its steps are {found.step:.2f} leg lengths, the knee bends by {found.knee_curve[0]:.0f} degrees in the mean")
