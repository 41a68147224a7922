// Ghosts: the figure some frames before and after, as translucent shapes, cool where it was and warm where it goes.

import * as T from "three";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { clip, document_, frame, ghosts, playing } from "../store";
import type { ClipMessage } from "../schema";
import type { FigureView } from "./figure";
import { along } from "./lines";
import type { Stage } from "./stage";

const EVERY = 5; // frames
const EACH_WAY = [-3, -2, -1, 1, 2, 3];
const [PAST, FUTURE] = [0x4f86ff, 0xff9a4a];

interface Ghost {
  root: T.Object3D;
  joints: T.Object3D[];
}

export class Ghosts {
  private shown: FigureView | null = null;
  private pool: Ghost[] = [];
  private drawn = "";
  private of: ClipMessage | null = null;

  constructor(private readonly stage: Stage) {}

  set figure(figure: FigureView) {
    for (const { root } of this.pool) root.removeFromParent();
    this.pool = [];
    this.shown = figure;
    this.drawn = "";
  }

  update(): void {
    const [figure, source] = [this.shown, clip.value];
    const on = ghosts.value && source && figure && !playing.value;
    const key = on ? `${Math.round(frame.value)} ${source.frames} ${figure.event.rev}` : "";
    if (key === this.drawn && source === this.of) return;
    this.drawn = key;
    this.of = source;
    for (const { root } of this.pool) root.visible = false;
    if (!on) return;
    const now = Math.round(frame.value) - (document_.value?.range[0] ?? 0);
    EACH_WAY.forEach((way, k) => {
      const at = now + way * EVERY;
      if (at < 0 || at >= source.frames) return;
      const ghost = (this.pool[k] ??= this.made(figure, way));
      along(figure, source, [at], () => ghost.joints.forEach((joint, j) => {
        joint.position.copy(figure.joints[j]!.position);
        joint.quaternion.copy(figure.joints[j]!.quaternion);
      }));
      ghost.root.visible = true;
    });
  }

  /** A copy of the figure, or its bones where it has no more. */
  private made(figure: FigureView, way: number): Ghost {
    const root = clone(figure.root);
    const [own, copied]: T.Object3D[][] = [[], []];
    figure.root.traverse((thing) => own!.push(thing));
    root.traverse((thing) => copied!.push(thing));
    const joints = figure.joints.map((joint) => copied![own!.indexOf(joint)] ?? new T.Object3D());
    const ink = new T.MeshLambertMaterial({ color: way < 0 ? PAST : FUTURE, transparent: true, opacity: 0.26 - 0.06 * Math.abs(way), depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 200 });
    root.traverse((thing) => {
      if (thing instanceof T.Mesh) Object.assign(thing, { material: ink, castShadow: false, receiveShadow: false, frustumCulled: false, renderOrder: 2 });
    });
    if (!figure.meshes.length) {
      figure.event.parents.forEach((parent, joint) => {
        if (parent >= 0) joints[parent]!.add(stick(figure.joints[joint]!.position, ink, 0.006 * figure.height));
      });
    }
    this.stage.scene.add(root);
    return { root, joints };
  }
}

function stick(end: T.Vector3, ink: T.Material, radius: number): T.Mesh {
  const length = end.length();
  const mesh = new T.Mesh(new T.CylinderGeometry(radius, radius, length, 6).translate(0, length / 2, 0), ink);
  mesh.quaternion.setFromUnitVectors(new T.Vector3(0, 1, 0), end.clone().normalize());
  return mesh;
}
