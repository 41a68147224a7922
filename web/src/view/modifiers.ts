// Modifier keys during a drag: Shift is slow, Ctrl snaps.

import * as T from "three";
import { snap, snapTo } from "../store";
import { bodyJoints } from "./body-joints";
import type { FigureView } from "./figure";
import { nearOn, solids } from "./snap-mesh";
import type { Stage } from "./stage";

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

const NEAR = 18; // pixels in which a joint, a corner or an edge draws what is dragged

/** Where what is dragged to a place of the scene snaps to; the place itself where nothing is near. */
export function snappedPlace(stage: Stage, figure: FigureView, own: number, at: T.Vector3, event: PointerEvent): T.Vector3 {
  if (snapTo.value === "corners" || snapTo.value === "edges") {
    const box = stage.canvas.getBoundingClientRect();
    return nearOn(stage, snapTo.value, event.clientX - box.left, event.clientY - box.top, NEAR) ?? at;
  }
  if (snapTo.value === "joints") return nearJoint(stage, figure, own, event) ?? at;
  if (snapTo.value === "ground") return onGround(stage, event) ?? at;
  return stage.world.localToWorld(snapped(stage.world.worldToLocal(at.clone()), gridStep(figure.height)));
}

/** The joint of the body under the pointer, of those that do not hang on what is dragged. */
function nearJoint(stage: Stage, figure: FigureView, own: number, event: PointerEvent): T.Vector3 | null {
  const box = stage.canvas.getBoundingClientRect();
  let [best, found]: [number, T.Vector3 | null] = [NEAR, null];
  const isOfBody = bodyJoints(figure);
  figure.joints.forEach((_, joint) => {
    if (!isOfBody[joint]) return;
    for (let from = joint; from >= 0; from = figure.event.parents[from] ?? -1) if (from === own) return;
    const place = figure.place(joint);
    const seen = stage.project(place);
    const off = Math.hypot(event.clientX - box.left - seen.x, event.clientY - box.top - seen.y);
    if (seen.visible && off < best) [best, found] = [off, place];
  });
  return found;
}

/** The ground, or what stands on it, under the pointer. */
function onGround(stage: Stage, event: PointerEvent): T.Vector3 | null {
  const caster = stage.ray(event.clientX, event.clientY);
  const hit = caster.intersectObjects(solids(stage), false)[0]?.point ?? null;
  const level = caster.ray.intersectPlane(new T.Plane(new T.Vector3(0, 1, 0)), new T.Vector3());
  if (!hit || !level) return hit ?? level;
  return hit.distanceTo(stage.camera.position) < level.distanceTo(stage.camera.position) ? hit : level;
}
