// All actions of the page: one list for toolbar, menus, keys, palette and help sheet.

import { foreseeing } from "./foresight";
import { send } from "./link";
import { chooseFiles } from "./opening";
import { askOfExport, download, ending } from "./saving";
import { playNext, stepFrame, toggleEnd, togglePlay } from "./playback";
import type { Command, Hand, StudioGoal } from "./schema";
import * as s from "./store";
import { choseKeys, copyKeys, curves, deleteKeys, jumpToKey, pasteKeys, setKeys } from "./timeline/editing";
import { GROUNDS, startOf } from "./panels/grounds";
import { reveal } from "./panels/reveal";
import { lookAtChosen, lookAtFigure, lookFrom, orbitBy, turnRound } from "./view/looking";
import { side } from "./view/shapes";

export interface Action {
  id: string;
  label: string;
  group: "File" | "Edit" | "Pose" | "Time" | "View" | "Figure" | "Help";
  keys?: string;
  /** Its keys with Maya's; "" for none, absent where they are the same. */
  maya?: string;
  run(): void;
  /** Other words by which the palette finds it. */
  words?: string;
  enabled?(): boolean;
  active?(): boolean;
}

const WALK = "walk"; // the name of the clip that the session makes

const SNAPS: [to: s.SnapTo, name: string][] = [
  ["grid", "the grid"],
  ["ground", "the ground and things in the scene"],
  ["joints", "other joints"],
  ["corners", "corners of things in the scene (vertices)"],
  ["edges", "edges of things in the scene"],
];

const hasGoal = () => s.selectedGoal.value !== null;

/** Goals by what they are: hands, feet, the left side, all. */
const ALL = "all goals";
const ROLES: [name: string, is: (goal: StudioGoal) => boolean][] = [
  [ALL, () => true],
  ["the hands", (goal) => /hand/i.test(goal.name)],
  ["the feet", (goal) => /foot/i.test(goal.name)],
  ["the left side", (goal) => side(goal.name) === "left"],
  ["the right side", (goal) => side(goal.name) === "right"],
  ["pinned goals", (goal) => goal.pinned],
];

