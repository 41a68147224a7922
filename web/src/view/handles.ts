// Handles over the picture: a button per goal and pole, so that mouse, touch and keyboard all reach them.

import * as T from "three";
import { dragGoal, dragPole, inHand } from "../gestures";
import type { Gesture } from "../gestures";
import type { StudioGoal, Quaternion, Vector } from "../schema";
import { goals, poseNow, selection } from "../store";
import type { FigureView } from "./figure";
import { gridStep, modifiers, SLOW, snapped, snapping } from "./modifiers";
import { drawMark, emptyMark, side } from "./shapes";
import type { Mark } from "./shapes";
import type { Stage } from "./stage";

interface Handle {
  button: HTMLButtonElement;
  mark: SVGSVGElement;
  goal: string;
  kind: "goal" | "pole";
  shown: string;
  told: string;
}

const EDGE = 15; // pixels

export class Handles {
  private readonly handles = new Map<string, Handle>();
  private readonly joint = document.createElement("div");
  figure: FigureView | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly layer: HTMLElement,
  ) {
    this.joint.className = "handle joint";
    this.joint.append(emptyMark());
    drawMark(this.joint.firstChild as SVGSVGElement, "joint");
    layer.append(this.joint);
  }

  /** Follows the goals; true while something moved. */
  tick(): boolean {
    const wanted = new Set<string>();
    let moved = false;
    for (const goal of goals.value) {
      moved = this.show(goal, "goal", wanted) || moved;
      if (goal.pole) moved = this.show(goal, "pole", wanted) || moved;
    }
    for (const [key, handle] of this.handles) {
      if (wanted.has(key)) continue;
      handle.button.remove();
      this.handles.delete(key);
    }
    this.markJoint();
    return moved;
  }

  /** A mark on the joint that is selected, which one turns by its rings. */
  private markJoint(): void {
    const name = selection.value?.kind === "joint" ? selection.value.name : "";
    const joint = this.figure?.index(name) ?? -1;
    if (this.joint.hidden !== joint < 0) this.joint.hidden = joint < 0;
    if (joint < 0) return;
    const at = this.stage.project(this.figure!.place(joint));
    this.joint.dataset.handle = `joint:${name}`;
    this.joint.dataset.label = name;
    this.joint.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`;
  }

  private show(goal: StudioGoal, kind: "goal" | "pole", wanted: Set<string>): boolean {
    const key = `${kind}:${goal.name}`;
    wanted.add(key);
    const handle = this.handles.get(key) ?? this.add(key, goal.name, kind);
    const place = kind === "goal" ? goalPlace(goal).position : polePlace(goal);
    const at = this.stage.project(this.stage.world.localToWorld(new T.Vector3(...place)));
    const chosen = selection.value?.kind === kind && selection.value.name === goal.name;
    const mark = markOf(goal, kind);
    const beyond = (chosen || goal.kind === "look") && this.pullIn(at);
    const shown = `${at.x.toFixed(1)} ${at.y.toFixed(1)} ${at.visible} ${chosen} ${mark} ${goal.enabled} ${beyond}`;
    if (shown === handle.shown) return false;
    handle.shown = shown;
    drawMark(handle.mark, mark);
    handle.button.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`;
    const told = `${at.visible} ${chosen} ${goal.enabled} ${beyond} ${labelOf(goal, kind)}`;
    if (told === handle.told) return true; // what is set again, though the same, is drawn again
    handle.told = told;
    handle.button.hidden = !at.visible;
    handle.button.classList.toggle("chosen", chosen);
    handle.button.classList.toggle("off", !goal.enabled);
    handle.button.classList.toggle("beyond", beyond);
    handle.button.setAttribute("aria-pressed", String(chosen));
    handle.button.setAttribute("aria-label", labelOf(goal, kind));
    return true;
  }

  /** A handle out of the picture stands at its edge; true if it would be. */
  private pullIn(at: { x: number; y: number; visible: boolean }): boolean {
    const { clientWidth, clientHeight } = this.stage.canvas;
    const [x, y] = [Math.min(clientWidth - EDGE, Math.max(EDGE, at.x)), Math.min(clientHeight - EDGE, Math.max(EDGE, at.y))];
    const moved = x !== at.x || y !== at.y;
    Object.assign(at, { x, y });
    return moved && at.visible;
  }

  private add(key: string, goal: string, kind: "goal" | "pole"): Handle {
    const button = document.createElement("button");
    const mark = emptyMark();
    button.type = "button";
    button.className = `handle ${kind} ${side(goal)}`;
    button.dataset.handle = key;
    button.dataset.label = kind === "pole" ? `${goal} pole` : goal;
    button.append(mark);
    button.addEventListener("pointerdown", (event) => this.press(event, goal, kind));
    button.addEventListener("focus", () => (selection.value = { kind, name: goal }));
    this.layer.append(button);
    const handle: Handle = { button, mark, goal, kind, shown: "", told: "" };
    this.handles.set(key, handle);
    return handle;
  }

  /** Drags in the plane of the view, through the handle. */
  private press(event: PointerEvent, name: string, kind: "goal" | "pole"): void {
    const goal = goals.value.find((entry) => entry.name === name);
    const button = event.currentTarget as HTMLButtonElement;
    if (!goal || event.button !== 0) return;
    event.preventDefault();
    button.focus({ preventScroll: true });
    selection.value = { kind, name };
    button.setPointerCapture(event.pointerId);
    button.classList.add("held");
    const start = goalPlace(goal);
    const local = new T.Vector3(...(kind === "goal" ? start.position : polePlace(goal)));
    const at = this.stage.world.localToWorld(local);
    const plane = new T.Plane().setFromNormalAndCoplanarPoint(
      this.stage.camera.getWorldDirection(new T.Vector3()),
      at,
    );
    const gesture: Gesture = kind === "goal" ? dragGoal(goal, goal.rotation_weight > 0) : dragPole(goal);
    let last = this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(plane, new T.Vector3());
    const follow = (move: PointerEvent) => {
      const hit = this.stage.ray(move.clientX, move.clientY).ray.intersectPlane(plane, new T.Vector3());
      if (!hit || !last) return;
      at.addScaledVector(hit.clone().sub(last), modifiers.slow ? SLOW : 1);
      last = hit;
      const inWorld = this.stage.world.worldToLocal(at.clone());
      const place = snapping() ? snapped(inWorld, gridStep(this.figure?.height ?? 1.8)) : inWorld;
      gesture.move(place.toArray() as Vector, start.rotation);
      this.stage.touch();
    };
    const release = () => {
      button.classList.remove("held");
      button.removeEventListener("pointermove", follow);
      gesture.end();
      this.stage.touch();
    };
    button.addEventListener("pointermove", follow);
    button.addEventListener("lostpointercapture", release, { once: true });
  }
}

