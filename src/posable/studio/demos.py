"""Demonstrations: figures with options and methods, whose goals are moved by held arrow keys."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import posable
from posable.figures import merge_figures
from posable.studio.document import Document, Options
from posable.studio.opening import document_of
from posable.studio.records import MessageError

_PLAIN = Options()


@dataclass(frozen=True)
class Demo:
    """figure: a built-in one. method: of its goal. speed: of the goal while a key is held, reaches per second.

    race: methods; one copy of the figure for each, side by side, whose goals all move together.
    """

    figure: str
    method: str = "LeastSquares"
    options: Options = _PLAIN
    speed: float = 0.5
    race: tuple[str, ...] = ()


_RACERS = ("LeastSquares", "DampedLeastSquares", "CyclicDescent", "PseudoInverse", "Transpose")
DEMOS = {
    "snake": Demo("snake", "VirtualForce", Options(elasticity=1e-3)),
    "tentacle": Demo("tentacle", options=Options(comfort=True)),
    "telescope": Demo("telescope", "CyclicDescent"),
    "doorbell arm": Demo("doorbell_arm", speed=0.3),
    "robot arm": Demo("arm7", "DampedLeastSquares"),
    "methods racing": Demo("arm6", speed=0.3, race=_RACERS),
}

KEYS = {
    "ArrowLeft": (-1, 0, 0),
    "ArrowRight": (1, 0, 0),
    "ArrowUp": (0, 1, 0),
    "ArrowDown": (0, -1, 0),
    "PageUp": (0, 0, -1),
    "PageDown": (0, 0, 1),
}
"""The direction in which a held key moves the goal: right, up, towards the viewer."""


def demo_document(name: str) -> Document:
    """The document of a demonstration, with the text of its figure. Raises PosableError."""
    if name not in DEMOS:
        raise posable.PosableError(f"unknown demonstration {name[:40]!r} (choose from {', '.join(DEMOS)})")
    demo = DEMOS[name]
    if demo.race:
        return _race(name, demo)
    document = document_of(posable.figure(demo.figure), demo.figure)
    goals = (replace(document.goals[0], method=demo.method), *document.goals[1:])
    return replace(document, goals=goals, options=demo.options, demo=name, text=text_of(document.figure))


def _race(name: str, demo: Demo) -> Document:
    """One figure per method, side by side, each with a goal of its own."""
    runner = document_of(posable.figure(demo.figure), demo.figure)
    skeleton, end = runner.figure.skeleton, runner.goals[0]
    side = np.array([1.0, 0.0, 0.0] if skeleton.up == "y" else [0.0, 1.0, 0.0]) * (0.8 * skeleton.reach)
    stands = {method: tuple((side * (k - (len(demo.race) - 1) / 2)).tolist()) for k, method in enumerate(demo.race)}
    figure = replace(merge_figures(dict.fromkeys(demo.race, runner.figure), stands), name=name)
    document = document_of(figure, name)
    goals = []
    for method, stand in stands.items():
        x, y, z = (np.array(end.position) + stand).tolist()
        goals.append(replace(end, name=method, joint=f"{method}/{end.joint}", position=(x, y, z), method=method))
    return replace(document, goals=tuple(goals), demo=name)


def driven_goals(document: Document) -> int:
    """How many goals held keys move: the first one, or all of a race."""
    demo = DEMOS.get(document.demo or "")
    return len(document.goals) if demo is not None and demo.race else 1


def text_of(figure: posable.Figure) -> str:
    """The figure as a text description."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.toml"
        posable.save(path, figure)
        return path.read_text(encoding="utf-8")


def direction_of(held: set[str], up: str) -> np.ndarray:
    """`[3]` the direction, of length 1 or 0, in which held keys move a goal."""
    across = sum((np.array(KEYS[key], float) for key in held), np.zeros(3))
    length = float(np.linalg.norm(across))
    x, y, z = across / length if length else across
    return np.array([x, y, z]) if up == "y" else np.array([x, -z, y])


def checked_key(key: str) -> str:
    """The key. Raises MessageError where it moves nothing."""
    if key not in KEYS:
        raise MessageError(f"the key {key[:20]!r} moves nothing; {', '.join(KEYS)} do")
    return key
