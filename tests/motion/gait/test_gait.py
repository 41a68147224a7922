"""Gaits as values and files; the laws of pace; characters."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import posable
from posable import FileError, Gait, PosableError
from posable.motion import characters
from posable.motion.gait.gait import Pace, leg_gravity


@pytest.mark.parametrize("name", characters())
def test_every_character_reads_back_from_its_own_text(name: str, tmp_path: Path) -> None:
    gait = Gait.load(name)
    assert gait.name == name
    gait.save(tmp_path / "copy.toml")
    assert Gait.load(tmp_path / "copy.toml") == gait


def test_there_are_many_characters_and_no_two_are_alike() -> None:
    assert {"human", "sad", "sneaky", "giant", "child", "limp", "zombie", "wolf", "spider"} <= set(characters())
    gaits = [replace(Gait.load(name), name="") for name in characters() if name != "plain"]
    assert len(gaits) >= 10
    for k, gait in enumerate(gaits):
        for other in gaits[k + 1 :]:
            assert sum(getattr(gait, f.name) != getattr(other, f.name) for f in fields(Gait)) >= 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed = 0.4\nbouncy = 1\n", r"own.toml:2: 'bouncy' is not a known key; did you mean bounce\?"),
        ("\nspeed = 9\n", r"own.toml:2: speed must be a number from 0.02 to 1.6, not 9"),
        ('knee = "soft"\n', r"own.toml:1: knee must be a number from 1 to 80, not 'soft'"),
        ("swing_shin = [0.5]\n", r"own.toml:1: swing_shin is \[a share inside 0…1, degrees from -180 to 0\]"),
        ("phases = [0.5]\n", r"own.toml:1: phases is a list of \[left, right\] pairs"),
        ("ankle_curve = [0.5, 1.0]\n", r"own.toml:1: ankle_curve is \[mean, cos, sin"),
        ('form = "best"\n', r"own.toml:1: form is one of rich, curves, quadratic, not 'best'"),
        ("name = 3\n", r"own.toml:1: name must be a text, not 3"),
        ("speed = 0.4\nstep = 1.0\ncadence = 1.0\n", r"own.toml:3: speed 0.4 is not step 1 × cadence 1; give two"),
        ('form = "curves"\n', r"the curves form needs thigh_curve, knee_curve and ankle_curve"),
        ("speed = \n", r"own.toml:1: is not valid TOML"),
        ("", r"own.toml: is empty; Gait.load\("),
    ],
)
def test_a_file_that_cannot_be_meant_names_line_and_cure(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(FileError, match=message):
        Gait.load(path)


def test_what_is_no_figure_does_not_walk() -> None:
    with pytest.raises(PosableError, match=r"what walks is a Figure, not Skeleton; posable\.Figure\(skeleton\)"):
        posable.walk(posable.figure("mannequin").skeleton)  # pyright: ignore


def test_a_gait_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("bounce = 0.5\n")
    assert Gait.load(tmp_path / "own.toml").name == "own"
    (tmp_path / "own.toml").write_text('name = ""\n')
    assert Gait.load(tmp_path / "own.toml").name == ""


def test_what_is_not_there_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PosableError, match=r"no gait is called 'saad'; did you mean sad"):
        Gait.load("saad")
    with pytest.raises(PosableError, match=r"a gait has no 'bouncy'; did you mean bounce\?"):
        Gait().with_(bouncy=1)
    with pytest.raises(PosableError, match=r"gait 'x': lift must be a number from 0 to 0.6, not nan"):
        Gait("x", lift=float("nan"))
    with pytest.raises(FileError, match=r"a gait is written as \.toml"):
        Gait().save("gait.json")


def test_two_of_speed_step_and_cadence_set_the_third() -> None:
    for given in (
        {"speed": 0.45, "step": 0.7},
        {"speed": 0.45, "cadence": 0.45 / 0.7},
        {"step": 0.7, "cadence": 0.45 / 0.7},
    ):
        pace = Pace.of(Gait(**given))
        assert (pace.speed, pace.step, pace.cadence) == pytest.approx((0.45, 0.7, 0.45 / 0.7), abs=1e-12)


@pytest.mark.parametrize("speed", [0.2, 0.45, 0.7])
def test_one_of_them_is_enough(speed: float) -> None:
    whole = Pace.of(Gait(speed=speed))
    assert whole.step == pytest.approx(1.23 * speed**0.5)
    for given in ({"step": whole.step}, {"cadence": whole.cadence}):
        assert Pace.of(Gait(**given)).speed == pytest.approx(speed, abs=1e-12)
    assert whole.stance == pytest.approx(0.642 - 0.1028 * speed)


def test_changing_one_pace_of_a_gait_that_has_one_replaces_it() -> None:
    assert Pace.of(Gait.load("human").with_(step=0.5)).step == pytest.approx(0.5)


def test_the_walk_ratio_of_people_is_kept_from_1_to_2_metres_a_second() -> None:
    leg, root = 0.88, (9.81 * 0.88) ** 0.5
    paces = [Pace.of(Gait(speed=v / root)) for v in np.linspace(1.0, 2.0, 11)]
    ratios = [pace.step * leg / (pace.cadence * (9.81 / leg) ** 0.5 * 60) for pace in paces]
    assert min(ratios) >= 0.0055 and max(ratios) <= 0.0075
    assert max(ratios) / min(ratios) - 1 < 1e-9


def test_gravity_is_the_earths_where_legs_may_be_in_metres() -> None:
    assert leg_gravity(0.9) == 9.81
    assert leg_gravity(88.0) == pytest.approx(981.0)
