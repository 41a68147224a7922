"""What a generated walk shows: angles, soles, contacts, told in leg lengths and the figure's own directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posable import Clip, Figure
from posable.motion.gait.anatomy import Body, Leg, measure
from posable.spatial import rigid_inverse


@dataclass
class Shown:
    """places `[frame, joint, 3]`; soles per leg `[frame, point, 3]`: heel, ball on the ground, tip."""

    body: Body
    places: np.ndarray
    soles: list[np.ndarray]

    def of(self, role: str) -> np.ndarray:
        return self.places[:, self.body.roles.index(role)]

    @property
    def lowest(self) -> np.ndarray:
        """`[leg, frame]` the height of the lowest point of each sole."""
        return np.array([sole[..., 1].min(axis=1) for sole in self.soles])


def shown(figure: Figure, clip: Clip) -> Shown:
    body = measure(figure)
    to_own = lambda points: (points - body.origin) @ body.to_body.T / body.length  # noqa: E731
    soles = [to_own(_sole(figure, clip, body, leg)) for leg in body.legs]
    return Shown(body, to_own(clip.poses.origins), soles)


def _sole(figure: Figure, clip: Clip, body: Body, leg: Leg) -> np.ndarray:
    under = np.array([leg.ball[0], leg.heel[1], leg.ball[2]])
    carriers = (leg.foot, leg.toes if leg.toes >= 0 else leg.foot, leg.toes if leg.toes >= 0 else leg.foot)
    moved = []
    for joint, point in zip(carriers, (leg.heel, under, leg.tip), strict=True):
        joint = joint if joint >= 0 else leg.joints[-1]
        carry = clip.poses.world_from_joint[:, joint] @ rigid_inverse(figure.rest.world_from_joint[joint])
        world = body.to_body.T @ point + body.origin
        moved.append(carry[:, :3, :3] @ world + carry[:, :3, 3])
    return np.stack(moved, axis=1)


def leg_angles(seen: Shown, side: str) -> np.ndarray:
    """`[frame, 3]` degrees of thigh (forward of straight down), knee (bent) and ankle."""
    hip, knee, ankle, toes = (seen.of(f"{part}_{side}") for part in ("upper_leg", "lower_leg", "foot", "toes"))
    thigh, shin = (np.arctan2(bone[:, 2], -bone[:, 1]) for bone in (knee - hip, ankle - knee))
    foot = np.unwrap(np.arctan2((toes - ankle)[:, 1], (toes - ankle)[:, 2]))
    return np.degrees(np.stack([thigh, thigh - shin, foot - shin], axis=1))


def standing(sole: np.ndarray, tolerance: float = 1e-7) -> np.ndarray:
    """`[frame]` whether some point of the sole stays where it is from this frame to the next."""
    still = np.linalg.norm(np.diff(sole, axis=0), axis=2).min(axis=1) < tolerance
    return np.append(still, still[-1])
