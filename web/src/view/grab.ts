// G and R as in Blender: what is chosen moves or turns with the mouse at once; X, Y or Z keeps to an axis, Shift with one of
// them to the plane across it; a number says how far, and a click or Enter sets it.

import { cancelDrag, onCancel } from "../gestures";
import { grabbing, tool, up } from "../store";
import type { Gizmo } from "./gizmo";

type Tool = typeof tool.value;
type Grabbed = NonNullable<typeof grabbing.value>;

const mouse = { x: 0, y: 0, isOver: false };
let gizmo: Gizmo | null = null;
let from = { x: 0, y: 0 };
let over = () => {};
let before: Tool = tool.value; // the one that stays chosen when what is taken is let go

addEventListener("pointermove", heed, true);
addEventListener("pointerdown", press, true);
addEventListener("contextmenu", (event) => mouse.isOver && grabbing.value && event.preventDefault(), true);

export function setGrab(own: Gizmo): void {
  gizmo = own;
}

/** Takes what is chosen, where the mouse is over the picture; else only the tool is chosen. */
export function grab(mode: Tool): void {
  if (!grabbing.value) before = tool.value;
  tool.value = mode;
  if (!mouse.isOver || !gizmo || grabbing.value) return;
  from = { x: mouse.x, y: mouse.y };
  if (!gizmo.grasp(mode === "move" ? "XYZ" : "E", from)) return;
  grabbing.value = { mode, axes: "", typed: "" };
  over = onCancel(done);
}

/** What a key does meanwhile; false where nothing is grabbed. */
export function grabKey(event: KeyboardEvent): boolean {
  const now = grabbing.value;
  if (!now || event.key === "Escape" || event.key === "Shift" || event.key === "Control") return false;
  const key = event.key.toUpperCase();
  if (key === "ENTER" || key === " ") set();
  else if (/^[XYZ]$/.test(key)) keepTo(now, event.shiftKey && now.mode === "move" ? "XYZ".replace(key, "") : key);
  else type(now, key);
  return true;
}

/** Along one axis of the figure or in a plane, or freely again. */
function keepTo(now: Grabbed, axes: string): void {
  const next = { ...now, axes: now.axes === axes ? "" : axes };
  const lies = up.value === "z";
  const inScene = [...next.axes].map((axis) => (lies ? ({ Y: "Z", Z: "Y" }[axis] ?? axis) : axis)).sort().join("");
  gizmo!.grasp(inScene || (now.mode === "move" ? "XYZ" : "E"), from);
  follow(next);
}

/** A number is typed, as in Blender: minus turns it round, wherever it is pressed. */
function type(now: Grabbed, key: string): void {
  const { typed } = now;
  let next = typed;
  if (key === "BACKSPACE") next = typed.slice(0, -1);
  else if (key === "-") next = typed.startsWith("-") ? typed.slice(1) : `-${typed}`;
  else if (/^[.,]$/.test(key) && !typed.includes(".")) next = `${typed}.`;
  else if (/^\d$/.test(key)) next = typed + key;
  if (next !== typed) follow({ ...now, typed: next });
}

/** By the number, where there is one, else by the mouse. */
function follow(now: Grabbed): void {
  grabbing.value = now;
  if (/\d/.test(now.typed)) gizmo!.goBy(now.axes, Number(now.typed));
  else gizmo!.pull(mouse);
}

function heed(event: PointerEvent): void {
  Object.assign(mouse, { x: event.clientX, y: event.clientY, isOver: Boolean((event.target as Element).closest?.(".viewport")) });
  if (grabbing.value && !/\d/.test(grabbing.value.typed)) gizmo?.pull(mouse);
}

function press(event: PointerEvent): void {
  if (!grabbing.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.button === 0) set();
  else cancelDrag();
}

function set(): void {
  gizmo?.release();
  over();
  done();
}

function done(): void {
  grabbing.value = null;
  tool.value = before;
}
