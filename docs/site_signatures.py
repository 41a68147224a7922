"""Signatures of the reference as a person writes them: short names of types, values instead of markers and addresses.

Sphinx resolves `Array | None` to `TypeAliasForwardRef('Array') | None` and `NDArray[np.bool_]` to three lines.
"""

from __future__ import annotations

import dataclasses
import re
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sphinx.application import Sphinx

UNREADABLE = ("TypeAliasForwardRef", "ndarray[tuple[Any, ...]", "<factory>", "_Points object", "~posable.", "dtype[")
"""What no page of the reference contains; a test looks for them."""
ALIASES = ("Array", "ArrayLike", "DTypeLike", "Floats", "PaintMode", "Point", "Color", "Reals", "Relative")
"""Names of types that stay as they are in signatures."""
NOT_MADE_BY_HAND = {"posable.Solution", "posable.Prepared", "posable.solvers.Prepared", "posable.solvers.Solution"}
"""Classes whose instances are results: how they are made is nobody's concern."""
DESCRIBED = ("function", "class", "exception", "method", "classmethod", "staticmethod", "property", "attribute", "data")

_NUMPY = r"(?:~?numpy\.)?"
_ARRAY = re.compile(rf"~?(?:numpy\.)?ndarray\[~?tuple\[~?(?:typing\.)?Any, \.\.\.\], ~?{_NUMPY}dtype\[~?([\w.]+)\]\]")


def readable(text: str) -> str:
    """A type or signature with the names that its source has."""
    text = re.sub(r"TypeAliasForwardRef\('([\w.]+)'\)", r"\1", text)
    return _ARRAY.sub(lambda hit: _array(hit[1].rpartition(".")[2]), text)


def _array(numbers: str) -> str:
    return {"float64": "Array", "Any": "NDArray"}.get(numbers, f"NDArray[{numbers}]")


def _shown_value(value: object) -> str:
    """A default as a caller would write it."""
    if isinstance(value, np.ndarray):
        return repr(tuple(value.tolist()))
    return repr(value)


def _own_signature(
    app: Any, what: str, name: str, value: Any, options: Any, arguments: str | None, returned: str | None
) -> tuple[str, str | None] | None:
    """Defaults that are made anew for each instance, shown as what is made."""
    del app, options
    if what == "class" and name in NOT_MADE_BY_HAND:
        return "", None
    if arguments is None or "<factory>" not in arguments:
        return None
    for field in dataclasses.fields(value):
        if field.default_factory is not dataclasses.MISSING:
            marked = rf"(\b{field.name}: (?:(?!<factory>).)*?)<factory>"
            shown = _shown_value(field.default_factory())
            arguments = re.sub(marked, lambda hit, shown=shown: hit[1] + shown, arguments, count=1)
    return arguments, returned


def _left_out(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """True for the constants by which a goal or method answers posable itself."""
    del app, what, skip, options
    return True if name.isupper() and not isinstance(value, Enum) else None


def _public_bases(app: Any, name: str, value: Any, options: Any, bases: list[Any]) -> None:
    """A base that is private gives way to its own bases."""
    del app, name, value, options
    bases[:] = [one for base in bases for one in (base.__bases__ if _is_private(base) else (base,))]


def _is_private(base: Any) -> bool:
    return getattr(base, "__name__", "").startswith("_")


def register(app: Sphinx) -> None:
    """Let Sphinx use all of this: called from the `setup` of conf.py."""
    from sphinx.domains.python import PythonDomain

    for kind in DESCRIBED:
        app.add_directive_to_domain("py", kind, _made_readable(PythonDomain.directives[kind]), override=True)
    app.connect("autodoc-process-signature", _own_signature)
    app.connect("autodoc-skip-member", _left_out)
    app.connect("autodoc-process-bases", _public_bases)


def _made_readable(directive: type) -> type:
    """The directive that describes a kind of object, reading what is given to it in the readable form."""

    class Readable(directive):
        def get_signatures(self) -> list[str]:
            for option in ("type", "value"):
                if option in self.options:
                    self.options[option] = readable(self.options[option])
            return [readable(one) for one in super().get_signatures()]

    return Readable
