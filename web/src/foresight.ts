// The gesture in hand is solved in the page too, without a round trip: from the session's last pose, for the newest
// place of the mouse, as the session is about to. Its answer wins when it comes.

import { computed, effect, signal } from "@preact/signals";
import * as T from "three";
import { request } from "./access";
import { ANGLE_TOLERANCE, QUICK, SWIFT, TOLERANCE, VISIBLE_MISS } from "./drag-rules";
import { ROTATION_FREE, ROTATION_GIVEN } from "./schema";
import type { BodyShape, OriginEvent, PoseMessage, Quaternion, StudioGoal, Vector } from "./schema";
import type { Figure, FigureRecord, Prepared, Solver, Targets } from "./solver";
import * as store from "./store";
import { farthest, isSlow, mostOf } from "./view/pacing";
import { hull, inPose, inside, massCenter, movesAll } from "./view/support";

const KEPT = "posable.foresight";
const LATER = 1200; // ms after which what changed of the figure is fetched: first its picture, then this
const SAME = 1e-3; // of the figure, and of a quaternion: what is off by more is no pose that the page understands

/** Whether drags are solved in the page. */
export const foreseeing = signal(localStorage.getItem(KEPT) !== "off");

interface Hand {
  goal: string;
  position: Vector;
  rotation: Quaternion;
  flags: number; // what becomes of its rotation
  isReleased: boolean;
}

type Origin = Pick<PoseMessage, "coordinates" | "goals">;

let figure: Figure | null = null;
let weights: BodyShape | null = null; // its masses
let [wanted, fetched] = [0, -1]; // the figure that the session has now, by a count; and the one that was fetched
let soon: ReturnType<typeof setTimeout> | undefined;
let prepared: { key: string; solves: Prepared } | null = null;
let base: PoseMessage | null = null; // the session's last word
let began: Origin | null = null; // what that was when the gesture began
let origin: Origin | null = null; // the session's, which lasts over gestures
let isUnderstood: boolean | null = null;
let hand: Hand | null = null;
let last: { q: ArrayLike<number>; targets: Targets; at: Vector; pose: PoseMessage } | null = null; // what was foreseen from `base` so far

effect(() => localStorage.setItem(KEPT, foreseeing.value ? "on" : "off"));

const rev = computed(() => store.figure.value?.rev);
const joints = computed(() => store.document_.value?.joints); // alone: the goals of a document change with every gesture
const limited = computed(() => store.document_.value?.has_human_limits);

effect(() => {
  void [rev.value, joints.value, limited.value, store.shown.value, foreseeing.value];
  wanted++;
  clearTimeout(soon);
  if (store.figure.peek() && store.shown.peek() && foreseeing.value) soon = setTimeout(() => void fetchFigure(), LATER);
});

async function fetchFigure(): Promise<void> {
  const mine = wanted;
  try {
    const solver = await solverOf();
    const record = (await (await request("api/skeleton")).json()) as FigureRecord | null;
    forget();
    if (record?.body) await solver.loadNatural(new Uint8Array(await (await fetch("solver/human.npz")).arrayBuffer()));
    weights = (await (await request("api/body")).json()) as BodyShape;
    [figure, fetched] = [record && solver.Figure.fromRecord(record), mine];
  } catch {
    forget(); // the session solves alone, as without this
  }
}

function forget(): void {
  prepared?.solves.free();
  figure?.free();
  [prepared, figure, weights, isUnderstood] = [null, null, null, null];
}

async function solverOf(): Promise<Solver> {
  if (!window.posable) {
    await new Promise((done, fail) => {
      const script = Object.assign(document.createElement("script"), { src: "solver/posable.js", onload: done, onerror: fail });
      document.head.append(script);
    });
  }
  await window.posable!.load();
  return window.posable!;
}

/** A goal is dragged to there: the figure follows at once where the page can solve this. */
export function foresee(goal: string, position: Vector, rotation: Quaternion, flags: number): void {
  if (!hand || hand.isReleased) began = base;
  hand = { goal, position, rotation, flags, isReleased: false };
  show();
}

/** The gesture has ended, and was answered or not; its last step is yet to be. */
export function released(): void {
  if (hand) hand.isReleased = true;
}

/** The gesture is taken back. */
export function forsaken(): void {
  hand = null;
}

