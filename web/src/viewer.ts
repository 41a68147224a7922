// A page of one file that plays the clip of the GLB it holds, from anywhere: no server, no network. The studio's own page
// takes three from here.

import * as T from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { terrainOf } from "./view/ground";
import type { Triangles } from "./view/ground";
import { glbLoader } from "./view/images";
import { addHandles } from "./view/live";
import type { Live, Player, Stage } from "./view/live";
import { rendererOn, Scenery } from "./view/scenery";
import { steadied } from "./view/steady";

export * as three from "three";
export { clone } from "three/addons/utils/SkeletonUtils.js";
export { TransformControls } from "three/addons/controls/TransformControls.js";
export { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
export { GLTFLoader, OrbitControls };

const STYLE = `
html, body { margin: 0; height: 100%; background: #1b1e24; color: #e6e9ee; font: 13px system-ui, sans-serif; overflow: hidden }
canvas { display: block; position: fixed; inset: 0; touch-action: none }
.bar { position: fixed; left: 16px; right: 16px; bottom: 16px; display: flex; gap: 10px; align-items: center; padding: 8px 12px;
  background: #23272eee; border: 1px solid #3a404b; border-radius: 10px }
.bar.above { right: auto; max-width: calc(100vw - 56px); padding: 4px 5px 4px 12px }
.bar ~ .bar { bottom: 66px }
.bar .said { flex: 1 1 auto }
.bar [aria-pressed="true"] { background: #1f6fd0; border-color: #4a9bf5 }
.bar input { flex: 1; accent-color: #4a9bf5 }
.bar button, .bar select { font: inherit; color: inherit; background: #2d323b; border: 1px solid #3a404b; border-radius: 6px; padding: 4px 12px }
.bar span { font-variant-numeric: tabular-nums; min-width: 92px; text-align: right; color: #98a1af }
`;

/** The GLB stands as base64 in <script type="model/gltf-binary" id="figure">. */
function embedded(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0)).buffer;
}

async function start(figure: HTMLElement): Promise<void> {
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
  const loader = glbLoader();
  const gltf = await loader.parseAsync(embedded(figure.textContent ?? ""), "");
  const ground = JSON.parse(document.getElementById("ground")?.textContent ?? "null") as Triangles | null;
  const stage = setStage(gltf.scene, ground && terrainOf(ground));
  const lives = await addHandles(gltf, stage);
  if (lives[0]?.carrier) stage.goAlongWith(lives[0].carrier);
  if (!lives.length || lives[0]!.plays) play(gltf, stage, lives); // else it stands, whatever its file could play
  stage.frame();
}

interface Shown extends Stage {
  onSize(): void;
  goAlongWith(joint: T.Object3D): void;
  /** Show all of the figure in what the bars leave of the window. */
  frame(): void;
}

