"""The text description: exact round trips, chains, tubes, its page in the manual."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.toml_texts import CANONICAL, CHAIN, text_file

import posable
from posable.errors import UnsupportedFileError
from posable.figures import Shape
from posable.formats.toml import SECTIONS, SHAPE_KEYS, TOP_KEYS
from posable.formats.toml.joints import AXIS_KEYS, CHAIN_KEYS, CONE_KEYS, FOLLOW_KEYS, JOINT_KEYS
from posable.formats.toml.tube import TUBE_KEYS
from posable.skeleton import Axis, Cone, Follow, Joint, Skeleton

ROOT = Path(__file__).parents[2]
CREATURES = sorted((ROOT / "examples/creatures").glob("*.toml"))


def written(folder: Path, figure: posable.Figure, motion: Any = None) -> str:
    posable.save(folder / "written.toml", figure, motion)
    return (folder / "written.toml").read_text(encoding="utf-8")


def comes_back(folder: Path, figure: posable.Figure) -> posable.Figure:
    """figure → text → figure is equal, and → text again the same."""
    text = written(folder, figure)
    again = posable.load(folder / "written.toml")
    assert again.skeleton == figure.skeleton
    assert again.shapes == figure.shapes
    assert again.name == figure.name
    assert written(folder, again) == text
    return again


# --- round trips ------------------------------------------------------------------------------------------------------


def test_the_canonical_text_is_written_as_it_was_read(tmp_path: Path) -> None:
    figure = posable.load(text_file(tmp_path, CANONICAL))
    assert written(tmp_path, figure) == CANONICAL
    assert figure.notes == ("this text description leaves out 2 skins: keep them in a .glb",)


def test_every_key_arrives(tmp_path: Path) -> None:
    figure = posable.load(text_file(tmp_path, CANONICAL))
    joints = {joint.name: joint for joint in figure.skeleton.definitions}
    assert (figure.name, figure.skeleton.up) == ("everything", "z")
    half = math.radians(90)
    assert joints["root"] == Joint(
        "root", "free", None, (0, 1.5, 0), (0.7071067811865476, 0, 0.7071067811865476, 0), rest=(0, 1, 0, 1, 0, 0, 0),
        active=(True,) * 3 + (False,) * 3, comfort=((-1, 1),) * 3 + ((-half, half),) * 3,
        aliases=("pelvis", 'a "quoted" naïve name\n'),
    )  # fmt: skip
    assert joints["knee"] == Joint(
        "knee", "hinge", "root", (0, -0.4, 1e-7), axes=(Axis((-1, 0, 0), lower=0, upper=math.radians(140)),),
        rest=(math.radians(30),), active=(False,), ease=math.radians(10), stiffness=0.5, elasticity=0.1,
        comfort=((math.radians(5), math.radians(25)),), mass=2.5, mass_center=(0, -0.2, 0),
        tips=((0, -0.4, 0), (0, -0.4, 0.1)), capsules=((0, 0, 0, 0, -0.4, 0, 0.05),),
    )  # fmt: skip
    assert joints["lift"].axes == (Axis((0.6, 0.8, 0), slide=True, upper=0.25, reference=0.1),)
    assert joints["lift"].ease == 0.01
    assert joints["mimic"].axes[0].follow == Follow("shoulder", -2, half, 1)
    assert joints["shoulder"].axes[0] == Axis((0, 1, 0), lower=math.radians(-30), upper=math.radians(30))
    assert joints["shoulder"].axes[1] == Axis((0, 0, 1), anchor=(0, 0.1, 0), name="roll", reference=math.radians(45))
    assert joints["table"] == Joint("table", "planar", "root")
    assert joints["sledge"].axes[0].upper == 1
    assert joints["machine"].axes == (Axis((1, 0, 0), slide=True, lower=0, upper=0.5), Axis((1, 0, 0)))
    assert joints["machine"].rest == (0.25, half)
    assert joints["hip"].cone == Cone((0, -1, 0), math.radians(60), (math.radians(-45), math.radians(30)), (0, 1, 0, 0))
    assert joints["hip"].anchor == (0, 0.05, 0)
    assert joints["arm"].absolute
    assert figure.shapes == (
        Shape("knee", "box", (0.1, 0.2, 0.3), (0, -0.2, 0), (0, 1, 0, 0), (0.5, 0, 1)),
        Shape("pelvis", "sphere", (0.1,)),
    )
    assert [skin.name for skin in figure.skins] == ["sleeve"]


@pytest.mark.parametrize("path", CREATURES, ids=lambda path: path.stem)
def test_the_example_creatures_come_back(tmp_path: Path, path: Path) -> None:
    figure = posable.load(path)
    again = comes_back(tmp_path, figure)
    for before, after in zip(figure.skins, again.skins, strict=True):
        assert (before.vertices == after.vertices).all()
        assert (before.weights == after.weights).all()
    assert figure.notes == ()


def random_joint(rng: np.random.Generator, name: str, parent: str | None, short: bool) -> Joint:
    """Any kind of joint with every number drawn."""

    def angle(low: float, high: float) -> float:
        return math.radians(round(rng.uniform(low, high))) if short else math.radians(rng.uniform(low, high))

    def axis(slide: bool) -> Axis:
        lower, upper = (-rng.uniform(0, 1), rng.uniform(0, 1)) if slide else (angle(-170, -1), angle(1, 170))
        way = tuple(rng.standard_normal(3)) if rng.random() < 0.5 else (0, 0, -1)
        return Axis(way, slide, tuple(rng.standard_normal(3) * (rng.random() < 0.3)), lower, upper)

    kinds = {"fixed": 0, "hinge": 1, "twist": 1, "universal": 2, "ball": 0, "free": 0, "planar": 0, "compound": 3}
    kind = str(rng.choice(list(kinds)))
    axes = tuple(axis(kind == "compound" and k == 1) for k in range(kinds[kind]))
    cone = Cone(
        tuple(rng.standard_normal(3)), angle(1, 179), (angle(-170, 0), angle(1, 170)), tuple(rng.standard_normal(4))
    )
    joint = Joint(
        name, kind, parent, tuple(rng.standard_normal(3)), tuple(rng.standard_normal(4)), axes,
        cone=cone if kind == "ball" else None, ease=angle(1, 9) if kind == "hinge" else 0.0, elasticity=rng.random(),
        mass=rng.random() if rng.random() < 0.5 else None, tips=(tuple(rng.standard_normal(3)),) * int(rng.integers(3)),
    )  # fmt: skip
    rest = Skeleton([replace(joint, parent=None)]).random_pose(rng).q
    return replace(joint, rest=tuple(rest)) if rng.random() < 0.3 else joint


@pytest.mark.parametrize("short", [True, False], ids=["whole degrees", "any angle"])
def test_random_skeletons_come_back_to_the_last_bit(tmp_path: Path, short: bool) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        joints = [random_joint(rng, "j0", None, short)]
        for k in range(1, 12):
            joints.append(random_joint(rng, f"j{k}", f"j{rng.integers(k)}", short))
        comes_back(tmp_path, posable.Figure(Skeleton(joints, "z"), name="random"))


@pytest.mark.parametrize("name", ["robots/panda.urdf", "robots/baxter.urdf", "robots/g1_29dof.xml", "mocap/zombie.bvh"])
def test_real_figures_come_back(shared: Path, tmp_path: Path, name: str) -> None:
    figure = posable.load(shared / name)
    again = comes_back(tmp_path, figure)
    assert np.array_equal(again.rest.world_from_joint, figure.rest.world_from_joint)


def test_angles_are_degrees_only_where_they_are_exact(tmp_path: Path) -> None:
    def text(limit: float) -> str:
        joint = Joint("a", "hinge", axes=(Axis((1, 0, 0), upper=limit),))
        return written(tmp_path, posable.Figure(Skeleton([joint])))

    assert 'angles = "degrees"' in text(math.radians(72.5))
    assert "limits = [-inf, 72.5]" in text(math.radians(72.5))
    assert 'angles = "radians"' in text(2.8973)
    assert "limits = [-inf, 2.8973]" in text(2.8973)
    assert "limits = [-inf, 180]" in text(math.pi)


def test_names_of_every_kind_come_back(tmp_path: Path) -> None:
    names = ["a b", 'say "hi"', "tab\tline\nfeed", "\x00\x1f\x7f", "Zoë 蛇 🐍", "\\", "#", "[[joint]]", "'''"]
    joints = [Joint(name, "fixed", names[k - 1] if k else None) for k, name in enumerate(names)]
    comes_back(tmp_path, posable.Figure(Skeleton(joints), name='"""'))


