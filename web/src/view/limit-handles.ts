// Grips at the ends of the selected joint's limits: dragged around the joint they set the limit.

import * as T from "three";
import { flush, send, stream } from "../link";
import type { Limits } from "../schema";
import { selectedJoint, selection } from "../store";
import type { FigureView } from "./figure";
import { zeroDirection } from "./limit-shapes";
import { boneOf } from "./limits";
import { snapping } from "./modifiers";
import type { Stage } from "./stage";

type End = "lower" | "upper";
const DEGREE = Math.PI / 180;

interface Grip {
  axis: number;
  end: End;
  button: HTMLButtonElement;
}

export class LimitHandles {
  figure: FigureView | null = null;
  private grips: Grip[] = [];
  private shownFor = "";
  private held: Limits | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly layer: HTMLElement,
  ) {}

  tick(): boolean {
    const joint = selection.value?.kind === "joint" ? selectedJoint.value : null;
    const limits = this.held ?? joint?.limits ?? null;
    const key = joint && limits ? `${joint.name} ${limits.axes.map((axis) => axis.slide).join()}` : "";
    if (key !== this.shownFor) this.rebuild(key, limits);
    const frame = joint && limits ? this.frame(joint.name, limits) : null;
    if (!frame || !limits) return false;
    for (const { axis, end, button } of this.grips) {
      const said = limits.axes[axis]!;
      const value = said[end];
      button.hidden = value === null;
      if (value === null) continue;
      const direction = new T.Vector3(...said.direction).normalize();
      const at = zeroDirection(direction, frame.bone).applyAxisAngle(direction, value).multiplyScalar(frame.size);
      const seen = this.stage.project(at.applyMatrix4(frame.world));
      button.style.transform = `translate(${seen.x}px, ${seen.y}px) translate(-50%, -50%)`;
      button.title = `${joint!.name} ${said.name} ${end}: ${(value / DEGREE).toFixed(0)}°`;
      button.setAttribute("aria-label", button.title);
    }
    return false;
  }

  private rebuild(key: string, limits: Limits | null): void {
    this.shownFor = key;
    for (const grip of this.grips) grip.button.remove();
    this.grips = [];
    limits?.axes.forEach((axis, index) => {
      if (axis.slide) return;
      for (const end of ["lower", "upper"] as const) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = `handle limit ${end}`;
        button.tabIndex = -1; // the inspector has fields for the same numbers
        button.addEventListener("pointerdown", (event) => this.press(event, index, end));
        this.layer.append(button);
        this.grips.push({ axis: index, end, button });
      }
    });
  }

  private frame(joint: string, limits: Limits): { world: T.Matrix4; bone: T.Vector3; size: number } | null {
    const node = this.figure?.joints[this.figure.index(joint)];
    if (!this.figure || !node?.parent) return null;
    const [w, x, y, z] = limits.base;
    const turn = node.parent.getWorldQuaternion(new T.Quaternion()).multiply(new T.Quaternion(x, y, z, w));
    const at = node.getWorldPosition(new T.Vector3());
    const world = new T.Matrix4().compose(at, turn, new T.Vector3(1, 1, 1));
    return { world, bone: boneOf(this.figure, node), size: this.figure.height * 0.1 };
  }

  private press(event: PointerEvent, axis: number, end: End): void {
    const joint = selectedJoint.value;
    const button = event.currentTarget as HTMLButtonElement;
    const frame = joint && this.frame(joint.name, joint.limits);
    if (!joint || !frame || event.button !== 0) return;
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    const inverse = frame.world.clone().invert();
    const direction = new T.Vector3(...joint.limits.axes[axis]!.direction).normalize();
    const zero = zeroDirection(direction, frame.bone);
    const side = direction.clone().cross(zero);
    let last = joint.limits.axes[axis]![end] ?? 0;
    send({ op: "gesture.begin", label: `limit of ${joint.name}` });
    const follow = (move: PointerEvent) => {
      const ray = this.stage.ray(move.clientX, move.clientY).ray.applyMatrix4(inverse);
      const hit = ray.intersectPlane(new T.Plane(direction, 0), new T.Vector3());
      if (!hit) return;
      // Of the angles that look alike, the one nearest to where the grip was: a drag over the back goes on.
      const seen = Math.atan2(hit.dot(side), hit.dot(zero));
      let angle = seen + 2 * Math.PI * Math.round((last - seen) / (2 * Math.PI));
      last = angle;
      if (snapping()) angle = Math.round(angle / (5 * DEGREE)) * 5 * DEGREE;
      this.held = withLimit(joint.limits, axis, end, angle);
      stream({ op: "joint.limit", joint: joint.name, limits: this.held });
      this.stage.touch();
    };
    const release = () => {
      button.removeEventListener("pointermove", follow);
      flush();
      send({ op: "gesture.end" });
      this.held = null;
    };
    button.addEventListener("pointermove", follow);
    button.addEventListener("lostpointercapture", release, { once: true });
  }
}

/** The limits with one end moved; the ends never cross. */
export function withLimit(limits: Limits, axis: number, end: End, value: number | null): Limits {
  const axes = limits.axes.map((said, index) => {
    if (index !== axis) return said;
    if (value === null) return { ...said, [end]: null };
    const other = end === "lower" ? said.upper : said.lower;
    const kept = other === null ? value : end === "lower" ? Math.min(value, other) : Math.max(value, other);
    return { ...said, [end]: kept };
  });
  return { ...limits, axes };
}
