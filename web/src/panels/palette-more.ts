// Commands that stand in the palette alone: fields of panels by their names, meshes, curves of keys, and a frame that is typed.

import type { Action } from "../actions";
import { send } from "../link";
import { goTo } from "../playback";
import { INTERPOLATIONS } from "../schema";
import * as s from "../store";
import { choseKeys, easeKeys } from "../timeline/editing";
import { meshNames } from "../view/looking";
import { reveal } from "./reveal";

const FIELDS: [id: string, label: string, words: string, field: string, group: Action["group"]][] = [
  ["field-frame", "Go to a frame…", "jump time current", '.transport input[aria-label="Frame"]', "Time"],
  ["field-fps", "Frames per second…", "fps rate", '.transport input[aria-label="fps"]', "Time"],
  ["field-speed", "Playback speed…", "slow fast rate", ".transport .speed select", "Time"],
  ["field-range", "Time range: first and last frame…", "length duration start end timeline", '.transport input[aria-label="to"]', "Time"],
  ["field-gravity", "Gravity…", "hang weight heavy physics", '.side.right input[aria-label="Gravity"]', "Pose"],
  ["field-elasticity", "Elasticity…", "spring stiff", '.side.right input[aria-label="Elasticity"]', "Pose"],
  ["field-natural", "Natural poses: how much…", "full body", '.side.right input[aria-label="Natural"]', "Pose"],
];

const CURVES: Record<string, string> = { cubic: "spline bezier smooth ease auto", monotone: "spline clamped plateau ease", linear: "straight", step: "stepped constant hold blocking" };

/** What the palette has beside actions and offers. typed: "frame 20" goes there. */
export function moreCommands(typed: string): Action[] {
  const frame = /^(?:go to )?frame\s+(\d+)$/i.exec(typed.trim())?.[1];
  return [
    ...(frame === undefined ? [] : [{ id: "frame-typed", label: `Frame ${frame}: go there`, group: "Time", run: () => goTo(Number(frame)) } satisfies Action]),
    ...FIELDS.map(([id, label, words, field, group]): Action => ({ id, label, words, group, run: () => reveal(field) })),
    ...INTERPOLATIONS.map((curve): Action => ({ id: `curve-${curve}`, label: `Curve of the chosen keys: ${curve}`, words: `interpolation tangent ${CURVES[curve] ?? ""}`, group: "Time", run: () => easeKeys(curve), enabled: choseKeys })),
    { id: "limits", label: "Limits of the chosen joint", words: "joint angle range cone swing twist constraint rom", group: "Pose", run: chooseJoint, enabled: () => s.selectedJoint.value !== null },
    ...meshes(),
  ];
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
