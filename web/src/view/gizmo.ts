// The gizmo of what is selected: arrows and rings on a goal or pole, rings on a joint moved by hand (FK).

import { effect } from "@preact/signals";
import * as T from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { dragPole, dragProp, inHand, onCancel, shapeJoint, turnJoint } from "../gestures";
import type { Gesture } from "../gestures";
import type { Joint, Quaternion, Vector } from "../schema";
import { chosenGoals, DEGREE, document_, grabbing, grip, inFront, painting, playing, selectedGoal, selectedJoint, selectedProp, selection, shaping, tool, up } from "../store";
import type { FigureView } from "./figure";
import { gestureOf, goalPlace, polePlace } from "./handles";
import { keptInFront } from "./in-front";
import type { Keeper } from "./in-front";
import { gridStep, modifiers, SLOW, snapping, TURN_STEP } from "./modifiers";
import type { Stage } from "./stage";

const ONE = new T.Quaternion();
const [RED, GREEN, BLUE, HELD] = [0xe5616b, 0x6cc36a, 0x5a93f0, 0xffc857];

const X = new T.Vector3(1, 0, 0);
const LONG = 50; // heights of the figure that a line along an axis reaches

interface Place {
  position: T.Vector3;
  rotation: T.Quaternion;
}

const emptyPlace = (): Place => ({ position: new T.Vector3(), rotation: new T.Quaternion() });

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly proxy = new T.Object3D();
  private gesture: Gesture | null = null;
  private keep: Keeper | null = null; // what keeps a hand in front of the body while it moves in the view
  private over = () => {};
  private isSwitching = false; // to another axis, in one gesture
  private lying = false; // the scene's y is the figure's z
  private readonly start = emptyPlace(); // where it was taken
  private readonly value = emptyPlace();
  private readonly raw = emptyPlace();
  private readonly rails = [RED, GREEN, BLUE].map(railOf);
  private readonly aligned = new T.Quaternion(); // from the joint's frame to that of its rings
  figure: FigureView | null = null;

  constructor(private readonly stage: Stage) {
    this.controls = new TransformControls(stage.camera, stage.canvas);
    this.controls.setColors(RED, GREEN, BLUE, HELD);
    stage.world.add(this.proxy);
    stage.scene.add(this.controls.getHelper());
    this.controls.addEventListener("change", () => {
      stage.touch();
      grip.value = this.hot ? nameOf(this.controls.mode, this.controls.axis!, this.lying) : null;
      stage.canvas.style.cursor = this.dragging ? "grabbing" : this.hot ? "grab" : "";
    });
    this.controls.addEventListener("dragging-changed", (event) => {
      if (this.isSwitching) return;
      stage.orbit.enabled = !event.value;
      if (event.value) this.begin();
      else this.end();
    });
    this.controls.addEventListener("objectChange", () => this.follow());
    for (const rail of this.rails) stage.world.add(rail);
    effect(() => this.rule(grabbing.value?.axes ?? ""));
  }

  /** Whether it leaves the mouse to the camera. */
  set isAside(is: boolean) {
    this.controls.enabled = !is;
  }

  get dragging(): boolean {
    return this.controls.dragging;
  }

  /** Whether the mouse is over one of its parts. */
  get hot(): boolean {
    return this.controls.axis !== null && Boolean(this.controls.object);
  }

  /** Takes what is chosen by a part of the gizmo, as if pressed at a place of the page; false where nothing is chosen.
   * Of what is held already, it goes back to its start, and is held by the other part.
   */
  grasp(part: string, at: { x: number; y: number }): boolean {
    this.isSwitching = this.controls.dragging;
    if (this.isSwitching) {
      this.controls.reset();
      this.controls.dragging = false;
    } else this.tick();
    const other = this.controls.mode === "translate" ? "E" : "XYZ";
    const isHeld = Boolean(this.controls.object) && part !== other;
    if (isHeld) {
      this.controls.axis = part as typeof this.controls.axis;
      this.controls.getHelper().updateMatrixWorld(true);
      this.controls.pointerDown(this.pointer(at, 0));
    }
    this.isSwitching = false;
    return isHeld;
  }

  /** Moves what was grasped to where the mouse is. */
  pull(at: { x: number; y: number }): void {
    this.controls.pointerMove(this.pointer(at, -1));
  }

  /** Moves what was grasped by a length, or turns it by an angle in degrees, from where it was taken. axes: those it is kept to;
   * of a plane the first counts, and without one x, and the axis of the view for what turns.
   */
  goBy(axes: string, much: number): void {
    const turns = this.controls.mode === "rotate";
    const way = turns && !axes ? this.towardsEye() : this.axis(axes[0] ?? "X");
    this.proxy.position.copy(this.start.position);
    this.proxy.quaternion.copy(this.start.rotation);
    if (turns) this.proxy.quaternion.premultiply(new T.Quaternion().setFromAxisAngle(way, much * DEGREE));
    else this.proxy.position.addScaledVector(way, much);
    for (const one of [this.value, this.raw]) this.note(one);
    this.gesture?.move(this.value.position.toArray() as Vector, this.rotation());
    this.stage.touch();
  }

  /** An axis of the figure, or of what is held where axes are local. */
  private axis(name: string): T.Vector3 {
    const axis = new T.Vector3(...[..."XYZ"].map((one) => Number(one === name)));
    return this.controls.space === "local" ? axis.applyQuaternion(this.start.rotation) : axis;
  }

  private towardsEye(): T.Vector3 {
    const upright = this.stage.world.getWorldQuaternion(new T.Quaternion()).invert();
    return this.stage.camera.getWorldDirection(new T.Vector3()).negate().applyQuaternion(upright);
  }

  /** Draws the axes that it is kept to, through where it was taken. */
  private rule(axes: string): void {
    this.stage.touch();
    this.rails.forEach((rail, k) => {
      rail.visible = axes.includes("XYZ"[k]!);
      if (!rail.visible) return;
      const reach = LONG * (this.figure?.height ?? 1.8);
      rail.position.copy(this.start.position);
      rail.quaternion.setFromUnitVectors(X, this.axis("XYZ"[k]!));
      rail.scale.setScalar(reach);
    });
  }

  release(): void {
    this.controls.pointerUp(null);
  }

  /** What three reads of a pointer: its place, -1 … 1, and its button. */
  private pointer(at: { x: number; y: number }, button: number): PointerEvent {
    const box = this.stage.canvas.getBoundingClientRect();
    const read = { x: (2 * (at.x - box.left)) / box.width - 1, y: 1 - (2 * (at.y - box.top)) / box.height, button };
    return read as PointerEvent;
  }

  tick(): void {
    if (this.controls.dragging) {
      this.controls.setTranslationSnap(snapping() ? gridStep(this.figure?.height ?? 1.8) : null);
      this.controls.setRotationSnap(snapping() ? TURN_STEP : null);
      return;
    }
    const chosen = selection.value;
    if (!chosen || painting.value || playing.value || !this.put(chosen.kind)) {
      if (this.controls.object) this.controls.detach();
      return;
    }
    // Around a joint the rings are wide enough for the dials of its limits.
    const around = chosen.kind === "joint";
    this.controls.size = around && !shaping.value ? 1 : 0.72;
    this.controls.showE = !around;
    const shapes = around && shaping.value;
    const turns = around && !shapes ? turnsOf(selectedJoint.value) : 3;
    this.controls.showX = turns > 1; // each change of it asks for a picture
    this.controls.showY = turns > 2;
    this.controls.showZ = turns > 0;
    this.controls.setMode((around && !shapes) || ((chosen.kind === "goal" || chosen.kind === "prop") && tool.value === "rotate") ? "rotate" : "translate");
    this.controls.setSpace(around && !shapes ? "local" : (document_.value?.space ?? "world"));
    this.lie(this.controls.space === "world" && up.value === "z");
    if (!this.controls.object) this.controls.attach(this.proxy);
  }

  /** Colours and names of axes are those of the figure, whose z may point up. */
  private lie(lying: boolean): void {
    if (lying === this.lying) return;
    this.lying = lying;
    this.controls.setColors(RED, lying ? BLUE : GREEN, lying ? GREEN : BLUE, HELD);
  }

  /** Puts the proxy where the selected thing is; false if it is nowhere. */
  private put(kind: "goal" | "pole" | "joint" | "prop"): boolean {
    const goal = selectedGoal.value;
    if (kind === "prop") return this.putProp();
    if (kind !== "joint") {
      if (!goal || (kind === "pole" && !goal.pole)) return false;
      const place = goalPlace(goal);
      this.proxy.position.set(...(kind === "pole" ? polePlace(goal) : place.position));
      const [w, x, y, z] = place.rotation;
      this.proxy.quaternion.set(x, y, z, w);
      return true;
    }
    const joint = this.joint();
    if (!joint || (!shaping.value && !turnsOf(selectedJoint.value))) return false;
    this.aligned.copy(shaping.value ? ONE : alignedTo(selectedJoint.value));
    const upright = this.stage.world.getWorldQuaternion(new T.Quaternion()).invert();
    joint.getWorldPosition(this.proxy.position);
    this.stage.world.worldToLocal(this.proxy.position);
    this.proxy.quaternion.copy(joint.getWorldQuaternion(new T.Quaternion())).premultiply(upright).multiply(this.aligned);
    return true;
  }

  /** A thing that a joint carries is moved by its numbers alone. */
  private putProp(): boolean {
    const prop = selectedProp.value;
    if (!prop || prop.joint !== null) return false;
    const { position, rotation } = inHand("prop", prop.name) ?? prop;
    this.proxy.position.set(...position);
    this.proxy.quaternion.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    return true;
  }

  private joint(): T.Object3D | null {
    const name = selection.value?.name ?? "";
    return this.figure?.joints[this.figure.index(name)] ?? null;
  }

  private begin(): void {
    const goal = selectedGoal.value;
    const kind = selection.value?.kind;
    if (kind === "joint") this.gesture = shaping.value ? shapeJoint(selection.value!.name) : turnJoint(selection.value!.name);
    else if (kind === "prop") this.gesture = dragProp(selection.value!.name);
    else if (goal && kind === "pole") this.gesture = dragPole(goal);
    else if (goal) this.gesture = gestureOf(goal, this.controls.mode === "rotate");
    this.over = onCancel(() => this.controls.pointerUp(null)); // after the gesture is taken back: its end would count
    for (const one of [this.start, this.value, this.raw]) this.note(one);
    const alone = inFront.value && goal && kind === "goal" && chosenGoals.value.length < 2;
    this.keep = alone ? keptInFront(this.stage, this.figure, goal, this.stage.world.localToWorld(this.proxy.position.clone())) : null;
  }

  private note(one: Place): void {
    one.position.copy(this.proxy.position);
    one.rotation.copy(this.proxy.quaternion);
  }

  /** What the controls moved since the last event, made slow under Shift, goes on top of the value. */
  private follow(): void {
    if (!this.gesture) return;
    const share = modifiers.slow && !snapping() ? SLOW : 1;
    const turn = this.proxy.quaternion.clone().multiply(this.raw.rotation.clone().invert());
    this.value.position.addScaledVector(this.proxy.position.clone().sub(this.raw.position), share);
    this.value.rotation.premultiply(ONE.clone().slerp(turn, share)).normalize();
    this.raw.position.copy(this.proxy.position);
    this.raw.rotation.copy(this.proxy.quaternion);
    this.proxy.position.copy(this.value.position);
    this.proxy.quaternion.copy(this.value.rotation);
    this.gesture.move(this.inFront(this.value.position).toArray() as Vector, this.rotation());
  }

  private inFront(place: T.Vector3): T.Vector3 {
    if (!this.keep || snapping() || this.controls.mode !== "translate" || this.controls.axis !== "XYZ") return place;
    const { world } = this.stage;
    return world.worldToLocal(this.keep(world.localToWorld(place.clone())));
  }

  private rotation(): Quaternion {
    const turned = this.value.rotation.clone();
    const joint = selection.value?.kind === "joint" ? this.joint() : null;
    if (joint?.parent) {
      const parent = joint.parent.getWorldQuaternion(new T.Quaternion()).invert();
      const upright = this.stage.world.getWorldQuaternion(new T.Quaternion());
      turned.multiply(this.aligned.clone().invert()).premultiply(upright).premultiply(parent);
    }
    return [turned.w, turned.x, turned.y, turned.z];
  }

  private end(): void {
    this.over();
    this.gesture?.end();
    this.gesture = null;
  }
}