/** A pose of the session. isLast: whether it answers the last that was sent, so that it is the truth. */
export function told(pose: PoseMessage, isLast: boolean): void {
  [base, last] = [pose, null];
  if (hand && !isLast && show()) return; // the mouse is further already
  if (isLast && hand?.isReleased) hand = null;
  store.givePose(pose);
}

/** Where targets began to move, as the session has it. */
export function toldOrigin({ coordinates, goals }: OriginEvent): void {
  origin = coordinates.length ? { coordinates: Float32Array.from(coordinates), goals: Float32Array.from(goals) } : null;
}

function show(): boolean {
  const pose = foreseen();
  if (pose) store.givePose(pose);
  return pose !== null;
}

function foreseen(): PoseMessage | null {
  const now = store.document_.peek();
  if (!hand || !base?.coordinates || !figure || fetched !== wanted || !now || !foreseeing.peek() || !isPlain()) return null;
  if (fallsShort(base, hand.goal)) return null;
  if (base.joints !== figure.names.length || base.coordinates.length !== figure.rest.length) return null;
  isUnderstood ??= agrees(base);
  if (!isUnderstood) return null;
  const { goal, position, rotation, flags } = hand;
  const goals = now.goals.map((one) => {
    if (one.name !== goal) return one.loose ? { ...one, enabled: false } : one;
    const turned = flags & ROTATION_GIVEN ? { rotation, rotation_weight: one.rotation_weight || 1 } : flags & ROTATION_FREE ? { rotation_weight: 0 } : {};
    return { ...one, position, enabled: true, loose: false, ...turned };
  });
  const then = ({ goals: given }: Origin): Targets => goals.map((one, k): StudioGoal => {
    const at = Array.from(given.subarray(7 * k, 7 * k + 7));
    return at.length < 7 ? one : { ...one, position: at.slice(0, 3) as Vector, rotation: at.slice(3) as Quaternion };
  }).flatMap(targetsOf);
  const from = origin ?? began;
  const first = from?.coordinates?.length === base.coordinates.length ? { pose: from.coordinates, targets: then(from) } : null;
  try {
    const solves = ready(goals);
    const targets = goals.flatMap(targetsOf);
    const before = last?.targets ?? then(base);
    const moved = Math.hypot(...position.map((own, k) => own - (last?.at ?? positionOf(base!, goal))[k]!));
    const { q } = solves ? solves.solve(last?.q ?? base.coordinates, targets, before, first) : { q: null };
    const pose = q && !sinks(q) && !tips(q) && laid(q, base);
    const most = looks(goals) ? QUICK : SWIFT; // radians, beyond which the session makes steps shorter
    if (!pose) return (last = null);
    if (leaps(last?.pose ?? base, pose, most) || outpaces(last?.q ?? base.coordinates, q!, moved)) return (last = null);
    last = { q: q!, targets, at: position, pose };
    return pose;
  } catch {
    return null; // a figure or goals that the page's solver refuses
  }
}

/** Whether the session keeps a goal from its target, for the sake of balance. */
function fallsShort({ residuals }: PoseMessage, goal: string): boolean {
  const { goals, support } = store.document_.peek()!;
  const off = residuals[2 * goals.findIndex((one) => one.name === goal)] ?? 0;
  return support !== null && off > VISIBLE_MISS * figure!.record.reach;
}

/** Whether all that the session solves for is in the page's solver, no limb stands in FK, and nothing moves by itself. */
function isPlain(): boolean {
  if (mayRaiseHeels()) return false; // which the session knows
  const { options, demo, props, goals, joints } = store.document_.peek()!;
  const whole = options.comfort || options.gravity > 0 || options.elasticity > 0 || options.keep_apart || options.mirror;
  const apart = goals.some((goal) => (goal.enabled ? goal.method !== "LeastSquares" || goal.relative_to !== null : goal.kind !== "pole" && !carries(goal)));
  return !(whole || apart || demo || joints.some((joint) => joint.kept) || store.clip.peek() || props.some((prop) => prop.obstacle));
}

/** Whether something would be in the ground, above which the session keeps it. */
function sinks(q: ArrayLike<number>): boolean {
  const frames = figure!.world(q), up = store.up.peek() === "z" ? 2 : 1;
  return store.document_.peek()!.above_ground.some(({ joint, tip, rather }) => {
    const at = 16 * figure!.names.indexOf(joint) + up;
    return frames[at + 12]! + tip.reduce((sum, own, k) => sum + own * frames[at + 4 * k]!, 0) < rather;
  });
}

