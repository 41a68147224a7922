"""The examples run, and the README shows what they hold."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import posable

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
MADE = {
    "01_reach": {"reach.glb", "reach.png"},
    "02_load_and_save": {"walk.glb"},
    "03_batch": set(),
    "04_picture_and_film": {"wave.png", "wave.gif", "wave.glb"},
    "05_poles_and_relative_goals": {"hip.png"},
    "06_balance": {"falling.png", "balanced.png"},
    "07_judged_batch": set(),
    "08_track": {"eight.glb", "slow_eight.glb"},
    "09_closed_form": {f"way_{way}.png" for way in range(1, 9)},
    "10_doorbell": {"doorbell.png", "doorbell.gif", "doorbell.glb", "free.png", "kept.png"},
    "11_snake": {"snakes.gif"},
    "12_dinosaur_neck": {"necks.png"},
    "13_tentacle": {"tentacles.gif"},
    "14_telescope": {"telescope.png", "telescope.gif"},
    "15_reachable_ring": {"ring.png"},
    "16_newton": {"newton.png", "newton_left.png"},
    "17_mace": {"mace.gif", "mace.png"},
    "18_error_surface": {"surface.png", "valleys.png", "sampling.png"},
    "19_walks": {"proud_giant.toml", "curve.glb", "stairs.glb", "stairs.png"},
    "20_prop": {"prop.gif", "prop.png"},
    "21_bind": {"sheet.png", "walking.glb"},
    "22_any_figure": {
        f"{name}.{ending}" for name in ("mannequin", "knight", "recording", "robot") for ending in ("glb", "png")
    },
    "23_feet_on_stairs": {"standing.glb", "climbing.glb", "climbing.mp4"},
    "24_markers": {"fitted.glb", "fitted.png", "where.toml"},
    "25_bone_lengths": set(),
}
SAID = {
    "01_reach": r"reached",
    "02_load_and_save": r"131 frames at 30 fps(.|\n)*0\.90 m up(.|\n)*did you mean Head ",
    "03_batch": r"1000 of 1000 reached, the worst is \d\.\de-\d\d m off",
    "04_picture_and_film": r"'wave', 16 frames at 15 fps, 1\.00 s",
    "05_poles_and_relative_goals": r"reached(.|\n)*leaning, reached",
    "06_balance": r"falling: reached.* 0\.[1-9]\d\d m(.|\n)*balanced: reached.* 0\.000 m",
    "07_judged_batch": r"1000 of 1000 right by the judge, 1000 by the solver(.|\n)*inside the limits: True",
    "08_track": r"at most \d\.\de-(0[6-9]|1\d) m(.|\n)*slow_eight: quickest joint 0\.60 rad/s",
    "09_closed_form": r"way 8: (.|\n)*takes the first: True iterations: 0(.|\n)*distance left: 0\.0",
    "10_doorbell": r"(?s)40 steps, 1\.6343904016 from the bell\n"
    r"after one \[1\.584095763[67]\d*, 0\.170640129[67]\d*, -0\.09957489(9[23]|92)\d*\] "
    r"at the end \[0\.034660689[69]\d*, -2\.0987619214\d*, -0\.421072839[45]\d*\]\n"
    r".*travels 117\.7.*travels 149\.6.*free: reached.* 0\.10 to.*kept: reached.* to 0\.00",
    "11_snake": r"(?s)plain: touches.*elastic: .* in the end True; then its sharpest bend is [23]\d degrees"
    r".*heavy: .* in the end True; .* middle -0\.1\d m high\nboth: .* in the end True; .* bend is [23]\d",
    "12_dinosaur_neck": r"tapering: reached.* 1\d% of its bend(.|\n)*uniform: reached.* 3\d% of its bend",
    "13_tentacle": r"plain: it crosses the ball .*\norganic: never crosses the ball .* never crosses itself \(\+0",
    "14_telescope": r"order: .* begins at 58\.5; .* by 30\.000 and 0\.000\n"
    r"ease: .* begins at 6\d\.\d; .* by 26\.\d+ and 3\.\d+\nshared: .* begins at 88\.5; .* by 15\.000 and 15\.000",
    "15_reachable_ring": r"inside: reached, 0\.000 left(.|\n)*too far: unreachable, 0\.353 left"
    r"(.|\n)*too near: unreachable, 0\.158 left",
    "16_newton": r"reached: .* after 7 steps; left: .*3\.3e-02., .1\.1e-05., .\d\.\de-1[0-9]",
    "17_mace": r"dragged by \[0\.4, 0\.24, 0\.24\] m(.|\n)*beyond by \[0\.0, 0\.0, 0\.0, 0\.0, 0\.0\]:\n"
    r".* as one piece, to \de-1[4-9]",
    "18_error_surface": r"6 of 6 starts(.|\n)*ends at \[-2\.049, -2\.049, -?0\.0, -?0\.0, 2\.049, 2\.049\]\n"
    r"sampling distance 1e-06: REACHED.*\nsampling distance 0\.5: LOCAL_MINIMUM, 0\.\d+ left",
    "19_walks": r"(?s)human: 3\.\d\d m in 4\.\d s, the left foot stands still in \d\d frames.*sneaky: .*"
    r"the walk at \(4\.0, 3\.2\)\nthe hips rise by 0\.[678] m\nits steps are 0\.8\d leg lengths",
    "20_prop": r"before: it travels 0\.00 m\nheld: it travels 0\.5\d m\nafter: it travels 0\.00 m\n"
    r"lifted by 0\.22 m, put down 0\.000 m from its place; the hand is at most \de-0[67] m off its way",
    "21_bind": r"score (0\.[89]\d|1\.00) of 1\n(.|\n)*heat and voxels: mean L1 0(\.0\d+)? a vertex",
    "22_any_figure": r"mannequin: hand_r, head, root: reached(.|\n)*knight: hand\.r, head, root: reached"
    r"(.|\n)*recording: RightHand, Head, Hips: reached(.|\n)*robot: right_wrist_yaw_joint, head_joint, pelvis: reached",
    "23_feet_on_stairs": r"skate [5-9]\.\d cm/s -> 0\.\d cm/s\non stairs: 0\.51 m up, at most 0\.\d mm(.|\n)*"
    r"skate 0\.\d cm/s",
    # noise of 2 mm along each of three axes is 3.5 mm, of which a fit over the whole clip takes next to nothing away
    "24_markers": r"3\.4 mm rms, 1\.0[78] times as tall\nmarker(.|\n)*met to 0\.\d mm",
    "25_bone_lengths": r"step  0: 145\.\d+ mm left(.|\n)*step 12: +0\.0\d+ mm left",
}


def _slow_after_the_third(path: Path) -> object:
    """An example as a parameter; each takes a process of its own."""
    return pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem > "04" else [])


@pytest.mark.slow
@pytest.mark.parametrize("path", [_slow_after_the_third(path) for path in EXAMPLES])
def test_each_example_runs_and_makes_what_it_says(path: Path, tmp_path: Path) -> None:
    quiet = {**os.environ, "POSABLE_QUIET": "1"}
    ran = subprocess.run([sys.executable, path], cwd=tmp_path, env=quiet, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {made.name for made in tmp_path.iterdir()} == MADE[path.stem]
    assert all(made.stat().st_size > 0 for made in tmp_path.iterdir())
    assert re.search(SAID[path.stem], ran.stdout), ran.stdout


def test_the_examples_are_numbered_without_a_gap() -> None:
    assert [path.stem[:2] for path in EXAMPLES] == [f"{number:02d}" for number in range(1, len(EXAMPLES) + 1)]
    told = (ROOT / "docs/examples.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES if f"../examples/{path.name}" not in told] == []


def test_every_page_is_in_the_index() -> None:
    for folder in (ROOT / "docs", ROOT / "docs/methods", ROOT / "docs/course"):
        index = (folder / "index.md").read_text(encoding="utf-8")
        others = {page.name for page in folder.glob("*.md")} - {"index.md"}
        assert [name for name in sorted(others) if f"({name})" not in index] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_use_public_names_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    assert "from posable" not in text
    assert set(re.findall(r"\bposable\.(\w+)\(", text)) <= set(posable.__all__)


def test_the_readme_begins_with_the_first_example() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks[0] == (ROOT / "examples/01_reach.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_readmes_tour_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    told = "print((many.status == 0).mean(), many.pose.q.shape == (1000, figure.skeleton.coordinates))"
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join([*blocks, told])], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == "reached: every goal is met"
    share, shape = ran.stdout.splitlines()[-1].split()
    assert float(share) > 0.9
    assert shape == "True"
    assert {made.name for made in tmp_path.iterdir()} == {"reach.glb", "reach.png", "posed.glb", "walk.glb"}


@pytest.mark.slow
def test_the_readmes_commands_run(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    (tour,) = (block for block in blocks if "posable samples" in block)
    _runs(tour, tmp_path)
    made = {
        "knight.png",
        "posed.bvh",
        "panda.mp4",
        "sad.glb",
        "sad.mp4",
        "knight_walk.glb",
        "person.glb",
        "person.html",
    }
    assert made <= {path.name for path in tmp_path.iterdir()}


def test_the_readmes_commands_can_follow_its_tour_in_one_folder() -> None:
    """Commands do not overwrite: a name that the Python blocks saved stopped `posable convert`."""
    blocks = "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    saved = set(re.findall(r'(?<!sample\()(?<!load\()"(\w+\.\w+)"', blocks))
    (tour,) = (block for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "posable samples" in block)
    assert saved == {"reach.glb", "reach.png", "posed.glb", "walk.glb"}
    assert not saved & set(re.findall(r"\b\w+\.[a-z]\w+", tour))


def _blocks(page: Path) -> list[tuple[str, str]]:
    """(language, code) of a page's Python and shell blocks, without commands that install, which `.ci/run` does."""
    found = re.findall(r"^```(python|sh)\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [(language, code) for language, code in found if not code.startswith("pip install")]


PAGES_THAT_RUN = [
    page
    for folder in ("docs", "docs/methods", "docs/course")
    for page in sorted((ROOT / folder).glob("*.md"))
    if _blocks(page)
]
"""Every page but the README, whose Python and commands run in folders of their own."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES_THAT_RUN, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run_in_their_order(page: Path, tmp_path: Path) -> None:
    """All in one program, in an empty folder, from the samples."""
    shell = "subprocess.run(['bash', '-euc', {!r}], check=True)"
    parts = [code if language == "python" else shell.format(code) for language, code in _blocks(page)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(["import subprocess", *parts])], cwd=tmp_path,
        env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


def test_blocks_are_of_a_language_that_runs_or_shows() -> None:
    """A block that ought to run has not another name: `bash`, `py`."""
    for page in [ROOT / "README.md", *PAGES_THAT_RUN]:
        shown = set(re.findall(r"^ *```(\w+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert shown <= {"python", "sh", "toml", "text", "js"}, page.name


def _runs(commands: str, folder: Path) -> None:
    """The commands end well, as a shell that stops at the first failure runs them."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    shell = ["bash", "-euc", commands]
    ran = subprocess.run(
        shell, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    commands = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    assert commands[0] == "pip install . && posable reach\n"
    assert commands[1] in (ROOT / ".ci/run").read_text(encoding="utf-8")


PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_the_documentation_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_the_documentation_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    names = set(re.findall(r"\bposable\.([a-zA-Z]\w*)\b(?!\.py)", text))
    packages = {path.parent.name for path in (ROOT / "src/posable").glob("*/__init__.py")} | {
        "toml",
        "errors",
        "jax",
        "torch",
    }
    invented = {"Clasp"} if page.name == "add-a-goal.md" else set()
    assert names - set(posable.__all__) - packages - invented == set()


def test_every_command_in_the_documentation_is_one() -> None:
    from posable.cli.program import COMMANDS

    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            assert set(re.findall(r"^posable (\w+)", block, re.MULTILINE)) <= set(COMMANDS)
