// All actions of the page: one list for toolbar, menus, keys, palette and help sheet.

import { send } from "./link";
import { chooseFiles } from "./opening";
import { askOfExport, download, ending } from "./saving";
import { playNext, stepFrame, toggleEnd, togglePlay } from "./playback";
import type { Command, StudioGoal } from "./schema";
import * as s from "./store";
import { choseKeys, copyKeys, deleteKeys, jumpToKey, pasteKeys, setKeys } from "./timeline/editing";
import { GROUNDS, STARTS } from "./panels/grounds";
import { lookFrom, lookAtFigure } from "./view/looking";
import { side } from "./view/shapes";

export interface Action {
  id: string;
  label: string;
  group: "File" | "Edit" | "Pose" | "Time" | "View" | "Figure" | "Help";
  keys?: string;
  run(): void;
  /** Other words by which the palette finds it. */
  words?: string;
  enabled?(): boolean;
  active?(): boolean;
}

const WALK = "walk"; // the name of the clip that the session makes

const hasGoal = () => s.selectedGoal.value !== null;

/** Goals by what they are: hands, feet, the left side, all. */
const ROLES: [name: string, is: (goal: StudioGoal) => boolean][] = [
  ["all goals", () => true],
  ["the hands", (goal) => /hand/i.test(goal.name)],
  ["the feet", (goal) => /foot/i.test(goal.name)],
  ["the left side", (goal) => side(goal.name) === "left"],
  ["the right side", (goal) => side(goal.name) === "right"],
  ["pinned goals", (goal) => goal.pinned],
];

