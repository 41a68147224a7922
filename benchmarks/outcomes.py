"""What `posable info`, `posable reach` and `posable roles` say about every real file: makes docs/outcomes.md.

    python benchmarks/outcomes.py [FOLDER] [--aside LIST] [--roles TABLE]

FOLDER holds `characters`, `rigs`, `mocap`, `mocap_cmu` and `robots`; ../shared/data unless given. LIST names files, one
a line, that are left out; TABLE says which joints are right for which role (tests/data/roles.json unless given).
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from posable.cli import main as posable_command

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests/data/roles.json"
KINDS = ("characters", "rigs", "mocap", "mocap_cmu", "robots")
IGNORED = {".md", ".txt", ".stl", ".obj", ".dae", ".png", ".jpg", ".bin"}
SURE = 0.8
HEAD = """# What happens with real files

Every file of the collection that posable is tested on, through `posable info FILE`, `posable reach FILE` and
`posable roles FILE` as they come: no goal is named, so an end effector moves to a reachable position nearby. Lengths
are metres, except in recordings, which state no unit. Roles are judged by a table made by hand
(`tests/data/roles.json`): how many of the parts that the file has were found, how many of those above a confidence of
0.8, and how many are wrong, in brackets those above 0.8. Made by `python benchmarks/outcomes.py`.

"""
TITLES = ("file", "joints", "freedoms", "skins", "clips", "reach", "off by", "roles", "above 0.8", "wrong", "why not")
COLUMNS = f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}\n"


@dataclass(frozen=True)
class Judged:
    """How many parts a file has, how many were found in it, found right and above 0.8, wrong, and wrong above 0.8."""

    parts: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    wrong_sure: int = 0

    def __add__(self, other: Judged) -> Judged:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Judged(*(a + b for a, b in pairs))


def expected(name: str, table: Mapping[str, Mapping[str, str | list[str]]]) -> dict[str, list[str]] | None:
    """Role → joints that are right for it, "" among them where it may be missing; None for a file that none judged."""
    for pattern, roles in table.items():
        if fnmatch(name, pattern):
            return {role: [joints] if isinstance(joints, str) else list(joints) for role, joints in roles.items()}
    return None


def judge(roles: Mapping[str, str], confidence: Mapping[str, float], right: Mapping[str, list[str]]) -> Judged:
    """The roles that were found against those that are right; what may be missing counts only where it is wrong."""
    must = {role for role, joints in right.items() if "" not in joints}
    good = {role for role in must if roles.get(role) in right[role]}
    bad = {role for role, joint in roles.items() if joint not in right.get(role, [])}
    return Judged(
        len(must),
        len(good),
        sum(confidence[role] > SURE for role in good),
        len(bad),
        sum(confidence[role] > SURE for role in bad),
    )


def main() -> None:
    given = _arguments()
    aside = set(given.aside.read_text().split()) if given.aside else set()
    table = json.loads(given.roles.read_text(encoding="utf-8"))
    files = [path for kind in KINDS for path in sorted((given.folder / kind).rglob("*")) if _wanted(path)]
    named = [(path, path.relative_to(given.folder).as_posix()) for path in files]
    rows, total = [], Judged()
    for path, name in named:
        if name not in aside:
            row, judged = _row(path, name, table)
            rows.append(row)
            total += judged
    found, sure = total.right / max(total.parts, 1), total.sure / max(total.right, 1)
    summary = (
        f"Of {total.parts} parts {found:.1%} were found, {sure:.1%} of these above 0.8; {total.wrong} are wrong, "
        f"{total.wrong_sure} of them above 0.8.\n\n"
    )
    (ROOT / "docs/outcomes.md").write_text(HEAD + summary + COLUMNS + "".join(rows), encoding="utf-8")
    print(f"docs/outcomes.md: {len(rows)} files, {sum(' refused ' not in row for row in rows)} of them with a result")
    print(summary.strip())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--aside", type=Path)
    parser.add_argument("--roles", type=Path, default=TABLE)
    return parser.parse_args()


def _wanted(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() not in IGNORED


def _row(path: Path, name: str, table: Mapping[str, Mapping[str, str | list[str]]]) -> tuple[str, Judged]:
    print(name, file=sys.stderr)
    found, problem = _posable("info", str(path))
    if found is None:
        return f"| {name} | | | | | refused | | | | | {problem} |\n", Judged()
    with tempfile.TemporaryDirectory() as folder:
        outcome, problem = _posable("reach", str(path), "-o", f"{folder}/out.glb")
    counts = [found["joints"], found["freedoms"], len(found["skins"]), len(found["clips"])]
    shown = " | ".join(str(count) for count in counts)
    words, judged = _roles(path, name, table)
    if outcome is None:
        return f"| {name} | {shown} | refused | | {words} | {problem} |\n", judged
    off = max((goal["distance"] or 0.0) for goal in outcome["goals"])
    return f"| {name} | {shown} | {outcome['status']} | {off:.1e} | {words} | |\n", judged


def _roles(path: Path, name: str, table: Mapping[str, Mapping[str, str | list[str]]]) -> tuple[str, Judged]:
    """The cells about roles, empty for a file that none judged."""
    right = expected(name, table)
    found, _ = _posable("roles", str(path))
    if right is None or found is None:
        return " | | ", Judged()
    judged = judge(found["roles"], found["confidence"], right)
    return f"{judged.right} of {judged.parts} | {judged.sure} | {judged.wrong} ({judged.wrong_sure})", judged


def _posable(*words: str) -> tuple[dict | None, str]:
    """What the command printed as JSON, or the sentence with which it refused; run in this process, to save time."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            posable_command([*words, "--json"])
        except SystemExit as ended:
            if not ended.code:
                return json.loads(out.getvalue()), ""
    return None, err.getvalue().strip().splitlines()[-1].removeprefix("posable: ")


if __name__ == "__main__":
    main()
