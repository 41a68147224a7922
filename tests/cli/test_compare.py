"""`posable compare`: every method has its row, what cannot says why, and pictures and films are written."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import av
import pytest
from PIL import Image

import posable
from posable.solvers.solving import NAMES

FEW = ("--method", "dls", "--method", "spring", "--method", "Fabrik")


def test_each_method_has_its_row_or_its_reason(run, arm) -> None:
    ran = run("compare", arm, "--goal", "tip=1.5,1.5,0")
    assert (ran.status, ran.err) == (0, "")
    for name in NAMES:
        assert name in ran.out
    assert "SpringIK does not apply: the chain that ends at 'tip' is straight at rest" in " ".join(ran.out.split())
    for heading in ("reached", "error", "steps", "time", "move", "jerkiness"):
        assert heading in ran.out


def test_json_holds_what_the_library_gives(run, arm) -> None:
    found = run("compare", arm, "--goal", "tip=1.5,1.5,0", "--json", *FEW).json["rows"]
    assert [row["method"] for row in found] == ["DampedLeastSquares", "SpringIK", "Fabrik"]
    figure = posable.load(arm)
    goals = [posable.Reach("tip", (1.5, 1.5, 0))]
    first = posable.compare(figure, goals, ["dls"], tolerance=1e-3 * figure.skeleton.reach)[0]
    row = found[0]
    assert row["status"] == "REACHED" and row["reached"] is True and row["angle"] is None
    assert row["distance"] == first.distance and row["iterations"] == first.iterations
    assert row["largest_move"] == first.largest_move and row["jerkiness"] == first.jerkiness
    assert row["seconds"] > 0
    assert list(found[1]) == ["method", "refusal"]


@pytest.mark.parametrize(
    ("chosen", "waits", "steps"),
    [(("dls", "LeastSquares"), 1, [1, 100]), (("LeastSquares",), 0, [100]), (("dls", "spring"), 0, [100])],
)
def test_the_other_methods_are_compiled_while_the_default_is(
    run, arm, monkeypatch: pytest.MonkeyPatch, chosen: tuple[str, ...], waits: int, steps: list[int]
) -> None:
    waited, compared, plainly = [], [], posable.compare

    def noted(figure, goals, methods, *, max_iterations, **more):
        compared.append(max_iterations)
        return plainly(figure, goals, methods, max_iterations=max_iterations, **more)

    monkeypatch.setattr("posable.cli.compare.solver_compiled_ahead", lambda: nullcontext(lambda: waited.append(1)))
    monkeypatch.setattr(posable, "compare", noted)
    named = [word for name in chosen for word in ("--method", name)]
    rows = run("compare", arm, "--goal", "tip=1.5,1.5,0", "--json", *named).json["rows"]
    assert len(rows) == len(chosen)
    assert (len(waited), compared) == (waits, steps)


def test_the_options_reach_the_solver(run, arm) -> None:
    goal = ("--goal", "tip=1.5,1.5,0", "--json", "--method", "pseudo-inverse")
    short = run("compare", arm, *goal, "--max-iterations", 3).json["rows"][0]
    assert (short["iterations"], short["status"]) == (3, "OUT_OF_ITERATIONS")
    rough, fine = (run("compare", arm, *goal, "--tolerance", t).json["rows"][0]["iterations"] for t in (0.5, 0.01))
    assert rough < fine
    frozen = run("compare", arm, *goal, "--freeze", "elbow", "--freeze", "wrist").json["rows"][0]
    assert not frozen["reached"]


@pytest.mark.slow
def test_a_picture_and_a_film_are_written(run, arm) -> None:
    files = ("-o", "paths.png", "--film", "race.mp4")
    ran = run("compare", arm, "--goal", "tip=1.5,1.5,0", *FEW, *files)
    assert "Wrote paths.png, race.mp4." in ran.out
    assert Image.open("paths.png").size == (800, 300)  # what could not be used has no panel
    with av.open("race.mp4") as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (640, 240)
    again = run("compare", arm, *files)
    assert again.status == 1 and "already exists" in again.err
    assert Path("paths.png").stat().st_size > 10_000


def test_without_goals_an_end_goes_somewhere_near(run, arm) -> None:
    assert run("compare", arm, "--method", "least-squares", "--json").json["rows"][0]["reached"]


def test_without_a_file_it_is_the_tentacle(run) -> None:
    assert run("compare", "--method", "ccd", "--json").json["rows"][0]["reached"]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--method", "cdd"], 2, "no method is called 'cdd'; did you mean"),
        (["--method", "tip=ccd"], 2, "'tip=ccd' must be a method name"),
        (["--goal", "hand=1,2,3"], 1, "no joint is called 'hand'"),
        (["-o", "paths.jpg"], 2, "'paths.jpg' must end in .png"),
        (["--goal", "tip=1,1,0", "--method", "spring", "-o", "p.png"], 1, "no method could be used"),
    ],
)
def test_what_is_wrong_is_said(run, arm, words, status, message) -> None:
    ran = run("compare", arm, *words)
    assert ran.status == status
    assert message in " ".join(ran.err.split())
