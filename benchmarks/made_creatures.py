# ruff: noqa: RUF005
"""Fishes, birds and theropods made from numbers.

    python -m benchmarks.made_creatures [--count 30] [--first 0] [--auto] [--list]

As `made_bodies` makes people: proportions, fins, wings, pose, direction and scale are drawn by a seed, and the errors
of fitted skeletons are in percent of the figure's longest side, wings left out.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

import numpy as np

import posable
from benchmarks.made_surface import AHEAD, LEFT, UP, Made, Point, Solid, placed
from posable.skin import fit_template

MISFIT = 8.0  # percent of the longest side


def fish(seed: int) -> Made:
    """A fish: from an eel-like one to a moonfish. It looks along x, so that it may be narrow from side to side."""
    rng = np.random.default_rng(20_000 + seed)
    u, solid = rng.uniform, Solid()
    high, wide, at = u(0.09, 0.24), u(0.35, 0.9), u(0.05, 0.2)
    tail, stalk = u(0.12, 0.26), u(0.018, 0.035)
    stations = [(0.47, 0.35 * high), (0.3, 0.8 * high), (at, high), (-0.15, 0.65 * high), (-0.5 + tail, stalk)]
    for (a, first), (b, last) in pairwise(stations):
        solid.cone(a * LEFT, b * LEFT, first, last, max(wide, 0.02 / last))
    narrow = 0.016 / stalk
    for rise in np.linspace(-1, 1, 7):
        back = tail * (u(0.7, 0.75) + 0.3 * abs(rise))
        reach = np.array([-back, rise * u(0.1, 0.11) * (0.6 + high / 0.15), 0.0])
        solid.cone(stations[-1][0] * LEFT, stations[-1][0] * LEFT + reach, stalk, 0.018, narrow)
    for sign, tall in ((1, u(0.0, 0.14)), (-1, u(0.0, 0.1))):
        if tall > 0.04:
            for back in np.linspace(0.05, -0.2, 6):
                solid.cone(np.array([back, 0, 0]), np.array([back - 0.06, sign * (0.7 * high + tall), 0]), 0.03, 0.016)
    places = {"head": (0.5 - u(0.2, 0.28) * (1 - tail)) * LEFT, "tail_fin": stations[-1][0] * LEFT}
    told = ["no fins"]
    if rng.random() < 0.8:
        told = []
        low, out, back = u(-0.5, 0.1) * high, u(0.06, 0.2), u(0.04, 0.16)
        for side, sign in (("l", -1.0), ("r", 1.0)):
            root = np.array([0.19, low, 0.7 * sign * wide * high])
            ends = [np.array([-back * share, -0.3 * out, sign * out * (1 - 0.3 * share)]) for share in (0.3, 1.0)]
            tips = [root + end for end in ends]
            for tip in tips:
                solid.cone(root, tip, 0.03, 0.018)
            places |= {f"fin_{side}": root, f"fin_tip_{side}": np.mean(tips, axis=0)}
    return placed(Made(f"fish {seed}", "fish", solid.surface(), places, tuple(told)), rng)


class _Bird:
    """A bird as it is drawn, part after part: from a penguin to a stork."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(30_000 + seed)
        self.u, self.solid, self.told = self.rng.uniform, Solid(), list[str]()
        self.places: dict[str, Point] = {}
        self.trunk()
        self.legs()
        self.head()
        self.wings()

    def trunk(self) -> None:
        """From the rump to the chest, with a tail behind."""
        u = self.u
        pitch = np.radians(u(5, 65))
        self.way, self.round = np.array([0, np.sin(pitch), np.cos(pitch)]), u(0.26, 0.42)
        self.long = 0.4
        self.under = 0.4 * u(0.12, 0.9)  # legs
        radius = self.round * self.long
        lowest = max(0.72 * radius + 0.28 * self.long * self.way[1], 0.9 * radius)  # of the trunk, under its middle
        self.middle = (0.95 * self.under + lowest) * UP
        self.rump, self.chest = (self.middle + share * self.long * self.way for share in (-0.28, 0.28))
        self.solid.cone(self.rump, self.chest, 0.72 * radius, 0.9 * radius)
        self.tail = self.rump - 0.6 * radius * self.way
        droop = self.way * -1 + u(-0.2, 0.3) * UP
        tip = self.tail + self.long * u(0.25, 0.8) * droop / np.linalg.norm(droop)
        tip[1] = max(tip[1], 0.03)
        for sign in (-1, -0.4, 0.4, 1):
            self.solid.cone(self.tail, tip + 0.3 * radius * sign * LEFT, 0.3 * radius, 0.017)
        self.places |= {"root": self.middle, "tail": self.tail, "tail_tip": tip}

    def legs(self) -> None:
        """Thighs within the body, ankles that bend back, three toes ahead."""
        u = self.u
        radius, thick, out = self.round * self.long, u(0.016, 0.032), u(0.3, 0.55)
        knee, back, foot = u(0.75, 1.1), u(0.0, 0.12), u(0.07, 0.15)
        for side, sign in (("l", 1.0), ("r", -1.0)):
            across = sign * out * radius * LEFT
            ankle = across + (0, 0.45 * self.under, -back)
            hip, top = self.middle + across - 0.1 * self.long * self.way, across + knee * self.under * UP + 0.02 * AHEAD
            toe = across + (0, 0.018, -0.3 * back)
            self.solid.line([hip, top, ankle, toe], [0.3 * radius, max(1.6 * thick, 0.2 * radius), thick, thick])
            for turn in (-0.5, 0, 0.5):
                self.solid.cone(toe, toe + foot * np.array([np.sin(turn), 0, np.cos(turn)]), 0.019, 0.016)
            self.places |= {f"thigh_{side}": hip, f"foot_{side}": ankle, f"toe_{side}": toe}

    def head(self) -> None:
        """Neck, skull and beak."""
        u = self.u
        radius, size = self.round * self.long, u(0.045, 0.11)
        rise = np.radians(u(35, 85))
        neck = self.chest + 0.55 * radius * np.array([0, np.sin(rise), np.cos(rise)])
        skull = neck + (size + self.long * self.rng.choice([u(0.0, 0.25), u(0.25, 1.1)])) * np.array(
            [0, np.sin(rise), np.cos(rise)]
        )
        width = min(size, radius) * u(0.5, 0.8)
        self.solid.line([self.chest, neck, skull], [0.9 * radius, max(width, 0.02) * 1.2, max(width, 0.02)])
        self.solid.ball(skull, size)
        beak = skull + (size * u(1.3, 3.2)) * np.array([0, u(-0.5, 0.1), 1.0])
        self.solid.cone(skull, beak, 0.55 * size, 0.016)
        self.places |= {"neck": neck, "head": skull - 0.5 * size * np.array([0, np.sin(rise), np.cos(rise)])}
        self.places["head_tip"] = beak

    def wings(self) -> None:
        """Spread, or folded along the sides."""
        u, radius = self.u, self.round * self.long
        up = np.cross(self.way, LEFT)
        spread = self.rng.random() < 0.5
        self.told.append("wings spread" if spread else "wings folded")
        span, chord, lift = u(0.35, 0.8), u(0.1, 0.2), np.radians(u(-10, 35))
        for side, sign in (("l", 1.0), ("r", -1.0)):
            shoulder = self.middle + 0.2 * self.long * self.way + 0.3 * radius * up + sign * 0.75 * radius * LEFT
            self.places[f"wing_1_{side}"] = shoulder
            if not spread:
                side = self.rump + sign * 0.72 * radius * LEFT
                end = side - 0.3 * self.long * self.way
                self.solid.line([shoulder, side, end], [0.3 * radius, 0.3 * radius, 0.02])
                continue
            out = np.cos(lift) * sign * LEFT + np.sin(lift) * UP
            elbow, wrist = shoulder + 0.3 * span * out - 0.03 * AHEAD, shoulder + 0.58 * span * out + 0.02 * AHEAD
            tip = shoulder + span * out - 0.05 * AHEAD
            self.solid.line([shoulder, elbow, wrist, tip], [0.03, 0.026, 0.022, 0.018])
            for share in np.linspace(0.05, 1, 12):
                root = shoulder + share * (tip - shoulder)
                self.solid.cone(root, root - chord * (1 - 0.4 * share) * AHEAD, 0.022, 0.017)
            self.places |= {f"wing_2_{side}": elbow, f"wing_3_{side}": wrist, f"wing_tip_{side}": tip}


