// Clicks on the figure select a goal or a joint; with the brush active they paint weights.

import * as T from "three";
import { send } from "../link";
import type { Vector } from "../schema";
import { brush, goals, heat, painting, selectedJoint, selection } from "../store";
import type { FigureView } from "./figure";
import type { Gizmo } from "./gizmo";
import type { Stage } from "./stage";
import { stillMeshes } from "./still";

const STILL = 4; // pixels a click may move
const NEAR = 3; // joints between the one clicked and a goal's

export class Picking {
  figure: FigureView | null = null;
  private readonly ring = new T.Mesh(
    new T.RingGeometry(0.94, 1, 48),
    new T.MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, side: T.DoubleSide }),
  );

  constructor(
    private readonly stage: Stage,
    private readonly gizmo: Gizmo,
  ) {
    this.ring.visible = false;
    this.ring.renderOrder = 10;
    stage.scene.add(this.ring);
    stage.canvas.addEventListener("pointerdown", (event) => this.press(event), true);
    stage.canvas.addEventListener("pointermove", (event) => this.hover(event));
    stage.canvas.addEventListener("pointerleave", () => this.showRing(null));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || this.gizmo.hot) return;
    if (painting.value && this.hit(event)) return this.paint(event);
    const start = [event.clientX, event.clientY] as const;
    const up = (end: PointerEvent) => {
      if (Math.hypot(end.clientX - start[0], end.clientY - start[1]) > STILL) return;
      const hit = this.hit(end);
      this.choose(hit ? this.figure!.jointOf(hit.object.userData.of as T.Mesh, hit.face?.a ?? 0) : -1, end.altKey);
    };
    addEventListener("pointerup", up, { once: true });
  }

  private hit(event: PointerEvent): T.Intersection | null {
    const figure = this.figure;
    if (!figure) return null;
    return this.stage.ray(event.clientX, event.clientY).intersectObjects(stillMeshes(figure), false)[0] ?? null;
  }

  /** The nearest goal up or down the limb; the joint itself with Alt, or where no goal is near. */
  choose(joint: number, alone: boolean): void {
    const figure = this.figure;
    if (!figure || joint < 0) {
      selection.value = null;
      return;
    }
    const near = goals.value
      .map((goal) => ({ goal, steps: stepsBetween(figure.event.parents, joint, figure.index(goal.joint)) }))
      .filter((entry) => entry.steps <= NEAR)
      .sort((a, b) => a.steps - b.steps)[0];
    selection.value =
      near && !alone && !heat.value
        ? { kind: "goal", name: near.goal.name }
        : { kind: "joint", name: figure.event.joints[joint] ?? "" };
  }

  private hover(event: PointerEvent): void {
    this.showRing(painting.value && event.buttons === 0 ? this.hit(event) : null);
  }

  private showRing(hit: T.Intersection | null): void {
    if (this.ring.visible !== Boolean(hit)) this.stage.touch();
    this.ring.visible = Boolean(hit);
    if (!hit) return;
    this.ring.position.copy(hit.point);
    this.ring.quaternion.copy(this.stage.camera.quaternion);
    this.ring.scale.setScalar(brush.value.radius * (this.figure?.height ?? 1));
    this.stage.touch();
  }

  private paint(event: PointerEvent): void {
    const joint = selectedJoint.value;
    if (!joint) return;
    const points: Vector[] = [];
    const add = (at: PointerEvent) => {
      const hit = this.hit(at);
      this.showRing(hit);
      if (hit) points.push(this.stage.world.worldToLocal(hit.point.clone()).toArray());
    };
    add(event);
    this.stage.orbit.enabled = false;
    addEventListener("pointermove", add);
    const end = () => {
      removeEventListener("pointermove", add);
      this.stage.orbit.enabled = true;
      const { radius, strength, mode, mirror } = brush.value;
      const size = radius * (this.figure?.height ?? 1);
      send({ op: "skin.paint", joint: joint.name, points, radius: size, strength, mode, mirror });
    };
    addEventListener("pointerup", end, { once: true });
  }
}

/** The number of joints between a joint and its descendant; Infinity on different limbs. */
export function stepsBetween(parents: readonly number[], a: number, b: number): number {
  const climb = (from: number, to: number): number => {
    for (let at = from, steps = 0; at >= 0; at = parents[at] ?? -1, steps++) if (at === to) return steps;
    return Infinity;
  };
  return Math.min(climb(a, b), climb(b, a));
}
