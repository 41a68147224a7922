// What carries a figure: the centre of mass, and the convex shape of what stands. Also for pages without the studio.

import * as T from "three";
import type { BodyShape, SoleShape } from "../schema";
import type { Figure } from "../solver";

export type Point = [x: number, z: number];

/** The corners of the smallest convex shape about points, in order. */
export function hull(points: readonly T.Vector3[]): T.Vector3[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.z - b.z);
  const turns = (o: T.Vector3, a: T.Vector3, b: T.Vector3) => (a.x - o.x) * (b.z - o.z) - (a.z - o.z) * (b.x - o.x);
  const half = (list: readonly T.Vector3[]) => {
    const found: T.Vector3[] = [];
    for (const point of list) {
      while (found.length > 1 && turns(found.at(-2)!, found.at(-1)!, point) <= 0) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** How far a point is inside a convex shape, below 0 outside, and the nearest place on its edge. */
export function inside(corners: readonly T.Vector3[], [x, z]: Point): { depth: number; edge: Point } {
  let [best, edge, isIn]: [number, Point, boolean] = [Infinity, [x, z], corners.length > 2];
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length]!;
    const [dx, dz] = [b.x - a.x, b.z - a.z];
    const share = Math.min(1, Math.max(0, ((x - a.x) * dx + (z - a.z) * dz) / (dx * dx + dz * dz || 1)));
    const at: Point = [a.x + share * dx, a.z + share * dz];
    const off = Math.hypot(x - at[0], z - at[1]);
    if (off < best) [best, edge] = [off, at];
    if (dx * (z - a.z) - dz * (x - a.x) < 0) isIn = false;
  });
  return { depth: isIn ? best : -best, edge };
}

/** A point in a joint's frame, which is changed, in the world. */
export type InWorld = (joint: number, at: T.Vector3) => T.Vector3;

/** The same by the frames of a pose of the page's solver, in the figure's own axes. */
export function inPose(figure: Figure, pose: ArrayLike<number>): InWorld {
  const frames = figure.world(pose), frame = new T.Matrix4();
  return (joint, at) => at.applyMatrix4(frame.fromArray(frames, 16 * joint));
}

const [CODE, FREE] = [1, 2]; // of a joint's row: its kind, and that of a floating joint

/** Whether a joint moves the whole figure. */
export function movesAll({ names, record }: Figure, joint: string): boolean {
  const at = names.indexOf(joint);
  return at === record.aliases.hips || at === record.body?.segments[0] || record.joint[at]![CODE] === FREE;
}

/** The centre of mass. */
export function massCenter({ masses, centers }: BodyShape, inWorld: InWorld): T.Vector3 {
  const [sum, at] = [new T.Vector3(), new T.Vector3()];
  let all = 0;
  masses.forEach((mass, joint) => {
    if (!mass) return;
    sum.addScaledVector(inWorld(joint, at.fromArray(centers, 3 * joint)), mass);
    all += mass;
  });
  return sum.divideScalar(all || 1);
}

/** The corners of a sole. */
export function cornersOf(sole: SoleShape, inWorld: InWorld): T.Vector3[] {
  return sole.joints.map((joint, k) => inWorld(joint, new T.Vector3().fromArray(sole.points, 3 * k)));
}