export const ACTIONS: Action[] = [
  { id: "open", label: "Open a file…", group: "File", keys: "Ctrl+O", run: () => void chooseFiles() },
  { id: "save", label: "Save the session", group: "File", keys: "Ctrl+S", run: () => void download("session") },
  { id: "undo", words: "back", label: "Undo", group: "Edit", keys: "Ctrl+Z", run: () => send({ op: "undo" }), enabled: () => s.document_.value?.can_undo ?? false },
  { id: "redo", label: "Redo", group: "Edit", keys: "Ctrl+Shift+Z", run: () => send({ op: "redo" }), enabled: () => s.document_.value?.can_redo ?? false },
  { id: "copy", label: "Copy keys", group: "Edit", keys: "Ctrl+C", run: copyKeys },
  { id: "paste", label: "Paste keys at the frame", group: "Edit", keys: "Ctrl+V", run: pasteKeys },
  { id: "delete", label: "Delete keys or goal", group: "Edit", keys: "Delete", run: deleteChosen },
  { id: "palette", label: "Find a command…", group: "Edit", keys: "Ctrl+K", run: () => (s.dialog.value = "palette") },
  { id: "move", label: "Move", group: "Pose", keys: "G", maya: "W", words: "translate grab", run: () => (s.tool.value = "move"), active: () => s.tool.value === "move" },
  { id: "rotate", label: "Rotate", group: "Pose", keys: "R", maya: "E", words: "turn", run: () => (s.tool.value = "rotate"), active: () => s.tool.value === "rotate" },
  { id: "clear-move", words: "location transform", label: "Put back to the rest position", group: "Pose", keys: "Alt+G", run: () => putBack("position"), enabled: hasGoal },
  { id: "clear-rotate", words: "transform", label: "Turn back to the rest rotation", group: "Pose", keys: "Alt+R", run: () => putBack("rotation"), enabled: hasGoal },
  { id: "space", label: "Local axes", group: "Pose", keys: "L", run: toggleSpace, active: () => s.document_.value?.space === "local" },
  { id: "snap", words: "magnet grid", label: "Snap", group: "Pose", keys: "N", run: () => toggle(s.snap), active: () => s.snap.value },
  ...SNAPS.map(([to, name]): Action => ({ id: `snap-${to}`, label: `Snap to ${name}`, words: "magnet", group: "Pose", run: () => ((s.snapTo.value = to), (s.snap.value = true)), active: () => s.snapTo.value === to })),
  { id: "ikfk", label: "Switch IK / FK", group: "Pose", keys: "I", run: switchIkFk, enabled: hasGoal, active: () => s.selectedGoal.value?.enabled === false },
  { id: "pin", words: "lock", label: "Pin the goal", group: "Pose", keys: "P", run: togglePin, enabled: hasGoal, active: () => s.selectedGoal.value?.pinned ?? false },
  { id: "mirror", words: "flip", label: "Mirror the pose", group: "Pose", keys: "M", run: () => send({ op: "pose.mirror" }) },
  { id: "live-mirror", words: "symmetry both sides", label: "Live mirror: the other side does the same", group: "Pose", keys: "Ctrl+M", run: () => setOption("mirror"), active: () => s.document_.value?.options.mirror ?? false, enabled: () => Boolean(s.figure.value?.mirror) },
  { id: "goes-with", label: "Goes with: let the goal follow a joint or a thing…", group: "Pose", run: chooseWhatItGoesWith, enabled: () => s.selectedGoal.value !== null && "place reach".includes(s.selectedGoal.value.kind) },
  { id: "comfort", label: "Comfort", group: "Pose", run: () => setOption("comfort"), active: () => s.document_.value?.options.comfort ?? false },
  { id: "human-limits", words: "range of motion person spine back neck trunk twist joint limits", label: "Human limits", group: "Pose", run: () => setOption("human_limits"), active: () => s.document_.value?.options.human_limits ?? false },
  { id: "keep-balance", words: "balance centre of mass fall", label: "Keep the balance", group: "Pose", run: () => setOption("balance"), active: () => s.document_.value?.options.balance ?? false },
  { id: "keep_apart", words: "collision", label: "Keep limbs apart", group: "Pose", run: () => setOption("keep_apart"), active: () => s.document_.value?.options.keep_apart ?? false },
  { id: "in-front", words: "depth through penetrate chest behind", label: "Dragged hands go in front of the body", group: "Pose", run: () => toggle(s.inFront), active: () => s.inFront.value },
  { id: "reset", words: "rest default t-pose", label: "Reset to the rest pose, with the goals as the figure had them", group: "Pose", run: () => send({ op: "pose.reset" }) },
  { id: "lower-arms", words: "relax hang down t-pose a-pose scarecrow", label: "Let free arms hang", group: "Pose", run: () => send({ op: "arms.lower" }) },
  { id: "copy-pose", label: "Copy the pose (of the chosen goals)", group: "Pose", keys: "Ctrl+Shift+C", run: copyPose },
  { id: "paste-pose", label: "Paste the pose", group: "Pose", keys: "Ctrl+Shift+V", run: () => send({ op: "pose.paste" }) },
  { id: "paste-mirrored", label: "Paste the pose mirrored (flip)", group: "Pose", keys: "Ctrl+Shift+X", run: () => send({ op: "pose.paste", mirror: true }) },
  { id: "copy-other", words: "flip symmetry opposite", label: "Copy to the other side", group: "Pose", run: copyToOtherSide, enabled: () => Boolean(s.figure.value?.mirror) },
  ...ROLES.map(([name, is]): Action => ({ id: `choose ${name}`, label: `Select ${name}`, group: "Pose", keys: name === ALL ? "Ctrl+A" : undefined, run: () => chooseRole(is) })),
  { id: "choose-other", label: "Select the other side", group: "Pose", run: chooseOtherSide },
  { id: "deselect", words: "select none", label: "Clear the selection", group: "Pose", keys: "Escape", run: () => (s.selection.value = null) },
  { id: "add-layer", words: "additive override layer weight", label: "Add a layer of keys", group: "Time", run: () => send({ op: "layer.add" }) },
  { id: "key", words: "keyframe", label: "Set a key", group: "Time", keys: "K", maya: "S", run: setKeys },
  { id: "autokey", words: "record", label: "Auto-key", group: "Time", keys: "A", maya: "", run: () => send({ op: "autokey", on: !s.document_.value?.auto_key }), active: () => s.document_.value?.auto_key ?? false },
  { id: "play", label: "Play or pause", group: "Time", keys: "Space", run: togglePlay, active: () => s.playing.value },
  { id: "loop", label: "Loop", group: "Time", run: () => toggle(s.looping), active: () => s.looping.value },
  { id: "cyclic", words: "loop repeat", label: "Cyclic keys: the end goes over into the beginning", group: "Time", run: () => send({ op: "timeline.set", cyclic: !s.document_.value?.cyclic }), active: () => s.document_.value?.cyclic ?? false },
  { id: "keys-view", label: "Timeline: the keys of all goals", group: "Time", run: () => (curves.value = false), active: () => !curves.value },
  { id: "curves-view", label: "Timeline: the curves of the chosen goal", group: "Time", run: () => (curves.value = true), active: () => curves.value },
  { id: "previous", label: "Previous frame", group: "Time", run: () => stepFrame(-1) },
  { id: "next", label: "Next frame", group: "Time", run: () => stepFrame(1) },
  { id: "start", label: "First frame", group: "Time", keys: "Home", run: () => toggleEnd(0) },
  { id: "end", label: "Last frame", group: "Time", keys: "End", run: () => toggleEnd(1) },
  { id: "key-before", label: "Previous key", group: "Time", keys: ",", run: () => jumpToKey(-1) },
  { id: "key-after", label: "Next key", group: "Time", keys: ".", run: () => jumpToKey(1) },
  { id: "bake", words: "flatten", label: "Bake the keys into a clip", group: "Time", run: () => send({ op: "clip.bake" }) },
  { id: "mirror-clip", label: "Mirror the clip", group: "Time", run: () => send({ op: "clip.mirror" }) },
  { id: "fit", words: "camera frame all zoom home", label: "Look at the figure", group: "View", maya: "A", run: lookAtFigure },
  { id: "frame", words: "camera frame selected zoom focus", label: "Look at what is chosen", group: "View", keys: "F", run: lookAtChosen },
  { id: "front", words: "camera view", label: "Look from the front", group: "View", keys: "1", run: () => lookFrom(0, 0, 1) },
  { id: "back", words: "camera view behind", label: "Look from the back", group: "View", keys: "Ctrl+1", run: () => lookFrom(0, 0, -1) },
  { id: "side", words: "camera view", label: "Look from the right", group: "View", keys: "3", run: () => lookFrom(1, 0, 0) },
  { id: "left", words: "camera view", label: "Look from the left", group: "View", keys: "Ctrl+3", run: () => lookFrom(-1, 0, 0) },
  { id: "top", words: "camera view above", label: "Look from the top", group: "View", keys: "7", run: () => lookFrom(0, 1, 0.0001) },
  { id: "below", words: "camera view bottom under", label: "Look from below", group: "View", keys: "Ctrl+7", run: () => lookFrom(0, -1, 0.0001) },
  { id: "opposite", words: "camera view behind", label: "Look from the other side", group: "View", keys: "9", run: turnRound },
  { id: "orbit-left", words: "camera", label: "Turn the view to the left", group: "View", keys: "4", run: () => orbitBy(-1, 0) },
  { id: "orbit-right", words: "camera", label: "Turn the view to the right", group: "View", keys: "6", run: () => orbitBy(1, 0) },
  { id: "orbit-up", words: "camera", label: "Turn the view up", group: "View", keys: "8", run: () => orbitBy(0, 1) },
  { id: "orbit-down", words: "camera", label: "Turn the view down", group: "View", keys: "2", run: () => orbitBy(0, -1) },
  { id: "parallel", words: "camera orthographic perspective ortho isometric", label: "Orthographic view", group: "View", keys: "5", run: () => toggle(s.parallel), active: () => s.parallel.value },
  { id: "balance", words: "centre of mass center gravity support polygon weight", label: "Show the balance", group: "View", keys: "C", run: () => toggle(s.balance), active: () => s.balance.value },
  { id: "follow", label: "Follow the figure during playback", group: "View", run: () => toggle(s.following), active: () => s.following.value },
  { id: "bones", label: "Bones", group: "View", keys: "B", run: () => toggle(s.bones), active: () => s.bones.value },
  { id: "ghosts", words: "onion skin", label: "Ghosts", group: "View", keys: "O", run: () => toggle(s.ghosts), active: () => s.ghosts.value },
  { id: "paths", label: "Motion path", group: "View", keys: "T", run: () => toggle(s.paths), active: () => s.paths.value },
  { id: "wireframe", words: "edges topology mesh", label: "Wireframe", group: "View", run: () => toggle(s.wireframe), active: () => s.wireframe.value },
  { id: "heat", label: "Skin weights", group: "View", keys: "W", maya: "", run: () => toggle(s.heat), active: () => s.heat.value },
  { id: "blend", words: "skinning", label: "Dual quaternion skin", group: "View", run: toggleBlend, active: () => s.document_.value?.blend === "dual_quaternion" },
  { id: "foresight", words: "local latency browser wasm fast offline", label: "Solve drags in the page", group: "View", run: () => toggle(foreseeing), active: () => foreseeing.value },
  { id: "keymap", words: "shortcuts blender hotkeys", label: "Maya's keys", group: "View", run: () => (s.keymap.value = s.keymap.value === "maya" ? "blender" : "maya"), active: () => s.keymap.value === "maya" },
  { id: "theme", words: "light dark colour", label: "Dark or light", group: "View", run: () => (s.theme.value = s.theme.value === "dark" ? "light" : "dark"), active: () => s.theme.value === "light" },
  { id: "race", words: "race solver side by side benchmark times", label: "Compare the methods on this figure", group: "Figure", run: compareMethods, enabled: () => s.goals.value.some((goal) => goal.kind !== "look") },
  { id: "text", label: "Edit the figure's text…", group: "Figure", run: () => (s.dialog.value = "text"), enabled: () => s.document_.value?.text != null },
  { id: "help", words: "help shortcuts manual hotkeys", label: "Keys and mouse", group: "Help", keys: "?", run: () => (s.dialog.value = "help") },
];

