"""Whether people can read the page and hit what is on it: contrasts, sizes of what one clicks, numbers at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from studio.browser.viewer import Viewer

# Texts whose contrast to what is behind them is too small, as WCAG has it; without what is disabled.
PALE = """() => {
  const ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = color;
    ink.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = ink.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((v) => linear(v / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduceRight((below, top) => over(top, below), [0, 0, 0, 1]);
  };
  const faded = (node) => {
    let all = 1;
    for (let at = node; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
    return all;
  };
  const found = [];
  for (const node of document.querySelectorAll('body *')) {
    const text = [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.textContent.trim()).join('');
    if (!text && !node.matches('input[type=text], input[type=search], textarea, select')) continue;
    if (node.closest('[disabled], [aria-disabled=true], [hidden], .hidden-text, .viewport, .ramp, option')) continue;
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(node).visibility === 'hidden') continue;
    const back = behind(node);
    const front = rgba(getComputedStyle(node).color);
    front[3] *= faded(node);
    const [high, low] = [light(over(front, back)), light(back)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`${text || node.value} (${node.className || node.tagName}): ${contrast.toFixed(2)}`);
  }
  return found;
}"""

SMALL = """() => {
  const found = [];
  const all = 'button, input, select, textarea, summary, [role=treeitem], [role=menuitem], [role=option], [role=tab]';
  for (const node of document.querySelectorAll(all)) {
    if (node.closest('.view-cube, [hidden]')) continue;
    const label = node.closest('label');
    const box = (label ?? node).getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const name = node.getAttribute('aria-label') || node.textContent || node.className;
    if (box.width < 23.9 || box.height < 23.9) found.push(`${name}: ${box.width} × ${box.height}`);
  }
  if (document.querySelector('dialog[open], .menu-list')) return found; // these lie over the edges
  for (const edge of document.querySelectorAll('[role=separator]')) {
    const box = edge.getBoundingClientRect();
    const upright = box.height > box.width;
    const hit = (k) => (upright ? [box.x + k, box.y + 0.9 * box.height] : [box.x + 0.7 * box.width, box.y + k]);
    const across = Array.from({ length: 80 }, (_, k) => k - 40);
    const held = across.filter((k) => document.elementFromPoint(...hit(k)) === edge).length;
    if (box.width && held < 24) found.push(`${edge.getAttribute('aria-label')}: ${held}`);
  }
  return found;
}"""


# Until no colour changes any more. A fade takes as long as pictures are drawn: its time begins with the first of them.
FADED = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished))"""


def open_all(viewer: Viewer) -> None:
    viewer.page.evaluate("document.querySelectorAll('details.section').forEach((part) => (part.open = true))")


# What shows every panel, menu and dialog: words for the palette, and whether a step of undo takes them back, or the
# same words again.
STATES = [
    (["Select goal left hand"], False),
    (["Select goal left hand", "Pole: where the elbow"], True),
    (["Select goal head"], False),
    (["Select the hands"], False),
    (["Select joint forearm_l"], False),
    (["Select goal left hand", "Set a key", "Timeline: the curves"], True),
    (["Add a layer of keys"], True),
    (["Add a box"], True),
    (["Keys and mouse"], False),
    (["Export film (MP4)"], False),
    (["Compare the methods on this figure"], True),
]
SWITCHES = ["Skin weights", "Show the balance", "Maya's keys", "Timeline: the keys"]
MENUS = ["File", "Edit", "Pose", "Time", "View", "Figures", "Demos"]


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_all_text_has_contrast_and_all_that_is_clicked_is_large_enough(viewer: Viewer, theme: str) -> None:
    if viewer.page.evaluate("document.documentElement.dataset.theme") != theme:
        viewer.choose("Dark or light")
    viewer.wait(lambda: viewer.page.evaluate("document.documentElement.dataset.theme") == theme, "the theme")
    seen: list[str] = []

    def look(what: str) -> None:
        open_all(viewer)
        viewer.page.mouse.move(700, 300)
        viewer.frames()  # until the colours begin to fade
        viewer.page.evaluate(FADED)
        seen.extend(f"{what}: {one}" for script in (PALE, SMALL) for one in viewer.page.evaluate(script))

    look("nothing chosen")
    for words, is_step in STATES:
        for one in words:
            viewer.choose(one)
        viewer.settle()
        look(words[-1])
        viewer.press("Escape")
        while is_step and viewer.document["can_undo"]:
            viewer.undo()
    for switch in SWITCHES:
        viewer.choose(switch)
        look(switch)
        if switch != SWITCHES[-1]:
            viewer.choose(switch)
    for menu in MENUS:
        viewer.page.locator(".menu-button", has_text=menu).first.click()
        look(menu)
        viewer.press("Escape")
    viewer.press("Control+k")
    look("palette")
    viewer.press("Escape")
    if theme == "light":
        viewer.choose("Dark or light")
    assert not seen, "\n".join(sorted({*seen}))


def test_no_numbers_are_told_of_nothing(viewer: Viewer) -> None:
    told, mouse = viewer.page.locator(".figures"), viewer.page.mouse
    x, y = viewer.place("left hand")
    mouse.move(x, y)
    viewer.frames()
    mouse.down()

    def led() -> bool:
        mouse.move(x + 12, y - 8)
        mouse.move(x + 10, y - 20)
        return "ms" in told.inner_text()  # a page that draws less than five pictures a second has no rate

    viewer.wait(led, "the numbers of a drag")
    mouse.up()
    viewer.settle()
    viewer.wait(lambda: not told.inner_text().strip(), "nothing, at rest")
