// Keys: actions by their shortcut; arrows and page keys held move the selected goal, or drive a demo; arrows step the frame.

import { effect } from "@preact/signals";
import { ACTIONS, action, keysOf, run } from "./actions";
import { cancelDrag, dragGoal, dragPole } from "./gestures";
import type { Gesture } from "./gestures";
import { isAwaited, send } from "./link";
import { stepFrame } from "./playback";
import type { Vector } from "./schema";
import * as s from "./store";
import { goalPlace, polePlace } from "./view/handles";
import { grab, grabKey } from "./view/grab";
import { screenAxes } from "./view/looking";

/** By what is pressed; of the number pad some keys have a meaning of their own. */
let shortcuts = new Map<string, string>();
effect(() => {
  shortcuts = new Map(ACTIONS.flatMap((one) => (keysOf(one) ? [[keysOf(one)!, one.id]] : [])));
  shortcuts.set("Ctrl+Y", "redo").set("Backspace", "delete").set("NumpadDecimal", "frame").set("Alt+A", "deselect");
});
/** Pressed before the page knows its document. */
const early: string[] = [];
effect(() => {
  if (s.document_.value) for (const id of early.splice(0)) queueMicrotask(() => run(id));
});
/** Right, up, away from the eye. */
const ARROWS: Record<string, Vector> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};
const PACE = 0.35; // heights of the figure a second

export function listenToKeys(): void {
  addEventListener("keydown", grabbed, true);
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("blur", letGo);
  // Nor does a list of which something was picked by mouse.
  let pointed: EventTarget | null = null;
  addEventListener("pointerdown", (event) => (pointed = event.target), true);
  addEventListener("keydown", () => (pointed = null), true);
  addEventListener("change", (event) => event.target === pointed && event.target instanceof HTMLSelectElement && event.target.blur());
  // A button pressed by mouse does not take the keys: Space goes on to play.
  addEventListener("mousedown", (event) => {
    if (!(event.target as Element).closest(".toolbar button, .transport button, .side button, summary")) return;
    event.preventDefault();
    (document.activeElement as HTMLElement | null)?.blur(); // what was typed in a field counts
  });
}

/** While something is grabbed the keys mean it, whatever has the focus: a row of the tree would take Enter. */
function grabbed(event: KeyboardEvent): void {
  if (s.dialog.value || !grabKey(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function down(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (s.dialog.value) return;
  const typing = target.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
  if (event.key === "Escape" && cancelDrag()) return event.preventDefault();
  if (event.key === "Escape") (document.activeElement as HTMLElement | null)?.blur(); // a handle with the focus is chosen
  if (typing && event.key === "Escape") return;
  if (typing && !event.ctrlKey && !event.metaKey) return;
  if (target.matches("[role=treeitem], [role=menuitem]") && /^(Arrow|Enter)/.test(event.key)) return;
  if (target.matches("input[type=range]") && event.key in ARROWS) return;
  if (target.matches("button:not(.handle), summary") && event.key === " ") return;
  if (event.key in ARROWS && !event.ctrlKey && !event.metaKey) return arrow(event, target);
  const id = shortcuts.get(event.code) ?? shortcuts.get(nameOf(event));
  if (!id || (typing && !["undo", "redo", "palette", "save", "open"].includes(id))) return;
  event.preventDefault();
  if (!s.document_.value) early.push(id);
  else if (HASTY.has(id) && isAwaited()) action(id).run(); // whether there is something to undo is being decided
  else if ((id === "move" || id === "rotate") && s.keymap.value === "blender") grab(id);
  else run(id);
}

const HASTY = new Set(["undo", "redo"]);

function nameOf(event: KeyboardEvent): string {
  const letter = /^Key(.)$/.exec(event.code)?.[1];
  if (event.altKey && letter) return `Alt+${letter}`; // Alt makes other letters of them on some keyboards
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && (event.ctrlKey || event.metaKey);
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${key}`;
}

// ---- arrows ----

const held = new Set<string>();
const driven = new Set<string>();
let gesture: Gesture | null = null;
let place: Vector = [0, 0, 0];
let slow = false;
let last = 0;

function arrow(event: KeyboardEvent, target: HTMLElement): void {
  event.preventDefault();
  slow = event.shiftKey;
  const goal = s.selectedGoal.value;
  if (target.closest(".timeline") || (!goal && !s.document_.value?.demo)) {
    const [by] = ARROWS[event.key]!;
    if (by) stepFrame(by * (slow ? 10 : 1));
  } else if (!goal) {
    const axes = screenAxes();
    if (!driven.has(event.key)) send({ op: "demo.key", key: event.key, down: true, ...(axes && { right: axes.right.toArray(), up: axes.up.toArray() }) });
    driven.add(event.key);
  } else if (!held.has(event.key)) {
    held.add(event.key);
    if (gesture) return;
    const pole = s.selection.value?.kind === "pole" && goal.pole;
    gesture = pole ? dragPole(goal) : dragGoal(goal, false, goalPlace(goal).position);
    place = [...(pole ? polePlace(goal) : goalPlace(goal).position)];
    last = performance.now() - 1000 / 60; // a tap moves it too
    step(performance.now());
  }
}

function step(now: number): void {
  const goal = s.selectedGoal.value;
  const axes = screenAxes();
  if (!gesture || !goal || !axes || !held.size) return;
  const way = (Math.min(50, now - last) / 1000) * PACE * (slow ? 0.15 : 1) * s.size.value;
  last = now;
  for (const key of held) {
    const [x, y, z] = ARROWS[key]!;
    const move = axes.right.clone().multiplyScalar(x * way).addScaledVector(axes.up, y * way).addScaledVector(axes.away, z * way);
    place = [place[0] + move.x, place[1] + move.y, place[2] + move.z];
  }
  gesture.move(place, goalPlace(goal).rotation);
  requestAnimationFrame(step);
}

function up(event: KeyboardEvent): void {
  if (driven.delete(event.key)) send({ op: "demo.key", key: event.key, down: false });
  if (held.delete(event.key) && !held.size) letGo();
}

function letGo(): void {
  for (const key of driven) send({ op: "demo.key", key, down: false });
  driven.clear();
  held.clear();
  gesture?.end();
  gesture = null;
}
