"""What a text description may not say: each message with its line and its cure."""

from __future__ import annotations

from pathlib import Path

import pytest

import posable
from posable.errors import FileError, FileTooLargeError

BASE = """posable = 1
name = "creature"
up = "y"
angles = "degrees"

[[joint]]
name = "root"
kind = "free"

[[joint]]
name = "neck"
parent = "root"
axis = "x"
limits = [-60, 60]
elasticity = 0.5

[[chain]]
name = "tail"
parent = "root"
count = 3
axis = "x"
step = [0, 0, 1]

[[shape]]
joint = "neck"
kind = "box"
size = [1, 1, 1]

[[skin]]
from = "tail_1"
to = "tail_3"
radius = 0.1
"""


def refusal(folder: Path, before: str, after: str) -> FileError:
    assert before in BASE
    path = folder / "creature.toml"
    path.write_text(BASE.replace(before, after, 1))
    with pytest.raises(FileError) as caught:
        posable.load(path)
    return caught.value


def test_the_base_loads(tmp_path: Path) -> None:
    (tmp_path / "creature.toml").write_text(BASE)
    assert posable.load(tmp_path / "creature.toml").skeleton.joints == ("root", "neck", "tail_1", "tail_2", "tail_3")


IN_A_JOINT = [
    ("elasticity = nan", "15: joint 'neck': elasticity must be a finite number, not nan"),
    ("elasticity = -1", "10: joint 'neck': elasticity must be a number of at least 0, not -1"),
    ("elasticity = true", "15: joint 'neck': elasticity must be a number, not True"),
    ('elasticity = "0.5"', "15: joint 'neck': elasticity must be a number, not '0.5'"),
    (
        "elasticity = 1" + "0" * 400,
        "15: joint 'neck': elasticity must be a finite number, not 1000",
    ),
    ("absolute = 1", "15: joint 'neck': absolute must be true or false, not 1"),
    ("position = [0, 0]", "15: joint 'neck': position must be 3 numbers in brackets, not [0, 0]"),
    ("position = 7", "15: joint 'neck': position must be 3 numbers in brackets, not 7"),
    ("position = [0, 0, inf]", "joint 'neck': position must be a finite number, not inf"),
    ("wxyz = [0, 0, 0, 0]", "10: joint 'neck': its rotation wxyz has length 0"),
    ("wxyz = [1, 0, 0, 0]\nturn = { x = 1 }", "16: joint 'neck': give either `wxyz` or `turn`"),
    ("turn = { w = 1 }", "joint 'neck': turn: 'w' is not a known key; the keys are x, y, z"),
    ("turn = 90", "15: joint 'neck': turn must be a table in braces, not 90"),
    ('active = "no"', "joint 'neck': active must be true, false, or a list with one per degree of freedom"),
    ("active = [1]", "joint 'neck': active must be true, false, or a list with one per degree of freedom"),
    ("active = [true, true]", "joint 'neck': active needs 1 entries, one per freedom, not 2"),
    ("rest = [1, 2]", "joint 'neck': rest must be 1 numbers in brackets, not [1, 2]"),
    (
        "comfort = [[1, 2], [3, 4]]",
        "joint 'neck': comfort needs 1 pairs [lower, upper], one per degree of freedom, not 2",
    ),
    ("comfort = [2, 1]", "15: joint 'neck': comfort range is crossed: write the lower end first, not [2, 1]"),
    ("comfort = 2", "joint 'neck': comfort must be a list in brackets"),
    ("aliases = [1]", "joint 'neck': aliases must be strings in quotes"),
    ("tips = [1]", "joint 'neck': tips must be 3 numbers in brackets, not 1"),
    ('cone = { axis = "x" }', "joint 'neck': only ball joints have cones"),
    ("mass = -1", "joint 'neck': mass must be a number of at least 0, not -1"),
]
ELSEWHERE = [
    ("posable = 1\n", "", " is TOML, but not a description of a figure, which begins with posable = 1"),
    ("posable = 1", "posable = 2", "1: is written in version 2 of the description; this posable reads 1: update it"),
    ("posable = 1", "posable = 1.5", "1: posable must be a whole number of at least 1, not 1.5"),
    ('name = "creature"', "name = 3", "2: name must be a string in quotes, not 3"),
    ('up = "y"', 'up = "x"', "3: up cannot be 'x'; choose from y, z"),
    ('angles = "degrees"', 'angles = "degree"', "4: angles cannot be 'degree'; did you mean 'degrees'?"),
    ('angles = "degrees"', 'angels = "degrees"', "4: 'angels' is not a known key; did you mean angles?"),
    ("[[shape]]", "[[shap]]", " 'shap' is not a known key; did you mean shape?"),
    ("elasticity", "elastcity", "15: joint 'neck': 'elastcity' is not a known key; did you mean elasticity?"),
    ("elasticity", "zzz", "15: joint 'neck': 'zzz' is not a known key; the keys are name, kind, parent, position"),
    ('axis = "x"\nlimits', 'kind = "hing"\nlimits', "13: joint 'neck': kind cannot be 'hing'; did you mean 'hinge'?"),
    (
        'axis = "x"\nlimits',
        'kind = "ball"\nlimits',
        "joint 'neck': a ball joint has no single axis; leave limits out, or write axes",
    ),
    ('axis = "x"\nlimits', "limits", "10: joint 'neck': axis is missing"),
    (
        'axis = "x"',
        'axis = "w"',
        "13: joint 'neck': axis must be one of x, y, z, -x, -y, -z, or three numbers, not 'w'",
    ),
    ('axis = "x"', "axis = [0, 0, 0]", "10: joint 'neck': an axis needs a finite direction of some length"),
    (
        "limits = [-60, 60]",
        "limits = [60, -60]",
        "14: joint 'neck': limits are crossed: write the lower one first, not [60, -60]",
    ),
    ("limits = [-60, 60]", "limits = [nan, 60]", "14: joint 'neck': limits must be a number, not nan"),
    ("limits = [-60, 60]", "limits = 60", "14: joint 'neck': limits must be 2 numbers in brackets, not 60"),
    ("limits = [-60, 60]", 'axes = ["x", "y"]', "joint 'neck': axis belongs inside axes here, one table for each axis"),
    (
        'axis = "x"\nlimits = [-60, 60]',
        'kind = "universal"\naxes = ["x"]',
        "joint 'neck': a universal joint has 2 turning and 0 sliding axes",
    ),
    (
        'axis = "x"\nlimits = [-60, 60]',
        'kind = "universal"\naxes = ["x", { axes = "y" }]',
        "joint 'neck': axes: 'axes' is not a known key; did you mean axis?",
    ),
    (
        'axis = "x"\nlimits = [-60, 60]',
        'kind = "ball"\ncone = { axis = "x", swing = 200 }',
        "joint 'neck': a swing limit lies between 0 and π",
    ),
    (
        'axis = "x"\nlimits = [-60, 60]',
        'kind = "ball"\ncone = { axis = "x", sing = 20 }',
        "joint 'neck': cone: 'sing' is not a known key; did you mean swing?",
    ),
    (
        "limits = [-60, 60]",
        'follow = { joint = "neck" }',
        "10: joint 'neck': mimics itself in a circle; one of them must move by itself",
    ),
    (
        "limits = [-60, 60]",
        'follow = { joint = "nose" }',
        "10: joint 'neck': mimics 'nose', but no joint of that name has such an axis",
    ),
    (
        "limits = [-60, 60]",
        'follow = { joint = "neck", axis = 1.0 }',
        "joint 'neck': follow: axis must be a whole number from 0 to 100,000, not 1.0",
    ),
    (
        "limits = [-60, 60]",
        'follow = { jont = "neck" }',
        "joint 'neck': follow: 'jont' is not a known key; did you mean joint?",
    ),
    (
        'parent = "root"\naxis',
        'parent = "rot"\naxis',
        "12: joint 'neck': its parent 'rot' does not exist; did you mean root?",
    ),
    (
        'parent = "root"\naxis',
        'parent = "äöü"\naxis',
        "joint 'neck': its parent 'äöü' does not exist",
    ),
    (
        'parent = "root"\naxis',
        'parent = "tail_2"\naxis',
        "12: joint 'neck': its parent 'tail_2' comes later, or the parents form a cycle; parents must come first",
    ),
    (
        'parent = "root"\naxis',
        'parent = "neck"\naxis',
        "its parent 'neck' comes later, or the parents form a cycle; parents must come first",
    ),
    (
        'name = "neck"',
        'name = "root"',
        "11: joint 'root': the name 'root' is taken by the one in line 6; names must be unique",
    ),
    (
        'name = "neck"',
        'name = "tail_2"',
        "18: chain 'tail': the name 'tail_2' is taken by the one in line 10; names must be unique",
    ),
    ('name = "neck"\n', "", "10: joint 2: name is missing"),
    ('name = "neck"', 'name = ""', "11: joint '': name must be a string in quotes, not ''"),
    (
        "count = 3",
        "count = 3000000000",
        "20: chain 'tail': count must be a whole number from 1 to 10,000, not 3000000000",
    ),
    ("count = 3", "count = 0", "20: chain 'tail': count must be a whole number from 1 to 10,000, not 0"),
    ("count = 3", "count = true", "20: chain 'tail': count must be a whole number from 1 to 10,000, not True"),
    ("count = 3\n", "", "17: chain 'tail': count is missing"),
    ("step = [0, 0, 1]", "step = 1", "22: chain 'tail': step must be 3 numbers in brackets, not 1"),
    ("step = [0, 0, 1]", 'step = [0, 0, 1]\naliases = ["t"]', "23: chain 'tail': 'aliases' is not a known key"),
    (
        "step = [0, 0, 1]",
        "step = [0, 0, 1]\nmass = [1, 2, 3]",
        "23: chain 'tail': mass must be 2 numbers in brackets, not [1, 2, 3]",
    ),
    (
        "step = [0, 0, 1]",
        'step = [0, 0, 1]\ncycle = ["x"]',
        "23: chain 'tail': give axis (the same for every joint) or cycle",
    ),
    (
        "step = [0, 0, 1]",
        "step = [0, 0, 1]\ncycle = []",
        '23: chain \'tail\': cycle must be axes in brackets, such as ["x", "y"]',
    ),
    ('joint = "neck"', 'joint = "nek"', "24: shape 1: no joint is called 'nek'; did you mean neck?"),
    ('kind = "box"', 'kind = "bax"', "26: shape 1: kind cannot be 'bax'; did you mean 'box'?"),
    ("size = [1, 1, 1]", "size = 1", "27: shape 1: size must be 3 numbers in brackets, not [1]"),
    ("size = [1, 1, 1]", "size = [1, 1, -1]", "24: shape 1: shape on 'neck': a box has 3 sizes of at least 0"),
    (
        "size = [1, 1, 1]",
        "size = [1, 1, 1]\ncolor = [2, 0, 0]",
        "28: shape 1: color is red, green and blue, each from 0 to 1",
    ),
    (
        "size = [1, 1, 1]",
        "size = [1, 1, 1]\ncolour = [1, 0, 0]",
        "28: shape 1: 'colour' is not a known key; did you mean color?",
    ),
    ('to = "tail_3"', 'to = "tall_3"', "31: skin 1: no joint is called 'tall_3'; did you mean tail_3"),
    ('to = "tail_3"', 'to = "neck"', "31: skin 1: 'neck' is not a descendant of 'tail_1'"),
    ("radius = 0.1", "radius = 0", "32: skin 1: radius must be a number above 0, or a list of them"),
    ("radius = 0.1", "radius = []", "32: skin 1: radius must be a number above 0, or a list of them"),
    ("radius = 0.1", "radius = 0.1\nsides = 2", "33: skin 1: sides must be a whole number from 3 to 256, not 2"),
    ("radius = 0.1", "radius = 0.1\nrings = 1000", "33: skin 1: rings must be a whole number from 1 to 64, not 1000"),
    ("radius = 0.1", "radius = 0.1\ncolor = [1, 0, 1.5]", "33: skin 1: color is red, green and blue, each from 0 to 1"),
    ("radius = 0.1", "radius = 0.1\nshape = 1", "33: skin 1: 'shape' is not a known key"),
]
EACH = [*(("elasticity = 0.5", after, message) for after, message in IN_A_JOINT), *ELSEWHERE]


