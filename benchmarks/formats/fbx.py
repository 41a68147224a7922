"""FBX beside ufbx and Blender: the corpus, the time to open a long clip, what is written."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import posable
from benchmarks.formats.claims import Row
from benchmarks.motion.goal import Skipped
from benchmarks.solver.environments import ROOT
from posable.figures import Clips
from posable.spatial import matrix_from_wxyz

_JUDGE, _BLENDER = ROOT / "benchmarks/peers/ufbx_frames.py", ROOT / "benchmarks/peers/blender_usd.py"
_CLIP, _CHARACTERS = "mocap/cmu_12_01_walk.bvh", ("CesiumMan", "Knight", "Q_Wolf", "RobotExpressive")
_LONG, _OPENS = 3000, 0.06


def corpus(options: argparse.Namespace) -> Iterable[Row]:
    """Every file of the corpus that both read, at rest and in every animation."""
    files = sorted((options.data / "fbx").glob("*.fbx"))
    if not files:
        raise Skipped("no folder fbx in the data")
    worst, compared, clips, refused, failed = 0.0, 0, 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            try:
                figure = posable.load(path)
            except posable.PosableError:
                refused += 1
                continue
            own = [*_compared(path, figure, Path(folder, "judged.npz"))]
            compared, clips = compared + bool(own), clips + max(len(own) - 1, 0)
            worst = max([worst, *own])
            if max(own, default=0.0) > 1e-5:
                failed.append(path.name)
    told = f"{compared} of {len(files)} files, {clips} animations: {worst:.1e} at most; {refused} refused"
    yield Row("FBX joints where ufbx has them, and turned alike", "1e-5", "; ".join([told, *failed]), not failed)


def _judged(path: Path, out: Path, stack: int, fps: float, count: int) -> tuple[dict[str, Any], dict[str, Any]] | None:
    out.unlink(missing_ok=True)
    command = [sys.executable, str(_JUDGE), str(path), str(out), str(stack), str(fps), str(count)]
    subprocess.run(command, capture_output=True, check=False)
    if not out.exists():
        return None
    arrays = dict(np.load(out))
    return json.loads(str(arrays["told"])), arrays


def _compared(path: Path, figure: posable.Figure, out: Path) -> Iterator[float]:
    """How far joints are off, by the figure's size or in rotation: at rest, then in each animation."""
    judged = _judged(path, out, -1, 1.0, 1)
    source: Any = figure.source
    if judged is None or source is None:
        return
    told, arrays = judged
    pairs = _pairs(source, told)
    if not pairs:
        return
    if not any("was taken" in note for note in figure.notes):  # else the rest pose is another one than the nodes'
        yield _off(source, pairs, figure.rest.world_from_joint[None], told, arrays["rest"][None])
    for clip in figure.clips:
        if told["stacks"].count(clip.name) != 1:
            continue
        judged = _judged(path, out, told["stacks"].index(clip.name), clip.fps, len(clip))
        if judged is not None:
            found = clip.poses.world_from_joint[judged[1]["frames"]]
            yield _off(source, pairs, found, told, judged[1]["moved"])


def _pairs(source: Any, told: dict[str, Any]) -> list[tuple[int, int]]:
    """(joint, ufbx's node) by the names from the root, where those are unique."""
    ways: dict[tuple[str, ...], list[int]] = {}
    paths: list[tuple[str, ...]] = []
    for i, (name, parent) in enumerate(zip(told["names"], told["parents"], strict=True)):
        paths.append((*paths[parent], name) if parent > 0 else (name,))
        ways.setdefault(paths[i], []).append(i)
    found, parents = [], source.nodes.tree.parents
    for j, node in enumerate(source.bones.nodes):
        own: tuple[str, ...] = ()
        while node >= 0:
            own, node = (source.nodes.items[node].name, *own), parents[node]
        if len(ways.get(own, ())) == 1:
            found.append((j, ways[own][0]))
    return found


def _off(source: Any, pairs: list[tuple[int, int]], found: Any, told: dict[str, Any], local: Any) -> float:
    axes, mirror = source.nodes.space[:2]
    places, turns = _worlds(told, local)
    ours, theirs = map(list, zip(*pairs, strict=True))
    size = float(np.linalg.norm(np.ptp(np.concatenate([found[..., :3, 3].reshape(-1, 3), np.zeros((1, 3))]), axis=0)))
    away = np.abs(found[..., :3, 3][:, ours] - places[:, theirs] @ axes.T).max() / (size or 1.0)
    return float(max(away, np.abs(found[..., :3, :3][:, ours] - axes @ turns[:, theirs] @ mirror).max()))


def _worlds(told: dict[str, Any], local: Any) -> tuple[Any, Any]:
    """Positions `[frame, node, 3]` in metres and rotations, by ufbx's local transforms and inherit modes."""
    linear, plain, scales, places, turns = [], [], [], [], []
    for i, (parent, heir) in enumerate(zip(told["parents"], told["heirs"], strict=True)):
        shift, turn, scale = local[:, i, :3], matrix_from_wxyz(local[:, i, 3:7]), local[:, i, 7:]
        base, above = (linear[parent], places[parent]) if parent >= 0 else (np.eye(3), np.zeros(3))
        if parent >= 0 and told["modes"][i]:
            base, shift = plain[parent], shift * scales[parent]
            scale = scale * scales[heir] if heir >= 0 else scale
        plain.append(base @ turn)
        scales.append(scale)
        linear.append(plain[i] * scale[..., None, :])
        places.append(above + (base @ shift[..., None])[..., 0])
        turns.append((turns[parent] if parent >= 0 else np.eye(3)) @ turn)
    return told["meters"] * np.stack(places, axis=1), np.stack(turns, axis=1)


def speed(options: argparse.Namespace) -> Iterable[Row]:
    """A recorded walk, repeated, as FBX."""
    path = options.data / _CLIP
    if not path.exists():
        raise Skipped(f"{_CLIP} is not in the data")
    figure = posable.load(path)
    clip = figure.clips[0]
    clip = replace(clip, q=np.concatenate([clip.q] * (_LONG // len(clip) + 1))[:_LONG])
    with tempfile.TemporaryDirectory() as folder:
        posable.save(Path(folder, "long.fbx"), replace(figure, source=None, clips=Clips([clip])))
        took = []
        for _ in range(12):
            start = time.process_time()
            posable.load(Path(folder, "long.fbx"))
            took.append(time.process_time() - start)
    told = f"{1000 * min(took):.0f} ms"
    yield Row(
        f"FBX of {_LONG:,} frames, {len(figure.skeleton.joints)} joints, opens", "≤ 60 ms", told, min(took) <= _OPENS
    )


def written(options: argparse.Namespace) -> Iterable[Row]:
    """Characters as FBX and USD, as Blender imports them: all joints in all frames, vertices in two."""
    if not options.blender:
        raise Skipped("--blender names no Python with bpy")
    files = [options.data / f"characters/{name}.glb" for name in _CHARACTERS]
    files = [str(path) for path in files if path.exists()]
    for ending in (".fbx", ".usda"):
        command = [sys.executable, str(_BLENDER), options.blender, *files, "--as", ending]
        table = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
        rows = [line.split("|")[1:-1] for line in table.splitlines()[2:]]
        joints, vertices = (max(float(row[k]) for row in rows) for k in (3, 4))
        told = f"{len(rows)} characters: joints {joints:.0e}, vertices {vertices:.0e}"
        yield Row(f"written as {ending}, opened by Blender", "1e-5", told, max(joints, vertices) <= 1e-5)
