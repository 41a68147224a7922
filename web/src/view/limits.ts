// Limits drawn on the selected joint and on every joint that stands at one of its limits (red, with a thick needle).

import * as T from "three";
import { atLimit, joints, selectedJoint } from "../store";
import type { Joint } from "../schema";
import type { FigureView } from "./figure";
import { shapesOf } from "./limit-shapes";
import type { Stage } from "./stage";

const PLAIN = 0xffc857;
const ACTIVE = 0xff4d4d;

export class LimitMarks {
  private readonly group = new T.Group();
  private drawn = "";
  figure: FigureView | null = null;

  constructor(stage: Stage) {
    stage.scene.add(this.group);
  }

  tick(version: number): boolean {
    const chosen = selectedJoint.value;
    const active = atLimit.value;
    const shown = joints.value.filter((joint) => joint === chosen || active.has(joint.name));
    const key = `${version} ${shown.map((joint) => joint.name + JSON.stringify(joint.limits)).join()} ${[...active].join()}`;
    if (key === this.drawn) return false;
    this.drawn = key;
    this.clear();
    for (const joint of shown) this.draw(joint, active.has(joint.name), joint === chosen);
    return true;
  }

  private clear(): void {
    this.group.traverse((thing) => {
      if (thing instanceof T.Mesh || thing instanceof T.LineSegments) thing.geometry.dispose();
    });
    this.group.clear();
  }

  private draw(joint: Joint, active: boolean, chosen: boolean): void {
    const figure = this.figure;
    const node = figure?.joints[figure.index(joint.name)];
    if (!figure || !node?.parent) return;
    const [w, x, y, z] = joint.limits.base;
    const base = new T.Quaternion(x, y, z, w);
    const now = base.clone().invert().multiply(node.quaternion);
    const size = figure.height * (chosen ? 0.1 : 0.06);
    const color = active ? ACTIVE : PLAIN;
    const at = new T.Group();
    node.getWorldPosition(at.position);
    at.quaternion.copy(node.parent.getWorldQuaternion(new T.Quaternion())).multiply(base);
    at.scale.setScalar(size);
    for (const shape of shapesOf(joint.limits, boneOf(figure, node), now)) {
      if (chosen) at.add(surface(shape.fill, color, active ? 0.3 : 0.16));
      at.add(lines(shape.rim, color, active ? 1 : 0.8));
      if (shape.needle) at.add(needle(shape.needle, color, active));
    }
    this.group.add(at);
  }
}

/** Where the bone points, in the joint's frame: to its first child that is a joint. */
export function boneOf(figure: FigureView, node: T.Object3D): T.Vector3 {
  const child = figure.joints.find((joint) => joint.parent === node);
  return child ? child.position.clone() : new T.Vector3(0, 1, 0);
}

function surface(points: number[], color: number, opacity: number): T.Mesh {
  const geometry = new T.BufferGeometry();
  geometry.setAttribute("position", new T.Float32BufferAttribute(points, 3));
  const mesh = new T.Mesh(geometry, flat(color, opacity));
  mesh.renderOrder = 5;
  return mesh;
}

// Materials are kept: with the last of a kind its compiled program would go too, and be compiled anew each frame.
const flats = new Map<string, T.MeshBasicMaterial>();
function flat(color: number, opacity: number): T.MeshBasicMaterial {
  const key = `${color} ${opacity}`;
  const made = flats.get(key) ?? new T.MeshBasicMaterial({ color, opacity, transparent: true, side: T.DoubleSide, depthWrite: false, depthTest: false });
  flats.set(key, made);
  return made;
}

const inks = new Map<string, T.LineBasicMaterial>();
function ink(color: number, opacity: number): T.LineBasicMaterial {
  const key = `${color} ${opacity}`;
  const made = inks.get(key) ?? new T.LineBasicMaterial({ color, opacity, transparent: true, depthTest: false });
  inks.set(key, made);
  return made;
}

function lines(points: ArrayLike<number>, color: number, opacity: number): T.LineSegments {
  const geometry = new T.BufferGeometry();
  geometry.setAttribute("position", new T.Float32BufferAttribute(points, 3));
  const segments = new T.LineSegments(geometry, ink(color, opacity));
  segments.renderOrder = 6;
  return segments;
}

function needle(to: T.Vector3, color: number, active: boolean): T.Mesh {
  const geometry = new T.CylinderGeometry(0.01, active ? 0.05 : 0.025, 1.12, 8);
  geometry.translate(0, 0.56, 0);
  const mesh = new T.Mesh(geometry, flat(color, 1));
  mesh.quaternion.setFromUnitVectors(new T.Vector3(0, 1, 0), to.clone().normalize());
  mesh.renderOrder = 7;
  return mesh;
}
