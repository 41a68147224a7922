"""Poses that the recordings lack: people who sit and kneel, made of recorded upper bodies and legs that are drawn."""

from __future__ import annotations

import numpy as np

from benchmarks.natural.recordings import Numbers, P, S, positions
from posable.natural.body import about_up, facing
from posable.spatial import normalized

_SHARE = 0.15  # of the poses
_KNEES, _BOTH = 0.3, 0.1  # share of them that kneel, and on both knees
_ON_THIGHS = 0.4  # share of those who sit whose hands lie on their thighs
_UPPER = [S[part] for part in ("chest", "head")]
_UPPER += [S[f"{part}_{side}"] for side in "lr" for part in ("shoulder", "upper_arm", "lower_arm", "hand")]
_FEET = ("foot_l", "foot_r")


class Seats:
    """How some of a batch of poses sit or kneel.

    Args:
        count: Of the batch.
        rng: What draws them.
    """

    def __init__(self, count: int, rng: np.random.Generator) -> None:
        self.chosen = np.flatnonzero(rng.random(count) < _SHARE)
        size = len(self.chosen)
        kind = rng.random(size)
        kneels = np.stack([kind < _KNEES, kind < _BOTH], axis=1)[:, ::-1]
        swap = rng.random(size) < 0.5
        kneels[swap] = kneels[swap, ::-1]
        self._sits = kind >= _KNEES
        self._hands = self._sits & (rng.random(size) < _ON_THIGHS)
        both = np.radians(rng.normal([[85.0, 5.0]], [[12.0, 14.0]], (size, 2)))[:, None]
        both = both + np.radians(rng.normal(0.0, 4.0, (size, 2, 2)))
        knee = np.radians(rng.normal([5.0, -88.0], [14.0, 8.0], (size, 2, 2)))
        self._pitch = np.where(kneels[..., None], knee, both)  # of thighs and shins, forward
        self._foot = np.where(kneels, np.radians(rng.uniform(40.0, 90.0, (size, 2))), 0.0)
        self._outward = np.radians(rng.normal(9.0, 9.0, (size, 2))) * (1.0, -1.0)
        self._tilt = np.radians(rng.normal(-6.0, 8.0, size)) * self._sits
        self._lean = np.radians(np.where(self._sits, rng.normal(4.0, 10.0, size), rng.normal(3.0, 6.0, size)))
        self._along = rng.uniform(0.5, 1.05, (size, 2))
        self._above = rng.uniform(0.08, 0.16, (size, 2))
        self._told = rng.random(size)

    def seated(self, turns: Numbers, measures: Numbers) -> None:
        """Let the chosen ones of `turns [pose, segment, 3, 3]` sit, on bodies of these measures."""
        own = turns[self.chosen]
        ahead = about_up(facing(own))
        chest = ahead @ _pitched(-self._lean)
        own[:, _UPPER] = (chest @ np.swapaxes(own[:, S["chest"]], -1, -2))[:, None] @ own[:, _UPPER]
        own[:, S["hips"]] = ahead @ _pitched(-self._tilt)
        for k, side in enumerate("lr"):
            way = ahead @ about_up(self._outward[:, k])
            for n, part in enumerate(("upper_leg", "lower_leg")):
                own[:, S[f"{part}_{side}"]] = way @ _pitched(self._pitch[:, k, n])
            own[:, S[f"foot_{side}"]] = own[:, S[f"toes_{side}"]] = way @ _pitched(-self._foot[:, k])
        places = positions(own, measures[self.chosen])
        for k, side in enumerate("lr"):
            self._lay_hand(own, places, measures[self.chosen], ahead, k, side)
        turns[self.chosen] = own

    def _lay_hand(self, own: Numbers, places: Numbers, measures: Numbers, ahead: Numbers, k: int, side: str) -> None:
        """Hands on thighs: two bones by the law of cosines, the elbow out and back."""
        out = 1.0 - 2.0 * k
        upper, fore = measures[:, 1:2], measures[:, 2:3]
        elbow, knee = places[:, P[f"lower_arm_{side}"]], places[:, P[f"lower_leg_{side}"]]
        arm = out * own[:, S[f"upper_arm_{side}"], :, 0]
        shoulder = elbow - upper * arm
        hip = knee + measures[:, :1] * own[:, S[f"upper_leg_{side}"], :, 1]
        share = self._along[:, k, None]
        wanted = hip + share * (knee - hip) + self._above[:, k, None] * (0.0, 1.0, 0.0) - shoulder
        far = np.linalg.norm(wanted, axis=1, keepdims=True)
        straight = np.clip(far, np.abs(upper - fore) + 0.01, upper + fore - 0.01)
        way = wanted / far
        pole = np.einsum("nij,j->ni", ahead, np.array([0.6 * out, -0.5, -0.6]))
        pole = normalized(pole - (pole * way).sum(axis=1, keepdims=True) * way)
        cosine = (upper**2 + straight**2 - fore**2) / (2 * upper * straight)
        first = cosine * way + np.sqrt(np.maximum(1 - cosine**2, 0.0)) * pole
        second = normalized(straight * way - upper * first)
        hinge = normalized(np.cross(second - (second * first).sum(axis=1, keepdims=True) * first, out * first))
        laid = self._hands & (far[:, 0] < upper[:, 0] + fore[:, 0])
        for part, bone in (("upper_arm", first), ("lower_arm", second), ("hand", second)):
            turned = np.stack([out * bone, hinge, np.cross(out * bone, hinge)], axis=2)
            segment = S[f"{part}_{side}"]
            own[:, segment] = np.where(laid[:, None, None], turned, own[:, segment])

    def say(self, known: Numbers, turned: Numbers) -> None:
        """Of half of them the hips and feet are known, and of some of these the hands as well; of all others the feet:
        nobody is to be thought to sit of whom these are not known.
        """
        known[self.chosen[:, None], [P[foot] for foot in _FEET]] = True
        for at, told, hands in zip(self.chosen.tolist(), self._told.tolist(), self._hands.tolist(), strict=True):
            if told < 0.5:
                known[at], turned[at] = False, False
                points = ["hips", *_FEET, *(("hand_l", "hand_r") if hands or told < 0.15 else ())]
                known[at, [P[point] for point in points]] = True
                turned[at, [P[foot] for foot in _FEET]] = told < 0.4


def _pitched(angle: Numbers) -> Numbers:
    """`[..., 3, 3]` rotations about the left axis that bring what points down forward."""
    turns = np.zeros((*angle.shape, 3, 3))
    turns[..., 0, 0] = 1.0
    turns[..., 1, 1] = turns[..., 2, 2] = np.cos(angle)
    turns[..., 1, 2], turns[..., 2, 1] = np.sin(angle), -np.sin(angle)
    return turns
