"""Commands to documents: `apply(document, command)` is the document that the command makes of another one.

Nothing is solved here: where goals moved, the session does that next. What commands about the figure and its
skin do stands here, about goals and joints in `goals`, about keys and time in `time`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import posable
from posable.skin import weights
from posable.studio import commands as c
from posable.studio.command import Command
from posable.studio.demos import demo_document
from posable.studio.document import Document
from posable.studio.opening import document_of
from posable.studio.parse_commands import MessageError

_EDITS: dict[type[Command], Callable[[Document, Command], Document]] = {}
_ROOMS = ("goals", "time")  # what is about the figure and its skin stands here

C = TypeVar("C", bound=Command)
Edit = Callable[[Document, C], Document]


def edit(kind: type[C]) -> Callable[[Edit[C]], Edit[C]]:
    """Marks the function that does commands of this kind."""

    def keep(function: Edit[C]) -> Edit[C]:
        _EDITS[kind] = function  # type: ignore[assignment]
        return function

    return keep


def apply(document: Document, command: Command) -> Document:
    """The document after a command. Raises PosableError for what cannot be done, and then nothing was."""
    for room in _ROOMS:
        importlib.import_module(f"posable.studio.edits.{room}")
    return _EDITS[type(command)](document, command)


def does(command: Command) -> bool:
    """Whether the command is one for documents, and not for the session alone (undo, say)."""
    for room in _ROOMS:
        importlib.import_module(f"posable.studio.edits.{room}")
    return type(command) in _EDITS


# Commands that take another figure.


@edit(c.FigureBuiltin)
def builtin(document: Document, command: c.FigureBuiltin) -> Document:
    """A built-in figure."""
    return taken(document, posable.figure(command.name), command.name)


@edit(c.DemoLoad)
def demo(document: Document, command: c.DemoLoad) -> Document:
    """A demonstration."""
    del document
    return demo_document(command.name)


def taken(document: Document, figure: posable.Figure, source: str) -> Document:
    """Another figure in the same studio: how skins follow and gizmos lie stays."""
    return replace(document_of(figure, source), blend=document.blend, space=document.space)


# Commands about the skin.


_MOST_POINTS = 5000  # of one stroke


@edit(c.SkinBlend)
def blend(document: Document, command: c.SkinBlend) -> Document:
    """How the skin follows."""
    return replace(document, blend=command.blend)


@edit(c.SkinPaint)
def paint(document: Document, command: c.SkinPaint) -> Document:
    """Weights after a stroke over the skin as it stands."""
    if not 0 < len(command.points) <= _MOST_POINTS:
        raise MessageError(f"a stroke has 1 to {_MOST_POINTS:,} points, not {len(command.points):,}")
    painted = [
        weights.paint_weights(
            skin,
            document.pose,
            command.joint,
            command.points,
            command.radius,
            command.strength,
            command.mode,
            mirror=command.mirror,
        )
        for skin in _skins(document)
    ]
    return reskinned(document, painted)


@edit(c.SkinBind)
def rebind(document: Document, command: c.SkinBind) -> Document:
    """Weights made anew from where the bones are at rest."""
    skeleton, rest, kept = document.opened.skeleton, document.opened.rest, []
    for skin in _skins(document):
        mesh = posable.Mesh(skin.on(skeleton).deform(rest).astype(float), skin.faces, skin.name)
        bound = posable.bind(mesh, skeleton, command.method)
        kept.append(replace(skin, joints=bound.joints, weights=bound.weights))
    return reskinned(document, kept)


def reskinned(document: Document, skins: Sequence[posable.Skin]) -> Document:
    """The document with other weights."""
    opened = replace(document.opened, skins=tuple(skin.on(document.opened.skeleton) for skin in skins))
    figure = replace(document.figure, skins=tuple(skin.on(document.figure.skeleton) for skin in skins))
    return replace(document, opened=opened, figure=figure, is_reskinned=True)


def _skins(document: Document) -> tuple[posable.Skin, ...]:
    if not document.figure.skins:
        raise posable.SkinError("this figure has no skin; it is made of rigid parts, or of bones alone")
    return document.figure.skins
