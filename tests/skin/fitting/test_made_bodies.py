"""Skeletons fitted into bodies that were made from numbers, so that it is known where their joints are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from skin.fitting.test_fit_template import places

import posable
from benchmarks import made_bodies, made_creatures, skeleton_fitting, warped_animals
from benchmarks.made_surface import Made
from benchmarks.rigs import MAIN
from posable.skin import TemplateFit, fit_template
from posable.skin.fitting import animal_legs, animal_trunk, arms, legs, quadruped
from posable.skin.fitting.chain import Tube, _held
from posable.skin.fitting.template import doubts_of, of_flesh
from posable.skin.fitting.upright_voxels import Stage


def fitted(made: Made, template: str) -> tuple[TemplateFit, dict[str, float]]:
    """The fit, and each role's distance from the truth in percent of the height."""
    fit = fit_template(made.mesh, template)
    case = skeleton_fitting.Case(made.name, made.mesh, template, made.places)
    return fit, skeleton_fitting.errors(case, fit.skeleton)


@pytest.mark.slow
def test_arms_that_are_held_unevenly_keep_their_hands() -> None:
    fit, off = fitted(made_bodies.person(64), "biped")
    assert max(off["hand_l"], off["hand_r"], off["lower_arm_l"]) < 5 and fit.score > 0.7, off


@pytest.mark.slow
@pytest.mark.parametrize("seed", [13, 42])
def test_an_arm_that_hangs_against_the_body_begins_at_its_shoulder_though_only_the_forearm_stands_off(
    seed: int,
) -> None:
    """The shoulder was at the elbow, and the head in the chest, without a doubt; a forearm was taken for a club."""
    _, off = fitted(made_bodies.person(seed), "biped")
    assert max(off[f"{role}_{side}"] for role in ("upper_arm", "lower_arm", "hand") for side in "lr") < 5, off
    assert off["head"] < 6, off


@pytest.mark.slow
def test_a_broad_pelvis_over_short_legs_is_no_skirt() -> None:
    fit, off = fitted(made_bodies.person(2), "biped")
    assert off["upper_leg_l"] < 5 and off["hips"] < 5, off
    assert any("skirt" in doubt for doubt in fit.doubts)  # it is not sure


@pytest.mark.slow
def test_hips_under_a_skirt_with_a_round_hem_are_doubted() -> None:
    fit, off = fitted(made_bodies.person(300), "biped")
    assert off["hips"] < 8 or any("hips" in doubt for doubt in fit.doubts), off


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5013, 5018])
def test_hips_over_a_wide_skirt_stand_where_the_shoulders_say(seed: int) -> None:
    """They were at its hem, a third of the height too low."""
    fit, off = fitted(made_bodies.person(seed), "biped")
    assert off["hips"] < 8 and off["upper_leg_l"] < 8, off
    assert any("skirt" in doubt for doubt in fit.doubts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [21, 22])
def test_a_long_neck_ends_where_the_head_begins(seed: int) -> None:
    made = made_bodies.animal(seed)
    assert "long neck" in made.told
    _, off = fitted(made, "quadruped")
    assert off["head"] < 5 and off["neck"] < 7 and off["lower_leg_l"] < 11, off


def test_the_same_seed_makes_the_same_body() -> None:
    one, again = made_bodies.person(5), made_bodies.person(5)
    assert (one.mesh.vertices == again.mesh.vertices).all() and one.places.keys() == again.places.keys()
    assert {"hand_l", "foot_r", "hips", "head"} <= one.places.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "seed"),
    [("fish", 1), ("fish", 9), ("bird", 115), ("bird", 107), ("theropod", 10), ("theropod", 115)],
)
def test_fishes_birds_and_theropods_are_told_from_other_figures_and_have_their_joints_where_they_belong(
    kind: str, seed: int
) -> None:
    made = made_creatures.MAKERS[kind](seed)
    fit = fit_template(made.mesh, "auto")
    off = made_creatures.errors(made, fit.skeleton)
    assert fit.template == kind and fit.score > 0.7, fit
    assert len(off) >= 4 and max(off.values()) < made_creatures.MISFIT, off


