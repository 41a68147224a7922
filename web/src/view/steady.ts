// Cameras that follow a walking figure.

import * as T from "three";

const STEADY = 0.06; // of the figure: in depth, where it would look larger and be cut off, and up and down
const LEASH = 0.2; // of the figure: across the picture

/**
 * Of how far a figure is from where the camera last had it, what the camera goes along with: not the sway of a figure in its
 * place, nor each step up and down, but stairs and a walk. Changes `off`. camera: along whose view its depth is.
 */
export function steadied(off: T.Vector3, size: number, camera: T.Camera): T.Vector3 {
  const away = camera.getWorldDirection(new T.Vector3()).setY(0).normalize();
  const [depth, rise] = [off.dot(away), off.y];
  const across = off.clone().addScaledVector(away, -depth).setY(0);
  across.setLength(Math.max(0, across.length() - LEASH * size));
  return off.copy(across).addScaledVector(away, beyond(depth, STEADY * size)).setY(beyond(rise, STEADY * size));
}

/** By how much a number, of either sign, is more than what is free. */
function beyond(much: number, free: number): number {
  return Math.sign(much) * Math.max(0, Math.abs(much) - free);
}
