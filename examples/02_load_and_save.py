"""Any file in, any file out: lengths, poses and clips stay what they are."""

import posable

# A recording states no unit of length; here its numbers are centimetres.
WAVE = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT arm
  {
    OFFSET 0 40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 60 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 90 0 0 0 0 0 0 0
0 90 0 0 0 0 30 0 0
0 90 0 0 0 0 60 0 0
"""

with open("wave.bvh", "w", encoding="utf-8") as file:  # noqa: PTH123  any way of making a file will do
    file.write(WAVE)

figure = posable.load("wave.bvh", unit="cm")
clip = figure.clips["wave"]
print(figure.skeleton, clip)
print("the arm is", figure.rest.origins[1, 1], "m up; halfway it stands at", clip.at(0.1).of("arm"))

posable.save("wave.glb", figure, clip)  # skeleton and motion, for other programs
again = posable.load("wave.glb")
print("in the GLB:", again.skeleton, again.clips[0])

try:
    figure.skeleton.index("ram")
except posable.UnknownJointError as problem:
    print(problem)
