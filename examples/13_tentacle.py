"""A tentacle that curls round a ball by plain gradient descent, beside one that only minds where its tip is."""

import numpy as np

import posable
import posable.motion.stories
import posable.view

story = posable.motion.tell("tentacles")  # two tentacles and two balls, gathered into one figure
joints, places = story.figure.skeleton.joints, story.clip.poses.origins

for name in ("plain", "organic"):
    own = [k for k, joint in enumerate(joints) if joint.startswith(f"{name}/")]
    middle = places[:, own] - places[0, own[0]]  # from where it stands, as the ball's place is told
    clear = np.array(
        posable.motion.stories.clearances(middle, posable.motion.stories.thickness())
    )  # from the ball, and from itself
    crosses = ["it crosses" if least < 0 else "never crosses" for least in clear.min(axis=1)]
    print(f"{name}: {crosses[0]} the ball (by {clear[0].min():+.3f} m), {crosses[1]} itself ({clear[1].min():+.3f} m)")

camera = posable.view.Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
posable.film(story.figure, story.clip, "tentacles.gif", size=(320, 240), camera=camera, skeleton=False)