# --- what writing keeps and leaves out --------------------------------------------------------------------------------


def test_a_pose_becomes_the_rest(tmp_path: Path) -> None:
    figure = posable.load(text_file(tmp_path, CANONICAL))
    pose = figure.skeleton.random_pose(np.random.default_rng(3))
    written(tmp_path, figure, pose)
    again = posable.load(tmp_path / "written.toml")
    assert np.abs(again.rest.q - pose.q).max() < 1e-15
    written(tmp_path, again, figure.rest)
    assert np.abs(posable.load(tmp_path / "written.toml").rest.q - figure.rest.q).max() < 1e-15


def test_the_neutral_pose_goes_unsaid(tmp_path: Path) -> None:
    joints = [Joint("a", "free", position=(1, 2, 3)), Joint("b", "hinge", "a", axes=(Axis((1, 0, 0)),), rest=(1.0,))]
    figure = posable.Figure(Skeleton(joints))
    text = written(tmp_path, figure, posable.Pose(figure.skeleton, [1, 2, 3, 1, 0, 0, 0, 0]))
    assert "rest" not in text


def test_clips_and_batches_are_refused(tmp_path: Path) -> None:
    figure = posable.load(text_file(tmp_path, CANONICAL))
    clip = posable.Clip(figure.skeleton, figure.rest.q[None], 30)
    with pytest.raises(UnsupportedFileError, match=r"cannot store motion; save the clip as \.bvh or \.glb"):
        written(tmp_path, figure, clip)
    with pytest.raises(UnsupportedFileError, match=r"stores one pose, not \(1,\); save one of them"):
        written(tmp_path, figure, clip.poses)
    assert not (tmp_path / "written.toml").exists()


