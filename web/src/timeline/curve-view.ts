// The curve view: position and weight of the selected goal over time, with keys and handles to drag.

import { onCancel, takeBack } from "../gestures";
import { flush, send, stream } from "../link";
import { goTo } from "../playback";
import type { StudioGoal, GoalKey, Vector } from "../schema";
import * as s from "../store";
import { channels, chosenKeys, choseInTimeline, span } from "./editing";
import { degreesOf, quaternionOf } from "./degrees";
import { moveKeys, placeOf } from "./dope";
import * as m from "./timeline-model";
import { type Colors, colorsOf, drawKey, drawPlayhead, drawRuler, fresh, RULER } from "./paint";

const INKS: Record<m.Channel, { color: string; dash: number[] }> = {
  x: { color: "#e5616b", dash: [] },
  y: { color: "#6cc36a", dash: [7, 3] },
  z: { color: "#5a93f0", dash: [2, 3] },
  "turn x": { color: "#f2a0a5", dash: [] },
  "turn y": { color: "#a9dea8", dash: [7, 3] },
  "turn z": { color: "#9cbdf7", dash: [2, 3] },
  weight: { color: "#d9a441", dash: [9, 3, 2, 3] },
  "pole x": { color: "#e5616b", dash: [1, 4] },
  "pole y": { color: "#6cc36a", dash: [1, 4] },
  "pole z": { color: "#5a93f0", dash: [1, 4] },
};
const HANDLE = 42; // pixels
const REACH = 8;
const SIDEWAYS = 4; // pixels until a key moves in time, or in value

type Range = [number, number];
let ranges: { turns: Range; rest: Range } = { turns: [0, 1], rest: [0, 1] }; // degrees, and all else
const rangeOf = (channel: m.Channel): Range => (m.isTurn(channel) ? ranges.turns : ranges.rest);
let heldRange = false;
let preview: { key: GoalKey; from: number; goal: string } | null = null;

function keysOf(goal: StudioGoal): GoalKey[] {
  if (preview?.goal !== goal.name) return goal.keys;
  const { key: held, from } = preview;
  const others = goal.keys.filter((key) => key.frame !== from && key.frame !== held.frame);
  return [...others, held].sort((a, b) => a.frame - b.frame);
}

export function drawCurves(canvas: HTMLCanvasElement): void {
  const colors = colorsOf(canvas);
  const { ink, width, height } = fresh(canvas, colors);
  drawRuler(ink, span.value, width, height, colors);
  const goal = s.selectedGoal.value;
  const shown = [...channels.value];
  const fps = s.document_.value?.fps ?? 30;
  if (goal?.keys.length) {
    const keys = keysOf(goal);
    const [turns, rest] = [shown.filter(m.isTurn), shown.filter((channel) => !m.isTurn(channel))];
    if (!heldRange) ranges = { turns: m.valueRange(keys, turns), rest: m.valueRange(keys, rest) };
    const scales = ([[rest, ranges.rest, ""], [turns, ranges.turns, "°"]] as const).filter(([own]) => own.length);
    for (const [, range] of scales) drawLines(ink, width, height, colors.dim, range);
    const loop = (own: GoalKey[]) => m.around(own, s.document_.value?.range ?? [0, 0], s.document_.value?.cyclic ?? false);
    const told = shown.map((channel) => ({ channel, held: m.holding(loop(keys), channel) })).filter(({ held }) => held.length);
    for (const { channel, held } of told) drawOne(ink, held, channel, width, height, fps);
    const spots = told.flatMap(({ channel, held }) => held.map((key) => [m.xOf(span.value, key.frame), yOf(m.valueOf(key, channel), height, rangeOf(channel))] as const));
    for (const [, range, unit] of scales) drawValues(ink, width, height, colors, range, unit, spots);
    for (const { channel, held } of told) drawKeys(ink, goal.name, held, channel, height, fps, colors.text);
  } else {
    ink.fillStyle = colors.dim;
    ink.textAlign = "center";
    ink.fillText(goal ? `${goal.name} has no keys yet: press K` : "Select a goal to see its curves", width / 2, height / 2);
  }
  drawPlayhead(ink, span.value, height, colors);
}

const yOf = (value: number, height: number, range: Range) => RULER + 8 + ((range[1] - value) / (range[1] - range[0])) * (height - RULER - 16);
const valueAt = (y: number, height: number, range: Range) => range[1] - ((y - RULER - 8) / (height - RULER - 16)) * (range[1] - range[0]);

/** The values that a scale marks. */
function marked(range: Range): number[] {
  const step = 10 ** Math.floor(Math.log10(range[1] - range[0])) / 2;
  const first = Math.ceil(range[0] / step);
  return Array.from({ length: Math.max(0, Math.floor(range[1] / step) - first + 1) }, (_, k) => (first + k) * step);
}

