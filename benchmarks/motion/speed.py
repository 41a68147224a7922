"""How long it takes, on one core: seconds of processor time, the best of several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np

import posable
from benchmarks.motion.goal import RECORDED, Files, Row, loop, mannequin, short
from posable.motion import FootPlacement, Terrain

_FRAMES = 1000


def planting(files: Files) -> Iterable[Row]:
    """A long recording repeated to 1,000 frames, on a figure of some 60 joints."""
    figure = mannequin()
    clip = _long(loop("human", 60, 30.0))
    noisy = posable.Clip(clip.skeleton, clip.poses.plus(_trembling(clip)).q, clip.fps)
    seconds = _best(lambda: posable.plant_feet(noisy, figure=figure), 3)
    yield _row(f"plant_feet, {len(noisy)} frames, {len(figure.skeleton.joints)} joints", seconds)
    terrain = Terrain.slope(10)
    seconds = _best(lambda: posable.plant_feet(noisy, terrain, figure=figure), 2)
    yield _row(f"plant_feet on a slope, {len(noisy)} frames", seconds)
    walk = files.clip(RECORDED[0])
    repeated = posable.Clip(walk.skeleton, np.concatenate([walk.q, walk.q[::-1]])[:_FRAMES], 30.0, walk.name)
    seconds = _best(lambda: posable.plant_feet(repeated), 2)
    yield _row(f"plant_feet, {short(RECORDED[0])} and back, {len(repeated)} frames", seconds)


def retargeting(files: Files) -> Iterable[Row]:
    """The same motion on other figures."""
    clip = _long(loop("human", 60, 30.0))
    for name in ("characters/MH_game_engine.glb", "characters/Knight.glb"):
        figure = files.figure(name)
        seconds = _best(lambda figure=figure: posable.retarget(clip, to=figure), 2)
        words = f"retarget to {short(name)}, {len(clip)} frames, {len(figure.skeleton.joints)} joints"
        yield _row(words, seconds)


def walking(files: Files) -> Iterable[Row]:
    """Every frame of a long walk, and of a short one with all its preparation."""
    del files
    for steps in (6, 200):
        count = len(posable.walk(mannequin(), "human", steps, fps=60.0))
        seconds = _best(lambda steps=steps: posable.walk(mannequin(), "human", steps, fps=60.0), 5)
        each = 1e6 * seconds / count
        yield Row(f"walk of {steps} steps, {count} frames", "< 50 µs a frame", f"{each:.0f} µs", each < 50)


def live(files: Files) -> Iterable[Row]:
    """Foot placement, frame by frame."""
    del files
    figure, clip = mannequin(), loop("human", 20, 60.0)
    poses = [clip.poses[k] for k in range(len(clip))]
    for name, terrain in (("level", None), ("a slope", Terrain.slope(10))):
        placement = FootPlacement(figure, terrain)

        def run(placement: FootPlacement = placement) -> None:
            placement.reset()
            for pose in poses:
                placement.update(pose, 1 / 60)

        each = 1e6 * _best(run, 5) / len(poses)
        yield Row(f"live foot placement, {name}", "< 100 µs a frame", f"{each:.0f} µs", each < 100)


def _row(what: str, seconds: float) -> Row:
    return Row(what, "< 3 s on one core", f"{seconds:.2f} s", seconds < 3)


def _best(run: Callable[[], object], times: int) -> float:
    run()  # compiles
    found = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def _long(clip: posable.Clip) -> posable.Clip:
    return posable.Clip(clip.skeleton, clip.q[:_FRAMES], clip.fps, clip.name)


def _trembling(clip: posable.Clip) -> np.ndarray:
    """A slow wandering of every freedom, so that there is something to mend."""
    rng = np.random.default_rng(0)
    times, waves = clip.times[:, None, None], rng.uniform(0.2, 1.5, (1, 4, clip.skeleton.dof))
    phases = rng.uniform(0, 2 * np.pi, waves.shape)
    return 0.005 * np.sin(2 * np.pi * waves * times + phases).sum(axis=1)
