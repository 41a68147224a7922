// The state that panels show: the session's document, and what belongs to this viewer alone (selection, camera, theme).

import { batch, computed, effect, signal } from "@preact/signals";
import type { BodyShape, ClipMessage, Document, FigureEvent, GaitNumber, StudioGoal, Joint, PoseMessage, StatusEvent, StudioProp, WeightsEvent } from "./schema";

export interface Menus {
  figures: string[];
  demos: string[];
  methods: string[];
  exports: string[];
  grips: string[];
  opens: string[];
  gait: GaitNumber[];
}

export type Selection = { kind: "goal" | "pole" | "joint" | "prop"; name: string } | null;
export type Tool = "move" | "rotate";
export type Theme = "dark" | "light";
/** Which program's keys those of the page are like. */
export type Keymap = "blender" | "maya";
/** What Snap snaps to. */
const SNAPS = ["grid", "ground", "joints", "corners", "edges"] as const;
export type SnapTo = (typeof SNAPS)[number];

export const document_ = signal<Document | null>(null);
export const figure = signal<FigureEvent | null>(null);
/** The largest extent of the figure. */
export const size = signal(1.8);
export const status = signal<StatusEvent | null>(null);
export const menus = signal<Menus>({ figures: [], demos: [], methods: [], exports: [], grips: [], opens: [], gait: [] });
export const clip = signal<ClipMessage | null>(null);
/** Null until it is known. */
export const connected = signal<boolean | null>(null);
/** Whether the session's solver is compiled; until then what one does waits, and nothing is lost. */
export const ready = signal(true);
/** Whether a gesture has not been answered for a while. */
export const busy = signal(false);
/** Why there is no connection, as far as the session says. */
export const refusal = signal("");
/** A task that runs: share done (0 … 1), of how many frames, and seconds left, where they are known; and how to end it, where one may. */
export interface Task {
  what: string;
  share?: number;
  frames?: number;
  isOver?: boolean;
  /** When it began, in ms of the page. */
  since: number;
  left?: number;
  /** What is prepared, as long as share and seconds say nothing. */
  doing?: string;
  cancel?(): void;
}
export const working = signal<readonly Task[]>([]);
/** The job of progress events that tell how far the command is that the session executes. */
export const COMMAND = "command";
export const notices = signal<{ id: number; text: string; bad: boolean }[]>([]);
export const terrainMesh = signal<{ vertices: number[]; faces: number[] } | null>(null);

export const selection = signal<Selection>(null);
/** Goals that are chosen beside the selected one, by Shift or a box. */
export const also = signal<ReadonlySet<string>>(new Set());
export const tool = signal<Tool>("move");
/** The part of the gizmo under the mouse, in words. */
export const grip = signal<string | null>(null);
/** What a click on the figure under the mouse would choose. */
export const under = signal<{ kind: "goal" | "joint"; name: string } | null>(null);
/** What moves or turns with the mouse since G or R was pressed: along which axes of the figure ("XY": in a plane), and the number typed. */
export const grabbing = signal<{ mode: Tool; axes: string; typed: string } | null>(null);
export const snap = signal(false);
export const snapTo = signal<SnapTo>(kept("posable.snap", SNAPS));
export const theme = signal<Theme>(preferredTheme());
export const keymap = signal<Keymap>(kept("posable.keys", ["blender", "maya"]));
/** Whether what is far away looks no smaller. */
export const parallel = signal(false);
/** Whether centre of mass and support are drawn; what they say; what they are drawn from. */
export const balance = signal(false);
export const balanceText = signal("");
export const body = signal<BodyShape | null>(null);
/** A clip that is looked at before it is chosen. */
export const preview = signal<ClipMessage | null>(null);
export const frame = signal(0);
export const playing = signal(false);
export const looping = signal(true);
export const speed = signal(1);
export const following = signal(true);
/** Whether a hand that is dragged over the body goes in front of it. */
export const inFront = signal(localStorage.getItem("posable.in-front") !== "off");
export const ghosts = signal(false);
export const paths = signal(false);
export const bones = signal(false);
export const wireframe = signal(false);
export const heat = signal(false);
/** Whether joints are moved at rest rather than turned. */
export const shaping = signal(false);
export const mirrored = signal(true);
/** Counts the figures that were put on the stage. */
export const shown = signal(0);
export const brush = signal<{ on: boolean; radius: number; strength: number; mode: "add" | "subtract" | "smooth"; mirror: boolean }>({
  on: false,
  radius: 0.05,
  strength: 0.3,
  mode: "add",
  mirror: true,
});
export const dialog = signal<"palette" | "help" | "text" | "ask" | "export" | null>(null);
/** The kind of picture or film that the dialog asks about. */
export const exporting = signal("png");
/** A question of the page; closing it chooses nothing. */
export const question = signal<Question | null>(null);