function drawLines(ink: CanvasRenderingContext2D, width: number, height: number, color: string, range: Range): void {
  ink.strokeStyle = color;
  ink.lineWidth = 1;
  ink.globalAlpha = 0.25;
  ink.beginPath();
  for (const value of marked(range)) {
    const y = Math.round(yOf(value, height, range)) + 0.5;
    ink.moveTo(0, y);
    ink.lineTo(width, y);
  }
  ink.stroke();
  ink.globalAlpha = 1;
}

const [BESIDE, FARTHEST] = [11, 120]; // pixels from a key to a number beside it, and of that from the edge

/** The scale at the left, that of degrees at the right; no number lies under a key or a curve. */
function drawValues(ink: CanvasRenderingContext2D, width: number, height: number, colors: Colors, range: Range, unit: string, keys: readonly (readonly [number, number])[]): void {
  ink.textAlign = "left";
  ink.lineWidth = 4;
  [ink.fillStyle, ink.strokeStyle] = [colors.dim, colors.back];
  for (const value of marked(range)) {
    const text = value.toPrecision(3).replace(/\.0+$|(?<=\.\d*[1-9])0+$/, "") + unit;
    const [long, y] = [ink.measureText(text).width, Math.round(yOf(value, height, range)) - 6.5];
    const under = (x: number) => keys.find(([at, high]) => Math.abs(high - y) < BESIDE && at > x - BESIDE && at < x + long + BESIDE);
    const edge = unit ? width - 4 - long : 4;
    let x = edge;
    for (let key = under(x); key && Math.abs(x - edge) < FARTHEST; key = under(x)) x = unit ? key[0] - BESIDE - long - 1 : key[0] + BESIDE + 1;
    ink.strokeText(text, x, y);
    ink.fillText(text, x, y);
  }
}

function drawOne(ink: CanvasRenderingContext2D, keys: readonly GoalKey[], channel: m.Channel, width: number, height: number, fps: number): void {
  ink.strokeStyle = INKS[channel].color;
  ink.setLineDash(INKS[channel].dash);
  ink.lineWidth = 1.6;
  ink.beginPath();
  for (let x = 0; x <= width; x += 2) ink.lineTo(x, yOf(m.curveAt(keys, channel, m.frameAt(span.value, x), fps), height, rangeOf(channel)));
  ink.stroke();
  ink.setLineDash([]);
}

function drawKeys(ink: CanvasRenderingContext2D, goal: string, keys: readonly GoalKey[], channel: m.Channel, height: number, fps: number, text: string): void {
  keys.forEach((key, index) => {
    const chosen = chosenKeys.value.has(m.idOf(goal, key.frame));
    const [x, y] = [m.xOf(span.value, key.frame), yOf(m.valueOf(key, channel), height, rangeOf(channel))];
    if (chosen && hasHandle(key, channel)) {
      const [dx, dy] = handleOf(keys, index, channel, height, fps);
      ink.strokeStyle = ink.fillStyle = INKS[channel].color;
      ink.lineWidth = 1;
      ink.beginPath();
      ink.moveTo(x - dx, y - dy);
      ink.lineTo(x + dx, y + dy);
      ink.stroke();
      for (const side of [-1, 1]) {
        ink.beginPath();
        ink.arc(x + side * dx, y + side * dy, 3.5, 0, 2 * Math.PI);
        ink.fill();
      }
    }
    drawKey(ink, x, y, { size: 7, square: key.interpolation === "step", chosen, fill: INKS[channel].color, ring: text });
  });
}

const hasHandle = (key: GoalKey, channel: m.Channel) => channel !== "weight" && !m.isPole(channel) && !m.isTurn(channel) && key.interpolation === "cubic";

/** From the key to its right handle, in pixels, of one length whatever the slope. */
function handleOf(keys: readonly GoalKey[], index: number, channel: m.Channel, height: number, fps: number): [number, number] {
  const slope = m.slopeAt(keys, index, channel, fps); // a frame
  const rise = (slope / span.value.scale) * ((height - RULER - 16) / (ranges.rest[1] - ranges.rest[0])); // pixels a pixel, upwards
  const length = HANDLE / Math.hypot(1, rise);
  return [length, -rise * length];
}

type Grab = { key: GoalKey; index: number; channel: m.Channel; handle: boolean };

function grabbed(goal: StudioGoal, at: [number, number], height: number, fps: number): Grab | null {
  for (const channel of channels.value) {
    for (const [index, key] of m.holding(goal.keys, channel).entries()) {
      const [x, y] = [m.xOf(span.value, key.frame), yOf(m.valueOf(key, channel), height, rangeOf(channel))];
      if (Math.hypot(at[0] - x, at[1] - y) < REACH) return { key, index, channel, handle: false };
      if (!chosenKeys.value.has(m.idOf(goal.name, key.frame)) || !hasHandle(key, channel)) continue;
      const [dx, dy] = handleOf(goal.keys, index, channel, height, fps);
      const near = [-1, 1].some((side) => Math.hypot(at[0] - x - side * dx, at[1] - y - side * dy) < REACH);
      if (near) return { key, index, channel, handle: true };
    }
  }
  return null;
}

