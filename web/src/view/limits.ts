// Limits drawn on the selected joint and on every joint with a blocking limit: the blocking part is red, its needle thick
// and its end a bar, so that its shape shows it too.

import * as T from "three";
import { atLimit, heat, joints, selectedJoint, selection, theme } from "../store";
import type { Joint } from "../schema";
import type { FigureView } from "./figure";
import { activeEnds, dialsOf, endName, needleOf, pointAt, shapeOf } from "./limit-shapes";
import type { Dial } from "./limit-shapes";
import type { Stage } from "./stage";

const INKS = { dark: { plain: 0xffc857, active: 0xff4d4d }, light: { plain: 0xa86400, active: 0xd01f2e } };
const WITHIN_RINGS = 0.057; // of the distance from the eye: the dials of the selected joint
const ALONE = 0.06; // of the figure: those of others that hold

/** A joint's limits where they stand now. world: from the joint's frame before it moved, one unit the radius of a dial. */
export interface Placed {
  world: T.Matrix4;
  now: T.Quaternion;
  dials: Dial[];
  active: ReadonlySet<string>;
}

export function placed(figure: FigureView, joint: Joint, stage: Stage, chosen: boolean): Placed | null {
  const node = figure.joints[figure.index(joint.name)];
  if (!node?.parent) return null;
  const [w, x, y, z] = joint.limits.base;
  const base = new T.Quaternion(x, y, z, w);
  const at = node.getWorldPosition(new T.Vector3());
  const turn = node.parent.getWorldQuaternion(new T.Quaternion()).multiply(base);
  const size = chosen ? WITHIN_RINGS * stage.distance(at) : ALONE * figure.height;
  const world = new T.Matrix4().compose(at, turn, new T.Vector3().setScalar(size));
  const now = base.clone().invert().multiply(node.quaternion);
  const view = at.clone().sub(stage.camera.position).normalize().applyQuaternion(turn.clone().invert());
  const dials = dialsOf(joint.limits, boneOf(figure, node), now, view);
  return { world, now, dials, active: atLimit.value.has(joint.name) ? activeEnds(dials) : new Set() };
}

export class LimitMarks {
  private readonly group = new T.Group();
  private drawn = "";
  figure: FigureView | null = null;

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.group);
  }

  tick(version: number): boolean {
    // Over the colours of weights nothing is drawn, and a hand whose goal is chosen is not buried in its limits.
    const chosen = heat.value || selection.value?.kind !== "joint" ? null : selectedJoint.value;
    const active = atLimit.value;
    const shown = joints.value.filter((joint) => joint === chosen || active.has(joint.name));
    const eye = this.stage.camera.position.toArray().join();
    const key = `${version} ${eye} ${theme.value} ${shown.map((joint) => joint.name + JSON.stringify(joint.limits)).join()} ${[...active].join()}`;
    if (key === this.drawn) return false;
    this.drawn = key;
    this.clear();
    for (const joint of shown) this.draw(joint, joint === chosen);
    return true;
  }

  private clear(): void {
    this.group.traverse((thing) => {
      if (thing instanceof T.Mesh || thing instanceof T.LineSegments) thing.geometry.dispose();
    });
    this.group.clear();
  }

  private draw(joint: Joint, chosen: boolean): void {
    const found = this.figure && placed(this.figure, joint, this.stage, chosen);
    if (!found) return;
    const inks = INKS[theme.value];
    const at = new T.Group();
    found.world.decompose(at.position, at.quaternion, at.scale);
    for (const dial of found.dials) {
      const ends = (["lower", "upper"] as const).filter((end) => found.active.has(endName(dial, end)));
      const active = ends.length > 0;
      if (!chosen && !active) continue;
      const color = active ? inks.active : inks.plain;
      const shape = shapeOf(dial);
      if (chosen) at.add(surface(shape.fill, color, active ? 0.3 : 0.16));
      at.add(lines(shape.rim, color, active ? 1 : 0.8));
      const needle = needleOf(dial, joint.limits.cone, found.now);
      if (needle) at.add(bar(dial.center, needle.multiplyScalar(1.12), color, active ? 0.05 : 0.025));
      if (dial.part === "swing") continue; // its needle stands at the rim
      for (const end of ends) at.add(bar(dial.center, pointAt(dial, dial[end]!).sub(dial.center), color, 0.035));
    }
    this.group.add(at);
  }
}

/** The direction of the bone in the joint's frame: to its first child joint. */
function boneOf(figure: FigureView, node: T.Object3D): T.Vector3 {
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

const pens = new Map<string, T.LineBasicMaterial>();
function pen(color: number, opacity: number): T.LineBasicMaterial {
  const key = `${color} ${opacity}`;
  const made = pens.get(key) ?? new T.LineBasicMaterial({ color, opacity, transparent: true, depthTest: false });
  pens.set(key, made);
  return made;
}

function lines(points: ArrayLike<number>, color: number, opacity: number): T.LineSegments {
  const geometry = new T.BufferGeometry();
  geometry.setAttribute("position", new T.Float32BufferAttribute(points, 3));
  const segments = new T.LineSegments(geometry, pen(color, opacity));
  segments.renderOrder = 6;
  return segments;
}

function bar(from: T.Vector3, along: T.Vector3, color: number, width: number): T.Mesh {
  const length = along.length();
  const geometry = new T.CylinderGeometry(0.4 * width, width, length, 8);
  geometry.translate(0, length / 2, 0);
  const mesh = new T.Mesh(geometry, flat(color, 1));
  mesh.position.copy(from);
  mesh.quaternion.setFromUnitVectors(new T.Vector3(0, 1, 0), along.clone().normalize());
  mesh.renderOrder = 7;
  return mesh;
}
