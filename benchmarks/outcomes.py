"""What `posable info` and `posable reach` say about every real file: makes docs/outcomes.md.

    python benchmarks/outcomes.py [FOLDER]

FOLDER holds `characters`, `mocap` and `robots`; ../shared/data unless given.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
KINDS = ("characters", "mocap", "robots")
IGNORED = {".md", ".txt", ".stl", ".obj", ".dae", ".png", ".jpg", ".bin"}
HEAD = """# What happens with real files

Every file of the collection that posable is tested on, through `posable info FILE` and `posable reach FILE` as they
come: no goal is named, so an end effector moves to a reachable position nearby. Lengths are metres, except in
recordings, which state no unit. Made by `python benchmarks/outcomes.py`.

| file | joints | freedoms | skins | clips | reach | off by | why not |
|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "../shared/data"
    files = [path for kind in KINDS for path in sorted((folder / kind).rglob("*")) if _wanted(path)]
    rows = [_row(path, path.relative_to(folder)) for path in files]
    (ROOT / "docs/outcomes.md").write_text(HEAD + "".join(rows), encoding="utf-8")
    print(f"docs/outcomes.md: {len(rows)} files, {sum(' refused ' not in row for row in rows)} of them with a result")


def _wanted(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() not in IGNORED


def _row(path: Path, name: Path) -> str:
    print(name, file=sys.stderr)
    found, problem = _posable("info", str(path))
    if found is None:
        return f"| {name} | | | | | refused | | {problem} |\n"
    with tempfile.TemporaryDirectory() as folder:
        outcome, problem = _posable("reach", str(path), "-o", f"{folder}/out.glb")
    counts = [found["joints"], found["freedoms"], len(found["skins"]), len(found["clips"])]
    shown = " | ".join(str(count) for count in counts)
    if outcome is None:
        return f"| {name} | {shown} | refused | | {problem} |\n"
    off = max((goal["distance"] or 0.0) for goal in outcome["goals"])
    return f"| {name} | {shown} | {outcome['status']} | {off:.1e} | |\n"


def _posable(*words: str) -> tuple[dict | None, str]:
    """What the command printed as JSON, or the sentence with which it refused."""
    line = [sys.executable, "-m", "posable", *words, "--json"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return json.loads(ran.stdout), ""
    return None, ran.stderr.strip().splitlines()[-1].removeprefix("posable: ")


if __name__ == "__main__":
    main()
