"""Where the joints of a fish are: along its middle, the tail fin behind its thinnest part, fins beside it."""

from __future__ import annotations

import numpy as np

from posable.skeleton import Joint
from posable.skin.fitting import body_parts as limbs
from posable.skin.fitting.body_parts import Places
from posable.skin.fitting.template import Evidence, Found, Template
from posable.skin.fitting.upright_voxels import Stage, Voxels
from posable.spatial import Array

_PEDUNCLE = (0.04, 0.45)  # of the length from the tail's end: where the thinnest part is sought
_HEAD = 0.26  # of the length from the snout to the tail fin: head and gills
_ALONG = {"tail_1": 0.4, "tail_2": 0.72}  # of the distance from the root to the tail fin
_CHEST = 0.5  # of the distance from the root to the head
_FINS = (0.35, 0.95)  # of the length: where fins beside the body are sought
_FIN = 1.35  # times the body's half width, that fins reach
_STANDS = 0.3  # of the height, that legs leave free under the middle
_TAIL = ("tail_1", "tail_2", "tail_fin", "tail_tip")


def find_fish(stage: Stage) -> Found:
    """The positions of the middle and of the left side, in voxels from the mirror plane; see `Template.find`."""
    half = stage.half
    area = np.convolve(half.sum(axis=(0, 1)), np.ones(3) / 3, "same")
    behind, front = _thinnest(area), _thinnest(area[::-1])
    fin, other = area[: behind + 1].max(), area[::-1][: front + 1].max()
    forked, odd = (1 - area[k[0]] / max(k[1], 1.0) for k in ((behind, fin), (len(area) - 1 - front, other)))
    heavy = float(np.arange(len(area)) @ area / max(area.sum(), 1.0) / max(len(area) - 1, 1) - 0.5)
    places = _middle(half, area, behind)
    fins, seen = _fins(half, places)
    places |= {name: place + np.array([stage.half_offset, 0.0, 0.0]) for name, place in fins.items()}
    return places, _evidence(half, forked, seen), float(heavy / 0.1 + forked - odd)


def _thinnest(area: Array) -> int:
    """Where the section near the first end is smallest beside what is between it and that end: the ends of a forked fin
    are thin as well.
    """
    first, last = (int(share * len(area)) for share in _PEDUNCLE)
    beside = area / np.maximum(np.maximum.accumulate(area), 1.0)
    return first + int(np.argmin(beside[first : max(last, first + 1)]))


def _middle(half: Voxels, area: Array, behind: int) -> Places:
    """Along the middles of the sections from snout to tail."""
    heights = np.arange(half.shape[1])
    known = np.flatnonzero(half.any(axis=(0, 1)))
    wide = half.sum(axis=0).astype(float)
    core = np.minimum(wide, np.median(wide[wide > 0])) ** 2  # fins on the back and under the belly are thin
    level = np.interp(np.arange(len(area)), known, (heights @ core)[known] / core.sum(axis=0)[known])
    level = np.convolve(np.pad(level, 4, "edge"), np.ones(9) / 9, "valid")

    def at(ahead: float) -> Array:
        return np.array([0.0, np.interp(ahead, np.arange(len(level)), level), ahead])

    snout, end = float(known[-1]), float(known[0])
    body = area[behind:]
    root = behind + float(np.arange(len(body)) @ body / max(body.sum(), 1.0))
    head = max(snout - _HEAD * (snout - behind), root + 1)
    found = {"root": root, "chest": root + _CHEST * (head - root), "head": head, "head_tip": snout}
    found |= {name: root + share * (behind - root) for name, share in _ALONG.items()}
    return {name: at(place) for name, place in (found | {"tail_fin": float(behind), "tail_tip": end}).items()}


def _fins(half: Voxels, places: Places) -> tuple[Places, bool]:
    """Root and tip of the fin beside the body, and whether one is seen."""
    wide = np.where(half.any(axis=1), np.arange(len(half))[:, None], -1).max(axis=0)
    body = float(np.median(wide[wide >= 0])) if (wide >= 0).any() else 1.0
    first, last = (int(share * len(wide)) for share in _FINS)
    ahead = first + int(np.argmax(wide[first:last])) if last > first else first
    seen = wide[ahead] > _FIN * body + 2
    chest = places["chest"]
    if not seen:
        root = chest + body * np.array((1.0, -0.2, 0.0))
        return {"fin": root, "fin_tip": root + body * np.array((0.8, -0.5, -0.8))}, False
    tip = np.array([wide[ahead], np.argwhere(half[wide[ahead] - 1 :, :, ahead])[:, 1].mean(), ahead])
    root = np.array([body, 0.5 * (tip[1] + chest[1]), 0.6 * ahead + 0.4 * chest[2]])
    return {"fin": root, "fin_tip": tip}, True


def _evidence(half: Voxels, forked: float, seen: bool) -> list[Evidence]:
    _, height, length = half.shape
    slim = length / max(height, 2 * len(half))
    free = _free_below(half)
    return [
        Evidence("no tail fin behind a thin part is seen", float(np.clip(forked / 0.5, 0, 1)), 0.15, ("tail_fin",)),
        Evidence(
            "it is not as long as fishes are for their height and width",
            float(np.exp(-0.5 * (np.log(slim / 2.4) / 0.55) ** 2)),
            0.2,
        ),
        Evidence("it stands on legs, as no fish does", 1 - free / _STANDS, 0.05),
        Evidence("no fins are seen beside the body; theirs are a guess", float(seen), 0.85, ("fin", "fin_tip")),
    ]


def _free_below(half: Voxels) -> float:
    """The share of the height that is free under the middle and filled beside it, as between legs, on the mean over
    the tenth of the length where that is most.
    """
    height = half.shape[1]
    parts = (half[:2].any(axis=0), half.any(axis=0))
    lowest = [np.where(part.any(axis=0), part.argmax(axis=0), height) for part in parts]
    free = np.sort(np.where(lowest[1] < height, np.minimum(lowest[0], height) - lowest[1], 0))
    return float(free[-max(len(free) // 10, 1) :].mean() / height)


def _joints(body: limbs.Body) -> list[Joint]:
    joints = [body.free("root", ("body",))]
    for name, parent, after, swing in (
        ("chest", "root", "head", 15), ("head", "chest", "head_tip", 15), ("tail_1", "root", "tail_2", 35),
        ("tail_2", "tail_1", "tail_fin", 45), ("tail_fin", "tail_2", "tail_tip", 50),
    ):  # fmt: skip
        tip = after if after.endswith("_tip") else ""
        joints.append(body.ball(name, parent, body.towards(name, after), swing, (-10, 10), tip=tip))
    for side in "lr":
        fin, tip = f"fin_{side}", f"fin_tip_{side}"
        joints.append(body.ball(fin, "chest", body.towards(fin, tip), 60, (-40, 40), tip=tip))
    return joints


FISH = Template(
    find_fish,
    ("root", "chest", "head", "head_tip", *_TAIL),
    ("fin", "fin_tip"),
    (("root", "chest", "head", "head_tip"), ("root", *_TAIL), ("fin", "fin_tip")),
    (),
    _joints,
)
