// Joint limits as dials, in the joint's own frame before it moves: the sector of a hinge, the cone of a ball's lean, the
// ring of its twist. A dial says what is drawn and where its ends are held.

import * as T from "three";
import type { AxisLimit, ConeLimit, Limits } from "../schema";
import { about, anglesOf, leanOf } from "./joint-angles";

const STEPS = 40;
const NEAR = (1.5 * Math.PI) / 180; // from a limit: a joint that is held there stands at it
const FREE = 2 * Math.PI - 1e-3; // a range as wide as this is none
const [RING_AT, RING] = [0.62, 0.3]; // where on the bone a twist is drawn, and how large

export type End = "lower" | "upper";

export interface Dial {
  part: "axis" | "swing" | "twist";
  index: number; // of the axis
  name: string;
  center: T.Vector3;
  axis: T.Vector3; // angles are counted about it
  zero: T.Vector3; // from the centre to where an angle of 0 is
  lower: number | null;
  upper: number | null;
  now: number | null;
}

export function pointAt(dial: Dial, angle: number): T.Vector3 {
  return dial.zero.clone().applyAxisAngle(dial.axis, angle).add(dial.center);
}

/** A direction square to the axis, nearest to where the bone points: where an angle of 0 is drawn. */
export function zeroDirection(axis: T.Vector3, bone: T.Vector3): T.Vector3 {
  const flat = bone.clone().addScaledVector(axis, -bone.dot(axis));
  if (flat.length() > 0.1 * bone.length() && bone.length() > 0) return flat.normalize();
  const other = Math.abs(axis.x) < 0.8 ? new T.Vector3(1, 0, 0) : new T.Vector3(0, 1, 0);
  return other.addScaledVector(axis, -other.dot(axis)).normalize();
}

/** now: the joint's rotation since it rested. view: from the eye, so that a cone is held at its outline. */
export function dialsOf(limits: Limits, bone: T.Vector3, now: T.Quaternion, view: T.Vector3): Dial[] {
  return [...axisDials(limits.axes, bone, now), ...(limits.cone ? coneDials(limits.cone, now, view) : [])];
}

function axisDials(axes: readonly AxisLimit[], bone: T.Vector3, now: T.Quaternion): Dial[] {
  const turning = axes.map((limit, index) => ({ limit, index })).filter(({ limit }) => !limit.slide);
  const directions = turning.map(({ limit }) => new T.Vector3(...limit.direction).normalize());
  const angles = anglesOf(directions, now);
  const before = new T.Quaternion();
  return turning.map(({ limit, index }, k): Dial => {
    const own = directions[k]!;
    const axis = own.clone().applyQuaternion(before);
    const { name, reference, lower, upper } = limit;
    const zero = zeroDirection(own, bone).applyAxisAngle(own, -reference).applyQuaternion(before);
    const angle = angles[k] ?? 0;
    before.multiply(about(own, angle));
    return { part: "axis", index, name, center: new T.Vector3(), axis, zero, lower, upper, now: angles.length ? angle + reference : null };
  });
}

function coneDials(cone: ConeLimit, now: T.Quaternion, view: T.Vector3): Dial[] {
  const own = new T.Vector3(...cone.axis).normalize();
  const [w, x, y, z] = cone.center;
  const middle = own.clone().applyQuaternion(new T.Quaternion(x, y, z, w));
  const { swing, twist, leant } = leanOf(cone, now);
  const across = view.clone().addScaledVector(middle, -view.dot(middle));
  const axis = across.length() > 0.1 * view.length() ? across.normalize() : zeroDirection(middle, new T.Vector3(0, 0, 1));
  const limit = cone.swing !== null && cone.swing < Math.PI - 1e-3 ? cone.swing : null;
  const dials: Dial[] = [
    { part: "swing", index: 0, name: "swing", center: new T.Vector3(), axis, zero: middle, lower: limit === null ? null : -limit, upper: limit, now: swing },
  ];
  const { lower, upper } = cone;
  if (lower === null || upper === null || upper - lower > FREE) return dials;
  const along = own.clone().applyQuaternion(leant);
  const zero = zeroDirection(own, new T.Vector3(0, 0, 1)).applyQuaternion(leant).multiplyScalar(RING);
  dials.push({ part: "twist", index: 0, name: "twist", center: along.clone().multiplyScalar(RING_AT), axis: along, zero, lower, upper, now: twist });
  return dials;
}

/** The ends of a blocking limit: all within a degree or so, else the nearest. */
export function activeEnds(dials: readonly Dial[]): Set<string> {
  const margins = dials.flatMap((dial) => {
    if (dial.now === null) return [];
    const off = { lower: dial.lower === null ? Infinity : dial.now - dial.lower, upper: dial.upper === null ? Infinity : dial.upper - dial.now };
    if (dial.part === "swing") off.lower = off.upper;
    return (["lower", "upper"] as const).map((end) => ({ end: endName(dial, end), off: off[end] }));
  });
  const least = Math.min(...margins.map(({ off }) => off));
  return new Set(margins.filter(({ off }) => Number.isFinite(off) && off <= Math.max(NEAR, least)).map(({ end }) => end));
}

export function endName(dial: Dial, end: End): string {
  return `${dial.part} ${dial.index} ${end}`;
}

export interface Shape {
  fill: number[]; // triangles
  rim: number[]; // segments
}

export function shapeOf(dial: Dial): Shape {
  return dial.part === "swing" ? coneShape(dial) : sectorShape(dial);
}

function sectorShape(dial: Dial): Shape {
  const from = dial.lower ?? -Math.PI;
  const to = dial.upper ?? Math.PI;
  const shape: Shape = { fill: [], rim: [] };
  const center = dial.center.toArray();
  for (let i = 0; i < STEPS; i++) {
    const a = pointAt(dial, from + ((to - from) * i) / STEPS).toArray();
    const b = pointAt(dial, from + ((to - from) * (i + 1)) / STEPS).toArray();
    shape.fill.push(...center, ...a, ...b);
    shape.rim.push(...a, ...b);
  }
  if (dial.lower !== null) shape.rim.push(...center, ...pointAt(dial, from).toArray());
  if (dial.upper !== null) shape.rim.push(...center, ...pointAt(dial, to).toArray());
  return shape;
}

function coneShape(dial: Dial): Shape {
  const shape: Shape = { fill: [], rim: [] };
  if (dial.upper === null) return shape;
  const rim = pointAt(dial, dial.upper);
  const at = (i: number) => rim.clone().applyAxisAngle(dial.zero, (2 * Math.PI * i) / STEPS).toArray();
  for (let i = 0; i < STEPS; i++) {
    shape.fill.push(0, 0, 0, ...at(i), ...at(i + 1));
    shape.rim.push(...at(i), ...at(i + 1));
    if (i % 10 === 0) shape.rim.push(0, 0, 0, ...at(i));
  }
  return shape;
}

/** The joint's current direction, from the dial's centre. */
export function needleOf(dial: Dial, cone: ConeLimit | null, now: T.Quaternion): T.Vector3 | null {
  if (dial.part === "swing") return cone && new T.Vector3(...cone.axis).normalize().applyQuaternion(now);
  return dial.now === null ? null : pointAt(dial, dial.now).sub(dial.center);
}