/** A line along x, both ways, seen through everything. */
function railOf(color: number): T.LineSegments {
  const ends = new T.BufferGeometry().setFromPoints([new T.Vector3(-1, 0, 0), X]);
  const rail = new T.LineSegments(ends, new T.LineBasicMaterial({ color, depthTest: false, transparent: true }));
  rail.renderOrder = 9;
  rail.visible = rail.frustumCulled = false;
  return rail;
}

function nameOf(mode: string, axis: string, lying: boolean): string {
  const names = axis.toLowerCase().split("").map((name) => (lying ? { x: "x", y: "z", z: "y" }[name] : name));
  if (mode === "rotate") return axis === "E" || axis === "XYZE" ? "turn in the view" : `turn about ${names[0]}`;
  return axis === "XYZ" ? "move in the view" : `move along ${names.sort().join(" and ")}`;
}

/** The axes that a joint turns about, in its own frame; none for a ball, which turns about all. */
function axesOf(joint: Joint | null): T.Vector3[] {
  return (joint?.limits.axes ?? []).filter((axis) => !axis.slide).map((axis) => new T.Vector3(...axis.direction).normalize());
}

/** How many rings a joint has: one for a hinge, two for a universal joint, none where it does not turn. */
function turnsOf(joint: Joint | null): number {
  const kind = joint?.limits.kind;
  if (kind === "fixed" || kind === "slide") return 0;
  return axesOf(joint).length || 3;
}

/** Rings about the joint's own axes: z about the last of them, and x about the other. */
function alignedTo(joint: Joint | null): T.Quaternion {
  const axes = axesOf(joint);
  const last = axes.at(-1);
  if (!last || axes.length > 2) return new T.Quaternion();
  const other = axes.length > 1 ? axes[0]! : Math.abs(last.x) < 0.9 ? new T.Vector3(1, 0, 0) : new T.Vector3(0, 1, 0);
  const y = new T.Vector3().crossVectors(last, other).normalize();
  return new T.Quaternion().setFromRotationMatrix(new T.Matrix4().makeBasis(new T.Vector3().crossVectors(y, last), y, last));
}