/** The current position of a goal: of the drag, else of the last pose, else of the document. */
export function goalPlace(goal: StudioGoal): { position: Vector; rotation: Quaternion } {
  const held = inHand("goal", goal.name);
  if (held) return held;
  const index = goals.value.indexOf(goal);
  const pose = poseNow();
  if (!pose || index < 0 || pose.goals.length !== 7 * goals.value.length) return goal;
  const v = pose.goals.subarray(7 * index, 7 * index + 7);
  return { position: [v[0]!, v[1]!, v[2]!], rotation: [v[3]!, v[4]!, v[5]!, v[6]!] };
}

export function polePlace(goal: StudioGoal): Vector {
  return inHand("pole", goal.name)?.position ?? goal.pole ?? goal.position;
}

function markOf(goal: StudioGoal, kind: "goal" | "pole"): Mark {
  if (kind === "pole") return "pole";
  if (!goal.enabled) return "free";
  if (goal.pinned) return "pin";
  return goal.kind === "look" ? "look" : "goal";
}

function labelOf(goal: StudioGoal, kind: "goal" | "pole"): string {
  if (kind === "pole") return `Pole of ${goal.name}`;
  const states = [goal.pinned && "pinned", !goal.enabled && "moved by FK"].filter(Boolean);
  return ["Goal", goal.name, ...states].join(", ");
}