@pytest.mark.parametrize(("before", "after", "message"), EACH)
def test_each_slip_is_named_with_its_line(tmp_path: Path, before: str, after: str, message: str) -> None:
    said = str(refusal(tmp_path, before, after))
    assert said.startswith("creature.toml")
    assert message in said


def test_the_place_is_kept_on_the_error(tmp_path: Path) -> None:
    problem = refusal(tmp_path, "elasticity", "elastcity")
    assert (problem.path.name, problem.line) == ("creature.toml", 15)


def test_absolute_angles_need_absolute_ones_above(tmp_path: Path) -> None:
    head = '[[joint]]\nname = "head"\nparent = "neck"\naxis = "x"\nabsolute = true\n'
    problem = refusal(tmp_path, "[[chain]]", f"{head}\n[[chain]]")
    what = "creature.toml:17: joint 'head': has an absolute angle, so 'neck', which moves above it, must have one too"
    assert what in str(problem)


def test_a_description_without_joints_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text("posable = 1\n")
    with pytest.raises(FileError, match=r"empty.toml: has no joint; begin with a \[\[joint\]\]"):
        posable.load(path)


def test_too_much_is_refused_before_it_is_made(tmp_path: Path) -> None:
    chains = "".join(f'[[chain]]\nname = "c{k}"\ncount = 10000\naxis = "x"\nstep = [0, 0, 1]\n' for k in range(11))
    path = tmp_path / "creature.toml"
    path.write_text("posable = 1\n" + chains)
    with pytest.raises(
        FileTooLargeError, match=r"declares 110,000 joints; posable accepts at most 100,000 in one file"
    ):
        posable.load(path)
    path.write_text(
        BASE.replace("count = 3", "count = 1000")
        .replace("radius = 0.1", "radius = 0.1\nrings = 64")
        .replace("tail_3", "tail_999")
    )
    with pytest.raises(FileTooLargeError, match=r"declares 64,000 rings of a tube; posable accepts at most 20,000"):
        posable.load(path)
    path.write_text(BASE + '[[skin]]\nfrom = "tail_1"\nto = "tail_3"\nradius = 0.1\n' * 100)
    with pytest.raises(FileTooLargeError, match=r"declares 101 skins; posable accepts at most 100"):
        posable.load(path)
