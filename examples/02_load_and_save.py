"""Any file in, any file out: lengths, poses and clips stay what they are."""

import posable

# A recording states no unit of length; the numbers of this one are centimetres.
figure = posable.load(posable.sample("walk.bvh"), unit="cm")
clip = figure.clips[0]
print(figure.skeleton, clip)
print(f"halfway the hips are {clip.at(clip.seconds / 2).origins[0, 1]:.2f} m up")

posable.save("walk.glb", figure, clip)  # skeleton and motion, for other programs
again = posable.load("walk.glb")
print("in the GLB:", again.skeleton, again.clips[0])

try:
    figure.skeleton.index("Haed")
except posable.UnknownJointError as problem:
    print(problem)