export interface Question {
  title: string;
  choices: { label: string; help: string; run(): void }[];
  /** What is said beside, by lists. */
  options?: { label: string; value: string; choices: readonly (readonly [value: string, name: string])[]; put(value: string): void }[];
}

export function ask(asked: Question): void {
  question.value = asked;
  dialog.value = "ask";
}

export const goals = computed<StudioGoal[]>(() => document_.value?.goals ?? []);
export const joints = computed<Joint[]>(() => document_.value?.joints ?? []);
export const selectedGoal = computed<StudioGoal | null>(() => {
  const chosen = selection.value;
  return chosen && (chosen.kind === "goal" || chosen.kind === "pole") ? (goals.value.find((goal) => goal.name === chosen.name) ?? null) : null;
});
/** All goals that are chosen, the selected one first. */
export const chosenGoals = computed<StudioGoal[]>(() => {
  const first = selectedGoal.value;
  return [...(first ? [first] : []), ...goals.value.filter((goal) => goal !== first && also.value.has(goal.name))];
});

/** Chooses several goals; none chooses nothing. */
export function chooseGoals(names: readonly string[]): void {
  batch(() => {
    selection.value = names[0] === undefined ? null : { kind: "goal", name: names[0] };
    also.value = new Set(names);
  });
}

/** Chooses one thing alone; null chooses nothing. */
export function choose(chosen: Selection): void {
  batch(() => {
    selection.value = chosen;
    also.value = new Set();
  });
}

/** With Shift a goal is added to those that are chosen, or taken away. */
export function chooseToo(name: string): void {
  const names = chosenGoals.value.map((goal) => goal.name);
  chooseGoals(names.includes(name) ? names.filter((one) => one !== name) : [name, ...names]);
}
export const selectedJoint = computed<Joint | null>(() => {
  const chosen = selection.value;
  if (!chosen) return null;
  const name = chosen.kind === "joint" ? chosen.name : selectedGoal.value?.joint;
  return joints.value.find((joint) => joint.name === name) ?? null;
});
export const props = computed<StudioProp[]>(() => document_.value?.props ?? []);
export const selectedProp = computed<StudioProp | null>(() => {
  const chosen = selection.value;
  return chosen?.kind === "prop" ? (props.value.find((prop) => prop.name === chosen.name) ?? null) : null;
});
export const atLimit = computed<ReadonlySet<string>>(() => new Set(status.value?.limits ?? []));
/** Whether the brush is active and there is something to paint. */
export const painting = computed(() => heat.value && brush.value.on && selectedJoint.value !== null);
export const up = computed(() => figure.value?.up ?? "y");

const SEEN = 1e-3; // of the figure: what nobody sees on the screen
export const DEGREE = Math.PI / 180;

/** Whether a residual is visible. */
export function isSeen(miss: { distance: number; angle: number }): boolean {
  return miss.distance > SEEN * size.value || miss.angle > DEGREE;
}

type PoseListener = (pose: PoseMessage) => void;
const listeners = new Set<PoseListener>();
let lastPose: PoseMessage | null = null;

/** Poses come too often for signals; drawing code listens here. */
/** Whether methods race: each goal has the name of its method. */
export const racing = computed(() => goals.value.length > 1 && goals.value.every((goal) => goal.name === goal.method));

export function onPose(listener: PoseListener): () => void {
  listeners.add(listener);
  if (lastPose) listener(lastPose);
  return () => listeners.delete(listener);
}

type WeightsListener = (event: WeightsEvent) => void;
let takeWeights: WeightsListener = () => {};

/** Who draws the figure hears of painted weights. */
export function onWeights(listener: WeightsListener): void {
  takeWeights = listener;
}

