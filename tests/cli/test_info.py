"""`posable info`."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable.cli import options
from posable.figures.rebuild import UNITS


def test_it_says_what_is_in_a_text_figure(run, arm) -> None:
    ran = run("info", arm)
    assert ran.status == 0
    assert "arm.toml: text description, 'arm'" in ran.out
    assert "4 joints, 3 freedoms, 1 of them limited; y is up" in ran.out
    assert "height    0 m" in ran.out


def test_it_says_what_is_in_a_recording(run, person) -> None:
    ran = run("info", person)
    assert "4 joints, 15 freedoms, 0 of them limited; y is up" in ran.out
    assert "clip      person: 3 frames at 20 fps, 0.10 s" in ran.out


def test_json_holds_the_same_facts(run, person) -> None:
    facts = run("info", person, "--json").json
    assert (facts["format"], facts["joints"], facts["freedoms"], facts["unit"]) == ("BVH", 4, 15, None)
    assert facts["clips"] == [{"name": "person", "frames": 3, "fps": 20.0, "seconds": 0.1}]
    assert (facts["skins"], facts["shapes"], "tree" in facts) == ([], 0, False)


def test_it_says_where_hands_are_and_how_far_they_reach(run, tmp_path) -> None:
    posable.save(tmp_path / "person.glb", posable.figure("mannequin"))
    limbs = {one["limb"]: one for one in run("info", tmp_path / "person.glb", "--json").json["limbs"]}
    rest = posable.figure("mannequin").rest
    origins = dict(zip(rest.skeleton.joints, rest.origins, strict=True))
    assert set(limbs) == {"right hand", "left hand", "right foot", "left foot"}
    assert limbs["right hand"]["at"] == pytest.approx(origins["hand_r"].tolist(), abs=1e-5)
    bones = [
        np.linalg.norm(origins[a] - origins[b]) for a, b in (("upper_arm_r", "forearm_r"), ("forearm_r", "hand_r"))
    ]
    assert limbs["right hand"]["reach"] == pytest.approx(sum(bones), abs=1e-5)
    said = run("info", tmp_path / "person.glb").out
    assert f"right hand (hand_r): at {','.join(f'{x:.3g}' for x in limbs['right hand']['at'])} at rest" in said


def test_unit_makes_lengths_metres(run, person) -> None:
    plain, metric = run("info", person, "--json").json, run("info", person, "--json", "--unit", "cm").json
    assert metric["unit"] == "m"
    assert metric["height"] == pytest.approx(plain["height"] / 100)


@pytest.mark.parametrize(
    ("height", "words"), [(170, "it would be cm"), (1700, "it would be mm"), (67, "it would be in")]
)
def test_a_height_without_a_unit_comes_with_a_guess(run, person, height, words) -> None:
    text = person.read_text().replace("OFFSET 0 30 0", f"OFFSET 0 {height} 0")
    person.write_text(text)
    assert words in run("info", person).out


def test_a_height_that_fits_nobody_comes_without_a_guess(run, person) -> None:
    assert "give it with --unit" in run("info", person).out


def test_root_fixes_what_floats(run, person) -> None:
    assert run("info", person, "--json", "--root", "fixed").json["freedoms"] == 9


def _places(file) -> dict[str, list[float]]:
    rest = posable.load(file).rest
    return dict(zip(rest.skeleton.joints, rest.origins.round(6).tolist(), strict=True))


def test_joints_lists_them_with_their_limits(run, arm) -> None:
    lines = run("info", arm, "--joints").out.splitlines()
    at = {name: ",".join(f"{x:g}" for x in at) for name, at in _places(arm).items()}
    assert f"  shoulder  hinge  at {at['shoulder']}" in lines
    assert f"    elbow  hinge  at {at['elbow']}  z 0 to 2" in lines
    assert f"        tip  fixed  at {at['tip']}  end: its name says so, and nothing hangs on it" in lines
    tree = run("info", arm, "--joints", "--json").json["tree"]
    assert tree[1] == {
        "name": "elbow",
        "parent": "shoulder",
        "kind": "hinge",
        "freedoms": [{"name": "z", "lower": 0.0, "upper": 2.0}],
        "at": _places(arm)["elbow"],
        "use": "deforming",
        "why": "part of the body, as far as can be seen",
    }
    assert tree[0]["freedoms"] == [{"name": "z", "lower": None, "upper": None}]


def test_the_units_are_the_librarys() -> None:
    assert set(options.UNITS) == set(UNITS)


def test_the_axis_that_is_up_is_the_callers(run, person) -> None:
    assert run("info", person, "--json").json["up"] == "y"
    assert run("info", person, "--json", "--up", "z").json["up"] == "z"


def test_a_deep_figure_is_listed_too(run, tmp_path) -> None:
    import posable

    chain = [posable.Joint(f"j{i}", "fixed", f"j{i - 1}" if i else None, (0, 0.01, 0)) for i in range(3000)]
    posable.save(tmp_path / "deep.toml", posable.Figure(posable.Skeleton(chain)))
    assert run("info", tmp_path / "deep.toml", "--joints").out.count("fixed") == 3000


def test_markers_are_listed_with_what_is_understood(run, tmp_path) -> None:
    rows = [["PathFileType", "4", "(X/Y/Z)", "t.trc"], ["DataRate", "NumFrames", "NumMarkers", "Units"]]
    rows += [["30", "2", "2", "m"], ["Frame#", "Time", "LKNE", "", "", "Q1", "", ""], []]
    rows += [["1", "0", "0.1", "1", "0", "0.2", "1", "0"], ["2", "0.03", "0.1", "1", "0", "", "", ""]]
    (tmp_path / "t.trc").write_text("\n".join("\t".join(row) for row in rows) + "\n")
    ran = run("info", "t.trc")
    assert ran.status == 0, ran.err
    assert ran.out.splitlines() == [
        "t.trc: TRC, 2 markers; y is up",
        "  frames    2 frames at 30 fps, 0.03 s; 25 % of the positions are gaps",
        "  known     LKNE",
        "  unknown   Q1",
        "  use       posable fit t.trc -o OUT",
    ]
    assert list(run("info", "t.trc", "--json").json["not_understood"]) == ["Q1"]
    (tmp_path / "none.c3d").touch()
    assert "none.c3d: is empty; export or copy it again" in run("info", "none.c3d").err
