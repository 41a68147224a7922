// The timeline's arithmetic, independent of the page: frames and pixels, hits of clicks and boxes, moves of keys.

import type { StudioGoal, GoalKey, KeyName } from "../schema";
import { degreesOf } from "./degrees";
import { rotationAt } from "./rotation-curve";

export interface Span {
  first: number; // frame at the left edge
  scale: number; // pixels a frame
}

export interface Row {
  name: string; // of the goal; "" for the summary of all
  keys: { frame: number; ids: string[]; pole?: boolean }[]; // pole: whether they say where an elbow or knee points
}

export const SUMMARY = "";
const REACH = 7; // pixels within which a key is hit

export const idOf = (goal: string, frame: number): string => `${frame}\n${goal}`;

export function nameOf(id: string): KeyName {
  const cut = id.indexOf("\n");
  return [id.slice(cut + 1), Number(id.slice(0, cut))];
}

export const xOf = (span: Span, frame: number): number => (frame - span.first) * span.scale;
export const frameAt = (span: Span, x: number): number => span.first + x / span.scale;

/** Zoomed about a pixel, which keeps its frame; never closer than 60 px a frame, nor wider than 0.05. */
export function zoomed(span: Span, x: number, factor: number): Span {
  const scale = Math.min(60, Math.max(0.05, span.scale * factor));
  return { first: frameAt(span, x) - x / scale, scale };
}

const EDGE = 16; // pixels

/** Moved along by as little as brings a frame into the picture. */
export function brought(span: Span, frame: number, width: number): Span {
  const x = xOf(span, frame);
  const off = Math.min(0, x - EDGE) + Math.max(0, x - width + EDGE);
  return off && width > 2 * EDGE ? { ...span, first: span.first + off / span.scale } : span;
}

export function fitted(from: number, to: number, width: number): Span {
  const scale = Math.max(0.05, (width - 40) / Math.max(1, to - from));
  return { first: from - 20 / scale, scale };
}

/** Frames that get a number: 1, 2 or 5 of a decade, at least `apart` pixels from each other. */
export function ticks(span: Span, width: number, apart = 56): { step: number; frames: number[] } {
  const least = apart / span.scale;
  const decade = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * decade).find((n) => n >= least) ?? decade * 10);
  const frames: number[] = [];
  for (let at = Math.ceil(span.first / step) * step; at <= frameAt(span, width); at += step) frames.push(at);
  return { step, frames };
}

/** A summary row, whose keys are those of the whole pose, and a row per goal. */
export function rowsOf(goals: readonly StudioGoal[]): Row[] {
  const columns = new Map<number, string[]>();
  for (const goal of goals) {
    for (const { frame } of goal.keys) columns.set(frame, [...(columns.get(frame) ?? []), idOf(goal.name, frame)]);
  }
  const summary = [...columns].sort(([a], [b]) => a - b).map(([frame, ids]) => ({ frame, ids }));
  const rest = goals.map((goal) => ({
    name: goal.name,
    keys: goal.keys.map(({ frame, pole }) => ({ frame, ids: [idOf(goal.name, frame)], pole: pole !== null })),
  }));
  return [{ name: SUMMARY, keys: summary }, ...rest];
}

export function rowAt(y: number, rowHeight: number, top: number): number {
  return Math.floor((y - top) / rowHeight);
}

/** The keys under a pixel: one, or a whole column in the summary. */
export function hit(row: Row | undefined, span: Span, x: number): string[] {
  const near = (row?.keys ?? []).map((key) => ({ key, off: Math.abs(xOf(span, key.frame) - x) }));
  const best = near.filter((entry) => entry.off <= REACH).sort((a, b) => a.off - b.off)[0];
  return best?.key.ids ?? [];
}

export function boxed(rows: readonly Row[], span: Span, from: [number, number], to: [number, number]): Set<string> {
  const [low, high] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])].map((x) => frameAt(span, x)) as [number, number];
  const [first, last] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  const inside = rows.slice(Math.max(0, first), Math.max(0, last + 1));
  return new Set(inside.flatMap((row) => row.keys.filter((key) => key.frame >= low && key.frame <= high).flatMap((key) => key.ids)));
}

/** The selection after a click: `add` toggles; a click on a selected key keeps the selection, as it may become a drag. */
export function clicked(chosen: ReadonlySet<string>, ids: readonly string[], add: boolean): Set<string> {
  if (!add) return ids.length && ids.every((id) => chosen.has(id)) ? new Set(chosen) : new Set(ids);
  const next = new Set(chosen);
  const all = ids.every((id) => next.has(id));
  for (const id of ids) if (all) next.delete(id);
    else next.add(id);
  return next;
}

/** The allowed move: no key below frame 0; with ripple, none onto a key that stays. */
export function allowedMove(goals: readonly StudioGoal[], chosen: ReadonlySet<string>, by: number, ripple: boolean): number {
  const names = [...chosen].map(nameOf);
  if (!names.length) return 0;
  let least = -Math.min(...names.map(([, frame]) => frame));
  if (ripple) {
    for (const goal of goals) {
      const own = names.filter(([name]) => name === goal.name).map(([, frame]) => frame);
      if (!own.length) continue;
      const start = Math.min(...own);
      const behind = goal.keys.map((key) => key.frame).filter((frame) => frame < start);
      if (behind.length) least = Math.max(least, Math.max(...behind) + 1 - start);
    }
  }
  return Math.max(Math.round(by), least);
}