const byId = new Map(ACTIONS.map((action) => [action.id, action]));

export function action(id: string): Action {
  const found = byId.get(id);
  if (!found) throw new Error(`unknown action ${id}`);
  return found;
}

/** The keys of an action with the keys that were chosen. */
export function keysOf(wanted: Action): string | undefined {
  return (s.keymap.value === "maya" ? wanted.maya : undefined) ?? wanted.keys;
}

export function run(id: string): void {
  const wanted = action(id);
  if (wanted.enabled?.() ?? true) wanted.run();
}

const FILES: Record<string, string> = { glb: "figure and motion", fbx: "figure and motion", usdz: "figure and motion", bvh: "motion", mp4: "film", gif: "film", png: "picture", html: "web page", ground: "the ground" };

/** The choices that the session offers, as actions for menus and palette. */
export function offered(): Action[] {
  const { figures, demos, exports, grips } = s.menus.value;
  const hand = handAtHand();
  const { gaits = [], clips = [] } = s.document_.value ?? {};
  return [
    ...figures.map((name): Action => ({ id: `figure-${name}`, label: `Figure: ${spaced(name)}`, group: "Figure", run: () => send({ op: "figure.builtin", name }) })),
    ...demos.map((name): Action => ({ id: `demo-${name}`, label: `Demo: ${spaced(name)}`, group: "Figure", run: () => send({ op: "demo.load", name }) })),
    ...(gaits.length ? [{ id: "walk", label: "Walk six steps", group: "Figure", run: () => walk(6) } satisfies Action] : []),
    ...gaits.map((name): Action => ({ id: `gait-${name}`, label: `Gait: ${spaced(name)}`, group: "Figure", run: () => send({ op: "gait.load", name }) })),
    ...GROUNDS.map(([kind, name]): Action => ({ id: `ground-${kind}`, label: `Ground: ${name}`, group: "Figure", run: () => send({ op: "terrain.set", terrain: startOf(kind, s.size.value) }) })),
    ...(hand ? grips : []).map((grip): Action => ({ id: `grip-${grip}`, words: "fingers hand curl", label: `Grip: ${grip}`, group: "Pose", run: () => send({ op: "hand.shape", side: handAtHand()!.side, grip }) })),
    ...(["box", "sphere"] as const).map((kind): Action => ({ id: `prop-${kind}`, words: "prop scene obstacle add", label: `Add a ${kind}`, group: "Figure", run: () => addProp(kind) })),
    { id: "prop-file", words: "prop scene obstacle glb", label: "Add a mesh to the scene…", group: "Figure", run: () => void chooseFiles("prop") },
    { id: "companion-file", words: "second character figure", label: "Add a second figure…", group: "Figure", run: () => void chooseFiles("companion") },
    ...clips.map((name): Action => ({ id: `clip-${name}`, label: `Clip: ${name}`, group: "Time", run: () => send({ op: "clip.choose", name }) })),
    ...exports.filter(isExported).map((kind): Action => ({ id: `export-${kind}`, label: `Export ${FILES[kind] ?? "file"} (${ending(kind)})`, group: "File", run: () => askOfExport(kind) })),
  ];
}

