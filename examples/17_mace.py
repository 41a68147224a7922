"""A jewel's mace, ten rings and a handle, dragged by a middle ring: IK on the handle side, FK on the tip side."""

import numpy as np

import posable
import posable.figures

GOLD, BLUE = (0.93, 0.74, 0.25), (0.15, 0.35, 0.75)
STEEL, RUBY = (0.55, 0.58, 0.62), (0.75, 0.10, 0.18)
UPWARDS = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)

# The handle is held in a socket; every ring turns about two axes at right angles to its neighbour.
joints = [posable.Joint("handle", "fixed", None, (0.0, 0.0, 0.0))]
shapes = [posable.figures.Shape("handle", "capsule", (0.035, 0.38), (0.0, 0.22, 0.0), UPWARDS, STEEL)]
for k in range(10):
    axes = [posable.Axis(d, lower=-0.9, upper=0.9) for d in ((1, 0, 0), (0, 0, 1))]
    place = (0.0, 0.45 if k == 0 else 0.11, 0.0)
    joints.append(
        posable.Joint(f"ring_{k + 1}", "universal", joints[-1].name, place, axes=tuple(axes), rest=(0.03, 0.05))
    )
    color = BLUE if k == 5 else GOLD  # the one that is dragged
    shapes.append(
        posable.figures.Shape(f"ring_{k + 1}", "ellipsoid", (0.045, 0.062, 0.045), (0.0, 0.055, 0.0), color=color)
    )
joints.append(posable.Joint("jewel", "fixed", "ring_10", (0.0, 0.18, 0.0)))
shapes.append(posable.figures.Shape("jewel", "sphere", (0.10,), color=RUBY))
mace = posable.Figure(posable.Skeleton(joints), name="mace", shapes=tuple(shapes))

# The sixth ring is dragged once round a loop.
turn = np.linspace(0.0, 2 * np.pi, 49)
start = mace.rest.origins[mace.skeleton.index("ring_6")]
loop = start + np.stack([0.20 * np.sin(turn), 0.12 * (np.cos(turn) - 1) - 0.03, 0.12 * np.sin(2 * turn)], axis=-1)
clip = posable.track(mace.rest, [posable.Reach("ring_6", loop)], fps=15)

world = clip.poses.world_from_joint
dragged, jewel = mace.skeleton.index("ring_6"), mace.skeleton.index("jewel")
off = np.linalg.norm(world[:, dragged, :3, 3] - loop, axis=-1).max()
moved = np.ptp(clip.q.reshape(len(clip), 10, 2), axis=0).max(axis=1).round(2)
print(f"the dragged ring stays within {off:.0e} of its loop; the rings below it turn by {moved[:5].tolist()} rad,")
print(f"itself and those beyond by {moved[5:].tolist()}: the ring carries them as one piece", end=" ")
carried = np.linalg.inv(world[:, dragged]) @ world[:, jewel]
print(f"(to {np.abs(carried - carried[0]).max():.0e})")

posable.film(mace, clip, "mace.gif", size=(320, 240), skeleton=False)
middle = clip.poses[12]
posable.picture(mace, middle, "mace.png", size=(480, 360), goals=[posable.Reach("ring_6", loop[12])])
