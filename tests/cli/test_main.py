"""What holds for every command: status, streams, help, completion, a light start."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import posable
from posable.cli import main as package_main
from posable.cli.program import COMMANDS, commands

POSABLE = [sys.executable, "-c", "from posable.cli import main; main()"]


def test_version(run) -> None:
    assert run("--version") == (0, f"posable {posable.__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_explains_every_option(run, name) -> None:
    ran = run(name, "--help")
    assert ran.status == 0
    assert f"Usage: posable {name}" in ran.out and " RANGE " not in ran.out
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    for option in command.params:
        assert isinstance(option, click.Argument) or getattr(option, "help", None)


def test_help_lists_every_command(run) -> None:
    listing = run("--help").out
    assert all(f"  {name}" in listing for name in COMMANDS)
    sentences = listing.split("Commands:")[1].splitlines()
    assert [line for line in sentences if line.endswith("...") and not line.endswith(", ...")] == []  # none is cut off


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["fly"], "No such command 'fly'"),
        (["reech"], "No such command 'reech'. Did you mean reach?"),
        (["info"], "Missing argument 'FILE'"),
        (["info", "x.bvh", "--unit", "parsec"], "'parsec' is not one of"),
        (["reach", "--goal", "hand"], "'hand' must be a joint name, '=' and 3 comma-separated numbers"),
        (["reach", "--goal", "hand=1,2"], "'hand=1,2' must be a joint name, '=' and 3 comma-separated numbers"),
        (["reach", "--orient", "hand=1,2,3"], "'hand=1,2,3' must be a joint name, '=' and 4 comma-separated numbers"),
        (["reach", "--picture", "x.jpeg"], "'x.jpeg' must end in .png"),
        (["reach", "--film", "x.avi"], "'x.avi' must end in .mp4 or .gif"),
        (["render", "x.glb", "-o", "y.png", "--size", "640"], "'640' must be WIDTHxHEIGHT"),
    ],
)
def test_misuse_has_status_2_and_says_what_is_wrong(run, words, reason) -> None:
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert reason in ran.err


@pytest.mark.parametrize("words", [["info"], ["convert", "OUT.glb"], ["reach"], ["render", "-o", "OUT.png"]])
def test_a_failure_has_status_1_and_one_sentence(run, words, tmp_path) -> None:
    ran = run(words[0], "absent.glb", *words[1:])
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "posable: absent.glb: no such file; check the name and the folder\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["retarget a.bvh b.glb", "walk a.glb", "rig a.obj", "fit a.trc", "ground a.bvh"])
def test_a_format_that_is_not_written_is_refused_before_any_file_is_read(run, words) -> None:
    ran = run(*words.split(), "-o", "out.png")
    assert ran.status == 1 and ran.err.startswith("posable: out.png: posable does not write .png: posable writes .glb")


def test_a_truncated_file_is_one_sentence(run, arm) -> None:
    arm.write_bytes(arm.read_bytes()[:-40])
    ran = run("info", arm)
    assert ran.status == 1
    assert ran.err.startswith("posable: arm.toml")
    assert ran.err.count("\n") == 1


def test_an_interrupt_has_status_130(run, arm, monkeypatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(posable, "load", interrupted)
    ran = run("info", arm)
    assert (ran.status, ran.out) == (130, "")
    assert ran.err.strip() == "posable: interrupted; no incomplete file was left behind"


@pytest.mark.parametrize(
    ("problem", "words"), [(MemoryError(), "out of memory"), (OSError(28, "No space left"), "No space left")]
)
def test_the_machine_failing_is_one_sentence(run, arm, monkeypatch, problem, words) -> None:
    def failing(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(posable, "load", failing)
    ran = run("info", arm)
    assert ran.status == 1
    assert words in ran.err


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no pipes that break here")
def test_a_reader_that_leaves_early_is_met_in_silence(arm) -> None:
    with subprocess.Popen(
        [*POSABLE, "info", arm, "--joints"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "POSABLE_QUIET": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_help_wakes_no_heavy_part() -> None:
    code = (
        "import sys\nfrom posable.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    assert not {"numba", "scipy", "PIL", "av", "rich", "pygltflib"} & set(loaded)


def test_a_reach_wakes_no_heavy_part(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom posable.cli import main\n"
        "try: main(['reach', '-o', 'out.glb'])\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    line, own = [sys.executable, "-c", code], {**os.environ, "POSABLE_QUIET": "1"}
    loaded = subprocess.run(line, capture_output=True, text=True, check=True, cwd=tmp_path, env=own).stderr.split()
    assert (tmp_path / "out.glb").exists()
    assert not {"scipy.ndimage", "scipy.sparse", "posable.motion.feet", "posable.motion.gait", "av"} & set(loaded)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(run, shell) -> None:
    script = run("completion", shell).out
    assert f"_POSABLE_COMPLETE={shell}_complete" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_bash_script_is_bash(run) -> None:
    script = run("completion", "bash").out
    assert subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=True).stderr == ""


def _completed(*words: object) -> list[str]:
    line = ["posable", *map(str, words)]
    asked = {"_POSABLE_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(line) - 1)}
    ran = subprocess.run(POSABLE, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    return [row.partition(",")[2] for row in ran.stdout.splitlines()]


@pytest.mark.slow
def test_completion_knows_commands_options_and_joints(arm) -> None:
    assert _completed("re") == ["reach", "retarget", "report", "render"]
    assert "--freeze" in _completed("reach", "--fr")
    assert _completed("reach", arm, "--goal", "el") == ["elbow="]
    assert _completed("reach", arm, "--freeze", "W") == ["wrist"]
    assert not any(_completed("reach", "absent.glb", "--freeze", "w"))


def test_the_installed_command_is_this_one() -> None:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="posable")
    assert script.load() is package_main