export function pressCurves(event: PointerEvent, canvas: HTMLCanvasElement, redraw: () => void): void {
  if (event.button !== 0) return;
  const at = placeOf(event, canvas);
  const goal = s.selectedGoal.value;
  const height = canvas.clientHeight;
  const fps = s.document_.value?.fps ?? 30;
  canvas.setPointerCapture(event.pointerId);
  if (at[1] <= RULER) return followPointer(canvas, redraw, (place) => goTo(m.frameAt(span.value, place[0])), () => {});
  const grab = goal && grabbed(goal, at, height, fps);
  choseInTimeline("");
  chosenKeys.value = grab ? m.clicked(chosenKeys.value, [m.idOf(goal.name, grab.key.frame)], event.ctrlKey) : new Set();
  if (!grab) return redraw();
  let begun = false;
  let by = 0; // frames: keys move in time when the mouse is let go, as in the dope sheet
  let value: Changed = {};
  heldRange = true;
  const move = (place: [number, number]) => {
    const sideways = place[0] - at[0];
    by = grab.handle || Math.abs(sideways) < SIDEWAYS ? 0 : m.allowedMove(s.goals.value, chosenKeys.value, sideways / span.value.scale, false);
    value = grab.handle ? leaned(goal, grab, place, height, fps) : Math.abs(place[1] - at[1]) < SIDEWAYS && !begun ? {} : raised(grab, valueAt(place[1], height, rangeOf(grab.channel)));
    preview = { goal: goal.name, from: grab.key.frame, key: { ...grab.key, ...value, frame: grab.key.frame + by } };
    if (!Object.keys(value).length) return;
    if (!begun) begun = send({ op: "gesture.begin", label: `curve of ${goal.name}` });
    stream({ op: "key.value", goal: goal.name, frame: grab.key.frame, ...value });
  };
  followPointer(canvas, redraw, move, () => {
    flush();
    if (by) {
      if (!begun) begun = send({ op: "gesture.begin", label: `curve of ${goal.name}` });
      moveKeys(by, false, false);
    }
    if (begun) send({ op: "gesture.end" });
    preview = null;
    heldRange = false;
  });
}

function followPointer(canvas: HTMLCanvasElement, redraw: () => void, move: (at: [number, number]) => void, end: () => void): void {
  const follow = (event: PointerEvent) => {
    move(placeOf(event, canvas));
    redraw();
  };
  const over = onCancel(() => {
    canvas.removeEventListener("pointermove", follow);
    canvas.removeEventListener("lostpointercapture", release);
    preview = null;
    heldRange = false;
    takeBack();
    redraw();
  });
  const release = () => {
    over();
    canvas.removeEventListener("pointermove", follow);
    end();
    redraw();
  };
  canvas.addEventListener("pointermove", follow);
  canvas.addEventListener("lostpointercapture", release, { once: true });
}

type Changed = Partial<Pick<GoalKey, "position" | "rotation" | "weight" | "pole" | "velocity">>;

function raised(grab: Grab, value: number): Changed {
  const axis = m.axisOf(grab.channel);
  if (m.isTurn(grab.channel)) return { rotation: quaternionOf(degreesOf(grab.key.rotation).map((old, i) => (i === axis ? value : old)) as Vector) };
  if (axis === null) return { weight: Math.min(1, Math.max(0, value)) };
  const name = m.isPole(grab.channel) ? "pole" : "position";
  const place: Vector = [...(grab.key[name] ?? grab.key.position)];
  place[axis] = value;
  return { [name]: place };
}

/** The velocity whose handle points to the mouse; the other axes keep their slope. */
function leaned(goal: StudioGoal, grab: Grab, at: [number, number], height: number, fps: number): { velocity: Vector } {
  const [x, y] = [m.xOf(span.value, grab.key.frame), yOf(m.valueOf(grab.key, grab.channel), height, rangeOf(grab.channel))];
  const way = at[0] < x ? -1 : 1;
  const dx = Math.max(3, (at[0] - x) * way);
  const slope = ((y - at[1]) * way) / dx; // pixels a pixel, upwards
  const perFrame = slope * span.value.scale * ((ranges.rest[1] - ranges.rest[0]) / (height - RULER - 16));
  const now = (["x", "y", "z"] as const).map((channel) => m.slopeAt(goal.keys, grab.index, channel, fps) * fps) as Vector;
  now[m.axisOf(grab.channel) ?? 0] = perFrame * fps;
  return { velocity: now };
}
