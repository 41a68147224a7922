// Commands that stand in the palette alone: fields of panels by their names, meshes, curves of keys, and a frame that is typed.

import { type Action, forChosen } from "../actions";
import { send } from "../link";
import { goToTyped } from "../playback";
import { INTERPOLATIONS, type StudioGoal } from "../schema";
import * as s from "../store";
import { choseKeys, easeKeys } from "../timeline/editing";
import { firstPole, meshNames } from "../view/looking";
import { reveal } from "./reveal";
import { isOffered as hasAngles } from "./whole/angles";

const FIELDS: [id: string, label: string, words: string, field: string, group: Action["group"]][] = [
  ["field-frame", "Go to a frame…", "jump time current", '.transport input[aria-label="Frame"]', "Time"],
  ["field-fps", "Frames per second…", "fps rate", '.transport input[aria-label="fps"]', "Time"],
  ["field-speed", "Playback speed…", "slow fast rate", ".transport .speed select", "Time"],
  ["field-range", "Time range: first and last frame…", "length duration start end timeline", '.transport input[aria-label="to"]', "Time"],
  ["field-gravity", "Gravity…", "hang weight heavy physics", '.side.right input[aria-label="Gravity"]', "Pose"],
  ["field-elasticity", "Elasticity…", "spring stiff stiffness", '.side.right input[aria-label="Elasticity"]', "Pose"],
  ["field-between", "In between: a pose between two keys…", "tween breakdown inbetween breakdowner tweener push pull", '.side.right input[aria-label="In between"]', "Pose"],
  ["field-pose", "Save the pose in the library…", "pose library store asset", '.side.right input[aria-label="Name of the pose"]', "Pose"],
  ["field-natural", "Natural poses: how much…", "full body", '.side.right input[aria-label="Natural"]', "Pose"],
];

const CURVES: Record<string, string> = { cubic: "spline bezier smooth ease auto", monotone: "spline clamped plateau ease", linear: "straight", step: "stepped constant hold blocking" };

/** What the palette has beside actions and offers. typed: "frame 20" goes there. */
export function moreCommands(typed: string): Action[] {
  const frame = /^(?:go to )?frame\s+(\d+)$/i.exec(typed.trim())?.[1];
  return [
    ...(frame === undefined ? [] : [{ id: "frame-typed", label: `Frame ${frame}: go there`, group: "Time", run: () => goToTyped(Number(frame)) } satisfies Action]),
    ...FIELDS.map(([id, label, words, field, group]): Action => ({ id, label, words, group, run: () => reveal(field) })),
    ...INTERPOLATIONS.map((curve): Action => ({ id: `curve-${curve}`, label: `Curve of the chosen keys: ${curve}`, words: `interpolation tangent ${CURVES[curve] ?? ""}`, group: "Time", run: () => easeKeys(curve), enabled: choseKeys })),
    { id: "pole", label: "Pole: where the elbow or the knee points", words: "pole vector target elbow knee direction twist", group: "Pose", run: togglePole, enabled: () => s.selectedGoal.value !== null, active: () => s.selectedGoal.value?.pole != null },
    { id: "freeze", label: "Freeze the chosen joint", words: "lock joint unlock fix solver stays", group: "Pose", run: freezeJoint, enabled: () => s.selectedJoint.value !== null, active: () => s.selectedJoint.value?.frozen ?? false },
    { id: "shape", label: "Edit the skeleton: move, rename, add, remove joints", words: "armature edit mode bones parent rest rig", group: "Figure", run: editSkeleton, enabled: () => s.selectedJoint.value !== null, active: () => s.shaping.value },
    { id: "limits", label: "Limits of the chosen joint", words: "joint angle range cone swing twist constraint rom", group: "Pose", run: chooseJoint, enabled: () => s.selectedJoint.value !== null },
    { id: "angles", label: "Joint angles: sliders for all joints", words: "robot arm hinge slide list prismatic revolute degrees values", group: "Pose", run: () => reveal(".axes input"), enabled: hasAngles },
    ...meshes(),
  ];
}

/** Of each chosen goal, as the first one has it. */
export function togglePole(): void {
  const has = s.selectedGoal.value?.pole != null;
  forChosen("pole", (goal) => ({ op: "goal.pole", goal: goal.name, pole: has || !POLED.includes(goal.kind) ? null : firstPole(goal) }));
}

const POLED: StudioGoal["kind"][] = ["place", "reach"];

function freezeJoint(): void {
  const joint = s.selectedJoint.value;
  if (joint) send({ op: "joint.freeze", joint: joint.name, frozen: !joint.frozen });
}

function editSkeleton(): void {
  chooseJoint();
  s.shaping.value = !s.shaping.value;
}

/** The joint of the chosen goal itself, whose limits are drawn. */
function chooseJoint(): void {
  const joint = s.selectedJoint.value;
  if (joint) s.selection.value = { kind: "joint", name: joint.name };
}

function meshes(): Action[] {
  const names = s.shown.value ? meshNames() : [];
  const hidden = s.document_.value?.hidden ?? [];
  const hide = (all: readonly string[]) => send({ op: "mesh.hide", names: [...all] });
  const each = names.flatMap((name): Action[] => [
    hidden.includes(name)
      ? { id: `mesh-show-${name}`, label: `Show mesh ${name}`, words: "unhide visible", group: "View", run: () => hide(hidden.filter((one) => one !== name)) }
      : { id: `mesh-hide-${name}`, label: `Hide mesh ${name}`, words: "invisible", group: "View", run: () => hide([...hidden, name]) },
    { id: `mesh-alone-${name}`, label: `Isolate mesh ${name}: hide the others`, words: "solo local view alone", group: "View", run: () => hide(names.filter((one) => one !== name)) },
  ]);
  return [...each, { id: "mesh-all", label: "Show all meshes", words: "show mesh unhide isolate off visible", group: "View", run: () => hide([]), enabled: () => hidden.length > 0 }];
}
