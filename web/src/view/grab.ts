// G and R as in Blender: what is chosen moves or turns with the mouse at once; X, Y or Z keeps to an axis, a click sets.

import { cancelDrag, onCancel } from "../gestures";
import { grabbing, tool, up } from "../store";
import type { Gizmo } from "./gizmo";

type Tool = typeof tool.value;

const mouse = { x: 0, y: 0, isOver: false };
let gizmo: Gizmo | null = null;
let from = { x: 0, y: 0 };
let over = () => {};

addEventListener("pointermove", heed, true);
addEventListener("pointerdown", press, true);
addEventListener("contextmenu", (event) => mouse.isOver && grabbing.value && event.preventDefault(), true);

export function setGrab(own: Gizmo): void {
  gizmo = own;
}

/** Takes what is chosen, where the mouse is over the picture; else only the tool is chosen. */
export function grab(mode: Tool): void {
  tool.value = mode;
  if (!mouse.isOver || !gizmo || grabbing.value) return;
  from = { x: mouse.x, y: mouse.y };
  if (!gizmo.grasp(mode === "move" ? "XYZ" : "E", from)) return;
  grabbing.value = { mode, axis: "" };
  over = onCancel(done);
}

/** What a key does meanwhile; false where nothing is grabbed. */
export function grabKey(event: KeyboardEvent): boolean {
  const now = grabbing.value;
  if (!now || event.key === "Escape" || event.key === "Shift" || event.key === "Control") return false;
  const key = event.key.toUpperCase();
  if (key === "ENTER" || key === " ") set();
  else if (/^[XYZ]$/.test(key)) keepTo(now.axis === key ? "" : key);
  return true;
}

/** Along one axis of the figure, or freely again. */
function keepTo(axis: string): void {
  const now = grabbing.value!;
  const inScene = up.value === "z" ? ({ Y: "Z", Z: "Y" }[axis] ?? axis) : axis;
  gizmo!.grasp(inScene || (now.mode === "move" ? "XYZ" : "E"), from);
  gizmo!.pull(mouse);
  grabbing.value = { ...now, axis };
}

function heed(event: PointerEvent): void {
  Object.assign(mouse, { x: event.clientX, y: event.clientY, isOver: Boolean((event.target as Element).closest?.(".viewport")) });
  if (grabbing.value) gizmo?.pull(mouse);
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
}
