// Cameras that follow a walking figure.

import type * as T from "three";

const STEADY = 0.06; // of the figure: up and down
const LEASH = 0.2; // of the figure: over the ground

/**
 * Of how far a figure is from where the camera last had it, what the camera goes along with: not the sway of a figure in its
 * place, nor each step up and down, but stairs and a walk. Changes `off`.
 */
export function steadied(off: T.Vector3, size: number): T.Vector3 {
  const across = Math.hypot(off.x, off.z);
  const share = Math.max(0, across - LEASH * size) / (across || 1);
  return off.set(off.x * share, Math.sign(off.y) * Math.max(0, Math.abs(off.y) - STEADY * size), off.z * share);
}
