// The 3-D view: puts stage, figure, handles and marks together and keeps them at the session's last word.

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as T from "three";
import { anyInHand } from "../gestures";
import { openFiles } from "../opening";
import * as store from "../store";
import { BalanceView } from "./balance";
import { Bones } from "./bones";
import { viewCube } from "./cube";
import { Cubes } from "./cubes";
import { setBlend } from "./dual-quaternion";
import { FigureView } from "./figure";
import { Ghosts } from "./ghosts";
import { Gizmo } from "./gizmo";
import { setGrab } from "./grab";
import { Handles } from "./handles";
import { makeFaint, terrainOf } from "./ground";
import { Heat } from "./heat";
import { LimitHandles } from "./limit-handles";
import { LimitMarks } from "./limits";
import { Lines } from "./lines";
import { leadCamera } from "./leading";
import { setLooking } from "./looking";
import { PathKeys } from "./path-keys";
import { Picking } from "./picking";
import { Props } from "./props";
import { Stage, hides } from "./stage";
import { steadied } from "./steady";
import { wallScale } from "./wall";

const FAR = 0.5; // of the figure
const MOST_LOOKS = 60;

export function Viewport() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (canvas.current && layer.current) assemble(new Stage(canvas.current), layer.current);
  }, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.remove("dropping");
    if (event.dataTransfer) void openFiles(event.dataTransfer);
  };
  return (
    <main
      class="viewport"
      aria-label="3-D view"
      onDragOver={(event) => {
        event.preventDefault();
        event.currentTarget.classList.add("dropping");
      }}
      onDragLeave={(event) => event.currentTarget.classList.remove("dropping")}
      onDrop={drop}
    >
      <canvas ref={canvas} aria-label="The figure; click a limb to select its goal" />
      <div ref={layer} onWheel={(event) => (event.preventDefault(), canvas.current?.dispatchEvent(new WheelEvent("wheel", event)))} class={`overlay ${store.playing.value || store.preview.value ? "playing" : ""} ${store.racing.value ? "named" : ""}`} />
    </main>
  );
}

