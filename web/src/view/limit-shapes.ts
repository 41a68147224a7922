// Shapes of joint limits, in the joint's own frame before it moves: sectors of hinges, cones and twists of balls.

import * as T from "three";
import type { AxisLimit, ConeLimit, Limits } from "../schema";

const STEPS = 40;

/** A direction square to the axis, nearest to where the bone points: where an angle of 0 is drawn. */
export function zeroDirection(axis: T.Vector3, bone: T.Vector3): T.Vector3 {
  const flat = bone.clone().addScaledVector(axis, -bone.dot(axis));
  if (flat.length() > 0.1 * bone.length() && bone.length() > 0) return flat.normalize();
  const other = Math.abs(axis.x) < 0.8 ? new T.Vector3(1, 0, 0) : new T.Vector3(0, 1, 0);
  return other.addScaledVector(axis, -other.dot(axis)).normalize();
}

export function turned(quaternion: T.Quaternion, axis: T.Vector3): number {
  const along = quaternion.x * axis.x + quaternion.y * axis.y + quaternion.z * axis.z;
  const angle = 2 * Math.atan2(along, quaternion.w);
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

export interface Shape {
  fill: number[]; // triangles
  rim: number[]; // segments
  needle: T.Vector3 | null; // where the joint is now, length 1
  name: string;
}

export function axisShape(limit: AxisLimit, bone: T.Vector3, now: T.Quaternion): Shape {
  const axis = new T.Vector3(...limit.direction).normalize();
  const zero = zeroDirection(axis, bone);
  const from = limit.lower ?? -Math.PI;
  const to = limit.upper ?? Math.PI;
  const at = (angle: number, size = 1) => zero.clone().applyAxisAngle(axis, angle).multiplyScalar(size);
  const shape: Shape = { fill: [], rim: [], needle: at(turned(now, axis)), name: limit.name };
  for (let i = 0; i < STEPS; i++) {
    const a = at(from + ((to - from) * i) / STEPS);
    const b = at(from + ((to - from) * (i + 1)) / STEPS);
    shape.fill.push(0, 0, 0, ...a.toArray(), ...b.toArray());
    shape.rim.push(...a.toArray(), ...b.toArray());
  }
  if (limit.lower !== null) shape.rim.push(0, 0, 0, ...at(from).toArray());
  if (limit.upper !== null) shape.rim.push(0, 0, 0, ...at(to).toArray());
  return shape;
}

export function coneShape(cone: ConeLimit, now: T.Quaternion): Shape {
  const own = new T.Vector3(...cone.axis).normalize();
  const [w, x, y, z] = cone.center;
  const middle = own.clone().applyQuaternion(new T.Quaternion(x, y, z, w));
  const side = zeroDirection(middle, new T.Vector3(0, 0, 1));
  const swing = cone.swing ?? Math.PI;
  const rimAt = (turn: number) => {
    const lean = side.clone().applyAxisAngle(middle, turn);
    return middle.clone().multiplyScalar(Math.cos(swing)).addScaledVector(lean, Math.sin(swing));
  };
  const shape: Shape = { fill: [], rim: [], needle: own.clone().applyQuaternion(now), name: "swing" };
  for (let i = 0; i < STEPS; i++) {
    const a = rimAt((2 * Math.PI * i) / STEPS).toArray();
    const b = rimAt((2 * Math.PI * (i + 1)) / STEPS).toArray();
    if (cone.swing !== null) shape.fill.push(0, 0, 0, ...a, ...b);
    shape.rim.push(...a, ...b);
    if (i % 10 === 0 && cone.swing !== null) shape.rim.push(0, 0, 0, ...a);
  }
  return shape;
}

export function shapesOf(limits: Limits, bone: T.Vector3, now: T.Quaternion): Shape[] {
  const shapes = limits.axes.filter((axis) => !axis.slide).map((axis) => axisShape(axis, bone, now));
  return limits.cone ? [...shapes, coneShape(limits.cone, now)] : shapes;
}
