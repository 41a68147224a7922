"""More people to fit skeletons into: rigged ones with other proportions, in other poses, with things put on.

    python -m benchmarks.warped_people [--count 6] [--first 0] [--aside] [--list]

Limbs are lengthened and shortened, heads and trunks grow, arms are lowered and swung, legs stride, hats, packs, skirts
and clubs are put on, and the whole is turned about the vertical, mirrored, scaled and laid into another frame: all by a
seed, none by hand. Artists' joints go along, so it is known where they are. Fits are judged as `benchmarks.rigs` judges
those of rigs; the figures are its people. Those set aside there are set aside here, and give totals alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import posable
from benchmarks.posed_bodies import Body, Places
from benchmarks.rigs import FOUR_LEGS, MAIN, SHARED, TWO_LEGS, Fitted, files, fit_totals
from benchmarks.skeleton_fitting import Case, artists_roles, errors, on_floor
from posable.skin import fit_template
from posable.spatial import matrix_from_wxyz, wxyz_about

NO_PEOPLE = {"InfiniteSkinnedTentacle", "RobotExpressive_quantized"}  # the latter is the same robot once more
LIMBS = ("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("upper_leg", "lower_leg"), ("lower_leg", "foot")


class Warped(Body):
    """A rigged person with other proportions, in another pose, dressed."""

    told: tuple[str, ...] = ()

    def warped(self, rng: np.random.Generator) -> tuple[posable.Mesh, Places]:
        """The person by one draw."""
        u, told = rng.uniform, list[str]()
        arms, legs, head = u(0.85, 1.2), u(0.75, 1.2), rng.choice([u(0.85, 1.15), u(1.15, 1.7)])
        self.change("head", head * np.eye(3))
        self._broadened(u(0.9, 1.3), u(0.9, 1.4))
        for (start, end), side in ((limb, side) for limb in LIMBS for side in "lr"):
            self._stretch(f"{start}_{side}", f"{end}_{side}", arms if "arm" in start else legs)
        stride = u(10, 28) if rng.random() < 0.2 else 0.0
        if rng.random() < 0.75:
            self.lower_arms(u(-5, 80), stride)
        bend = u(0, 35)
        for side, sign in (("l", 1), ("r", -1)):
            self.swing(f"lower_arm_{side}", bend)
            self.swing(f"upper_leg_{side}", -sign * stride)
            self.swing(f"lower_leg_{side}", -0.6 * stride)
        told += ["stride"] if stride else []
        more = list(self._dressed(rng, told))
        self.told = tuple(told)
        return self._elsewhere(*self.shown(*more), rng)

    def _stretch(self, start: str, end: str, factor: float) -> None:
        if {start, end} <= set(self.roles):
            way = self.at(end) - self.at(start)
            way /= np.linalg.norm(way)
            self.change(start, np.eye(3) + (factor - 1) * np.outer(way, way))
            foot = np.eye(3) + (1 / factor - 1) * np.outer(way, way)
            self.change(end, foot)

    def _broadened(self, broad: float, deep: float) -> None:
        """The trunk's own vertices, farther from its middle; limbs move along with their first joints."""
        trunk = [self.roles[role] for role in ("hips", "spine", "chest", "upper_chest") if role in self.roles]
        middle = np.mean([self.rest[self.roles[f"upper_leg_{side}"]] for side in "lr"], axis=0)
        scale = np.eye(4)
        scale[:3, :3] += (broad - 1) * np.outer(self.left, self.left) + (deep - 1) * np.outer(self.ahead, self.ahead)
        scale[:3, 3] = middle - scale[:3, :3] @ middle
        for joint, parent in enumerate(self.parents):
            if joint in trunk:
                self.moved[joint] = scale @ self.moved[joint]
            elif parent in trunk and np.allclose(self.moved[joint][:3, :3], np.eye(3)):
                below = {joint}
                for k, above in enumerate(self.parents):
                    below |= {k} if above in below else set()
                shift = (scale[:3, :3] - np.eye(3)) @ (self.rest[joint] - middle)
                self.moved[sorted(below), :3, 3] += shift

    def _dressed(self, rng: np.random.Generator, told: list[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """What is put on."""
        u, size = rng.uniform, self.height
        top = float((self.mesh.vertices @ self.up).max())
        if rng.random() < 0.12:
            base = self.at("head") + u(0.5, 0.8) * (top - self.rest[self.roles["head"]] @ self.up) * self.up
            wide = u(0.12, 0.24) * size
            yield self.frustum(base, wide, 0.9 * wide, 0.02 * size)
            yield self.frustum(base, 0.6 * wide, 0.3 * wide, u(0.08, 0.3) * size)
            told.append("hat")
        if rng.random() < 0.15:
            neck = self.at("neck" if "neck" in self.roles else "head")
            base = neck - size * (u(0.2, 0.3) * self.up + u(0.1, 0.16) * self.ahead)
            yield self.frustum(base, u(0.05, 0.1) * size, u(0.05, 0.1) * size, u(0.15, 0.28) * size)
            told.append("pack")
        if rng.random() < 0.12:
            hips = (self.at("upper_leg_l") + self.at("upper_leg_r")) / 2
            long = u(0.6, 1.6) * float((hips - self.at("lower_leg_l")) @ self.up)
            wide = abs(float((self.at("upper_leg_l") - self.at("upper_leg_r")) @ self.left))
            low, high = u(1.2, 1.8) * wide + 0.03 * size, 0.8 * wide + 0.03 * size
            yield self.frustum(hips - (long - 0.05 * size) * self.up, low, high, long)
            told.append("skirt")
        if rng.random() < 0.12:
            hand = self.at("hand_r") + 0.3 * (self.at("hand_r") - self.at("lower_arm_r"))
            yield self.frustum(hand - 0.1 * size * self.up, 0.012 * size, 0.03 * size, u(0.3, 0.6) * size)
            told.append("club")

    def _elsewhere(self, mesh: posable.Mesh, places: Places, rng: np.random.Generator) -> tuple[posable.Mesh, Places]:
        """Turned about the vertical, mirrored, scaled, and upright along y or z."""
        turn = matrix_from_wxyz(wxyz_about(self.up, np.radians(rng.choice([0, 90, 180, 270, rng.uniform(0, 360)]))))
        if rng.random() < 0.5:
            turn = turn @ (np.eye(3) - 2 * np.outer(self.left, self.left))
            places = {role[:-1] + {"l": "r", "r": "l"}[role[-1]] if role[-2:-1] == "_" else role: place
                      for role, place in places.items()}  # fmt: skip
        up = mesh.up
        if rng.random() < 0.3:
            turn, up = np.roll(np.eye(3), 1 if up == "y" else -1, axis=0) @ turn, "z" if up == "y" else "y"
        turn = turn * 10 ** rng.uniform(-2, 3)
        faces = mesh.faces[:, ::-1] if np.linalg.det(turn) < 0 else mesh.faces
        shown = replace(mesh, vertices=mesh.vertices @ turn.T, faces=faces, up=up)
        return shown, {role: turn @ place for role, place in places.items()}


def people(aside: bool) -> Iterator[tuple[str, Warped]]:
    """The rigged people, those set aside or all others."""
    for path in files(SHARED, aside):
        if (FOUR_LEGS | TWO_LEGS) & set(path.stem.split("_")) or path.stem in NO_PEOPLE:
            continue
        try:
            figure, mesh = posable.load(path), posable.load_mesh(path)
            roles = artists_roles(figure)
        except posable.PosableError:
            continue
        if {"hand_l", "hand_r", "lower_leg_l", "lower_leg_r", "head"} <= set(roles):
            yield path.stem, Warped(figure, mesh, roles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=6, help="draws of each person")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--aside", action="store_true", help="totals of the people set aside")
    parser.add_argument("--list", action="store_true", help="a line for every fit")
    given = parser.parse_args()
    fits = list[Fitted]()
    for name, body in people(given.aside):
        for seed in range(given.first, given.first + given.count):
            body.moved = np.tile(np.eye(4), (len(body.rest), 1, 1))
            mesh, places = body.warped(np.random.default_rng([seed, *name.encode()]))
            if on_floor(Case(name, body.mesh, "biped", {"hips": body.rest[body.roles["hips"]]}), body.mesh.up):
                del places["hips"]  # longer legs take the floor away from under it
            fit = fit_template(mesh, "biped")
            off = errors(Case(name, mesh, "biped", places), fit.skeleton)
            fits.append(Fitted("people", "warped", fit.score, len(fit.doubts), off))
            if given.list and not given.aside:
                main = {role: off[role] for role in off if role.removesuffix("_l").removesuffix("_r") in MAIN}
                last = sorted(main, key=main.__getitem__)[-4:][::-1]
                each = ", ".join(f"{role} {off[role]:.1f}" for role in last)
                print(
                    f"{name} {seed} ({', '.join(body.told)}): {fit.score:.2f}; {each}; {' | '.join(fit.doubts)}",
                    flush=True,
                )
    print("\n".join(f"- {told}" for told in fit_totals(fits)))


if __name__ == "__main__":
    main()
