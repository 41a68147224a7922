// Rotations as people type them.

import type { Quaternion, Vector } from "../schema";

const DEGREE = Math.PI / 180;

/** Rotations about the fixed axes x, then y, then z, in degrees. */
export function degreesOf([w, x, y, z]: Quaternion): Vector {
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  const about = [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
  return about.map((angle) => angle / DEGREE) as Vector;
}

export function quaternionOf(degrees: Vector): Quaternion {
  const [a, b, c] = degrees.map((angle) => (angle * DEGREE) / 2) as Vector;
  const [sa, sb, sc, ca, cb, cc] = [Math.sin(a), Math.sin(b), Math.sin(c), Math.cos(a), Math.cos(b), Math.cos(c)];
  return [ca * cb * cc + sa * sb * sc, sa * cb * cc - ca * sb * sc, ca * sb * cc + sa * cb * sc, ca * cb * sc - sa * sb * cc];
}