@pytest.mark.slow
def test_a_cow_and_a_person_with_a_big_head_and_a_cape_are_no_birds(shared: Path) -> None:
    """Both were taken for birds: two legs seen from the side, and a trunk as deep as its cape."""
    for name, kind in (("meshes/spot.obj", "quadruped"), ("rigs/kk_Mage.glb", "biped")):
        mesh = posable.load_mesh(shared / name)
        assert fit_template(mesh, "auto").template == kind
        assert fit_template(mesh, "bird").score < 0.25


@pytest.mark.slow
def test_auto_tries_every_template_on_what_has_nothing_in_its_middle(shared: Path) -> None:
    """A coiled tentacle was a raw error of NumPy's from the templates with many legs."""
    assert fit_template(posable.load_mesh(shared / "characters/InfiniteSkinnedTentacle.glb"), "auto").skeleton.joints


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "template", "doubt"),
    [
        (
            lambda: made_bodies.person(30017),
            "biped",
            "upper_arm_l is near the surface",
        ),  # its shoulders are in the armpits
        (
            lambda: made_bodies.person(30004),
            "biped",
            "near the surface",
        ),  # crouched, its hips are in its back
        (lambda: made_bodies.animal(30060), "quadruped", "front and back look alike"),  # taken for facing back
        (lambda: made_bodies.animal(5005), "quadruped", "trunk is deep"),  # its legs are short
    ],
)
def test_misfits_are_said(made: Callable[[], Made], template: str, doubt: str) -> None:
    fit, off = fitted(made(), template)
    assert max(off.values()) < 5 or any(doubt in said for said in fit.doubts), (off, fit.doubts)


def standing_leg(belly: int) -> animal_legs.Leg:
    """A straight leg, three voxels thick, four beside the mirror plane."""
    voxels = np.argwhere(np.ones((3, belly, 3))).astype(np.float64) + np.array([4.0, 0.0, 20.0])
    axis = np.stack([np.full(belly, 5.0), np.linspace(0, belly - 1, belly), np.full(belly, 21.0)], axis=1)
    return animal_legs.Leg(voxels, axis, np.full(belly, 20.0), np.full(belly, 22.0))


def test_shoulders_stand_low_in_the_trunk_as_artists_put_them_and_lower_in_a_deep_one() -> None:
    """At 14 to 24 % of the trunk's depth on Quaternius' animals, at 48 and 42 % on two others; a belly hangs."""
    slender, deep = (animal_trunk.Trunk((60.0, 60.0), (60.0 + thick, 60.0 + thick)) for thick in (30.0, 70.0))
    shoulders = [animal_legs.fore_leg(standing_leg(60), trunk)["upper_arm"][1] - 60 for trunk in (slender, deep)]
    assert 0.2 * 30 < shoulders[0] < 0.32 * 30
    assert shoulders[1] < 0.24 * 70


def test_the_middle_joint_of_a_fore_leg_is_an_elbow_over_a_paw_and_lower_over_a_hoof() -> None:
    """Cows' and dinosaurs' are at 58 % of the belly's height, at the carpus; dogs' at 82 to 92 %, at the elbow."""
    leg = standing_leg(60)
    paw = np.argwhere(np.ones((3, 4, 4))).astype(np.float64) + np.array([4.0, 0.0, 23.0])
    long = animal_legs._leg(np.concatenate([leg.voxels, paw]), 60)
    assert animal_legs._usual_elbow(leg) < 0.62 and animal_legs._usual_elbow(long) > 0.82


def column(deep: int) -> animal_legs.Leg:
    """A straight hind leg so deep, 60 voxels high."""
    voxels = np.argwhere(np.ones((3, 60, deep))).astype(np.float64) + np.array([4.0, 0.0, 20.0])
    return animal_legs._leg(voxels, 60)


def test_a_column_has_its_knee_in_its_middle_and_a_slender_leg_its_hock_there() -> None:
    """Dinosaurs' knees were at the belly, 20 % of the height off."""
    trunk = animal_trunk.Trunk((60.0, 60.0), (100.0, 100.0))
    stout, slender = (animal_legs.hind_leg(column(deep), trunk) for deep in (24, 8))
    assert 0.4 * 76 < stout["shin"][1] < 0.55 * 76 and stout["foot"][1] < 18
    assert slender["shin"][1] > 50 and slender["foot"][1] > 22


