# ruff: noqa: RUF005
"""Bodies made from numbers, so that it is known where their joints are: people and four-legged animals of many shapes.

    python -m benchmarks.made_bodies [--people 120] [--animals 60] [--first 0] [--list]

Nobody has tuned any of them by hand: proportions, thickness, pose, clothes, direction and scale are drawn by a seed. A
body is the surface of a smooth union of cones with round ends, as an artist's body is one surface. Fits are judged as
`benchmarks.rigs` judges those of rigs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.made_surface import AHEAD, LEFT, UP, Made, Point, Solid, placed, swung
from posable.skin import fit_template
from posable.spatial import matrix_from_wxyz, wxyz_about


class _Person:
    """A person as it is drawn, part after part, by one generator of random numbers."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.told: list[str] = []
        self.solid = Solid()
        self.places: dict[str, Point] = {}
        self.proportions()
        self.pose()
        self.legs()
        self.feet()
        self.trunk()
        self.arms()
        self.skull()

    def proportions(self) -> None:
        """Heights, lengths and radii."""
        u = self.rng.uniform
        self.cartoon = self.rng.random() < 0.35
        self.head = u(0.16, 0.42) if self.cartoon else u(0.115, 0.16)
        self.neck = u(0.0, 0.03) if self.cartoon else u(0.035, 0.07)
        self.trunk_and_legs = 1 - self.head - self.neck
        self.hip_y = self.trunk_and_legs * (u(0.36, 0.62) if self.cartoon else u(0.58, 0.68))
        self.shoulder_y = self.trunk_and_legs * u(0.93, 0.98)
        self.thick = u(0.9, 2.2) if self.cartoon else u(0.75, 1.4)
        self.arm = self.trunk_and_legs * (u(0.32, 0.5) if self.cartoon else u(0.38, 0.46))
        self.shoulder_x = (u(0.09, 0.17) if self.cartoon else u(0.095, 0.13)) * self.trunk_and_legs / 0.82 + 0.01 * (
            self.thick - 1
        )
        self.hip_x = self.shoulder_x * u(0.42, 0.65)
        self.leg_r = min(0.052 * self.thick * self.trunk_and_legs / 0.82 * u(0.85, 1.15), 0.8 * self.hip_x)
        self.arm_r = 0.029 * self.thick * self.trunk_and_legs / 0.82 * u(0.85, 1.15)

    def pose(self) -> None:
        """How it stands."""
        u = self.rng.uniform
        self.style = self.rng.choice(["T", "A", "down"], p=[0.4, 0.4, 0.2])
        self.degrees = {"T": u(-3, 12), "A": u(25, 58), "down": u(62, 82)}[self.style]
        self.elbow_bend, self.stride, self.crouch = u(0, 12), 0.0, 0.0
        pose = self.rng.random()
        if pose < 0.15:
            self.stride = u(12, 32)
            self.told.append("stride")
        elif pose < 0.22:
            self.crouch = u(25, 60)
            self.told.append("crouch")
        if self.style == "down":
            self.told.append("arms down")
        if self.rng.random() < 0.12:
            self.elbow_bend = u(25, 80)
            self.told.append("elbows bent")
        if self.cartoon:
            self.told.append("cartoon")

    def legs(self) -> None:
        """Where hips, knees and ankles are."""
        u = self.rng.uniform
        splay, _, knee_share = u(0, 9), u(0, 1), u(0.48, 0.54)
        self.ankle = self.hip_y * u(0.075, 0.12)
        for side, sign in (("l", 1.0), ("r", -1.0)):
            thigh, shin = (1 - knee_share) * (self.hip_y - self.ankle), knee_share * (self.hip_y - self.ankle)
            swing = np.radians(self.crouch + sign * self.stride)
            bend = np.radians(2 * self.crouch + (0.6 * self.stride if sign < 0 else 4.0))
            out = np.radians(splay) * sign
            hip = np.array([sign * self.hip_x, self.hip_y, 0.0])
            down = np.array([np.sin(out), -np.cos(out) * np.cos(swing), np.cos(out) * np.sin(swing)])
            lower = np.array([np.sin(out), -np.cos(out) * np.cos(swing - bend), np.cos(out) * np.sin(swing - bend)])
            knee = hip + thigh * down
            foot = knee + shin * lower
            self.places |= {f"upper_leg_{side}": hip, f"lower_leg_{side}": knee, f"foot_{side}": foot}

    def feet(self) -> None:
        """The legs' flesh, and shoes."""
        u = self.rng.uniform
        foot_long, boots = self.hip_y * u(0.2, 0.32), u(0.9, 1.7) if self.cartoon else u(0.8, 1.1)
        taper = u(0.55, 0.9)
        for side in "lr":
            hip, knee, foot = (self.places[f"{name}_{side}"] for name in ("upper_leg", "lower_leg", "foot"))
            self.solid.line(
                [hip, knee, foot], [self.leg_r, self.leg_r * (0.5 + 0.5 * taper), self.leg_r * taper * 0.75], soft=0.1
            )
            flat = 0.45 * self.ankle * min(boots, 1.4)
            low = foot + (0, flat - self.ankle, 0)
            heel, toe = low - 0.18 * foot_long * AHEAD, low + 0.72 * foot_long * AHEAD
            self.solid.cone(heel, toe, flat * 1.05, flat, 1.0)
            self.solid.cone(foot, heel, self.leg_r * taper * 0.75, flat)
            self.places[f"toes_{side}"] = foot + (0, -0.7 * self.ankle, 0.45 * foot_long)

    def trunk(self) -> None:
        """An ellipse in section."""
        u = self.rng.uniform
        depth, belly = u(0.55, 0.85), u(0.75, 1.25)
        chest_r, waist_r, self.hips_r = (
            self.shoulder_x * u(0.78, 0.95),
            self.shoulder_x * u(0.6, 0.85) * belly,
            self.hip_x + 0.75 * self.leg_r,
        )
        self.levels = [
            self.hip_y + 0.5 * self.leg_r,
            self.hip_y + 0.42 * (self.shoulder_y - self.hip_y),
            self.shoulder_y - 0.75 * chest_r,
        ]
        self.solid.line([level * UP for level in self.levels], [self.hips_r, waist_r, chest_r], depth)

    def arms(self) -> None:
        """From the collar bones to the fingertips."""
        u = self.rng.uniform
        arm_h = np.radians(self.degrees)
        hand_scale = u(0.6, 1.4) if self.cartoon else u(0.8, 1.1)
        up_share = u(0.5, 0.56)
        for side, sign in (("l", 1.0), ("r", -1.0)):
            shoulder = np.array([sign * self.shoulder_x, self.shoulder_y - self.arm_r * 0.6, 0.0])
            ahead = np.radians(u(-5, 8))
            way = np.array([sign * np.cos(arm_h) * np.cos(ahead), -np.sin(arm_h), np.cos(arm_h) * np.sin(ahead)])
            swung = np.radians(self.elbow_bend)
            lower = np.cos(swung) * way + np.sin(swung) * AHEAD
            if self.stride:
                turn = matrix_from_wxyz(wxyz_about(LEFT, np.radians(sign * 0.7 * self.stride)))
                way, lower = turn @ way, turn @ lower
            elbow = shoulder + up_share * self.arm * way
            wrist = elbow + (1 - up_share) * self.arm * lower
            tip = wrist + 0.32 * self.arm * hand_scale * lower
            self.places |= {f"upper_arm_{side}": shoulder, f"lower_arm_{side}": elbow, f"hand_{side}": wrist}
            thin = u(0.6, 0.85)
            self.solid.cone(shoulder * (0.35, 1, 1) - (0, 0.02, 0), shoulder, 1.2 * self.arm_r, 1.15 * self.arm_r, 1.0)
            self.solid.line([shoulder, elbow, wrist], [self.arm_r * 1.1, self.arm_r * 0.85, self.arm_r * thin * 0.8])
            palm = wrist + 0.5 * (tip - wrist)
            self.solid.line(
                [wrist, palm, tip],
                [self.arm_r * thin * 0.7, self.arm_r * hand_scale * 0.95, self.arm_r * hand_scale * 0.5],
                1.0,
            )

    def skull(self) -> None:
        """Neck and head."""
        u = self.rng.uniform
        neck_y, head_y = (
            self.shoulder_y + 0.25 * (self.trunk_and_legs - self.shoulder_y),
            self.trunk_and_legs + self.neck,
        )
        neck_r = min(self.head * u(0.2, 0.34), 0.8 * self.shoulder_x)
        skull = self.head * 0.5
        self.middle = np.array([0, head_y + skull, u(0.0, 0.12) * self.head])
        self.solid.line(
            [self.shoulder_y * UP - 0.02 * UP, np.array([0, head_y + 0.15 * self.head, 0])], [neck_r * 1.15, neck_r]
        )
        narrow = u(0.75, 1.0)
        brow, jaw = self.middle + 0.25 * skull * UP, self.middle - 0.28 * skull * UP
        self.solid.cone(brow, jaw, skull * 0.75 * narrow, skull * 0.62 * narrow, u(0.9, 1.15))
        self.solid.ball(self.middle + (0, -0.15 * skull, 0.72 * skull * narrow), 0.14 * skull)
        self.places |= {
            "hips": (self.hip_y + 0.25 * self.leg_r) * UP,
            "neck": neck_y * UP,
            "head": (head_y + 0.1 * self.head) * UP,
        }
        self.places |= {
            "spine": self.levels[1] * UP,
            "chest": (self.levels[1] + 0.5 * (self.shoulder_y - self.levels[1])) * UP,
        }