export const ACTIONS: Action[] = [
  { id: "open", label: "Open a file…", group: "File", keys: "Ctrl+O", run: () => void chooseFiles() },
  { id: "save", label: "Save the session", group: "File", keys: "Ctrl+S", run: () => void download("session") },
  { id: "undo", label: "Undo", group: "Edit", keys: "Ctrl+Z", run: () => send({ op: "undo" }), enabled: () => s.document_.value?.can_undo ?? false },
  { id: "redo", label: "Redo", group: "Edit", keys: "Ctrl+Shift+Z", run: () => send({ op: "redo" }), enabled: () => s.document_.value?.can_redo ?? false },
  { id: "copy", label: "Copy keys", group: "Edit", keys: "Ctrl+C", run: copyKeys },
  { id: "paste", label: "Paste keys at the frame", group: "Edit", keys: "Ctrl+V", run: pasteKeys },
  { id: "delete", label: "Delete keys or goal", group: "Edit", keys: "Delete", run: deleteChosen },
  { id: "palette", label: "Find a command…", group: "Edit", keys: "Ctrl+K", run: () => (s.dialog.value = "palette") },
  { id: "move", label: "Move", group: "Pose", keys: "G", run: () => (s.tool.value = "move"), active: () => s.tool.value === "move" },
  { id: "rotate", label: "Rotate", group: "Pose", keys: "R", run: () => (s.tool.value = "rotate"), active: () => s.tool.value === "rotate" },
  { id: "space", label: "Local axes", group: "Pose", keys: "L", run: toggleSpace, active: () => s.document_.value?.space === "local" },
  { id: "snap", label: "Snap", group: "Pose", keys: "N", run: () => toggle(s.snap), active: () => s.snap.value },
  { id: "ikfk", label: "Switch IK / FK", group: "Pose", keys: "I", run: switchIkFk, enabled: hasGoal, active: () => s.selectedGoal.value?.enabled === false },
  { id: "pin", words: "lock", label: "Pin the goal", group: "Pose", keys: "P", run: togglePin, enabled: hasGoal, active: () => s.selectedGoal.value?.pinned ?? false },
  { id: "mirror", words: "flip", label: "Mirror the pose", group: "Pose", keys: "M", run: () => send({ op: "pose.mirror" }) },
  { id: "comfort", label: "Comfort", group: "Pose", run: () => setOption("comfort"), active: () => s.document_.value?.options.comfort ?? false },
  { id: "keep_apart", label: "Keep limbs apart", group: "Pose", run: () => setOption("keep_apart"), active: () => s.document_.value?.options.keep_apart ?? false },
  { id: "reset", words: "rest default t-pose", label: "Reset to the rest pose", group: "Pose", run: () => send({ op: "pose.reset" }) },
  { id: "copy-pose", label: "Copy the pose (of the chosen goals)", group: "Pose", keys: "Ctrl+Shift+C", run: copyPose },
  { id: "paste-pose", label: "Paste the pose", group: "Pose", keys: "Ctrl+Shift+V", run: () => send({ op: "pose.paste" }) },
  { id: "paste-mirrored", label: "Paste the pose mirrored (flip)", group: "Pose", keys: "Ctrl+Shift+X", run: () => send({ op: "pose.paste", mirror: true }) },
  ...ROLES.map(([name, is]): Action => ({ id: `choose ${name}`, label: `Select ${name}`, group: "Pose", run: () => s.chooseGoals(s.goals.value.filter(is).map((goal) => goal.name)) })),
  { id: "choose-other", label: "Select the other side", group: "Pose", run: chooseOtherSide },
  { id: "deselect", words: "select none", label: "Clear the selection", group: "Pose", keys: "Escape", run: () => (s.selection.value = null) },
  { id: "key", words: "keyframe", label: "Set a key", group: "Time", keys: "K", run: setKeys },
  { id: "autokey", words: "record", label: "Auto-key", group: "Time", keys: "A", run: () => send({ op: "autokey", on: !s.document_.value?.auto_key }), active: () => s.document_.value?.auto_key ?? false },
  { id: "play", label: "Play or pause", group: "Time", keys: "Space", run: togglePlay, active: () => s.playing.value },
  { id: "loop", label: "Loop", group: "Time", run: () => toggle(s.looping), active: () => s.looping.value },
  { id: "cyclic", words: "loop repeat", label: "Cyclic keys: the end goes over into the beginning", group: "Time", run: () => send({ op: "timeline.set", cyclic: !s.document_.value?.cyclic }), active: () => s.document_.value?.cyclic ?? false },
  { id: "previous", label: "Previous frame", group: "Time", run: () => stepFrame(-1) },
  { id: "next", label: "Next frame", group: "Time", run: () => stepFrame(1) },
  { id: "start", label: "First frame", group: "Time", keys: "Home", run: () => toggleEnd(0) },
  { id: "end", label: "Last frame", group: "Time", keys: "End", run: () => toggleEnd(1) },
  { id: "key-before", label: "Previous key", group: "Time", keys: ",", run: () => jumpToKey(-1) },
  { id: "key-after", label: "Next key", group: "Time", keys: ".", run: () => jumpToKey(1) },
  { id: "bake", words: "flatten", label: "Bake the keys into a clip", group: "Time", run: () => send({ op: "clip.bake" }) },
  { id: "mirror-clip", label: "Mirror the clip", group: "Time", run: () => send({ op: "clip.mirror" }) },
  { id: "fit", words: "camera frame zoom home", label: "Look at the figure", group: "View", keys: "F", run: lookAtFigure },
  { id: "front", words: "camera view", label: "Look from the front", group: "View", keys: "1", run: () => lookFrom(0, 0, 1) },
  { id: "side", words: "camera view", label: "Look from the right", group: "View", keys: "3", run: () => lookFrom(1, 0, 0) },
  { id: "top", words: "camera view", label: "Look from the top", group: "View", keys: "7", run: () => lookFrom(0, 1, 0.0001) },
  { id: "follow", label: "Follow the figure during playback", group: "View", run: () => toggle(s.following), active: () => s.following.value },
  { id: "bones", label: "Bones", group: "View", keys: "B", run: () => toggle(s.bones), active: () => s.bones.value },
  { id: "ghosts", label: "Ghosts", group: "View", keys: "O", run: () => toggle(s.ghosts), active: () => s.ghosts.value },
  { id: "paths", label: "Motion path", group: "View", keys: "T", run: () => toggle(s.paths), active: () => s.paths.value },
  { id: "heat", label: "Skin weights", group: "View", keys: "W", run: () => toggle(s.heat), active: () => s.heat.value },
  { id: "blend", words: "skinning", label: "Dual quaternion skin", group: "View", run: toggleBlend, active: () => s.document_.value?.blend === "dual_quaternion" },
  { id: "theme", words: "light dark colour", label: "Dark or light", group: "View", run: () => (s.theme.value = s.theme.value === "dark" ? "light" : "dark"), active: () => s.theme.value === "light" },
  { id: "text", label: "Edit the figure's text…", group: "Figure", run: () => (s.dialog.value = "text"), enabled: () => s.document_.value?.text != null },
  { id: "help", words: "help shortcuts manual", label: "Keys and mouse", group: "Help", keys: "?", run: () => (s.dialog.value = "help") },
];

const byId = new Map(ACTIONS.map((action) => [action.id, action]));

export function action(id: string): Action {
  const found = byId.get(id);
  if (!found) throw new Error(`unknown action ${id}`);
  return found;
}

export function run(id: string): void {
  const wanted = action(id);
  if (wanted.enabled?.() ?? true) wanted.run();
}

const FILES: Record<string, string> = { glb: "figure and motion", bvh: "motion", mp4: "film", gif: "film", png: "picture", html: "web page", ground: "the ground" };

