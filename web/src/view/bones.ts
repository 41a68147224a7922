// Bones as solids: tapering from joint to joint, in front of a skin, and the figure itself where it has none.

import * as T from "three";
import { effect } from "@preact/signals";
import { bones, selection, shaping, theme } from "../store";
import type { FigureView } from "./figure";
import type { Stage } from "./stage";

const [THICK, LEAST, MOST] = [0.09, 0.004, 0.02]; // of the bone's length; of the figure's height
const SHOULDER = 0.18; // of its length: where a bone is thickest
const UP = new T.Vector3(0, 1, 0);

/** A spindle of length 1 along y, as wide as 1 where it is thickest. */
function spindle(): T.BufferGeometry {
  const profile = [new T.Vector2(0, 0), new T.Vector2(1, SHOULDER), new T.Vector2(0, 1)];
  return new T.LatheGeometry(profile, 6).toNonIndexed();
}

export class Bones {
  private readonly coat = new T.MeshStandardMaterial({ roughness: 0.55, flatShading: true, transparent: true });
  private rods: T.InstancedMesh | null = null;
  private balls: T.InstancedMesh | null = null;
  private shown: FigureView | null = null;

  constructor(private readonly stage: Stage) {
    effect(() => void this.coat.color.set(theme.value === "dark" ? 0x9fd2f5 : 0x2f78b5));
  }

  set figure(figure: FigureView) {
    for (const part of [this.rods, this.balls]) {
      part?.removeFromParent();
      part?.dispose();
    }
    this.shown = figure;
    const count = figure.joints.length;
    this.rods = new T.InstancedMesh(spindle(), this.coat, count);
    this.balls = new T.InstancedMesh(new T.SphereGeometry(1, 10, 8), this.coat, count);
    for (const part of [this.rods, this.balls]) {
      Object.assign(part, { frustumCulled: false, castShadow: !figure.meshes.length, renderOrder: 4 });
      this.stage.scene.add(part);
    }
    // What lies over a skin is told apart by depth among itself alone.
    if (figure.meshes.length) this.rods.onBeforeRender = (renderer) => renderer.clearDepth();
  }

  /** Called when the pose changed. */
  update(): void {
    const [figure, rods, balls] = [this.shown, this.rods, this.balls];
    if (!figure || !rods || !balls) return;
    const isEdited = shaping.value && selection.value?.kind === "joint";
    rods.visible = balls.visible = bones.value || isEdited || !figure.meshes.length;
    if (!rods.visible) return;
    const [at, turn, size] = [new T.Matrix4(), new T.Quaternion(), new T.Vector3()];
    const places = figure.joints.map((_, joint) => figure.place(joint));
    const wide = (length: number) => Math.min(MOST, Math.max(LEAST, (THICK * length) / figure.height)) * figure.height;
    const widest = places.map(() => LEAST * figure.height);
    figure.event.parents.forEach((parent, joint) => {
      const along = parent < 0 ? new T.Vector3() : places[joint]!.clone().sub(places[parent]!);
      const length = along.length();
      const width = length ? wide(length) : 0;
      if (parent >= 0) widest[parent] = Math.max(widest[parent]!, 0.7 * width);
      turn.setFromUnitVectors(UP, length ? along.divideScalar(length) : UP);
      rods.setMatrixAt(joint, at.compose(places[parent] ?? places[joint]!, turn, size.set(width, length, width)));
    });
    places.forEach((place, joint) => balls.setMatrixAt(joint, at.compose(place, turn.identity(), size.setScalar(widest[joint]!))));
    rods.instanceMatrix.needsUpdate = balls.instanceMatrix.needsUpdate = true;
  }
}