/** Whether the centre of mass would leave what carries the figure, over which the session keeps it. */
function tips(q: ArrayLike<number>): boolean {
  const { support } = store.document_.peek()!;
  if (!support) return false;
  if (!weights || support.goals.includes(hand!.goal) || level(new T.Vector3(...hand!.position)).y < support.below) return true;
  const corners = support.corners.map((corner) => new T.Vector3(...corner)), { x, z } = level(massCenter(weights, inPose(figure!, q)));
  return inside(hull(corners.map(level)), [x, z]).depth < 0;
}

/** With y up. */
function level(point: T.Vector3): T.Vector3 {
  return store.up.peek() === "z" ? new T.Vector3(point.x, point.z, -point.y) : point;
}

/** Whether it is a look that is dragged. */
function looks(goals: StudioGoal[]): boolean {
  return goals.some(({ name, kind }) => name === hand!.goal && kind === "look");
}

/** Whether the figure is posed as people are. */
function isNatural(): boolean {
  return Boolean(figure!.record.body) && store.document_.peek()!.options.natural > 0;
}

/** Whether a joint rotates further than that, in radians, from one pose to the next. */
function leaps(before: PoseMessage, after: PoseMessage, most: number): boolean {
  const least = Math.cos(0.5 * Math.min(most, Math.PI));
  return before.joints === after.joints && turnsBetween(before, after).some((one) => one < least);
}

/** Whether the session would have a natural body move less for a target that has moved so far. */
function outpaces(before: ArrayLike<number>, after: ArrayLike<number>, moved: number): boolean {
  return isNatural() && isSlow(figure!, moved) && farthest(figure!, before, after) > mostOf(figure!, moved);
}

/** Where a goal's target is in a pose of the session. */
function positionOf({ goals }: PoseMessage, goal: string): number[] {
  const at = 7 * store.document_.peek()!.goals.findIndex((one) => one.name === goal);
  return Array.from(goals.subarray(at, at + 3));
}

/** `[joint]` the cosine of half the angle by which each is rotated otherwise in the other pose. */
function turnsBetween(one: PoseMessage, other: PoseMessage): number[] {
  return Array.from({ length: one.joints }, (_, j) => {
    const [a, b] = [one.rotations, other.rotations].map((all) => all.subarray(4 * j, 4 * j + 4));
    return Math.abs(a!.reduce((sum, own, i) => sum + own * b![i]!, 0));
  });
}

/** What solves these goals, as `studio/posing.py` states them. */
function ready(goals: StudioGoal[]): Prepared | null {
  const { options, joints } = store.document_.peek()!, solver = window.posable!;
  const frozen = joints.filter((joint) => joint.frozen).map((joint) => joint.name);
  const strength = isNatural() ? options.natural : 0;
  const key = JSON.stringify([strength, frozen, goals.map(({ position: _, rotation: __, pole, keys: ___, ...rest }) => [rest, pole === null])]);
  if (prepared?.key === key) return prepared.solves;
  const active = goals.filter((goal) => goal.enabled);
  const order = orderOf(active);
  const stated = active.flatMap((goal) => statedAs(solver, goal, order, active.length === 1));
  if (!stated.length) return null;
  if (strength > 0) stated.push(solver.natural({ strength, keep: true }));
  prepared?.solves.free();
  const solves = figure!.prepare(stated, { restarts: 0, tolerance: TOLERANCE * figure!.record.reach, angleTolerance: ANGLE_TOLERANCE, frozen });
  prepared = { key, solves };
  return solves;
}

/** Whether position and rotation are one goal; and whether there is a rotation. */
function asOne(goal: StudioGoal, single: boolean): [boolean, number] {
  const turns = goal.kind === "place" ? goal.rotation_weight : 0;
  return [turns > 0 && (turns === goal.weight || single), turns];
}

interface Order {
  priority(goal: StudioGoal): number;
  poles: number;
}

/** As in the session: pinned goals first, then what carries the body, then the others, then poles. */
function orderOf(active: StudioGoal[]): Order {
  const asks = (goal: StudioGoal) => (goal.kind === "place" || goal.kind === "reach") && goal.weight > 0;
  const carrying = Number(active.some((goal) => goal.pinned));
  const others = carrying + Number(active.some((goal) => carries(goal) && !goal.pinned && asks(goal)));
  return { priority: (goal) => (goal.pinned ? 0 : carries(goal) ? carrying : others), poles: others + 1 };
}

