// The figure on the stage: its GLB, its joints by node number, and poses laid on its bones.

import * as T from "three";
import { request } from "../access";
import type { ClipMessage, FigureEvent, PoseMessage, SkinWeights, WeightsEvent } from "../schema";
import { glbLoader } from "./images";

export class FigureView {
  private readonly size: number;
  extent = new T.Vector3();
  private offset = new T.Vector3(); // from the middle of the joints to that of the body

  private constructor(
    readonly event: FigureEvent,
    readonly root: T.Group,
    readonly joints: T.Object3D[], // in the session's order
    readonly meshes: T.Mesh[],
    private readonly skinned: T.SkinnedMesh[][], // by the session's skins, each in its parts
  ) {
    this.measure();
    this.size = Math.max(event.height, ...this.extent.toArray()) || 1;
  }

  /** How large the figure is, without what is hidden. */
  measure(): void {
    this.root.updateMatrixWorld(true);
    const box = this.jointBox();
    const middle = box.getCenter(new T.Vector3());
    for (const mesh of this.meshes) if (mesh.visible) box.union(bodyBox(mesh));
    this.offset = box.getCenter(new T.Vector3()).sub(middle);
    this.extent = box.getSize(new T.Vector3());
  }

  static async load(event: FigureEvent): Promise<FigureView> {
    const answer = await request(event.url);
    if (!answer.ok) throw new Error(`the figure did not come (${answer.status})`);
    return FigureView.parse(event, await answer.arrayBuffer());
  }

  static async parse(event: FigureEvent, bytes: ArrayBuffer): Promise<FigureView> {
    const loader = glbLoader();
    const gltf = await loader.parseAsync(bytes, "");
    const nodes: T.Object3D[] = [];
    for (const [thing, place] of gltf.parser.associations) {
      if (place?.nodes !== undefined && thing instanceof T.Object3D) nodes[place.nodes] = thing;
    }
    const joints = event.nodes.map((node) => nodes[node] ?? new T.Object3D());
    const meshes: T.Mesh[] = [];
    gltf.scene.traverse((thing) => {
      if (!(thing instanceof T.Mesh)) return;
      thing.castShadow = true;
      thing.receiveShadow = true;
      thing.frustumCulled = false;
      meshes.push(thing);
    });
    return new FigureView(event, gltf.scene, joints, meshes, skinsIn(gltf.parser.associations));
  }

  get height(): number {
    return this.size;
  }

  get center(): T.Vector3 {
    return this.jointBox().getCenter(new T.Vector3()).add(this.offset);
  }

  private jointBox(): T.Box3 {
    const box = new T.Box3();
    for (const joint of this.joints) box.expandByPoint(joint.getWorldPosition(new T.Vector3()));
    return box;
  }

  apply(pose: PoseMessage): void {
    if (pose.joints !== this.joints.length) return; // of the figure before this one
    this.lay(pose.root, 0, pose.rotations, 0);
    if (pose.translations) this.shift(pose.translations, 0);
  }

  applyFrame(clip: ClipMessage, frame: number): void {
    if (clip.joints !== this.joints.length || !clip.frames) return;
    const stride = 3 + 4 * clip.joints;
    const index = Math.min(Math.max(Math.round(frame), 0), clip.frames - 1);
    this.lay(clip.values, index * stride, clip.values, index * stride + 3);
    if (clip.translations) this.shift(clip.translations, 3 * clip.joints * index);
  }

  private lay(root: Float32Array, from: number, rotations: Float32Array, start: number): void {
    this.joints[0]?.position.set(root[from]!, root[from + 1]!, root[from + 2]!);
    for (let j = 0, at = start; j < this.joints.length; j++, at += 4) {
      const joint = this.joints[j]!;
      joint.quaternion.set(rotations[at + 1]!, rotations[at + 2]!, rotations[at + 3]!, rotations[at]!);
    }
  }

  private shift(places: Float32Array, from: number): void {
    this.joints.forEach((joint, j) => joint.position.fromArray(places, from + 3 * j));
  }

  /** A stroke that the session has not answered yet. */
  unsaid: { takeBack(): void } | null = null;

  /** Takes weights that have changed; false where they are not those of these meshes, and the figure must be fetched. */
  reweigh({ skins }: WeightsEvent): boolean {
    const fits = skins.length === this.skinned.length && skins.every(({ count }, k) => count === sum(this.skinned[k]!.map(countOf)));
    if (!fits) return false;
    this.unsaid?.takeBack();
    this.unsaid = null;
    return skins.every((skin, k) => reweighed(this.skinned[k]!, skin, this.joints));
  }

