"""Commands that open another figure, and commands about the skin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import posable
from posable.skin import weights
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio.command import edit
from posable.studio.document import Document
from posable.studio.edits.joining import joined
from posable.studio.edits.members import left, placed
from posable.studio.edits.skeleton import Shaping, reshaped
from posable.studio.opening import demo_document, document_of, race
from posable.studio.records import MessageError
from posable.studio.uploads import title_of


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
    """Another figure; the skinning blend and the axes of gizmos stay."""
    return replace(document_of(figure, source), blend=document.blend, space=document.space)


Refiguring = Shaping | b.FigureJoin | b.FigureLeave | b.FigurePlace | b.MethodsRace


def refigured(document: Document, command: Refiguring, source: str, read: Callable[..., posable.Figure]) -> Document:
    """The document with a figure made of the open one, kept in the file `source`. read: a figure of a file, by title.

    Raises PosableError for an invalid figure.
    """
    if isinstance(command, b.MethodsRace):
        return race(document, command.goal, document.figure.name, source)
    if isinstance(command, b.FigureJoin):
        title, file = title_of(command.name), command.file
        other = read(file, title, fit=command.fit) if file else posable.figure(command.name)
        return joined(document, other, source, command.height)
    if isinstance(command, b.FigureLeave):
        return left(document, command, source)
    if isinstance(command, b.FigurePlace):
        return placed(document, command, source)
    return reshaped(document, command, source)


# Commands about the skin.


_MOST_POINTS = 5000  # of one stroke


@edit(c.SkinBlend)
def blend(document: Document, command: c.SkinBlend) -> Document:
    """Another skinning blend."""
    return replace(document, blend=command.blend)


@edit(c.SkinPaint)
def paint(document: Document, command: c.SkinPaint) -> Document:
    """The weights after a stroke on the posed skin."""
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
    """New weights from the bones at rest."""
    skeleton, rest, bound_skins = document.opened.skeleton, document.opened.rest, []
    for skin in _skins(document):
        mesh = posable.Mesh(skin.on(skeleton).deform(rest).astype(float), skin.faces, skin.name)
        bound = posable.bind(mesh, skeleton, command.method)
        bound_skins.append(replace(skin, joints=bound.joints, weights=bound.weights))
    return reskinned(document, bound_skins)


def reskinned(document: Document, skins: Sequence[posable.Skin]) -> Document:
    """The document with other weights."""
    opened = replace(document.opened, skins=tuple(skin.on(document.opened.skeleton) for skin in skins))
    figure = replace(document.figure, skins=tuple(skin.on(document.figure.skeleton) for skin in skins))
    return replace(document, opened=opened, figure=figure, is_reskinned=True)


def _skins(document: Document) -> tuple[posable.Skin, ...]:
    if not document.figure.skins:
        raise posable.SkinError("this figure has no skin, only rigid parts or bones")
    return document.figure.skins