function assemble(stage: Stage, layer: HTMLElement): void {
  const gizmo = new Gizmo(stage);
  const handles = new Handles(stage, layer);
  const lines = new Lines(stage);
  const cubes = new Cubes(stage);
  const bones = new Bones(stage);
  const ghosts = new Ghosts(stage);
  const props = new Props(stage);
  const balance = new BalanceView(stage);
  const pathKeys = new PathKeys(stage, layer);
  const marks = new LimitMarks(stage);
  const ends = new LimitHandles(stage, layer);
  const heat = new Heat();
  const picking = new Picking(stage, gizmo, props, () => paintHeat());
  leadCamera(stage, gizmo, layer);
  const cube = viewCube(stage, layer);
  const scale = wallScale(stage, layer);
  let figure: FigureView | null = null;
  let wanted = 0;
  let version = 1;
  let drawn = "";

  const show = (next: FigureView) => {
    heat.hide();
    const first = !figure || figure.event.height !== next.event.height || figure.event.joints.length !== next.event.joints.length;
    figure?.dispose();
    figure = next;
    for (const part of [gizmo, handles, lines, cubes, bones, ghosts, props, balance, marks, picking, ends]) part.figure = next;
    stage.scene.add(next.root);
    stage.meshes = next.meshes;
    const pose = store.poseNow();
    if (pose) next.apply(pose);
    next.root.updateMatrixWorld(true);
    store.size.value = next.height;
    store.shown.value++;
    setBlend(next.meshes, store.document_.peek()?.blend ?? "linear");
    stage.world.rotation.x = next.event.up === "z" ? -Math.PI / 2 : 0;
    stage.world.updateMatrixWorld(true);
    stage.face(next.event.forward);
    next.place(next.event.carrier, seenAt);
    if (first) stage.fit(next.center, next.height, next.extent);
    paintHeat();
    version++;
  };
  const seenAt = new T.Vector3();
  let ground: T.Mesh | null = null;
  let unseen: T.Mesh | null = null; // ground that is new: the figure is about to stand on it
  let looks = 0;
  const see = () => {
    if (!unseen || !figure) return;
    // A figure that plays may stand in the ground until its new clip comes.
    figure.root.updateMatrixWorld();
    const isClear = stage.clearSight(unseen, placesOf(figure));
    if (isClear || --looks <= 0) unseen = null;
  };
  let sight = "";
  const seeThrough = () => {
    const now = `${version} ${identity(ground)} ${stage.camera.position.toArray()}`;
    if (!ground || !figure || now === sight) return;
    sight = now;
    if (makeFaint(ground, hides(ground, placesOf(figure), stage.camera.position))) stage.touch();
  };
  const follow = (shown: FigureView) => {
    shown.root.updateMatrixWorld();
    const step = steadied(shown.place(shown.event.carrier).sub(seenAt), shown.height, stage.camera);
    seenAt.add(step);
    if (store.following.value) stage.goAlong(step);
  };
  const paintHeat = () => {
    const joint = store.selectedJoint.value;
    if (store.heat.value && figure && joint) heat.show(figure, figure.index(joint.name));
    else heat.hide();
    stage.touch();
  };

  effect(() => {
    const event = store.figure.value;
    if (!event) return;
    const mine = (wanted = event.rev);
    FigureView.load(event)
      .then((next) => (mine === wanted ? show(next) : next.dispose()))
      .catch((problem: Error) => store.tell(`The figure could not be shown: ${problem.message}`, true));
  });
  store.onWeights((event) => {
    if (figure && event.rev === wanted + 1 && figure.reweigh(event)) {
      wanted = event.rev;
      paintHeat();
      return;
    }
    const last = store.figure.peek();
    if (last) store.figure.value = { ...last, rev: event.rev, url: last.url.replace(/rev=\d+/, `rev=${event.rev}`) };
  });
  effect(() => {
    setBlend(figure?.meshes ?? [], store.document_.value?.blend ?? "linear");
    stage.touch();
  });
  effect(paintHeat);
  effect(
    terrainOn(stage, (given) => {
      ground = unseen = given;
      looks = MOST_LOOKS;
    }),
  );
  store.onPose((pose) => {
    if (!store.playing.value && figure) {
      figure.apply(pose);
      // The camera goes along with a scrubbed clip, not with a pelvis that is dragged; nor is a figure lost that leaps.
      const leaps = figure.place(figure.event.carrier).distanceTo(seenAt) > FAR * figure.height;
      if ((store.clip.value || leaps) && !anyInHand()) follow(figure);
      else figure.place(figure.event.carrier, seenAt);
      see();
    }
    version++;
  });
  effect(() => {
    const clip = store.clip.value;
    const at = store.frame.value - (store.document_.peek()?.range[0] ?? 0);
    if (store.playing.value && clip && figure) {
      figure.applyFrame(clip, at);
      follow(figure);
      see();
    }
    version++;
  });
  effect(() => {
    const hidden = new Set(store.document_.value?.hidden ?? []);
    void store.shown.value;
    if (!figure || figure.meshes.every((mesh) => mesh.visible === !hidden.has(figure!.nameOf(mesh)))) return;
    for (const mesh of figure.meshes) mesh.visible = !hidden.has(figure.nameOf(mesh));
    figure.measure();
    stage.touch();
  });
  effect(() => {
    const wireframe = store.wireframe.value;
    if (!figure || !store.shown.value) return;
    for (const mesh of figure.meshes) for (const material of [mesh.material].flat()) Object.assign(material, { wireframe });
    stage.touch();
  });
  previews(stage, () => figure, () => version++);
  stage.onTick(() => {
    gizmo.tick();
    cube();
    scale();
    const seen = [version, store.goals.value, store.selection.value, store.bones.value, store.shaping.value, store.paths.value, store.ghosts.value, store.frame.value];
    const key = seen.map((part) => (typeof part === "object" ? identity(part) : String(part))).join(" ");
    const changed = key !== drawn;
    drawn = key;
    if (changed) {
      figure?.root.updateMatrixWorld();
      for (const part of [lines, cubes, bones, ghosts, balance]) part.update();
    }
    seeThrough();
    const ticked = [handles.tick(), pathKeys.tick(), props.tick(), marks.tick(version), ends.tick()];
    return changed || ticked.includes(true);
  });
  setLooking(stage, () => figure, seenAt);
  setGrab(gizmo);
}

/** Plays a clip that the mouse is over, from the beginning; after that the figure is as it was. */
function previews(stage: Stage, figure: () => FigureView | null, changed: () => void): void {
  let began = 0;
  let playing: unknown = null;
  stage.onTick((now) => {
    const [clip, shown] = [store.preview.value, figure()];
    if (clip !== playing) {
      began = now;
      const pose = store.poseNow();
      if (!clip && shown && pose) shown.apply(pose);
      playing = clip;
      changed();
    }
    if (!clip || !shown || store.playing.value) return false;
    shown.applyFrame(clip, (((now - began) / 1000) * clip.fps) % clip.frames);
    changed();
    return true;
  });
}

/** Where ground hides a figure: its middle, and below that. */
function placesOf({ center, extent }: FigureView): T.Vector3[] {
  return [0, 0.3, 0.45].map((below) => center.clone().setY(center.y - below * extent.y));
}

const identities = new WeakMap<object, number>();
let identitiesGiven = 0;
function identity(thing: object | null): string {
  if (!thing) return "-";
  if (!identities.has(thing)) identities.set(thing, ++identitiesGiven);
  return String(identities.get(thing));
}

function terrainOn(stage: Stage, changed: (ground: T.Mesh | null) => void): () => void {
  let shown: T.Mesh | null = null;
  return () => {
    const given = store.terrainMesh.value;
    shown?.removeFromParent();
    shown?.traverse((part) => (part as T.Mesh).geometry.dispose());
    shown = given && terrainOf(given);
    if (shown) stage.world.add(shown);
    changed(shown);
    stage.touch();
  };
}