def person(seed: int) -> Made:
    """A person: of any age or style, in a pose that people are modelled in, perhaps with things put on."""
    made = _Person(seed)
    more = {"head": made.head, "shoulder_x": made.shoulder_x, "middle": made.middle, "hips_r": made.hips_r}
    _dressed(made.solid, made.places, made.rng, made.told, **more)
    return placed(Made(f"person {seed}", "people", made.solid.surface(), made.places, tuple(made.told)), made.rng)


def _dressed(solid: Solid, places: dict[str, Point], rng: np.random.Generator, told: list[str], *, head: float,
             shoulder_x: float, middle: Point, hips_r: float) -> None:  # fmt: skip
    """Hair, ears, hats, packs, skirts and weapons."""
    u, neck, hips = rng.uniform, places["neck"], places["hips"]
    if rng.random() < 0.2:
        solid.cone(middle, middle - (0, u(0.4, 1.2) * head, 0.3 * head), 0.42 * head, 0.15 * head)
        told.append("long hair")
    if rng.random() < 0.12:
        solid.ball(middle + (0, 0.45 * head, -0.4 * head), 0.2 * head)
        told.append("bun")
    if rng.random() < 0.1:
        for sign in (1, -1):
            root, tip = (
                middle + (0.3 * sign * head, 0.3 * head, 0),
                middle + (0.45 * sign * head, u(0.6, 1.1) * head, 0),
            )
            solid.cone(root, tip, 0.1 * head, 0.04 * head)
        told.append("ears")
    if rng.random() < 0.12:
        brim = middle + (0, 0.28 * head, 0)
        for k in range(12):
            ring = np.array([np.cos(k * np.pi / 6), 0, np.sin(k * np.pi / 6)])
            solid.cone(brim, brim + u(0.6, 0.61) * head * ring, 0.07 * head, 0.05 * head)
        solid.cone(brim, brim + (0, u(0.3, 0.9) * head, 0), 0.4 * head, 0.12 * head)
        told.append("hat")
    if rng.random() < 0.12:
        behind = (0.75 * shoulder_x + 0.04) * AHEAD
        solid.cone(neck - 0.05 * UP - behind, hips + 0.08 * UP - behind, 0.5 * shoulder_x, 0.55 * shoulder_x)
        told.append("pack")
    if rng.random() < 0.14:
        low = hips - (0, u(0.35, 0.85) * hips[1], 0)
        solid.cone(hips, low, hips_r, hips_r * u(1.3, 1.9) + 0.02, u(0.75, 1.0))
        told.append("skirt")
    if rng.random() < 0.1:
        grip = places["hand_r"] + 0.35 * (places["hand_r"] - places["lower_arm_r"])
        solid.cone(grip - (0, 0.06, 0.05), grip + (0, 0.12, u(0.25, 0.5)), 0.014, 0.01)
        told.append("weapon")


