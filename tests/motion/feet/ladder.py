"""A figure that climbs a step ladder, made by hand: both when each foot rests is known exactly, and where."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import posable
from posable.spatial.curves import smootherstep

FPS, RUNG, DEPTH = 30.0, 0.25, 0.14
REST, SWING = 12, 15  # frames


def ladder_climb(rungs: int = 4, *, together: bool = False) -> tuple[posable.Figure, posable.Clip, NDArray[np.bool_]]:
    """(the mannequin, its climb up and back down, `[foot, frame]` when each foot rests).

    together: the second foot comes to the first one's rung; otherwise it goes to the next.
    """
    figure = posable.figure("mannequin")
    rest = figure.rest
    feet = [rest.origins[figure.skeleton.index(name)] for name in ("foot_l", "foot_r")]
    hips = rest.origins[figure.skeleton.index("hips")]
    steps = list(range(1, rungs + 1))
    order = [(foot, k) for k in steps for foot in (0, 1)] if together else [(k % 2, k) for k in steps]
    order = [*order, (order[-1][0] ^ 1, rungs)] if not together else order
    down = [(foot, k - 1) for foot, k in reversed(order)] if together else [(k % 2, rungs - k) for k in steps]
    on = [np.zeros(2), np.zeros(2)]
    levels, resting = [np.zeros((2, 2))] * (2 * REST), [(True, True)] * (2 * REST)
    for foot, rung in [*order, *down]:
        there = np.array([rung * RUNG, rung * DEPTH])
        for share in smootherstep(np.linspace(0, 1, SWING)):
            level = np.array(on)
            level[foot] = on[foot] + share * (there - on[foot])
            level[foot, 0] += 0.5 * np.sin(np.pi * share) * RUNG
            levels.append(level)
            resting.append((foot != 0, foot != 1))
        on[foot] = there
        levels += [np.array(on)] * REST
        resting += [(True, True)] * REST
    places = np.array(levels)  # [frame, foot, (height, ahead)]
    goals = []
    for foot, name in enumerate(("foot_l", "foot_r")):
        frame = np.tile(rest.world_from_joint[figure.skeleton.index(name)], (len(places), 1, 1))
        frame[:, 1, 3], frame[:, 2, 3] = feet[foot][1] + places[:, foot, 0], feet[foot][2] + places[:, foot, 1]
        goals.append(posable.Place(name, frame))
    pelvis = np.tile(hips, (len(places), 1)) - (0, 0.06, 0)
    kernel = np.hanning(21) / np.hanning(21).sum()
    for axis, k in ((1, 0), (2, 1)):
        lowest = places[:, :, k].min(axis=1) if k == 0 else places[:, :, k].mean(axis=1)
        pelvis[:, axis] += np.convolve(np.pad(lowest, 10, mode="edge"), kernel, "valid")
    goals.append(posable.Reach("hips", pelvis))
    return figure, posable.track(rest, goals, fps=FPS), np.array(resting).T
