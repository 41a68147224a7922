"""Commands as pure functions: `apply(document, command)` returns the document after the command.

Nothing is solved here: where goals moved, the session solves next.
"""

from posable.studio.command import apply, edits_document
from posable.studio.edits import figure, goals, layers, poses, scene_props, time

__all__ = ["apply", "edits_document", "figure", "goals", "layers", "poses", "scene_props", "time"]
