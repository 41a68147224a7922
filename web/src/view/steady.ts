// Cameras that follow a walking figure.

import type * as T from "three";

const STEADY = 0.06; // of the figure

/** Of a figure's step what is gone along with: up and down on stairs, not at each step. Changes `step`. */
export function steadied(step: T.Vector3, size: number): T.Vector3 {
  step.y = Math.sign(step.y) * Math.max(0, Math.abs(step.y) - STEADY * size);
  return step;
}
