// Renderer, camera, lights and ground. Draws only when something has changed.

import { effect } from "@preact/signals";
import * as T from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { framesPerSecond } from "../meter";
import type { Vector } from "../schema";
import { parallel, theme } from "../store";
import { Backdrop } from "./backdrop";
import { BentSkins } from "./processor-skin";
import { drawnByProcessor, Fineness, Rest } from "./quality";
import { rendererOn, Scenery } from "./scenery";
import type { Look } from "./scenery";
import { Wall } from "./wall";

export const UP = new T.Vector3(0, 1, 0);

export type Tick = (now: number) => boolean;

const [WIDE, LONG] = [38, 0.4]; // degrees of view: as an eye sees, and from so far away that near and far look the same
const lens = (degrees: number) => Math.tan((degrees * Math.PI) / 360);

const DEPTH = 0.25; // of the height seen: a figure whose half is no deeper needs no more room

export class Stage {
  /** Everything in the figure's own axes: turned upright where its z points up. */
  readonly world = new T.Group();
  private readonly scenery = new Scenery();
  readonly scene = this.scenery.scene;
  readonly camera = this.scenery.camera;
  readonly wall = new Wall(this.scenery.ground.material.uniforms.color as T.IUniform<T.Color>);
  readonly renderer: T.WebGLRenderer;
  readonly orbit: OrbitControls;
  private readonly ticks = new Set<Tick>();
  private dirty = true;
  private size = 1.8; // of the figure
  front = 0; // the angle about the vertical from the world's front to that of the figure, whole quarters of a turn
  private seen = { width: 0, height: 0 }; // of the canvas in the page: to ask it would lay the page out anew for each handle
  private drawn: number[] = []; // when pictures were, in the last second
  private before = -1; // when the browser was last ready for one
  private readonly plain = drawnByProcessor();
  private readonly bent = this.plain ? new BentSkins(this.scene) : null;
  private readonly backdrop: Backdrop | null;
  private readonly rest = new Rest();
  private readonly fineness = new Fineness();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = rendererOn(canvas, !this.plain);
    this.backdrop = this.plain ? new Backdrop(this.renderer, this.scenery, this.wall) : null;
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener("change", () => this.touch());
    this.scene.add(this.world, this.wall.mesh);
    this.fit(new T.Vector3(0, 0.9, 0), 1.8, new T.Vector3(0.5, 1.8, 0.3));
    effect(() => this.look(theme.value));
    effect(() => this.see(parallel.value ? LONG : WIDE));
    this.orbit.zoomToCursor = true;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    requestAnimationFrame(this.step);
  }

  /** The meshes of the figure that is shown. */
  set meshes(meshes: readonly T.Mesh[]) {
    if (this.bent) this.bent.meshes = meshes;
  }

  touch(): void {
    this.dirty = true;
  }

  /** Called before each frame; true asks for a picture. */
  onTick(tick: Tick): void {
    this.ticks.add(tick);
  }

  /** Lights, ground and camera for a figure of this size; one that is deeper than wide is seen rather from its side. */
  fit(center: T.Vector3, height: number, extent: T.Vector3): void {
    const size = Math.max(height, 1e-3);
    const [wide, thick] = Math.abs(Math.cos(this.front)) > 0.5 ? [extent.x, extent.z] : [extent.z, extent.x];
    const [x, z] = thick > 1.3 * wide ? [1.55, 0.72] : [0.72, 1.55];
    const far = Math.max(extent.y, (1.1 * Math.max(extent.x, extent.z)) / this.camera.aspect, 0.3 * size);
    const deep = (x * wide + z * thick) / Math.hypot(x, z) / 2; // what is near looks larger
    const eye = new T.Vector3(x, 0.22, z).applyAxisAngle(UP, this.front).multiplyScalar(far);
    this.camera.position.copy(center).add(eye.setLength(eye.length() + 2 * Math.max(0, deep - DEPTH * far)).multiplyScalar(this.away));
    this.orbit.target.copy(center);
    this.size = size;
    this.scenery.fit(center, size);
    this.limit();
    this.orbit.update();
    this.touch();
  }

  /** How much further away the camera is than one with the eye's lens, which sees as much. */
  private get away(): number {
    return lens(WIDE) / lens(this.camera.fov);
  }

  /** How far a point would be from the eye's lens. */
  distance(point: T.Vector3): number {
    return this.camera.position.distanceTo(point) / this.away;
  }

  private limit(): void {
    this.orbit.minDistance = (this.size / 50) * this.away;
    this.orbit.maxDistance = this.size * 20 * this.away;
  }

  /** Another lens, from where it shows as much: an orthographic view is one from far away, whose pictures are exported as they are. */
  private see(fov: number): void {
    const before = this.away;
    this.camera.fov = fov;
    const eye = this.camera.position.clone().sub(this.orbit.target);
    this.camera.position.copy(this.orbit.target).addScaledVector(eye, this.away / before);
    this.limit();
    this.orbit.update();
    this.touch();
  }

  /** Moves the camera to where it has a ball in the picture; where it looks from stays. */
  frame(center: T.Vector3, radius: number): void {
    const way = this.camera.position.clone().sub(this.orbit.target).normalize();
    const room = Math.max(radius, this.size / 25) / lens(WIDE) / Math.min(1, this.camera.aspect);
    this.orbit.target.copy(center);
    this.camera.position.copy(center).addScaledVector(way, 1.25 * room * this.away);
    this.orbit.update();
    this.touch();
  }

  /** Turns the view about what is looked at, by angles: to the side and up. */
  orbitBy(aside: number, up: number): void {
    const ball = new T.Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
    ball.theta += aside;
    ball.phi = Math.min(Math.PI - 1e-3, Math.max(1e-3, ball.phi - up));
    this.lookFrom(new T.Vector3().setFromSpherical(ball));
  }

  /** Camera and light go along with a figure that walks, by what it moved over the ground. */
  goAlong(step: T.Vector3): void {
    this.scenery.goAlong(step);
    this.orbit.target.add(step);
  }

  /**
   * Goes round, rather than up, to where ground that rises hides none of these places: steps are told apart from the side.
   * False where they are hidden from everywhere.
   */
  clearSight(ground: T.Mesh, places: readonly T.Vector3[]): boolean {
    const eye = this.camera.position.clone().sub(this.orbit.target);
    const isHidden = (way: T.Vector3) => hides(ground, places, this.orbit.target.clone().add(way));
    const high = eye.clone().setY(Math.max(eye.y, 0.4 * Math.hypot(eye.x, eye.z)));
    const ways = [60, -60, 90, -90, 120, -120, 180, 0].map((degrees) => high.clone().applyAxisAngle(UP, (degrees * Math.PI) / 180));
    if (!isHidden(eye)) return true;
    const way = ways.find((one) => !isHidden(one));
    if (way) this.lookFrom(way);
    return way !== undefined;
  }

  /** From the figure's front (0, 0, 1), right (1, 0, 0) and top (0, 1, 0), along the axes of the world. */
  lookFromSide(side: T.Vector3): void {
    this.lookFrom(side.clone().applyAxisAngle(UP, this.front));
  }

  /** The figure faces this direction in its own axes; null where nobody knows. The axis that is nearest is its front. */
  face(forward: Vector | null): void {
    const { x, z } = this.world.localToWorld(new T.Vector3(...(forward ?? [0, 0, 0])));
    this.front = (Math.round(Math.atan2(x, z) / (Math.PI / 2)) * Math.PI) / 2;
  }

  lookFrom(direction: T.Vector3): void {
    const distance = this.camera.position.distanceTo(this.orbit.target);
    this.camera.position.copy(this.orbit.target).addScaledVector(direction.normalize(), distance);
    this.orbit.update();
    this.camera.updateMatrixWorld(); // what is projected before the next picture has the new view
    this.touch();
  }

  /** Screen pixels (within the canvas) and depth of a point of the scene. */
  project(point: T.Vector3): { x: number; y: number; visible: boolean } {
    const p = point.clone().project(this.camera);
    return { x: (p.x * 0.5 + 0.5) * this.seen.width, y: (0.5 - p.y * 0.5) * this.seen.height, visible: p.z < 1 };
  }

  ray(x: number, y: number): T.Raycaster {
    const caster = new T.Raycaster();
    const box = this.canvas.getBoundingClientRect();
    const at = new T.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    caster.setFromCamera(at, this.camera);
    return caster;
  }

  private look(name: Look): void {
    this.scenery.look(name);
    this.touch();
  }

  private resize(): void {
    const parent = this.canvas.parentElement;
    if (!parent?.clientWidth || !parent.clientHeight) return;
    this.renderer.setPixelRatio(this.plain ? 1 : Math.min(devicePixelRatio, 2));
    this.seen = { width: parent.clientWidth, height: parent.clientHeight };
    this.renderer.setSize(this.seen.width, this.seen.height);
    this.camera.aspect = parent.clientWidth / parent.clientHeight;
    this.camera.updateProjectionMatrix();
    this.draw();
    this.touch(); // and well, once it rests
  }

  private readonly step = (now: number): void => {
    requestAnimationFrame(this.step);
    if (this.before === this.drawn.at(-1)) this.fineness.took(now - this.before);
    this.before = now;
    for (const tick of this.ticks) if (tick(now)) this.dirty = true;
    if (this.plain && !this.dirty && this.rest.come(now)) this.drawWell();
    if (!this.dirty) return;
    this.draw();
    this.rest.touch(now);
    this.drawn.push(now);
    while (this.drawn[0]! < now - 1000) this.drawn.shift();
    if (this.drawn.length > 4) framesPerSecond.give(((this.drawn.length - 1) * 1000) / (now - this.drawn[0]!));
  };

  private draw(): void {
    this.dirty = false;
    this.reach();
    this.lineWall();
    if (!this.backdrop) return this.renderer.render(this.scene, this.camera);
    this.refine(false);
    this.backdrop.draw();
  }

  /** An orthographic view along an axis has its grid instead of the ground's, which is seen from its edge there. */
  private lineWall(): void {
    const { camera, orbit, wall, seen } = this;
    const height = 2 * lens(camera.fov) * camera.position.distanceTo(orbit.target);
    if (this.away > 1) wall.put(camera.position, orbit.target, height, camera.aspect, seen.height, !this.world.rotation.x);
    else wall.hide();
    this.scenery.ground.visible = !wall.cell;
  }

  /** From how near to how far is drawn: depths are told apart the better, the nearer those are. */
  private reach(): void {
    const off = this.camera.position.distanceTo(this.orbit.target) - (this.away > 1 ? 20 * this.size : Infinity);
    const near = Math.max(this.size / 200, off);
    if (near === this.camera.near) return;
    this.camera.near = near;
    this.camera.far = this.size * 100 + Math.max(0, off);
    this.camera.updateProjectionMatrix();
  }

  /** The canvas, drawn just now: it may be read until the browser shows the next picture. */
  shot(): HTMLCanvasElement {
    this.draw();
    return this.canvas;
  }

  private drawWell(): void {
    this.refine(true);
    this.renderer.render(this.scene, this.camera);
  }

  /** Twice as fine and with shadows, where that takes too long while things move; as fine as is quick enough then. */
  private refine(well: boolean): void {
    const ratio = well ? 2 : this.fineness.ratio;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.scenery.sun.castShadow = this.scenery.floor.visible = well;
  }
}

/** Whether the ground is between an eye and any of the places. */
export function hides(ground: T.Mesh, places: readonly T.Vector3[], eye: T.Vector3): boolean {
  const caster = new T.Raycaster();
  return places.some((place) => {
    const sight = eye.clone().sub(place);
    caster.set(place, sight.clone().normalize());
    caster.far = sight.length();
    return caster.intersectObject(ground, false).length > 0;
  });
}