def test_antlers_are_no_head_and_a_slender_neck_is_no_ear() -> None:
    region = np.zeros((12, 60, 40), bool)
    region[:5, :20, :10], region[:7, 16:32, 8:30] = True, True  # neck and skull
    antlers = region.copy()
    antlers[5:7, 32:60, 14:16] = True
    kept = animal_trunk._without_ears(antlers, np.zeros(3), 3.0)
    assert not kept[:, 36:].any() and kept.sum() > 0.9 * region.sum()
    giraffe = np.zeros((12, 60, 40), bool)
    giraffe[:2, :50, :4], giraffe[:4, 50:, :12] = True, True
    assert (animal_trunk._without_ears(giraffe, np.zeros(3), 5.0) == giraffe).all()


def test_the_head_ends_at_the_snout_and_not_at_the_crown() -> None:
    """A raised neck: the crown is as far from its root as the snout, which is what is ahead."""
    region = np.zeros((8, 60, 60), bool)
    region[:6, :58, :14], region[:6, 34:46, :50] = True, True
    line = animal_trunk._line(region, np.zeros(3), animal_trunk._SNOUT)
    assert line is not None and line[-1][2] > 46 and 33 < line[-1][1] < 46


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Q_Wolf", "animals_pack_Fox", "animals_pack_Cow"])
def test_warped_animals_have_their_joints_where_the_artists_have_them(name: str, shared: Path) -> None:
    """A wolf's shins were 11 % of the height off, a cow's neck 16 %; now 8 are the most of most draws."""
    body = warped_animals.Warped(shared / warped_animals.ANIMALS[name] / f"{name}.glb")
    worst = []
    for seed in range(5):
        mesh, places = body.warped(np.random.default_rng(seed))
        fit = fit_template(mesh, "quadruped")
        off = skeleton_fitting.errors(skeleton_fitting.Case(name, mesh, "quadruped", places), fit.skeleton)
        worst.append(max(error for role, error in off.items() if role.removesuffix("_l").removesuffix("_r") in MAIN))
    assert np.median(worst) < 8 and max(worst) < 12, worst


@pytest.mark.parametrize(("thick", "said"), [(30.0, False), (33.0, False), (37.0, True), (47.0, True)])
def test_joints_in_a_deep_trunk_are_doubted(thick: float, said: bool) -> None:
    """They are placed by shares of its depth: a wolf's and a fox's (32 % of the height) may be, not deeper."""
    legs = [standing_leg(40), standing_leg(40)]
    found = quadruped._evidence(legs, 40, thick, 100, 0.5)
    assert any("trunk is deep" in one for one in doubts_of(found)) == said


@pytest.mark.slow
def test_a_fox_with_joints_where_its_artist_has_none_is_doubted(shared: Path) -> None:
    """Its hips are 16 % of the height off; that had a score of 1 and no word."""
    fit = fit_template(posable.load_mesh(shared / "characters/Fox.glb"), "quadruped")
    assert any("trunk is deep" in said for said in fit.doubts)
    assert "upper_arm_l" in fit.unsure[next(said for said in fit.doubts if "trunk is deep" in said)]


def test_flesh_far_from_bones_and_joints_near_the_surface_are_weak_evidence() -> None:
    filled = np.zeros((21, 60, 21), bool)
    filled[2:19] = True
    stage = Stage(filled, np.eye(3), np.zeros(3), 1.0, 10.0, 1.0, True)
    middle = {"root": np.array([0.0, 12, 10]), "neck": np.array([0.0, 47, 10])}
    aside = {name: place + np.array([0, 0, 8]) for name, place in middle.items()}
    lines = [("root", "neck")]
    assert min(one.strength for one in of_flesh(stage, middle, lines, ("root",))) > 0.8
    bare, near = of_flesh(stage, aside, lines, ("root",))
    assert bare.strength < 0.5 and near.strength < 0.5 and near.joints == ("root",)


def test_arms_that_begin_low_are_likely_over_short_legs_only() -> None:
    def likelihood(begins: float, crotch: int) -> float:
        y = crotch + begins * (100 - crotch)
        centers = np.stack([np.linspace(38, 10, 29), np.full(29, y), np.zeros(29)], axis=1)
        tube = Tube(np.arange(29.0), centers, np.full(29, 50.0), 28, 50.0, 1.0, np.zeros(0, bool))
        return arms._arm_likelihood(tube, crotch, 100)

    assert likelihood(0.3, 15) == pytest.approx(likelihood(0.5, 15))
    assert likelihood(0.3, 15) > 1.1 * likelihood(0.65, 15)
    assert likelihood(0.3, 47) < 0.85 * likelihood(0.5, 47)


