// Camera moves requested by other parts.

import * as T from "three";
import type { StudioGoal, Vector } from "../schema";
import { chosenGoals, following, selectedJoint, selectedProp } from "../store";
import type { FigureView } from "./figure";
import type { Stage } from "./stage";

let stage: Stage | null = null;
let figureShown: () => FigureView | null = () => null;
let seenAt = new T.Vector3();

/** seen: where the camera that goes along has the figure. */
export function setLooking(shown: Stage, figure: typeof figureShown, seen: T.Vector3): void {
  stage = shown;
  figureShown = figure;
  seenAt = seen;
}

/** A first position for a goal's pole: beyond the bend of its limb; towards the viewer where the limb is straight. */
export function firstPole(goal: StudioGoal): Vector {
  const figure = figureShown();
  const end = figure?.index(goal.joint) ?? -1;
  const bend = figure?.event.parents[end] ?? -1;
  const start = figure?.event.parents[bend] ?? -1;
  if (!stage || !figure || start < 0) return goal.position;
  const middle = figure.place(bend);
  const line = new T.Line3(figure.place(start), figure.place(end));
  const way = middle.clone().sub(line.closestPointToPoint(middle, false, new T.Vector3()));
  if (way.length() < 0.01 * figure.height) way.copy(stage.camera.position).sub(middle).setY(0);
  return stage.world.worldToLocal(middle.addScaledVector(way.normalize(), 0.28 * figure.height)).toArray();
}

export function lookFrom(x: number, y: number, z: number): void {
  stage?.lookFromSide(new T.Vector3(x, y, z));
}

export function lookAtFigure(): void {
  const figure = figureShown();
  if (figure) stage?.fit(figure.center, figure.height, figure.extent);
}

const BALL = 0.11; // of the figure: what is seen about a goal

/** Looks at what is chosen; at the figure, where nothing is. */
export function lookAtChosen(): void {
  const figure = figureShown();
  if (!figure || !stage) return;
  figure.root.updateMatrixWorld();
  const box = new T.Box3();
  for (const goal of chosenGoals.value) box.expandByPoint(stage.world.localToWorld(new T.Vector3(...goal.position)));
  if (box.isEmpty() && selectedJoint.value) box.expandByPoint(figure.place(figure.index(selectedJoint.value.name)));
  const prop = selectedProp.value ? stage.scene.getObjectByName(`prop:${selectedProp.value.name}`) : undefined;
  if (prop) box.setFromObject(prop);
  if (box.isEmpty()) {
    const { x, y, z } = figure.center, radius = 0.55 * Math.max(figure.height, ...figure.extent.toArray());
    return stage.frame(new T.Vector3(x, y, z), radius); // from where one looks now
  }
  const ball = box.getBoundingSphere(new T.Sphere());
  stage.frame(ball.center, ball.radius + (prop ? 0 : BALL * figure.height));
}

const STEP = Math.PI / 12;

/** Turns the view by steps to the side and up. */
export function orbitBy(aside: number, up: number): void {
  stage?.orbitBy(aside * STEP, up * STEP);
}

/** Looks from the other side. */
export function turnRound(): void {
  stage?.orbitBy(Math.PI, 0);
}

/** The names of the meshes of the figure. */
export function meshNames(): string[] {
  return figureShown()?.meshNames ?? [];
}

/** Where a joint is, in the figure's axes. */
export function jointPlace(name: string): Vector | null {
  const figure = figureShown();
  const index = figure?.index(name) ?? -1;
  if (!stage || !figure || index < 0) return null;
  figure.root.updateMatrixWorld();
  return stage.world.worldToLocal(figure.place(index)).toArray();
}

const PICTURE = 72; // pixels

/** The middle of the view as a small PNG in base64, "" where there is none. */
export function thumbnail(): string {
  if (!stage) return "";
  const shot = stage.shot();
  const [wide, high] = [shot.width, shot.height];
  const side = Math.min(wide, high);
  const small = document.createElement("canvas");
  small.width = small.height = PICTURE;
  small.getContext("2d")?.drawImage(shot, (wide - side) / 2, (high - side) / 2, side, side, 0, 0, PICTURE, PICTURE);
  return small.toDataURL("image/png").split(",")[1] ?? "";
}

/** The camera in the figure's axes, as an export asks for it. */
export function cameraNow(): Record<"eye" | "target" | "fov", string> {
  if (!stage) return { eye: "0,1,3", target: "0,1,0", fov: "38" };
  return { eye: placeOf(stage.camera.position), target: placeOf(stage.orbit.target), fov: String(stage.camera.fov) };
}

const placeOf = (point: T.Vector3): string => stage!.world.worldToLocal(point.clone()).toArray().map((value) => value.toFixed(5)).join();

/** Where the camera that goes along has the figure, in the figure's axes; none where it stays. */
export function alongNow(): string | null {
  return stage && following.value ? placeOf(seenAt) : null;
}

/** Width and height of the view in pixels. */
export function viewSize(): [number, number] {
  return stage ? [stage.canvas.clientWidth, stage.canvas.clientHeight] : [960, 720];
}

/** Right and up on the screen and away from the eye, in the figure's axes. */
export function screenAxes(): Record<"right" | "up" | "away", T.Vector3> | null {
  if (!stage) return null;
  const upright = stage.world.getWorldQuaternion(new T.Quaternion()).invert();
  const axis = (x: number, y: number, z: number) => new T.Vector3(x, y, z).applyQuaternion(stage!.camera.quaternion).applyQuaternion(upright);
  return { right: axis(1, 0, 0), up: axis(0, 1, 0), away: axis(0, 0, -1) };
}
