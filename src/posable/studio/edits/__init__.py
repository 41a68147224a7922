"""Commands as pure functions: `apply(document, command)` returns the document after the command.

Nothing is solved here: where goals moved, the session solves next.
"""

from posable.studio.edits import figure, goals, time
from posable.studio.edits.registry import apply, edits_document

__all__ = ["apply", "edits_document", "figure", "goals", "time"]