/** Whether a goal moves the whole body. */
function carries({ joint }: StudioGoal): boolean {
  return movesAll(figure!, joint);
}

/** Whether the hips are moved over pinned feet, or such a foot under the hips. */
function mayRaiseHeels(): boolean {
  const { goals } = store.document_.peek()!;
  const moved = goals.find((goal) => goal.name === hand?.goal);
  const rolls = (goal: StudioGoal) => goal.pinned && goal.lifts_above !== null;
  if (!moved || !goals.some(rolls)) return false;
  return carries(moved) || (rolls(moved) && goals.some((goal) => goal.enabled && !goal.loose && carries(goal)));
}

function statedAs(solver: Solver, goal: StudioGoal, order: Order, single: boolean): unknown[] {
  const { joint, weight } = goal, priority = order.priority(goal), found: unknown[] = [];
  if (goal.kind === "look") return weight > 0 ? [solver.lookAt(joint, [0, 0, 1], { weight, priority })] : [];
  if (goal.kind === "pole") return weight > 0 ? [solver.pole(joint, [0, 0, 0], { weight, priority: order.poles })] : [];
  const [whole, turns] = asOne(goal, single);
  if (whole) found.push(solver.place(joint, frameOf(goal).toArray(), { weight, rotationWeight: turns, priority }));
  else {
    if (weight > 0) found.push(solver.reach(joint, [0, 0, 0], { weight, priority }));
    if (turns > 0) found.push(solver.orient(joint, [1, 0, 0, 0], { weight: turns, priority }));
  }
  if (goal.pole) found.push(solver.pole(joint, [0, 0, 0], { priority: order.poles }));
  return found;
}

/** The targets of what `statedAs` gives; and, after the last goal, none for the natural term. */
function targetsOf(goal: StudioGoal, at: number, goals: StudioGoal[]): Targets {
  const found: Targets = [], single = goals.filter((one) => one.enabled).length === 1;
  const [whole, turns] = asOne(goal, single);
  if (goal.enabled && (goal.kind === "look" || goal.kind === "pole")) found.push(...(goal.weight > 0 ? [goal.position] : []));
  else if (goal.enabled) {
    if (whole) found.push(frameOf(goal).toArray());
    else found.push(...(goal.weight > 0 ? [goal.position] : []), ...(turns > 0 ? [goal.rotation] : []));
    if (goal.pole) found.push(goal.pole);
  }
  const last = at === goals.length - 1 && isNatural();
  return last ? [...found, null] : found;
}

/** Position and rotation as one matrix. */
export function frameOf({ position, rotation: [w, x, y, z] }: Pick<StudioGoal, "position" | "rotation">): T.Matrix4 {
  return new T.Matrix4().compose(new T.Vector3(...position), new T.Quaternion(x, y, z, w).normalize(), new T.Vector3(1, 1, 1));
}

/** The pose as the session would send it. */
function laid(q: ArrayLike<number>, like: PoseMessage): PoseMessage {
  const frames = figure!.world(q), { parents } = store.figure.peek()!;
  const rotations = new Float32Array(4 * parents.length), translations = new Float32Array(3 * parents.length);
  const [own, turn, place, size] = [new T.Matrix4(), new T.Quaternion(), new T.Vector3(), new T.Vector3()];
  parents.forEach((parent, j) => {
    own.fromArray(frames, 16 * j);
    if (parent >= 0) own.premultiply(new T.Matrix4().fromArray(frames, 16 * parent).invert());
    own.decompose(place, turn, size);
    rotations.set([turn.w, turn.x, turn.y, turn.z], 4 * j);
    place.toArray(translations, 3 * j);
  });
  return { ...like, root: translations.slice(0, 3), rotations, translations: like.translations && translations };
}

/** Whether a pose of the session is one for the page's figure too: nodes may hang elsewhere in a file than joints do. */
function agrees(pose: PoseMessage): boolean {
  const own = laid(pose.coordinates!, pose);
  const near = (a: Float32Array | null, b: Float32Array | null, far: number) => !a || !b || a.every((one, i) => Math.abs(one - b[i]!) < far);
  const far = SAME * figure!.record.reach;
  return turnsBetween(own, pose).every((one) => one > 1 - SAME * SAME) && near(own.root, pose.root, far) && near(own.translations, pose.translations, far);
}
