"""What the classical methods share: each says what it cannot do, and takes one step for a batch of problems."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posable.skeleton import Pose
from posable.solvers.engine import Engine
from posable.solvers.methods.task import Measured, Task
from posable.solvers.problem import Structure
from posable.spatial import Array

State = tuple[NDArray[Any], ...]
"""What a method remembers between steps: arrays with the problems on their first axis."""


class Method:
    """A classical method: from the start, step by step, no restarts; after each step the limits are applied.

    Subclasses are frozen dataclasses of the method's parameters. A solve ends when the goals are met, when nothing
    moves any more, or with `max_iterations`; the best pose visited is the answer, and the trace has every one.
    """

    STEPS_ONCE_MORE: ClassVar[bool] = False
    """Whether the distance is looked at before a step and the step from within the tolerance is still taken."""

    def engine(self, structure: Structure) -> Engine:
        """What solves the goals of a structure by this method. Raises MethodError where it cannot."""
        from posable.solvers.methods.stepping import Stepping

        return Stepping(structure, self)

    def refusal(self, structure: Structure) -> str | None:
        """Why the method cannot do what is asked, in the words that complete "it cannot be used here: …"; None if it
        can.
        """
        raise NotImplementedError

    def plan(self, structure: Structure) -> Any:
        """What is worked out once for all tasks of a structure; they find it as `task.plan`."""
        del structure
        return None

    def begin(self, task: Task, pose: Pose) -> State:
        """What is to be remembered at the start."""
        del task, pose
        return ()

    def advance(self, task: Task, pose: Pose, measured: Measured, state: State) -> tuple[Pose, State]:
        """One step of every problem. Limits are applied afterwards by the caller."""
        raise NotImplementedError

    def is_done(self, task: Task, pose: Pose, measured: Measured, state: State) -> NDArray[np.bool_]:
        """`[problem]` where no further step is wanted: as a rule, because the goals are met."""
        del state
        return self.is_met(task, pose, measured)

    def is_met(self, task: Task, pose: Pose, measured: Measured) -> NDArray[np.bool_]:
        """`[problem]` where the goals count as reached."""
        del task, pose
        return measured.met

    def score(self, task: Task, pose: Pose, measured: Measured) -> Array:
        """`[problem]` what tells which pose is the best, smaller is better; one that meets the goals is always better
        than one that does not.
        """
        del task, pose
        return measured.cost