def bird(seed: int) -> Made:
    """A bird that stands."""
    made = _Bird(seed)
    return placed(Made(f"bird {seed}", "bird", made.solid.surface(), made.places, tuple(made.told)), made.rng)


def theropod(seed: int) -> Made:
    """A two-legged animal with a tail: from a raptor to a tyrannosaur; its trunk lies or rises, its arms are short."""
    rng = np.random.default_rng(40_000 + seed)
    u, solid = rng.uniform, Solid()
    long, girth, legs = 0.4, u(0.06, 0.1), u(0.22, 0.45)
    pitch = np.radians(u(-5, 45))
    way = np.array([0, np.sin(pitch), np.cos(pitch)])
    hips = (legs + 0.5 * girth) * UP
    chest, neck = hips + 0.7 * long * way, hips + long * way
    solid.line([hips - 0.2 * long * way, hips, chest, neck], [0.8 * girth, girth, u(0.8, 1.1) * girth, 0.6 * girth])
    places = {"root": hips, "neck": neck}
    rise, size = np.radians(u(20, 80)), u(0.045, 0.08)
    skull = neck + (size + u(0.02, 0.2)) * np.array([0, np.sin(rise), np.cos(rise)])
    snout = skull + u(0.08, 0.2) * np.array([0, u(-0.3, 0.1), 1.0])
    solid.line([neck, skull, snout], [0.6 * girth, size, 0.6 * size])
    places |= {"head": skull, "head_tip": snout}
    droop = np.radians(u(-25, 20))
    start = hips - 0.25 * long * way
    tip = start + u(0.4, 0.9) * np.array([0, np.sin(droop), -np.cos(droop)])
    tip[1] = max(tip[1], 0.03)
    solid.line([start, tip], [0.75 * girth, 0.018])
    places |= {"tail_1": start, "tail_tip": tip}
    thick, out, arm = u(0.022, 0.04), u(0.6, 1.0) * girth, u(0.1, 0.22)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        across = sign * out * LEFT
        hip, knee = hips + across, across + 0.6 * legs * UP + 0.25 * legs * AHEAD
        hock, toe = across + 0.28 * legs * UP - 0.2 * legs * AHEAD, across + 0.02 * UP - 0.05 * legs * AHEAD
        solid.line([hip, knee, hock, toe], [2.2 * thick, 1.5 * thick, thick, thick])
        solid.cone(toe, toe + u(0.09, 0.1) * AHEAD, 0.024, 0.018)
        shoulder = chest + sign * 0.8 * girth * LEFT - 0.3 * girth * UP
        elbow = shoulder + 0.45 * arm * np.array([0.3 * sign, -1.0, -0.2])
        hand = elbow + 0.4 * arm * np.array([0.0, -0.3, 1.0])
        solid.line([shoulder, elbow, hand, hand + 0.2 * arm * AHEAD], [0.03, 0.022, 0.018, 0.016])
        places |= {f"thigh_{side}": hip, f"shin_{side}": knee, f"foot_{side}": hock, f"toe_{side}": toe}
        places |= {f"upper_arm_{side}": shoulder, f"forearm_{side}": elbow, f"hand_{side}": hand}
    return placed(Made(f"theropod {seed}", "theropod", solid.surface(), places, ()), rng)


