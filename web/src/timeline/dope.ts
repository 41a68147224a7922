// The dope sheet: a row per goal and a summary row; keys are clicked, box-selected, dragged, copied (Alt), rippled (Shift).

import { onCancel } from "../gestures";
import { send } from "../link";
import { goTo } from "../playback";
import type { GoalKey } from "../schema";
import * as s from "../store";
import { chosenKeys, choseInTimeline, keyNames, span } from "./editing";
import * as m from "./timeline-model";
import { colorsOf, drawKey, drawPlayhead, drawRuler, fresh, RULER } from "./paint";

export const ROW = 24;
const TOP = RULER + 2;

interface Drag {
  kind: "keys" | "box" | "scrub";
  start: [x: number, y: number];
  now: [x: number, y: number];
  by: number;
  copy: boolean;
  ripple: boolean;
  before: ReadonlySet<string>;
  alone: readonly string[]; // what a click that stays where it is chooses
}

let drag: Drag | null = null;

export function drawDope(canvas: HTMLCanvasElement, scroll: number): void {
  const colors = colorsOf(canvas);
  const { ink, width, height } = fresh(canvas, colors);
  drawRuler(ink, span.value, width, height, colors);
  const rows = m.rowsOf(s.goals.value);
  const chosen = chosenKeys.value;
  const moves = drag?.kind === "keys" && drag.by ? m.moving(s.goals.value, chosen, drag.ripple) : new Set<string>();
  const idsOf = (is: (key: GoalKey) => boolean) => new Set(s.goals.value.flatMap((goal) => goal.keys.filter(is).map((key) => m.idOf(goal.name, key.frame))));
  const goesAlong = (name: string) => !s.document_.value?.clip && s.goals.value.some((goal) => goal.name === name && goal.loose);
  const [steps, turned] = [idsOf((key) => key.interpolation === "step"), idsOf((key) => key.enabled === false)];
  ink.save();
  ink.beginPath();
  ink.rect(0, RULER + 1, width, height);
  ink.clip();
  rows.forEach((row, index) => {
    const y = TOP + index * ROW - scroll;
    ink.fillStyle = colors.line;
    ink.globalAlpha = 0.5;
    ink.fillRect(0, y + ROW - 1, width, 1);
    if (row.name === s.selectedGoal.value?.name) {
      ink.globalAlpha = 0.12;
      ink.fillStyle = colors.accent;
      ink.fillRect(0, y, width, ROW - 1);
    }
    ink.globalAlpha = 1;
    for (const key of row.keys) {
      const moved = key.ids.some((id) => moves.has(id));
      const look = {
        size: 7,
        square: key.ids.every((id) => steps.has(id)),
        chosen: key.ids.some((id) => chosen.has(id)),
        pole: key.pole ?? false,
        hollow: key.ids.every((id) => turned.has(id)),
        half: goesAlong(row.name),
        fill: row.name === m.SUMMARY ? colors.text : colors.key,
        ring: colors.back,
      };
      if (look.chosen) Object.assign(look, { fill: colors.accent, ring: colors.text });
      if (!moved || drag?.copy) drawKey(ink, m.xOf(span.value, key.frame), y + ROW / 2, look);
      if (moved) drawKey(ink, m.xOf(span.value, key.frame + drag!.by), y + ROW / 2, look);
    }
  });
  if (drag?.kind === "box") {
    ink.fillStyle = ink.strokeStyle = colors.accent;
    const box = [drag.start[0], drag.start[1], drag.now[0] - drag.start[0], drag.now[1] - drag.start[1]] as const;
    ink.globalAlpha = 0.15;
    ink.fillRect(...box);
    ink.globalAlpha = 1;
    ink.strokeRect(...box);
  }
  ink.restore();
  drawPlayhead(ink, span.value, height, colors);
}

export function pressDope(event: PointerEvent, canvas: HTMLCanvasElement, scroll: number, redraw: () => void): void {
  if (event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  const at = placeOf(event, canvas);
  const rows = m.rowsOf(s.goals.value);
  const row = m.rowAt(at[1] + scroll, ROW, TOP);
  const ids = at[1] > RULER ? m.hit(rows[row], span.value, at[0]) : [];
  const kind = at[1] <= RULER ? "scrub" : ids.length ? "keys" : "box";
  const add = event.ctrlKey || event.metaKey || (event.shiftKey && kind === "box");
  drag = { kind, start: at, now: at, by: 0, copy: false, ripple: false, before: add ? chosenKeys.value : new Set(), alone: add ? [] : ids };
  if (kind === "scrub") goTo(m.frameAt(span.value, at[0]));
  else chosenKeys.value = kind === "box" ? drag.before : m.clicked(chosenKeys.value, ids, add);
  if (kind !== "scrub") choseInTimeline(rows[row]?.name ?? "");
  const follow = (move: PointerEvent) => {
    if (drag) follows(placeOf(move, canvas), move, rows, scroll);
    redraw();
  };
  const over = onCancel(() => {
    if (drag) chosenKeys.value = drag.before;
    drag = null;
    redraw();
  });
  const release = () => {
    over();
    canvas.removeEventListener("pointermove", follow);
    if (drag) finish(drag);
    drag = null;
    redraw();
  };
  canvas.addEventListener("pointermove", follow);
  canvas.addEventListener("lostpointercapture", release, { once: true });
}

function follows(at: [number, number], move: PointerEvent, rows: readonly m.Row[], scroll: number): void {
  if (!drag) return;
  drag.now = at;
  if (drag.kind === "scrub") goTo(m.frameAt(span.value, at[0]));
  else if (drag.kind === "keys") {
    drag.copy = move.altKey;
    drag.ripple = move.shiftKey && !move.altKey;
    drag.by = m.allowedMove(s.goals.value, chosenKeys.value, (at[0] - drag.start[0]) / span.value.scale, drag.ripple);
  } else {
    const rowOf = (y: number) => m.rowAt(y + scroll, ROW, TOP);
    const boxed = m.boxed(rows, span.value, [drag.start[0], rowOf(drag.start[1])], [at[0], rowOf(at[1])]);
    chosenKeys.value = new Set([...drag.before, ...boxed]);
  }
}

function finish(done: Drag): void {
  if (done.kind === "keys" && !done.by && done.alone.length && done.now === done.start) chosenKeys.value = new Set(done.alone);
  if (done.kind !== "keys" || !done.by) return;
  moveKeys(done.by, done.copy, done.ripple);
}

/** Moves the chosen keys by some frames; they stay chosen. */
export function moveKeys(by: number, copy: boolean, ripple: boolean): void {
  const after = m.movedBy(chosenKeys.value, by);
  if (send({ op: "key.move", keys: keyNames.value, by, copy, ripple })) pending = { ids: after, at: performance.now() };
}

// The choice follows its keys as soon as the session has moved them.
let pending: { ids: Set<string>; at: number } | null = null;
export function settleChoice(): void {
  if (!pending) return;
  const there = m.existing(s.goals.value, pending.ids);
  if (there.size === pending.ids.size) chosenKeys.value = there;
  if (there.size === pending.ids.size || performance.now() - pending.at > 2000) pending = null;
}

export function placeOf(event: PointerEvent, canvas: HTMLCanvasElement): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}
