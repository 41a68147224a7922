"""What figures learn from their own clips: the second table of docs/natural.md.

    python -m benchmarks.natural.learnt [--folder ../shared/data] [--write]

Each figure learns from every second clip, or from every second frame, and is asked for poses of the others: its ends,
or its front ends and head, are where they are there, and so are the joints that carry the whole body.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import posable
from benchmarks.natural.__main__ import PAGE
from posable.clips import Clip
from posable.figures.effectors import ends, feet, hands

BEGIN, END = "<!-- the second table begins -->\n", "<!-- the second table ends -->\n"
FIGURES = ("Fox", "Q_Wolf", "Q_Spider", "RobotExpressive")
POSES = 100


def rows(figure: posable.Figure, name: str) -> Iterator[str]:
    """One for each half that it learns from and each set of ends."""
    clips = list(figure.clips)
    by_frame = [Clip(clip.skeleton, clip.q[0::2], clip.fps / 2) for clip in clips]
    halves = {
        "clips": (clips[0::2], np.concatenate([clip.q for clip in clips[1::2]])),
        "frames": (by_frame, np.concatenate([clip.q[1::2] for clip in clips])),
    }
    every = _ends(figure)
    for half, (learnt, unseen) in halves.items():
        knows = posable.Natural.learn(figure, learnt)
        truth = posable.Pose(knows.skeleton, unseen[:: max(1, len(unseen) // POSES)])
        for said, asked in (("all", every), ("front, head", _front(figure, every))):
            errors = [_error(knows, truth, asked, more) for more in ([], [posable.Natural()])]
            told = " | ".join(f"{metres:.2f} %, {degrees:.1f}°" for metres, degrees in errors)
            yield f"| {name} | {half} | {said} | {told} |"


def _ends(figure: posable.Figure) -> list[str]:
    roles = posable.roles(figure)
    found = [*hands(roles).values(), *feet(roles).values(), *([roles["head"]] if "head" in roles else [])]
    return list(dict.fromkeys(found if len(found) > 2 else [*found, *ends(figure.skeleton)]))


def _front(figure: posable.Figure, every: list[str]) -> list[str]:
    """The foremost half of the ends, hands first."""
    roles = posable.roles(figure)
    held = set(hands(roles).values())
    ahead = figure.rest.origins[[figure.skeleton.index(end) for end in every]] @ np.asarray(roles.forward)
    order = np.argsort([-place - (1e9 if end in held else 0.0) for end, place in zip(every, ahead, strict=True)])
    chosen = {every[k] for k in order[: (len(every) + 1) // 2]} | ({roles["head"]} if "head" in roles else set())
    return [end for end in every if end in chosen]


def _error(
    figure: posable.Figure, truth: posable.Pose, asked: list[str], more: Sequence[posable.Goal]
) -> tuple[float, float]:
    """Mean of the deforming joints that no goal asks for: % of the figure's height, degrees in the parent's frame."""
    skeleton, uses = figure.skeleton, posable.joint_uses(figure)
    carriers = [set(skeleton.chain(end)) for end in asked]
    frozen = [j for j in set.intersection(*carriers) if skeleton.definitions[j].floating]
    start = np.repeat(figure.rest.q[None], len(truth), axis=0)
    for j in frozen:
        first, end = skeleton.tables.first_coordinate[j : j + 2]
        start[:, first:end] = truth.q[:, first:end]
    goals = [posable.Reach(end, truth.origins[:, skeleton.index(end)]) for end in asked]
    names = [skeleton.joints[j] for j in frozen]
    solved = posable.solve(posable.Pose(skeleton, start), [*goals, *more], frozen=names).pose
    others = [j for j, name in enumerate(skeleton.joints) if uses[name] == "deforming" and name not in asked]
    away = np.linalg.norm((solved.origins - truth.origins)[:, others], axis=-1).mean()
    return 100 * float(away) / (figure.height or skeleton.reach), _degrees(solved, truth, others)


def _degrees(one: posable.Pose, other: posable.Pose, joints: list[int]) -> float:
    turns = []
    for pose in (one, other):
        world = pose.world_from_joint[..., :3, :3]
        parents = np.maximum(pose.skeleton.parents, 0)
        turns.append(np.swapaxes(world[:, parents[joints]], -1, -2) @ world[:, joints])
    trace = np.einsum("njik,njik->nj", *turns)
    return float(np.degrees(np.arccos(np.clip((trace - 1) / 2, -1, 1))).mean())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.natural.learnt", description=__doc__)
    parser.add_argument("--folder", type=Path, default=PAGE.parents[1] / "../shared/data")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    table = ["| figure | half | asked for | without | with `Natural()` |", "|---|---|---|---|---|"]
    for name in FIGURES:
        for row in rows(posable.load(options.folder / "characters" / f"{name}.glb"), name):
            print(row, flush=True)
            table.append(row)
    if options.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        text = "\n".join(table)
        PAGE.write_text(f"{head}{BEGIN}{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
