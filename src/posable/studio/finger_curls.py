"""Fingers of a hand as the page shows them: their curl and spread."""

from __future__ import annotations

import posable
from posable.figures.fingers import FINGERS, bends_of, bent
from posable.studio.schema import Hand


def hands_of(figure: posable.Figure, pose: posable.Pose) -> list[Hand]:
    """The hands that have fingers, as they are posed."""
    found: list[Hand] = []
    for side, bends in bends_of(figure).items():
        rotations = bent(figure, pose, bends)
        names = [name for k, name in enumerate(FINGERS) if any(bend.finger == k for bend in bends)]
        curls = []
        for name in names:
            own = [
                (rotation, bend)
                for rotation, bend in zip(rotations, bends, strict=True)
                if FINGERS[bend.finger] == name
            ]
            curls.append(round(float(sum(t @ b.axis for t, b in own) / sum(b.full for _, b in own)) + 0.0, 3))
        wide = [
            (float(t @ b.aside), b.most)
            for t, b in zip(rotations, bends, strict=True)
            if b.aside is not None and b.finger
        ]
        spread = sum(a * m for a, m in wide) / max(sum(m * m for _, m in wide), 1e-12)
        joint = posable.roles(figure)[f"hand_{side}"]
        found.append(
            {"side": side, "joint": joint, "fingers": names, "curls": curls, "spread": round(float(spread) + 0.0, 3)}
        )
    return found
