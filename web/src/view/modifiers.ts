// Modifier keys during a drag: Shift is slow, Ctrl snaps.

import * as T from "three";
import { snap } from "../store";

export const modifiers = { slow: false, snap: false };

function heed(event: KeyboardEvent | PointerEvent): void {
  modifiers.slow = event.shiftKey;
  modifiers.snap = event.ctrlKey || event.metaKey;
}
for (const name of ["keydown", "keyup", "pointermove", "pointerdown"] as const) addEventListener(name, heed, true);
addEventListener("blur", () => Object.assign(modifiers, { slow: false, snap: false }));

export const SLOW = 0.1;
export const TURN_STEP = Math.PI / 12;

export function snapping(): boolean {
  return modifiers.snap !== snap.value;
}

/** The grid that a figure of this height snaps to: 1, 2 or 5 of a decade, about 1/40 of it. */
export function gridStep(height: number): number {
  const decade = 10 ** Math.floor(Math.log10(height / 40));
  const share = height / 40 / decade;
  return decade * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

export function snapped(point: T.Vector3, step: number): T.Vector3 {
  return new T.Vector3(...point.toArray().map((value) => Math.round(value / step) * step));
}
