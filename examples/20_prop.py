"""A hand goes to the grip of a cylinder, lifts it, carries it aside and lets it go; the eyes go with it."""

import numpy as np

import posable
import posable.figures
import posable.spatial
import posable.view

person = posable.figure("mannequin")
pose = person.rest
for finger in ("index", "middle", "ring", "pinky"):  # half closed
    pose = (
        pose.with_joint(f"{finger}_1_r", (0.9, 0.0)).with_joint(f"{finger}_2_r", 0.9).with_joint(f"{finger}_3_r", 0.4)
    )
stands = posable.motion.move(pose, pose, 4.0)  # four seconds in which nothing happens
hand = person.skeleton.index("hand_r")

# The cylinder stands on a table. Its grip: the palm against its side, fingers inward and ahead, the thumb up.
from_here, to_there, lifted = np.array([(-0.36, 1.10, 0.38), (-0.06, 1.10, 0.40), (-0.20, 1.32, 0.42)])
place = np.eye(4)
place[:3, 3] = from_here
takes, lets_go = 1.2, 3.0  # seconds
cylinder = posable.attach(posable.motion.Prop("cylinder", place), "hand_r", start=takes, end=lets_go)

# To the grip and away again; in between the hand carries it along an arc, and what it holds goes with it.
times = np.clip((stands.times - takes) / (lets_go - takes), 0.0, 1.0)
share = posable.motion.eased("minimum_jerk", times)[:, None]
arc = (1 - share) ** 2 * from_here + 2 * share * (1 - share) * (2 * lifted - (from_here + to_there) / 2)
way = arc + share**2 * to_there
along_fingers, out_of_palm = np.array([(-0.8, -0.6, 0.0), (0.6, -0.8, 0.0)])  # in the hand's own frame
own = np.stack([along_fingers, out_of_palm, (0.0, 0.0, 1.0)], axis=1)
ahead = np.radians(30)
there = np.array([(np.sin(ahead), np.cos(ahead), 0), (0, 0, 1), (np.cos(ahead), -np.sin(ahead), 0)])
frames = np.tile(np.eye(4), (len(way), 1, 1))
frames[:, :3, :3] = there @ own.T
frames[:, :3, 3] = way - frames[0, :3, :3] @ (0.085 * along_fingers + 0.045 * out_of_palm)
goals = {
    posable.Place("hand_r", frames): posable.motion.fade(stands, 0.2, 3.9, 0.8),
    posable.LookAt("head", way): posable.motion.fade(stands, 0.1, 3.9, 0.5),
}
clip = posable.motion.overlay(stands, goals, props=[cylinder], frozen=["root", "spine", "chest"])

moved = cylinder.along(clip)[:, :3, 3]  # it stands, goes with the hand, and stays where it was let go
held = (clip.times >= takes) & (clip.times <= lets_go)
for name, part in {"before": clip.times < takes, "held": held, "after": clip.times > lets_go}.items():
    print(f"{name}: it travels {np.linalg.norm(np.diff(moved[part], axis=0), axis=1).sum():.2f} m")
reached = np.linalg.norm(clip.poses.origins[held, hand] - frames[held, :3, 3], axis=1).max()
print(
    f"lifted by {np.ptp(moved[:, 1]):.2f} m, put down {np.linalg.norm(moved[-1] - to_there):.3f} m from its place;",
    end=" ",
)
print(f"the hand is at most {reached:.0e} m off its way")

# On film: the cylinder and the table beside the figure.
red, wood, upright = (0.80, 0.20, 0.16), (0.62, 0.47, 0.32), (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
shape = posable.figures.Shape("cylinder", "cylinder", (0.03, 0.20), wxyz=upright, color=red)
can = posable.Figure(posable.Skeleton([posable.Joint("cylinder", "free")]), shapes=(shape,))
top = posable.figures.Shape("table", "box", (0.80, 0.04, 0.35), (-0.2, 0.98, 0.45), color=wood)
table = posable.Figure(posable.Skeleton([posable.Joint("table", "fixed")]), shapes=(top,))
scene = posable.figures.merge_figures({"person": person, "can": can, "table": table})
turns = posable.spatial.wxyz_from_matrix(cylinder.along(clip)[:, :3, :3])
q = np.concatenate([clip.q, moved, turns], axis=1)
camera = posable.view.Camera((-2.4, 1.7, 2.9), (-0.15, 1.05, 0.2), field_of_view=26.0)
shown = posable.Clip(scene.skeleton, q, clip.fps, name="prop")
posable.film(scene, shown, "prop.gif", size=(320, 240), camera=camera, skeleton=False)
posable.picture(scene, shown.poses[60], "prop.png", size=(480, 360), camera=camera, skeleton=False)
