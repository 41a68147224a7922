// Handles over the picture: a button per goal and pole, so that mouse, touch and keyboard all reach them.

import { effect } from "@preact/signals";
import * as T from "three";
import { dragGoal, dragPole, dragTogether, inHand } from "../gestures";
import type { Gesture } from "../gestures";
import type { StudioGoal, Quaternion, Vector } from "../schema";
import { also, chooseGoals, chooseToo, chosenGoals, goals, inFront, poseNow, selection, under } from "../store";
import type { FigureView } from "./figure";
import { keptInFront } from "./in-front";
import { modifiers, SLOW, snappedPlace, snapping } from "./modifiers";
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
  at: { x: number; y: number; depth: number; visible: boolean };
}

const EDGE = 34; // pixels: the whole handle is beside the edges of panels, which are pressed up to 20
const REACH = 16; // pixels from the middle of a handle in which it is under the pointer
const SAME = 3; // pixels: handles that are as near lie over one another, and the one in front is taken
const STILL = 4; // pixels a click may move

export class Handles {
  private readonly handles = new Map<string, Handle>();
  private readonly joint = document.createElement("div");
  private clicked: { x: number; y: number } | null = null; // where the last click was
  figure: FigureView | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly layer: HTMLElement,
  ) {
    this.joint.className = "handle joint";
    this.joint.append(emptyMark());
    drawMark(this.joint.firstChild as SVGSVGElement, "joint");
    layer.append(this.joint);
    effect(() => {
      const meant = under.value;
      this.light((meant?.kind === "goal" && this.handles.get(`goal:${meant.name}`)) || null);
    });
    layer.addEventListener("pointermove", (event) => event.buttons || this.light(this.taken(event, this.under(event))));
    layer.addEventListener("pointerout", (event) => event.buttons || this.light(null));
  }

  /** The handles under the pointer, the nearest first; of those in one place the one in front, and solved ones first. */
  private under(event: PointerEvent): Handle[] {
    const box = this.layer.getBoundingClientRect();
    const off = ({ at }: Handle) => Math.hypot(event.clientX - box.left - at.x, event.clientY - box.top - at.y);
    const solved = (handle: Handle) => Number(handle.button.classList.contains("off"));
    return [...this.handles.values()]
      .filter((handle) => handle.at.visible && off(handle) <= REACH)
      .sort((a, b) => (Math.abs(off(a) - off(b)) > SAME ? off(a) - off(b) : solved(a) - solved(b) || a.at.depth - b.at.depth));
  }

  /** Of those under the pointer the nearest; where one clicks again in one place, the one that was gone on to. */
  private taken(event: PointerEvent, all: readonly Handle[]): Handle | null {
    if (this.gripUnder(event, all[0])) return null;
    const again = this.clicked && Math.hypot(event.clientX - this.clicked.x, event.clientY - this.clicked.y) <= STILL;
    return (again && all.find((one) => one.button.classList.contains("chosen"))) || (all[0] ?? null);
  }

  /** The grip of a limit that lies under a handle, where the pointer is clearly nearer to the grip. */
  private gripUnder(event: PointerEvent, handle: Handle | undefined): HTMLElement | null {
    const off = (button: HTMLElement) => {
      const box = button.getBoundingClientRect();
      return Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2);
    };
    const grip = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches(".handle.limit")) as HTMLElement | undefined;
    return grip && handle && off(grip) + SAME < off(handle.button) ? grip : null;
  }

  /** Lights the one that a press would take. */
  private light(next: Handle | null): void {
    for (const handle of this.handles.values()) {
      if (handle.button.classList.contains("hovered") !== (handle === next)) handle.button.classList.toggle("hovered", handle === next);
    }
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
    const chosen = (selection.value?.kind === kind && selection.value.name === goal.name) || (kind === "goal" && also.value.has(goal.name));
    const mark = markOf(goal, kind);
    handle.at = { ...at, depth: this.stage.camera.position.distanceTo(this.stage.world.localToWorld(new T.Vector3(...place))) };
    const beyond = (chosen || goal.kind === "look") && this.pullIn(at);
    const shown = `${at.x.toFixed(1)} ${at.y.toFixed(1)} ${at.visible} ${chosen} ${mark} ${acts(goal)} ${beyond}`;
    if (shown === handle.shown) return false;
    handle.shown = shown;
    drawMark(handle.mark, mark);
    handle.button.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`;
    const told = `${at.visible} ${chosen} ${acts(goal)} ${beyond} ${labelOf(goal, kind)}`;
    if (told === handle.told) return true; // what is set again, though the same, is drawn again
    handle.told = told;
    handle.button.hidden = !at.visible;
    handle.button.classList.toggle("chosen", chosen);
    handle.button.classList.toggle("off", !acts(goal));
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
    button.addEventListener("pointerdown", (event) => this.press(event));
    button.addEventListener("focus", () => (selection.value = { kind, name: goal }));
    this.layer.append(button);
    const handle: Handle = { button, mark, goal, kind, shown: "", told: "", at: { x: 0, y: 0, depth: 0, visible: false } };
    this.handles.set(key, handle);
    return handle;
  }

  /** Drags in the plane of the view, through the handle. A click where the last one was goes on to the handle behind. */
  private press(event: PointerEvent): void {
    const all = this.under(event);
    const grip = this.gripUnder(event, all[0]);
    if (grip) {
      event.stopPropagation();
      grip.dispatchEvent(new PointerEvent("pointerdown", event));
      return;
    }
    const handle = this.taken(event, all) ?? [...this.handles.values()].find((one) => one.button === event.currentTarget);
    const wasChosen = handle?.button.classList.contains("chosen");
    const goal = goals.value.find((entry) => entry.name === handle?.goal);
    if (!handle || !goal || event.button !== 0) return;
    const { button, kind, goal: name } = handle;
    if (event.shiftKey && kind === "goal") {
      event.preventDefault();
      chooseToo(name);
      return;
    }
    const several = chosenGoals.value.length > 1 && chosenGoals.value.includes(goal);
    const next = wasChosen && !several && all.length > 1 ? all[(all.indexOf(handle) + 1) % all.length]! : null;
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
    const gesture = kind === "goal" ? gestureOf(goal, false) : dragPole(goal);
    const keep = (kind === "goal" && inFront.value && chosenGoals.value.length < 2 && keptInFront(this.stage, this.figure, goal, at)) || null;
    let last = this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(plane, new T.Vector3());
    let isMoved = false;
    const follow = (move: PointerEvent) => {
      isMoved ||= !(next || several) || Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) > STILL;
      if (!isMoved) return; // a click that goes on to the next, or chooses one of several, moves nothing
      const hit = this.stage.ray(move.clientX, move.clientY).ray.intersectPlane(plane, new T.Vector3());
      if (!hit || !last) return;
      at.addScaledVector(hit.clone().sub(last), modifiers.slow ? SLOW : 1);
      last = hit;
      const snaps = snapping() && this.figure;
      const there = snaps ? snappedPlace(this.stage, snaps, snaps.index(goal.joint), at, move) : (keep?.(at) ?? at);
      const place = this.stage.world.worldToLocal(there.clone());
      gesture.move(place.toArray() as Vector, start.rotation);
      this.stage.touch();
    };
    const release = () => {
      button.classList.remove("held");
      this.clicked = isMoved ? null : { x: event.clientX, y: event.clientY };
      if (next && !isMoved) next.button.focus({ preventScroll: true });
      else if (!isMoved && kind === "goal") chooseGoals([name]);
      button.removeEventListener("pointermove", follow);
      gesture.end();
      this.stage.touch();
    };
    button.addEventListener("pointermove", follow);
    button.addEventListener("lostpointercapture", release, { once: true });
  }
}

/** The gesture of a goal; one of several that are chosen takes the others along. */
export function gestureOf(goal: StudioGoal, turns: boolean): Gesture {
  const all = chosenGoals.value.toSorted((a, b) => Number(b === goal) - Number(a === goal));
  return all.length > 1 && all[0] === goal ? dragTogether(all, all.map(goalPlace), turns) : dragGoal(goal, turns, goalPlace(goal).position);
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

/** Whether the figure is solved for it. */
function acts(goal: StudioGoal): boolean {
  return goal.enabled && !goal.loose;
}

function markOf(goal: StudioGoal, kind: "goal" | "pole"): Mark {
  if (kind === "pole") return "pole";
  if (goal.kind === "look" && !goal.pinned) return "look"; // an eye, free or not: nothing else tells it from a hand's ring
  if (!acts(goal)) return "free";
  return goal.pinned ? "pin" : "goal";
}

function labelOf(goal: StudioGoal, kind: "goal" | "pole"): string {
  if (kind === "pole") return `Pole of ${goal.name}`;
  const states = [goal.pinned && "pinned", !goal.enabled ? "moved by FK" : goal.loose && "free"].filter(Boolean);
  return ["Goal", goal.name, ...states].join(", ");
}
