// Things in the scene: boxes, spheres and meshes, where the session has them or the hand holds them.

import * as T from "three";
import { effect } from "@preact/signals";
import { request } from "../access";
import { inHand } from "../gestures";
import type { StudioProp } from "../schema";
import { props, selection, up } from "../store";
import type { FigureView } from "./figure";
import { glbLoader } from "./images";
import type { Stage } from "./stage";

const COLOR = 0x9a8f80;

export class Props {
  private shown: FigureView | null = null;
  private readonly groups = new Map<string, T.Group>();
  private readonly chosen = new T.BoxHelper(new T.Object3D(), 0xffc857);

  constructor(private readonly stage: Stage) {
    this.chosen.visible = false;
    stage.scene.add(this.chosen);
    effect(() => {
      void selection.value;
      this.show(props.value);
    });
  }

  set figure(figure: FigureView) {
    this.shown = figure;
    this.show(props.peek());
  }

  /** All that can be hit. */
  get meshes(): T.Mesh[] {
    const found: T.Mesh[] = [];
    for (const group of this.groups.values()) group.traverse((part) => void (part instanceof T.Mesh && found.push(part)));
    return found;
  }

  nameOf(hit: T.Object3D): string {
    let part: T.Object3D | null = hit;
    while (part && !part.name.startsWith("prop:")) part = part.parent;
    return part?.name.slice(5) ?? "";
  }

  private show(wanted: readonly StudioProp[]): void {
    for (const [name, group] of this.groups) {
      if (wanted.some((prop) => prop.name === name)) continue;
      group.removeFromParent();
      this.groups.delete(name);
    }
    for (const prop of wanted) this.place(prop, this.groups.get(prop.name) ?? this.made(prop));
    const group = selection.value?.kind === "prop" ? this.groups.get(selection.value.name) : undefined;
    this.chosen.visible = group !== undefined;
    if (group) this.chosen.setFromObject(group);
    this.stage.touch();
  }

  /** Follows what the hand holds; true while something moved. */
  tick(): boolean {
    let moved = false;
    for (const prop of props.peek()) {
      const held = inHand("prop", prop.name);
      const group = this.groups.get(prop.name);
      if (!held || !group) continue;
      moved = true;
      this.place({ ...prop, position: held.position, rotation: held.rotation }, group);
      this.chosen.setFromObject(group);
    }
    return moved;
  }

  private place(prop: StudioProp, group: T.Group): void {
    const carrier = prop.joint === null ? this.stage.world : this.shown?.joints[this.shown.index(prop.joint)];
    if (carrier && group.parent !== carrier) carrier.add(group);
    group.position.set(...prop.position);
    const [w, x, y, z] = prop.rotation;
    group.quaternion.set(x, y, z, w);
    group.children[0]?.scale.set(...prop.size);
    group.updateWorldMatrix(true, true);
  }

  private made(prop: StudioProp): T.Group {
    const group = new T.Group();
    group.name = `prop:${prop.name}`;
    this.groups.set(prop.name, group);
    if (prop.kind === "mesh") void this.fetch(prop, group);
    else group.add(solid(prop.kind === "box" ? new T.BoxGeometry(1, 1, 1) : new T.SphereGeometry(0.5, 32, 20)));
    return group;
  }

  private async fetch(prop: StudioProp, group: T.Group): Promise<void> {
    const answer = await request(`api/prop?name=${encodeURIComponent(prop.name)}`);
    if (!answer.ok) return;
    const loader = glbLoader();
    const { scene } = await loader.parseAsync(await answer.arrayBuffer(), "");
    const turned = new T.Group(); // files have y up
    if (up.value === "z") scene.rotation.x = Math.PI / 2;
    turned.add(scene);
    turned.traverse((part) => void (part instanceof T.Mesh && Object.assign(part, { castShadow: true, receiveShadow: true, frustumCulled: false })));
    group.add(turned);
    this.show(props.peek());
  }
}

function solid(shape: T.BufferGeometry): T.Mesh {
  const mesh = new T.Mesh(shape, new T.MeshStandardMaterial({ color: COLOR, roughness: 0.85 }));
  Object.assign(mesh, { castShadow: true, receiveShadow: true });
  return mesh;
}
