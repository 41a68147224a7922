// The selection of the timeline, and the commands on it.

import { computed, effect, signal } from "@preact/signals";
import { send } from "../link";
import { goTo } from "../playback";
import type { Interpolation } from "../schema";
import * as s from "../store";
import { existing, fitted, nameOf, neighbourKey } from "./timeline-model";
import type { Channel, Span } from "./timeline-model";

export const chosenKeys = signal<ReadonlySet<string>>(new Set());
export const span = signal<Span>({ first: -4, scale: 8 });
export const curves = signal(false);
export const channels = signal<ReadonlySet<Channel>>(new Set(["x", "y", "z"]));
export const keyNames = computed(() => [...chosenKeys.value].map(nameOf));

effect(() => {
  const goals = s.goals.value;
  const chosen = chosenKeys.peek();
  const kept = existing(goals, chosen);
  if (kept.size !== chosen.size) chosenKeys.value = kept;
});

// What Delete means: whatever was chosen last, keys or something in the view.
let lastWereKeys = false;
let byKeys = false;

export const choseKeys = (): boolean => lastWereKeys;

/** The timeline was pressed, on the row of a goal or on that of all (""). */
export function choseInTimeline(goal: string): void {
  lastWereKeys = true;
  byKeys = true;
  if (goal) s.selection.value = { kind: "goal", name: goal };
  byKeys = false;
}

effect(() => {
  void s.selection.value;
  if (byKeys) return;
  lastWereKeys = false;
  chosenKeys.value = new Set();
});

export function setKeys(): void {
  const chosen = s.chosenGoals.value.length ? s.chosenGoals.value : s.goals.value;
  send({ op: "key.set", goals: chosen.map((one) => one.name), frame: Math.round(s.frame.value) });
}

export function deleteKeys(): boolean {
  if (!chosenKeys.value.size) return false;
  return send({ op: "key.delete", keys: keyNames.value });
}

/** Copies the chosen keys; without any, those at the frame of the chosen goals, or of all. */
export function copyKeys(): void {
  const frame = Math.round(s.frame.value);
  const near = s.chosenGoals.value.length ? s.chosenGoals.value : s.goals.value;
  const here = near.filter((goal) => goal.keys.some((key) => key.frame === frame)).map((goal): [string, number] => [goal.name, frame]);
  const keys = chosenKeys.value.size ? keyNames.value : here;
  if (!keys.length) return s.tell("No key is chosen, and none is at this frame");
  if (send({ op: "key.copy", keys })) s.tell(keys.length === 1 ? "1 key copied" : `${keys.length} keys copied`);
}

export function pasteKeys(): void {
  send({ op: "key.paste", frame: Math.round(s.frame.value) });
}

export function easeKeys(interpolation: Interpolation): void {
  if (chosenKeys.value.size) send({ op: "key.ease", keys: keyNames.value, interpolation });
}

export function jumpToKey(way: 1 | -1): void {
  const next = neighbourKey(s.goals.value, Math.round(s.frame.value), way);
  if (next !== null) goTo(next);
}

export function fitSpan(width: number): void {
  const [from, to] = s.document_.value?.range ?? [0, 120];
  span.value = fitted(from, to, width);
}
