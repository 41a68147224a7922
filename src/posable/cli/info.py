"""`posable info`: summarises a file."""

from __future__ import annotations

import json
import math
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np

import posable
from posable.cli import options
from posable.cli.bystanders import stays_still
from posable.cli.terminal import say

_LIKELY_HEIGHTS = {
    "m": (0.3, 3.0), "dm": (10.0, 23.0), "in": (40.0, 95.0), "cm": (100.0, 230.0), "mm": (1000.0, 2300.0)
}  # fmt: skip


@click.command("info", short_help="Summarise a file: joints, limits, size, clips, doubts")
@options.input_file()
@options.reading
@click.option("--joints", "with_joints", is_flag=True, help="List every joint: parent, kind, position, limits.")
@options.as_json
def command(file: Path, unit: str | None, up: str | None, root: str | None, with_joints: bool, as_json: bool) -> None:
    """Summarise FILE: joints, degrees of freedom, limits, size, skins, clips, and repairs made while reading.

    Of recorded markers (.c3d, .trc): labels, frames, gaps, and which labels `posable fit` understands.
    """
    from posable.formats.table import MARKERS

    if file.suffix.lower() in MARKERS:
        about = _marker_facts(file, posable.load_markers(file))
        say(*([json.dumps(about, allow_nan=False)] if as_json else _marker_sentences(about, file)))
        return
    figure = options.open_figure(file, unit, up, root)
    facts = _facts(file, figure, unit)
    if with_joints:
        uses = posable.joint_uses(figure)
        facts["tree"] = [
            _joint_facts(figure.skeleton, i)
            | {"at": figure.rest.origins[i].round(6).tolist(), "use": uses[name], "why": uses.why[name]}
            for i, name in enumerate(figure.skeleton.joints)
        ]
    say(*([json.dumps(facts, allow_nan=False)] if as_json else _sentences(facts)))


def _marker_facts(file: Path, markers: posable.Markers) -> dict[str, Any]:
    from posable.motion.markers import guess_attachments

    named = guess_attachments(posable.figure("mannequin"), markers.labels)
    return {
        "file": file.name,
        "format": file.suffix[1:].upper(),
        "labels": list(markers.labels),
        "frames": len(markers),
        "fps": markers.fps,
        "seconds": round((len(markers) - 1) / markers.fps, 6),
        "gaps": round(1 - float(markers.seen.mean()), 6) if markers.labels else 0.0,
        "up": markers.up,
        "not_understood": dict(named.unused),
    }


def _marker_sentences(facts: dict[str, Any], file: Path) -> list[str]:
    from posable.motion.markers.landmarks import listed

    labels, strange = facts["labels"], list(facts["not_understood"])
    known = [label for label in labels if label not in facts["not_understood"]]
    return [
        f"{facts['file']}: {facts['format']}, {_count(len(labels), 'marker')}; {facts['up']} is up",
        f"  frames    {_count(facts['frames'], 'frame')} at {facts['fps']:g} fps, {facts['seconds']:.2f} s; "
        f"{100 * facts['gaps']:.3g} % of the positions are gaps",
        f"  known     {listed(known, len(labels))}",
        *([f"  unknown   {listed(strange)}"] if strange else []),
        f"  use       posable fit {shlex.quote(str(file))} -o OUT",
    ]


def _facts(file: Path, figure: posable.Figure, unit: str | None) -> dict[str, Any]:
    from posable.formats import FORMATS

    skeleton = figure.skeleton
    format_name = next(one.name for one in FORMATS if file.suffix.lower() in one.suffixes)
    return {
        "file": file.name,
        "format": format_name,
        "name": figure.name,
        "up": skeleton.up,
        "joints": len(skeleton.joints),
        "freedoms": skeleton.dof,
        "limited": limited(skeleton),
        "uses": dict(Counter(posable.joint_uses(figure).values())),
        "height": round(figure.height, 6),
        "limbs": _limbs(figure),
        "unit": "m" if options.is_metric(file, unit) else None,
        "skins": [{"name": s.name, "vertices": len(s.vertices), "faces": len(s.faces)} for s in figure.skins],
        "clips": [
            {"name": c.name, "frames": len(c), "fps": c.fps, "seconds": round(c.seconds, 6)} for c in figure.clips
        ],
        "shapes": len(figure.shapes),
        "notes": [*figure.notes, *stays_still(figure, file.name)],
    }


_LIMBS = {
    "right hand": ("hand_r", "upper_arm_r"),
    "left hand": ("hand_l", "upper_arm_l"),
    "right foot": ("foot_r", "upper_leg_r"),
    "left foot": ("foot_l", "upper_leg_l"),
}


def _limbs(figure: posable.Figure) -> list[dict[str, Any]]:
    """Positions of hands and feet at rest, and their reach from shoulder or hip, for choosing goals."""
    joints, skeleton = posable.roles(figure).joints, figure.skeleton
    found = []
    for limb, (end, start) in _LIMBS.items():
        if end in joints and start in joints:
            chain, first = list(skeleton.chain(joints[end])), skeleton.index(joints[start])
            if first not in chain:  # a hand that hangs on a copy of the arm's bones
                continue
            bones = figure.rest.origins[chain[chain.index(first) :]]
            reach = float(np.linalg.norm(np.diff(bones, axis=0), axis=1).sum())
            at = bones[-1].round(6).tolist()
            found.append({"limb": limb, "joint": joints[end], "at": at, "reach": round(reach, 6)})
    return found


