// Balance: the centre of mass, where it is over the ground, what carries the figure, and how far it leans out of that.

import * as T from "three";
import { effect } from "@preact/signals";
import { request } from "../access";
import type { BodyShape } from "../schema";
import { balance, balanceText, body, figure as figureEvent, goals, theme } from "../store";
import type { FigureView } from "./figure";
import type { Stage } from "./stage";

const BALL = 0.016; // of the figure
const ON_GROUND = 0.02; // of the figure: a foot that is no higher than the lowest one carries
const [SAFE, FALLS] = [0x57c785, 0xff5c5c];

type Point = [x: number, z: number];

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

export class BalanceView {
  figure: FigureView | null = null;
  private readonly group = new T.Group();
  private readonly ball = new T.Mesh(new T.SphereGeometry(1, 20, 14), new T.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 }));
  private readonly line = new T.LineSegments(new T.BufferGeometry(), new T.LineBasicMaterial({ depthTest: false, transparent: true }));
  private readonly ground = new T.Mesh(new T.BufferGeometry(), new T.MeshBasicMaterial({ transparent: true, opacity: 0.22, side: T.DoubleSide, depthWrite: false, depthTest: false }));
  private readonly rim = new T.LineLoop(new T.BufferGeometry(), new T.LineBasicMaterial({ depthTest: false, transparent: true }));

  constructor(stage: Stage) {
    this.group.name = "balance";
    this.group.add(this.ground, this.rim, this.line, this.ball);
    this.group.children.forEach((part, k) => Object.assign(part, { renderOrder: 6 + k, frustumCulled: false }));
    stage.scene.add(this.group);
    let asked = "";
    effect(() => {
      const event = figureEvent.value;
      if (!balance.value || !event) return;
      const key = `${event.rev}`;
      if (key === asked) return;
      asked = key;
      void request("api/body").then(async (answer) => {
        if (answer.ok) body.value = (await answer.json()) as BodyShape;
      });
    });
    effect(() => {
      void [balance.value, body.value, theme.value];
      this.update();
      stage.touch();
    });
  }

  /** Called when the pose or a pin changed. */
  update(): void {
    const [figure, shape] = [this.figure, body.value];
    const shown = balance.value && figure !== null && shape !== null && shape.masses.length === figure.joints.length;
    this.group.visible = shown;
    if (!shown) {
      balanceText.value = balance.value && shape && !shape.masses.length ? "nothing says where this figure's weight is" : "";
      return;
    }
    const center = this.center(figure, shape);
    const corners = hull(this.carrying(figure, shape));
    const low = corners.length ? Math.min(...corners.map((corner) => corner.y)) : 0;
    const foot = new T.Vector3(center.x, low, center.z);
    const found = corners.length ? inside(corners, [center.x, center.z]) : null;
    const falls = !found || found.depth < 0;
    for (const part of [this.ball, this.line, this.ground, this.rim]) part.material.color.set(falls ? FALLS : SAFE);
    this.ball.position.copy(center);
    this.ball.scale.setScalar(BALL * figure.height);
    const across = 0.03 * figure.height;
    const points = [center, foot, ...cross(foot, across)];
    if (found && falls) points.push(foot, new T.Vector3(found.edge[0], low, found.edge[1]));
    this.line.geometry.setFromPoints(points);
    this.rim.geometry.dispose();
    this.rim.geometry = new T.BufferGeometry().setFromPoints(corners);
    this.ground.geometry.dispose();
    this.ground.geometry = new T.BufferGeometry().setFromPoints(corners.slice(2).flatMap((corner, k) => [corners[0]!, corners[k + 1]!, corner]));
    const much = found ? `${(100 * Math.abs(found.depth)).toFixed(found.depth < 0.1 ? 1 : 0)} cm` : "";
    balanceText.value = !found ? "nothing carries the figure" : falls ? `falls: the centre of mass is ${much} outside` : `stands: the centre of mass is ${much} inside`;
  }

  private center(figure: FigureView, shape: BodyShape): T.Vector3 {
    const [sum, at] = [new T.Vector3(), new T.Vector3()];
    let all = 0;
    shape.masses.forEach((mass, joint) => {
      if (!mass) return;
      sum.addScaledVector(figure.joints[joint]!.localToWorld(at.fromArray(shape.centers, 3 * joint)), mass);
      all += mass;
    });
    return sum.divideScalar(all || 1);
  }

  /** The corners of the soles that stand, and where other goals are pinned. */
  private carrying(figure: FigureView, shape: BodyShape): T.Vector3[] {
    const soles = shape.soles.map((sole) => {
      const points = sole.joints.map((joint, k) => figure.joints[joint]!.localToWorld(new T.Vector3().fromArray(sole.points, 3 * k)));
      return { joint: sole.joint, points, low: Math.min(...points.map((point) => point.y)) };
    });
    const low = Math.min(...soles.map((sole) => sole.low));
    const pinned = goals.value.filter((goal) => goal.pinned && goal.enabled && goal.kind !== "look").map((goal) => goal.joint);
    const standing = soles.filter((sole) => sole.low - low < ON_GROUND * figure.height || pinned.includes(sole.joint));
    const others = pinned.filter((joint) => !soles.some((sole) => sole.joint === joint)).map((joint) => figure.place(figure.index(joint)));
    return [...standing.flatMap((sole) => sole.points), ...others];
  }
}

function cross(at: T.Vector3, size: number): T.Vector3[] {
  return ([[1, 0], [-1, 0], [0, 1], [0, -1]] as const).map(([x, z]) => at.clone().add(new T.Vector3(x * size, 0, z * size)));
}