MAKERS = {"fish": fish, "bird": bird, "theropod": theropod}


def errors(made: Made, skeleton: posable.Skeleton) -> dict[str, float]:
    """Joint or tip → percent of the longest side without wings; the tips of the template are its joints' tips."""
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    found = dict(zip(skeleton.joints, rest.origins, strict=True))
    middle = [place for name, place in made.places.items() if name[-2:] not in ("_l", "_r") or "foot" in name]
    upright = np.eye(3)["xyz".index(made.mesh.up)]
    size = max(float(np.ptp(np.array(middle), axis=0).max()), 0.6 * float(np.ptp(made.mesh.vertices @ upright)))
    return {
        name: 100 * float(np.linalg.norm(found[name] - place)) / size
        for name, place in made.places.items()
        if name in found
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--auto", action="store_true", help="let the template be chosen")
    parser.add_argument("--list", action="store_true", help="a line for every body")
    given = parser.parse_args()
    for kind, make in MAKERS.items():
        worst, scores, roles, right = [], [], dict[str, list[float]](), 0
        for seed in range(given.first, given.first + given.count):
            made = make(seed)
            fit = fit_template(made.mesh, "auto" if given.auto else kind)
            right += fit.template == kind
            if fit.template != kind:
                print(f"{made.name} was taken for a {fit.template} at {fit.score:.2f}")
                continue
            off = errors(made, fit.skeleton)
            worst.append(max(off.values()))
            scores.append(fit.score)
            for name, error in off.items():
                roles.setdefault(name.removesuffix("_l").removesuffix("_r"), []).append(error)
            if given.list:
                last = ", ".join(f"{name} {off[name]:.1f}" for name in sorted(off, key=off.__getitem__)[-3:][::-1])
                print(f"{made.name} ({', '.join(made.told)}): {fit.score:.2f}; {last}; {' | '.join(fit.doubts)}")
        far, score = np.array(worst), np.array(scores)
        each = ", ".join(f"{name} {np.mean(found):.1f}" for name, found in roles.items())
        print(
            f"- {kind}: {right} of {given.count} by this template; {(far < 5).sum()} under 5 %, {(far < MISFIT).sum()}"
            f" under {MISFIT:.0f} %; above 0.7 of those: {((far < MISFIT) & (score > 0.7)).sum()}; mean: {each}",
            flush=True,
        )


if __name__ == "__main__":
    main()
