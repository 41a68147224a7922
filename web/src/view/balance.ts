// Balance: the centre of mass, where it is over the ground, what carries the figure, and how far it leans out of that.

import * as T from "three";
import { effect } from "@preact/signals";
import { request } from "../access";
import type { BodyShape } from "../schema";
import { balance, balanceText, body, figure as figureEvent, goals, theme } from "../store";
import type { FigureView } from "./figure";
import type { Stage } from "./stage";
import { cornersOf, hull, inside, massCenter } from "./support";

const BALL = 0.016; // of the figure
const ON_GROUND = 0.02; // of the figure: a foot that is no higher than the lowest one carries
const [SAFE, FALLS] = [0x57c785, 0xff5c5c];

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
    const center = massCenter(shape, (joint, at) => figure.joints[joint]!.localToWorld(at));
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

  /** The corners of the soles that stand, and where other goals are pinned. */
  private carrying(figure: FigureView, shape: BodyShape): T.Vector3[] {
    const soles = shape.soles.map((sole) => {
      const points = cornersOf(sole, (joint, at) => figure.joints[joint]!.localToWorld(at));
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
