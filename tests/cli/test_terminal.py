"""Names from strangers steer no terminal, and a process that is asked to end leaves nothing behind."""

from __future__ import annotations

import ast
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import posable
from posable.cli.terminal import Bar, say
from posable.errors import printable

HOSTILE = "a\x1b]0;owned\x07\x9b31m\u202e[red]b"
SHOWN = r"a\x1b]0;owned\x07\x9b31m\u202e[red]b"
COMMANDS = Path(posable.__file__).parent / "cli"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A figure whose name, joints and file are named to steer a terminal."""
    axis = posable.Axis((0, 0, 1), lower=-1.0, upper=1.0)
    joints = [
        posable.Joint(HOSTILE, axes=(axis,)),
        posable.Joint("b\nposable: fine", parent=HOSTILE, position=(1, 0, 0), axes=(axis,)),
        posable.Joint(f"{HOSTILE}2", "fixed", "b\nposable: fine", (1, 0, 0)),
    ]
    file = tmp_path / "fi\x1b[2Jle.glb"
    posable.save(file, posable.Figure(posable.Skeleton(joints), name=HOSTILE))
    return file


WORDS: dict[str, tuple[int, list[str]]] = {
    "info": (0, ["info", "FILE", "--joints"]),
    "convert": (0, ["convert", "FILE", "o\x1b[2Jut.glb"]),
    "reach": (0, ["reach", "FILE", "--goal", f"{HOSTILE}2=1,1,0", "-o", "o\x1b[2Jut.glb"]),
    "compare": (0, ["compare", "FILE", "--goal", f"{HOSTILE}2=1,1,0", "--method", "TwoBone"]),
    "no such joint": (1, ["reach", "FILE", "--goal", "\x1b[2J=1,1,0", "-o", "out.glb"]),
    "no such file": (1, ["info", "\x1b[2J.glb"]),
    "no such command": (2, ["\x1b[2J"]),
    "no such option": (2, ["info", "--\x1b[2J"]),
    "wrong value": (2, ["info", "FILE", "--unit", "\x1b[2J"]),
    "wrong ending": (2, ["render", "FILE", "-o", "\x1b[2J.x"]),
}


@pytest.mark.parametrize("case", WORDS)
def test_no_command_prints_what_steers_a_terminal(run: Callable, hostile: Path, case: str) -> None:
    status, words = WORDS[case]
    ran = run(*[str(hostile) if word == "FILE" else word for word in words])
    said = ran.out + ran.err
    assert ran.status == status, said
    assert not re.search(r"[^\n\t -~\u00a0-\u2027\u2030-\u2065\u2070-\U0010ffff]", said), ascii(said)
    assert r"\x1b" in said or case == "compare"
    if case == "info":
        assert SHOWN in ran.out and r"b\nposable: fine" in ran.out
    if case == "reach":
        assert r"[red]b2" in ran.out.replace("\n", "")  # markup is text


def test_errors_and_sentences_are_printable_where_python_prints_them(hostile: Path) -> None:
    rest = posable.load(hostile).rest
    with pytest.raises(posable.UnknownJointError) as unknown:
        rest.skeleton.index("\x1b[2J")
    assert "\x1b" not in str(unknown.value) and SHOWN in str(unknown.value)
    assert "\x1b" not in str(posable.FileError("\x1b.glb", "is \x9b wrong"))
    assert "\x1b" not in posable.solve(rest, [posable.Reach(f"{HOSTILE}2", (9, 9, 9))]).describe()


def test_errors_travel_between_processes() -> None:
    for error in (
        posable.FileError("a.bvh", "is wrong", line=7),
        posable.UnknownJointError("hnad", ["hand"]),
        posable.RoleError("hnad", ["hand"]),
        posable.MissingExtraError("usd", "reading USD"),
        posable.GoalError("no"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


def test_text_without_controls_stays_as_it_is() -> None:
    for text in ("Grüße, 日本語 🙂\n\tx\u00a0y", ""):
        assert printable(text) == text
    assert printable("\ud800\r\x7f\x85\u2028") == r"\ud800\r\x7f\x85\u2028"


def test_lines_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\nb", "c")
    say()
    assert capsys.readouterr().out == "a\\nb\nc\n"


def test_commands_print_at_one_place() -> None:
    for file in COMMANDS.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and file.name != "terminal.py":
                called = ast.unparse(node.func)
                assert called not in {"print", "click.echo", "click.secho"}, f"{file.name}:{node.lineno}"
                assert called != "Console" or "stderr=True" in ast.unparse(node), f"{file.name}:{node.lineno}"


ENDED = """
import os, signal, sys
import posable
from posable.cli import main
from posable.files import atomic_path
def load(path, **_):
    with atomic_path("a.glb") as beside:
        beside.write_text("half")
        os.kill(os.getpid(), int(sys.argv[1]))
        signal.sigtimedwait([], 5)
    raise SystemExit("not ended")
posable.load = load
signal.signal(int(sys.argv[1]), signal.SIG_DFL if sys.argv[2] == "ends" else signal.SIG_IGN)
main(["info", "x.glb"])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_process_that_is_asked_to_end_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]
    code = ENDED.replace("signal.SIG_DFL", "signal.default_int_handler") if name == "SIGINT" else ENDED
    ran = subprocess.run(
        [sys.executable, "-c", code, str(int(number)), "ends"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    assert ran.returncode == 128 + number and "no incomplete file was left behind" in ran.stderr, ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
def test_a_closed_terminal_ends_nothing_that_ignores_it(tmp_path: Path) -> None:
    code = ENDED.replace("signal.sigtimedwait([], 5)", "").replace('"not ended"', "0")
    ran = subprocess.run([sys.executable, "-c", code, str(int(signal.SIGHUP)), "goes on"], cwd=tmp_path, check=False)
    assert ran.returncode == 0 and [file.name for file in tmp_path.iterdir()] == ["a.glb"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused_before_any_work(run: Callable, hostile: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.glb")
    ran = run("convert", hostile, "pipe.glb", "--force")
    assert (ran.status, ran.err) == (1, "posable: pipe.glb: is a pipe or a device; give the name of a file\n")


def test_progress_is_shown_on_a_terminal_alone(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(bar: Bar) -> str:
        for name, share in ((HOSTILE, 0.0), (HOSTILE, 0.25), ("two.fbx", 0.0), ("two.fbx", 0.5), ("two.fbx", 1.0)):
            bar.hear(name, share)
        bar.close()
        return capfd.readouterr().err

    assert told(Bar(wait=0.0)) == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert told(Bar(wait=1e9)) == ""
    shown = told(Bar(wait=0.0))
    assert "25%" in shown and "two.fbx" in shown and "50%" in shown
    assert "owned" in shown and "\x1b]0;owned" not in shown


def test_commands_listen_to_the_files_they_open(run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, float]] = []
    monkeypatch.setattr(Bar, "hear", lambda _, name, share: heard.append((name, share)))
    posable.save(tmp_path / "arm.fbx", posable.figure("arm6"))
    assert run("convert", str(tmp_path / "arm.fbx"), str(tmp_path / "out.fbx")).status == 0
    assert heard[0] == ("arm.fbx", 0.0) and ("arm.fbx", 1.0) in heard and ("out.fbx", 1.0) in heard