export const giveWeights: WeightsListener = (event) => takeWeights(event);

export function givePose(pose: PoseMessage): void {
  lastPose = pose;
  for (const listener of listeners) listener(pose);
}

export function poseNow(): PoseMessage | null {
  return lastPose;
}

/** Shows a task for as long as it runs; what changes of it is told by `progress`. */
export async function underWay<Result>(what: string, work: Promise<Result>, job = "", more: Partial<Task> = {}): Promise<Result> {
  const mine: Task = { what, since: performance.now(), ...more };
  working.value = [...working.value, mine];
  if (job) jobs.set(job, mine);
  try {
    return await work;
  } finally {
    if (jobs.get(job) === mine) jobs.delete(job);
    working.value = working.value.filter((task) => task !== mine);
  }
}

const jobs = new Map<string, Task>();

export function progress({ job, share, left, doing }: { job: string; share: number; left: number; doing?: string }, more: Partial<Task> = {}): void {
  const task = jobs.get(job);
  if (!task) return;
  Object.assign(task, { share, left, doing }, more);
  working.value = [...working.value];
}

/** Says for a moment, in the status line, what has become of what was asked. */
export function sayOver(what: string, ms = 2000): void {
  void underWay(what, new Promise((done) => setTimeout(done, ms)), "", { isOver: true });
}

let notice = 0;
export function tell(text: string, bad = false): void {
  const id = ++notice;
  const others = notices.value.filter((entry) => entry.text !== text && !(bad && entry.bad)); // the last error is the one that counts
  notices.value = [...others.slice(-3), { id, text, bad }];
  setTimeout(() => dismiss(id), bad ? 9000 : 4000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((entry) => entry.id !== id);
}

let isOwnFrame = false;

/** Goes to a frame of which the session is told: until it has answered, its news is of frames before. */
export function askFrame(to: number): void {
  isOwnFrame = true;
  frame.value = to;
}

/** Everything is answered: the session's frame is the one that is shown. */
export function takeFrame(): void {
  isOwnFrame = false;
  if (document_.value && !playing.value) frame.value = document_.value.frame;
}

let awaited: Selection = null;

let awaitsProp = false;
/** Chooses the next thing that comes into the scene. */
export function chooseNextProp(): void {
  awaitsProp = true;
}

/** Chooses what a command is about to make. */
export function chooseWhenThere(wanted: Selection): void {
  awaited = wanted;
}

export function takeDocument(whole: Document | undefined, set: Partial<Document> | undefined): void {
  batch(() => {
    const before = document_.value;
    if (whole) document_.value = whole;
    else if (before && set) document_.value = { ...before, ...set };
    const now = document_.value;
    if (now && awaitsProp && before && now.props.length > before.props.length) {
      selection.value = { kind: "prop", name: now.props.at(-1)!.name };
      awaitsProp = false;
    }
    if (now && now.frame !== before?.frame && !isOwnFrame) takeFrame();
    if (now && awaited && exists(now, awaited)) {
      selection.value = awaited;
      awaited = null;
    }
    const chosen = selection.value;
    if (now && chosen && !exists(now, chosen)) selection.value = null;
  });
}

function exists(document: Document, chosen: NonNullable<Selection>): boolean {
  const list: { name: string }[] = chosen.kind === "joint" ? document.joints : chosen.kind === "prop" ? document.props : document.goals;
  return list.some((entry) => entry.name === chosen.name);
}

/** What this browser was told before; the first of the choices where that is none of them. */
function kept<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
  return choices.find((one) => one === localStorage.getItem(name)) ?? choices[0]!;
}

function preferredTheme(): Theme {
  const kept = localStorage.getItem("posable.theme");
  if (kept === "dark" || kept === "light") return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

effect(() => {
  const chosen = selection.value;
  if (chosen?.kind !== "goal" || !also.peek().has(chosen.name)) also.value = new Set();
});

effect(() => {
  const name = document_.value?.name;
  document.title = name ? `${name} – posable studio` : "posable studio";
});

effect(() => localStorage.setItem("posable.snap", snapTo.value));
effect(() => localStorage.setItem("posable.in-front", inFront.value ? "on" : "off"));
effect(() => localStorage.setItem("posable.keys", keymap.value));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem("posable.theme", theme.value);
});