/** The keys that move when `chosen` move: with ripple all later ones of the same goals too. */
export function moving(goals: readonly StudioGoal[], chosen: ReadonlySet<string>, ripple: boolean): Set<string> {
  if (!ripple) return new Set(chosen);
  const all = new Set(chosen);
  for (const goal of goals) {
    const own = [...chosen].map(nameOf).filter(([name]) => name === goal.name);
    const start = Math.min(...own.map(([, frame]) => frame));
    for (const key of goal.keys) if (key.frame >= start) all.add(idOf(goal.name, key.frame));
  }
  return all;
}

/** The selection after its keys moved. */
export function movedBy(chosen: ReadonlySet<string>, by: number): Set<string> {
  return new Set([...chosen].map(nameOf).map(([goal, frame]) => idOf(goal, frame + by)));
}

export function existing(goals: readonly StudioGoal[], chosen: ReadonlySet<string>): Set<string> {
  const all = new Set(goals.flatMap((goal) => goal.keys.map((key) => idOf(goal.name, key.frame))));
  return new Set([...chosen].filter((id) => all.has(id)));
}

export function neighbourKey(goals: readonly StudioGoal[], frame: number, way: 1 | -1): number | null {
  const frames = goals.flatMap((goal) => goal.keys.map((key) => key.frame)).filter((at) => (at - frame) * way > 0);
  return frames.length ? (way > 0 ? Math.min(...frames) : Math.max(...frames)) : null;
}

// ---- curves ----

export const CHANNELS = ["x", "y", "z", "turn x", "turn y", "turn z", "weight", "pole x", "pole y", "pole z"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Which coordinate a channel is; null for the weight. */
export function axisOf(channel: Channel): 0 | 1 | 2 | null {
  return channel === "weight" ? null : ("xyz".indexOf(channel.at(-1)!) as 0 | 1 | 2);
}

export const isTurn = (channel: Channel): boolean => channel.startsWith("turn");

export const isPole = (channel: Channel): boolean => channel.startsWith("pole");

/** The keys with a value of a channel: the pole of a key may be missing. */
export function holding(keys: readonly GoalKey[], channel: Channel): GoalKey[] {
  return isPole(channel) ? keys.filter((key) => key.pole) : [...keys];
}

export function valueOf(key: GoalKey, channel: Channel): number {
  const axis = axisOf(channel);
  if (isTurn(channel)) return degreesOf(key.rotation)[axis!];
  return axis === null ? key.weight : ((isPole(channel) ? key.pole : key.position)?.[axis] ?? 0);
}

/** In a loop with the keys of the turns before and after: the last frame of the range is the first one again. */
export function around(keys: readonly GoalKey[], [first, last]: readonly [number, number], cyclic: boolean): GoalKey[] {
  const own = keys.filter((key) => key.frame >= first && key.frame < last);
  if (!cyclic || !own.length) return [...keys];
  return [-1, 0, 1].flatMap((turn) => own.map((key) => ({ ...key, frame: key.frame + turn * (last - first) })));
}

/** Change a frame at a key: its handle, or the slope there of the parabola through it and its neighbours; the first and
 * the last key are eased into and out of. */
export function slopeAt(keys: readonly GoalKey[], index: number, channel: Channel, fps: number): number {
  const key = keys[index]!;
  const axis = axisOf(channel);
  const given = isPole(channel) || axis === null ? null : key.velocity;
  if (given) return given[axis!] / fps;
  const between = (a: GoalKey, b: GoalKey) => (valueOf(b, channel) - valueOf(a, channel)) / (b.frame - a.frame);
  const before = keys[index - 1];
  const after = keys[index + 1];
  if (!before || !after) return 0;
  const middle = parabola(before, key, after, between);
  return key.interpolation === "monotone" ? limited(middle, between(before, key), between(key, after)) : middle;
}

function parabola(a: GoalKey, b: GoalKey, c: GoalKey, between: (a: GoalKey, b: GoalKey) => number): number {
  const [left, right] = [b.frame - a.frame, c.frame - b.frame];
  return (right * between(a, b) + left * between(b, c)) / (left + right);
}

function limited(slope: number, before: number, after: number): number {
  if (before * after <= 0) return 0;
  const most = 3 * Math.min(Math.abs(before), Math.abs(after));
  return Math.sign(slope) * Math.min(Math.abs(slope), most);
}

export function curveAt(keys: readonly GoalKey[], channel: Channel, frame: number, fps: number): number {
  const last = keys.length - 1;
  if (last < 0) return 0;
  if (isTurn(channel)) return degreesOf(rotationAt(keys, frame))[axisOf(channel)!];
  if (frame <= keys[0]!.frame) return valueOf(keys[0]!, channel);
  if (frame >= keys[last]!.frame) return valueOf(keys[last]!, channel);
  const i = keys.findIndex((key) => key.frame > frame) - 1;
  const [a, b] = [keys[i]!, keys[i + 1]!];
  const [from, to] = [valueOf(a, channel), valueOf(b, channel)];
  const length = b.frame - a.frame;
  const u = (frame - a.frame) / length;
  if (a.interpolation === "step") return from;
  if (a.interpolation === "linear") return from + (to - from) * u;
  const [p, q] = [slopeAt(keys, i, channel, fps) * length, slopeAt(keys, i + 1, channel, fps) * length];
  const v = 1 - u;
  return from * v * v * (1 + 2 * u) + p * u * v * v + to * u * u * (3 - 2 * u) - q * u * u * v;
}

/** Lowest and highest value of the curves, with a margin, never flat. */
export function valueRange(keys: readonly GoalKey[], channels: readonly Channel[]): [number, number] {
  const values = channels.flatMap((channel) => holding(keys, channel).map((key) => valueOf(key, channel)));
  if (!values.length) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max((high - low) * 0.15, 0.02 * Math.max(1, Math.abs(high)));
  return [low - margin, high + margin];
}