def tube(areas: np.ndarray) -> Tube:
    """An arm along x, a voxel from section to section, from its tip to its opening."""
    count = len(areas)
    centers = np.stack([np.linspace(count, 1, count), np.full(count, 30.0), np.zeros(count)], axis=1)
    return Tube(np.arange(float(count)), centers, areas, count - 1, 50.0, 1.0, np.zeros(0, bool))


def test_what_is_held_ends_where_the_fist_begins_and_not_in_the_forearm() -> None:
    """A long rod across the hand made the hand begin halfway to the elbow."""
    areas = np.r_[np.full(14, 5.0), np.full(6, 60.0), np.full(30, 40.0)]
    line = np.array([(13.0, 20.0, 20.0 - k) for k in range(14)] + [(13.0 - k, 20.0, 6.0) for k in range(36)])
    assert 13 <= _held(areas, line, 49) <= 15


def test_a_wrist_is_thin_beside_the_forearm_and_not_beside_itself() -> None:
    """A large hand: the arm is thinnest a quarter of its length nearer to the shoulder than wrists are."""
    along = np.arange(101.0)
    areas = np.interp(along, [0, 5, 25, 32, 40, 46, 55, 65, 100], [8, 30, 40, 40, 14, 16, 24, 40, 34])
    assert 0.55 < arms._wrist(tube(areas), 100.0) < 0.64


@pytest.mark.parametrize("share", [0.55, 0.86])
def test_an_animals_elbow_is_where_its_leg_bends(share: float) -> None:
    heights, bend = np.arange(50.0), share * 49
    back = np.interp(heights, [10, bend, 70], [30.0, 22.0, 32.0])
    axis = np.stack([np.full(50, 5.0), heights, back], axis=1)
    leg = animal_legs.Leg(axis, axis, back - 3, back + 3)
    elbow = animal_legs._elbow(leg, np.array([5.0, 70, 32]), axis[10], 0.8)
    assert abs(elbow[1] - bend) < 7


def test_an_ankle_in_a_boot_is_as_high_as_its_foot_is_long_for() -> None:
    """The boot's shaft, which is as deep as an instep, would put it at half the shin."""
    half = np.zeros((8, 60, 24), bool)
    half[2:6, :4, 4:20] = True  # shoe
    half[2:6, 4:14, 4:13] = True  # shaft
    half[2:6, 14:28, 5:10] = True  # leg
    half[:, 28:, 3:13] = True
    ankle = legs.leg_points(legs.legs_of(half))["foot"]
    assert 4 < ankle[1] < 5  # 28 % of 16


def test_an_ankle_over_a_lifted_heel_is_high() -> None:
    """Only the ball of the foot is on the floor; by its length the ankle would be at a third of the foot."""
    half = np.zeros((8, 60, 24), bool)
    for y in range(8):
        half[2:6, y, 10 - y : 14 - y // 2] = True  # a foot that stands on its toes
    half[2:6, 8:28, 3:9] = True  # leg
    half[:, 28:, 0:12] = True
    assert legs.leg_points(legs.legs_of(half))["foot"][1] > 3


@pytest.mark.slow
def test_hips_of_a_large_head_are_low_though_no_gap_is_seen() -> None:
    """They were at a person's half height, 22 % off."""
    fit, off = fitted(made_bodies.person(303), "biped")
    assert any("no gap" in doubt for doubt in fit.doubts) and off["hips"] < 12, (off, fit.doubts)


def test_a_foot_as_long_as_its_leg_tells_ahead() -> None:
    half = np.zeros((8, 40, 20), bool)
    half[2:6, :4, 4:18] = True  # shoe
    half[2:6, 4:9, 5:10] = True  # leg
    half[:, 9:, 3:13] = True
    found = legs.legs_of(half)
    assert found.crotch == 9 and legs.ahead_of(found) > 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("count", "kind", "gait"), [(4, "spider", "spider"), (3, "insect", "insect")])
