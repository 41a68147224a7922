"""The doorbell arm: forty small steps to the button, each one a frame, beside the traditional method."""

import numpy as np

import posable
import posable.figures
import posable.solvers
import posable.view

arm = posable.figure("doorbell_arm")
bell = (30.0, -40.0, 0.0)
press = [posable.Reach("hand", bell)]
stepping = posable.solvers.PseudoInverse(gain=0.1)  # each step goes a tenth of what is left, by the least turns

solution = posable.solve(arm.rest, press, method=stepping, tolerance=2.0, trace=True)
steps = solution.trace
print(f"{solution.iterations} steps, {solution.goals[0].distance:.10f} from the bell")
print("after one", steps.q[1].tolist(), "at the end", steps.q[-1].tolist())

# The traditional method: solve once for the end pose, then take every angle there in N equal parts.
parts = np.linspace(0.0, 1.0, len(steps))[:, None]
straight = arm.rest.plus(parts * steps[-1].minus(arm.rest))
hands = [way.origins[:, -1, :2] for way in (steps, straight)]
for name, hand in zip(("stepping", "interpolating"), hands, strict=True):
    path = np.linalg.norm(np.diff(hand, axis=0), axis=1).sum()
    print(f"{name}: the hand travels {path:.1f}, the straight line is {np.linalg.norm(hand[-1] - hand[0]):.1f}")

chart = posable.view.Chart((-10, 75), (-55, 85), (640, 480), title="the hand's path to the bell", alike=True)
for pose in steps[::4]:
    chart.line(pose.origins[:, :2], "grey", 3.0, opacity=0.5)
chart.line(steps.origins[0, :, :2], "ink", 7.0)
chart.line(steps.origins[-1, :, :2], "ink", 7.0)
for hand, color in zip(hands, ("red", "blue"), strict=True):
    chart.dots(hand, color, 3.5)
chart.dots(bell[:2], "orange", 12.0, hollow=True)
chart.note((48, 50), "stepping", "red")
chart.note((85, 20), "interpolating", "blue")
chart.save("doorbell.png")

# Both on film, the steps on the left; and the steps as a clip for other programs.
both = posable.figures.merge_figures({"steps": arm, "parts": arm}, {"parts": (110.0, 0.0, 0.0)})
hold = np.minimum(np.arange(60), 40)  # the end stands for a while
clip = posable.Clip(both.skeleton, np.concatenate([steps.q, straight.q], axis=1)[hold], fps=20)
marks = [posable.Reach("steps/hand", bell), posable.Reach("parts/hand", (140.0, -40.0, 0.0))]
posable.film(both, clip, "doorbell.gif", size=(320, 240), goals=marks, camera="front")
posable.save("doorbell.glb", arm, posable.Clip(arm.skeleton, steps.q, fps=20, name="doorbell"))


# In three dimensions, from an elbow that is bent a little backwards: limits forbid it, where they are asked for.
def arm_in_space(furthest: float) -> posable.Figure:
    """A shoulder that turns every way, an elbow that bends from -2.8 to `furthest`, a wrist that is a little bent."""
    elbow = posable.Axis((0, 0, 1), lower=-2.8, upper=furthest)
    joints = [
        posable.Joint("shoulder", "ball", rest=(0.83, 0.0, 0.0, 0.56)),
        posable.Joint("elbow", "hinge", "shoulder", (50, 0, 0), axes=(elbow,), rest=(min(0.1, furthest),)),
        posable.Joint("wrist", "hinge", "elbow", (45, 0, 0), axes=(posable.Axis((0, 0, 1)),), rest=(-0.3,)),
        posable.Joint("hand", "fixed", "wrist", (3, 0, 0)),
    ]
    return posable.Figure(posable.Skeleton(joints))


for name, furthest in (("free", 2.8), ("kept", 0.0)):
    figure, aside = arm_in_space(furthest), [posable.Reach("hand", (30.0, -20.0, 45.0))]
    solution = posable.solve(figure.rest, aside, method=stepping, tolerance=2.0, trace=True)
    bends = solution.trace.of("elbow")
    print(f"{name}: {solution.describe()}; the elbow bends from {bends.min():.2f} to {bends.max():.2f}")
    posable.picture(figure, solution.pose, f"{name}.png", goals=aside, size=(320, 240))
