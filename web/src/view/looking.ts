// Camera moves that other parts ask for.

import * as T from "three";
import type { Stage } from "./stage";

let stage: Stage | null = null;
let figureBox: () => { center: T.Vector3; height: number } | null = () => null;

export function setLooking(shown: Stage, box: typeof figureBox): void {
  stage = shown;
  figureBox = box;
}

export function lookFrom(x: number, y: number, z: number): void {
  stage?.lookFrom(new T.Vector3(x, y, z));
}

export function lookAtFigure(): void {
  const box = figureBox();
  if (box) stage?.fit(box.center, box.height);
}

/** Right and up on the screen, in the figure's axes. */
export function screenAxes(): { right: T.Vector3; up: T.Vector3 } | null {
  if (!stage) return null;
  const upright = stage.world.getWorldQuaternion(new T.Quaternion()).invert();
  const axis = (x: number, y: number) => new T.Vector3(x, y, 0).applyQuaternion(stage!.camera.quaternion).applyQuaternion(upright);
  return { right: axis(1, 0), up: axis(0, 1) };
}
