// Thin lines over the view: residuals of goals, poles and motion paths.

import * as T from "three";
import { effect } from "@preact/signals";
import { clip, document_, goals, paths, playing, preview, selectedGoal, theme } from "../store";
import type { Theme } from "../store";
import type { ClipMessage } from "../schema";
import type { FigureView } from "./figure";
import { goalPlace, polePlace } from "./handles";
import type { Stage } from "./stage";

export class Lines {
  private readonly gap = made({ dark: 0xff7a59, light: 0xc8371a }, 1);
  private readonly poles = made({ dark: 0xd9a441, light: 0x8a5a00 }, 0.7);
  private readonly path = made({ dark: 0xffd479, light: 0xa86400 }, 0.9);
  private readonly dots = new T.Points(
    new T.BufferGeometry(),
    new T.PointsMaterial({ size: 5, sizeAttenuation: false, depthTest: false }),
  );
  private trail: { clip: ClipMessage; joint: number; places: number[] } | null = null;
  figure: FigureView | null = null;

  constructor(private readonly stage: Stage) {
    const all = [this.gap, this.poles, this.path];
    this.dots.renderOrder = 9;
    this.dots.frustumCulled = false;
    stage.scene.add(...all, this.dots);
    effect(() => void this.dots.material.color.set(theme.value === "dark" ? 0xffffff : 0x1e242d));
  }

  /** Called when pose, goals or selection changed. */
  update(): void {
    const figure = this.figure;
    if (!figure) return;
    const gap: number[] = [];
    const poles: number[] = [];
    for (const goal of goals.value) {
      const joint = figure.index(goal.joint);
      if (joint < 0 || !goal.enabled || playing.value || preview.value) continue;
      const at = figure.place(joint);
      const wanted = this.stage.world.localToWorld(new T.Vector3(...goalPlace(goal).position));
      if (goal.kind === "look") dashes(poles, at, wanted, figure.height / 120);
      else if (wanted.distanceTo(at) > 0.004 * figure.height) dashes(gap, at, wanted, figure.height / 90);
      if (goal.pole) {
        const parent = figure.event.parents[joint] ?? -1;
        const pole = this.stage.world.localToWorld(new T.Vector3(...polePlace(goal)));
        if (parent >= 0) dashes(poles, figure.place(parent), pole, figure.height / 120);
      }
    }
    put(this.gap, gap);
    put(this.poles, poles);
    this.drawPath(figure);
  }

  private drawPath(figure: FigureView): void {
    const goal = selectedGoal.value;
    const source = clip.value;
    const joint = goal ? figure.index(goal.joint) : -1;
    if (!paths.value || !source || !goal || joint < 0) {
      put(this.path, []);
      put(this.dots, []);
      return;
    }
    if (this.trail?.clip !== source || this.trail.joint !== joint) {
      const places: number[] = [];
      along(figure, source, range(source.frames), () => places.push(...figure.place(joint).toArray()));
      this.trail = { clip: source, joint, places };
    }
    const places = this.trail.places;
    const segments: number[] = [];
    for (let i = 3; i < places.length; i += 3) segments.push(...places.slice(i - 3, i + 3));
    const first = document_.value?.range[0] ?? 0;
    const keys = goal.keys.map((key) => key.frame - first).filter((at) => at >= 0 && 3 * at < places.length);
    put(this.path, segments);
    put(this.dots, keys.flatMap((at) => places.slice(3 * at, 3 * at + 3)));
  }
}

/** Poses the figure frame by frame, calls the function, and restores the pose. */
export function along(figure: FigureView, clip: ClipMessage, frames: number[], ask: () => void): void {
  const before = figure.joints.map((joint) => [joint.position.clone(), joint.quaternion.clone()] as const);
  for (const at of frames) {
    figure.applyFrame(clip, at);
    figure.root.updateMatrixWorld();
    ask();
  }
  figure.joints.forEach((joint, j) => {
    joint.position.copy(before[j]![0]);
    joint.quaternion.copy(before[j]![1]);
  });
  figure.root.updateMatrixWorld();
}

function dashes(points: number[], from: T.Vector3, to: T.Vector3, length: number): void {
  const count = Math.min(200, Math.max(1, Math.round(from.distanceTo(to) / length)));
  const step = to.clone().sub(from).divideScalar(count);
  for (let i = 0; i < count; i += 2) {
    const a = from.clone().addScaledVector(step, i);
    points.push(...a.toArray(), ...a.add(step).toArray());
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function made(colors: Record<Theme, number>, opacity: number): T.LineSegments {
  const material = new T.LineBasicMaterial({ opacity, transparent: true, depthTest: false });
  effect(() => void material.color.set(colors[theme.value]));
  const segments = new T.LineSegments(new T.BufferGeometry(), material);
  segments.renderOrder = 4;
  segments.frustumCulled = false;
  return segments;
}

function put(target: T.LineSegments | T.Points, points: number[]): void {
  const old = target.geometry.getAttribute("position") as T.BufferAttribute | undefined;
  if (old && old.array.length === points.length) {
    (old.array as Float32Array).set(points);
    old.needsUpdate = true;
  } else {
    target.geometry.dispose();
    target.geometry = new T.BufferGeometry();
    target.geometry.setAttribute("position", new T.Float32BufferAttribute(points, 3));
  }
  target.visible = points.length > 0;
}
