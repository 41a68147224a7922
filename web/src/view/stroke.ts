// One stroke of the brush as it is drawn: the session's own arithmetic (posable.skin.weights.paint_weights), on what is seen,
// until the session says what the weights are.

import * as T from "three";
import type { brush } from "../store";
import type { FigureView } from "./figure";
import { stillMeshes } from "./still";

type Brush = typeof brush.value;

interface Part {
  mesh: T.SkinnedMesh;
  joints: T.BufferAttribute;
  weights: T.BufferAttribute;
  before: { joints: ArrayLike<number>; weights: ArrayLike<number> };
  sides: { bone: number; places: Float32Array; nearest: Float32Array }[]; // the joint, and its mirror image
}

export class Stroke {
  private readonly parts: Part[] = [];
  private readonly radius: number;

  constructor(figure: FigureView, joint: number, private readonly brush: Brush) {
    this.radius = brush.radius * figure.height;
    for (const still of stillMeshes(figure)) {
      const mesh = still.userData.of as T.Mesh;
      if (!(mesh instanceof T.SkinnedMesh)) continue;
      const partner = figure.event.mirror?.partners[joint];
      const bones = [joint, ...(brush.mirror && partner !== undefined ? [partner] : [])].map((index) => mesh.skeleton.bones.indexOf(figure.joints[index] as T.Bone));
      const places = placesOf(still);
      const count = places.length / 3;
      const [joints, weights] = [mesh.geometry.getAttribute("skinIndex"), mesh.geometry.getAttribute("skinWeight")] as [T.BufferAttribute, T.BufferAttribute];
      const all = [places, ...(bones.length > 1 ? [imagesOf(figure, mesh, places)] : [])];
      const sides = bones.map((bone, side) => ({ bone, places: all[side]!, nearest: new Float32Array(count).fill(Infinity) })).filter(({ bone }) => bone >= 0);
      this.parts.push({ mesh, joints, weights, before: { joints: joints.array.slice(), weights: weights.array.slice() }, sides });
    }
  }

  /** The brush went here, in the scene. */
  add(point: T.Vector3): void {
    for (const { sides } of this.parts) {
      for (const { places, nearest } of sides) {
        for (let v = 0, at = 0; v < nearest.length; v++, at += 3) {
          const off = Math.hypot(places[at]! - point.x, places[at + 1]! - point.y, places[at + 2]! - point.z);
          if (off < nearest[v]!) nearest[v] = off;
        }
      }
    }
  }

  /** Shows the weights that the stroke has made so far. */
  show(): void {
    for (const part of this.parts) {
      part.weights.array.set(part.before.weights);
      part.joints.array.set(part.before.joints);
      for (const side of part.sides) this.paint(part, side);
      part.weights.needsUpdate = part.joints.needsUpdate = true;
    }
  }

  /** As it was before. */
  takeBack(): void {
    for (const { joints, weights, before } of this.parts) {
      joints.array.set(before.joints);
      weights.array.set(before.weights);
      joints.needsUpdate = weights.needsUpdate = true;
    }
  }

  private paint({ mesh, joints, weights }: Part, { bone, nearest }: Part["sides"][number]): void {
    const smooth = this.brush.mode === "smooth" ? meansOf(mesh, joints, weights, bone) : null;
    for (let v = 0; v < nearest.length; v++) {
      const share = 1 - nearest[v]! / this.radius;
      if (share <= 0) continue;
      const amount = this.brush.strength * share * share * (3 - 2 * share);
      let slot = -1;
      let least = 0;
      for (let i = 0; i < 4; i++) {
        if (joints.getComponent(v, i) === bone && (slot < 0 || weights.getComponent(v, i) > weights.getComponent(v, slot))) slot = i;
        if (weights.getComponent(v, i) < weights.getComponent(v, least)) least = i;
      }
      const old = slot < 0 ? 0 : weights.getComponent(v, slot);
      const wanted = smooth ? old + amount * (smooth[v]! - old) : this.brush.mode === "add" ? old + amount * (1 - old) : old * (1 - amount);
      if (slot < 0 && wanted <= 0) continue;
      if (slot < 0) {
        slot = least;
        joints.setComponent(v, slot, bone);
        weights.setComponent(v, slot, 0);
      }
      let rest = 0;
      for (let i = 0; i < 4; i++) if (i !== slot) rest += weights.getComponent(v, i);
      if (rest < 1e-9) continue; // it follows this joint alone
      for (let i = 0; i < 4; i++) weights.setComponent(v, i, i === slot ? wanted : (weights.getComponent(v, i) * (1 - wanted)) / rest);
    }
  }
}

