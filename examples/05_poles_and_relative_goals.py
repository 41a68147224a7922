"""A hand on the hip, the other on a rail, elbows where they should be, and eyes, neck and head that share a look."""

import posable

figure = posable.figure("mannequin")
place = (0.6, 1.55, 1.5)  # something to look at
goals = [
    posable.Reach("hand_r", (-0.21, 0.07, -0.03), relative_to="root"),  # on the hip, wherever the hips go: the wrist,
    posable.Reach("middle_3_r", (-0.14, 0.02, 0.1), relative_to="root", within=posable.Box((0.05, 0.05, 0.05))),
    posable.Pole("hand_r", (-1.0, 1.1, -0.3)),  # its elbow points sideways and back
    posable.Reach("hand_l", (0.2, 1.05, 0.4), within=posable.Segment((0.3, 0.0, 0.0))),  # anywhere on this rail
    posable.Pole("hand_l", (0.6, 0.0, -0.3)),  # and this one hangs down
    posable.LookAt("head", place, share={"neck": 0.4, "eye_l": 0.1, "eye_r": 0.1}),
    posable.Comfort(),  # all else as at rest, as far as the goals leave it free
]
still = ["root", "spine", "chest"]
solution = posable.solve(figure.rest, goals, frozen=still)
print(solution.describe())
posable.picture(figure, solution.pose, "hip.png", camera="front", skeleton=False, size=(480, 360))

# The hips lean: what is relative to them comes along.
lean = figure.rest.with_joint("root", (0.0, 0.96, 0.0, 0.996, 0.0, 0.0, 0.087))
solution = posable.solve(lean, goals[:3], frozen=still)
print("leaning,", solution.describe())
