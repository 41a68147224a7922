"""The page about a rigged mesh: its skeleton, what is unsure and how to mend it, how it bends, and how it moves."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posable.figures import Figure
from posable.skin import TemplateFit
from posable.view.motion_pages import STYLE, each, shown_in_page
from posable.view.overlay import Color, Ink
from posable.view.renderer import Image
from posable.view.roles_drawing import drawn_from
from posable.view.sheet import binding_sheet, captioned, in_rows

_SIZE = (520, 620)
_BONE: Color = (40, 90, 150)
_UNSURE: Color = (205, 40, 30)
_PALE = 0.86
_MORE = "pre{background:#f1f1ee;padding:.5em;overflow-x:auto}iframe{width:100%;height:480px;border:1px solid #ccc}"
_MEND = (
    "A joint that stands wrong: give its position with --hint JOINT=X,Y,Z (repeat it for more joints); the numbers are "
    "the mesh's own. The other joints of the limb and the other side follow, feet stay on the floor.",
    "Skin that follows a wrong joint: --without JOINT takes the joint its skin, --only JOINT leaves all others out, "
    "--rigid PIECE=JOINT binds a loose piece whole.",
    "A patch of skin that bends wrongly: paint its weights in the studio (posable studio OUT), or with "
    "posable.skin.weights.",
    "Another kind of figure: --template biped, quadruped, bird, theropod, fish, chain, spider or insect.",
)


def rig_page(figure: Figure, fit: TemplateFit, cures: Mapping[str, str], viewer: str) -> str:
    """The page as text; it needs no other file.

    Args:
        figure: The bound figure.
        fit: How its skeleton was fitted.
        cures: {doubt: command that mends it}.
        viewer: A page that shows the figure moving; empty for none.

    Returns:
        The HTML.
    """
    name = html.escape(figure.name or "The mesh")
    about = f"A {fit.template} of {len(fit.skeleton.joints)} joints; the fit scores {fit.score:.2f} of 1."
    notes = [note for skin in figure.skins for note in skin.notes]
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{name}</title><style>{STYLE}{_MORE}</style>",
        f"<h1>{name}</h1><p>{about}</p>",
        shown_in_page(fitted_picture(figure, fit), "the fitted skeleton; unsure joints are red"),
        f"<h2>Unsure</h2>{_doubts(fit, cures)}",
        f"<h2>How to mend it</h2><ul>{each(_MEND, 'li')}</ul>",
        f"<h2>Noticed while binding</h2><ul>{each(notes or ['nothing'], 'li')}</ul>",
        f"<h2>How it bends</h2>{shown_in_page(binding_sheet(figure, size=(240, 240)), 'bends and weights')}",
    ]
    if viewer:
        parts.append(f"<h2>How it moves</h2><iframe title='{name}' srcdoc=\"{html.escape(viewer)}\"></iframe>")
    return "\n".join(parts) + "</html>\n"


def _doubts(fit: TemplateFit, cures: Mapping[str, str]) -> str:
    if not fit.doubts:
        return "<p>Nothing: every feature of the template was found in the mesh.</p>"
    told = []
    for doubt in fit.doubts:
        cure = f"<pre>{html.escape(cures[doubt])}</pre>" if doubt in cures else ""
        told.append(f"<li>{html.escape(doubt)}{cure}</li>")
    return f"<ul>{''.join(told)}</ul><p>The numbers are where the joints stand now: change what is wrong.</p>"


def fitted_picture(figure: Figure, fit: TemplateFit) -> Image:
    """The skeleton drawn over the pale mesh from the front and from its left, joints of doubts in red with names."""
    unsure = {name for names in fit.unsure.values() for name in names}
    pale = tuple(replace(skin, colors=np.full((len(skin.vertices), 3), _PALE, np.float32)) for skin in figure.skins)
    shown = replace(figure, skins=pale, clips=())
    panels = [
        captioned(_panel(shown, fit.forward, around, unsure), words)
        for words, around in (("from the front", 0.0), ("from its left", 90.0))
    ]
    return in_rows(panels, 2)


def _panel(figure: Figure, forward: np.ndarray, around: float, unsure: set[str]) -> Image:
    image, places = drawn_from(figure, forward, _SIZE, around)
    ink = Ink(image)
    for joint, parent in enumerate(figure.skeleton.parents):
        if parent >= 0:
            ink.line(places[parent], places[joint], 3.0)
    ink.lay(_BONE, 0.9)
    for color, chosen in ((_BONE, False), (_UNSURE, True)):
        for joint, name in enumerate(figure.skeleton.joints):
            if (name in unsure) == chosen:
                ink.dot(places[joint], 6.5 if chosen else 4.5)
        ink.lay(color, 1.0)
    return image