function setStage(figure: T.Object3D, terrain: T.Mesh | null): Shown {
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const renderer = rendererOn(canvas, true);
  const scenery = new Scenery();
  const { scene, camera } = scenery;
  figure.traverse((thing) => {
    if (thing instanceof T.Mesh) Object.assign(thing, { castShadow: true, receiveShadow: true, frustumCulled: false });
  });
  const box = boundsOf(figure);
  const center = box.getCenter(new T.Vector3());
  const extent = box.getSize(new T.Vector3());
  const size = Math.max(...extent.toArray(), 1e-3);
  const eye = terrain ? new T.Vector3(1.8, 0.6, 0.4) : new T.Vector3(0.75, 0.25, 1.7); // what rises ahead would hide the figure
  camera.position.copy(center).addScaledVector(eye, size);
  scenery.fit(center, size);
  scenery.lower(Math.min(0, box.min.y));
  scenery.look(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  if (terrain) scene.add(terrain);
  scene.add(figure);
  const orbit = new OrbitControls(camera, canvas);
  orbit.target.copy(center);
  orbit.update();
  let root = rootOf(figure);
  const last = root.getWorldPosition(new T.Vector3());
  const shown: Shown = {
    canvas, camera, scene, orbit, size, follows: true,
    draw() {
      if (shown.follows) {
        const step = steadied(root.getWorldPosition(new T.Vector3()).sub(last), size, camera);
        last.add(step);
        scenery.goAlong(step);
        orbit.target.add(step);
      }
      renderer.render(scene, camera);
    },
    goAlongWith(joint) {
      root = joint;
      root.getWorldPosition(last);
    },
    onSize() {
      renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      renderer.setSize(innerWidth, innerHeight);
      camera.aspect = innerWidth / innerHeight;
      camera.setViewOffset(innerWidth, innerHeight, 0, underBars() / 2, innerWidth, innerHeight); // sets the matrix too
      shown.draw();
    },
    frame() {
      camera.position.copy(orbit.target).addScaledVector(eye.clone().normalize(), distanceFor(extent, eye, camera));
      orbit.update();
      shown.onSize();
    },
  };
  orbit.addEventListener("change", shown.draw);
  addEventListener("resize", shown.onSize);
  shown.onSize();
  return shown;
}

/** Pixels of the window, from below, that lie under bars. */
function underBars(): number {
  const tops = [...document.querySelectorAll(".bar")].map((bar) => bar.getBoundingClientRect().top);
  return Math.min(Math.max(0, innerHeight - Math.min(innerHeight, ...tops)), innerHeight / 2);
}

const FILLED = 0.86; // of the window that is free, by the figure

/** How far from its middle a figure of this extent is seen whole. */
function distanceFor(extent: T.Vector3, eye: T.Vector3, camera: T.PerspectiveCamera): number {
  const free = 1 - underBars() / innerHeight, slope = 2 * Math.tan(T.MathUtils.degToRad(camera.fov) / 2) * FILLED;
  const along = eye.clone().setY(0).normalize();
  const [wide, deep] = [extent.x * Math.abs(along.z) + extent.z * Math.abs(along.x), extent.x * Math.abs(along.x) + extent.z * Math.abs(along.z)];
  return Math.max(extent.y / (slope * free), wide / (slope * camera.aspect), 1e-3) + deep / 2;
}

function rootOf(figure: T.Object3D): T.Object3D {
  let root: T.Object3D = figure;
  figure.traverse((thing) => {
    if (root === figure && thing instanceof T.SkinnedMesh) root = thing.skeleton.bones[0] ?? figure;
  });
  return root;
}

/** Where the vertices are: the boxes of skins that lie askew in their files would reach far below the ground. */
function boundsOf(figure: T.Object3D): T.Box3 {
  figure.updateMatrixWorld(true);
  return new T.Box3().setFromObject(figure, true);
}

function play(gltf: { scene: T.Object3D; animations: T.AnimationClip[] }, stage: Shown, lives: readonly Live[]): void {
  const clips = gltf.animations;
  if (!clips.length) return;
  const mixer = new T.AnimationMixer(gltf.scene);
  const bar = document.createElement("div");
  bar.className = "bar";
  const button = Object.assign(document.createElement("button"), { textContent: "Pause", type: "button" });
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", "Clip");
  clips.forEach((clip, index) => choice.append(new Option(clip.name || `clip ${index + 1}`, String(index))));
  choice.hidden = clips.length < 2;
  const slider = Object.assign(document.createElement("input"), { type: "range", min: "0", step: "any", value: "0" });
  slider.setAttribute("aria-label", "Time");
  const label = document.createElement("span");
  bar.append(button, choice, slider, label);
  document.body.append(bar);
  let running = true;
  let seconds = 0;
  let length = 1;
  const first = Math.max(0, clips.findIndex((clip) => clip.name === lives[0]?.plays));
  choice.value = String(first);
  let chosen = first;
  const choose = (index: number) => {
    mixer.stopAllAction();
    chosen = index;
    mixer.clipAction(clips[index]!).play();
    length = Math.max(clips[index]!.duration, 1e-6);
    slider.max = String(length);
    seconds = 0;
  };
  const show = () => {
    mixer.setTime(Math.min(seconds, length - 1e-6));
    slider.value = String(seconds);
    label.textContent = `${seconds.toFixed(2)} / ${length.toFixed(2)} s`;
    for (const live of lives) live.goAlong();
    stage.draw();
  };
  const toggle = () => {
    running = !running;
    button.textContent = running ? "Pause" : "Play";
    if (running) stage.follows = true;
  };
  button.addEventListener("click", toggle);
  choice.addEventListener("change", () => choose(Number(choice.value)));
  slider.addEventListener("input", () => {
    if (running) toggle();
    seconds = Number(slider.value);
    show();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target === button) return;
    event.preventDefault();
    toggle();
  });
  choose(first);
  const player: Player = {
    now: () => (chosen === first ? seconds : null),
    stopAt(at) {
      if (running) toggle();
      seconds = at;
      show();
    },
  };
  for (const live of lives) live.follow(player);
  let last = performance.now();
  const step = (now: number) => {
    requestAnimationFrame(step);
    if (running) seconds = (seconds + (now - last) / 1000) % length;
    if (running) show();
    last = now;
  };
  requestAnimationFrame(step);
}

const figure = document.getElementById("figure");
if (figure) {
  start(figure).catch((problem: Error) => {
    document.body.textContent = `This figure cannot be shown: ${problem.message}`;
  });
}
