// Grips at the ends of the selected joint's limits: dragged around the joint they set the limit.

import type * as T from "three";
import { flush, send, stream } from "../link";
import type { Joint, Limits } from "../schema";
import { heat, selectedJoint, selection } from "../store";
import type { FigureView } from "./figure";
import { endName, pointAt } from "./limit-shapes";
import type { Dial, End } from "./limit-shapes";
import { placed } from "./limits";
import { snapping } from "./modifiers";
import type { Stage } from "./stage";

const DEGREE = Math.PI / 180;
const TRIED = 45; // angles to each side of the last, two degrees apart

interface Grip {
  dial: number;
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
    const joint = this.joint();
    const found = joint && this.figure && placed(this.figure, joint, this.stage, true);
    const key = found ? `${joint!.name} ${found.dials.map((dial) => `${dial.part} ${dial.lower !== null} ${dial.upper !== null}`).join()}` : "";
    if (key !== this.shownFor) this.rebuild(key, found?.dials ?? []);
    if (!found) return false;
    for (const { dial, end, button } of this.grips) {
      const said = found.dials[dial]!;
      const seen = this.stage.project(pointAt(said, said[end]!).applyMatrix4(found.world));
      button.style.transform = `translate(${seen.x.toFixed(1)}px, ${seen.y.toFixed(1)}px) translate(-50%, -50%)`;
      const active = found.active.has(endName(said, end));
      if (button.classList.contains("active") !== active) button.classList.toggle("active", active);
      const title = `${joint!.name} ${labelOf(said, end)}: ${(said[end]! / DEGREE).toFixed(0)}°${active ? ", holds it" : ""}`;
      if (button.title === title) continue;
      button.title = title;
      button.setAttribute("aria-label", title);
    }
    return false;
  }

  /** The selected joint, with its limits as they are in the hand. */
  private joint(): Joint | null {
    const joint = selection.value?.kind === "joint" && !heat.value ? selectedJoint.value : null;
    return joint && this.held ? { ...joint, limits: this.held } : joint;
  }

  private rebuild(key: string, dials: readonly Dial[]): void {
    this.shownFor = key;
    for (const grip of this.grips) grip.button.remove();
    this.grips = dials.flatMap((dial, index) =>
      (["lower", "upper"] as const)
        .filter((end) => dial[end] !== null)
        .map((end): Grip => {
          const button = document.createElement("button");
          button.type = "button";
          button.className = `handle limit ${dial.part} ${end}`;
          button.dataset.limit = `${labelOf(dial, end)}`;
          button.tabIndex = -1; // the inspector has fields for the same numbers
          button.addEventListener("pointerdown", (event) => this.press(event, index, end));
          this.layer.prepend(button); // under the handles of goals, which hand a press that is nearer to a grip on to it
          return { dial: index, end, button };
        }),
    );
  }

  private press(event: PointerEvent, index: number, end: End): void {
    const joint = selectedJoint.value;
    const found = joint && this.figure && placed(this.figure, joint, this.stage, true);
    const dial = found?.dials[index];
    if (!joint || !found || !dial || event.button !== 0) return;
    const button = event.currentTarget as HTMLButtonElement;
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    let angle = dial[end]!;
    send({ op: "gesture.begin", label: `limit of ${joint.name}` });
    const follow = (move: PointerEvent) => {
      angle = this.angleUnder(move, dial, found.world, angle);
      const kept = snapping() ? Math.round(angle / (5 * DEGREE)) * 5 * DEGREE : angle;
      this.held = withEnd(joint.limits, dial, end, kept);
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

  /** The angle near the last one whose place on the dial is seen nearest to the mouse: whichever way the dial is seen. */
  private angleUnder(event: PointerEvent, dial: Dial, world: T.Matrix4, last: number): number {
    const box = this.stage.canvas.getBoundingClientRect();
    const off = (angle: number) => {
      const seen = this.stage.project(pointAt(dial, angle).applyMatrix4(world));
      return Math.hypot(seen.x - event.clientX + box.left, seen.y - event.clientY + box.top);
    };
    const nearest = (middle: number, step: number, count: number) => {
      let best = middle;
      for (let k = -count; k <= count; k++) if (off(middle + k * step) < off(best) - 1e-3) best = middle + k * step;
      return best;
    };
    return nearest(nearest(last, 2 * DEGREE, TRIED), 0.1 * DEGREE, 20);
  }
}

function labelOf(dial: Dial, end: End): string {
  return dial.part === "swing" ? "swing" : `${dial.name} ${end}`;
}

/** The limits with one end of a dial at an angle; the ends never cross. */
function withEnd(limits: Limits, dial: Dial, end: End, value: number): Limits {
  const { cone } = limits;
  if (dial.part === "axis" || !cone) return withLimit(limits, dial.index, end, value);
  const inside = Math.min(Math.PI, Math.max(-Math.PI, value));
  if (dial.part === "swing") return { ...limits, cone: { ...cone, swing: Math.max(0, end === "lower" ? -inside : inside) } };
  return { ...limits, cone: { ...cone, [end]: apart(cone, end, inside) } };
}

export function withLimit(limits: Limits, axis: number, end: End, value: number | null): Limits {
  const axes = limits.axes.map((said, index) => (index === axis ? { ...said, [end]: value === null ? null : apart(said, end, value) } : said));
  return { ...limits, axes };
}

function apart(said: { lower: number | null; upper: number | null }, end: End, value: number): number {
  const other = end === "lower" ? said.upper : said.lower;
  if (other === null) return value;
  return end === "lower" ? Math.min(value, other) : Math.max(value, other);
}
