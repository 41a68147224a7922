// Joint angles from a joint's rotation: of hinges in a row, and swing and twist of a ball joint.

import * as T from "three";
import type { ConeLimit } from "../schema";

/** The twist of a rotation about an axis, in -π … π. */
export function turned(rotation: T.Quaternion, axis: T.Vector3): number {
  const along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
  const angle = 2 * Math.atan2(along, rotation.w);
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

export function about(axis: T.Vector3, angle: number): T.Quaternion {
  return new T.Quaternion().setFromAxisAngle(axis, angle);
}

/**
 * Angles about unit axes, each moved by those before it, that make up a rotation: of the two ways in which three axes
 * may, the one that turns less. Empty for more than three axes, which have no one answer.
 */
export function anglesOf(axes: readonly T.Vector3[], rotation: T.Quaternion): number[] {
  const [first, second, third] = axes;
  if (!first || axes.length > 3) return [];
  if (!second) return [turned(rotation, first)];
  if (!third) {
    const a = angleBetween(first, second, second.clone().applyQuaternion(rotation));
    return [a, turned(without(rotation, about(first, a)), second)];
  }
  const ways = middleAngles(first, second, third, rotation).map((b) => {
    const a = angleBetween(first, third.clone().applyAxisAngle(second, b), third.clone().applyQuaternion(rotation));
    return [a, b, turned(without(rotation, about(first, a).multiply(about(second, b))), third)];
  });
  return ways.sort((one, other) => size(one) - size(other))[0]!;
}

/** Angles b with (R₂(b) axis₃) · axis₁ as the rotation has it. */
function middleAngles(first: T.Vector3, second: T.Vector3, third: T.Vector3, rotation: T.Quaternion): number[] {
  const along = second.clone().multiplyScalar(second.dot(third));
  const across = third.clone().sub(along);
  const [x, y] = [across.dot(first), second.clone().cross(third).dot(first)];
  const wanted = third.clone().applyQuaternion(rotation).dot(first) - along.dot(first);
  const middle = Math.atan2(y, x);
  const off = Math.acos(Math.min(1, Math.max(-1, wanted / Math.max(Math.hypot(x, y), 1e-9))));
  return [middle - off, middle + off].map((angle) => Math.atan2(Math.sin(angle), Math.cos(angle)));
}

function size(angles: readonly number[]): number {
  return angles.reduce((sum, angle) => sum + angle * angle, 0);
}

function without(rotation: T.Quaternion, first: T.Quaternion): T.Quaternion {
  return first.clone().invert().multiply(rotation);
}

function angleBetween(axis: T.Vector3, from: T.Vector3, to: T.Vector3): number {
  return Math.atan2(axis.dot(from.clone().cross(to)), from.dot(to) - axis.dot(from) * axis.dot(to));
}

export interface Lean {
  swing: number;
  twist: number;
  /** The rotation without its twist, the cone's centre included: where the twist is measured. */
  leant: T.Quaternion;
}

/** rotation = centre · swing · twist, as the session measures it. */
export function leanOf(cone: ConeLimit, rotation: T.Quaternion): Lean {
  const axis = new T.Vector3(...cone.axis).normalize();
  const [w, x, y, z] = cone.center;
  const center = new T.Quaternion(x, y, z, w);
  const twist = turned(without(rotation, center), axis);
  const leant = rotation.clone().multiply(about(axis, -twist));
  const swing = axis.clone().applyQuaternion(center).angleTo(axis.clone().applyQuaternion(rotation));
  return { swing, twist, leant };
}