function placesOf(still: T.Mesh): Float32Array {
  const given = still.geometry.getAttribute("position");
  const places = new Float32Array(3 * given.count);
  const at = new T.Vector3();
  for (let v = 0; v < given.count; v++) at.fromBufferAttribute(given, v).applyMatrix4(still.matrixWorld).toArray(places, 3 * v);
  return places;
}

/** Where the mirror image of each vertex is now: that of the vertex which at rest lies nearest to it. */
function imagesOf(figure: FigureView, mesh: T.SkinnedMesh, places: Float32Array): Float32Array {
  const { middle, left } = figure.event.mirror!;
  const rest = mesh.geometry.getAttribute("position");
  const cell = 0.01 * figure.height;
  const cells = new Map<string, number[]>();
  const key = (x: number, y: number, z: number) => `${x},${y},${z}`;
  for (let v = 0; v < rest.count; v++) {
    const name = key(Math.floor(rest.getX(v) / cell), Math.floor(rest.getY(v) / cell), Math.floor(rest.getZ(v) / cell));
    cells.get(name)?.push(v) ?? cells.set(name, [v]);
  }
  const found = new Float32Array(places.length).fill(Infinity);
  for (let v = 0; v < rest.count; v++) {
    const own = [rest.getX(v), rest.getY(v), rest.getZ(v)];
    const off = own.reduce((sum, value, axis) => sum + (value - middle[axis]!) * left[axis]!, 0);
    const image = own.map((value, axis) => value - 2 * off * left[axis]!);
    const [cx, cy, cz] = image.map((value) => Math.floor(value / cell)) as [number, number, number];
    let best = Infinity;
    for (let x = cx - 1; x <= cx + 1; x++)
      for (let y = cy - 1; y <= cy + 1; y++)
        for (let z = cz - 1; z <= cz + 1; z++)
          for (const other of cells.get(key(x, y, z)) ?? []) {
            const away = Math.hypot(rest.getX(other) - image[0]!, rest.getY(other) - image[1]!, rest.getZ(other) - image[2]!);
            if (away >= best) continue;
            best = away;
            found.set(places.subarray(3 * other, 3 * other + 3), 3 * v);
          }
  }
  return found;
}

const neighbours = new WeakMap<T.BufferGeometry, Uint32Array>();

/** The mean weight of each vertex's neighbours. */
function meansOf(mesh: T.SkinnedMesh, joints: T.BufferAttribute, weights: T.BufferAttribute, bone: number): Float32Array {
  const { geometry } = mesh;
  const index = geometry.getIndex();
  const faces = neighbours.get(geometry) ?? new Uint32Array(index ? index.array : Array.from({ length: joints.count }, (_, v) => v));
  neighbours.set(geometry, faces);
  const own = new Float32Array(joints.count);
  for (let v = 0; v < own.length; v++) for (let i = 0; i < 4; i++) if (joints.getComponent(v, i) === bone) own[v]! += weights.getComponent(v, i);
  const [sum, count] = [new Float32Array(own.length), new Uint16Array(own.length)];
  for (let at = 0; at < faces.length; at += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const [a, b, c] = [faces[at + corner]!, faces[at + ((corner + 1) % 3)]!, faces[at + ((corner + 2) % 3)]!];
      sum[a]! += own[b]! + own[c]!;
      count[a]! += 2;
    }
  }
  return sum.map((value, v) => (own[v]! + value / Math.max(1, count[v]!)) / 2);
}