/** The choices that the session offers, as actions for menus and palette. */
export function offered(): Action[] {
  const { figures, demos, exports } = s.menus.value;
  const { gaits = [], clips = [] } = s.document_.value ?? {};
  return [
    ...figures.map((name): Action => ({ id: `figure-${name}`, label: `Figure: ${spaced(name)}`, group: "Figure", run: () => send({ op: "figure.builtin", name }) })),
    ...demos.map((name): Action => ({ id: `demo-${name}`, label: `Demo: ${spaced(name)}`, group: "Figure", run: () => send({ op: "demo.load", name }) })),
    ...(gaits.length ? [{ id: "walk", label: "Walk six steps", group: "Figure", run: () => walk(6) } satisfies Action] : []),
    ...gaits.map((name): Action => ({ id: `gait-${name}`, label: `Gait: ${spaced(name)}`, group: "Figure", run: () => send({ op: "gait.load", name }) })),
    ...GROUNDS.map(([kind, name]): Action => ({ id: `ground-${kind}`, label: `Ground: ${name}`, group: "Figure", run: () => send({ op: "terrain.set", terrain: STARTS[kind] }) })),
    ...clips.map((name): Action => ({ id: `clip-${name}`, label: `Clip: ${name}`, group: "Time", run: () => send({ op: "clip.choose", name }) })),
    ...exports.filter(isExported).map((kind): Action => ({ id: `export-${kind}`, label: `Export ${FILES[kind] ?? "file"} (${ending(kind)})`, group: "File", run: () => askOfExport(kind) })),
  ];
}

/** Without the session, which has a command of its own, and without level ground. */
function isExported(kind: string): boolean {
  return kind !== "session" && (kind !== "ground" || s.terrainMesh.value !== null);
}

export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

function toggle(value: { value: boolean }): void {
  value.value = !value.value;
}

function toggleSpace(): void {
  send({ op: "options.set", space: s.document_.value?.space === "local" ? "world" : "local" });
}

/** Makes a walk and plays it. Asks about existing keys, which would hold their goals in place. */
export function walk(steps: number): void {
  const keys = s.goals.value.flatMap((goal) => goal.keys);
  const make = () => void (send({ op: "walk.make", steps }) && playNext());
  if (!keys.length || s.document_.value?.clip === WALK) return make();
  const alone = () => void (send({ op: "walk.make", steps, alone: true }) && playNext());
  s.ask({
    title: "The timeline already has keys",
    choices: [
      { label: "Remove the keys", help: "The keys are removed; Undo restores them", run: alone },
      { label: "Keep the keys over the walk", help: "Keyed goals stay at their keys while the figure walks past", run: make },
    ],
  });
}

function setOption(name: "comfort" | "keep_apart"): void {
  send({ op: "options.set", [name]: !s.document_.value?.options[name] });
}

function toggleBlend(): void {
  send({ op: "skin.blend", blend: s.document_.value?.blend === "linear" ? "dual_quaternion" : "linear" });
}

/** Each chosen goal gets what the first one gets, as one step of undo. */
function forChosen(label: string, each: (goal: StudioGoal) => Command): void {
  const all = s.chosenGoals.value;
  if (all.length > 1) send({ op: "gesture.begin", label });
  for (const goal of all) send(each(goal));
  if (all.length > 1) send({ op: "gesture.end" });
}

function switchIkFk(): void {
  const to = s.selectedGoal.value?.enabled ? "fk" : "ik";
  forChosen("ik fk", (goal) => ({ op: "ikfk.switch", goal: goal.name, to }));
}

function togglePin(): void {
  const pinned = !s.selectedGoal.value?.pinned;
  forChosen("pin", (goal) => ({ op: "goal.set", goal: goal.name, pinned }));
}

const chosenNames = () => s.chosenGoals.value.map((goal) => goal.name);

function copyPose(): void {
  const goals = chosenNames();
  if (send({ op: "pose.copy", goals })) s.tell(goals.length ? `The pose of ${goals.join(", ")} is copied` : "The whole pose is copied");
}

/** The other side of what is chosen. */
function chooseOtherSide(): void {
  const { mirror, joints } = s.figure.value ?? {};
  if (!mirror || !joints) return s.tell("This figure has no left and right");
  const partners = s.chosenGoals.value.map((goal) => joints[mirror.partners[joints.indexOf(goal.joint)] ?? -1]);
  s.chooseGoals(s.goals.value.filter((goal) => partners.includes(goal.joint)).map((goal) => goal.name));
}

/** Deletes what was chosen last: keys in the timeline, or the goal or pole in the view. */
function deleteChosen(): void {
  const goal = s.selectedGoal.value;
  if (choseKeys()) return void deleteKeys();
  if (!goal) return;
  if (s.selection.value?.kind === "pole") send({ op: "goal.pole", goal: goal.name, pole: null });
  else if (send({ op: "goal.remove", goal: goal.name })) s.tell(`The goal ${goal.name} is removed, with its keys; Ctrl+Z brings it back`);
}
