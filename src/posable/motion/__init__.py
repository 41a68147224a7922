"""Whatever solves over time."""

from posable.motion.clip_report import MotionChange, MotionReport, motion_change, motion_report
from posable.motion.feet import (
    Contacts,
    FootLock,
    FootMetrics,
    FootPlacement,
    Planting,
    Sole,
    Terrain,
    contacts,
    foot_metrics,
    plant,
    plant_feet,
    soles,
)
from posable.motion.gait import (
    Gait,
    characters,
    checked_points,
    double_support,
    fit_gait,
    leg_points,
    planar_walker,
    quadratic,
    solve_closure,
    walk,
)
from posable.motion.key_points import KeyPointFit, KeyPoints, from_key_points
from posable.motion.markers import Attachment, Attachments, MarkerFit, Markers, fit_markers, pose_from_points
from posable.motion.overlaying import Fade, Overlay, fade, key, overlay
from posable.motion.props import Hold, Prop, attach
from posable.motion.reaching import eased, move, reach
from posable.motion.stories import STORIES, Story, story_named, tell
from posable.motion.tracking import chase, track
from posable.motion.transfer import Retargeting, retarget, retargeting
from posable.motion.walk_transition import step_off
from posable.motion.whole_clip import ClipSolution, solve_clip

__all__ = [
    "STORIES",
    "Attachment",
    "Attachments",
    "ClipSolution",
    "Contacts",
    "Fade",
    "FootLock",
    "FootMetrics",
    "FootPlacement",
    "Gait",
    "Hold",
    "KeyPointFit",
    "KeyPoints",
    "MarkerFit",
    "Markers",
    "MotionChange",
    "MotionReport",
    "Overlay",
    "Planting",
    "Prop",
    "Retargeting",
    "Sole",
    "Story",
    "Terrain",
    "attach",
    "characters",
    "chase",
    "checked_points",
    "contacts",
    "double_support",
    "eased",
    "fade",
    "fit_gait",
    "fit_markers",
    "foot_metrics",
    "from_key_points",
    "key",
    "leg_points",
    "motion_change",
    "motion_report",
    "move",
    "overlay",
    "planar_walker",
    "plant",
    "plant_feet",
    "pose_from_points",
    "quadratic",
    "reach",
    "retarget",
    "retargeting",
    "soles",
    "solve_clip",
    "solve_closure",
    "step_off",
    "story_named",
    "tell",
    "track",
    "walk",
]
