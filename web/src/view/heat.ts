// The weights of one joint as colours on the skin, from grey (0) over blue, green to yellow and red (1).

import * as T from "three";
import { document_ } from "../store";
import { define } from "./dual-quaternion";
import type { FigureView } from "./figure";

const RAMP: [at: number, color: number][] = [
  [0, 0x7d838e],
  [0.05, 0x3f5fb5],
  [0.35, 0x1f9e89],
  [0.65, 0xf2d43a],
  [1, 0xe8402a],
];

export class Heat {
  private readonly kept = new Map<T.SkinnedMesh, { material: T.Material | T.Material[]; color: T.BufferAttribute | null }>();

  show(figure: FigureView, joint: number): void {
    const node = figure.joints[joint];
    for (const mesh of figure.meshes) {
      if (!(mesh instanceof T.SkinnedMesh)) continue;
      if (!this.kept.has(mesh)) {
        const color = (mesh.geometry.getAttribute("color") as T.BufferAttribute | undefined) ?? null;
        this.kept.set(mesh, { material: mesh.material, color });
        const material = new T.MeshStandardMaterial({ vertexColors: true, roughness: 0.9 });
        define(material, document_.value?.blend ?? "linear");
        mesh.material = material;
      }
      paintColors(mesh, mesh.skeleton.bones.indexOf(node as T.Bone));
    }
  }

  hide(): void {
    for (const [mesh, { material, color }] of this.kept) {
      (mesh.material as T.Material).dispose();
      mesh.material = material;
      if (color) mesh.geometry.setAttribute("color", color);
      else mesh.geometry.deleteAttribute("color");
    }
    this.kept.clear();
  }
}

function paintColors(mesh: T.SkinnedMesh, bone: number): void {
  const bones = mesh.geometry.getAttribute("skinIndex");
  const weights = mesh.geometry.getAttribute("skinWeight");
  const colors = new Float32Array(3 * bones.count);
  for (let vertex = 0; vertex < bones.count; vertex++) {
    let weight = 0;
    for (let i = 0; i < 4; i++) if (bones.getComponent(vertex, i) === bone) weight += weights.getComponent(vertex, i);
    const from = 3 * Math.round(Math.min(1, weight) * (STEPS - 1));
    for (let k = 0; k < 3; k++) colors[3 * vertex + k] = TABLE[from + k]!;
  }
  mesh.geometry.setAttribute("color", new T.BufferAttribute(colors, 3));
}

function ramp(weight: number, into: T.Color): T.Color {
  const above = Math.max(1, RAMP.findIndex(([at]) => weight <= at));
  const [low, from] = RAMP[above - 1]!;
  const [high, to] = RAMP[above]!;
  return into.set(from).lerp(new T.Color(to), Math.min(1, (weight - low) / (high - low)));
}

const STEPS = 256;
/** The ramp, worked out once. */
const TABLE = new Float32Array(3 * STEPS);
for (let step = 0; step < STEPS; step++) ramp(step / (STEPS - 1), new T.Color()).toArray(TABLE, 3 * step);