class _Animal:
    """A four-legged animal as it is drawn, part after part."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(10_000 + seed)
        self.told: list[str] = []
        self.solid = Solid()
        self.places: dict[str, Point] = {}
        self.trunk()
        self.limbs()
        self.head()
        self.tail()

    def trunk(self) -> None:
        """From the rump to the chest."""
        u = self.rng.uniform
        self.long = 0.5 * u(0.85, 1.2)  # from hip to shoulder
        self.girth, self.legs = self.long * u(0.2, 0.42), self.long * u(0.35, 1.35)
        self.leg_r, self.stout = self.girth * u(0.22, 0.45), self.rng.random() < 0.3
        if self.legs > 1.0 * self.long:
            self.told.append("long legs")
        if self.legs < 0.5 * self.long:
            self.told.append("short legs")
        self.rump = self.girth * u(0.8, 1.1)
        middle_y = self.legs + 0.9 * self.girth
        self.side_x = self.girth * u(0.45, 0.7)
        self.slope = u(-0.08, 0.08) * self.long
        self.front, self.rear = (
            np.array([0, middle_y + self.slope, 0.5 * self.long]),
            np.array([0, middle_y, -0.5 * self.long]),
        )
        waist = (self.front + self.rear) / 2 - (0, 0.06 * self.long * self.rng.random(), 0)
        self.solid.line(
            [self.rear * (1, 1, 0.96), waist, self.front * (1, 1, 0.96)],
            [self.rump, self.girth * u(0.75, 1.0), self.girth],
        )
        walks = self.rng.random() < 0.3
        self.step = [np.radians(u(-14, 14)) if walks else 0.0 for _ in range(4)]
        if any(self.step):
            self.told.append("stride")
        self.places |= {
            "hips": self.rear + (0, 0.25 * self.girth, 0.2 * self.girth),
            "chest": self.front,
            "spine": waist,
        }

    def limbs(self) -> None:
        """Four legs."""
        u = self.rng.uniform
        hock_back, knee_ahead = (0.03, 0.06) if self.stout else (u(0.06, 0.16), u(0.08, 0.18))
        elbow_y, wrist_y, knee_y, hock_y = u(0.74, 0.92), u(0.68, 0.82), u(0.85, 1.05), u(0.36, 0.52)
        for side, sign, fore_swing, hind_swing in (
            ("l", 1, self.step[0], self.step[1]),
            ("r", -1, self.step[2], self.step[3]),
        ):
            x = sign * self.side_x
            shoulder = np.array([x * 0.9, self.front[1] - 0.1 * self.girth, self.front[2] + 0.1 * self.girth])
            elbow = np.array([x, self.legs * elbow_y + self.slope, self.front[2] - 0.15 * self.girth])
            wrist = elbow + (0, -wrist_y * elbow[1], 0.02 * self.legs)
            paw = np.array([x, 0.0, wrist[2] + 0.02 * self.legs])
            fore = swung([shoulder, elbow, wrist, paw], fore_swing)
            hip = np.array([x * 0.85, self.rear[1] + 0.1 * self.girth, self.rear[2] + 0.2 * self.girth])
            knee = np.array([x, self.legs * knee_y, self.rear[2] + knee_ahead * self.legs + 0.1 * self.girth])
            hock = np.array([x, hock_y * self.legs, self.rear[2] - hock_back * self.legs])
            ball = np.array([x, 0.05 * self.legs, hock[2] + 0.3 * hock_back * self.legs])
            hind = swung([hip, knee, hock, ball], hind_swing)
            for names, points in (
                (("upper_arm", "lower_arm", "hand"), fore),
                (("upper_leg", "lower_leg", "foot", "toes"), hind),
            ):
                self.places |= {f"{name}_{side}": point for name, point in zip(names, points, strict=False)}
            self.solid.line(
                fore, [1.6 * self.leg_r, self.leg_r * 1.1, self.leg_r * 0.8, self.leg_r * (1.1 if self.stout else 0.8)]
            )
            self.solid.line(
                hind, [2.0 * self.leg_r, self.leg_r * 1.3, self.leg_r * 0.8, self.leg_r * (1.1 if self.stout else 0.75)]
            )
            for foot in (fore[-1], hind[-1]):
                self.solid.cone(
                    foot + 0.6 * self.leg_r * UP,
                    foot + (0, 0.5 * self.leg_r, 1.4 * self.leg_r),
                    self.leg_r * 0.8,
                    self.leg_r * 0.6,
                )

    def head(self) -> None:
        """Neck, head and ears."""
        u = self.rng.uniform
        neck_long = self.long * self.rng.choice([u(0.15, 0.4), u(0.4, 0.8), u(0.8, 1.7)], p=[0.4, 0.4, 0.2])
        rise = np.radians(u(-5, 75))
        base = self.front + (0, 0.35 * self.girth, 0.55 * self.girth)
        way = np.array([0, np.sin(rise), np.cos(rise)])
        skull = base + neck_long * way
        neck_r, head_r = self.girth * u(0.35, 0.6), self.girth * u(0.35, 0.62)
        if neck_long > 0.8 * self.long:
            self.told.append("long neck")
        self.solid.line([self.front, base, skull], [0.9 * self.girth, neck_r * 1.25, neck_r * 0.8])
        droop = np.radians(u(-35, 10))
        face = np.array([0, np.sin(droop), np.cos(droop)])
        snout = skull + (0.5 + 0.9 * self.rng.random()) * 1.6 * head_r * face
        self.solid.line([skull + 0.2 * head_r * UP, snout], [head_r, head_r * u(0.4, 0.7)])
        if self.rng.random() < 0.6:
            for sign in (1, -1):
                root = skull + (sign * 0.6 * head_r, 0.6 * head_r, 0)
                self.solid.cone(
                    root, root + (sign * 0.5 * head_r, u(0.5, 2.0) * head_r, 0), 0.25 * head_r, 0.12 * head_r
                )
        self.places |= {"neck": base, "head": skull}

    def tail(self) -> None:
        """A tail, as a rule."""
        u = self.rng.uniform
        tail, droops = self.long * u(0.0, 1.1), np.radians(u(-75, 40))
        if tail > 0.15 * self.long:
            root = self.rear + (0, 0.5 * self.rump, -0.7 * self.rump)
            end = root + tail * np.array([0, np.sin(droops), -np.cos(droops)])
            end[1] = max(end[1], 0.05)
            self.solid.line([root, end], [self.girth * u(0.12, 0.3), self.girth * 0.08])


def animal(seed: int) -> Made:
    """A four-legged animal: from a dachshund to a giraffe and an elephant."""
    made = _Animal(seed)
    return placed(Made(f"animal {seed}", "animals", made.solid.surface(), made.places, tuple(made.told)), made.rng)


MAKERS: dict[str, Callable[[int], Made]] = {"people": person, "animals": animal}


def main() -> None:
    from benchmarks.rigs import Fitted, fit_totals
    from benchmarks.skeleton_fitting import Case, errors

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=120)
    parser.add_argument("--animals", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--template", default="", help="template for all; auto tries several")
    parser.add_argument("--list", action="store_true", help="a line for every body")
    given = parser.parse_args()
    fits, start = [], time.perf_counter()
    for made in bodies(given.people, given.animals, given.first):
        template = given.template or {"people": "biped", "animals": "quadruped"}[made.kind]
        fit = fit_template(made.mesh, template)
        own = errors(Case(made.name, made.mesh, template, made.places), fit.skeleton)
        fits.append(Fitted(made.kind, "made", fit.score, len(fit.doubts), own))
        if given.list:
            worst = sorted(own, key=own.__getitem__)[-3:][::-1]
            shown = ", ".join(f"{role} {own[role]:.1f}" for role in worst)
            said = f"{made.name} ({', '.join(made.told)}): {fit.score:.2f}; {shown}; {' | '.join(fit.doubts)}"
            print(said, flush=True)
    print("\n".join(f"- {told}" for told in fit_totals(fits)))
    print(f"- {time.perf_counter() - start:.0f} s")


def bodies(people: int, animals: int, first: int = 0) -> Iterator[Made]:
    """So many people and animals, from a seed on."""
    for kind, count in (("people", people), ("animals", animals)):
        for seed in range(first, first + count):
            yield MAKERS[kind](seed)


if __name__ == "__main__":
    main()
