"""Trains the network that says how deep key points of a picture are: makes src/posable/motion/key_points/depth.npz.

    python -m benchmarks.natural.lift [--folder ../shared/data/mocap_cmu] [--without FILE] [--out FILE] [--steps N]

NumPy alone, seeded, one thread; some fifteen minutes. It prints the SHA-256 of what it wrote. FILE of --without lists
the names of recordings that are left out, one a line.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import time
from pathlib import Path
from typing import NamedTuple

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")  # sums in one order

import numpy as np  # noqa: E402
from scipy.spatial.transform import Rotation  # noqa: E402

import posable  # noqa: E402
from benchmarks.natural.recordings import Numbers, person_of  # noqa: E402
from benchmarks.natural.train import Trained  # noqa: E402
from posable.motion.key_points.convention_tables import attachments_of  # noqa: E402
from posable.motion.key_points.depth import BEFORE, GROUPS, POINTS, SPACING, described  # noqa: E402

ROOT = Path(__file__).parents[2]
BATCH, STEPS, RATE = 512, 26_000, 1.5e-3
FPS = 30.0
HEIGHT = 1.7
_TREE = (  # point, the one that it hangs on, and which of the lengths it has
    ("neck", "pelvis", 0), ("hip", "pelvis", 1), ("knee", "hip", 2), ("ankle", "knee", 3), ("heel", "ankle", 4),
    ("toe", "ankle", 4), ("shoulder", "neck", 5), ("elbow", "shoulder", 6), ("wrist", "elbow", 7), ("nose", "neck", 8),
    ("ear", "neck", 8), ("crown", "neck", 8),
)  # fmt: skip
LENGTHS = 9
_TRUNK = ("nose", "ear", "crown", "shoulder", "elbow", "wrist")
_INDEX = {name: k for k, name in enumerate(POINTS)}


class Recorded(NamedTuple):
    """Recordings one behind the other, at 30 frames a second, y up, people 1.7 m tall."""

    places: Numbers  # [frame, point, 3]
    first: Numbers  # [frame] where its recording begins
    last: Numbers  # [frame] where it ends


def read(paths: list[Path]) -> Recorded:
    """The places of key points in recordings."""
    places, first, last, count = [], [], [], 0
    for path in paths:
        figure = posable.load(path)
        clip = figure.clips[0].resample(FPS)
        carriers, offsets = attachments_of(figure, POINTS)
        world = clip.poses.world_from_joint[:, carriers]
        own = (world[..., :3, :3] @ offsets[:, :, None])[..., 0] + world[..., :3, 3]
        own = (HEIGHT / figure.height * (own - own[:1, :1])).astype(np.float32)
        places.append(own)
        first.append(np.full(len(own), count))
        count += len(own)
        last.append(np.full(len(own), count - 1))
    return Recorded(*(np.concatenate(one) for one in (places, first, last)))


def _lengthened(places: Numbers, factors: Numbers) -> Numbers:
    """The places `[..., point, 3]` with other lengths, `[batch, LENGTHS]`, the same left and right."""
    sides = [_INDEX["hip_l"], _INDEX["hip_r"]], [_INDEX["shoulder_l"], _INDEX["shoulder_r"]]
    before = {"pelvis": places[..., sides[0], :].mean(axis=-2), "neck": places[..., sides[1], :].mean(axis=-2)}
    after, out = {"pelvis": before["pelvis"]}, np.empty_like(places)
    for name, parent, length in _TREE:
        factor = factors[:, length][:, None, None]
        for side in ("_l", "_r", ""):
            own, above = name + side, parent + side if parent + side in after else parent
            if (name != "neck" and own not in _INDEX) or (name == "neck" and side):
                continue
            here = before.get(own, places[..., _INDEX[own], :] if own in _INDEX else None)
            there = before.get(above, places[..., _INDEX[above], :] if above in _INDEX else None)
            after[own] = after[above] + factor * (here - there)
            if own in _INDEX:
                out[..., _INDEX[own], :] = after[own]
    return out


def _turns(count: int, rng: np.random.Generator) -> Numbers:
    """`[batch, 3, 3]` from the world, y up, to cameras that look along -z: any facing, tilted and rolled a little."""
    yaw = rng.uniform(-np.pi, np.pi, count)
    tilt = rng.normal(0.12, 0.22, count)
    roll = rng.normal(0.0, 1.0, count) * np.where(rng.random(count) < 0.3, 0.3, 0.06)
    cy, sy, ct, st, cr, sr = (f(a) for a in (yaw, tilt, roll) for f in (np.cos, np.sin))
    zero, one = np.zeros(count), np.ones(count)
    about_y = np.stack([cy, zero, sy, zero, one, zero, -sy, zero, cy], axis=1).reshape(-1, 3, 3)
    about_x = np.stack([one, zero, zero, zero, ct, -st, zero, st, ct], axis=1).reshape(-1, 3, 3)
    about_z = np.stack([cr, -sr, zero, sr, cr, zero, zero, zero, one], axis=1).reshape(-1, 3, 3)
    return (about_z @ about_x @ about_y).astype(np.float32)


_MIRROR = [_INDEX[name[:-1] + {"l": "r", "r": "l"}[name[-1]] if name[-2:] in ("_l", "_r") else name] for name in POINTS]


_UPPER = [k for k, name in enumerate(POINTS) if name.partition("_")[0] in _TRUNK]


def _other_trunks(recorded: Recorded, places: Numbers, steps: Numbers, rng: np.random.Generator) -> Numbers:
    """The places with the upper bodies of other moments on them, turned to the same facing."""
    at = rng.integers(0, len(recorded.places), len(places))
    other = recorded.places[np.clip(at[:, None] + steps, recorded.first[at][:, None], recorded.last[at][:, None])]
    hips = [_INDEX["hip_l"], _INDEX["hip_r"]]
    own, theirs = (one[:, BEFORE, hips[0]] - one[:, BEFORE, hips[1]] for one in (places, other))
    angle = np.arctan2(-own[:, 2], own[:, 0]) - np.arctan2(-theirs[:, 2], theirs[:, 0])
    cos, sin, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    turn = np.stack([cos, zero, sin, zero, one, zero, -sin, zero, cos], axis=1).reshape(-1, 3, 3)
    middles = [one[:, :, hips].mean(axis=2, keepdims=True) for one in (places, other)]
    found = places.copy()
    found[:, :, _UPPER] = middles[0] + np.einsum("bij,bnpj->bnpi", turn, (other - middles[1])[:, :, _UPPER])
    return found


def _other_arms(places: Numbers, rng: np.random.Generator) -> None:
    """Turn arms about their shoulders, each as a whole and the same through the window."""
    for side in "lr":
        axis = rng.normal(0.0, 1.0, (len(places), 3))
        axis *= (rng.normal(0.0, 0.5, len(places)) * (rng.random(len(places)) < 0.3))[:, None]
        turn = Rotation.from_rotvec(axis / 1.7).as_matrix().astype(np.float32)
        shoulder = places[:, :, [_INDEX[f"shoulder_{side}"]]]
        arm = [_INDEX[f"elbow_{side}"], _INDEX[f"wrist_{side}"]]
        places[:, :, arm] = shoulder + np.einsum("bij,bnpj->bnpi", turn, places[:, :, arm] - shoulder)


def draw_batch(recorded: Recorded, count: int, rng: np.random.Generator) -> tuple[Numbers, Numbers, Numbers]:
    """(what the network is told, depths `[batch, point]` to be answered, up `[batch, 3]`)."""
    at = rng.integers(0, len(recorded.places), count)
    pace = SPACING * FPS * rng.uniform(0.6, 1.5, (count, 1))  # people move as fast as others, or slower
    steps = np.round(pace * np.arange(-BEFORE, BEFORE + 1)).astype(int)
    places = recorded.places[np.clip(at[:, None] + steps, recorded.first[at][:, None], recorded.last[at][:, None])]
    mixed = rng.random(count) < 0.4
    places[mixed] = _other_trunks(recorded, places[mixed], steps[mixed], rng)
    _other_arms(places, rng)
    flip = rng.random(count) < 0.5
    places[flip] = places[flip][:, :, _MIRROR] * np.array([-1, 1, 1], np.float32)
    places = _lengthened(places, np.exp(rng.normal(0.0, 0.07, (count, LENGTHS))).astype(np.float32))
    turn = _turns(count, rng)
    lean = Rotation.from_rotvec(rng.normal(0.0, 0.1, (count, 3)) * (rng.random((count, 1)) < 0.5)).as_matrix()
    seen = np.einsum("bij,bnpj->bnpi", (turn @ lean).astype(np.float32), places - places.mean(axis=2, keepdims=True))
    distance = (1.0 / rng.uniform(0.1, 0.5, count)).astype(np.float32)[:, None, None]
    flat = seen[..., :2] * (distance / (distance - seen[..., 2]))[..., None]
    flat += rng.normal(0.0, 1.0, flat.shape) * rng.uniform(0.002, 0.02, (count, 1, 1, 1))
    known = rng.random(flat.shape[:3]) > rng.uniform(0.0, 0.15, (count, 1, 1))
    for group in GROUPS:
        lacking = rng.random(count) < 0.3
        known[:, :, [_INDEX[name] for name in group]] &= ~lacking[:, None, None]
    told, size = described(flat.astype(np.float32), known)
    hips = [_INDEX["hip_l"], _INDEX["hip_r"]]
    depth = seen[:, BEFORE, :, 2] - seen[:, BEFORE, hips, 2].mean(axis=1, keepdims=True)
    return told, depth / size[:, None], turn[:, :, 1]


def slopes(answer: Numbers, depth: Numbers, up: Numbers) -> tuple[Numbers, Numbers]:
    """(the gradient by the answer, the mean errors: of depths in sizes, of up in degrees)."""
    n, pull = depth.shape[1], np.empty_like(answer)
    off, spread = answer[:, :n] - depth, np.exp(np.clip(answer[:, n : 2 * n], -5.0, 1.0))
    smooth = np.sqrt(off * off + 1e-4)
    pull[:, :n] = off / smooth / spread
    pull[:, n : 2 * n] = 1.0 - smooth / spread
    pull[:, 2 * n :] = 8.0 * (answer[:, 2 * n :] - up)
    said = answer[:, 2 * n :] / np.linalg.norm(answer[:, 2 * n :], axis=1, keepdims=True)
    tilt = np.degrees(np.arccos(np.clip(np.sum(said * up, axis=1), -1, 1)))
    return pull / len(answer), np.array([np.abs(off).mean(), tilt.mean()])


def train(recorded: Recorded, judged: Recorded | None, steps: int) -> Trained:
    """The network."""
    rng = np.random.default_rng(0)
    told, depth, up = draw_batch(recorded, BATCH, rng)
    nothing = np.zeros(2 * depth.shape[1] + up.shape[1], np.float32)
    net, began = Trained(told.shape[1], nothing, rng), time.perf_counter()
    total = np.zeros(2)
    for step in range(steps):
        told, *wanted = draw_batch(recorded, BATCH, rng)
        layers = net.answers(told)
        pull, errors = slopes(layers[-1], *wanted)
        total += errors
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps)) * min(1.0, (step + 1) / 200)
        net.learn(layers, pull.astype(np.float32), np.float32(rate))
        if (step + 1) % 1000 == 0:
            other = ""
            if judged is not None:
                told, *wanted = draw_batch(judged, 4096, np.random.default_rng(1))
                other = np.round(slopes(net.answers(told)[-1], *wanted)[1], 4)
            print(f"{step + 1:6} {np.round(total / 1000, 4)} {other} {time.perf_counter() - began:.0f} s", flush=True)
            total[:] = 0
    return net


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description="Trains the network that says how deep key points are.")
    parser.add_argument("--folder", type=Path, default=ROOT / "../shared/data/mocap_cmu")
    parser.add_argument("--without", type=Path, help="a file of names of recordings that are left out")
    parser.add_argument("--judge", default="", help="persons left out, by whom it is judged, as in 06,09")
    parser.add_argument("--out", type=Path, default=ROOT / "src/posable/motion/key_points/depth.npz")
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    aside = {Path(line).name for line in options.without.read_text().split()} if options.without else set()
    paths = [p for p in sorted(options.folder.glob("*.bvh")) if p.name not in aside]
    judges = [p for p in paths if person_of(p) in options.judge.split(",")]
    recorded = read([p for p in paths if p not in judges])
    print(f"{len(paths) - len(judges)} recordings, {len(recorded.places):,} frames", flush=True)
    net = train(recorded, read(judges) if judges else None, options.steps)
    names = ("first", "second", "last", "first_bias", "second_bias", "last_bias")
    weights: dict[str, Numbers] = {n: one.astype(np.float16) for n, one in zip(names, net.weights, strict=True)}
    kept = io.BytesIO()
    np.savez_compressed(kept, allow_pickle=True, **weights)
    options.out.write_bytes(kept.getvalue())
    print(f"{options.out}: {len(kept.getvalue()):,} bytes, SHA-256 {hashlib.sha256(kept.getvalue()).hexdigest()}")


if __name__ == "__main__":
    main()
