import posable

figure = posable.figure("mannequin")  # or your file: posable.load("hero.glb"), and "hand_r" where it has no fingertips
doorbell = (-0.25, 1.3, 0.45)  # metres; the figure faces +z, its right hand is at -x
goals = [
    posable.Reach("index_tip_r", doorbell),  # the fingertip goes there,
    posable.LookAt("head", doorbell),  # the head turns to it,
    posable.Natural(),  # and the rest of the body does what people do
]
start = posable.grip(figure, "point", "r")  # one finger out, the others curled
solution = posable.solve(start, goals, frozen=["root"])
print(solution.describe())
posable.save("reach.glb", figure, solution.pose)  # for Blender, browsers, ...
posable.picture(figure, solution.pose, "reach.png", goals=goals)
