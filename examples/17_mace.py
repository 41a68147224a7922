"""A jewel's mace, ten rings and a handle, dragged by a middle ring: IK on the handle side, FK on the tip side."""

import numpy as np

import posable
import posable.view

story = posable.motion.tell("mace")
world = story.clip.poses.world_from_joint
dragged, jewel = (world[:, story.figure.skeleton.index(name)] for name in ("ring_6", "jewel"))

moved = np.ptp(story.clip.q.reshape(-1, 10, 2), axis=0).max(axis=1).round(2)  # each ring turns about two axes
print(f"dragged by {np.ptp(dragged[:, :3, 3], axis=0).round(2).tolist()} m along x, y, z,")
print(f"the rings below turn by {moved[:5].tolist()} rad, the dragged one and those beyond by {moved[5:].tolist()}:")
carried = np.linalg.inv(dragged) @ jewel
print(f"it carries the jewel as one piece, to {np.abs(carried - carried[0]).max():.0e}")

camera = posable.view.Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
posable.film(story.figure, story.clip, "mace.gif", size=(320, 240), camera=camera, skeleton=False)
posable.picture(story.figure, story.clip.poses[24], "mace.png", size=(480, 360), camera=camera)
