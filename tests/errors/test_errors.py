"""The tree of errors, and the messages that they put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from posable import errors
from posable.errors import FileError, MissingExtraError, PosableError, UnknownJointError, near_names


def test_one_tree_that_other_programs_can_catch() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__ if name.endswith("Error")]
    assert all(issubclass(kind, PosableError) for kind in kinds)
    plain = {kind.__name__ for kind in kinds if not issubclass(kind, ValueError)}
    assert plain == {"PosableError", "MissingExtraError"}
    assert issubclass(MissingExtraError, ImportError) and issubclass(UnknownJointError, KeyError)
    assert all(f"{kind.__name__}" in (errors.__doc__ or "") for kind in kinds)


def test_file_errors_say_where() -> None:
    error = FileError("models/knight.bvh", "a channel is missing", line=12)
    assert str(error) == "knight.bvh:12: a channel is missing"
    assert (error.path, error.line, error.problem) == (Path("models/knight.bvh"), 12, "a channel is missing")
    assert str(FileError(Path("a.glb"), "is empty")) == "a.glb: is empty"
    assert str(FileError("/", "is a folder")) == "/: is a folder"


@pytest.mark.parametrize(
    ("name", "clashing", "message"),
    [
        ("hnd", (), "no joint is called 'hnd'; did you mean hand or head?"),
        ("xyz", (), "no joint is called 'xyz'; the joints are hand, head, foot"),
        ("h", ("hand", "head"), "no joint is called 'h'; it matches hand, head; write one of them in full"),
    ],
)
def test_unknown_joints(name: str, clashing: tuple[str, ...], message: str) -> None:
    error = UnknownJointError(name, iter(["hand", "head", "foot"]), clashing=clashing)
    assert str(error) == error.message == message
    assert error.name == name


def test_a_list_of_joints_that_is_cut_says_how_many_more_there_are() -> None:
    names = [f"j{k}" for k in range(15)]
    assert str(UnknownJointError("xyz", names)).endswith("j10, j11 and 3 more")
    assert str(UnknownJointError("xyz", names[:12])).endswith("j10, j11")
    found = str(UnknownJointError("xyz", names, roles={"hips": "j3", "hand_r": "j13", "head": "j14"}))
    assert "the joints are j13, j14, j0, j1," in found and found.endswith("j9 and 3 more")
    named = str(UnknownJointError("xyz", [*names, "head"], roles={"hand_r": "j13", "head": "head"}))
    assert "the joints are j13, head, j0," in named, "also a joint that is called like its role"


def test_missing_extras_name_the_cure() -> None:
    error = MissingExtraError("usd", "reading .usda")
    assert str(error).startswith('reading .usda needs an optional package: pip install "posable[usd]", or in a clone')
    assert str(error).endswith('pip install ".[usd]"')
    assert error.extra == "usd"


def test_roles_are_near_as_people_say_them() -> None:
    problem = UnknownJointError("right hnad", ["Bip01 R Palm"], roles={"hand_r": "Bip01 R Palm"})
    assert str(problem) == "no joint is called 'right hnad'; did you mean hand_r (the role of 'Bip01 R Palm')?"
    named = UnknownJointError("righthnad", ["hips", "hand_r"], roles={"hips": "hips", "hand_r": "hand_r"})
    assert named.near == ("hand_r",), "also a joint that is called like its role"


def test_near_names_heed_no_case_and_keep_the_spelling() -> None:
    assert near_names("lefthand", ["LeftHand", "RightHand", "Hips"]) == ["LeftHand", "RightHand"]
    assert near_names("q", ["LeftHand"]) == []
    assert len(near_names("bone1", [f"bone{i}" for i in range(9)])) == 4