def limited(skeleton: posable.Skeleton) -> int:
    """Number of degrees of freedom with a limit; a cone limits all three of its ball joint."""
    boxed = sum(
        math.isfinite(low) or math.isfinite(high) for low, high in zip(skeleton.lower, skeleton.upper, strict=True)
    )
    return boxed + 3 * len(skeleton.cones)


def _joint_facts(skeleton: posable.Skeleton, i: int) -> dict[str, Any]:
    joint = skeleton.definitions[i]
    freedoms = [
        {"name": name, "lower": _finite(skeleton.lower[k]), "upper": _finite(skeleton.upper[k])}
        for name, k in zip(joint.freedom_names, skeleton.freedom_range(i), strict=True)
    ]
    facts: dict[str, Any] = {"name": joint.name, "parent": joint.parent, "kind": joint.kind, "freedoms": freedoms}
    if joint.cone is not None:
        facts["cone"] = {"axis": joint.cone.axis, "swing": joint.cone.swing, "twist": joint.cone.twist}
    return facts


def _finite(limit: float) -> float | None:
    return float(limit) if math.isfinite(limit) else None


def _sentences(facts: dict[str, Any]) -> list[str]:
    lines = [
        f"{facts['file']}: {facts['format']}" + (f", {facts['name']!r}" if facts["name"] else ""),
        f"  skeleton  {_count(facts['joints'], 'joint')}, {_count(facts['freedoms'], 'freedom')}, "
        f"{facts['limited']} of them limited; {facts['up']} is up",
        f"  height    {_height(facts)}",
    ]
    unit = f" {facts['unit']}" if facts["unit"] else ""
    lines += [
        f"  limb      {one['limb']} ({one['joint']}): at {_place(one['at'])} at rest, reaches {one['reach']:.3g}{unit}"
        for one in facts["limbs"]
    ]
    if set(facts["uses"]) != {"deforming"}:
        lines.append(f"  joints    {', '.join(f'{count} {use}' for use, count in facts['uses'].items())}")
    lines += [
        f"  skin      {skin['name'] or '(unnamed)'}: {skin['vertices']:,} vertices, {skin['faces']:,} faces"
        for skin in facts["skins"]
    ]
    lines += [f"  clip      {_clip(clip)}" for clip in facts["clips"]]
    lines += [f"  shapes    {facts['shapes']}"] * bool(facts["shapes"])
    lines += [f"  note      {note}" for note in facts["notes"]]
    return lines + _tree(facts.get("tree", []))


def _clip(clip: dict[str, Any]) -> str:
    frames = _count(clip["frames"], "frame")
    return f"{clip['name'] or '(unnamed)'}: {frames} at {clip['fps']:g} fps, {clip['seconds']:.2f} s"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _height(facts: dict[str, Any]) -> str:
    if facts["unit"]:
        return f"{facts['height']:.4g} m"
    if unit := likely_unit(facts["height"]):
        return f"{facts['height']:.4g}; the file states no unit; for a person it would be {unit} (--unit {unit})"
    return f"{facts['height']:.4g}; the file states no unit (give it with --unit)"


def likely_unit(height: float) -> str:
    """The unit in which a person would be so high; "" where none is likely."""
    return next((unit for unit, (low, high) in _LIKELY_HEIGHTS.items() if low <= height <= high), "")


def _tree(joints: list[dict[str, Any]]) -> list[str]:
    """One line per joint, indented by its depth; iterative, so that deep trees do not exhaust the stack."""
    depth: dict[str | None, int] = {None: 0}
    lines = []
    for joint in joints:
        depth[joint["name"]] = depth[joint["parent"]] + 1
        lines.append(
            f"{'  ' * min(depth[joint['name']], 40)}{joint['name']}  {joint['kind']}  at {_place(joint['at'])}"
            f"{_use(joint)}{_limits(joint)}"
        )
    return lines


def _place(at: list[float]) -> str:
    """As goals have it: `--goal JOINT=X,Y,Z`."""
    return ",".join(f"{value + 0.0:.3g}" for value in np.round(at, 6))


def _use(joint: dict[str, Any]) -> str:
    return "" if joint["use"] == "deforming" else f"  {joint['use']}: {joint['why']}"


def _limits(joint: dict[str, Any]) -> str:
    if cone := joint.get("cone"):
        return f"  swing up to {cone['swing']:.3g}, twist {cone['twist'][0]:.3g} to {cone['twist'][1]:.3g}"
    shown = [
        f"{f['name']} {'free' if f['lower'] is f['upper'] is None else _range(f['lower'], f['upper'])}"
        for f in joint["freedoms"]
    ]
    return f"  {', '.join(shown)}" if any("free" not in text for text in shown) else ""


def _range(lower: float | None, upper: float | None) -> str:
    return f"{'…' if lower is None else f'{lower:.3g}'} to {'…' if upper is None else f'{upper:.3g}'}"
