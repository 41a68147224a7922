// How a goal is turned between its keys, by the same curves in the tangent space of rotations as the session's
// (posable.clips: interpolated, key_velocities).

import * as T from "three";
import type { GoalKey, Quaternion } from "../schema";

const of = ([w, x, y, z]: Quaternion) => new T.Quaternion(x, y, z, w);

/** The rotation vector from one rotation to another, in the frame of the first. */
function minus(to: T.Quaternion, from: T.Quaternion): T.Vector3 {
  const { x, y, z, w } = from.clone().invert().multiply(to);
  const sine = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1);
  return new T.Vector3(x, y, z).multiplyScalar(sine > 1e-12 ? angle / sine : 2);
}

function plus(from: T.Quaternion, by: T.Vector3): T.Quaternion {
  const angle = by.length();
  const turn = angle > 1e-12 ? new T.Quaternion().setFromAxisAngle(by.clone().divideScalar(angle), angle) : new T.Quaternion();
  return from.clone().multiply(turn);
}

/** `[key]` the change a frame at each key, in the tangent space there: of the parabola through it and its neighbours, none
 * at the first and the last. */
function slopes(keys: readonly T.Quaternion[], frames: readonly number[], monotone: boolean): T.Vector3[] {
  const last = keys.length - 1;
  const span = (k: number) => frames[k + 1]! - frames[k]!;
  const ahead = keys.slice(0, -1).map((key, k) => minus(keys[k + 1]!, key).divideScalar(span(k)));
  const behind = keys.slice(1).map((key, k) => minus(keys[k]!, key).divideScalar(-span(k)));
  const none = new T.Vector3();
  return keys.map((_, k) => {
    if (!k || k === last) return none.clone();
    const row = behind[k - 1]!.clone().multiplyScalar(span(k)).addScaledVector(ahead[k]!, span(k - 1)).divideScalar(span(k - 1) + span(k));
    return monotone ? limited(row, behind[k - 1]!, ahead[k]!) : row;
  });
}

function limited(row: T.Vector3, left: T.Vector3, right: T.Vector3): T.Vector3 {
  const [a, b, c] = [row.toArray(), left.toArray(), right.toArray()] as const;
  const kept = a.map((value, axis) => {
    const [before, after] = [b[axis]!, c[axis]!];
    const most = 3 * Math.min(Math.abs(before), Math.abs(after));
    return before * after > 0 && before * value > 0 ? Math.min(most, Math.max(-most, value)) : 0;
  });
  return new T.Vector3().fromArray(kept);
}

/** The rotation at a frame. */
export function rotationAt(keys: readonly GoalKey[], frame: number): Quaternion {
  const last = keys.length - 1;
  if (frame <= keys[0]!.frame) return keys[0]!.rotation;
  if (frame >= keys[last]!.frame) return keys[last]!.rotation;
  const i = keys.findIndex((key) => key.frame > frame) - 1;
  const [a, b] = [keys[i]!, keys[i + 1]!];
  if (a.interpolation === "step") return a.rotation;
  const [from, to, length] = [of(a.rotation), of(b.rotation), b.frame - a.frame];
  const u = (frame - a.frame) / length;
  let found = plus(from, minus(to, from).multiplyScalar(u));
  if (a.interpolation !== "linear") {
    const all = slopes(keys.map((key) => of(key.rotation)), keys.map((key) => key.frame), a.interpolation === "monotone");
    const [first, end] = [all[i]!.multiplyScalar(length / 3), all[i + 1]!.multiplyScalar(length / 3)];
    const across = minus(plus(to, end.clone().negate()), plus(from, first));
    found = plus(plus(plus(from, first.multiplyScalar(1 - (1 - u) ** 3)), across.multiplyScalar(u * u * (3 - 2 * u))), end.multiplyScalar(u ** 3));
  }
  return [found.w, found.x, found.y, found.z];
}