  /** The name of a mesh in its file; of one in several parts, that of all. */
  nameOf(mesh: T.Object3D): string {
    return String(mesh.userData.name ?? mesh.parent?.userData.name ?? mesh.name);
  }

  /** The names of its meshes, each once. */
  get meshNames(): string[] {
    return [...new Set(this.meshes.map((mesh) => this.nameOf(mesh)))];
  }

  place(joint: number, into = new T.Vector3()): T.Vector3 {
    const node = this.joints[joint];
    return node ? node.getWorldPosition(into) : into.set(0, 0, 0);
  }

  index(joint: string): number {
    return this.event.joints.indexOf(joint);
  }

  /** The joint that moves the most of a skinned vertex, or holds a rigid part; -1 if none does. */
  jointOf(mesh: T.Object3D, vertex: number): number {
    if (mesh instanceof T.SkinnedMesh) {
      const weights = mesh.geometry.getAttribute("skinWeight");
      const bones = mesh.geometry.getAttribute("skinIndex");
      let best = 0;
      for (let i = 1; i < 4; i++) if (weights.getComponent(vertex, i) > weights.getComponent(vertex, best)) best = i;
      const bone = mesh.skeleton.bones[bones.getComponent(vertex, best)];
      return bone ? this.joints.indexOf(bone) : -1;
    }
    for (let node: T.Object3D | null = mesh; node; node = node.parent) {
      const found = this.joints.indexOf(node);
      if (found >= 0) return found;
    }
    return -1;
  }

  dispose(): void {
    this.root.removeFromParent();
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      for (const material of [mesh.material].flat()) {
        for (const value of Object.values(material)) if (value instanceof T.Texture) value.dispose();
        material.dispose();
      }
    }
  }
}

function bodyBox(mesh: T.Mesh): T.Box3 {
  if (!(mesh instanceof T.SkinnedMesh)) return new T.Box3().setFromObject(mesh);
  mesh.computeBoundingBox();
  return mesh.boundingBox!.clone().applyMatrix4(mesh.matrixWorld);
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
const countOf = (mesh: T.Mesh) => mesh.geometry.getAttribute("position").count;

type Associations = Map<object, { nodes?: number; meshes?: number; primitives?: number }>;

/** The skinned meshes of each node, in the order of nodes and of their parts: as the session counts its skins. */
function skinsIn(associations: unknown): T.SkinnedMesh[][] {
  const all = [...(associations as Associations)].filter((entry): entry is [T.SkinnedMesh, Associations extends Map<object, infer At> ? At : never] => entry[0] instanceof T.SkinnedMesh);
  const nodeOf = (mesh: T.SkinnedMesh, own?: number): number => own ?? (associations as Associations).get(mesh.parent ?? mesh)?.nodes ?? -1;
  const byNode = new Map<number, [number, T.SkinnedMesh][]>();
  for (const [mesh, at] of all) {
    const node = nodeOf(mesh, at.nodes);
    byNode.set(node, [...(byNode.get(node) ?? []), [at.primitives ?? 0, mesh]]);
  }
  const order = [...byNode].sort(([a], [b]) => a - b);
  return order.map(([, parts]) => parts.sort(([a], [b]) => a - b).map(([, mesh]) => mesh));
}

function reweighed(parts: T.SkinnedMesh[], { vertices, joints, weights }: SkinWeights, nodes: T.Object3D[]): boolean {
  const starts = parts.map((_, k) => sum(parts.slice(0, k).map(countOf)));
  for (const [row, vertex] of vertices.entries()) {
    const part = starts.findLastIndex((start) => start <= vertex);
    const mesh = parts[part]!;
    const [index, weight] = [mesh.geometry.getAttribute("skinIndex"), mesh.geometry.getAttribute("skinWeight")];
    for (let i = 0; i < 4; i++) {
      const much = weights[4 * row + i]!;
      const bone = much > 0 ? mesh.skeleton.bones.indexOf(nodes[joints[4 * row + i]!] as T.Bone) : 0;
      if (bone < 0) return false;
      index.setComponent(vertex - starts[part]!, i, bone);
      weight.setComponent(vertex - starts[part]!, i, much);
    }
  }
  for (const { geometry } of parts) for (const name of ["skinIndex", "skinWeight"]) (geometry.getAttribute(name) as T.BufferAttribute).needsUpdate = true;
  return true;
}