def test_what_is_left_out_is_said_and_stays_said(tmp_path: Path) -> None:
    plain = posable.load(text_file(tmp_path, CANONICAL))
    skin = posable.Skin.rigid(plain.skeleton, "knee", np.eye(3), [[0, 1, 2]], name="shin")
    clip = posable.Clip(plain.skeleton, plain.rest.q[None], 30)
    text = written(tmp_path, replace(plain, skins=(skin, skin), clips=(clip,) * 3, source=None))
    assert 'left_out = "2 skins and 3 clips: keep them in a .glb"' in text
    assert "[[skin]]" not in text
    again = posable.load(tmp_path / "written.toml")
    assert again.notes == ("this text description leaves out 2 skins and 3 clips: keep them in a .glb",)
    assert written(tmp_path, again) == text
    kept = written(tmp_path, replace(plain, skins=(*plain.skins, skin)))
    assert 'left_out = "1 skin: keep them in a .glb"' in kept
    assert 'name = "sleeve"' in kept


def test_the_generator_is_kept(tmp_path: Path) -> None:
    figure = posable.Figure(Skeleton([Joint("a", "fixed")]))
    assert written(tmp_path, figure).startswith('posable = 1\ngenerator = "posable ')
    by_hand = posable.load(text_file(tmp_path, 'posable = 1\n[[joint]]\nname = "a"\nkind = "fixed"\n'))
    assert "generator" not in written(tmp_path, by_hand)
    assert "generator" not in written(tmp_path, posable.load(tmp_path / "written.toml"))


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UnsupportedFileError, match="a name contains an unpaired surrogate, which no text file can store; rename it"
    ):
        written(tmp_path, posable.Figure(Skeleton([Joint("\ud800", "fixed")])))


# --- the manual -------------------------------------------------------------------------------------------------------


def documented() -> dict[str, set[str]]:
    """Per heading of the manual, the keys in the first column of its tables."""
    text = (ROOT / "docs/text-description.md").read_text(encoding="utf-8")
    parts = re.split(r"^#{2,3} (.+)$", text, flags=re.MULTILINE)
    return {
        heading: set(re.findall(r"^\| `(\w+)` \|", body, flags=re.MULTILINE))
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("Top of the file", TOP_KEYS),
        ("`[[joint]]`", JOINT_KEYS),
        ("An entry of `axes`", AXIS_KEYS),
        ("`follow = { … }`", FOLLOW_KEYS),
        ("`cone = { … }`", CONE_KEYS),
        ("`[[chain]]`", set(CHAIN_KEYS) - set(JOINT_KEYS)),
        ("`[[shape]]`", SHAPE_KEYS),
        ("`[[skin]]`", TUBE_KEYS),
    ],
)
def test_the_manual_has_every_key_and_no_other(heading: str, keys: tuple[str, ...]) -> None:
    assert documented()[heading] == set(keys)


def test_the_manual_has_every_section() -> None:
    assert {f"`[[{section}]]`" for section in SECTIONS} <= set(documented())
    assert set(JOINT_KEYS) - set(CHAIN_KEYS) == {"aliases", "habits"}


def test_the_manual_opens_with_a_creature_that_loads(tmp_path: Path) -> None:
    text = (ROOT / "docs/text-description.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    figure = posable.load(text_file(tmp_path, example))
    assert len(figure.skeleton.joints) == 25
    assert len(figure.skins) == 1


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_files_are_refused(attack: Any) -> None:
    seeds = [CANONICAL.encode(), CHAIN.encode(), *(path for path in CREATURES if path.stem in ("snake", "arm"))]
    outcome = attack(".toml", seeds)
    assert outcome.refused > outcome.loaded > 0
