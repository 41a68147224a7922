// Clicks on the figure select a goal or a joint; with the brush active they paint weights.

import * as T from "three";
import { onCancel } from "../gestures";
import { send } from "../link";
import type { StudioGoal, Vector } from "../schema";
import { brush, choose, chooseGoals, chooseToo, goals, grabbing, heat, painting, playing, selectedJoint, selection, under } from "../store";
import type { FigureView } from "./figure";
import type { Gizmo } from "./gizmo";
import type { Props } from "./props";
import type { Stage } from "./stage";
import { stillMeshes } from "./still";
import { Stroke } from "./stroke";

const STILL = 4; // pixels a click may move
const PAUSE = 60; // milliseconds the mouse rests

export class Picking {
  figure: FigureView | null = null;
  private pause = 0;
  private readonly ring = new T.Mesh(
    new T.RingGeometry(0.94, 1, 48),
    new T.MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, side: T.DoubleSide }),
  );

  constructor(
    private readonly stage: Stage,
    private readonly gizmo: Gizmo,
    private readonly props: Props,
    private readonly painted: () => void,
  ) {
    this.ring.visible = false;
    this.ring.renderOrder = 10;
    stage.scene.add(this.ring);
    stage.canvas.addEventListener("pointerdown", (event) => this.press(event), true);
    stage.canvas.addEventListener("pointermove", (event) => this.hover(event));
    stage.canvas.addEventListener("pointerleave", () => {
      clearTimeout(this.pause);
      this.foretell(null);
      this.showRing(null);
    });
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || (this.gizmo.hot && !event.altKey)) return;
    if (painting.value && !event.altKey && this.hit(event)) return this.paint(event);
    if (event.shiftKey && !event.altKey) return this.box(event);
    const start = [event.clientX, event.clientY] as const;
    const up = (end: PointerEvent) => {
      if (Math.hypot(end.clientX - start[0], end.clientY - start[1]) > STILL) return;
      const hit = this.hit(end);
      const prop = this.stage.ray(end.clientX, end.clientY).intersectObjects(this.props.meshes, false)[0];
      if (prop && !(hit && hit.distance < prop.distance)) {
        selection.value = { kind: "prop", name: this.props.nameOf(prop.object) };
        return;
      }
      this.choose(hit ? this.figure!.jointOf(hit.object.userData.of as T.Mesh, hit.face?.a ?? 0) : -1, end.altKey);
    };
    addEventListener("pointerup", up, { once: true });
  }

  /** Chooses the goals within a box; a click adds the one of the limb. */
  private box(event: PointerEvent): void {
    const box = document.createElement("div");
    box.className = "choosing-box";
    document.body.append(box);
    this.stage.orbit.enabled = false;
    let far = false;
    const at = (now: PointerEvent) => ({ left: Math.min(event.clientX, now.clientX), top: Math.min(event.clientY, now.clientY), right: Math.max(event.clientX, now.clientX), bottom: Math.max(event.clientY, now.clientY) });
    const draw = (now: PointerEvent) => {
      const { left, top, right, bottom } = at(now);
      far ||= right - left > STILL || bottom - top > STILL;
      Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    };
    const stop = () => {
      over();
      box.remove();
      this.stage.orbit.enabled = true;
      removeEventListener("pointermove", draw);
      removeEventListener("pointerup", end);
    };
    const end = (now: PointerEvent) => {
      stop();
      if (!far) return this.add(now);
      const inside = at(now);
      const within = (goal: StudioGoal) => {
        const handle = document.querySelector(`[data-handle="goal:${CSS.escape(goal.name)}"]`)?.getBoundingClientRect();
        if (!handle) return false;
        const [x, y] = [handle.left + handle.width / 2, handle.top + handle.height / 2];
        return x >= inside.left && x <= inside.right && y >= inside.top && y <= inside.bottom;
      };
      chooseGoals(goals.value.filter(within).map((goal) => goal.name));
    };
    const over = onCancel(stop);
    addEventListener("pointermove", draw);
    addEventListener("pointerup", end);
  }

  private add(event: PointerEvent): void {
    const hit = this.hit(event);
    const joint = hit ? this.figure!.jointOf(hit.object.userData.of as T.Mesh, hit.face?.a ?? 0) : -1;
    const own = joint < 0 ? null : goalOf(this.figure!.event, joint, goals.value);
    if (own) chooseToo(own);
  }

  private hit(event: PointerEvent): T.Intersection | null {
    const figure = this.figure;
    if (!figure) return null;
    return this.stage.ray(event.clientX, event.clientY).intersectObjects(stillMeshes(figure).filter((still) => (still.userData.of as T.Mesh).visible), false)[0] ?? null;
  }

  /** The goal of the limb; the joint itself with Alt, and where it carries several limbs, as in the trunk. */
  choose(joint: number, alone: boolean): void {
    const figure = this.figure;
    if (!figure || joint < 0) {
      selection.value = null;
      return;
    }
    choose(this.meant(joint, alone));
  }

  private meant(joint: number, alone: boolean): { kind: "goal" | "joint"; name: string } {
    const own = alone || heat.value ? null : goalOf(this.figure!.event, joint, goals.value);
    return own ? { kind: "goal", name: own } : { kind: "joint", name: this.figure!.event.joints[joint] ?? "" };
  }

  private hover(event: PointerEvent): void {
    this.showRing(painting.value && event.buttons === 0 ? this.hit(event) : null);
    clearTimeout(this.pause);
    if (event.buttons || painting.value || playing.value || grabbing.value) return this.foretell(null);
    this.pause = window.setTimeout(() => this.foretell(event), PAUSE);
  }

  /** What a click would choose, told as soon as the mouse rests: to look for it costs more than a picture has time for. */
  private foretell(event: PointerEvent | null): void {
    const hit = event && !this.gizmo.hot ? this.hit(event) : null;
    const next = hit && this.meant(this.figure!.jointOf(hit.object.userData.of as T.Mesh, hit.face?.a ?? 0), event!.altKey);
    if (next?.name !== under.value?.name || next?.kind !== under.value?.kind) under.value = next;
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
    const figure = this.figure!;
    const points: Vector[] = [];
    const stroke = new Stroke(figure, figure.index(joint.name), brush.value);
    let asked = false;
    let last = event;
    const take = () => {
      asked = false;
      const hit = this.hit(last);
      this.showRing(hit);
      if (!hit) return;
      points.push(this.stage.world.worldToLocal(hit.point.clone()).toArray());
      stroke.add(hit.point);
      stroke.show();
      this.painted();
    };
    // Once a picture: the brush is wider than what the mouse goes in that time.
    const add = (at: PointerEvent) => {
      last = at;
      if (!asked) requestAnimationFrame(take);
      asked = true;
    };
    take();
    this.stage.orbit.enabled = false;
    addEventListener("pointermove", add);
    const stop = () => {
      over();
      removeEventListener("pointermove", add);
      removeEventListener("pointerup", end);
      this.stage.orbit.enabled = true;
    };
    const over = onCancel(() => {
      stop();
      stroke.takeBack();
      this.painted();
    });
    const end = () => {
      stop();
      if (!points.length) return;
      figure.unsaid?.takeBack();
      figure.unsaid = stroke; // until the session says what has become of it
      const { radius, strength, mode, mirror } = brush.value;
      send({ op: "skin.paint", joint: joint.name, points, radius: radius * figure.height, strength, mode, mirror });
    };
    addEventListener("pointerup", end);
  }
}

/** The goal of a joint's limb: its own, the one at the end of the limb, or the one on whose end it hangs; null in the trunk. */
export function goalOf(figure: { joints: string[]; parents: number[] }, joint: number, all: readonly StudioGoal[]): string | null {
  const at = new Map<number, string>();
  for (const goal of all) {
    const own = figure.joints.indexOf(goal.joint);
    if (goal.kind !== "pole" && !at.has(own)) at.set(own, goal.name);
  }
  const hasAbove = (from: number, to: number): boolean => from >= 0 && (from === to || hasAbove(figure.parents[from] ?? -1, to));
  for (let from = joint; from >= 0; from = figure.parents[from] ?? -1) {
    if (at.has(from)) return at.get(from)!;
    const below = [...at.keys()].filter((end) => hasAbove(end, from));
    if (below.length === 1) return at.get(below[0]!)!;
    if (below.length) return null;
  }
  return null;
}
