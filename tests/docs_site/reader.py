"""Who reads the site in tests: a parser of its pages, and a browser without a network."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "docs/course").glob("[01]*.md"))
LEAST_CONTRAST = 4.5


class Links(HTMLParser):
    """Where a page leads, what it names, and its pictures without a text."""

    FOLLOWED: ClassVar = {"a": "href", "link": "href", "img": "src", "script": "src", "video": "src"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.without_text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.names |= {value for key in ("id", "name") if (value := values.get(key))}
        if link := values.get(self.FOLLOWED.get(tag, "")):
            self.links.append(link)
        if tag == "img" and not (
            values.get("alt") or "/card.png" in (values.get("src") or "")
        ):  # cards have a text beside
            self.without_text.append(values.get("src") or "")


class Reader:
    """Someone who reads the site from disk, without a network, and notes what goes wrong."""

    def __init__(self, browser: Browser, site: Path, **look: Any) -> None:
        context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, **look)
        self.page: Page = context.new_page()
        self.site, self.problems = site, []
        self.page.on("console", lambda told: self.problems.append(told.text) if told.type == "error" else None)
        self.page.on("pageerror", lambda problem: self.problems.append(str(problem)))

    def open(self, name: str) -> None:
        self.page.goto((self.site / name).as_uri())

    def open_lesson(self, number: int) -> list[str]:
        """Open a lesson; the names of its figures, all of them ready."""
        self.open(f"course/{LESSONS[number - 1].stem}.html")
        figures = self.page.locator("figure.movable")
        assert figures.evaluate_all("all => all.every(one => one.dataset.ready)")
        return figures.evaluate_all("all => all.map(one => one.dataset.figure)")

    def facts(self, figure: str) -> dict[str, Any]:
        """What a figure shows just now."""
        return json.loads(self.page.evaluate(f"JSON.stringify(course.stages['{figure}'].facts)"))

    def drag(self, handle: Locator, along: tuple[float, float]) -> None:
        """With the mouse, by so many pixels, in some steps."""
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + along[0], y + along[1], steps=6)
        self.page.mouse.up()

    def call(self, code: str, *values: Any) -> Any:
        """A function of the page, called with numbers."""
        return self.page.evaluate(f"(values) => ({code})(...values)", json.loads(json.dumps(values)))


CONTRAST = """() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = channels(getComputedStyle(one).backgroundColor);
      if ((color[3] ?? 1) > 0.5) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("article *, .sidebar-tree *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, mjx-container")) continue;
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < LEAST) low.push(`${ratio.toFixed(2)} ${element.className}: ${element.textContent.trim().slice(0, 40)}`);
  }
  return low;
}""".replace("LEAST", str(LEAST_CONTRAST))