/** Without the session, which has a command of its own, and without level ground. */
function isExported(kind: string): boolean {
  return kind !== "session" && (kind !== "ground" || s.terrainMesh.value !== null);
}

export function addProp(kind: "box" | "sphere"): void {
  s.chooseNextProp();
  send({ op: "prop.add", kind });
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

function setOption(name: "comfort" | "keep_apart" | "human_limits" | "balance" | "mirror"): void {
  send({ op: "options.set", [name]: !s.document_.value?.options[name] });
}

function toggleBlend(): void {
  send({ op: "skin.blend", blend: s.document_.value?.blend === "linear" ? "dual_quaternion" : "linear" });
}

/** Each chosen goal gets what the first one gets, as one step of undo. */
export function forChosen(label: string, each: (goal: StudioGoal) => Command): void {
  const all = s.chosenGoals.value;
  if (all.length > 1) send({ op: "gesture.begin", label });
  for (const goal of all) send(each(goal));
  if (all.length > 1) send({ op: "gesture.end" });
}

function switchIkFk(): void {
  switchTo(s.selectedGoal.value?.enabled ? "fk" : "ik");
}

export function switchTo(to: "ik" | "fk" | "free"): void {
  forChosen("ik fk", (goal) => ({ op: "ikfk.switch", goal: goal.name, to }));
}

/** Gives the focus to the list in the panel of the goal. */
function chooseWhatItGoesWith(): void {
  reveal('select[aria-label="Goes with"]');
}

function togglePin(): void {
  const pinned = !s.selectedGoal.value?.pinned;
  forChosen("pin", (goal) => ({ op: "goal.set", goal: goal.name, pinned }));
}

/** The hand whose goal is chosen, else the left one. */
export function handAtHand(): Hand | null {
  const hands = s.document_.value?.hands ?? [];
  return hands.find((hand) => hand.joint === s.selectedGoal.value?.joint) ?? hands[0] ?? null;
}

const chosenNames = () => s.chosenGoals.value.map((goal) => goal.name);

function copyPose(): void {
  const goals = chosenNames();
  if (send({ op: "pose.copy", goals })) s.tell(goals.length ? `The pose of ${goals.join(", ")} is copied` : "The whole pose is copied");
}

function putBack(what: "position" | "rotation"): void {
  send({ op: "goals.clear", goals: chosenNames(), what });
}

/** The pose of the chosen goals, or of all, mirrored. */
function copyToOtherSide(): void {
  if (send({ op: "pose.copy", goals: chosenNames() })) send({ op: "pose.paste", mirror: true });
}

/** Of those that are all chosen already, none. */
function chooseRole(is: (goal: StudioGoal) => boolean): void {
  const names = s.goals.value.filter(is).map((goal) => goal.name);
  const now = new Set(chosenNames());
  s.chooseGoals(now.size === names.length && names.every((name) => now.has(name)) ? [] : names);
}

/** The other side of what is chosen. */
function chooseOtherSide(): void {
  const { mirror, joints } = s.figure.value ?? {};
  if (!mirror || !joints) return s.tell("This figure has no left and right");
  const partners = s.chosenGoals.value.map((goal) => joints[mirror.partners[joints.indexOf(goal.joint)] ?? -1]);
  s.chooseGoals(s.goals.value.filter((goal) => partners.includes(goal.joint)).map((goal) => goal.name));
}

function compareMethods(): void {
  const goal = s.selectedGoal.value ?? s.goals.value.find((one) => one.kind !== "look");
  if (goal) send({ op: "methods.race", goal: goal.name });
}

/** Deletes what was chosen last: keys in the timeline, or the goal or pole in the view. */
function deleteChosen(): void {
  const goal = s.selectedGoal.value;
  if (choseKeys()) return void deleteKeys();
  const prop = s.selectedProp.value;
  if (prop) return void send({ op: "prop.remove", prop: prop.name });
  if (!goal) return;
  if (s.selection.value?.kind === "pole") send({ op: "goal.pole", goal: goal.name, pole: null });
  else if (send({ op: "goal.remove", goal: goal.name })) s.tell(`The goal ${goal.name} is removed, with its keys; Ctrl+Z brings it back`);
}
