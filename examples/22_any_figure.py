"""One request for any figure: parts of the body by their roles, whatever its file calls the joints."""

import posable

FIGURES = {
    "mannequin": posable.figure("mannequin"),
    "knight": posable.load(posable.sample("knight.glb")),
    "recording": posable.load(posable.sample("walk.bvh"), unit="cm"),
    "robot": posable.load(posable.sample("g1.urdf")),
}

for name, figure in FIGURES.items():
    skeleton, roles = figure.skeleton, posable.roles(figure)
    shoulder, length = figure.rest.origins[skeleton.index("right upper arm")], 0.0
    for upper, lower in (("upper_arm_r", "lower_arm_r"), ("lower_arm_r", "hand_r")):
        bone = figure.rest.origins[skeleton.index(lower)] - figure.rest.origins[skeleton.index(upper)]
        length += float((bone @ bone) ** 0.5)
    place = shoulder + 0.7 * length * roles.forward - 0.2 * length * roles.up  # before the shoulder, in every figure
    goals = [posable.Reach("right hand", place), posable.LookAt("head", place + 3 * length * roles.forward)]
    goals.append(posable.Natural())  # what people do with the rest of the body, on each of them
    solution = posable.solve(figure.rest, goals, frozen=["root", "left foot", "right foot"])
    called = ", ".join(skeleton.joints[skeleton.index(role)] for role in ("right hand", "head", "root"))
    print(f"{name}: {called}: {solution.describe()}")
    posable.save(f"{name}.glb", figure, solution.pose)
    posable.picture(figure, solution.pose, f"{name}.png", goals=goals[:1], size=(480, 360), skeleton=False)
