"""Examples, and some descriptions, of names that cannot hold them in their source.

These are constants, and names in files that the compiled kernels depend on: an edit there, be it of a docstring,
compiles every kernel anew. A test runs all of them.
"""

from __future__ import annotations

ABOUT = {
    "MAX_JOINTS": "The largest number of joints in one skeleton; above it, `Skeleton` raises SkeletonError.",
    "RotationForm": 'How rotations are given as numbers: "6d", "quaternion" (wxyz), "axis_angle" or "matrix".',
    "Interpolation": 'How a clip goes from key to key: "linear", "cubic", "monotone" (no overshoot) or "step".',
    "FORMATS": "All file formats of posable, each a `Format`.",
    "METHODS": "{name: class} of the classical methods; the default, LeastSquares, is not among them.",
    "STORIES": "{name: function that makes it} of the stories, in the order in which they are best watched.",
}
"""Constants that have no docstring beside them, or one that says too little."""

EXAMPLES = {
    "BODY_ROLES": """
>>> posable.figures.BODY_ROLES[:3]
('hips', 'spine', 'chest')
""",
    "FORMATS": """
>>> [one.name for one in posable.formats.FORMATS if ".fbx" in one.suffixes]
['FBX']
""",
    "Interpolation": """
>>> keys = posable.Keys(figure.skeleton, [0.0, 1.0], np.stack([figure.rest.q, clip.q[0]]), interpolation="linear")
>>> len(keys.clip(fps=30.0))
31
""",
    "Mark": """
>>> mark = posable.Reach("hand_r", (0, 1, 0)).marks(figure.rest)[0]
>>> mark.kind, mark.joint
('point', 'hand_r')
""",
    "Mask": """
>>> mask = {"upper_arm_r": 1.0, "forearm_r": 0.5}  # the upper arm fully, the forearm by half
>>> raised = posable.clips.blend(clip, clip, 1.0, joints=mask)
""",
    "MAX_JOINTS": """
>>> posable.skeleton.MAX_JOINTS
100000
""",
    "Method": """
>>> method = posable.solvers.Fabrik()
>>> isinstance(method, posable.solvers.Method)
True
>>> arm = posable.figure("doorbell_arm")
>>> goals = [posable.Reach("hand", (30.0, -40.0, 0.0))]
>>> posable.solve(arm.rest, goals, method=posable.solvers.Newton()).reached.item()
True
""",
    "METHODS": """
>>> posable.solvers.METHODS["Fabrik"]().__class__.__name__
'Fabrik'
""",
    "ROLE_NAMES": """
>>> "thumb_1_l" in posable.figures.ROLE_NAMES
True
""",
    "RotationForm": """
>>> rotations, positions = posable.rotations_of(figure.rest, form="quaternion")
>>> rotations.shape == (len(figure.skeleton.joints), 4)
True
""",
    "Row": """
>>> row = posable.Reach("hand_r", (0, 1, 0)).rows(figure.skeleton)[0]
>>> figure.skeleton.joints[row.joint], row.is_point
('hand_r', True)
""",
    "Spring": """
>>> spring = posable.Stay(figure.rest).spring(figure.skeleton)
>>> spring.weight.shape == (figure.skeleton.dof,)
True
""",
    "STORIES": """
>>> list(posable.motion.STORIES)[:2]
['doorbell', 'mace']
""",
    "Symmetry": """
>>> symmetry = posable.skeleton.symmetry_of(figure.skeleton)
>>> figure.skeleton.joints[symmetry.partner[figure.skeleton.index("hand_l")]]
'hand_r'
""",
    "Tables": """
>>> tables = figure.skeleton.tables
>>> int(tables.parent[0]), tables.lower.shape == (figure.skeleton.dof,)
(-1, True)
""",
    "TwoBoneAngles": """
>>> found = posable.solvers.closed.two_bone_angles((1.0, 0.0), first=1.0, second=0.7)
>>> np.degrees(found.angles).round(1)[0].tolist(), float(found.distance_left)
([41.0, -110.5], 0.0)
""",
    "closed_branches": """
>>> arm = posable.figure("arm6")  # closed_branches is for kernels; this is how Python calls it
>>> closed = posable.solvers.closed.ClosedForm.of(arm.skeleton, "tool")
>>> ways, count = closed.branches(arm.rest.world_from_joint[arm.skeleton.index("tool")], arm.rest)
>>> bool(1 <= count <= 8)
True
""",
}
"""By the name alone; `posable`, `np`, the mannequin as `figure` and a walk of it as `clip` are at hand."""
