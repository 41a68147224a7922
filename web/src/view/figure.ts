// The figure on the stage: its GLB, its joints by node number, and poses laid on its bones.

import * as T from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { request } from "../access";
import type { ClipMessage, FigureEvent, PoseMessage } from "../schema";
import { imagesFromBytes } from "./images";

export class FigureView {
  private readonly size: number;
  readonly extent: T.Vector3;
  private readonly offset: T.Vector3; // from the middle of the joints to that of the body

  private constructor(
    readonly event: FigureEvent,
    readonly root: T.Group,
    readonly joints: T.Object3D[], // in the session's order
    readonly meshes: T.Mesh[],
  ) {
    root.updateMatrixWorld(true);
    const box = this.jointBox();
    const middle = box.getCenter(new T.Vector3());
    for (const mesh of meshes) box.union(bodyBox(mesh));
    this.offset = box.getCenter(new T.Vector3()).sub(middle);
    this.extent = box.getSize(new T.Vector3());
    this.size = Math.max(event.height, ...this.extent.toArray()) || 1;
  }

  static async load(event: FigureEvent): Promise<FigureView> {
    const answer = await request(event.url);
    if (!answer.ok) throw new Error(`the figure did not come (${answer.status})`);
    return FigureView.parse(event, await answer.arrayBuffer());
  }

  static async parse(event: FigureEvent, bytes: ArrayBuffer): Promise<FigureView> {
    const loader = new GLTFLoader();
    loader.register(imagesFromBytes);
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
    return new FigureView(event, gltf.scene, joints, meshes);
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
