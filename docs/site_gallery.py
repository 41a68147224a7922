"""The gallery: every example and story as a picture, and a film where it is one, made by running it.

What a run made is kept in build/gallery under a hash of the example and of posable's sources, so that only what may
have changed is run again.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import av
from PIL import Image

import posable
from posable.motion import STORIES

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build/gallery"
SHOWN = (".png", ".gif", ".mp4")
CARD, AT_ONCE = (400, 300), 2
_SAID = "said.txt"


class Piece(NamedTuple):
    """An example or a story."""

    name: str
    about: str
    command: tuple[str, ...]
    code: str
    still: Path
    """A picture in docs/images, for a build that runs nothing."""
    shell: str = ""
    """The command of posable that does the same; it is what is run."""

    @property
    def title(self) -> str:
        """In words; an example keeps its number."""
        number, _, words = self.name.replace("story-", "_").partition("_")
        return f"{number} {words.replace('_', ' ').capitalize()}".strip()


STORY = """import posable
import posable.view

story = posable.motion.tell("{0}")
camera = posable.view.Camera(story.seen_from, story.seen_at, field_of_view=story.field_of_view)
posable.film(story.figure, story.clip, "{0}.mp4", camera=camera, skeleton=False)
"""
"""The program on the page of a story."""


def pieces() -> list[Piece]:
    """All examples, then all stories."""
    made = []
    for path in sorted((ROOT / "examples").glob("*.py")):
        code = path.read_text(encoding="utf-8")
        about = (ast.get_docstring(ast.parse(code)) or "A figure presses a doorbell and looks at it.").split("\n\n")[0]
        still = ROOT / f"docs/images/example_{path.stem}.png"
        made.append(Piece(path.stem, " ".join(about.split()), (str(path),), code, still))
    for name, make in STORIES.items():
        about = " ".join((make.__doc__ or "").split("\n\n")[0].split())
        command = ("-m", "posable", "demo", name, "-o", f"{name}.mp4")
        still = ROOT / f"docs/images/demo_{name}.png"
        made.append(Piece(f"story-{name}", about, command, STORY.format(name), still, " ".join(command[1:])))
    return made


def files(*, run: bool) -> Iterator[tuple[str, bytes]]:
    """(path in the site's sources, content) of the gallery's pages and of what they show."""
    all_pieces = pieces()
    if run:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(
                pool.map(_made_and_told, all_pieces, range(1, len(all_pieces) + 1), [len(all_pieces)] * len(all_pieces))
            )
    cards = []
    for piece in all_pieces:
        shown = [path for path in _results(piece) if path.suffix in SHOWN]
        for path in shown:
            yield f"_static/gallery/{piece.name}/{path.name}", path.read_bytes()
        card = _card(shown or [piece.still])
        if card:
            yield f"_static/gallery/{piece.name}/card.png", card
        yield f"gallery/{piece.name}.md", _page(piece, shown, has_card=bool(card)).encode()
        cards.append(_link(piece, "" if card else _said(piece), has_card=bool(card)))
    yield "gallery/index.md", _index(all_pieces, cards, run=run).encode()


def _made_and_told(piece: Piece, number: int, count: int) -> None:
    """`made`, with a line for whoever waits."""
    if not _folder(piece).exists():
        print(f"{number} of {count}: {piece.name} ...", flush=True)
    made(piece)


def made(piece: Piece) -> Path:
    """The folder of what a piece makes; it is run unless its folder is there."""
    folder = _folder(piece)
    if not folder.exists():
        for old in KEPT.glob(f"{piece.name}-*"):
            shutil.rmtree(old)
        work = folder.with_name(f".{folder.name}")  # hidden until it is complete
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        quiet = {**os.environ, "POSABLE_QUIET": "1"}
        command = [sys.executable, *piece.command]
        ran = subprocess.run(command, cwd=work, env=quiet, capture_output=True, text=True, check=True)
        (work / _SAID).write_text(ran.stdout, encoding="utf-8")
        _film_of_files(work)
        work.rename(folder)
    return folder


def _folder(piece: Piece) -> Path:
    key = hashlib.sha256(f"{piece.command}{piece.code}{_sources()}".encode()).hexdigest()[:12]
    return KEPT / f"{piece.name}-{key}"


@cache
def _sources() -> str:
    """A hash of all that an example may use."""
    found = hashlib.sha256()
    for path in sorted([*(ROOT / "src/posable").rglob("*.py"), *(ROOT / "examples/creatures").glob("*")]):
        found.update(path.read_bytes())
    return found.hexdigest()


def _film_of_files(folder: Path) -> None:
    """Where an example only saved figures, its first one, moving if it moves."""
    saved = sorted(folder.glob("*.glb"))
    if not saved or any(path.suffix in SHOWN for path in folder.iterdir()):
        return
    figure = posable.load(saved[0])
    if figure.clips:
        posable.film(figure, figure.clips[0], saved[0].with_suffix(".mp4"), size=(480, 360), progress=False)
    else:
        posable.picture(figure, figure.rest, saved[0].with_suffix(".png"), size=(480, 360))


def _results(piece: Piece) -> list[Path]:
    """What a piece made, pictures before films before the rest; nothing where it was not run."""
    folder = _folder(piece)
    if not folder.exists():  # what was made from other sources is shown rather than nothing
        folder = max(KEPT.glob(f"{piece.name}-*"), key=lambda one: one.stat().st_mtime, default=folder)
    order = {suffix: number for number, suffix in enumerate(SHOWN)}
    found = folder.iterdir() if folder.exists() else []
    return sorted(found, key=lambda path: (order.get(path.suffix, len(SHOWN)), path.name))


def _card(shown: list[Path]) -> bytes | None:
    """A small still of the first thing shown: of a film its middle."""
    if not shown or not shown[0].exists():
        return None
    if shown[0].suffix == ".mp4":
        with av.open(str(shown[0])) as film:
            frames = list(film.decode(video=0))
        image = frames[len(frames) // 2].to_image()
    else:
        with Image.open(shown[0]) as opened:
            opened.seek(getattr(opened, "n_frames", 1) // 2)
            image = opened.convert("RGB")
    image.thumbnail(CARD)
    content = BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _page(piece: Piece, shown: list[Path], *, has_card: bool) -> str:
    """The page of one example: what it shows, what it says, how it is written."""
    at = f"../_static/gallery/{piece.name}"
    parts = [f"---\norphan: true\n---\n\n# {piece.title}\n\n{piece.about}\n"]
    for path in shown:
        what = escape(f"{piece.about} ({path.stem})", quote=True)
        if path.suffix == ".mp4":
            tag = (
                f'<video src="{at}/{path.name}" poster="{at}/card.png" controls loop muted playsinline title="{what}">'
            )
            parts.append(f"{tag}</video>\n")
        else:
            parts.append(f'<img src="{at}/{path.name}" alt="{what}" loading="lazy">\n')
    if not shown and has_card:
        parts.append(f'<img src="{at}/card.png" alt="{escape(piece.about, quote=True)}">\n')
    said = _said(piece)
    parts.append(f"```python\n{piece.code}```\n")
    if piece.shell:
        parts.append(f"The same on the command line:\n\n```sh\n{piece.shell}\n```\n")
    if said.strip():
        parts.append(f"It prints:\n\n```text\n{said.rstrip()}\n```\n")
    parts.append("[All of the gallery](index.md)\n")
    return "\n".join(parts)


def _said(piece: Piece) -> str:
    """What the program printed, "" where it was not run."""
    return next((path.read_text(encoding="utf-8") for path in _results(piece) if path.name == _SAID), "")


def _link(piece: Piece, said: str, *, has_card: bool) -> str:
    """The card of a piece in the index: its picture, or what it prints."""
    picture = f"../_static/gallery/{piece.name}/card.png"
    if has_card:
        inner = f'<img src="{picture}" alt="" loading="lazy">'
    elif said.strip():
        inner = f'<code class="prints">{escape(said.strip()).replace(chr(10), "<br>")}</code>'
    else:
        inner = '<span class="plain">not run in this build</span>'
    return f'<a class="card" href="{piece.name}.html">{inner}<b>{piece.title}</b><span>{escape(piece.about)}</span></a>'


RUN = "Every picture and film here was made by the program on its page, when the site was built."
NOT_RUN = """This build ran no program: it shows what earlier runs left, and pictures of the repository. The full build,
`python docs/make_site.py`, runs every program and shows what each makes."""


def _index(all_pieces: list[Piece], cards: list[str], *, run: bool) -> str:
    groups = {"Examples": [], "Stories": []}
    for piece, card in zip(all_pieces, cards, strict=True):
        groups["Stories" if piece.name.startswith("story-") else "Examples"].append(card)
    text = f"# Gallery\n\n{RUN if run else NOT_RUN}\n"
    for title, own in groups.items():
        text += f'\n## {title}\n\n<div class="cards">\n' + "\n".join(own) + "\n</div>\n"
    return text
