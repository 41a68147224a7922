"""Builds the site: `python docs/make_site.py`, then open build/site/index.html; no network, no server.

The pages of docs/ are gathered with those that are made here (the reference, the gallery, the traces of the course) in
build/site-pages, and Sphinx makes the site of them, every warning an error. What has not changed is not made again.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import make_course_traces
import site_gallery
import site_reference

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BESIDE = {
    ROOT / "README.md": "readme.md",
    ROOT / "CHANGELOG.md": "changelog.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "benchmarks/README.md": "benchmarks/index.md",
    ROOT / "benchmarks/RETARGETING.md": "benchmarks/retargeting.md",
    ROOT / "benchmarks/RIGS.md": "benchmarks/rigs.md",
    ROOT / "benchmarks/ROBOTS.md": "benchmarks/robots.md",
    ROOT / "web/README.md": "web.md",
    ROOT / "src/posable/sample_files/LICENCES.md": "sample-licences.md",
}
"""Pages outside docs/ that the site has as well, and their names there."""
START = """
## Look around

- [Gallery](gallery/index.md): every example and story, as a picture, a film and its program
{course}- [Read me](readme.md): from nothing to a waving character
"""
"""What the first page of the site has above the tasks, besides the start of the README."""
REFERENCE = """
## Reference

- [Reference](reference/index.md): every public name, with signature and example

"""
"""What it has below them."""
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(#[^)]*)?\)")


def main() -> int:
    """Gather the pages, then build."""
    parser = argparse.ArgumentParser(description="Build the site.")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build/site", help="where the site goes")
    parser.add_argument("--run-nothing", action="store_true", help="show of the examples only what is kept from before")
    asked = parser.parse_args()
    pages = asked.output.with_name(f"{asked.output.name}-pages")
    gather(pages, run=not asked.run_nothing)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", str(pages), str(asked.output)]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": _python_path()}, check=False).returncode


def gather(folder: Path, *, run: bool) -> None:
    """Write every page and every file that Sphinx needs into `folder`, and take away what is there no longer."""
    wanted: set[Path] = set()
    for name, content in _files(run=run):
        path = folder / name
        wanted.add(path)
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in wanted:
            path.unlink()


def _files(*, run: bool) -> Iterator[tuple[str, bytes]]:
    """(path in the site's sources, content) of everything."""
    for name, text in site_reference.pages().items():
        yield name, text.encode()
    yield from site_gallery.files(run=run)
    for lesson, make in make_course_traces.TRACES.items():
        yield f"_static/course/traces/{lesson}.js", make_course_traces.as_script(lesson, make()).encode()
    for path, name in BESIDE.items():
        yield name, ("---\norphan: true\n---\n\n" + _page(path, name)).encode()
    for path in sorted(DOCS.rglob("*")):
        name = path.relative_to(DOCS).as_posix()
        if path.suffix == ".md":
            text = _page(path, name)
            text = first_page(text) if name == "index.md" else text
            yield name, (text + _toctrees(path, text)).encode()
        elif path.is_file() and not path.name.startswith("make_") and "__pycache__" not in name:
            yield name, path.read_bytes()


def first_page(text: str) -> str:
    """docs/index.md with the beginning of the README above its tasks: how to install, and a first reach."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    install, reach = (
        re.search(rf"^```{kind}\n.*?^```\n", readme, re.DOTALL | re.MULTILINE) for kind in ("sh", "python")
    )
    course = re.search(r"^- \[.*\]\(course/index\.md\).*\n", text, re.MULTILINE)
    if not (install and reach and course):
        raise SystemExit("README.md has no block to install or to reach, or docs/index.md no line of the course")
    above, tasks = text.replace(course[0], "").split("## ", 1)
    begin = f"## Start\n\nIn a clone (Python 3.11 or newer):\n\n{install[0]}\nIn Python:\n\n{reach[0]}"
    words, picture = above.split("![", 1)
    tasks, inside = tasks.split("## Inside", 1)
    return (
        f"{words}{begin}\n![{picture}{START.format(course=course[0])}\n## {tasks}{REFERENCE.lstrip()}## Inside{inside}"
    )


def _page(path: Path, name: str) -> str:
    """A page with its links leading to where things are in the site."""
    here = (DOCS / name).parent

    def lead(hit: re.Match[str]) -> str:
        inside = _inside((path.parent / hit[1]).resolve())
        if inside is None:
            raise SystemExit(f"{path}: the site has nothing for the link {hit[1]}; name it in BESIDE")
        return f"]({Path(os.path.relpath(DOCS / inside, here)).as_posix()}{hit[2] or ''})"

    text = path.read_text(encoding="utf-8")
    if name == "readme.md":  # its own title, "posable", is that of the first page
        text = text.replace("# posable\n", "# Read me\n", 1)
    return _LINK.sub(lead, text)


def _inside(target: Path) -> str | None:
    """What the site has for a file or folder of the repository, None for one that it has not."""
    if target in BESIDE:
        return BESIDE[target]
    if target == ROOT / "examples":
        return "gallery/index.md"
    if target.parent == ROOT / "examples" and target.suffix == ".py":
        return f"gallery/{target.stem}.md"
    return target.relative_to(DOCS).as_posix() if DOCS in target.parents and target.is_file() else None


def _toctrees(path: Path, text: str) -> str:
    """What an index lists, as Sphinx wants it for the list of pages at the side; "" for other pages."""
    if path.name != "index.md":
        return ""
    if path.parent != DOCS:
        return _toctree("", _pages_in(path.parent, text))
    groups = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    listed = zip(groups[1::2], map(_pages_of_root, groups[2::2]), strict=True)
    return "".join(_toctree(caption, names) for caption, names in listed if names)


def _pages_of_root(text: str) -> list[str]:
    return _pages_in(DOCS, text)


def _pages_in(folder: Path, text: str) -> list[str]:
    """The pages that the links of an index lead to; a folder's index leaves those of other folders to theirs."""
    names = [os.path.normpath(link[1]) for link in _LINK.finditer(text) if link[1].endswith(".md")]
    return [name.removesuffix(".md") for name in dict.fromkeys(names) if folder == DOCS or "/" not in name]


def _toctree(caption: str, names: Iterable[str]) -> str:
    heading = f":caption: {caption}\n" if caption else ""
    return f"\n\n```{{toctree}}\n:hidden:\n{heading}\n" + "\n".join(names) + "\n```\n"


def _python_path() -> str:
    """Where Sphinx finds this folder's modules and posable."""
    return os.pathsep.join([str(DOCS), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])


if __name__ == "__main__":
    sys.exit(main())