def test_a_body_with_many_legs_walks_on_all_of_them(count: int, kind: str, gait: str) -> None:
    """Bent tubes beside a body whose hind part is the larger."""
    fit = fit_template(many_legged(count), kind)
    assert fit.score > 0.6 and fit.forward[2] > 0.9
    found = places(fit.skeleton)
    for k in range(1, count + 1):
        foot, knee = found[f"leg_{k}_foot_l"], found[f"leg_{k}_middle_l"]
        assert foot[1] < 0.12 and knee[1] > 0.45 and foot[0] > knee[0] > 0.1
        np.testing.assert_allclose(foot[2], (0.45 - 0.9 * (k - 1) / (count - 1)) * 1.6, atol=0.1)
    assert found["abdomen"][2] < found["root"][2] < found["head"][2]
    figure = posable.Figure(fit.skeleton, skins=(posable.bind(many_legged(count), fit.skeleton),))
    assert len(posable.roles(figure).legs) == 2 * count
    assert len(posable.walk(figure, posable.Gait.load(gait), 4)) > 20
    wrong = fit_template(many_legged(count), "insect" if kind == "spider" else "spider")
    assert wrong.score < 0.3 and any("legs are seen on a side" in doubt for doubt in wrong.doubts)


def many_legged(count: int) -> posable.Mesh:
    """A head, a larger hind part, and `count` legs on each side, each of three tubes."""
    parts = [ball((0, 0.35, 0.15), (0.16, 0.12, 0.25)), ball((0, 0.4, -0.45), (0.25, 0.2, 0.4))]
    for ahead in np.linspace(0.45, -0.45, count):
        way = [(0.1, 0.35, 0.3 * ahead), (0.35, 0.6, ahead), (0.6, 0.35, 1.4 * ahead), (0.7, 0.0, 1.6 * ahead)]
        for sign in (1, -1):
            parts += [rod(np.array(a) * (sign, 1, 1), np.array(b) * (sign, 1, 1)) for a, b in pairwise(way)]
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + first for (_, faces), first in zip(parts, firsts, strict=False)]
    return posable.Mesh(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces))


def rod(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An ellipsoid from a to b, as thick as a leg."""
    vertices, faces = ball((0, 0, 0), (0.04, 0.04, 0.5 * float(np.linalg.norm(b - a)) + 0.03))
    ahead = (b - a) / np.linalg.norm(b - a)
    side = np.cross(ahead, (0.3, 0.9, 0.3))
    side /= np.linalg.norm(side)
    return vertices @ np.array([side, np.cross(ahead, side), ahead]) + (a + b) / 2, faces


def ball(middle: tuple[float, float, float], radii: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    around, down = np.linspace(0, 2 * np.pi, 16, endpoint=False), np.linspace(0.05, np.pi - 0.05, 12)
    sphere = [np.sin(d) * np.array([np.cos(t), np.sin(t), 0]) + (0, 0, np.cos(d)) for d in down for t in around]
    here = np.arange(11 * 16).reshape(11, 16)
    after = np.roll(here, -1, axis=1)
    sides = [
        np.stack([here, here + 16, after], -1).reshape(-1, 3),
        np.stack([after, here + 16, after + 16], -1).reshape(-1, 3),
    ]
    caps = [[[0, k, k + 1] for k in range(1, 15)], [[176, 176 + k + 1, 176 + k] for k in range(1, 15)]]
    return np.array(sphere) * radii + middle, np.concatenate([*sides, *map(np.array, caps)])


def test_a_chain_through_the_air_is_doubted() -> None:
    """Through an open box a chain was fitted at a score of 1, with nine of twelve joints in the air."""
    outer, inner, height = 1.0, 0.92, 0.8
    rings = [(outer, 0.0), (outer, height), (inner, height), (inner, 0.08)]
    square = np.array([(1, 0, 1), (-1, 0, 1), (-1, 0, -1), (1, 0, -1)], float) * (2.0, 1.0, 1.0)
    vertices = np.concatenate([square * size + (0, up, 0) for size, up in rings])
    sides = [(4 * k + i, 4 * k + (i + 1) % 4) for k in range(3) for i in range(4)]
    faces = [f for a, b in sides for f in ((a, b + 4, b), (a, a + 4, b + 4))]
    faces += [(0, 1, 2), (0, 2, 3), (12, 14, 13), (12, 15, 14)]
    fit = fit_template(posable.Mesh(vertices, np.array(faces)), "chain")
    assert fit.score < 0.5
    assert any("its middle is outside of it" in doubt for doubt in fit.doubts)
