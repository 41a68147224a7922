"""A walk that slides is made to stand, and then to climb stairs; a game would do it frame by frame."""

import numpy as np

import posable

figure = posable.figure("mannequin")
walk = posable.walk(figure, "human", steps=4)
q = np.array(walk.q)
q[:, 2] += 0.05 * np.sin(3.0 * walk.times)  # what bad recordings do: the whole figure glides to and fro
sliding = posable.Clip(walk.skeleton, q, walk.fps)


def skate(clip):
    return f"{100 * posable.motion.foot_metrics(clip, figure=figure).skate:.1f} cm/s"


planting = posable.motion.plant(sliding, figure=figure)
print(f"cost {planting.solution.cost_before:.3g} -> {planting.solution.cost_after:.3g}, all frames solved together")
print(f"skate {skate(sliding)} -> {skate(planting.clip)}")
posable.save("standing.glb", figure, planting.clip)

stairs = posable.Terrain.stairs(rise=0.17, run=0.72, count=4, start=(0.0, 0.0, 0.4))
climbing = posable.plant_feet(sliding, stairs, figure=figure)
deepest = min(stairs.gap(sole.corner_places(climbing.poses)).min() for sole in posable.motion.soles(figure))
climb = climbing.poses.origins[-1, 0, 1] - sliding.poses.origins[-1, 0, 1]
print(f"on stairs: {climb:.2f} m up, at most {-1000 * deepest:.1f} mm in the ground")
posable.save("climbing.glb", figure, climbing)
posable.film(figure, climbing, "climbing.mp4", size=(480, 360), camera="side", terrain=stairs, skeleton=False)

live = posable.motion.FootPlacement(figure)
frames = [live.update(pose, 1 / sliding.fps) for pose in sliding.poses]
placed = posable.Clip(sliding.skeleton, np.array([pose.q for pose in frames]), sliding.fps)
print(f"frame by frame: skate {skate(placed)}")
